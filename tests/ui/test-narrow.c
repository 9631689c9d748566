/* SPDX-License-Identifier: MIT
 *
 * A window as wide as a telephone: every page gets that narrow, and no word is cut without a tooltip that
 * says it whole.  And what does not move when a lab gives way to another.  */
#include <string.h>

#include "core/labs/registry.h"
#include "tests/ui/fixture.h"
#include "ui/charts/front-view.h"
#include "ui/kit/banner.h"
#include "ui/runs/page.h"
#include "ui/runs/table/table.h"

enum { WIDTH = 360, HEIGHT = 640, PATIENCE = 10000000 /* µs */ };

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  sl_fixture_start (f, "experts", NULL, "digits:images=300", FALSE);
  sl_fixture_open (f);
}

static int
least_width (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* The innermost widget that is too wide, for the message. */
static GtkWidget *
culprit (GtkWidget *widget, int width)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child) && least_width (child) > width)
      return culprit (child, width);
  return widget;
}

/* Asked again each time and for another size, because a window first is as wide as what is in it. */
static gboolean
is_narrow (gpointer data)
{
  SlFixture *f = data;
  GtkWidget *window = GTK_WIDGET (f->window);

  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH,
                               HEIGHT + 1 - gtk_widget_get_height (window) % 2);
  return gtk_widget_get_width (window) > 0 && gtk_widget_get_width (window) <= WIDTH;
}

/* A page, and until when it may fold what does not fit. */
typedef struct
{
  SlFixture  *fixture;
  const char *page;
  gint64      end;
} Check;

static gboolean
fits (gpointer data)
{
  const Check *check = data;
  GtkWidget   *window = GTK_WIDGET (check->fixture->window);

  if (is_narrow (check->fixture) && least_width (window) <= WIDTH)
    return TRUE;
  if (g_get_monotonic_time () > check->end)
    {
      GtkWidget *at = culprit (window, WIDTH);

      g_error ("%s: %d px are needed by %s '%s'", check->page, least_width (at),
               G_OBJECT_TYPE_NAME (at), gtk_widget_get_name (at));
    }
  return FALSE;
}

/* A word that has just changed gets its room with the next frame. */
static gboolean
is_whole (gpointer data)
{
  const Check *check = data;
  const char  *cut = sl_cut_in (GTK_WIDGET (check->fixture->window));

  if (cut != NULL && g_get_monotonic_time () > check->end)
    g_error ("%s: '%s' is cut", check->page, cut);
  return cut == NULL;
}

static void
check (SlFixture *f, const char *page)
{
  sl_settle ();
  sl_wait (fits, &(Check) { f, page, g_get_monotonic_time () + PATIENCE });
  sl_settle ();
  sl_wait (is_whole, &(Check) { f, page, g_get_monotonic_time () + PATIENCE });
}

static void
test_labs (SlFixture *f, gconstpointer data)
{
  sl_wait (is_narrow, f);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      if (sl_session_lab (sl_window_get_session (f->window)) != sl_labs[i])
        {
          unsigned generation = sl_session_generation (f->session);

          sl_act (f, "lab", g_variant_new_string (sl_labs[i]->id));
          sl_wait_for_run (f->session, generation);
        }
      sl_wait (sl_is_loaded, f->session);
      check (f, sl_labs[i]->id);
    }
}

static void
test_pages (SlFixture *f, gconstpointer data)
{
  f->group = sl_group_new ();
  sl_group_start (f->group, "digits:images=300", 3, TRUE);
  sl_window_set_group (f->window, f->group);
  sl_wait (is_narrow, f);
  check (f, "overview");
  sl_act (f, "runs", NULL);
  check (f, "runs");
  sl_act (f, "runs", NULL);
  sl_act (f, "lesson", g_variant_new_string ("1-gate"));
  check (f, "lesson");
}

static gboolean
has_rows (gpointer table)
{
  g_autoptr (GPtrArray) rows = sl_run_table_get_shown (table);

  return rows->len > 0;
}

/* Every chart of stored runs, with a table that has one. */
static void
test_runs (SlFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "runs.sluice", NULL);
  GtkWidget       *table;
  GtkStack        *views;

  f->store = sl_store_open (path, NULL);
  g_assert_nonnull (f->store);
  sl_session_set_store (f->session, f->store);
  sl_fixture_start (f, "experts", NULL, "moons:points=200", TRUE);
  sl_wait_for_step (f->session, 20);
  sl_wait (is_narrow, f);
  sl_act (f, "runs", NULL);
  table = sl_find (GTK_WIDGET (f->window), SL_TYPE_RUN_TABLE);
  sl_wait (has_rows, table);
  views = GTK_STACK (gtk_widget_get_ancestor (
    sl_find (sl_find (GTK_WIDGET (f->window), SL_TYPE_RUNS_PAGE), SL_TYPE_FRONT_VIEW),
    GTK_TYPE_STACK));
  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (views)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    {
      gtk_stack_set_visible_child (views, view);
      check (f, gtk_stack_get_visible_child_name (views));
    }
}

static void
show_banners (GtkWidget *widget)
{
  if (SL_IS_BANNER (widget))
    {
      sl_banner_show (SL_BANNER (widget),
                      "A sentence that says what is wrong with a file whose name "
                      "is as long as /some/where/in/a/folder/of/folders/a.csv");
      g_object_set (widget, "first-label", "Go back", "second-label",
                    "Halve the learning rate and go back", NULL);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    show_banners (child);
}

static void
test_banners (SlFixture *f, gconstpointer data)
{
  sl_wait (sl_is_loaded, f->session);
  sl_wait (is_narrow, f);
  show_banners (GTK_WIDGET (f->window));
  check (f, "banners");
}

/* The sidebar lies over the plots, and goes when a lab is chosen. */
static gboolean
is_shown (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static gboolean
is_hidden (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

static void
test_sidebar (SlFixture *f, gconstpointer data)
{
  SlSidebar  *sidebar = sl_window_get_sidebar (f->window);
  GtkListBox *labs = sl_fixture_labs (f);
  int         width;

  sl_wait (sl_is_loaded, f->session);
  sl_wait (is_narrow, f);
  sl_wait (is_hidden, sidebar);
  width = gtk_widget_get_width (GTK_WIDGET (sl_window_get_grid (f->window)));
  sl_act (f, "sidebar", NULL);
  sl_wait (is_shown, sidebar);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (sl_window_get_grid (f->window))), ==, width);
  check (f, "sidebar");
  g_signal_emit_by_name (labs, "row-activated", gtk_list_box_get_selected_row (labs));
  sl_wait (is_hidden, sidebar);
  g_assert_false (sl_prefs_get_boolean (f->prefs, "sidebar"));
}

/* Beside the plots it is as wide in one lab as in another. */
static void
test_steady (SlFixture *f, gconstpointer data)
{
  GtkWidget *sidebar = GTK_WIDGET (sl_window_get_sidebar (f->window));
  int        width = 0;

  sl_act (f, "all-settings", NULL);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      if (sl_session_lab (sl_window_get_session (f->window)) != sl_labs[i])
        {
          unsigned generation = sl_session_generation (f->session);

          sl_act (f, "lab", g_variant_new_string (sl_labs[i]->id));
          sl_wait_for_run (f->session, generation);
        }
      sl_wait (sl_is_loaded, f->session);
      sl_settle ();
      if (width == 0)
        width = gtk_widget_get_width (sidebar);
      if (gtk_widget_get_width (sidebar) != width)
        g_error ("%s: the sidebar is %d px wide, not %d, for a %s", sl_labs[i]->id,
                 gtk_widget_get_width (sidebar), width,
                 G_OBJECT_TYPE_NAME (culprit (sidebar, width)));
    }
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, run) g_test_add ("/narrow/" name, SlFixture, NULL, set_up, run, sl_fixture_end)
  ADD ("labs", test_labs);
  ADD ("pages", test_pages);
  ADD ("runs", test_runs);
  ADD ("banners", test_banners);
  ADD ("sidebar", test_sidebar);
  ADD ("steady", test_steady);
#undef ADD
  return g_test_run ();
}
