/* SPDX-License-Identifier: MIT
 *
 * Stores that earlier builds wrote, with a run of every lab that there was.  Before checkpoints had a signature: the
 * store opens, its curves are there, and a sentence says that the runs cannot go on; they can be begun
 * anew.  With a signature: they go on as if they had never stopped.  What another version's checkpoint
 * looks like, and what can then be done.
 *
 * tests/fixtures/unsigned.sluice has runs of 40 updates, with settings that are not the defaults and
 * a change on the way; signed.sluice has the same runs with the states of now.  Who raises the version of a
 * lab's state makes that one again: tests/renew-signed.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/session/session.h"
#include "tests/support/change-checkpoint.h"
#include "tests/support/store-place.h"

enum { STORED = 40, GO_ON = 50 };

static const char *unsigned_store, *signed_store;

static const char *const labs_then[] = {
  "sign-estimator",   "experts",  "stochastic-gates",    "prefix-tree",
  "gated-recurrence", "capacity", "selective-execution", "style",
};

/* ---- a copy of the store ---- */

static void
copy_store (Place *place, const char *fixture)
{
  g_autofree char *content = NULL;
  gsize            size;

  choose_place (place);
  g_assert_true (g_file_get_contents (fixture, &content, &size, NULL));
  g_assert_true (g_file_set_contents (place->path, content, (gssize) size, NULL));
  open_store (place);
}

static void
set_up (Place *place, gconstpointer unused)
{
  copy_store (place, unsigned_store);
}

static void
set_up_signed (Place *place, gconstpointer unused)
{
  copy_store (place, signed_store);
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
  while ((sl_session_state (session) != SL_FINISHED && sl_session_state (session) != SL_FAILED)
         || sl_session_is_loading (session)
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

/* ---- what is there ---- */

/* Everything that was published is there, up to the end. */
static void
check_curves (const SlRecord *record, uint64_t last)
{
  unsigned published = 0;

  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlSeries *series = &record->series[c];

      published += series->n > 0;
      for (size_t i = 0; i < series->n; i++)
        g_assert_cmpuint ((uint64_t) series->step[i], <=, last);
    }
  g_assert_cmpuint (published, >, 0);
}

/* Begins the run of a lab anew, up to an update, and leaves it in the store. */
static void
begin_anew (Place *place, const char *lab, uint64_t limit, char uuid[SL_UUID])
{
  SlSession *session;

  find_run (place, lab, uuid);
  session = resume (place, uuid, limit);
  g_assert_true (sl_session_begin_anew (session));
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  g_strlcpy (uuid, sl_session_uuid (session), SL_UUID);
  close_session (place, session);
}

static void
go_on (Place *place, const char *uuid, uint64_t limit)
{
  SlSession *session = resume (place, uuid, limit);

  g_assert_no_error (sl_session_error (session));
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  g_assert_false (sl_session_can_begin_anew (session));
  close_session (place, session);
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
    { "sign-estimator", "theta", "0.2/0.2/0.2" }, /* was one number */
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
test_old (Place *place, gconstpointer lab)
{
  g_autofree char *sentence
    = g_strdup_printf ("checkpoint of another version: found no signature, expected %s, state %u",
                       (const char *) lab, sl_lab_find (lab)->state_version);
  SlSession  *session;
  SlStoredRun run;
  GError     *error = NULL;
  char        uuid[SL_UUID];

  find_run (place, lab, uuid);
  g_assert_false (sl_store_goes_on (place->store, uuid, &error));
  g_assert_cmpstr (error->message, ==, sentence);
  g_clear_error (&error);
  load (place, uuid, TRUE, &run);
  g_assert_cmpuint (run.checkpoint.step, ==, STORED);
  check_settings (&run);
  check_curves (&run.record, STORED);
  sl_stored_run_clear (&run);
  session = resume (place, uuid, GO_ON);
  g_assert_cmpstr (sl_session_error (session)->message, ==, sentence);
  g_assert_true (sl_session_can_begin_anew (session));
  close_session (place, session);

  /* Begun anew it has a signature, and goes on. */
  begin_anew (place, lab, GO_ON, uuid);
  g_assert_true (sl_store_goes_on (place->store, uuid, &error));
  load (place, uuid, TRUE, &run);
  g_assert_cmpuint (run.checkpoint.step, ==, GO_ON);
  g_assert_true (g_str_has_prefix ((char *) run.checkpoint.data, "Sluice checkpoint\n"));
  sl_stored_run_clear (&run);
  go_on (place, uuid, GO_ON + 5);
}

/* The fixture may be of another processor, which rounds otherwise: single examples may then
 * fall on the other side of a threshold.  */
static void
check_same_curves (const SlRecord *a, const SlRecord *b)
{
  unsigned compared = 0, other = 0;

  for (unsigned c = 0; c < a->layout.n; c++)
    {
      const SlSeries *x = &a->series[c], *y = &b->series[c];

      g_assert_cmpuint (x->n, ==, y->n);
      for (size_t i = 0; i < x->n; i++)
        {
          double larger = fmax (fabs ((double) x->value[i]), fabs ((double) y->value[i]));

          g_assert_true (x->step[i] == y->step[i]);
          if (x->step[i] <= STORED || (isnan (x->value[i]) && isnan (y->value[i])))
            continue;
          compared++;
          other += !(fabs ((double) x->value[i] - (double) y->value[i]) <= 0.05 * larger + 1e-3);
        }
    }
  g_assert_cmpuint (compared, >, 0);
  g_assert_cmpuint (4 * other, <=, compared);
}

/* A parameter that has the title it had when the marker was stored. */
static gboolean
is_titled (const SlLab *lab, const char *english)
{
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      size_t length = strlen (lab->params[p].title);

      if (g_str_has_prefix (english, lab->params[p].title)
          && (g_ascii_isdigit (english[length + 1]) || lab->params[p].kind == SL_CHOICE))
        return TRUE;
    }
  return FALSE;
}

/* The store says in English what was changed; what is read can be said in any language. */
static void
check_markers (const SlRecord *record)
{
  char english[SL_CHANGE_MARKER_TEXT];

  g_assert_cmpuint (record->n_flags, >, 0);
  for (unsigned i = 0; i < record->n_flags; i++)
    {
      sl_message_show (record->flag[i].text, NULL, english, sizeof english);
      g_assert_nonnull (strstr (english, " → "));
      if (is_titled (record->lab, english))
        g_assert_cmpstr (record->flag[i].text, !=, english);
    }
}

/* From the fixture on and from the beginning on, a run is the same. */
static void
test_signed (Place *place, gconstpointer lab)
{
  g_autoptr (SlSession) session = sl_session_new ();
  SlStoredRun run;
  char        uuid[SL_UUID];

  find_run (place, lab, uuid);
  go_on (place, uuid, GO_ON);
  load (place, uuid, FALSE, &run);
  check_markers (&run.record);
  sl_session_set_limit (session, GO_ON);
  sl_session_replay (session, &run.recipe, TRUE);
  wait_loaded (session);
  wait_finished (session);
  g_assert_no_error (sl_session_error (session));
  check_same_curves (&run.record, sl_session_record (session));
  sl_stored_run_clear (&run);
}

/* ---- another version ---- */

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
  g_autofree char *sentence = g_strdup_printf (
    "checkpoint of another version: found experts, state 0, expected experts, state %u",
    sl_lab_find ("experts")->state_version);
  SlSession  *session;
  SlStoredRun run;
  GError     *error = NULL;
  char        uuid[SL_UUID];

  begin_anew (place, "experts", GO_ON, uuid);
  change_checkpoint (place, uuid, "experts, state ", '0');

  g_assert_false (sl_store_goes_on (place->store, uuid, &error));
  g_assert_error (error, SL_ERROR, SL_EUNSUPPORTED);
  g_assert_cmpstr (error->message, ==, sentence);
  g_clear_error (&error);
  session = resume (place, uuid, GO_ON);
  g_assert_cmpint (sl_session_state (session), ==, SL_FAILED);
  g_assert_cmpstr (sl_session_error (session)->message, ==, sentence);
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
  check_curves (&run.record, GO_ON);
  sl_stored_run_clear (&run);
}

/* Nothing else is in the way of what was going on, and another wish takes the offer back. */
static void
test_refused_beside (Place *place, gconstpointer unused)
{
  SlSession  *session;
  SlStoredRun run;
  char        good[SL_UUID], bad[SL_UUID];

  begin_anew (place, "experts", GO_ON, bad);
  begin_anew (place, "prefix-tree", STORED, good);
  change_checkpoint (place, bad, "\ncounters: ", '0');

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

  begin_anew (place, "experts", STORED, uuid);
  for (uint64_t limit = GO_ON; limit <= GO_ON + 5; limit += 5)
    go_on (place, uuid, limit);
  change_checkpoint (place, uuid, "experts, state ", '0');
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
  unsigned_store = argv[1];
  signed_store = argv[2];
  for (unsigned i = 0; i < G_N_ELEMENTS (labs_then); i++)
    {
      g_autofree char *path = g_strconcat ("/unsigned/old/", labs_then[i], NULL);
      g_autofree char *goes_on = g_strconcat ("/signed/", labs_then[i], NULL);

      g_test_add (path, Place, labs_then[i], set_up, test_old, tear_down_place);
      g_test_add (goes_on, Place, labs_then[i], set_up_signed, test_signed, tear_down_place);
    }
  g_test_add ("/unsigned/refused", Place, NULL, set_up, test_refused, tear_down_place);
  g_test_add ("/unsigned/refused-beside", Place, NULL, set_up, test_refused_beside,
              tear_down_place);
  g_test_add ("/unsigned/earlier", Place, NULL, set_up, test_earlier, tear_down_place);
  return g_test_run ();
}
