/* SPDX-License-Identifier: MIT
 *
 * The charts of runs in the export dialog: what can be chosen, what is written, and what happens to it when the runs
 * go away meanwhile.  The dialog on the plots of a run is in test-window.c.  */
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "tests/support/folder.h"
#include "tests/ui/fixture.h"
#include "ui/charts/front-view.h"
#include "ui/export/dialog.h"
#include "ui/kit/prefs.h"
#include "ui/runs/page.h"
#include "ui/runs/table/table.h"

enum { GATES = 2, SIZES = 2, SEEDS = 3, RUNS = GATES * SIZES * SEEDS };

/* A page on a store of finished runs: two gates, two k, three seeds. */
typedef struct
{
  char       *folder;
  SlStore    *store;
  SlPrefs    *prefs;
  SlRunsPage *page;
  GtkWindow  *window;
  char       *said;
} Fixture;

static void
on_said (Fixture *f, const char *sentence)
{
  g_free (f->said);
  f->said = g_strdup (sentence);
}

static void
add_run (SlStore *store, unsigned gate, unsigned size, unsigned seed)
{
  static const char *const gates[GATES] = { "noisy", "bias" };
  const SlLab             *lab = sl_lab_find ("experts");
  g_autofree SlLayout     *layout = g_new0 (SlLayout, 1);
  g_autofree char         *words = g_strdup_printf ("gate=%s k=%u", gates[gate], 1 + size);
  double                   error = 20.0 - 3.0 * size + gate + 0.4 * seed;
  SlSettings               settings;
  SlRecipe                 recipe;
  SlWriter                *writer;
  SlStatus                 status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, words);
  g_assert_true (sl_ok (&status));
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, seed + 1);
  g_strlcpy (recipe.data, "moons:points=200", sizeof recipe.data);
  writer = sl_writer_new (store, NULL, &recipe, layout, NULL, 0);
  sl_writer_scores (writer, SL_TEST, &(SlScore) { "error", "error", "%", error }, 1, 20);
  sl_store_set_score (store, sl_writer_uuid (writer), "outcome.executed",
                      10.0 + 20.0 * size + gate + 0.1 * seed);
  sl_writer_tick (writer, 20, 1.0);
  sl_writer_status (writer, SL_RUN_FINISHED, NULL);
  sl_writer_free (writer);
  sl_recipe_clear (&recipe);
}

static SlFrontView *
front_of (Fixture *f)
{
  return SL_FRONT_VIEW (sl_find (GTK_WIDGET (f->page), SL_TYPE_FRONT_VIEW));
}

static gboolean
has_points (gpointer data)
{
  Fixture       *f = data;
  const SlFront *front = sl_front_view_get_front (front_of (f));
  unsigned       runs = 0;

  sl_runs_page_update (f->page);
  for (unsigned i = 0; i < front->n; i++)
    runs += front->point[i].n;
  return runs == RUNS;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autofree char *path = NULL;
  GError          *error = NULL;

  *f = (Fixture) { .prefs = sl_prefs_new () };
  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (path, &error);
  g_assert_no_error (error);
  for (unsigned run = 0; run < RUNS; run++)
    add_run (f->store, run % GATES, run / GATES % SIZES, run / (GATES * SIZES));
  sl_store_flush (f->store, NULL);
  f->page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  f->window = sl_show (GTK_WIDGET (f->page), 1000, 700);
  g_signal_connect_swapped (f->page, "toast", G_CALLBACK (on_said), f);
  sl_runs_page_set_store (f->page, f->store);
  sl_wait (has_points, f);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (f->window);
  sl_settle ();
  sl_wait (sl_is_alone, f->store);
  g_assert_finalize_object (f->store);
  g_object_unref (f->prefs);
  sl_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->said);
}

static SlExportDialog *
open_dialog (Fixture *f, const char *view)
{
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.view", "s", view);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export", NULL);
  sl_settle ();
  return sl_window_of (SL_TYPE_EXPORT_DIALOG);
}

static void
close_dialog (SlExportDialog *dialog)
{
  g_object_ref (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  sl_settle ();
  g_assert_finalize_object (dialog);
}

static gpointer
in (SlExportDialog *dialog, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (dialog), SL_TYPE_EXPORT_DIALOG, id);
}

static void
choose (SlExportDialog *dialog, const char *id, guint row)
{
  adw_combo_row_set_selected (in (dialog, id), row);
}

static guint
n_rows (SlExportDialog *dialog, const char *id)
{
  return g_list_model_get_n_items (adw_combo_row_get_model (in (dialog, id)));
}

static char *
saved (Fixture *f, SlExportDialog *dialog, const char *name)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autofree char *expected = g_strdup_printf ("Saved %s", name);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (sl_export_dialog_save (dialog, path, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (f->said, ==, expected);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static unsigned
count (const char *text, const char *what)
{
  unsigned n = 0;

  for (; (text = strstr (text, what)) != NULL; text += strlen (what))
    n++;
  return n;
}

/* One chart: nothing to choose among, no rows of runs in training, all formats of a chart. */
static void
test_one (Fixture *f, gconstpointer data)
{
  static const char *const hidden[]
    = { "what", "plots", "across_row", "same_colours_row", "smooth_row", "flags_row", "view_row" };
  static const char *const names[] = { "a.png", "a.svg", "a.pdf", "a.tikz", "a.py" };
  SlExportDialog          *dialog = open_dialog (f, "front");

  g_assert_nonnull (dialog);
  sl_assert_named (GTK_WIDGET (dialog));
  for (unsigned i = 0; i < G_N_ELEMENTS (hidden); i++)
    g_assert_false (gtk_widget_get_visible (in (dialog, hidden[i])));
  g_assert_cmpuint (n_rows (dialog, "format"), ==, SL_KIND_CSV + 1);
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = saved (f, dialog, names[i]);

      g_assert_cmpuint (adw_combo_row_get_selected (in (dialog, "format")), ==, i);
      g_assert_cmpuint (strlen (text), >, 3);
    }
  close_dialog (dialog);
}

/* The page is as wide as a column of a paper, and says what it shows. */
static void
test_page (Fixture *f, gconstpointer data)
{
  SlExportDialog  *dialog = open_dialog (f, "front");
  g_autofree char *column = NULL, *bare = NULL, *preset = NULL;

  choose (dialog, "preset", SL_PRESET_COLUMN);
  gtk_switch_set_active (in (dialog, "caption"), TRUE);
  gtk_switch_set_active (in (dialog, "recipe"), FALSE);
  column = saved (f, dialog, "column.svg");
  g_assert_nonnull (strstr (column, " width=\"84mm\""));
  g_assert_nonnull (strstr (column, "id=\"caption\""));
  g_assert_nonnull (strstr (column, "12 runs"));
  g_assert_nonnull (strstr (column, "moons:points=200"));
  g_assert_null (strstr (column, "sluice-recipe"));
  gtk_switch_set_active (in (dialog, "caption"), FALSE);
  choose (dialog, "legend", SL_LEGEND_NONE);
  bare = saved (f, dialog, "bare.svg");
  g_assert_null (strstr (bare, "id=\"caption\""));
  g_assert_null (strstr (bare, "-legend\""));
  close_dialog (dialog);

  /* The next time it is as it was left, for the plots of a run, too. */
  preset = sl_prefs_get_string (f->prefs, "export-preset");
  g_assert_cmpstr (preset, ==, "column");
  dialog = open_dialog (f, "front");
  g_assert_cmpuint (adw_combo_row_get_selected (in (dialog, "legend")), ==, SL_LEGEND_NONE);
  g_assert_cmpfloat (gtk_spin_button_get_value (in (dialog, "width")), ==, 84.0);
  close_dialog (dialog);
}

/* A row for each point with how many runs it is of; nothing about a page. */
static void
test_table (Fixture *f, gconstpointer data)
{
  const SlFront   *front = sl_front_view_get_front (front_of (f));
  SlExportDialog  *dialog = open_dialog (f, "front");
  g_autofree char *csv = NULL;

  choose (dialog, "format", SL_KIND_CSV);
  g_assert_false (gtk_widget_get_visible (in (dialog, "page")));
  g_assert_false (gtk_widget_get_visible (in (dialog, "content")));
  csv = saved (f, dialog, "points.csv");
  g_assert_cmpuint (count (csv, ",3,"), >=, GATES * SIZES);
  for (unsigned i = 0; i < front->n; i++)
    g_assert_nonnull (strstr (csv, front->point[i].title));
  choose (dialog, "format", SL_KIND_SVG);
  g_assert_true (gtk_widget_get_visible (in (dialog, "page")));
  g_assert_true (gtk_widget_get_visible (in (dialog, "content")));
  close_dialog (dialog);
}

/* A chart for each parameter: all on one page, or one of them. */
static void
test_several (Fixture *f, gconstpointer data)
{
  SlExportDialog  *dialog = open_dialog (f, "each");
  g_autofree char *all = NULL, *first = NULL, *second = NULL, *csv = NULL;

  g_assert_true (gtk_widget_get_visible (in (dialog, "what")));
  g_assert_cmpuint (n_rows (dialog, "what"), ==, 2 + 2);
  g_assert_cmpuint (adw_combo_row_get_selected (in (dialog, "what")), ==, 0);
  g_assert_true (gtk_widget_get_visible (in (dialog, "across_row")));
  all = saved (f, dialog, "all.svg");
  g_assert_nonnull (strstr (all, ">(a) "));
  g_assert_nonnull (strstr (all, ">(b) "));
  csv = saved (f, dialog, "all.csv");
  g_assert_nonnull (strstr (csv, "\n\n# (b) "));
  choose (dialog, "what", 1);
  sl_settle ();
  g_assert_true (gtk_widget_get_visible (in (dialog, "plots")));
  choose (dialog, "what", 2);
  first = saved (f, dialog, "first.svg");
  g_assert_nonnull (strstr (first, ">Gate<"));
  choose (dialog, "what", 3);
  g_assert_false (gtk_widget_get_visible (in (dialog, "across_row")));
  second = saved (f, dialog, "second.svg");
  g_assert_null (strstr (second, ">(a) "));
  g_assert_null (strstr (second, ">Gate<"));
  close_dialog (dialog);
}

/* A page that is higher for one chart is not what is remembered; a height of one's own is. */
static void
test_height (Fixture *f, gconstpointer data)
{
  SlExportDialog  *dialog;
  g_autofree char *high = NULL, *own = NULL;
  double           fitted;

  g_object_set (f->prefs, "export-preset", "column", "export-width", 84.0, "export-height", 24.0,
                "export-legend", "above", NULL);
  dialog = open_dialog (f, "front");
  fitted = gtk_spin_button_get_value (in (dialog, "height"));
  g_assert_cmpfloat (fitted, >, 24.0);
  choose (dialog, "legend", SL_LEGEND_NONE);
  g_assert_cmpfloat (gtk_spin_button_get_value (in (dialog, "height")), <, fitted);
  choose (dialog, "legend", SL_LEGEND_ABOVE);
  g_assert_cmpfloat (gtk_spin_button_get_value (in (dialog, "height")), ==, fitted);
  high = saved (f, dialog, "high.svg");
  g_assert_cmpfloat (sl_prefs_get_double (f->prefs, "export-height"), ==, 24.0);
  gtk_spin_button_set_value (in (dialog, "height"), 30.0);
  choose (dialog, "theme", 1);
  g_assert_cmpfloat (gtk_spin_button_get_value (in (dialog, "height")), ==, 30.0);
  own = saved (f, dialog, "own.svg");
  g_assert_nonnull (strstr (own, " height=\"30mm\""));
  g_assert_cmpfloat (sl_prefs_get_double (f->prefs, "export-height"), ==, 30.0);
  close_dialog (dialog);
}

/* What was chosen last for the plots of a run may be no format of a chart. */
static void
test_other_format (Fixture *f, gconstpointer data)
{
  static const char *const formats[] = { "json", "npy" };

  for (unsigned i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      SlExportDialog *dialog;
      g_autoptr (GError) error = NULL;

      g_object_set (f->prefs, "export-format", formats[i], NULL);
      dialog = open_dialog (f, "parallel");
      g_assert_cmpuint (adw_combo_row_get_selected (in (dialog, "format")), ==, SL_KIND_PNG);
      g_assert_false (sl_export_dialog_save (dialog, "/no/such/folder/a.svg", &error));
      g_assert_nonnull (error);
      close_dialog (dialog);
    }
}

/* The runs go while the dialog is open: it says so, and writes nothing. */
static void
test_gone (Fixture *f, gconstpointer view)
{
  SlExportDialog  *dialog = open_dialog (f, view);
  g_autofree char *path = g_build_filename (f->folder, "gone.svg", NULL);
  g_autoptr (GError) error = NULL;

  sl_runs_page_set_store (f->page, NULL);
  sl_runs_page_update (f->page);
  g_assert_false (sl_export_dialog_save (dialog, path, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  close_dialog (dialog);

  g_clear_pointer (&f->said, g_free);
  gtk_widget_activate_action (GTK_WIDGET (f->page), "runs.export", NULL);
  g_assert_null (sl_window_of (SL_TYPE_EXPORT_DIALOG));
  g_assert_nonnull (f->said);
}

/* A page that goes takes the dialog with it. */
static void
test_closed (Fixture *f, gconstpointer data)
{
  g_assert_nonnull (open_dialog (f, "front"));
}

int
main (int argc, char **argv)
{
  sl_remember_only ();
  sl_ui_init (&argc, &argv);
  g_test_add ("/export/one", Fixture, NULL, set_up, test_one, tear_down);
  g_test_add ("/export/page", Fixture, NULL, set_up, test_page, tear_down);
  g_test_add ("/export/table", Fixture, NULL, set_up, test_table, tear_down);
  g_test_add ("/export/several", Fixture, NULL, set_up, test_several, tear_down);
  g_test_add ("/export/height", Fixture, NULL, set_up, test_height, tear_down);
  g_test_add ("/export/other-format", Fixture, NULL, set_up, test_other_format, tear_down);
  g_test_add ("/export/gone", Fixture, "each", set_up, test_gone, tear_down);
  g_test_add ("/export/gone-front", Fixture, "front", set_up, test_gone, tear_down);
  g_test_add ("/export/gone-lines", Fixture, "parallel", set_up, test_gone, tear_down);
  g_test_add ("/export/closed", Fixture, NULL, set_up, test_closed, tear_down);
  return g_test_run ();
}
