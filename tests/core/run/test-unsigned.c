/* SPDX-License-Identifier: MIT
 *
 * A store that was written before checkpoints had a signature, with a run of every lab: it opens, and
 * the runs go on.  What another version's checkpoint looks like, and what can then be done.
 *
 * tests/fixtures/unsigned.sluice has runs of 40 updates, with settings that are not the defaults and
 * a change on the way; unsigned.txt what the program of then published next in every channel, a line
 * each: lab, channel, step, value.  Going on is exact on the same kernel; here it may be another one,
 * so that a state is compared to the bit and what it leads to with a tolerance.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/run/session/session.h"
#include "tests/support/change-checkpoint.h"
#include "tests/support/close.h"
#include "tests/support/folder.h"

enum {
  STORED = 40,
  GO_ON = 50, /* every channel has published again by then */
  SETTINGS = 5440,
};

static const char *fixture, *expected;

/* ---- a copy of the store ---- */

typedef struct
{
  char    *folder, *path;
  SlStore *store;
} Place;

static void
open_store (Place *place)
{
  GError *error = NULL;

  place->store = sl_store_open (place->path, &error);
  g_assert_no_error (error);
}

static void
set_up (Place *place, gconstpointer unused)
{
  g_autofree char *content = NULL;
  gsize            size;

  place->folder = g_dir_make_tmp ("sluice-unsigned-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "runs.sluice", NULL);
  g_assert_true (g_file_get_contents (fixture, &content, &size, NULL));
  g_assert_true (g_file_set_contents (place->path, content, (gssize) size, NULL));
  open_store (place);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  g_assert_finalize_object (place->store);
  sl_remove_all (place->folder);
  g_free (place->folder);
  g_free (place->path);
}

static void
find_run (Place *place, const char *lab, char uuid[SL_UUID])
{
  g_autoptr (GPtrArray) runs = sl_store_list (place->store, NULL, FALSE, NULL);

  uuid[0] = '\0';
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      if (strcmp (run->lab_id, lab) == 0)
        g_strlcpy (uuid, run->uuid, SL_UUID);
    }
  g_assert_cmpstr (uuid, !=, "");
}

static void
load (Place *place, const char *uuid, gboolean to_resume, SlStoredRun *run)
{
  GError *error = NULL;

  sl_store_load (place->store, uuid, to_resume, UINT64_MAX, run, &error);
  g_assert_no_error (error);
}

/* ---- sessions ---- */

static void
wait_loaded (SlSession *session)
{
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_finished (SlSession *session)
{
  while (sl_session_state (session) != SL_FINISHED || sl_session_is_loading (session)
         || g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static SlSession *
resume (Place *place, const char *uuid, uint64_t limit)
{
  SlSession  *session = sl_session_new ();
  SlStoredRun run;

  load (place, uuid, TRUE, &run);
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, limit);
  sl_session_resume (session, &run, TRUE);
  wait_loaded (session);
  return session;
}

/* Closes the session and the store, and opens that again. */
static void
close_session (Place *place, SlSession *session)
{
  g_assert_finalize_object (session);
  sl_store_flush (place->store, NULL);
  g_assert_finalize_object (place->store);
  open_store (place);
}

/* ---- going on ---- */

/* The first sample of a channel behind the stored ones. */
static double
first_after (const SlRecord *record, const char *channel, uint64_t *step)
{
  int             c = sl_layout_find (&record->layout, channel);
  const SlSeries *series = &record->series[c];
  size_t          i = 0;

  g_assert_cmpint (c, >=, 0);
  while (i < series->n && series->step[i] <= STORED)
    i++;
  g_assert_cmpuint (i, <, series->n);
  *step = (uint64_t) series->step[i];
  return series->value[i];
}

/* Compares what comes next with what came next then. */
static void
check_next (const SlRecord *record)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  unsigned compared = 0, published = 0;

  for (unsigned c = 0; c < record->layout.n; c++)
    published += record->series[c].n > 0;
  g_assert_true (g_file_get_contents (expected, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", -1);
      uint64_t step;

      if (words[0] == NULL || strcmp (words[0], record->lab->id) != 0)
        continue;
      sl_assert_near (first_after (record, words[1], &step), g_ascii_strtod (words[3], NULL), 1e-3,
                      1e-3);
      g_assert_cmpuint (step, ==, g_ascii_strtoull (words[2], NULL, 10));
      compared++;
    }
  g_assert_cmpuint (compared, ==, published);
}

/* The state of the old block, read and written again: the same bytes without the settings. */
static void
check_state (const SlStoredRun *run)
{
  const SlCheckpoint *old = &run->checkpoint;
  SlCheckpoint new = { 0 };
  SlDataset  *dataset = NULL;
  SlTrainer  *trainer;
  SlStatus    status = SL_SUCCESS;
  const char *payload, *first;
  size_t      before, size;

  if (run->recipe.data[0] != '\0')
    status = sl_source_open (run->recipe.data, &dataset);
  g_assert_true (sl_ok (&status));
  status
    = sl_trainer_new (&trainer, run->recipe.lab, &run->recipe.settings, dataset, run->recipe.seed);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_restore (trainer, old);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_save (trainer, &new);
  g_assert_true (sl_ok (&status));
  payload = strstr ((char *) new.data, "\ndata\n") + strlen ("\ndata\n");
  size = new.bytes - (size_t) (payload - (char *) new.data);
  g_assert_cmpuint (size + SETTINGS, ==, old->bytes);
  first = strstr ((char *) new.data, "\nstate: ");
  before = first != NULL ? g_ascii_strtoull (first + strlen ("\nstate: "), NULL, 10) : 0;
  g_assert_cmpmem (payload, before, old->data, before);
  g_assert_cmpmem (payload + before, size - before, old->data + before + SETTINGS, size - before);
  sl_checkpoint_clear (&new);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* A live parameter as it was changed, and a list that was given. */
static void
check_settings (const SlStoredRun *run)
{
  static const struct
  {
    const char *lab, *id, *text;
  } set[] = {
    { "sign-estimator", "rank", "3-5-1" },
    { "sign-estimator", "theta", "0.2" },
    { "sign-estimator", "hidden", "12-8-6" },
    { "experts", "k", "3" },
    { "experts", "embedding", "8" },
    { "stochastic-gates", "target-density", "0.3" },
    { "prefix-tree", "decay", "0.02" },
    { "prefix-tree", "hidden", "10-8" },
    { "gated-recurrence", "s", "0.3" },
    { "selective-execution", "lambda", "0.8" },
    { "capacity", "mixing", "0.3" },
    { "style", "method", "poly" },
    { "style", "weights", "2-1" },
  };
  const SlLab *lab = run->recipe.lab;
  unsigned     compared = 0;
  char         text[256];

  g_assert_cmpuint (run->changes, ==, run->recipe.changes->len);
  for (guint i = 0; i < G_N_ELEMENTS (set); i++)
    if (strcmp (set[i].lab, lab->id) == 0)
      {
        int p = sl_param_find (lab->params, lab->n_params, set[i].id);

        g_assert_cmpint (p, >=, 0);
        g_assert_cmpstr (
          sl_param_format (&lab->params[p], &run->checkpoint.settings.value[p], text, sizeof text),
          ==, set[i].text);
        compared++;
      }
  g_assert_cmpuint (compared, >, 0);
}

static void
test_goes_on (Place *place, gconstpointer lab)
{
  SlSession  *session;
  SlStoredRun run;
  GError     *error = NULL;
  char        uuid[SL_UUID];

  find_run (place, lab, uuid);
  g_assert_true (sl_store_goes_on (place->store, uuid, &error));
  load (place, uuid, TRUE, &run);
  g_assert_cmpuint (run.checkpoint.step, ==, STORED);
  check_settings (&run);
  check_state (&run);
  sl_stored_run_clear (&run);

  session = resume (place, uuid, GO_ON);
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  g_assert_false (sl_session_can_begin_anew (session));
  check_next (sl_session_record (session));
  close_session (place, session);

  /* Its next checkpoint has a signature, and goes on too. */
  g_assert_true (sl_store_goes_on (place->store, uuid, &error));
  load (place, uuid, TRUE, &run);
  g_assert_cmpuint (run.checkpoint.step, ==, GO_ON);
  g_assert_true (g_str_has_prefix ((char *) run.checkpoint.data, "Sluice checkpoint\n"));
  check_settings (&run);
  check_next (&run.record);
  sl_stored_run_clear (&run);
  session = resume (place, uuid, GO_ON + 5);
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  close_session (place, session);
}

/* ---- not going on ---- */

static void
change_checkpoint (Place *place, const char *uuid, const char *before, char byte)
{
  g_assert_finalize_object (place->store);
  sl_change_checkpoint (place->path, uuid, GO_ON, before, byte);
  open_store (place);
}

/* A run of another version: there is a sentence, its curves are there, and it begins anew. */
static void
test_refused (Place *place, gconstpointer unused)
{
  static const char SENTENCE[] = "checkpoint of another version: found experts, state 7, expected experts, state 1";
  SlSession        *session;
  SlStoredRun       run;
  GError           *error = NULL;
  char              uuid[SL_UUID];

  find_run (place, "experts", uuid);
  session = resume (place, uuid, GO_ON);
  wait_finished (session);
  close_session (place, session);
  change_checkpoint (place, uuid, "experts, state ", '7');

  g_assert_false (sl_store_goes_on (place->store, uuid, &error));
  g_assert_error (error, SL_ERROR, SL_EUNSUPPORTED);
  g_assert_cmpstr (error->message, ==, SENTENCE);
  g_clear_error (&error);
  load (place, uuid, FALSE, &run);
  check_next (&run.record);
  sl_stored_run_clear (&run);

  session = resume (place, uuid, GO_ON);
  g_assert_cmpint (sl_session_state (session), ==, SL_FAILED);
  g_assert_cmpstr (sl_session_error (session)->message, ==, SENTENCE);
  g_assert_true (sl_session_can_begin_anew (session));
  g_assert_true (sl_session_begin_anew (session));
  g_assert_false (sl_session_begin_anew (session));
  g_assert_no_error (sl_session_error (session));
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  g_assert_false (sl_session_can_begin_anew (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, GO_ON);
  g_assert_cmpstr (sl_session_uuid (session), !=, uuid);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1);
  close_session (place, session);
  load (place, uuid, FALSE, &run);
  check_next (&run.record);
  sl_stored_run_clear (&run);
}

/* Nothing else is in the way of what was going on, and another wish takes the offer back. */
static void
test_refused_beside (Place *place, gconstpointer unused)
{
  SlSession  *session;
  SlStoredRun run;
  char        good[SL_UUID], bad[SL_UUID];

  find_run (place, "experts", bad);
  find_run (place, "prefix-tree", good);
  session = resume (place, bad, GO_ON);
  wait_finished (session);
  close_session (place, session);
  change_checkpoint (place, bad, "\nstate: ", '0');

  session = resume (place, good, GO_ON);
  wait_finished (session);
  load (place, bad, TRUE, &run);
  sl_session_resume (session, &run, TRUE);
  wait_loaded (session);
  g_assert_cmpint (sl_session_error (session)->code, ==, SL_EUNSUPPORTED);
  g_assert_true (sl_session_can_begin_anew (session));
  g_assert_cmpstr (sl_session_uuid (session), ==, good);
  g_assert_cmpint (sl_session_state (session), ==, SL_FINISHED);
  sl_session_clear_error (session);
  g_assert_false (sl_session_can_begin_anew (session));
  close_session (place, session);
}

/* An earlier checkpoint of another version is none to look back at. */
static void
test_earlier (Place *place, gconstpointer unused)
{
  const uint64_t *step;
  SlSession      *session;
  unsigned        n;
  char            uuid[SL_UUID];

  find_run (place, "experts", uuid);
  for (uint64_t limit = GO_ON; limit <= GO_ON + 5; limit += 5)
    {
      session = resume (place, uuid, limit);
      wait_finished (session);
      close_session (place, session);
    }
  change_checkpoint (place, uuid, "experts, state ", '7');
  session = resume (place, uuid, GO_ON + 5);
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  step = sl_session_checkpoints (session, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (step[0], ==, 0);
  g_assert_cmpuint (step[1], ==, STORED);
  g_assert_cmpuint (step[2], ==, GO_ON + 5);
  close_session (place, session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fixture = argv[1];
  expected = argv[2];
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat ("/unsigned/goes-on/", sl_labs[i]->id, NULL);

      g_test_add (path, Place, sl_labs[i]->id, set_up, test_goes_on, tear_down);
    }
  g_test_add ("/unsigned/refused", Place, NULL, set_up, test_refused, tear_down);
  g_test_add ("/unsigned/refused-beside", Place, NULL, set_up, test_refused_beside, tear_down);
  g_test_add ("/unsigned/earlier", Place, NULL, set_up, test_earlier, tear_down);
  return g_test_run ();
}
