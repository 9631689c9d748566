/* SPDX-License-Identifier: MIT
 *
 * The window and its runs on disk: saving, opening, going on, undo, the timeline, and a store that
 * cannot be written.  */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/change-checkpoint.h"
#include "tests/support/stored-steps.h"
#include "tests/ui/fixture.h"
#include "ui/form/row.h"
#include "ui/form/sidebar.h"
#include "ui/kit/banner.h"
#include "ui/status/timeline.h"

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const small_net[] = { "hidden", "12-8", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->path = g_build_filename (f->folder, "saved.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "sign-estimator", small_net, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

/* What was saved opens as it was, beside the run that went further meanwhile. */
static void
test_save_and_open (SlFixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = NULL;
  unsigned generation = sl_session_generation (f->session);
  uint64_t step;

  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  step = sl_session_info (f->session)->step;
  sl_act (f, "save-to", g_variant_new_string (f->path));
  sl_wait (exists, f->path);
  g_assert_true (sl_store_is_store (f->path));
  sl_act (f, "run", NULL);
  sl_wait (sl_is_running, f->session);
  sl_wait_for_step (f->session, step + 100);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_store_flush (f->store, NULL);

  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, >=, step);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  sl_store_flush (f->store, NULL);
  runs = sl_store_list (f->store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 2);
}

static void
test_resume (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  unsigned         generation = sl_session_generation (f->session);

  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
  sl_store_flush (f->store, NULL);
  generation = sl_session_generation (f->session);
  sl_window_resume (f->window, uuid, TRUE);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
}

static gboolean
has_two_flags (gpointer session)
{
  return sl_session_record (session)->n_flags == 2;
}

typedef struct
{
  SlFixture *fixture;
  double     rate;
} Rate;

static gboolean
is_at_rate (gpointer data)
{
  const Rate *wanted = data;

  return sl_value (wanted->fixture, "learning-rate")->v[0] == wanted->rate;
}

static void
test_undo (SlFixture *f, gconstpointer data)
{
  double first = sl_value (f, "learning-rate")->v[0];

  sl_settle ();
  g_assert_false (sl_can (f, "undo"));
  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, f->session);
  sl_act (f, "undo", NULL);
  sl_wait (has_two_flags, f->session);
  g_assert_true (sl_value (f, "learning-rate")->v[0] == first);
  sl_act (f, "redo", NULL);
  sl_wait (is_at_rate, &(Rate) { f, 0.004 });
  sl_act (f, "undo-rewind", NULL);
  sl_wait (is_at_rate, &(Rate) { f, first });
}

static gboolean
can_undo (gpointer fixture)
{
  return sl_can (fixture, "undo");
}

/* In a field of the form the key drops what is typed, then takes back the last change. */
static void
test_undo_in_field (SlFixture *f, gconstpointer data)
{
  double           first = sl_value (f, "learning-rate")->v[0];
  GtkEditable     *field = GTK_EDITABLE (sl_control (sl_row (f, "learning-rate")));
  GtkWidget       *text = sl_find (GTK_WIDGET (field), GTK_TYPE_TEXT);
  g_autofree char *before = NULL;

  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, f->session);
  g_assert_true (gtk_widget_grab_focus (text));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (f->window)) == text);
  before = g_strdup (gtk_editable_get_text (field));
  gtk_editable_set_text (field, "0.00");
  sl_wait (can_undo, f);
  sl_act (f, "undo", NULL);
  g_assert_cmpstr (gtk_editable_get_text (field), ==, before);
  g_assert_true (sl_value (f, "learning-rate")->v[0] == 0.004);
  sl_act (f, "undo", NULL);
  sl_wait (is_at_rate, &(Rate) { f, first });
  sl_settle ();
  g_assert_cmpstr (gtk_editable_get_text (field), !=, before);
  g_assert_cmpstr (gtk_editable_get_text (field), !=, "");
}

static gboolean
can_redo (gpointer fixture)
{
  return sl_can (fixture, "redo");
}

/* A parameter that begins another run: the run before stays behind it as curves, one button leads back
 * to it, and so does the key.  */
static void
test_run_before (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  unsigned         generation = sl_session_generation (f->session);
  double           hidden = sl_value (f, "hidden")->v[0];
  uint64_t         left;

  sl_wait_for_step (f->session, 60);
  sl_act (f, "set", g_variant_new ("(ss)", "hidden", "9-7"));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_undo_run (f->session), ==, uuid);
  sl_wait_for_step (f->session, 20);
  generation = sl_session_generation (f->session);
  sl_act (f, "undo", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  left = sl_session_info (f->session)->step;
  g_assert_cmpuint (left, >=, 60);
  g_assert_true (sl_value (f, "hidden")->v[0] == hidden);
  sl_wait (can_redo, f);

  generation = sl_session_generation (f->session);
  sl_act (f, "redo", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_true (sl_value (f, "hidden")->v[0] == 9.0);
  generation = sl_session_generation (f->session);
  sl_act (f, "run-before", g_variant_new_string (uuid));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, left);
}

/* A look at another lab ends nothing: each lab keeps its run, with what can be taken back of it. */
static void
test_look_elsewhere (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session)), *other = NULL;
  unsigned         generation = sl_session_generation (f->session);
  uint64_t         left;

  sl_act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (sl_is_marked, f->session);
  sl_wait_for_step (f->session, 60);
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  sl_settle ();
  g_assert_false (sl_can (f, "undo"));
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  other = g_strdup (sl_session_uuid (f->session));
  left = sl_session_info (f->session)->step;

  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("sign-estimator"));
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_wait (sl_is_running, f->session); /* as it was */
  g_assert_cmpuint (sl_session_info (f->session)->step, >=, 60);
  sl_wait (can_undo, f);
  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("sign-estimator"));
  sl_settle ();
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation); /* it is there */

  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, other);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, left);
}

static gboolean
is_loading (gpointer session)
{
  return sl_session_is_loading (session);
}

/* A slider that was let go with the keyboard says half a second later that it rests.  What it says
 * belongs to the run that it was moved in, not to a stored run that is on its way meanwhile.  */
static void
test_rest_while_loading (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  SlSidebar       *sidebar = SL_SIDEBAR (sl_find (GTK_WIDGET (f->window), SL_TYPE_SIDEBAR));
  unsigned         generation = sl_session_generation (f->session);
  double           first = sl_value (f, "learning-rate")->v[0];
  SlParamRow      *row;
  GtkRange        *scale;

  sl_wait_for_step (f->session, 60);
  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait_for_step (f->session, 60);
  row = sl_param_form_row (sl_sidebar_get_form (sidebar), "learning-rate");
  scale = GTK_RANGE (sl_param_row_get_scale (row, 0));
  gtk_range_set_value (scale, gtk_range_get_value (scale) - 0.3);
  g_assert_true (sl_value (f, "learning-rate")->v[0] != first);

  generation = sl_session_generation (f->session);
  sl_window_resume (f->window, uuid, TRUE);
  sl_wait (is_loading, f->session);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_signal_emit_by_name (scale, "moved", sl_value (f, "learning-rate")->v[0], TRUE);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_wait (sl_is_paused, f->session);
  g_assert_true (sl_value (f, "learning-rate")->v[0] == first);
}

static gboolean
is_visiting (gpointer session)
{
  return sl_session_is_visiting (session);
}

static gboolean
is_present (gpointer session)
{
  return !sl_session_is_visiting (session) && sl_session_state (session) == SL_PAUSED;
}

static void
test_timeline (SlFixture *f, gconstpointer data)
{
  GtkWidget *timeline = sl_find (GTK_WIDGET (f->window), SL_TYPE_TIMELINE);
  GtkWidget *scale = sl_find (timeline, GTK_TYPE_SCALE);

  g_assert_false (gtk_widget_get_visible (timeline));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "timeline",
                                      g_variant_new_boolean (TRUE));
  g_assert_true (gtk_widget_get_visible (timeline));
  sl_assert_named (timeline);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);

  /* Dragged to the beginning, and with a key to the end. */
  gtk_range_set_value (GTK_RANGE (scale), 0.0);
  sl_wait (is_visiting, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  sl_settle ();
  g_assert_true (gtk_range_get_value (GTK_RANGE (scale)) == 0.0);
  sl_act (f, "present-state", NULL);
  sl_wait (is_present, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, sl_session_present (f->session));
  sl_act (f, "visit", g_variant_new_uint64 (0));
  sl_wait (is_visiting, f->session);
  sl_act (f, "run", NULL);
  sl_wait (sl_is_running, f->session);
  g_assert_false (sl_session_is_visiting (f->session));
}

typedef struct
{
  SlSession *session;
  unsigned   kept;
} Kept;

static gboolean
is_kept (gpointer data)
{
  const Kept *before = data;

  return sl_session_kept (before->session) > before->kept && sl_is_paused (before->session);
}

static gboolean
is_at (gpointer data)
{
  const Kept *wanted = data;

  return sl_session_info (wanted->session)->step == wanted->kept;
}

/* A run that goes on from its past is another one: the one that went further stays, as curves behind it and
 * to be gone back to.  */
static void
test_branch (SlFixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  unsigned         generation = sl_session_generation (f->session);
  uint64_t         present;

  sl_wait_for_step (f->session, 60);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  present = sl_session_present (f->session);
  sl_act (f, "visit", g_variant_new_uint64 (0));
  sl_wait (is_visiting, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_act (f, "step", NULL);
  sl_wait (is_at, &(Kept) { f->session, 1 });
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
  g_assert_cmpuint (sl_session_record (f->session)->n_flags, ==, 1);
  sl_act (f, "undo", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, present);
}

static void
press_back (GtkWidget *scale)
{
  gboolean handled;

  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_STEP_LEFT, 0.0, &handled);
  g_assert_true (handled);
}

/* The timeline of a run that was left and opened again: what the file has of its past is there, from
 * key to key, and the run goes on from it.  */
static void
test_past (SlFixture *f, gconstpointer data)
{
  GtkWidget *scale = sl_find (sl_find (GTK_WIDGET (f->window), SL_TYPE_TIMELINE), GTK_TYPE_SCALE);
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  g_autoptr (GArray) steps = NULL;
  unsigned generation, first;
  uint64_t present;

  for (unsigned i = 0; i < 3; i++)
    {
      Kept before = { f->session, sl_session_kept (f->session) };

      sl_act (f, "pause", NULL);
      sl_wait (sl_is_paused, f->session);
      sl_session_keep_now (f->session);
      sl_wait (is_kept, &before);
      sl_act (f, "run", NULL);
      sl_wait_for_step (f->session, sl_session_info (f->session)->step + 20);
    }
  generation = sl_session_generation (f->session);
  sl_act (f, "reseed", NULL);
  sl_wait_for_run (f->session, generation);

  generation = sl_session_generation (f->session);
  sl_window_resume (f->window, uuid, TRUE);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_paused, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);
  sl_store_flush (f->store, NULL);
  steps = sl_stored_steps (f->store, uuid);
  g_assert_cmpuint (steps->len, >=, 3);
  present = sl_session_info (f->session)->step;
  g_assert_cmpuint (present, ==, g_array_index (steps, guint64, steps->len - 1));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "timeline",
                                      g_variant_new_boolean (TRUE));
  for (guint i = steps->len - 1; i-- > 0;)
    {
      press_back (scale);
      sl_wait (is_at, &(Kept) { f->session, (unsigned) g_array_index (steps, guint64, i) });
      g_assert_true (sl_session_is_visiting (f->session));
      g_assert_cmpuint (sl_session_present (f->session), ==, present);
    }
  press_back (scale);
  sl_wait (is_at, &(Kept) { f->session, 0 });

  first = (unsigned) g_array_index (steps, guint64, 0);
  sl_act (f, "visit", g_variant_new_uint64 (first));
  sl_wait (is_at, &(Kept) { f->session, first });
  sl_act (f, "step", NULL);
  sl_wait (is_at, &(Kept) { f->session, first + 1 });
  g_assert_false (sl_session_is_visiting (f->session));
}

/* The banner that says that nothing can be kept. */
static SlBanner *
find_banner (GtkWidget *root)
{
  SlBanner *found = NULL;

  if (SL_IS_BANNER (root) && gtk_widget_get_visible (sl_child (root, "line"))
      && strstr (sl_child_text (root, "text"), "memory") != NULL)
    return SL_BANNER (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_banner (child);
  return found;
}

static gboolean
has_banner (gpointer window)
{
  return find_banner (window) != NULL;
}

static gboolean
has_no_banner (gpointer window)
{
  return find_banner (window) == NULL;
}

/* The store tries again by itself once there is room. */
static void
test_full_disk (SlFixture *f, gconstpointer data)
{
  struct rlimit limit, less;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  less = limit;
  less.rlim_cur = 8192;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (has_no_banner (f->window));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &less), ==, 0);
  sl_wait (has_banner, f->window);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_true (sl_is_running (f->session));
  sl_wait (has_no_banner, f->window);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  g_assert_true (sl_store_flush (f->store, NULL));
}

static void
check_offer (SlFixture *f, const char *label)
{
  g_autofree char *offered = NULL;

  g_object_get (find_banner (GTK_WIDGET (f->window)), "first-label", &offered, NULL);
  g_assert_cmpstr (offered, ==, label);
}

/* A store that is deleted while it is open is offered to be written again, and has everything then. */
static void
test_deleted_store (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_strdup (sl_store_path (f->store));
  g_autoptr (SlStore) store = NULL;
  g_autoptr (SlStoreRun) run = NULL;

  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_cmpint (unlink (path), ==, 0);
  sl_wait (has_banner, f->window);
  check_offer (f, "Write it here again");
  g_assert_false (exists (path));
  g_assert_true (sl_is_running (f->session));
  sl_act (f, "store-retry", NULL);
  sl_wait (has_no_banner, f->window);
  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  g_assert_true (sl_store_flush (f->store, NULL));
  store = sl_store_open (path, NULL);
  run = sl_store_find (store, sl_session_uuid (f->session), NULL);
  g_assert_nonnull (run);
  g_assert_cmpuint (run->step, ==, sl_session_info (f->session)->step);
}

/* In the place of another file it is not written: another place is offered, and what was asked for is done. */
static void
test_replaced_store (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_strdup (sl_store_path (f->store));

  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_true (g_file_set_contents (path, "of another program", -1, NULL));
  sl_wait (has_banner, f->window);
  check_offer (f, "Choose another place…");
  sl_store_move (f->store, f->path);
  sl_wait (has_no_banner, f->window);
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_true (sl_store_is_store (f->path));
  g_assert_false (sl_store_is_store (path));
}

static gboolean
is_complained (gpointer data)
{
  SlFixture *f = data;
  GObject   *trouble
    = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "trouble");

  return sl_session_error (f->session) != NULL
         || gtk_widget_get_visible (sl_child (trouble, "line"));
}

static void
test_bad_file (SlFixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  g_assert_true (g_file_set_contents (f->path, "not a store", -1, NULL));
  sl_window_open_file (f->window, f->path);
  sl_wait (is_complained, f);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
}

static gboolean
can_begin_anew (gpointer session)
{
  return sl_session_can_begin_anew (session);
}

static gboolean
is_visible (gpointer widget)
{
  return gtk_widget_get_visible (widget);
}

/* Saving a run over the store that it is in is refused with a sentence, and the store keeps it. */
static void
test_save_into_store (SlFixture *f, gconstpointer data)
{
  GObject *trouble
    = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "trouble");
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  g_autoptr (SlStoreRun) run = NULL;

  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  sl_act (f, "save-to", g_variant_new_string (path));
  sl_wait (is_visible, sl_child (trouble, "line"));
  g_assert_nonnull (strstr (sl_child_text (trouble, "text"), "store"));
  run = sl_store_find (f->store, sl_session_uuid (f->session), NULL);
  g_assert_nonnull (run);
}

/* A stored run of another version: a sentence, and a button that begins it anew. */
static void
test_refused (SlFixture *f, gconstpointer data)
{
  GObject *trouble
    = gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "trouble");
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session)), *label = NULL;
  unsigned         generation = sl_session_generation (f->session);
  uint64_t         step;

  sl_act (f, "pause", NULL);
  sl_wait (sl_is_paused, f->session);
  step = sl_session_info (f->session)->step;
  sl_act (f, "save-to", g_variant_new_string (f->path));
  sl_wait (exists, f->path);
  sl_settle ();
  sl_change_checkpoint (f->path, uuid, step, "sign-estimator, state ", '7');
  sl_act (f, "step", NULL);
  sl_wait_for_step (f->session, step + 1);

  sl_window_open_file (f->window, f->path);
  sl_wait (can_begin_anew, f->session);
  g_assert_true (gtk_widget_get_visible (sl_child (trouble, "line")));
  g_assert_nonnull (strstr (sl_child_text (trouble, "text"), "state 7"));
  g_object_get (trouble, "first-label", &label, NULL);
  g_assert_cmpstr (label, ==, "Start again");
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
  g_assert_cmpstr (sl_session_uuid (f->session), ==, uuid);

  sl_act (f, "begin-anew", NULL);
  sl_wait_for_run (f->session, generation);
  sl_wait (sl_is_running, f->session);
  g_assert_false (gtk_widget_get_visible (sl_child (trouble, "line")));
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
}

#define ADD(name, test) g_test_add (name, SlFixture, NULL, set_up, test, sl_fixture_end)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("/file/save-and-open", test_save_and_open);
  ADD ("/file/save-into-store", test_save_into_store);
  ADD ("/file/resume", test_resume);
  ADD ("/file/undo", test_undo);
  ADD ("/file/undo-in-field", test_undo_in_field);
  ADD ("/file/run-before", test_run_before);
  ADD ("/file/look-elsewhere", test_look_elsewhere);
  ADD ("/file/rest-while-loading", test_rest_while_loading);
  ADD ("/file/timeline", test_timeline);
  ADD ("/file/branch", test_branch);
  ADD ("/file/past", test_past);
  ADD ("/file/full-disk", test_full_disk);
  ADD ("/file/deleted-store", test_deleted_store);
  ADD ("/file/replaced-store", test_replaced_store);
  ADD ("/file/bad-file", test_bad_file);
  ADD ("/file/refused", test_refused);
  return g_test_run ();
}
