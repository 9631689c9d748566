/* SPDX-License-Identifier: MIT
 *
 * The window and its runs on disk: saving, opening, going on, undo, the timeline, and a store that
 * cannot be written.  */
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/ui/ui.h"
#include "ui/sl-banner.h"
#include "ui/sl-timeline.h"
#include "ui/sl-window.h"

typedef struct
{
  char      *folder, *path;
  SlStore   *store;
  SlPrefs   *prefs;
  SlSession *session;
  SlWindow  *window;
} Fixture;

static gboolean
is_running (gpointer data)
{
  return sl_session_state (data) == SL_RUNNING && sl_session_info (data)->step > 0;
}

static gboolean
is_paused (gpointer data)
{
  /* And everything that it did until then has come. */
  return sl_session_state (data) == SL_PAUSED && !sl_session_is_loading (data)
         && g_main_context_find_source_by_user_data (NULL, data) == NULL;
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
act (Fixture *f, const char *name, GVariant *parameter)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), name));
  g_action_group_activate_action (G_ACTION_GROUP (f->window), name, parameter);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;
  g_autofree char *store = NULL;
  g_autoptr (GError) error = NULL;
  SlStatus     status;

  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->path = g_build_filename (f->folder, "saved.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  f->prefs = sl_prefs_new ();
  f->session = sl_session_new ();
  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set (&settings, lab->params, lab->n_params, "hidden", "12-8");
  g_assert_true (sl_ok (&status));
  f->window = sl_window_new (NULL, f->session, f->prefs);
  sl_window_set_store (f->window, f->store, NULL);
  sl_session_start (f->session, lab, &settings, "moons", 7, TRUE);
  gtk_window_present (GTK_WINDOW (f->window));
  sl_wait (is_running, f->session);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->prefs);
  g_assert_finalize_object (f->store);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

/* What was saved opens as it was, beside the run that went further meanwhile. */
static void
test_save_and_open (Fixture *f, gconstpointer data)
{
  g_autoptr (GPtrArray) runs = NULL;
  unsigned generation = sl_session_generation (f->session);
  uint64_t step;

  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);
  step = sl_session_info (f->session)->step;
  act (f, "save-to", g_variant_new_string (f->path));
  sl_wait (exists, f->path);
  g_assert_true (sl_store_is_store (f->path));
  act (f, "run", NULL);
  sl_wait (is_running, f->session);
  while (sl_session_info (f->session)->step < step + 100)
    g_main_context_iteration (NULL, TRUE);
  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);
  sl_store_flush (f->store, NULL);

  sl_window_open_file (f->window, f->path);
  while (sl_session_generation (f->session) == generation)
    g_main_context_iteration (NULL, TRUE);
  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, >=, step);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
  sl_store_flush (f->store, NULL);
  runs = sl_store_list (f->store, NULL, FALSE, NULL);
  g_assert_cmpuint (runs->len, ==, 2);
}

static void
test_resume (Fixture *f, gconstpointer data)
{
  g_autofree char *uuid = g_strdup (sl_session_uuid (f->session));
  unsigned generation = sl_session_generation (f->session);

  g_action_group_activate_action (G_ACTION_GROUP (f->window), "reseed", NULL);
  while (sl_session_generation (f->session) == generation)
    g_main_context_iteration (NULL, TRUE);
  sl_wait (is_running, f->session);
  g_assert_cmpstr (sl_session_uuid (f->session), !=, uuid);
  sl_store_flush (f->store, NULL);
  sl_window_resume (f->window, uuid, TRUE);
  while (g_strcmp0 (sl_session_uuid (f->session), uuid) != 0)
    g_main_context_iteration (NULL, TRUE);
  sl_wait (is_paused, f->session);
  g_assert_cmpuint (sl_session_seed (f->session), ==, 7);
}

static double
rate (Fixture *f)
{
  const SlLab *lab = sl_session_lab (f->session);

  return sl_session_settings (f->session)
    ->value[sl_param_find (lab->params, lab->n_params, "learning-rate")].v[0];
}

static gboolean
has_flag (gpointer session)
{
  return sl_session_record (session)->n_flags == 1;
}

static gboolean
has_two_flags (gpointer session)
{
  return sl_session_record (session)->n_flags == 2;
}

static void
test_undo (Fixture *f, gconstpointer data)
{
  double first = rate (f);

  sl_settle ();
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (f->window), "undo"));
  act (f, "set", g_variant_new ("(ss)", "learning-rate", "0.004"));
  sl_wait (has_flag, f->session);
  act (f, "undo", NULL);
  sl_wait (has_two_flags, f->session);
  g_assert_true (rate (f) == first);
  act (f, "redo", NULL);
  while (rate (f) != 0.004)
    g_main_context_iteration (NULL, TRUE);
  act (f, "undo-rewind", NULL);
  while (rate (f) != first)
    g_main_context_iteration (NULL, TRUE);
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
test_timeline (Fixture *f, gconstpointer data)
{
  GtkWidget *timeline = sl_find (GTK_WIDGET (f->window), SL_TYPE_TIMELINE);
  GtkWidget *scale = sl_find (timeline, GTK_TYPE_SCALE);

  g_assert_false (gtk_widget_get_visible (timeline));
  g_action_group_change_action_state (G_ACTION_GROUP (f->window), "timeline",
                                      g_variant_new_boolean (TRUE));
  g_assert_true (gtk_widget_get_visible (timeline));
  sl_assert_named (timeline);
  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);

  /* Dragged to the beginning, and with a key to the end. */
  gtk_range_set_value (GTK_RANGE (scale), 0.0);
  sl_wait (is_visiting, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, 0);
  sl_settle ();
  g_assert_true (gtk_range_get_value (GTK_RANGE (scale)) == 0.0);
  act (f, "present-state", NULL);
  sl_wait (is_present, f->session);
  g_assert_cmpuint (sl_session_info (f->session)->step, ==, sl_session_present (f->session));
  act (f, "visit", g_variant_new_uint64 (0));
  sl_wait (is_visiting, f->session);
  act (f, "run", NULL);
  sl_wait (is_running, f->session);
  g_assert_false (sl_session_is_visiting (f->session));
}

/* The banner that says that nothing can be kept. */
static SlBanner *
find_banner (GtkWidget *root)
{
  SlBanner *found = NULL;

  if (SL_IS_BANNER (root) && sl_banner_is_shown (SL_BANNER (root))
      && strstr (sl_banner_get_text (SL_BANNER (root)), "memory") != NULL)
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

static void
test_full_disk (Fixture *f, gconstpointer data)
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
  g_assert_true (is_running (f->session));
  act (f, "store-retry", NULL);
  sl_wait (has_no_banner, f->window);
  act (f, "pause", NULL);
  sl_wait (is_paused, f->session);
  g_assert_true (sl_store_flush (f->store, NULL));
}

static void
test_bad_file (Fixture *f, gconstpointer data)
{
  unsigned generation = sl_session_generation (f->session);

  g_assert_true (g_file_set_contents (f->path, "not a store", -1, NULL));
  sl_window_open_file (f->window, f->path);
  while (sl_session_error (f->session) == NULL
         && !sl_banner_is_shown (SL_BANNER (
           gtk_widget_get_template_child (GTK_WIDGET (f->window), SL_TYPE_WINDOW, "trouble"))))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
}

#define ADD(name, test) g_test_add (name, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  ADD ("/file/save-and-open", test_save_and_open);
  ADD ("/file/resume", test_resume);
  ADD ("/file/undo", test_undo);
  ADD ("/file/timeline", test_timeline);
  ADD ("/file/full-disk", test_full_disk);
  ADD ("/file/bad-file", test_bad_file);
  return g_test_run ();
}
