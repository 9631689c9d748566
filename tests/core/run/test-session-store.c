/* SPDX-License-Identifier: MIT
 *
 * Sessions that write into a store, and go on from it.  */
#include <signal.h>
#include <sys/resource.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/files/table.h"
#include "core/run/session/session.h"
#include "core/run/session/worker.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/store-place.h"
#include "tests/support/stored-steps.h"

static void
wait_for_state (SlSession *session, SlSessionState state)
{
  while (sl_session_state (session) != state || sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_idle (SlSession *session)
{
  while (g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_steps (SlSession *session, uint64_t steps)
{
  while (sl_session_info (session)->step < steps)
    g_main_context_iteration (NULL, TRUE);
}

/* Goes on to the limit. */
static void
finish (SlSession *session, uint64_t limit)
{
  sl_session_set_limit (session, limit);
  sl_session_run (session);
  while (sl_session_info (session)->step != limit || sl_session_state (session) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  wait_idle (session);
}

static char *
csv (SlSession *session)
{
  return sl_table_csv (sl_session_record (session), 0.0, HUGE_VAL);
}

/* A small network on painted points, with changes on the way. */
static void
make_recipe (SlRecipe *recipe)
{
  static const uint64_t steps[] = { 0, 90, 150, 150, 310 };
  const SlLab          *lab = sl_lab_find ("sign-estimator");
  unsigned   rate = (unsigned) sl_param_find (lab->params, lab->n_params, "learning-rate");
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].kind == SL_LIST && lab->params[p].each == NULL)
      settings.value[p] = (SlValue) { .n = 2, .v = { 12, 8 } };
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (recipe, lab, &settings, NULL, 5);
  g_strlcpy (recipe->data, "moons:points=300", sizeof recipe->data);
  recipe->changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  for (unsigned i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      SlChange change
        = { .step = steps[i], .param = rate, .value = { .n = 1, .v = { 0.01 / (i + 1) } } };

      g_array_append_val (recipe->changes, change);
    }
}

/* What the run looks like that nobody interrupted, with the changes made before an update. */
static char *
straight_with (uint64_t steps, uint64_t changed_before)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;
  guint      kept = 0;
  char      *text;

  make_recipe (&recipe);
  while (kept < recipe.changes->len
         && g_array_index (recipe.changes, SlChange, kept).step < changed_before)
    kept++;
  g_array_set_size (recipe.changes, kept);
  sl_session_set_limit (session, steps);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  text = csv (session);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
  return text;
}

static char *
straight (uint64_t steps)
{
  return straight_with (steps, UINT64_MAX);
}

/* A run that nobody changes by hand, in the file, with a stop after every so many updates. */
static void
make_stored (Place *place, uint64_t every, uint64_t steps, char uuid[SL_UUID])
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  for (uint64_t stop = every; stop <= steps; stop += every)
    {
      if (stop == every)
        sl_session_replay (session, &recipe, TRUE);
      finish (session, stop);
    }
  g_strlcpy (uuid, sl_session_uuid (session), SL_UUID);
  g_assert_finalize_object (session);
  sl_store_flush (place->store, NULL);
  sl_recipe_clear (&recipe);
}

static void
check_stored (Place *place, const char *uuid, const char *want)
{
  SlStoredRun run;
  GError     *error = NULL;
  char       *got;

  sl_store_flush (place->store, &error);
  g_assert_no_error (error);
  sl_store_load (place->store, uuid, FALSE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  got = sl_table_csv (&run.record, 0.0, HUGE_VAL);
  g_assert_cmpstr (got, ==, want);
  g_free (got);
  sl_stored_run_clear (&run);
}

static SlSession *
resume (Place *place, const char *uuid, uint64_t at, uint64_t limit)
{
  SlSession  *session = sl_session_new ();
  SlStoredRun run;
  GError     *error = NULL;

  sl_store_load (place->store, uuid, TRUE, at, &run, &error);
  g_assert_no_error (error);
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, limit);
  sl_session_resume (session, &run, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_no_error (sl_session_error (session));
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid);
  g_assert_cmpuint (sl_session_info (session)->step, ==, limit);
  return session;
}

/* Cut at any step, with changes before, at and behind it: the whole is the same to the bit, in the
 * session and in the file.  */
static void
test_resume (Place *place, gconstpointer unused)
{
  static const uint64_t cuts[] = { 1, 90, 150, 151, 400 };
  g_autofree char      *want = straight (600);

  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      SlSession       *session = sl_session_new ();
      SlRecipe         recipe;
      char             uuid[SL_UUID];
      g_autofree char *got = NULL;

      make_recipe (&recipe);
      sl_session_set_store (session, place->store);
      sl_session_set_limit (session, cuts[i]);
      sl_session_replay (session, &recipe, TRUE);
      wait_for_state (session, SL_FINISHED);
      wait_idle (session);
      g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
      g_assert_finalize_object (session);
      g_assert_finalize_object (place->store);
      open_store (place);

      /* What was still to come is no part of a run that ended; the changes are made again. */
      {
        SlStoredRun run;
        GError     *error = NULL;

        sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (run.checkpoint.step, ==, cuts[i]);
        g_clear_pointer (&run.recipe.changes, g_array_unref);
        run.recipe.changes = g_array_copy (recipe.changes);
        session = sl_session_new ();
        sl_session_set_store (session, place->store);
        sl_session_set_limit (session, 600);
        sl_session_resume (session, &run, TRUE);
        wait_for_state (session, SL_FINISHED);
        wait_idle (session);
        g_assert_no_error (sl_session_error (session));
      }
      got = csv (session);
      g_assert_cmpstr (got, ==, want);
      g_assert_finalize_object (session);
      check_stored (place, uuid, want);
      sl_recipe_clear (&recipe);
    }
}

/* From an older checkpoint: what lies behind is cut and made again, changes included. */
static void
test_cut_and_made_again (Place *place, gconstpointer unused)
{
  g_autofree char *want = straight (600), *got = NULL;
  SlSession       *session;
  GArray          *steps;
  char             uuid[SL_UUID];

  make_stored (place, 60, 600, uuid);
  steps = sl_stored_steps (place->store, uuid);
  g_assert_cmpuint (steps->len, ==, 8);
  for (guint i = steps->len; i-- > 0;)
    {
      uint64_t at = g_array_index (steps, guint64, i);

      session = resume (place, uuid, at, 600);
      got = csv (session);
      g_assert_cmpstr (got, ==, want);
      g_clear_pointer (&got, g_free);
      g_assert_finalize_object (session);
      check_stored (place, uuid, want);
    }
  g_array_unref (steps);
}

/* A run that is only looked at, from any of its checkpoints, stays as it is in the file; one more
 * update goes on from there.  */
static void
test_looked_at (Place *place, gconstpointer unused)
{
  g_autofree char *want = straight (200), *shorter = straight (101);
  SlSession       *session;
  char             uuid[SL_UUID];

  make_stored (place, 100, 200, uuid);
  for (int steps = 0; steps < 2; steps++)
    {
      SlStoredRun run;
      SlStoreRun *row;
      SlOutcome   outcome;

      sl_store_flush (place->store, NULL);
      g_assert_true (sl_store_load (place->store, uuid, TRUE, 100, &run, NULL));
      g_assert_cmpuint (run.checkpoint.step, ==, 100);
      session = sl_session_new ();
      sl_session_set_store (session, place->store);
      sl_session_resume (session, &run, FALSE);
      wait_for_state (session, SL_PAUSED);
      sl_session_score (session, SL_TEST);
      sl_session_keep_now (session);
      if (steps > 0)
        {
          sl_session_step (session);
          wait_for_steps (session, 101);
        }
      wait_idle (session);
      g_assert_finalize_object (session);
      check_stored (place, uuid, steps > 0 ? shorter : want);
      row = sl_store_find (place->store, uuid, NULL);
      g_assert_cmpint (row->status, ==, steps > 0 ? SL_RUN_PAUSED : SL_RUN_FINISHED);
      g_assert_cmpuint (row->step, ==, steps > 0 ? 101 : 200);
      /* What was measured at an earlier update is still that update's. */
      sl_store_run_outcome (row, &outcome);
      g_assert_true (isfinite (outcome.error) && !outcome.validation);
      g_assert_cmpfloat (outcome.at, ==, 100);
      sl_store_run_free (row);
    }
}

/* Opens a run again and lets it stand where it was. */
static SlSession *
reopen (Place *place, const char *uuid)
{
  SlSession  *session = sl_session_new ();
  SlStoredRun run;

  sl_store_flush (place->store, NULL);
  g_assert_true (sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, NULL));
  sl_session_set_store (session, place->store);
  sl_session_resume (session, &run, FALSE);
  wait_for_state (session, SL_PAUSED);
  wait_idle (session);
  g_assert_no_error (sl_session_error (session));
  return session;
}

static gboolean
has_checkpoint (SlSession *session, uint64_t step)
{
  unsigned        n;
  const uint64_t *at = sl_session_checkpoints (session, &n);

  for (unsigned i = 0; i < n; i++)
    if (at[i] == step)
      return TRUE;
  return FALSE;
}

/* A run that was opened again has the past that the file kept, and goes on from it bit for bit, as a run
 * of its own: the one that went further stays as it is.  */
static void
test_looked_back_at (Place *place, gconstpointer unused)
{
  g_autofree char *want = straight (600);
  SlSession       *session;
  char             uuid[SL_UUID], branch[SL_UUID];
  g_autoptr (GArray) steps = NULL;

  make_stored (place, 60, 600, uuid);
  steps = sl_stored_steps (place->store, uuid);
  g_assert_cmpuint (steps->len, ==, 8);

  /* Each time in a session that has made none of it, and has room for all of them but the first. */
  for (guint i = 1; i < steps->len - 1; i++)
    {
      uint64_t         at = g_array_index (steps, guint64, i);
      g_autofree char *seen = NULL, *on = NULL, *whole = straight_with (600, at);

      session = reopen (place, uuid);
      g_assert_true (has_checkpoint (session, 0));
      g_assert_true (has_checkpoint (session, at));
      g_assert_true (sl_session_visit (session, at));
      wait_idle (session);
      g_assert_true (sl_session_is_visiting (session));
      g_assert_cmpuint (sl_session_info (session)->step, ==, at);
      g_assert_cmpuint (sl_session_present (session), ==, 600);
      seen = csv (session);
      g_assert_cmpstr (seen, ==, want);
      check_stored (place, uuid, want);

      finish (session, 600);
      on = csv (session);
      g_assert_cmpstr (on, ==, whole);
      g_assert_cmpstr (sl_session_uuid (session), !=, uuid);
      g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
      g_strlcpy (branch, sl_session_uuid (session), sizeof branch);
      g_assert_finalize_object (session);
      check_stored (place, branch, whole);
      check_stored (place, uuid, want);
    }
}

/* A checkpoint with a change of its own step in it is one to go on from, but not one to look back
 * at: that change would be taken back with what came after.  */
static void
test_changed_at_checkpoint (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  SlRecipe         recipe;
  SlValue          value = { .n = 1, .v = { 0.004 } };
  char             uuid[SL_UUID];
  g_autofree char *want = NULL, *got = NULL;
  g_autoptr (GArray) steps = NULL;

  make_recipe (&recipe);
  sl_session_start (session, recipe.lab, &recipe.settings, "moons:points=300", 3, TRUE);
  finish (session, 100);
  g_assert_true (sl_session_set (session, "learning-rate", &value, NULL));
  wait_idle (session);
  sl_session_set_store (session, place->store);
  wait_idle (session);
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  g_assert_finalize_object (session);

  session = reopen (place, uuid);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 100);
  g_assert_false (has_checkpoint (session, 100));
  finish (session, 200);
  want = csv (session);
  g_assert_finalize_object (session);

  session = reopen (place, uuid);
  steps = sl_stored_steps (place->store, uuid);
  g_assert_cmpuint (g_array_index (steps, guint64, steps->len - 1), ==, 200);
  g_assert_false (has_checkpoint (session, 100));
  g_assert_true (sl_session_visit (session, 100));
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 0);
  finish (session, 100);
  g_assert_true (sl_session_set (session, "learning-rate", &value, NULL));
  wait_idle (session);
  finish (session, 200);
  got = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* Runs one after the other, some left on their way, some before their first update. */
static void
test_every_run (Place *place, gconstpointer unused)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSession   *session = sl_session_new ();
  SlRecipe     recipe;
  GPtrArray   *runs;

  make_recipe (&recipe);
  g_clear_pointer (&recipe.changes, g_array_unref);
  sl_session_set_store (session, place->store);
  for (unsigned i = 0; i < 6; i++)
    {
      unsigned generation = sl_session_generation (session);

      sl_session_start (session, lab, &recipe.settings, "moons:points=300", i, i % 3 != 2);
      while (sl_session_generation (session) == generation)
        g_main_context_iteration (NULL, TRUE);
      if (i % 3 != 2)
        wait_for_steps (session, 40);
    }
  sl_session_stop (session);
  g_assert_finalize_object (session);
  sl_store_flush (place->store, NULL);
  runs = sl_store_list (place->store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 4);
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = runs->pdata[i];

      g_assert_cmpint (run->status, ==, SL_RUN_PAUSED);
      g_assert_cmpuint (run->step, >=, 40);
      g_assert_cmpuint (run->seed, ==, i < 2 ? i : i + 1);

      /* Left before its first checkpoint, it begins again. */
      session = reopen (place, run->uuid);
      g_assert_cmpstr (sl_session_uuid (session), ==, run->uuid);
      finish (session, sl_session_info (session)->step + 40);
      g_assert_finalize_object (session);
    }
  g_ptr_array_unref (runs);
  sl_recipe_clear (&recipe);
}

/* Rewound and changed, rescued, scored: the file follows. */
static void
test_follows (Place *place, gconstpointer unused)
{
  const SlLab     *lab = sl_lab_find ("sign-estimator");
  SlSession       *session = sl_session_new ();
  SlRecipe         recipe;
  SlValue          value = { .n = 1, .v = { 0.001 } };
  SlStoreRun      *row;
  unsigned         n;
  g_autofree char *want = NULL;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, 200);
  sl_session_start (session, lab, &recipe.settings, "moons:points=300", 3, TRUE);
  wait_for_state (session, SL_FINISHED);
  g_assert_true (sl_session_set (session, "learning-rate", &value, NULL));
  finish (session, 500);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1);
  g_assert_true (sl_session_rescue (session, 100));
  wait_idle (session);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1); /* where it goes on */
  g_assert_nonnull (strstr (sl_english_text (sl_session_record (session)->flag[0].text), "from"));
  finish (session, 300);
  sl_session_score (session, SL_TEST);
  wait_idle (session);
  want = csv (session);
  check_stored (place, sl_session_uuid (session), want);
  row = sl_store_find (place->store, sl_session_uuid (session), NULL);
  g_assert_cmpint (row->status, ==, SL_RUN_FINISHED);
  g_assert_cmpuint (row->step, ==, 300);
  g_assert_true (row->resumable);
  for (n = 0; n < row->n_figures && !g_str_has_prefix (row->figure[n].name, "test."); n++)
    ;
  g_assert_cmpuint (n, <, row->n_figures);
  sl_store_run_free (row);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* Looking at the past changes nothing; going on from there takes back what came after. */
static void
test_visit (Place *place, gconstpointer unused)
{
  g_autofree char *want = straight (600), *got = NULL;
  SlSession       *session = sl_session_new ();
  const uint64_t  *steps;
  SlRecipe         recipe;
  unsigned         n;
  uint64_t         at;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  g_assert_false (sl_session_visit (session, 0));
  sl_session_replay (session, &recipe, TRUE);
  finish (session, 600);
  steps = sl_session_checkpoints (session, &n);
  g_assert_cmpuint (n, >=, 1);
  g_assert_cmpuint (steps[0], ==, 0);
  g_assert_true (sl_session_visit (session, 599));
  wait_idle (session);
  g_assert_true (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, steps[n - 1]);
  g_assert_cmpuint (sl_session_present (session), ==, 600);
  g_assert_true (sl_session_visit (session, 0));
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, ==, 0);
  got = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_clear_pointer (&got, g_free);

  /* There and back again, it goes on as if nothing had been. */
  g_assert_true (sl_session_visit (session, UINT64_MAX));
  wait_idle (session);
  g_assert_false (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, 600);
  finish (session, 700);
  g_free (want);
  want = straight (700);
  got = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_clear_pointer (&got, g_free);
  check_stored (place, sl_session_uuid (session), want);

  /* From the past, without the changes that came after. */
  g_assert_true (sl_session_visit (session, 0));
  wait_idle (session);
  at = sl_session_info (session)->step;
  g_assert_cmpuint (at, ==, 0);
  finish (session, 60);
  g_assert_false (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 1);
  got = csv (session);
  check_stored (place, sl_session_uuid (session), got);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* ---- what comes out of the worker, held back ---- */

static struct
{
  bool     back;
  double   waiting; /* of the queue */
  unsigned looks;
} held;

SlTaken __real_sl_worker_take (SlWorker *worker, SlSample *sample, SlEvent *event);
SlTaken __wrap_sl_worker_take (SlWorker *worker, SlSample *sample, SlEvent *event);

SlTaken
__wrap_sl_worker_take (SlWorker *worker, SlSample *sample, SlEvent *event)
{
  if (!held.back)
    return __real_sl_worker_take (worker, sample, event);
  held.waiting = sl_worker_waiting (worker);
  held.looks++;
  return SL_TOOK_NOTHING;
}

typedef struct
{
  const char *before;
  unsigned    times;
} Branch;

/* Said at once, and not when the next state comes. */
static void
check_branch (SlSession *session, Branch *branch)
{
  branch->times++;
  g_assert_cmpstr (sl_session_uuid (session), !=, branch->before);
  g_assert_false (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_info (session)->step, <=, 1);
  g_assert_cmpuint (sl_session_present (session), <=, 1);
}

/* Where a run goes on from its past it is another one, and stands there: both at once, however late the main
 * thread hears of it.  */
static void
test_stands_where_it_goes_on (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  g_autofree char *uuid = NULL;
  Branch           branch = { 0 };
  SlRecipe         recipe;
  unsigned         looks;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_replay (session, &recipe, TRUE);
  finish (session, 100);
  g_assert_true (sl_session_visit (session, 0));
  wait_idle (session);
  branch.before = uuid = g_strdup (sl_session_uuid (session));
  g_signal_connect (session, "restarted", G_CALLBACK (check_branch), &branch);

  held.back = true;
  held.waiting = 0.0;
  sl_session_step (session);
  while (!(held.waiting > 0.0))
    g_main_context_iteration (NULL, TRUE);
  looks = held.looks;
  while (held.looks == looks)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid);
  g_assert_true (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_present (session), ==, 100);

  held.back = false;
  wait_idle (session);
  g_assert_cmpuint (branch.times, ==, 1);
  g_assert_false (sl_session_is_visiting (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, 1);
  g_assert_cmpuint (sl_session_present (session), ==, 1);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* A run goes on from its past while another one is on the way: when the news come it is left already, and
 * stays as it was.  */
static void
test_left_while_it_goes_back (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  g_autofree char *uuid = NULL, *whole = NULL;
  unsigned         generation;
  SlRecipe         recipe, other;

  make_recipe (&recipe);
  make_recipe (&other);
  other.seed++;
  sl_session_set_store (session, place->store);
  sl_session_replay (session, &recipe, TRUE);
  finish (session, 100);
  uuid = g_strdup (sl_session_uuid (session));
  whole = csv (session);
  g_assert_true (sl_session_visit (session, 0));
  wait_idle (session);

  held.back = true;
  held.waiting = 0.0;
  generation = sl_session_generation (session);
  sl_session_step (session);
  while (!(held.waiting > 0.0))
    g_main_context_iteration (NULL, TRUE);
  sl_session_replay (session, &other, TRUE);
  while (sl_session_generation (session) == generation)
    g_main_context_iteration (NULL, TRUE);
  held.back = false;
  wait_idle (session);
  g_assert_cmpstr (sl_session_uuid (session), !=, uuid);
  check_stored (place, uuid, whole);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
  sl_recipe_clear (&other);
}

static const SlEdit *
undo_at (SlSession *session, guint i)
{
  const GArray *undo = sl_session_edits (session)->undo;

  g_assert_cmpuint (i, <, undo->len);
  return &g_array_index (undo, SlEdit, i);
}

/* A run goes on from its past, and before that is known a change begins another one: the run that has the past is what
 * the first of both leads back to.  */
static void
test_changed_while_it_goes_on (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  g_autofree char *uuid = NULL;
  unsigned         generation;
  guint            n;
  SlValue          hidden = { .n = 2, .v = { 12, 7 } };
  SlRecipe         recipe;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_replay (session, &recipe, TRUE);
  finish (session, 100);
  uuid = g_strdup (sl_session_uuid (session));
  g_assert_true (sl_session_visit (session, 0));
  wait_idle (session);

  held.back = true;
  held.waiting = 0.0;
  generation = sl_session_generation (session);
  sl_session_step (session);
  while (!(held.waiting > 0.0))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (sl_session_set (session, "hidden", &hidden, NULL));
  held.back = false;
  while (sl_session_generation (session) == generation)
    g_main_context_iteration (NULL, TRUE);
  wait_idle (session);
  n = sl_session_edits (session)->undo->len;
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpint (undo_at (session, n - 2)->kind, ==, SL_EDIT_BRANCH);
  g_assert_cmpstr (undo_at (session, n - 2)->run, ==, uuid);
  g_assert_cmpint (undo_at (session, n - 1)->kind, ==, SL_EDIT_VALUE);
  g_assert_cmpstr (undo_at (session, n - 1)->run, !=, uuid);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* ---- trainers of runs that were left ---- */

static gint made; /* trainers */

SlStatus __real_sl_trainer_new (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                                const SlDataset *dataset, uint64_t seed);
SlStatus __wrap_sl_trainer_new (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                                const SlDataset *dataset, uint64_t seed);

SlStatus
__wrap_sl_trainer_new (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                       const SlDataset *dataset, uint64_t seed)
{
  g_atomic_int_inc (&made);
  return __real_sl_trainer_new (trainer, lab, settings, dataset, seed);
}

/* Another lab is chosen, and the end of the run before is in the store. */
static void
leave_for (SlSession *session, const char *id)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (session));
  const SlLab     *lab = sl_lab_find (id);
  SlSettings       settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, NULL, 1, FALSE);
  while (sl_session_lab (session) != lab || sl_session_keeps_earlier (session, uuid))
    g_main_context_iteration (NULL, TRUE);
}

/* With the changes still to come; how many trainers were made for it. */
static gint
come_back (Place *place, SlSession *session, const char *uuid, const SlRecipe *recipe)
{
  gint        before = g_atomic_int_get (&made);
  SlStoredRun run;
  GError     *error = NULL;

  sl_store_flush (place->store, NULL);
  sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  g_clear_pointer (&run.recipe.changes, g_array_unref);
  run.recipe.changes = g_array_copy (recipe->changes);
  sl_session_resume (session, &run, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_assert_no_error (sl_session_error (session));
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid);
  return g_atomic_int_get (&made) - before;
}

/* A lab that is left keeps its trainer, which goes on with the run as a new one would, and has its past.
 * Another run of that lab needs another one.  */
static void
test_idle_trainer (Place *place, gconstpointer unused)
{
  g_autofree char *want = straight (600), *got = NULL, *uuid = NULL;
  SlSession       *session = sl_session_new ();
  char             other[SL_UUID];
  SlRecipe         recipe;

  make_stored (place, 60, 600, other);
  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_replay (session, &recipe, TRUE);
  finish (session, 100);
  uuid = g_strdup (sl_session_uuid (session));
  leave_for (session, "prefix-tree");
  sl_session_set_limit (session, 600);
  g_assert_cmpint (come_back (place, session, uuid, &recipe), ==, 0);
  got = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_assert_true (has_checkpoint (session, 0));

  leave_for (session, "prefix-tree");
  g_assert_cmpint (come_back (place, session, other, &recipe), ==, 0);
  leave_for (session, "prefix-tree");
  {
    SlSettings settings = recipe.settings;

    settings.value[sl_param_find (recipe.lab->params, recipe.lab->n_params, "hidden")]
      = (SlValue) { .n = 2, .v = { 9, 7 } };
    sl_settings_settle (&settings, recipe.lab->params, recipe.lab->n_params);
    sl_session_start (session, recipe.lab, &settings, "moons:points=300", 5, FALSE);
    wait_for_state (session, SL_PAUSED);
    g_assert_no_error (sl_session_error (session));
    finish (session, 10);
  }
  leave_for (session, "prefix-tree");
  sl_session_set_limit (session, 600);
  g_assert_cmpint (come_back (place, session, uuid, &recipe), ==, 1);
  g_clear_pointer (&got, g_free);
  got = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_assert_true (has_checkpoint (session, 0));
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* Makes an update of this lab at its default size.  Its run; free with g_free(). */
static char *
begin_lab (SlSession *session, const SlLab *lab)
{
  g_autofree char *left = g_strdup (sl_session_uuid (session));
  SlSettings       settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, sl_source_default_for (lab->data), 1, TRUE);
  while (sl_session_lab (session) != lab
         || (left != NULL && sl_session_keeps_earlier (session, left)))
    g_main_context_iteration (NULL, TRUE);
  finish (session, 1);
  return g_strdup (sl_session_uuid (session));
}

/* Whoever goes through all labs comes back to each of them without a wait. */
static void
test_idle_labs (Place *place, gconstpointer unused)
{
  SlSession *session = sl_session_new ();
  g_autoptr (GPtrArray) uuids = g_ptr_array_new_with_free_func (g_free);
  SlRecipe recipe = { .changes = g_array_new (FALSE, FALSE, sizeof (SlChange)) };

  sl_session_set_store (session, place->store);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    g_ptr_array_add (uuids, begin_lab (session, sl_labs[i]));
  for (guint i = 0; i < uuids->len; i++)
    g_assert_cmpint (come_back (place, session, g_ptr_array_index (uuids, i), &recipe), ==, 0);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* Data that could be read from a file and are not. */
static void
test_idle_pictures (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  g_autofree char *uuid = NULL;
  SlRecipe         recipe = { .lab = sl_lab_find ("style") };

  sl_settings_default (&recipe.settings, recipe.lab->params, recipe.lab->n_params);
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  sl_session_set_store (session, place->store);
  sl_session_start (session, recipe.lab, &recipe.settings, "pictures:content=hills,size=16", 1,
                    TRUE);
  finish (session, 2);
  uuid = g_strdup (sl_session_uuid (session));
  leave_for (session, "prefix-tree");
  g_assert_cmpint (come_back (place, session, uuid, &recipe), ==, 0);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

static double
rate_of (SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);

  return sl_session_settings (session)
    ->value[sl_param_find (lab->params, lab->n_params, "learning-rate")]
    .v[0];
}

static void
ask_rate (SlSession *session, double rate)
{
  SlValue value = { .n = 1, .v = { rate } };

  g_assert_true (sl_session_set (session, "learning-rate", &value, NULL));
}

static void
set_rate (SlSession *session, double rate)
{
  ask_rate (session, rate);
  wait_idle (session);
}

static void
test_undo (Place *place, gconstpointer unused)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;
  char       text[SL_CHANGE_MARKER_TEXT];
  double     first;

  make_recipe (&recipe);
  sl_session_start (session, recipe.lab, &recipe.settings, "moons:points=300", 3, TRUE);
  finish (session, 100);
  first = rate_of (session);
  g_assert_false (sl_session_can_undo (session));
  g_assert_false (sl_session_undo (session, FALSE, text));
  ask_rate (session, 0.004); /* waiting for it could take longer than a drag may rest */
  set_rate (session, 0.003); /* the same drag */
  g_assert_true (sl_session_can_undo (session));
  g_usleep (600000);
  set_rate (session, 0.002);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 2);

  g_assert_true (sl_session_undo (session, FALSE, text));
  wait_idle (session);
  g_assert_true (rate_of (session) == 0.003);
  g_assert_nonnull (strstr (sl_english_text (text), "0.002 → 0.003"));
  g_assert_true (sl_session_undo (session, FALSE, text));
  wait_idle (session);
  g_assert_true (rate_of (session) == first);
  g_assert_false (sl_session_can_undo (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, 100);
  g_assert_true (sl_session_redo (session, text));
  wait_idle (session);
  g_assert_true (rate_of (session) == 0.003);
  g_assert_true (sl_session_can_redo (session) && sl_session_can_undo (session));

  /* Another change forgets what could be made again. */
  finish (session, 200);
  set_rate (session, 0.001);
  g_assert_false (sl_session_can_redo (session));
  finish (session, 300);
  g_assert_true (sl_session_undo (session, TRUE, text));
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, <=, 200);
  g_assert_true (rate_of (session) != 0.001);

  /* One that needs new weights begins a new run, and so does taking it back. */
  {
    const SlLab *lab = recipe.lab;
    unsigned     hidden = (unsigned) sl_param_find (lab->params, lab->n_params, "hidden");
    SlValue      value = { .n = 2, .v = { 10, 6 } };

    g_assert_true (sl_session_set (session, "hidden", &value, NULL));
    while (sl_session_is_loading (session))
      g_main_context_iteration (NULL, TRUE);
    g_assert_true (sl_session_undo (session, FALSE, text));
    while (sl_session_is_loading (session))
      g_main_context_iteration (NULL, TRUE);
    g_assert_true (sl_session_settings (session)->value[hidden].v[0] == 12.0);
    g_assert_true (sl_session_redo (session, text));
    while (sl_session_is_loading (session))
      g_main_context_iteration (NULL, TRUE);
    g_assert_true (sl_session_settings (session)->value[hidden].v[0] == 10.0);
  }
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* A checkpoint from a time when the parameter had its value once before: back there, it gets the one
 * that the undoing is about.  */
static void
test_undo_twice (Place *place, gconstpointer unused)
{
  SlSession      *session = sl_session_new ();
  SlRecipe        recipe;
  char            text[SL_CHANGE_MARKER_TEXT];
  const uint64_t *checkpoint;
  unsigned        n;
  uint64_t        to = 100;
  double          first;

  make_recipe (&recipe);
  sl_session_start (session, recipe.lab, &recipe.settings, "moons:points=300", 3, TRUE);
  finish (session, to);
  first = rate_of (session);
  set_rate (session, 0.004);
  do
    {
      to += 100;
      finish (session, to);
      checkpoint = sl_session_checkpoints (session, &n);
    }
  while (n == 0 || checkpoint[n - 1] <= 100);
  g_assert_true (sl_session_undo (session, FALSE, text));
  wait_idle (session);
  g_assert_true (rate_of (session) == first);
  g_assert_true (sl_session_redo (session, text));
  wait_idle (session);
  g_assert_true (rate_of (session) == 0.004);

  g_assert_true (sl_session_undo (session, TRUE, text));
  wait_idle (session);
  g_assert_cmpuint (sl_session_info (session)->step, >, 100);
  g_assert_true (rate_of (session) == first);
  g_assert_true (sl_session_can_redo (session));
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* A trainer that is far ahead of what the window has heard goes back to before the change all the
 * same, and makes what a run without the change makes.  */
static void
test_undo_behind (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  SlRecipe         recipe;
  char             text[SL_CHANGE_MARKER_TEXT];
  const uint64_t  *checkpoint;
  unsigned         n;
  uint64_t         changed, end;
  double           first;
  g_autofree char *got = NULL, *want = NULL;

  make_recipe (&recipe);
  sl_session_start (session, recipe.lab, &recipe.settings, "moons:points=300", 3, TRUE);
  wait_for_steps (session, 50);
  first = rate_of (session);
  ask_rate (session, 0.004);
  while (sl_session_record (session)->n_flags == 0)
    g_main_context_iteration (NULL, TRUE);
  changed = sl_session_info (session)->step;
  do
    {
      g_main_context_iteration (NULL, TRUE);
      checkpoint = sl_session_checkpoints (session, &n);
    }
  while (checkpoint[n - 1] <= changed);
  g_usleep (300000); /* events wait in the queue */
  g_assert_true (sl_session_undo (session, TRUE, text));
  while (sl_session_record (session)->n_flags > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (rate_of (session) == first);
  sl_session_pause (session);
  wait_idle (session);
  end = sl_session_info (session)->step + 10;
  finish (session, end);
  g_assert_cmpuint (sl_session_record (session)->n_flags, ==, 0);
  got = csv (session);
  g_assert_finalize_object (session);

  session = sl_session_new ();
  sl_session_set_limit (session, end);
  sl_session_start (session, recipe.lab, &recipe.settings, "moons:points=300", 3, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  want = csv (session);
  g_assert_cmpstr (got, ==, want);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* No room on the disk: the session goes on in memory, and once there is, the run is whole. */
static void
test_trouble (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  struct rlimit    limit, less;
  SlRecipe         recipe;
  g_autofree char *want = NULL;
  char             uuid[SL_UUID];

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, 300);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_state (session, SL_FINISHED);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  less = limit;
  less.rlim_cur = 4096;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &less), ==, 0);
  finish (session, 900);
  g_assert_false (sl_store_flush (place->store, NULL));
  g_assert_cmpuint (sl_session_info (session)->step, ==, 900);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);

  sl_store_retry (place->store);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  wait_idle (session);
  want = csv (session);
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  check_stored (place, uuid, want);
  g_assert_finalize_object (session);
  session = resume (place, uuid, UINT64_MAX, 1000);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

/* Other data under the same name are not gone on with. */
static void
test_other_data (Place *place, gconstpointer unused)
{
  SlSession  *session = sl_session_new ();
  SlRecipe    recipe;
  SlStoredRun run;

  make_recipe (&recipe);
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, 10);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_state (session, SL_FINISHED);
  sl_store_flush (place->store, NULL);
  g_assert_true (
    sl_store_load (place->store, sl_session_uuid (session), TRUE, UINT64_MAX, &run, NULL));
  run.recipe.data_hash ^= 1;
  sl_session_resume (session, &run, TRUE);
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (sl_session_error (session), SL_ERROR, SL_EFORMAT);
  g_assert_finalize_object (session);
  sl_recipe_clear (&recipe);
}

#define ADD(name, test) g_test_add (name, Place, NULL, set_up_place, test, tear_down_place)

/* ---- the run before ---- */

static void
set_hidden (SlSession *session, double width)
{
  GError *error = NULL;

  sl_session_set (session, "hidden", &(SlValue) { .n = 2, .v = { width, 8 } }, &error);
  g_assert_no_error (error);
}

static void
wait_for_run_after (SlSession *session, unsigned generation)
{
  while (sl_session_generation (session) == generation)
    g_main_context_iteration (NULL, TRUE);
}

static void
go_back_to (SlSession *session, SlStore *store, const char *uuid)
{
  SlStoredRun run;
  GError     *error = NULL;
  unsigned    generation = sl_session_generation (session);

  g_assert_nonnull (uuid);
  sl_store_flush (store, NULL);
  sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  sl_session_resume (session, &run, FALSE);
  sl_stored_run_clear (&run);
  wait_for_run_after (session, generation);
  wait_for_state (session, SL_PAUSED);
  wait_idle (session);
}

static void
wait_for_undo (SlSession *session)
{
  while (!sl_session_can_undo (session))
    g_main_context_iteration (NULL, TRUE);
  if (sl_session_undo_run (session) != NULL)
    g_assert_false (sl_session_keeps_earlier (session, sl_session_undo_run (session)));
}

/* The last look may have been in the middle of the samples of an update. */
static void
drop_last_line (char *text)
{
  g_strchomp (text);
  strrchr (text, '\n')[1] = '\0';
}

/* A change that begins another run leaves the one before as it was, in the middle of training, and
 * taking it back leads there; making it again leads to the other one.  */
static void
test_run_before (Place *place, gconstpointer unused)
{
  SlSession       *session = sl_session_new ();
  SlRecipe         recipe;
  SlRecord         record;
  g_autofree char *whole = NULL, *before = NULL, *second = NULL, *text = NULL;
  uint64_t         left, after;
  unsigned         generation;

  sl_session_set_store (session, place->store);
  make_recipe (&recipe);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_steps (session, 200);
  generation = sl_session_generation (session);
  g_assert_null (sl_session_undo_run (session));
  set_hidden (session, 10);
  wait_for_run_after (session, generation);
  g_assert_true (sl_session_take_before (session, &record));
  g_assert_false (sl_session_take_before (session, &record));
  before = sl_table_csv (&record, 0.0, HUGE_VAL);
  drop_last_line (before);
  sl_record_clear (&record);
  wait_for_steps (session, 50);
  sl_session_pause (session);
  wait_for_state (session, SL_PAUSED);
  wait_idle (session);
  after = sl_session_info (session)->step;
  second = csv (session);

  wait_for_undo (session);
  go_back_to (session, place->store, sl_session_undo_run (session));
  left = sl_session_info (session)->step;
  g_assert_cmpuint (left, >=, 200);
  text = csv (session);
  g_assert_true (g_str_has_prefix (text, before)); /* what came after the last look is there, too */
  g_clear_pointer (&text, g_free);

  g_assert_true (sl_session_can_redo (session));
  go_back_to (session, place->store, sl_session_redo_run (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, after);
  text = csv (session);
  g_assert_cmpstr (text, ==, second);
  g_clear_pointer (&text, g_free);

  wait_for_undo (session);
  go_back_to (session, place->store, sl_session_undo_run (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, left);
  finish (session, left + 100);
  text = csv (session);
  whole = straight_with (left + 100, left);
  g_assert_cmpstr (text, ==, whole);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
}

/* So does another seed. */
static void
test_seed_before (Place *place, gconstpointer unused)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;
  unsigned   generation;
  uint64_t   left;
  char       uuid[SL_UUID];

  sl_session_set_store (session, place->store);
  make_recipe (&recipe);
  sl_session_set_limit (session, 70);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  left = sl_session_info (session)->step;
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  generation = sl_session_generation (session);
  sl_session_start (session, recipe.lab, &recipe.settings, NULL, 6, FALSE);
  wait_for_run_after (session, generation);
  wait_for_undo (session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  g_assert_false (sl_session_undo (session, FALSE, (char[SL_CHANGE_MARKER_TEXT]) { 0 }));
  go_back_to (session, place->store, sl_session_undo_run (session));
  g_assert_cmpuint (sl_session_info (session)->step, ==, left);
  g_assert_cmpuint (sl_session_seed (session), ==, 5);
  g_assert_null (sl_session_redo_run (session)); /* that one had made no update */
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
}

/* A parameter changed while a run of another seed is being made leads back to the run that both ended. */
static void
test_hurry (Place *place, gconstpointer unused)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;
  unsigned   generation;
  char       uuid[SL_UUID];

  sl_session_set_store (session, place->store);
  make_recipe (&recipe);
  sl_session_set_limit (session, 70);
  sl_session_replay (session, &recipe, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  generation = sl_session_generation (session);
  sl_session_start (session, recipe.lab, &recipe.settings, NULL, 6, FALSE);
  g_assert_true (sl_session_is_loading (session));
  set_hidden (session, 10);
  wait_for_run_after (session, generation);
  wait_for_undo (session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  go_back_to (session, place->store, sl_session_undo_run (session));
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid);

  /* And the other way round. */
  generation = sl_session_generation (session);
  set_hidden (session, 9);
  sl_session_start (session, recipe.lab, &recipe.settings, NULL, 8, FALSE);
  wait_for_run_after (session, generation);
  wait_for_undo (session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
}

/* Changes that can be taken back of a run, by the file. */
static unsigned
count_stored_edits (Place *place, const char *uuid)
{
  SlStoredRun run;
  GError     *error = NULL;
  unsigned    n;

  sl_store_flush (place->store, NULL);
  sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  n = run.edits.undo != NULL ? run.edits.undo->len : 0;
  sl_stored_run_clear (&run);
  return n;
}

/* Making a change again that ended a run, and had no update after it, is not in the file before it is
 * done: a program that ends in between would come back with a change that never was.  */
static void
test_half_redone (Place *place, gconstpointer unused)
{
  SlSession *session = sl_session_new ();
  SlRecipe   recipe;
  unsigned   generation, before;
  char       uuid[SL_UUID], text[SL_CHANGE_MARKER_TEXT];

  sl_session_set_store (session, place->store);
  make_recipe (&recipe);
  sl_session_set_limit (session, 70);
  sl_session_replay (session, &recipe, FALSE);
  wait_for_state (session, SL_PAUSED);
  finish (session, 70);
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  generation = sl_session_generation (session);
  set_hidden (session, 10);
  wait_for_run_after (session, generation);
  wait_for_undo (session);
  go_back_to (session, place->store, sl_session_undo_run (session));
  g_assert_true (sl_session_can_redo (session));
  generation = sl_session_generation (session);
  before = count_stored_edits (place, uuid);
  g_assert_true (sl_session_redo (session, text));
  g_assert_true (sl_session_is_loading (session));
  g_assert_cmpuint (count_stored_edits (place, uuid), ==, before);
  wait_for_run_after (session, generation);
  wait_for_undo (session);
  g_assert_cmpstr (sl_session_undo_run (session), ==, uuid);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (session);
}

static void
set_number (SlSession *session, const char *id, double number)
{
  GError *error = NULL;

  sl_session_set (session, id, &(SlValue) { .n = 1, .v = { number } }, &error);
  g_assert_no_error (error);
}

/* A change that the lab refuses ended no run: there is nothing to take back or to make again. */
static void
test_refused_change (Place *place, gconstpointer unused)
{
  SlSession   *session = sl_session_new ();
  const SlLab *lab = sl_lab_find ("prefix-tree");
  int          credit = sl_param_find (lab->params, lab->n_params, "credit");
  SlSettings   settings;
  char         uuid[SL_UUID];
  SlStatus     status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_param_parse (&lab->params[credit], "tanh", &settings.value[credit]);
  g_assert_true (sl_ok (&status));
  sl_session_set_store (session, place->store);
  sl_session_set_limit (session, 3);
  sl_session_start (session, lab, &settings, "moons", 5, TRUE);
  wait_for_state (session, SL_FINISHED);
  wait_idle (session);
  g_strlcpy (uuid, sl_session_uuid (session), sizeof uuid);
  set_number (session, "bits", 1);
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (sl_session_error (session));
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid);
  g_assert_false (sl_session_can_undo (session));
  g_assert_false (sl_session_can_redo (session));
  g_assert_cmpuint (count_stored_edits (place, uuid), ==, 0);

  /* A live change that was made meanwhile is one of the run that stays. */
  set_number (session, "bits", 1);
  g_assert_true (sl_session_is_loading (session));
  set_number (session, "learning-rate", 0.0625);
  while (sl_session_is_loading (session) || !sl_session_can_undo (session))
    g_main_context_iteration (NULL, TRUE);
  wait_idle (session);
  g_assert_cmpuint (sl_session_edits (session)->undo->len, ==, 1);
  g_assert_false (g_array_index (sl_session_edits (session)->undo, SlEdit, 0).ended);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/session-store/resume", test_resume);
  ADD ("/session-store/cut-and-made-again", test_cut_and_made_again);
  ADD ("/session-store/looked-at", test_looked_at);
  ADD ("/session-store/looked-back-at", test_looked_back_at);
  ADD ("/session-store/changed-at-checkpoint", test_changed_at_checkpoint);
  ADD ("/session-store/every-run", test_every_run);
  ADD ("/session-store/follows", test_follows);
  ADD ("/session-store/visit", test_visit);
  ADD ("/session-store/stands-where-it-goes-on", test_stands_where_it_goes_on);
  ADD ("/session-store/left-while-it-goes-back", test_left_while_it_goes_back);
  ADD ("/session-store/changed-while-it-goes-on", test_changed_while_it_goes_on);
  ADD ("/session-store/idle-trainer", test_idle_trainer);
  ADD ("/session-store/idle-labs", test_idle_labs);
  ADD ("/session-store/idle-pictures", test_idle_pictures);
  ADD ("/session-store/undo", test_undo);
  ADD ("/session-store/undo-twice", test_undo_twice);
  ADD ("/session-store/undo-behind", test_undo_behind);
  ADD ("/session-store/trouble", test_trouble);
  ADD ("/session-store/other-data", test_other_data);
  g_test_add ("/session-store/run-before", Place, NULL, set_up_place, test_run_before,
              tear_down_place);
  g_test_add ("/session-store/seed-before", Place, NULL, set_up_place, test_seed_before,
              tear_down_place);
  g_test_add ("/session-store/hurry", Place, NULL, set_up_place, test_hurry, tear_down_place);
  ADD ("/session-store/half-redone", test_half_redone);
  ADD ("/session-store/refused-change", test_refused_change);
  return g_test_run ();
}
