/* SPDX-License-Identifier: MIT
 *
 * Runs of labs that go on training while another lab is shown, as the preferences have it.  */
#include "core/run/store/workspace.h"
#include "tests/ui/fixture.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "12-8", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  g_object_set (f->prefs, "labs-train-unseen", GPOINTER_TO_INT (data), NULL);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_window_restore (f->window, NULL, FALSE, FALSE);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

static void
tear_down (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "labs-train-unseen", FALSE, NULL);
  sl_fixture_end (f, data);
}

/* Shows a lab, whose run is then there; the update that the one before was left at. */
static uint64_t
go_to (SlFixture *f, const char *lab)
{
  unsigned generation = sl_session_generation (f->session);
  uint64_t step = sl_session_info (f->session)->step;

  sl_act (f, "lab", g_variant_new_string (lab));
  sl_wait_for_run (f->session, generation);
  return step;
}

/* A run in the store, and an update. */
typedef struct
{
  SlStore    *store;
  const char *uuid;
  uint64_t    step;
} Stored;

static uint64_t
stored_step (const Stored *stored)
{
  SlStoreRun *run;
  uint64_t    step;

  sl_store_flush (stored->store, NULL);
  run = sl_store_find (stored->store, stored->uuid, NULL);
  step = run != NULL ? run->step : 0;
  sl_store_run_free (run);
  return step;
}

static gboolean
is_further (gpointer data)
{
  const Stored *stored = data;

  return stored_step (stored) > stored->step;
}

/* An unseen session, and whether its thread was through when it went. */
typedef struct
{
  SlSession *session;
  guint      gone, stopped;
} Unseen;

static void
take_one (SlSession *session, gpointer data)
{
  ((Unseen *) data)->session = session;
}

static void
on_gone (gpointer data, GObject *session)
{
  Unseen *unseen = data;

  unseen->gone++;
  unseen->stopped += sl_session_has_stopped ((SlSession *) session);
}

static gboolean
is_unseen_running (gpointer data)
{
  SlFixture *f = data;
  Unseen     unseen = { 0 };

  sl_stage_each_unseen (sl_window_stage (f->window), take_one, &unseen);
  return unseen.session != NULL && sl_session_state (unseen.session) == SL_RUNNING
         && !sl_session_is_loading (unseen.session);
}

static void
test_goes_on (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  Stored           run = { f->store, uuid, 0 };

  go_to (f, "prefix-tree");
  sl_wait (is_unseen_running, f);
  run.step = stored_step (&run) + 50;
  sl_wait (is_further, &run);
  sl_wait (sl_is_running, f->session);
  run.step = stored_step (&run);

  go_to (f, "sign-estimator");
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  g_assert_cmpuint (sl_session_info (f->session)->step, >=, run.step);
  sl_wait (sl_is_running, f->session);

  /* One that is paused stays so. */
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  run.step = go_to (f, "prefix-tree");
  sl_wait (sl_is_running, f->session);
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 20);
  go_to (f, "sign-estimator");
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, run.step);
}

static gboolean
is_none_unseen (gpointer data)
{
  SlFixture *f = data;
  Unseen     unseen = { 0 };

  sl_stage_each_unseen (sl_window_stage (f->window), take_one, &unseen);
  return unseen.session == NULL;
}

/* However long an update takes: the window does not wait for the end of one when it takes a run back. */
static void
test_slow (SlFixture *f, gconstpointer data)
{
  static const char *const wide_net[] = { "hidden", "1500-1500-1500", "optimiser", "sgd", NULL };
  Unseen                   unseen = { 0 };
  g_autofree char         *uuid = NULL;

  sl_fixture_start (f, "sign-estimator", wide_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
  sl_wait_for_step (f->session, 1);
  uuid = g_strdup (sl_session_uuid (f->session));
  go_to (f, "prefix-tree");
  sl_wait (is_unseen_running, f);
  sl_stage_each_unseen (sl_window_stage (f->window), take_one, &unseen);
  g_object_weak_ref (G_OBJECT (unseen.session), on_gone, &unseen);
  go_to (f, "sign-estimator");
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  g_assert_cmpuint (unseen.gone, ==, 1);
  g_assert_cmpuint (unseen.stopped, ==, 1);
}

static void
test_pauses (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  Stored           run = { f->store, uuid, 0 };

  go_to (f, "prefix-tree");
  sl_wait_for_step (f->session, 20);
  run.step = stored_step (&run);
  sl_wait_for_step (f->session, 40);
  g_assert_false (is_further (&run));
}

/* What trained unseen does so again in the next window; and rests when the preference goes. */
static void
test_next_window (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session)), *text = NULL;
  Stored           run = { f->store, uuid, 0 };

  run.step = go_to (f, "prefix-tree");
  sl_wait (is_further, &run);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->session);
  run.step = stored_step (&run);
  text = sl_store_workspace (f->store);
  f->session = sl_session_new ();
  sl_session_set_store (f->session, f->store);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  g_assert_true (sl_window_restore (f->window, text, TRUE, FALSE));
  sl_wait (is_further, &run);

  g_object_set (f->prefs, "labs-train-unseen", FALSE, NULL);
  sl_wait (is_none_unseen, f);
  sl_wait (sl_is_running, f->session);
  run.step = stored_step (&run);
  sl_wait_for_step (f->session, sl_session_info (f->session)->step + 20);
  g_assert_false (is_further (&run));
}

#define ADD(name, unseen, test)                                                                    \
  g_test_add (name, SlFixture, GINT_TO_POINTER (unseen), set_up, test, tear_down)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("/unseen/goes-on", TRUE, test_goes_on);
  ADD ("/unseen/slow", TRUE, test_slow);
  ADD ("/unseen/pauses", FALSE, test_pauses);
  ADD ("/unseen/next-window", TRUE, test_next_window);
  return g_test_run ();
}
