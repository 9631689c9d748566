/* SPDX-License-Identifier: MIT
 *
 * A session that is left while its thread is at an update which does not end.  */
#include <math.h>
#include <pthread.h>

#include "core/labs/registry.h"
#include "core/run/files/table.h"
#include "core/run/session/session.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

enum {
  SLOW_US = 300000, /* slow enough for a spare state */
  STUCK_AT = 3,     /* updates before the one that does not end */
  END_AT = 8,
};

/* Of the lab below, whose updates are as slow as this says and which stops in one of them. */
static struct
{
  pthread_mutex_t mutex;
  pthread_cond_t  changed;
  unsigned        begun;
  gboolean        set, released; /* the first change was sent; the update that does not end may */
} gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, FALSE, FALSE };

static SlLab slow;

static SlStatus
slow_step (SlLabState *state, SlSink *sink)
{
  g_usleep (SLOW_US);
  pthread_mutex_lock (&gate.mutex);
  gate.begun++;
  pthread_cond_broadcast (&gate.changed);
  while ((gate.begun == STUCK_AT && !gate.set) || (gate.begun > STUCK_AT && !gate.released))
    pthread_cond_wait (&gate.changed, &gate.mutex);
  pthread_mutex_unlock (&gate.mutex);
  return sl_lab_find ("sign-estimator")->step (state, sink);
}

static void
wait_until_stuck (void)
{
  pthread_mutex_lock (&gate.mutex);
  while (gate.begun <= STUCK_AT)
    pthread_cond_wait (&gate.changed, &gate.mutex);
  pthread_mutex_unlock (&gate.mutex);
}

static void
let_go_on (gboolean *what)
{
  pthread_mutex_lock (&gate.mutex);
  *what = TRUE;
  pthread_cond_broadcast (&gate.changed);
  pthread_mutex_unlock (&gate.mutex);
}

static void
set_rate (SlSession *session, double rate)
{
  SlValue value = { .n = 1, .v = { rate } };
  GError *error = NULL;

  sl_session_set (session, "learning-rate", &value, &error);
  g_assert_no_error (error);
}

static double
rate_of (SlSession *session)
{
  const SlLab *lab = sl_session_lab (session);

  return sl_session_settings (session)
    ->value[sl_param_find (lab->params, lab->n_params, "learning-rate")]
    .v[0];
}

/* Changes the rate before the third update ends and while the one that does not end goes on. */
static SlSession *
begin_slow (SlStore *store)
{
  SlSession *session = sl_session_new ();
  SlSettings settings;

  slow = *sl_lab_find ("sign-estimator");
  slow.step = slow_step;
  slow.clock = NULL; /* times an update too, which is not to be counted as one of the run */
  sl_settings_default (&settings, slow.params, slow.n_params);
  sl_session_set_store (session, store);
  sl_session_start (session, &slow, &settings, "moons:points=300", 5, TRUE);
  while (sl_session_info (session)->step < 2)
    g_main_context_iteration (NULL, TRUE);
  set_rate (session, 0.07);
  let_go_on (&gate.set);
  wait_until_stuck ();
  set_rate (session, 0.03);
  return session;
}

static void
run_to_end (SlSession *session)
{
  while (sl_session_info (session)->step != END_AT || sl_session_state (session) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (sl_session_error (session));
}

/* Goes on to the end with what the store has. */
static char *
gone_on (SlStore *store, const char *uuid, SlRecipe *recipe)
{
  SlSession  *session = sl_session_new ();
  SlStoredRun run;
  GError     *error = NULL;
  char       *text;

  sl_store_load (store, uuid, TRUE, UINT64_MAX, &run, &error);
  g_assert_no_error (error);
  /* A copy that took long, of a busy machine, is the newest for some updates. */
  g_assert_cmpuint (run.checkpoint.step, >, 0);
  g_assert_cmpuint (run.checkpoint.step, <=, STUCK_AT);
  *recipe = run.recipe;
  recipe->changes = g_array_copy (run.recipe.changes);
  g_assert_cmpuint (recipe->changes->len, ==, 2);
  sl_session_set_store (session, store);
  sl_session_set_limit (session, END_AT);
  sl_session_resume (session, &run, TRUE);
  run_to_end (session);
  g_assert_cmpfloat (rate_of (session), ==, 0.03);
  text = sl_table_csv (sl_session_record (session), 0.0, HUGE_VAL);
  g_assert_finalize_object (session);
  return text;
}

static char *
straight (const SlRecipe *recipe)
{
  SlSession *session = sl_session_new ();
  char      *text;

  sl_session_set_limit (session, END_AT);
  sl_session_replay (session, recipe, TRUE);
  run_to_end (session);
  text = sl_table_csv (sl_session_record (session), 0.0, HUGE_VAL);
  g_assert_finalize_object (session);
  return text;
}

/* What is stored is a state before that update, and what was set in it; the run that goes on is the
 * same, to the bit, as one that nobody left.  */
static void
test_slow (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-leave-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  SlStore         *store = sl_store_open (path, NULL);
  SlSession       *session = begin_slow (store);
  SlRecipe         recipe;
  g_autofree char *uuid = g_strdup (sl_session_uuid (session)), *got = NULL, *want = NULL;

  sl_session_leave (session, 0);
  g_assert_cmpstr (sl_session_uuid (session), ==, uuid); /* until the very end */
  g_object_unref (session);
  g_assert_cmpuint (sl_session_close_left (), ==, 1);
  g_assert_finalize_object (store);

  store = sl_store_open (path, NULL);
  let_go_on (&gate.released);
  while (sl_session_close_left () > 0)
    g_main_context_iteration (NULL, TRUE);
  got = gone_on (store, uuid, &recipe);
  want = straight (&recipe);
  g_assert_cmpstr (got, ==, want);
  sl_recipe_clear (&recipe);
  g_assert_finalize_object (store);
  sl_remove_all (folder);
}

/* One that is idle has ended by then. */
static void
test_idle (void)
{
  SlSession *session = sl_session_new ();

  sl_session_leave (session, 0);
  g_assert_cmpuint (sl_session_close_left (), ==, 0);
  g_assert_finalize_object (session);
}

/* A run that is still being loaded begins no more, however long the session stays. */
static void
test_loading (void)
{
  SlSession   *session = sl_session_new ();
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, "moons:points=300", 5, TRUE);
  sl_session_ask_to_stop (session);
  while (g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
  while (!sl_session_has_stopped (session))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (sl_session_generation (session), ==, 0);
  sl_session_stop (session);

  sl_session_start (session, lab, &settings, "moons:points=300", 5, FALSE);
  while (sl_session_generation (session) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/leave/slow", test_slow);
  g_test_add_func ("/leave/idle", test_idle);
  g_test_add_func ("/leave/loading", test_loading);
  return g_test_run ();
}
