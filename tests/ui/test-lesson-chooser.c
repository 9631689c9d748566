/* SPDX-License-Identifier: MIT
 *
 * The list of lessons: all are there by level, words find them, a lesson is begun and gone on with from there,
 * also by another window, and what was taken to its end says so.  */
#include <string.h>

#include "core/run/lesson/lesson.h"
#include "tests/ui/fixture.h"
#include "ui/lesson/chooser.h"
#include "ui/lesson/progress.h"

enum { NARROW = 360 };

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "moons:points=300", FALSE);
  sl_fixture_open (f);
  sl_wait (sl_is_loaded, f->session);
}

static gboolean
is_open (gpointer found)
{
  GListModel *windows = gtk_window_get_toplevels ();

  *(GtkWidget **) found = NULL;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (SL_IS_LESSON_CHOOSER (window) && gtk_widget_get_mapped (window))
        *(GtkWidget **) found = window;
    }
  return *(GtkWidget **) found != NULL;
}

static gboolean
is_shut (gpointer data)
{
  GtkWidget *found;

  return !is_open (&found);
}

static GtkWidget *
open_chooser (SlFixture *f)
{
  GtkWidget *chooser;

  sl_act (f, "lessons", NULL);
  sl_wait (is_open, &chooser);
  return chooser;
}

/* The rows of lessons that can be seen, in order. */
static void
collect (GtkWidget *widget, GPtrArray *rows)
{
  if (!gtk_widget_get_visible (widget))
    return;
  if (ADW_IS_EXPANDER_ROW (widget))
    {
      g_ptr_array_add (rows, widget);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, rows);
}

static GPtrArray *
rows_of (GtkWidget *chooser)
{
  GPtrArray *rows = g_ptr_array_new ();

  collect (sl_child (chooser, "page"), rows);
  return rows;
}

static GtkWidget *
search_for (GtkWidget *chooser, const char *words)
{
  GtkWidget *search = sl_child (chooser, "search");

  gtk_editable_set_text (GTK_EDITABLE (search), words);
  g_signal_emit_by_name (search, "search-changed");
  return search;
}

static const char *
first_subtitle (GtkWidget *chooser)
{
  g_autoptr (GPtrArray) rows = rows_of (chooser);

  g_assert_cmpuint (rows->len, >, 0);
  return adw_expander_row_get_subtitle (g_ptr_array_index (rows, 0));
}

/* The button with this name, or NULL. */
static GtkWidget *
button_of (GtkWidget *root, const char *name)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (root) && g_strcmp0 (gtk_widget_get_tooltip_text (root), name) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = button_of (child, name);
  return found;
}

static const char *
step_of (SlFixture *f)
{
  return sl_child_text (sl_child (f->window, "lesson_bar"), "count");
}

/* Every lesson is there once, with a name for all that can be pressed, and fits a telephone. */
static void
test_all (SlFixture *f, gconstpointer data)
{
  g_auto (GStrv) names = sl_lesson_names ();
  GtkWidget *chooser = open_chooser (f);
  g_autoptr (GPtrArray) rows = rows_of (chooser);
  int least;

  g_assert_cmpuint (rows->len, ==, g_strv_length (names));
  for (guint i = 0; i < rows->len; i++)
    {
      adw_expander_row_set_expanded (g_ptr_array_index (rows, i), TRUE);
      g_assert_nonnull (
        strstr (adw_expander_row_get_subtitle (g_ptr_array_index (rows, i)), "minutes"));
    }
  sl_assert_named (chooser);
  gtk_widget_measure (chooser, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, NARROW);
  g_assert_true (sl_press (chooser, GDK_KEY_Escape, 0));
  sl_wait (is_shut, NULL);
}

static void
test_search (SlFixture *f, gconstpointer data)
{
  GtkWidget       *chooser = open_chooser (f);
  GtkStack        *stack = GTK_STACK (sl_child (chooser, "stack"));
  g_autofree char *taken = NULL;

  search_for (chooser, "no lesson has this");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "nothing");
  search_for (chooser, "Capacity DIFFUSION");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "lessons");

  g_autoptr (GPtrArray) rows = rows_of (chooser);

  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpstr (adw_preferences_row_get_title (g_ptr_array_index (rows, 0)), ==,
                   "How capacity spreads with depth");
  g_signal_emit_by_name (sl_child (chooser, "search"), "activate");
  sl_wait (is_shut, NULL);
  g_assert_true (sl_can (f, "lesson-leave"));
  taken = sl_prefs_get_line (f->prefs, "lessons", "6-depth");
  g_assert_nonnull (taken);
}

/* Left at its second step: the list says so, and leads back there, in this window and, with what was kept,
 * at the next start.  */
static void
test_progress (SlFixture *f, gconstpointer data)
{
  GtkWidget *chooser;

  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  sl_act (f, "lesson-next", NULL);
  sl_act (f, "lesson-leave", NULL);
  g_assert_cmpuint (sl_lesson_progress (f->prefs, "1-gate").step, ==, 1);
  g_assert_false (sl_lesson_progress (f->prefs, "1-gate").done);
  sl_act (f, "lesson", g_variant_new_string ("6-depth")); /* another one, with another run */
  chooser = open_chooser (f);
  g_assert_nonnull (strstr (first_subtitle (chooser), "at step 2 of 6"));
  g_signal_emit_by_name (search_for (chooser, "What is a gate"), "activate");
  sl_wait (is_shut, NULL);
  g_assert_cmpstr (step_of (f), ==, "2 of 6");
  sl_act (f, "lesson-leave", NULL);
}

/* What a start of the program has is the preferences alone. */
static void
test_next_start (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "lessons",
                "1-gate {\"done\": true, \"step\": 3, \"kept\": {\"half\": 12.5}}\n"
                "2-sparsity {\"step\": 63}\n6-depth [1]\n",
                NULL);
  g_assert_true (sl_lesson_progress (f->prefs, "1-gate").done);
  g_assert_cmpuint (sl_lesson_progress (f->prefs, "6-depth").step, ==, 0);
  g_assert_nonnull (strstr (first_subtitle (open_chooser (f)), "done · at step 4 of 6"));
  sl_act (f, "lesson-go-on", g_variant_new_string ("1-gate"));
  g_assert_cmpstr (step_of (f), ==, "4 of 6");
  sl_act (f, "lesson-go-on", g_variant_new_string ("2-sparsity")); /* it has no such step */
  g_assert_cmpstr (step_of (f), ==, "1 of 5");
  sl_act (f, "lesson-leave", NULL);
}

/* Taken to its end once, and left in the middle since: it begins at its beginning. */
static void
test_done_before (SlFixture *f, gconstpointer data)
{
  GtkWidget *chooser;

  g_object_set (f->prefs, "lessons", "1-gate {\"done\": true, \"step\": 3}\n", NULL);
  chooser = open_chooser (f);
  g_assert_null (button_of (chooser, "Resume: What is a gate?"));
  g_signal_emit_by_name (button_of (chooser, "Begin again: What is a gate?"), "clicked");
  sl_wait (is_shut, NULL);
  g_assert_cmpstr (step_of (f), ==, "1 of 6");
  sl_act (f, "lesson-leave", NULL);
}

/* One that was never done offers both ways. */
static void
test_unfinished (SlFixture *f, gconstpointer data)
{
  static const char *const ways[][2]
    = { { "Resume: What is a gate?", "4 of 6" }, { "Begin again: What is a gate?", "1 of 6" } };

  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      GtkWidget *chooser;

      g_object_set (f->prefs, "lessons", "1-gate {\"step\": 3}\n", NULL);
      chooser = open_chooser (f);
      g_signal_emit_by_name (button_of (chooser, ways[i][0]), "clicked");
      sl_wait (is_shut, NULL);
      g_assert_cmpstr (step_of (f), ==, ways[i][1]);
      sl_act (f, "lesson-leave", NULL);
    }
}

static void
test_done (SlFixture *f, gconstpointer data)
{
  g_object_set (f->prefs, "lessons", "11-tree {\"step\": 3}\n", NULL);
  sl_act (f, "lesson-go-on", g_variant_new_string ("11-tree"));
  g_assert_cmpstr (step_of (f), ==, "4 of 4");
  sl_act (f, "lesson-next", NULL);
  g_assert_true (sl_lesson_progress (f->prefs, "11-tree").done);
  g_assert_cmpuint (sl_lesson_progress (f->prefs, "11-tree").step, ==, 0);
  sl_act (f, "lesson", g_variant_new_string ("11-tree"));
  g_assert_true (sl_lesson_progress (f->prefs, "11-tree").done); /* once is enough */
  sl_act (f, "lesson-leave", NULL);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, test) g_test_add (name, SlFixture, NULL, set_up, test, sl_fixture_end)
  ADD ("/lesson-chooser/all", test_all);
  ADD ("/lesson-chooser/search", test_search);
  ADD ("/lesson-chooser/progress", test_progress);
  ADD ("/lesson-chooser/next-start", test_next_start);
  ADD ("/lesson-chooser/done", test_done);
  ADD ("/lesson-chooser/done-before", test_done_before);
  ADD ("/lesson-chooser/unfinished", test_unfinished);
#undef ADD
  return g_test_run ();
}
