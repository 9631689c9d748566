/* SPDX-License-Identifier: MIT
 *
 * What the page of runs costs: tests/headless bench-runs [RUNS [SAMPLES]].  Makes a store of so
 * many runs (1,000, each with SAMPLES samples of every channel, 50), then times from giving it to a
 * page until all rows are there and drawn, and an overlay of 50 of them.  */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "ui/plot-view/view.h"
#include "ui/runs/page.h"
#include "ui/runs/table.h"

static void
print (const char *name, double value, const char *unit)
{
  printf ("%-44s %10.4g %s\n", name, value, unit);
}

/* Seconds of processor time of all threads, which other programs do not disturb as much. */
static double
worked (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
fill (SlStore *store, unsigned runs, unsigned samples)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlLayout    *layout = g_new (SlLayout, 1);
  SlRecipe     recipe;
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_layout_init (layout, lab, &settings);
  for (unsigned r = 0; r < runs; r++)
    {
      SlWriter *writer;

      sl_recipe_init (&recipe, lab, &settings, NULL, r + 1);
      writer = sl_writer_new (store, NULL, &recipe, layout, "bench", r);
      for (unsigned i = 0; i < samples; i++)
        for (unsigned c = 0; c < layout->n; c++)
          sl_writer_sample (
            writer, &(SlSample) { .step = 10 * i, .channel = c, .value = 1.0 / (1 + i + r % 7) });
      sl_writer_score (writer, "outcome.error", 5.0 + r % 11);
      sl_writer_score (writer, "outcome.executed", 10.0 + r % 83);
      sl_writer_status (writer, SL_RUN_FINISHED, NULL);
      sl_writer_free (writer);
      sl_recipe_clear (&recipe);
    }
  g_free (layout);
  if (!sl_store_flush (store, NULL))
    exit (1);
}

static void
on_painted (GdkFrameClock *clock, gboolean *painted)
{
  *painted = TRUE;
}

/* Runs the main loop until the next frame is painted. */
static void
paint (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean       painted = FALSE;
  gulong         id = g_signal_connect (clock, "after-paint", G_CALLBACK (on_painted), &painted);

  gtk_widget_queue_draw (widget);
  while (!painted)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, id);
}

static unsigned
rows (SlRunTable *table)
{
  g_autoptr (GPtrArray) shown = sl_run_table_get_shown (table);

  return shown->len;
}

static GtkWidget *
find (GtkWidget *root, GType type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (root), type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

int
main (int argc, char **argv)
{
  unsigned         runs = argc > 1 ? (unsigned) strtoul (argv[1], NULL, 10) : 1000;
  unsigned         samples = argc > 2 ? (unsigned) strtoul (argv[2], NULL, 10) : 50;
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  SlStore         *store = sl_store_open (path, NULL);
  SlRunsPage      *page;
  GtkWidget       *window, *curves;
  gint64           begin;
  double           before;

  adw_init ();
  if (store == NULL)
    return 1;
  fill (store, runs, samples);
  page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 760);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (page));
  gtk_window_present (GTK_WINDOW (window));
  paint (window);
  begin = g_get_monotonic_time ();
  before = worked ();
  sl_runs_page_set_store (page, store);
  while (rows (SL_RUN_TABLE (find (window, SL_TYPE_RUN_TABLE))) < runs)
    g_main_context_iteration (NULL, TRUE);
  sl_runs_page_update (page);
  paint (window);
  print ("runs in the table", runs, "");
  print ("until table and trade-off are drawn", (double) (g_get_monotonic_time () - begin) / 1e3,
         "ms");
  print ("  of processor time", 1e3 * (worked () - before), "ms");
  curves = find (window, SL_TYPE_PLOT_VIEW);
  begin = g_get_monotonic_time ();
  before = worked ();
  gtk_widget_activate_action (GTK_WIDGET (page), "runs.view", "s", "curves");
  while (sl_plot_view_get_figure (SL_PLOT_VIEW (curves))->n_curves == 0)
    g_main_context_iteration (NULL, TRUE);
  paint (window);
  print ("until 50 runs are read and drawn", (double) (g_get_monotonic_time () - begin) / 1e3,
         "ms");
  print ("  of processor time", 1e3 * (worked () - before), "ms");
  gtk_window_destroy (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (store);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
