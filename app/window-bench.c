/* SPDX-License-Identifier: MIT */
#include "app/window-bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/sl-param-scale.h"

enum
{
  PLOTS = 6,
  SAMPLES = 1000000, /* of each plot, shared by its curves */
  MOVES = 9,         /* of the slider */
  ROUNDS = 7,        /* with and without window, in turn */
};

static const double FRAMES_SECONDS = 3.0, DRAWING_SECONDS = 5.0, ROUND_SECONDS = 1.6;
static const double PATIENCE = 60.0;

typedef struct
{
  GApplication *application;
  SlWindow     *window;
  gboolean      drawn;
  double        first; /* s since the start of the process, 0: not yet */
  guint64       flagged;
} Bench;

static double
now (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* Since the process began, which is before main() and before a second start with other kernels. */
static double
age (void)
{
  g_autofree char *text = NULL;
  char  *field;
  double ticks = 0.0;

  if (!g_file_get_contents ("/proc/self/stat", &text, NULL, NULL))
    return (double) NAN;
  field = strrchr (text, ')'); /* ends field 2; the start time is field 22 */
  for (int i = 2; i < 22 && field != NULL; i++)
    field = strchr (field + 1, ' ');
  if (field != NULL)
    ticks = g_ascii_strtod (field, NULL);
  return now (CLOCK_BOOTTIME) - ticks / (double) sysconf (_SC_CLK_TCK);
}

static void
print (const char *name, double value, const char *unit)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.6g", value);
  printf ("{\"name\": \"window.%s\", \"value\": %s, \"unit\": \"%s\"}\n", name,
          isfinite (value) ? number : "null", unit);
  fflush (stdout);
}

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

static gboolean
on_alarm (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
run_for (double seconds)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) (seconds * 1000.0), on_alarm, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- first point ---- */

static void
on_drawn (SlPlotGrid *grid, guint panel, Bench *bench)
{
  bench->drawn = TRUE;
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
  if (bench->drawn && bench->first == 0.0)
    bench->first = age ();
}

static gboolean
measure_first (Bench *bench)
{
  double end = now (CLOCK_MONOTONIC) + PATIENCE;

  while (bench->first == 0.0 && now (CLOCK_MONOTONIC) < end)
    run_for (0.002);
  print ("first-point", bench->first > 0.0 ? bench->first : (double) NAN, "s");
  return bench->first > 0.0;
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
      double   lo = gtk_adjustment_get_lower (range), hi = gtk_adjustment_get_upper (range);
      guint64  before = bench->flagged;
      gboolean over = FALSE;
      guint    alarm = g_timeout_add ((guint) (PATIENCE * 1000.0), on_alarm, &over);
      double   begin = now (CLOCK_MONOTONIC);

      gtk_range_set_value (slider, lo + (hi - lo) * (i % 2 == 0 ? 0.4 : 0.45));
      while (bench->flagged == before && !over)
        g_main_context_iteration (NULL, TRUE);
      seconds[i] = now (CLOCK_MONOTONIC) - begin;
      if (!over)
        g_source_remove (alarm);
      run_for (0.05 + 0.011 * i);
    }
  print ("slider", median (seconds, MOVES), "s");
}

/* ---- drawing ---- */

typedef struct
{
  SlLab      lab; /* the first lab with its first time plots only */
  SlPanel    panel[PLOTS];
  SlRecord   record;
  SlPlotGrid *grid;
  guint64    step;
  guint64    frames;
  uint32_t   noise;
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
      SlSample sample = { .step = stage->step, .channel = c, .generation = 1,
                          .value = 1.0 + c + noise (stage)
                                   + 50.0 * exp (-(double) stage->step / 1e5) };

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
  GdkFrameClock *clock;
  GtkWidget *window;
  double     wall, cpu;
  guint64    frames, redraws;

  if (build_stage (stage))
    {
      window = gtk_window_new ();
      gtk_window_set_default_size (GTK_WINDOW (window), 1280, 680);
      stage->grid = sl_plot_grid_new ();
      gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (stage->grid));
      sl_plot_grid_set_record (stage->grid, &stage->record);
      sl_plot_grid_set_rate (stage->grid, 0.0);
      gtk_window_present (GTK_WINDOW (window));
      clock = gtk_widget_get_frame_clock (window);
      g_signal_connect (clock, "before-paint", G_CALLBACK (on_stage_frame), stage);
      gdk_frame_clock_begin_updating (clock);
      run_for (0.5);

      frames = stage->frames;
      redraws = sl_plot_grid_get_redraws (stage->grid);
      wall = now (CLOCK_MONOTONIC);
      cpu = now (CLOCK_PROCESS_CPUTIME_ID);
      run_for (FRAMES_SECONDS);
      cpu = now (CLOCK_PROCESS_CPUTIME_ID) - cpu;
      wall = now (CLOCK_MONOTONIC) - wall;
      frames = stage->frames - frames;
      redraws = sl_plot_grid_get_redraws (stage->grid) - redraws;
      /* A frame counts when all its plots were drawn. */
      print ("frames", fmin ((double) frames, (double) redraws / PLOTS) / wall, "1/s");
      print ("frame-cost", 1000.0 * cpu / (double) MAX (frames, 1u), "ms");

      sl_plot_grid_set_rate (stage->grid, 10.0);
      run_for (0.3);
      wall = now (CLOCK_MONOTONIC);
      cpu = now (CLOCK_PROCESS_CPUTIME_ID);
      run_for (DRAWING_SECONDS);
      cpu = now (CLOCK_PROCESS_CPUTIME_ID) - cpu;
      wall = now (CLOCK_MONOTONIC) - wall;
      print ("drawing", cpu / wall, "cores");
      gdk_frame_clock_end_updating (clock);
      g_signal_handlers_disconnect_by_data (clock, stage);
      gtk_window_destroy (GTK_WINDOW (window));
      run_for (0.1);
    }
  sl_record_clear (&stage->record);
}

/* ---- throughput ---- */

/* Processor time of every thread but this one: the training. */
static double
other_threads (void)
{
  return now (CLOCK_PROCESS_CPUTIME_ID) - now (CLOCK_THREAD_CPUTIME_ID);
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

  run_for (0.3);
  begin = now (CLOCK_MONOTONIC);
  cpu = other_threads ();
  step = sl_session_info (session)->step;
  run_for (ROUND_SECONDS);
  steps = (double) (sl_session_info (session)->step - step);
  return (Rate) { steps / (now (CLOCK_MONOTONIC) - begin), steps / (other_threads () - cpu) };
}

/* The window shows and hides in turn while the same run goes on. */
static void
measure_throughput (Bench *bench)
{
  SlSession *session = sl_window_get_session (bench->window);
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
  print ("throughput", median (by_clock, ROUNDS), "×");
  print ("throughput-cpu", median (by_processor, ROUNDS), "×");
}

static gboolean
on_start (gpointer data)
{
  Bench *bench = data;

  if (measure_first (bench))
    {
      measure_slider (bench);
      measure_throughput (bench);
      sl_session_pause (sl_window_get_session (bench->window));
      gtk_widget_set_visible (GTK_WIDGET (bench->window), FALSE);
      measure_drawing (bench);
    }
  g_signal_handlers_disconnect_by_data (sl_window_get_grid (bench->window), bench);
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
  g_signal_connect (sl_window_get_grid (window), "drawn", G_CALLBACK (on_drawn), bench);
  g_signal_connect (sl_window_get_session (window), "flagged", G_CALLBACK (on_flagged), bench);
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint",
                    G_CALLBACK (on_after_paint), bench);
  g_idle_add (on_start, bench);
}
