/* SPDX-License-Identifier: MIT
 *
 * The start page measured: how soon its curves are there, and how soon each slider bends one.  */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/window/tools.h"
#include "bench/window/window.h"

enum { BEFORE = 20, AFTER = 3, DEVIATIONS = 4 };

/* A step of the curve that is visible, as a share of its value; and by how many deviations the
 * halves of a steady stretch may differ.  */
static const double VISIBLE = 0.03, STEADY = 0.8;

typedef struct
{
  SlOverview *overview;
  double      first, moving; /* s since the process began; 0: not yet */
  double      moving_cpu;    /* processor time of all threads until then, s */
} Opening;

/* Painted with data. */
static gboolean
is_drawn (SlOverviewCard *card)
{
  const SlFrame *frame = sl_plot_view_get_frame (sl_overview_card_get_view (card));

  return frame->plot.w > 0.0 && !frame->empty;
}

static unsigned
drawn (SlOverview *overview)
{
  unsigned n = 0;

  for (unsigned i = 0; i < sl_overview_get_n_cards (overview); i++)
    n += is_drawn (sl_overview_get_card (overview, i));
  return n;
}

/* True when all plots are painted and each run has gone on. */
static gboolean
all_move (SlOverview *overview)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (overview); i++)
    if (sl_session_info (sl_overview_card_get_session (sl_overview_get_card (overview, i)))->step
        < 2)
      return FALSE;
  return drawn (overview) == sl_overview_get_n_cards (overview);
}

static void
on_after_paint (GdkFrameClock *clock, Opening *opening)
{
  double age = sl_bench_age ();
  double cpu = sl_bench_now (CLOCK_PROCESS_CPUTIME_ID);

  if (opening->first == 0.0 && drawn (opening->overview) > 0)
    opening->first = age;
  if (opening->moving == 0.0 && all_move (opening->overview))
    opening->moving = age, opening->moving_cpu = cpu;
}

static double
memory (void)
{
  unsigned long size, resident;
  FILE         *file = fopen ("/proc/self/statm", "r");
  double        bytes = (double) NAN;

  if (file == NULL)
    return bytes;
  if (fscanf (file, "%lu %lu", &size, &resident) == 2)
    bytes = (double) resident * (double) sysconf (_SC_PAGESIZE);
  fclose (file);
  return bytes / 1e6;
}

static void
measure_opening (SlWindow *window, SlOverview *overview)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  Opening        opening = { .overview = overview };
  double         end = sl_bench_now (CLOCK_MONOTONIC) + SL_BENCH_PATIENCE;

  g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), &opening);
  while (opening.moving == 0.0 && sl_bench_now (CLOCK_MONOTONIC) < end)
    sl_bench_run_for (0.002);
  g_signal_handlers_disconnect_by_data (clock, &opening);
  sl_bench_print ("first-point", opening.first > 0.0 ? opening.first : (double) NAN, "s");
  sl_bench_print ("four-moving", opening.moving > 0.0 ? opening.moving : (double) NAN, "s");
  sl_bench_print ("four-moving-cpu", opening.moving_cpu, "s");
  sl_bench_print ("memory", memory (), "MB");
}

/* ---- sliders ---- */

/* The curve that a role bends: the first measured one on a card of a lab that has it. */
static const SlSeries *
curve_of (SlOverview *overview, SlHeadline headline)
{
  for (unsigned i = 0; i < sl_overview_get_n_cards (overview); i++)
    {
      const SlFigure *figure
        = sl_plot_view_get_figure (sl_overview_card_get_view (sl_overview_get_card (overview, i)));

      if (sl_group_param (sl_overview_get_group (overview), i, headline) < 0)
        continue;
      for (unsigned c = 0; c < figure->n_curves; c++)
        if (figure->curve[c].series != NULL && !figure->curve[c].hidden
            && figure->curve[c].style == SL_MEASURED)
          return figure->curve[c].series;
    }
  return NULL;
}

static double
mean_from (const SlSeries *series, size_t first, size_t n, double *deviation)
{
  double sum = 0.0, squares = 0.0;

  for (size_t i = first; i < first + n; i++)
    {
      sum += series->value[i];
      squares += series->value[i] * series->value[i];
    }
  *deviation = sqrt (fmax (squares / (double) n - sum / (double) n * (sum / (double) n), 0.0));
  return sum / (double) n;
}

/* A curve that already moves would be mistaken for one that a slider bent. */
static gboolean
is_steady (const SlSeries *series)
{
  double scatter, ignored, first, last;

  if (series->n < 2 * BEFORE)
    return FALSE;
  mean_from (series, series->n - BEFORE, BEFORE, &scatter);
  first = mean_from (series, series->n - BEFORE, BEFORE / 2, &ignored);
  last = mean_from (series, series->n - BEFORE / 2, BEFORE / 2, &ignored);
  return fabs (first - last) <= STEADY * scatter;
}

/* From the moved slider until the newest values are away from those before by more than these
 * scatter.  */
static void
measure_bend (SlOverview *overview, SlHeadline headline, double part)
{
  const SlSeries *series = curve_of (overview, headline);
  double    end = sl_bench_now (CLOCK_MONOTONIC) + SL_BENCH_PATIENCE, begin, was, scatter, ignored;
  gboolean  bent = FALSE;
  size_t    n;
  char      name[16];
  GtkRange *slider;
  GtkAdjustment *range;

  if (series == NULL || sl_overview_get_headline (overview, headline) == NULL)
    return;
  while (!is_steady (series) && sl_bench_now (CLOCK_MONOTONIC) < end)
    sl_bench_run_for (0.02);
  n = series->n;
  if (n < BEFORE)
    return;
  was = mean_from (series, n - BEFORE, BEFORE, &scatter);
  slider = GTK_RANGE (sl_headline_scale_get_scale (sl_overview_get_headline (overview, headline)));
  range = gtk_range_get_adjustment (slider);
  begin = sl_bench_now (CLOCK_MONOTONIC);
  gtk_range_set_value (
    slider, gtk_adjustment_get_lower (range)
              + part * (gtk_adjustment_get_upper (range) - gtk_adjustment_get_lower (range)));
  while (!bent && sl_bench_now (CLOCK_MONOTONIC) < begin + SL_BENCH_PATIENCE)
    {
      sl_bench_run_for (0.01);
      if (series->n < n + AFTER)
        continue;
      bent = fabs (mean_from (series, series->n - AFTER, AFTER, &ignored) - was)
             > fmax (DEVIATIONS * scatter / sqrt (AFTER), VISIBLE * fabs (was));
    }
  g_snprintf (name, sizeof name, "bend-%s", sl_headline_symbol (headline));
  sl_bench_print (name, bent ? sl_bench_now (CLOCK_MONOTONIC) - begin : (double) NAN, "s");
}

void
sl_window_bench_overview (SlWindow *window)
{
  SlOverview *overview = sl_window_get_overview (window);

  measure_opening (window, overview);
  measure_bend (overview, SL_HEADLINE_SPARSITY, 0.8);
  measure_bend (overview, SL_HEADLINE_RANK, 0.05);
  measure_bend (overview, SL_HEADLINE_ACTIVE, 0.7);
}
