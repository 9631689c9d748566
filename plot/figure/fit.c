/* SPDX-License-Identifier: MIT
 *
 * Finds what the axes and colours of a figure go over, from the view and the data; see
 * figure.h.  */
#include "plot/figure/figure.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "plot/figure/fit.h"
#include "plot/figure/reduce.h"
#include "plot/figure/rows.h"
#include "plot/figure/smooth.h"
#include "plot/figure/zero.h"

/* Columns that represent a curve where only its extent matters. */
enum { FIT_COLUMNS = 256 };

/* A count over so many numbers ends at the last of them rather than at a round one. */
enum { FEW_WHOLE = 32 };

#define BAR_ROOM 1.1 /* height of the axis over that of the tallest bar */
#define A_LITTLE 0.1 /* above a given range, of it, that is no reason for another step of ticks */

/* Half width of an error bar; none where it is unknown. */
static double
spread_of (const double *spread, size_t i)
{
  return spread != NULL && isfinite (spread[i]) ? spread[i] : 0.0;
}

bool
sl_figure_extent (const SlFigure *figure, double *lo, double *hi)
{
  double least = HUGE_VAL, most = -HUGE_VAL;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints       points = sl_points_of_curve (curve);
      size_t         first = 0;

      if (curve->hidden || points.n == 0)
        continue;
      if (curve->scatter)
        for (size_t i = 0; i < points.n; i++)
          {
            if (!isfinite (points.x[i]) || (figure->view.log_x && points.x[i] <= 0.0))
              continue;
            sl_fit_widen (points.x[i] - spread_of (curve->spread_x, i), figure->view.log_x, &least,
                          &most);
            sl_fit_widen (points.x[i] + spread_of (curve->spread_x, i), figure->view.log_x, &least,
                          &most);
          }
      else
        {
          if (figure->view.log_x)
            first = sl_points_find (&points, G_MINDOUBLE, 0);
          if (first < points.n)
            {
              least = fmin (least, points.x[first]);
              most = fmax (most, points.x[points.n - 1]);
            }
        }
    }
  if (!(least <= most))
    return false;
  *lo = least;
  *hi = most;
  return true;
}

static SlRange
fit_x (const SlFigure *figure)
{
  const SlFigureKind *kind = sl_figure_kind (figure);
  const SlView       *view = &figure->view;
  double              lo = NAN, hi = NAN;
  SlRange             range;

  if (kind->fit_x != NULL && kind->fit_x (figure, &range))
    return range;
  if (view->zoomed && view->x_lo < view->x_hi)
    return (SlRange) { view->x_lo, view->x_hi };
  if (sl_figure_extent (figure, &lo, &hi))
    {
      if (view->window > 0.0)
        lo = MAX (lo, hi - view->window);
      else if (kind->steps && !view->log_x)
        {
          /* A run begins at the origin, and its first samples do not fill the width. */
          lo = lo > 0.0 && lo < 0.05 * hi ? 0.0 : lo;
          hi = MAX (hi, lo + 10.0);
        }
      else if (!kind->steps && lo < hi)
        {
          /* Markers at both ends keep a distance from the edges. */
          SlScale shown = sl_scale_new (lo, hi, view->log_x);

          lo = sl_scale_unmap (&shown, -0.025);
          hi = sl_scale_unmap (&shown, 1.025);
        }
    }
  if (figure->x.lo < figure->x.hi)
    {
      lo = fmin (lo, figure->x.lo);
      hi = fmax (hi, figure->x.hi);
    }
  return (SlRange) { lo, hi };
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Leaves out what lies far outside the bulk of the column extrema. */
static void
trim_outliers (double *value, size_t n, double *lo, double *hi)
{
  double quarter, three, reach;

  if (n < 8)
    return;
  qsort (value, n, sizeof *value, compare);
  quarter = value[n / 4];
  three = value[n - 1 - n / 4];
  reach = 3.0 * (three - quarter);
  if (!(reach > 0.0))
    return;
  *lo = fmax (*lo, quarter - reach);
  *hi = fmin (*hi, three + reach);
}

static void
curve_extent (const SlFigure *figure, const SlCurve *curve, const SlScale *x, SlColumn *columns,
              double *value, size_t *n_values, double *lo, double *hi)
{
  bool     logarithmic = figure->view.log_y, bars = sl_figure_kind (figure)->bars;
  SlPoints points = sl_points_of_curve (curve);

  if (figure->view.hide_raw && sl_smooth_points (curve).n > 0)
    points = sl_smooth_points (curve);
  if (curve->spread != NULL || curve->scatter || bars)
    {
      for (size_t i = 0; i < points.n; i++)
        if (bars || (points.x[i] >= sl_scale_least (x) && points.x[i] <= x->hi))
          {
            double spread = spread_of (curve->spread, i);

            sl_fit_widen (points.y[i] - spread, logarithmic, lo, hi);
            sl_fit_widen (points.y[i] + spread, logarithmic, lo, hi);
          }
      return;
    }
  if (!logarithmic && !figure->view.robust)
    {
      sl_fit_widen_visible (&points, x, false, lo, hi);
      return;
    }
  sl_reduce (&points, x, FIT_COLUMNS, columns);
  for (unsigned c = 0; c < FIT_COLUMNS; c++)
    {
      sl_fit_widen (columns[c].lo, logarithmic, lo, hi);
      sl_fit_widen (columns[c].hi, logarithmic, lo, hi);
      if (columns[c].lo <= columns[c].hi)
        {
          value[(*n_values)++] = columns[c].lo;
          value[(*n_values)++] = columns[c].hi;
        }
    }
}

/* The edges of the visible part of a band. */
static void
band_extent (const SlFigure *figure, const SlCurve *curve, const SlScale *x, double *lo, double *hi)
{
  const SlSeries *const edge[] = { curve->low, curve->high };

  for (unsigned i = 0; i < G_N_ELEMENTS (edge) && edge[i] != NULL; i++)
    {
      SlPoints points = sl_points_of_series (edge[i]);

      sl_fit_widen_visible (&points, x, figure->view.log_y, lo, hi);
    }
}

/* The tallest pile of parts; above a given range, with the ends of its error lines. */
static void
stack_extent (const SlFigure *figure, double *lo, double *hi)
{
  for (unsigned i = 0; i < figure->categories.n; i++)
    {
      double sum = 0.0, end = 0.0;

      for (unsigned c = 0; c < figure->n_curves; c++)
        if (!figure->curve[c].hidden && i < figure->curve[c].n && figure->curve[c].y[i] > 0.0)
          {
            sum += figure->curve[c].y[i];
            end = fmax (end, sum + spread_of (figure->curve[c].spread, i));
          }
      sl_fit_widen (sum, false, lo, hi);
      if (!(figure->y.lo < figure->y.hi && sum <= figure->y.hi))
        sl_fit_widen (end, false, lo, hi);
    }
}

/* Keeps a range to what can be.  Bars have some room above for their numbers. */
static SlRange
keep_possible (const SlFigure *figure, SlRange range)
{
  double least, most;

  sl_axis_bounds (&figure->y, &least, &most);
  if (sl_figure_kind (figure)->bars)
    most *= BAR_ROOM;
  if (range.lo >= most || range.hi <= least)
    return range;
  return (SlRange) { fmax (range.lo, least), fmin (range.hi, most) };
}

/* What is counted has an axis from one whole number to another, at least two of them. */
static void
widen_whole (double *lo, double *hi)
{
  *lo = floor (*lo + 1e-9);
  *hi = ceil (*hi - 1e-9);
  if (*hi > *lo)
    return;
  *lo = *lo > 0.0 ? *lo - 1.0 : *lo;
  *hi += 1.0;
}

static SlRange
fit_y (const SlFigure *figure)
{
  const SlFigureKind  *kind = sl_figure_kind (figure);
  const SlView        *view = &figure->view;
  SlScale              x = sl_figure_x (figure);
  double               lo = HUGE_VAL, hi = -HUGE_VAL;
  size_t               n_values = 0;
  g_autofree SlColumn *columns = NULL;
  g_autofree double   *value = NULL;
  SlRange              range;
  SlScale              y;
  bool                 few;

  if (kind->fit_y != NULL && kind->fit_y (figure, &range))
    return range;
  if (view->y_locked && view->y_lo < view->y_hi)
    return keep_possible (figure, (SlRange) { view->y_lo, view->y_hi });
  columns = g_new (SlColumn, FIT_COLUMNS);
  value = g_new (double, 2 * FIT_COLUMNS * MAX (figure->n_curves, 1));
  if (figure->categories.stacked)
    stack_extent (figure, &lo, &hi);
  for (unsigned c = 0; c < figure->n_curves && !figure->categories.stacked; c++)
    if (!figure->curve[c].hidden)
      {
        curve_extent (figure, &figure->curve[c], &x, columns, value, &n_values, &lo, &hi);
        if (!view->robust)
          band_extent (figure, &figure->curve[c], &x, &lo, &hi);
      }
  if (view->robust)
    trim_outliers (value, n_values, &lo, &hi);
  if (kind->bars && !view->log_y)
    {
      sl_fit_widen (0.0, false, &lo, &hi);
      /* A bar that rounding or the end of an error line puts below the axis is none that goes down. */
      if (lo < 0.0 && figure->y.lo == 0.0 && figure->y.hi > 0.0 && lo > -0.02 * hi)
        lo = 0.0;
      /* Room for the numbers above the bars, which those of parts do not have. */
      if (hi > 0.0 && lo <= hi && !figure->categories.stacked)
        hi += (BAR_ROOM - 1.0) * (hi - lo);
    }
  if (figure->y.lo < figure->y.hi)
    {
      sl_fit_widen (figure->y.lo, view->log_y, &lo, &hi);
      sl_fit_widen (figure->y.hi, view->log_y, &lo, &hi);
    }
  few = figure->y.whole && !view->log_y && hi - lo <= FEW_WHOLE;
  if (few && lo <= hi)
    widen_whole (&lo, &hi);
  y = lo <= hi ? sl_scale_new (lo, hi, view->log_y) : sl_scale_new (NAN, NAN, view->log_y);
  /* What is never below 0 has 0 at the foot rather than in the middle. */
  if (lo == 0.0 && hi == 0.0)
    y.lo = 0.0;
  if (!few)
    sl_scale_widen (&y, FIT_TICKS);
  /* A range that the panel gives is as it is to be, whatever ticks would like; what is a little above it, as
   * 102 % are, does not add a step of ticks.  */
  if (figure->y.lo < figure->y.hi)
    {
      y.lo = lo == figure->y.lo ? lo : y.lo;
      y.hi = hi <= figure->y.hi + A_LITTLE * (figure->y.hi - figure->y.lo) ? hi : y.hi;
    }
  return keep_possible (figure, (SlRange) { y.lo, y.hi });
}

void
sl_figure_fit (SlFigure *figure, double now)
{
  const SlFigureKind *kind = sl_figure_kind (figure);
  bool                at_once = !figure->fitted || now == HUGE_VAL;
  SlRange             need;

  sl_figure_refresh (figure);
  if (kind->prepare_fit != NULL)
    kind->prepare_fit (figure);
  figure->x_range = fit_x (figure);
  figure->x_zero = sl_figure_zero_x (figure);
  sl_smooth_curves (figure);
  if (figure->view.hide_raw)
    sl_smooth_judge (figure);
  if (kind->rows)
    sl_rows_order (figure, at_once, now);
  if (kind->tinted || figure->colours.toned)
    sl_fit_tint (figure, at_once, now);
  need = fit_y (figure);
  figure->y_zero = sl_figure_zero_y (figure);
  if (at_once || figure->view.y_locked || !kind->values)
    {
      figure->y_range = need;
      figure->smaller_since = now;
      /* The range of an empty figure is not one that values would have to shrink. */
      figure->fitted = !sl_figure_empty (figure);
    }
  else
    sl_fit_settle (&figure->y_range, need, &figure->smaller_since, now);
  sl_smooth_judge (figure);
}
