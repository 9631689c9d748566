/* SPDX-License-Identifier: MIT
 *
 * What a class is offered: chosen lessons and labs and no others, wherever they are asked for; and preferences of a
 * fresh start, which keep the choice of the class and nothing else.  */
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/lesson/lesson.h"
#include "tests/ui/fixture.h"
#include "ui/dialogs/preferences.h"
#include "ui/form/rail.h"
#include "ui/lesson/chooser.h"
#include "ui/lesson/ending.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
}

/* As a class has it. */
static void
set_up_fresh (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  g_object_unref (f->prefs);
  f->prefs = sl_prefs_new_fresh (f->folder);
  sl_fixture_start (f, "experts", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
}

static void
tear_down (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "classroom", FALSE, "classroom-lessons", SL_PREFS_ALL, "classroom-labs",
                SL_PREFS_ALL, NULL);
  sl_fixture_end (f, data);
}

static void
choose (SlFixture *f, const char *lessons, const char *labs)
{
  g_object_set (f->prefs, "classroom", TRUE, "classroom-lessons", lessons, "classroom-labs", labs,
                NULL);
}

static gboolean
shows (SlFixture *f, const char *name)
{
  return gtk_widget_get_visible (sl_child (f->window, name));
}

/* ---- labs ---- */

static guint
n_offered (SlFixture *f)
{
  GtkListBox *list = sl_fixture_labs (f);
  guint       n = 0;

  for (int i = 0; sl_labs[i] != NULL; i++)
    n += gtk_widget_get_visible (GTK_WIDGET (gtk_list_box_get_row_at_index (list, i + 1)));
  return n;
}

static guint
n_labs (void)
{
  guint n = 0;

  while (sl_labs[n] != NULL)
    n++;
  return n;
}

static gboolean
is_tree (gpointer session)
{
  return sl_is_loaded (session) && sl_session_lab (session) == sl_lab_find ("prefix-tree");
}

/* By the list, an action and the start page; test-stage.c has the other ways. */
static void
test_labs (SlFixture *f, gconstpointer data)
{
  const SlLab *experts = sl_session_lab (f->session);

  g_assert_cmpuint (n_offered (f), ==, n_labs ());
  choose (f, SL_PREFS_ALL, "experts prefix-tree");
  g_assert_cmpuint (n_offered (f), ==, 2);
  sl_act (f, "lab", g_variant_new_string ("capacity"));
  sl_settle ();
  g_assert_true (sl_session_lab (f->session) == experts && !sl_session_is_loading (f->session));
  sl_window_show_overview (f->window);
  sl_act (f, "closer", g_variant_new_string ("sign-estimator"));
  sl_settle ();
  g_assert_true (sl_window_shows_overview (f->window));
  sl_act (f, "lab", g_variant_new_string ("prefix-tree"));
  sl_wait (is_tree, f->session);
  g_object_set (f->prefs, "classroom", FALSE, NULL); /* the choice waits for the next class */
  g_assert_cmpuint (n_offered (f), ==, n_labs ());
}

/* ---- lessons ---- */

static guint
n_rows (GtkWidget *widget)
{
  guint n = ADW_IS_EXPANDER_ROW (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += n_rows (child);
  return n;
}

static void
check_chooser (SlFixture *f, guint n)
{
  GtkWindow *chooser = GTK_WINDOW (sl_lesson_chooser_new (GTK_WINDOW (f->window), f->prefs));

  g_assert_cmpuint (n_rows (GTK_WIDGET (chooser)), ==, n);
  gtk_window_destroy (chooser);
}

/* In the list, by an action, as a file, and after one that is over. */
static void
test_lessons (SlFixture *f, gconstpointer data)
{
  g_auto (GStrv) names = sl_lesson_names ();
  g_autofree char *path = g_build_filename (f->folder, "own.lesson", NULL);
  g_autoptr (SlLesson) own = sl_lesson_new ("Own", "One step");

  sl_lesson_add (own);
  g_assert_true (sl_lesson_save (own, path, NULL));
  check_chooser (f, g_strv_length (names));
  choose (f, "1-gate 6-depth", SL_PREFS_ALL);
  check_chooser (f, 2);
  sl_act (f, "lesson", g_variant_new_string ("2-sparsity"));
  sl_act (f, "lesson-go-on", g_variant_new_string ("2-sparsity"));
  sl_window_open_file (f->window, path);
  g_assert_false (sl_window_in_lesson (f->window));
  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  g_assert_true (sl_window_in_lesson (f->window));
  sl_act (f, "lesson-leave", NULL);
  g_assert_true (shows (f, "begin_again"));
  choose (f, "", SL_PREFS_ALL);
  g_assert_false (sl_can (f, "lessons"));
  g_assert_true (sl_window_open_lesson (f->window, "2-sparsity", NULL)); /* of the command line */
  sl_act (f, "lesson-leave", NULL);
  g_object_set (f->prefs, "classroom", FALSE, NULL);
  g_assert_true (sl_can (f, "lessons"));
  g_assert_false (shows (f, "begin_again"));
}

/* Whether a button of the last page leads to a lesson. */
static gboolean
leads_to (GtkWidget *root, const char *lesson)
{
  g_autofree char *action = g_strdup_printf ("win.lesson('%s')", lesson);

  if (g_strcmp0 (g_object_get_data (G_OBJECT (root), "action"), action) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (leads_to (child, lesson))
      return TRUE;
  return FALSE;
}

static gboolean
any_leads_to (const char *lesson)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (SL_IS_LESSON_ENDING (l->data) && leads_to (l->data, lesson))
      return TRUE;
  return FALSE;
}

static gboolean
leads_to_letters (gpointer unused)
{
  return any_leads_to ("15-letters");
}

/* The next lesson is the next of those that were chosen. */
static void
test_next (SlFixture *f, gconstpointer data)
{
  choose (f, "1-gate 11-tree 15-letters", SL_PREFS_ALL);
  g_object_set (f->prefs, "lessons", "11-tree {\"step\": 3}\n", NULL);
  sl_act (f, "lesson-go-on", g_variant_new_string ("11-tree"));
  sl_act (f, "lesson-next", NULL);
  sl_wait (leads_to_letters, NULL);
  g_assert_false (any_leads_to ("12-copy"));
}

static guint
n_windows (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  return g_list_length (windows);
}

/* A class neither adds to the account's own lessons nor edits them; those of the program cannot be edited. */
static void
test_unchanged (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "own.lesson", NULL);
  g_autoptr (SlLesson) own = sl_lesson_new ("Own", "");
  guint n = n_windows ();

  sl_lesson_add (own)->lab = sl_lab_find ("experts");
  g_assert_true (sl_lesson_save (own, path, NULL));
  sl_act (f, "lesson-save-step", NULL);
  sl_act (f, "lesson-edit", g_variant_new_string (path));
  sl_act (f, "lesson-edit", g_variant_new_string ("1-gate"));
  sl_settle ();
  g_assert_cmpuint (n_windows (), ==, n);
}

/* ---- preferences ---- */

static void
check_kept (SlPrefs *prefs, const char *lessons, int type, int width)
{
  g_autofree char *ids = sl_prefs_get_string (prefs, "classroom-lessons");

  g_assert_cmpstr (ids, ==, lessons);
  g_assert_cmpint (sl_prefs_get_int (prefs, "type-size"), ==, type);
  g_assert_cmpint (sl_prefs_get_int (prefs, "window-width"), ==, width);
}

/* It sees what the teacher chose, not what the last person did, and of its own changes others see the class. */
static void
test_fresh (SlFixture *f, gconstpointer data)
{
  SlPrefs         *fresh;
  g_autofree char *path = NULL;

  g_object_set (f->prefs, "type-size", 120, "window-width", 900, "lessons", "", NULL);
  fresh = sl_prefs_new_fresh (f->folder);
  path = sl_prefs_dup_data (fresh, "runs.sluice");
  g_assert_true (g_str_has_prefix (path, f->folder));
  check_kept (fresh, SL_PREFS_ALL, 120, 1280);
  g_object_set (fresh, "classroom-lessons", "1-gate", "type-size", 200, "window-width", 700, NULL);
  sl_prefs_set_line (fresh, "lessons", "1-gate", "{\"step\": 2}");
  check_kept (fresh, "1-gate", 200, 700);
  check_kept (f->prefs, "1-gate", 120, 900);
  g_assert_null (sl_prefs_get_line (f->prefs, "lessons", "1-gate"));
  g_assert_null (sl_prefs_get_private (f->prefs));
  g_assert_finalize_object (fresh);
  g_object_set (f->prefs, "type-size", 100, "window-width", 1280, NULL);
}

static GtkWidget *
check_of (GtkWidget *root, const char *title)
{
  GtkWidget *found = NULL;

  if (ADW_IS_ACTION_ROW (root)
      && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title) == 0)
    return adw_action_row_get_activatable_widget (ADW_ACTION_ROW (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = check_of (child, title);
  return found;
}

static void
check_choice (SlFixture *f, const char *key, const char *ids)
{
  g_autofree char *found = sl_prefs_get_string (f->prefs, key);

  g_assert_cmpstr (found, ==, ids);
}

static gpointer
part_of (SlPreferences *preferences, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (preferences), SL_TYPE_PREFERENCES, name);
}

static void
drop (SlPreferences *preferences)
{
  g_object_ref (preferences);
  gtk_window_destroy (GTK_WINDOW (preferences));
  sl_settle ();
  g_assert_finalize_object (preferences);
}

static void
test_page (SlFixture *f, gconstpointer data)
{
  SlPreferences *preferences = sl_preferences_new (GTK_WINDOW (f->window), f->prefs, NULL);
  GtkWidget     *lessons = part_of (preferences, "lessons");
  GtkWidget     *labs = part_of (preferences, "class_labs");

  g_assert_false (gtk_widget_get_sensitive (lessons));
  gtk_switch_set_active (part_of (preferences, "fresh"), TRUE);
  g_assert_true (sl_prefs_get_boolean (f->prefs, "classroom"));
  g_assert_true (gtk_widget_get_sensitive (lessons));
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (lessons), TRUE);
  check_choice (f, "classroom-lessons", "");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check_of (lessons, "What is a gate?")), TRUE);
  check_choice (f, "classroom-lessons", "1-gate");
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (labs), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check_of (labs, "Experts")), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check_of (labs, "Sign estimator")), TRUE);
  check_choice (f, "classroom-labs", "sign-estimator experts");
  drop (preferences);

  /* Opened again, it shows the choice, which going back to all takes away. */
  preferences = sl_preferences_new (GTK_WINDOW (f->window), f->prefs, NULL);
  lessons = part_of (preferences, "lessons");
  g_assert_true (
    gtk_check_button_get_active (GTK_CHECK_BUTTON (check_of (lessons, "What is a gate?"))));
  check_choice (f, "classroom-lessons", "1-gate");
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (lessons), FALSE);
  check_choice (f, "classroom-lessons", SL_PREFS_ALL);
  drop (preferences);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, test) g_test_add (name, SlFixture, NULL, set_up, test, tear_down)
  ADD ("/classroom/labs", test_labs);
  ADD ("/classroom/lessons", test_lessons);
  ADD ("/classroom/next", test_next);
  g_test_add ("/classroom/unchanged", SlFixture, NULL, set_up_fresh, test_unchanged, tear_down);
  ADD ("/classroom/fresh", test_fresh);
  ADD ("/classroom/page", test_page);
#undef ADD
  return g_test_run ();
}
