/* SPDX-License-Identifier: MIT
 *
 * Means of the samples around places along a curve; see smooth.h.  The places do not move when the
 * shown range grows a little, so that a curve does not tremble while its run goes on.  */
#include "plot/figure/smooth.h"

#include <glib.h>
#include <math.h>

enum {
  PLACES = 256, /* at least, over the shown width, where there are as many samples */
  LEAST = 3,    /* samples to a mean, below which there is nothing to smooth */
  LOOKED_AT = 256
};

#define NOISY 0.004 /* of the shown height between a sample and the middle of its neighbours */

/* Along the axis in units that do not depend on the shown range: x, or decades of it. */
static double
along (const SlScale *scale, double x)
{
  if (!scale->logarithmic)
    return x;
  return x > 0.0 ? log10 (x) : -HUGE_VAL;
}

static double
back (const SlScale *scale, double u)
{
  return scale->logarithmic ? pow (10.0, u) : u;
}

static void
add (SlSmoothed *smoothed, double x, double y)
{
  if (smoothed->n == smoothed->capacity)
    {
      smoothed->capacity = MAX (2 * smoothed->capacity, 64);
      smoothed->x = g_renew (double, smoothed->x, smoothed->capacity);
      smoothed->y = g_renew (double, smoothed->y, smoothed->capacity);
    }
  smoothed->x[smoothed->n] = x;
  smoothed->y[smoothed->n++] = y;
}

/* The mean around a sample.  Before it are no more samples than behind the beginning, so that a curve
 * that falls steeply begins where it does; a gap stays a gap.  */
static double
mean_around (const SlSeries *series, const SlScale *scale, size_t i, double half)
{
  SlPoints points = sl_points_of_series (series);
  double   u = along (scale, series->step[i]), mean = NAN;
  size_t   first, last;

  half = fmin (half, u - along (scale, series->step[0]));
  first = sl_points_find (&points, back (scale, u - half), i);
  last = sl_points_find (&points, nextafter (back (scale, u + half), HUGE_VAL), i);
  if (isfinite (series->value[i]))
    sl_series_mean (series, MIN (first, i), MAX (last, i + 1), &mean);
  return mean;
}

static void
smooth_curve (SlCurve *curve, const SlScale *scale, double share)
{
  const SlSeries *series = curve->series;
  SlPoints        points = sl_points_of_series (series);
  double          width = along (scale, scale->hi) - along (scale, scale->lo);
  double          step = exp2 (floor (log2 (width / PLACES)));
  size_t          first, last;

  sl_points_visible (&points, scale, &first, &last);
  if ((double) (last - first) * share < LEAST)
    return;
  first -= first > 0;
  last = MIN (last + 1, series->n);
  for (size_t i = first; i < last;)
    {
      double u = along (scale, series->step[i]);
      size_t next = i + 1;

      add (&curve->smooth, series->step[i], mean_around (series, scale, i, 0.5 * share * width));
      if (isfinite (u))
        next = sl_points_find (&points, back (scale, (floor (u / step) + 1.0) * step), i);
      next = MAX (next, i + 1);
      /* The last sample ends the curve. */
      i = next >= last && i + 1 < last ? last - 1 : next;
    }
}

/* Whether a curve has what it had when it was smoothed last. */
static bool
is_done (const SlCurve *curve, const SlScale *scale, double share)
{
  const SlSmoothed *smoothed = &curve->smooth;

  return smoothed->share == share && smoothed->version == curve->series->version
         && smoothed->lo == scale->lo && smoothed->hi == scale->hi
         && smoothed->logarithmic == scale->logarithmic;
}

void
sl_smooth_curves (SlFigure *figure)
{
  SlScale scale = sl_figure_x (figure);
  double  share = sl_figure_kind (figure)->lines ? figure->view.smooth : 0.0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlCurve    *curve = &figure->curve[c];
      SlSmoothed *smoothed = &curve->smooth;

      if (curve->series == NULL || curve->style != SL_MEASURED || !(share > 0.0))
        {
          smoothed->n = 0;
          smoothed->share = 0.0;
          continue;
        }
      if (is_done (curve, &scale, share))
        continue;
      smoothed->n = 0;
      smoothed->share = share;
      smoothed->version = curve->series->version;
      smoothed->lo = scale.lo;
      smoothed->hi = scale.hi;
      smoothed->logarithmic = scale.logarithmic;
      if (!curve->hidden)
        smooth_curve (curve, &scale, share);
    }
}

/* Whether samples lie beside the middle of their neighbours far enough to be seen. */
static bool
is_noisy (const SlSeries *series, const SlScale *x, const SlScale *y)
{
  SlPoints points = sl_points_of_series (series);
  double   sum = 0.0;
  size_t   first, last, step, n = 0;

  sl_points_visible (&points, x, &first, &last);
  step = MAX ((last - first) / LOOKED_AT, 1);
  for (size_t i = first + 1; i + 1 < last; i += step)
    {
      double away
        = sl_scale_map (y, series->value[i])
          - 0.5 * (sl_scale_map (y, series->value[i - 1]) + sl_scale_map (y, series->value[i + 1]));

      if (!isfinite (away))
        continue;
      sum += fabs (away);
      n++;
    }
  return n > 0 && sum / (double) n > NOISY;
}

void
sl_smooth_judge (SlFigure *figure)
{
  SlScale x = sl_figure_x (figure);
  SlScale y = sl_scale_new (figure->y_range.lo, figure->y_range.hi, figure->view.log_y);

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlCurve *curve = &figure->curve[c];

      curve->smooth.noisy
        = curve->smooth.n > 0 && (figure->view.hide_raw || is_noisy (curve->series, &x, &y));
    }
}

SlPoints
sl_smooth_points (const SlCurve *curve)
{
  return (SlPoints) { curve->smooth.x, curve->smooth.y, curve->smooth.noisy ? curve->smooth.n : 0,
                      NULL };
}

double
sl_smooth_at (const SlCurve *curve, double x)
{
  SlPoints points = sl_smooth_points (curve);
  size_t   after = sl_points_find (&points, x, 0);
  double   before, t;

  if (after == points.n || (after == 0 && points.x[0] > x))
    return NAN;
  if (points.x[after] == x)
    return points.y[after];
  before = points.x[after - 1];
  t = (x - before) / (points.x[after] - before);
  return (1.0 - t) * points.y[after - 1] + t * points.y[after];
}
