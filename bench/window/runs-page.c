/* SPDX-License-Identifier: MIT
 *
 * sluice-runs-bench [RUNS [SAMPLES]]: what the page of runs costs.  Makes a store of so many runs (10,000,
 * each with SAMPLES samples of every channel, 20; 0: no curves are timed), then prints the memory and times, several times each: from giving it to a page until
 * all rows are there and drawn, from another line of the filter until table and charts are drawn by it, without and
 * with groups, from choosing groups until they are drawn, and from choosing the curves until 200 runs are read and drawn over each other.  */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/window/tools.h"
#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "ui/plot-view/view.h"
#include "ui/runs/page.h"
#include "ui/runs/table/filter.h"
#include "ui/runs/table/table.h"

/* Of the runs every FILTERED-th passes the filter. */
enum { TRIES = 3, OVERLAID = 200, FILTERED = 11, AT_ONCE = 200 };

static void
fill (SlStore *store, unsigned runs, unsigned samples)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlLayout    *layout = g_new (SlLayout, 1);
  SlRecipe     recipe;
  SlSettings   settings;
  int          k = sl_param_find (lab->params, lab->n_params, "k");
  int          rate = sl_param_find (lab->params, lab->n_params, "learning-rate");

  if (k < 0 || rate < 0)
    exit (1);
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_layout_init (layout, lab, &settings);
  for (unsigned r = 0; r < runs; r++)
    {
      SlWriter *writer;

      settings.value[k].v[0] = 1 + r % 8;
      settings.value[rate].v[0] = 0.001 * (1.0 + 0.001 * r);
      sl_recipe_init (&recipe, lab, &settings, NULL, r + 1);
      writer = sl_writer_new (store, NULL, &recipe, layout, "bench", r);
      for (unsigned i = 0; i < samples; i++)
        for (unsigned c = 0; c < layout->n; c++)
          sl_writer_sample (
            writer, &(SlSample) { .step = 10 * i, .channel = c, .value = 1.0 / (1 + i + r % 7) });
      sl_store_set_score (store, sl_writer_uuid (writer), "outcome.error", 5.0 + r % 11);
      sl_store_set_score (store, sl_writer_uuid (writer), "outcome.executed", 10.0 + r % 83);
      sl_writer_status (writer, SL_RUN_FINISHED, NULL);
      sl_writer_free (writer);
      sl_recipe_clear (&recipe);
      if (r % AT_ONCE == 0 && !sl_store_flush (store, NULL))
        exit (1);
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

static GtkWidget *
find (GtkWidget *root, GType type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (root), type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

static void
run_until (gboolean (*over) (gpointer), gpointer data)
{
  while (!over (data))
    g_main_context_iteration (NULL, TRUE);
}

typedef struct
{
  GtkWidget  *window;
  SlRunsPage *page;
  unsigned    runs; /* that are waited for */
} Bench;

static gboolean
is_listed (gpointer data)
{
  Bench *bench = data;
  g_autoptr (GPtrArray) shown
    = sl_run_table_get_shown (SL_RUN_TABLE (find (bench->window, SL_TYPE_RUN_TABLE)));

  return shown->len == bench->runs;
}

static SlFigure *
curves_of (Bench *bench)
{
  return sl_plot_view_get_figure (SL_PLOT_VIEW (find (bench->window, SL_TYPE_PLOT_VIEW)));
}

static gboolean
is_overlaid (gpointer data)
{
  return curves_of (data)->n_curves >= OVERLAID;
}

typedef struct
{
  double wall, cpu; /* s; of all threads together */
} Took;

static Took
now (void)
{
  return (Took) { sl_bench_now (CLOCK_MONOTONIC), sl_bench_now (CLOCK_PROCESS_CPUTIME_ID) };
}

static Took
since (Took begin)
{
  Took end = now ();

  return (Took) { end.wall - begin.wall, end.cpu - begin.cpu };
}

static void
open_window (Bench *bench)
{
  bench->page = g_object_new (SL_TYPE_RUNS_PAGE, NULL);
  bench->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (bench->window), 1280, 760);
  gtk_window_set_child (GTK_WINDOW (bench->window), GTK_WIDGET (bench->page));
  gtk_window_present (GTK_WINDOW (bench->window));
  paint (bench->window);
}

static void
close_window (Bench *bench)
{
  gtk_window_destroy (GTK_WINDOW (bench->window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static Took
time_table (Bench *bench, SlStore *store, unsigned runs)
{
  Took begin = now ();

  bench->runs = runs;
  sl_runs_page_set_store (bench->page, store);
  run_until (is_listed, bench);
  sl_runs_page_update (bench->page);
  paint (bench->window);
  return since (begin);
}

/* The line lets every eleventh run pass. */
static Took
time_filter (Bench *bench, unsigned runs)
{
  GtkWidget *entry = find (find (bench->window, SL_TYPE_RUN_FILTER), GTK_TYPE_EDITABLE);
  Took       begin = now (), took;

  bench->runs = runs / FILTERED + (runs % FILTERED > 0);
  gtk_editable_set_text (GTK_EDITABLE (entry), "lab = experts and error < 5.5");
  run_until (is_listed, bench);
  sl_runs_page_update (bench->page);
  paint (bench->window);
  took = since (begin);
  bench->runs = runs;
  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  run_until (is_listed, bench);
  paint (bench->window);
  return took;
}

/* Groups of eight values, until their rows and points are drawn. */
static Took
time_group (Bench *bench, const char *name)
{
  GtkWidget *table = find (bench->window, SL_TYPE_RUN_TABLE);
  Took       begin = now ();

  gtk_widget_activate_action (table, "table.group", "s", name);
  sl_runs_page_update (bench->page);
  paint (bench->window);
  return since (begin);
}

static Took
time_overlay (Bench *bench)
{
  Took begin = now ();

  gtk_widget_activate_action (GTK_WIDGET (bench->page), "runs.view", "s", "curves");
  run_until (is_overlaid, bench);
  paint (bench->window);
  return since (begin);
}

static int
by_wall (const void *a, const void *b)
{
  const Took *x = a, *y = b;

  return (x->wall > y->wall) - (x->wall < y->wall);
}

/* The median, the least and the most of the clock, and processor time, which other programs disturb less: its least. */
static void
print (const char *name, Took took[TRIES])
{
  g_autofree char *low = g_strconcat (name, "-least", NULL);
  g_autofree char *high = g_strconcat (name, "-most", NULL);
  g_autofree char *cpu = g_strconcat (name, "-cpu", NULL);
  double           least = took[0].cpu;

  for (unsigned i = 1; i < TRIES; i++)
    least = MIN (least, took[i].cpu);
  qsort (took, TRIES, sizeof *took, by_wall);
  sl_bench_print (name, 1e3 * took[TRIES / 2].wall, "ms");
  sl_bench_print (low, 1e3 * took[0].wall, "ms");
  sl_bench_print (high, 1e3 * took[TRIES - 1].wall, "ms");
  sl_bench_print (cpu, 1e3 * least, "ms");
}

/* The most that the program had, MiB. */
static double
most_memory (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_maxrss / 1024.0;
}

int
main (int argc, char **argv)
{
  unsigned         runs = argc > 1 ? (unsigned) strtoul (argv[1], NULL, 10) : 10000;
  unsigned         samples = argc > 2 ? (unsigned) strtoul (argv[2], NULL, 10) : 20;
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "runs.sluice", NULL);
  SlStore         *store = sl_store_open (path, NULL);
  Took             table[TRIES], filter[TRIES], overlay[TRIES], group[TRIES], grouped[TRIES];

  if (store == NULL || runs < OVERLAID)
    return 1;
  adw_init ();
  fill (store, runs, samples);
  for (unsigned i = 0; i < TRIES; i++)
    {
      Bench bench = { 0 };

      open_window (&bench);
      table[i] = time_table (&bench, store, runs);
      filter[i] = time_filter (&bench, runs);
      group[i] = time_group (&bench, "k");
      grouped[i] = time_filter (&bench, runs);
      time_group (&bench, "");
      overlay[i] = samples > 0 ? time_overlay (&bench) : (Took) { 0 };
      close_window (&bench);
    }
  print ("runs.table", table);
  print ("runs.filter", filter);
  print ("runs.group", group);
  print ("runs.group-filter", grouped);
  if (samples > 0)
    print ("runs.overlay", overlay);
  sl_bench_print ("runs.memory", most_memory (), "MiB");
  g_object_unref (store);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
