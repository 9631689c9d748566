/* SPDX-License-Identifier: MIT */
#include "bench/window/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/window/tools.h"
#include "core/labs/registry.h"
#include "ui/form/scale.h"

enum {
  PLOTS = 6,
  SAMPLES = 1000000, /* of each plot, shared by its curves */
  MOVES = 9,         /* of the slider */
  ROUNDS = 7,        /* with and without window, in turn */
};

static const double FRAMES_SECONDS = 3.0, DRAWING_SECONDS = 5.0, ROUND_SECONDS = 1.6;

typedef struct
{
  GApplication *application;
  SlWindow     *window;
  guint64       flagged;
} Bench;

static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, unsigned n)
{
  qsort (values, n, sizeof *values, by_value);
  return values[n / 2];
}

/* ---- slider ---- */

static void
on_flagged (SlSession *session, Bench *bench)
{
  bench->flagged++;
}

/* The first slider that takes effect at once. */
static GtkRange *
live_slider (SlWindow *window)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (window));
  SlParamForm *form = sl_sidebar_get_form (sl_window_get_sidebar (window));

  for (unsigned i = 0; i < lab->n_params; i++)
    {
      SlParamRow *row = sl_param_form_row (form, lab->params[i].id);

      if (lab->params[i].effect == SL_LIVE && gtk_widget_get_sensitive (GTK_WIDGET (row))
          && sl_param_row_get_scale (row, 0) != NULL)
        return GTK_RANGE (sl_param_row_get_scale (row, 0));
    }
  return NULL;
}

/* From the moved slider until the session says at which update it took effect: the way back
 * through the queue is in it.  */
static void
measure_slider (Bench *bench)
{
  GtkRange *slider = live_slider (bench->window);
  double    seconds[MOVES];

  if (slider == NULL)
    return;
  for (unsigned i = 0; i < MOVES; i++)
    {
      GtkAdjustment *range = gtk_range_get_adjustment (slider);
      double         lo = gtk_adjustment_get_lower (range), hi = gtk_adjustment_get_upper (range);
      guint64        before = bench->flagged;
      gboolean       over = FALSE;
      guint  alarm = g_timeout_add ((guint) (SL_BENCH_PATIENCE * 1000.0), sl_bench_alarm, &over);
      double begin = sl_bench_now (CLOCK_MONOTONIC);

      gtk_range_set_value (slider, lo + (hi - lo) * (i % 2 == 0 ? 0.4 : 0.45));
      while (bench->flagged == before && !over)
        g_main_context_iteration (NULL, TRUE);
      seconds[i] = sl_bench_now (CLOCK_MONOTONIC) - begin;
      if (!over)
        g_source_remove (alarm);
      sl_bench_run_for (0.05 + 0.011 * i);
    }
  sl_bench_print ("slider", median (seconds, MOVES), "s");
}

/* ---- drawing ---- */

typedef struct
{
  SlLab       lab; /* the first lab with its first time plots only */
  SlPanel     panel[PLOTS];
  SlRecord    record;
  SlPlotGrid *grid;
  guint64     step;
  guint64     frames;
  uint32_t    noise;
} Stage;

static double
noise (Stage *stage)
{
  stage->noise = stage->noise * 1664525u + 1013904223u;
  return (double) (stage->noise >> 8) / 16777216.0;
}

static void
append (Stage *stage)
{
  for (unsigned c = 0; c < stage->record.layout.n; c++)
    {
      SlSample sample
        = { .step = stage->step,
            .channel = c,
            .generation = 1,
            .value = 1.0 + c + noise (stage) + 50.0 * exp (-(double) stage->step / 1e5) };

      sl_record_take (&stage->record, &sample);
    }
  stage->step++;
}

static gboolean
build_stage (Stage *stage)
{
  SlSettings settings;
  SlStatus   status;
  unsigned   n = 0, curves = 1;

  *stage = (Stage) { .lab = *sl_labs[0], .noise = 1 };
  for (unsigned p = 0; p < sl_labs[0]->n_panels && n < PLOTS; p++)
    if (sl_labs[0]->panels[p].kind == SL_SERIES)
      stage->panel[n++] = sl_labs[0]->panels[p];
  stage->lab.panels = stage->panel;
  stage->lab.n_panels = n;
  stage->lab.front = NULL; /* all six are shown */
  sl_settings_default (&settings, stage->lab.params, stage->lab.n_params);
  status = sl_record_init (&stage->record, &stage->lab, &settings, 1);
  if (!sl_ok (&status))
    return FALSE;
  /* Every curve gets the share that the plot with the fewest needs for a million. */
  for (unsigned p = 0; p < n; p++)
    {
      unsigned of = 0;

      for (unsigned c = 0; c < stage->record.layout.n; c++)
        of += stage->record.layout.channel[c].panel == p;
      curves = p == 0 ? of : MIN (curves, of);
    }
  for (unsigned i = 0; i < SAMPLES / MAX (curves, 1u); i++)
    append (stage);
  return n == PLOTS;
}

/* Samples come before the frame looks for news, as they do from the queue: a tick callback would
 * bring them in the middle, after some plots have looked.  */
static void
on_stage_frame (GdkFrameClock *clock, Stage *stage)
{
  stage->frames++;
  append (stage);
  sl_plot_grid_wake (stage->grid);
}

static void
measure_drawing (Bench *bench)
{
  g_autofree Stage *stage = g_new (Stage, 1);
  GdkFrameClock    *clock;
  GtkWidget        *window;
  double            wall, cpu;
  guint64           frames, redraws;

  if (build_stage (stage))
    {
      window = gtk_window_new ();
      gtk_window_set_default_size (GTK_WINDOW (window), 1280, 680);
      stage->grid = g_object_new (SL_TYPE_PLOT_GRID, NULL);
      gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (stage->grid));
      sl_plot_grid_set_record (stage->grid, &stage->record);
      sl_plot_grid_set_rate (stage->grid, 0.0);
      gtk_window_present (GTK_WINDOW (window));
      clock = gtk_widget_get_frame_clock (window);
      g_signal_connect (clock, "before-paint", G_CALLBACK (on_stage_frame), stage);
      gdk_frame_clock_begin_updating (clock);
      sl_bench_run_for (0.5);

      frames = stage->frames;
      redraws = sl_plot_grid_get_redraws (stage->grid);
      wall = sl_bench_now (CLOCK_MONOTONIC);
      cpu = sl_bench_now (CLOCK_PROCESS_CPUTIME_ID);
      sl_bench_run_for (FRAMES_SECONDS);
      cpu = sl_bench_now (CLOCK_PROCESS_CPUTIME_ID) - cpu;
      wall = sl_bench_now (CLOCK_MONOTONIC) - wall;
      frames = stage->frames - frames;
      redraws = sl_plot_grid_get_redraws (stage->grid) - redraws;
      /* A frame counts when all its plots were drawn. */
      sl_bench_print ("frames", fmin ((double) frames, (double) redraws / PLOTS) / wall, "1/s");
      sl_bench_print ("frame-cost", 1000.0 * cpu / (double) MAX (frames, 1u), "ms");

      sl_plot_grid_set_rate (stage->grid, 10.0);
      sl_bench_run_for (0.3);
      wall = sl_bench_now (CLOCK_MONOTONIC);
      cpu = sl_bench_now (CLOCK_PROCESS_CPUTIME_ID);
      sl_bench_run_for (DRAWING_SECONDS);
      cpu = sl_bench_now (CLOCK_PROCESS_CPUTIME_ID) - cpu;
      wall = sl_bench_now (CLOCK_MONOTONIC) - wall;
      sl_bench_print ("drawing", cpu / wall, "cores");
      gdk_frame_clock_end_updating (clock);
      g_signal_handlers_disconnect_by_data (clock, stage);
      gtk_window_destroy (GTK_WINDOW (window));
      sl_bench_run_for (0.1);
    }
  sl_record_clear (&stage->record);
}

/* ---- throughput ---- */

/* Processor time of every thread but this one: the training. */
static double
other_threads (void)
{
  return sl_bench_now (CLOCK_PROCESS_CPUTIME_ID) - sl_bench_now (CLOCK_THREAD_CPUTIME_ID);
}

typedef struct
{
  double by_clock, by_processor; /* updates a second */
} Rate;

static Rate
measure_rate (SlSession *session)
{
  double   begin, cpu, steps;
  uint64_t step;

  sl_bench_run_for (0.3);
  begin = sl_bench_now (CLOCK_MONOTONIC);
  cpu = other_threads ();
  step = sl_session_info (session)->step;
  sl_bench_run_for (ROUND_SECONDS);
  steps = (double) (sl_session_info (session)->step - step);
  return (Rate) { steps / (sl_bench_now (CLOCK_MONOTONIC) - begin),
                  steps / (other_threads () - cpu) };
}

/* The window shows and hides in turn while the same run goes on. */
static void
measure_throughput (Bench *bench)
{
  SlSession   *session = sl_window_get_session (bench->window);
  const SlLab *lab = sl_session_lab (session);
  SlSettings   settings = *sl_session_settings (session);
  int          evaluate = sl_param_find (lab->params, lab->n_params, "evaluate-every");
  double       by_clock[ROUNDS], by_processor[ROUNDS];

  /* An evaluation now and then would fall on one side of a pair or the other. */
  if (evaluate >= 0)
    settings.value[evaluate].v[0] = lab->params[evaluate].hi;
  sl_session_set_threads (session, 1);
  sl_session_start (session, lab, &settings, NULL, sl_session_seed (session), TRUE);
  while (sl_session_is_loading (session) || sl_session_info (session)->step == 0)
    g_main_context_iteration (NULL, TRUE);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      Rate without, with;

      gtk_widget_set_visible (GTK_WIDGET (bench->window), FALSE);
      without = measure_rate (session);
      gtk_widget_set_visible (GTK_WIDGET (bench->window), TRUE);
      with = measure_rate (session);
      by_clock[i] = with.by_clock / without.by_clock;
      by_processor[i] = with.by_processor / without.by_processor;
    }
  sl_bench_print ("throughput", median (by_clock, ROUNDS), "×");
  sl_bench_print ("throughput-cpu", median (by_processor, ROUNDS), "×");
}

static gboolean
runs (SlSession *session)
{
  return sl_session_state (session) == SL_RUNNING && sl_session_info (session)->step > 0;
}

/* Opens a lab from the start page; the figures after this one are about that lab. */
static gboolean
open_lab (Bench *bench)
{
  SlSession *session;
  double     end = sl_bench_now (CLOCK_MONOTONIC) + SL_BENCH_PATIENCE;

  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.lab", "s", sl_labs[0]->id);
  session = sl_window_get_session (bench->window);
  g_signal_connect (session, "flagged", G_CALLBACK (on_flagged), bench);
  while (!runs (session) && sl_bench_now (CLOCK_MONOTONIC) < end)
    sl_bench_run_for (0.01);
  sl_bench_run_for (0.5);
  return runs (session);
}

static gboolean
on_start (gpointer data)
{
  Bench *bench = data;

  sl_window_bench_overview (bench->window);
  if (open_lab (bench))
    {
      measure_slider (bench);
      measure_throughput (bench);
      sl_session_pause (sl_window_get_session (bench->window));
      gtk_widget_set_visible (GTK_WIDGET (bench->window), FALSE);
      measure_drawing (bench);
      sl_window_bench_labs (GTK_APPLICATION (bench->application));
    }
  g_signal_handlers_disconnect_by_data (sl_window_get_session (bench->window), bench);
  g_action_group_activate_action (G_ACTION_GROUP (bench->application), "quit", NULL);
  g_free (bench);
  return G_SOURCE_REMOVE;
}

void
sl_window_bench_start (GApplication *application, SlWindow *window)
{
  Bench *bench = g_new0 (Bench, 1);

  bench->application = application;
  bench->window = window;
  g_idle_add (on_start, bench);
}
