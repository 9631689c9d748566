/* SPDX-License-Identifier: MIT
 *
 * What the colours of a figure go over, and the steps that axes and colours share; see fit.h.  */
#include "plot/figure/fit.h"

#include <glib.h>
#include <math.h>

#include "plot/figure/reduce.h"

#define SHRINK_AFTER 2.0 /* seconds */

void
sl_fit_widen (double value, bool logarithmic, double *lo, double *hi)
{
  if (isfinite (value) && (!logarithmic || value > 0.0))
    {
      *lo = fmin (*lo, value);
      *hi = fmax (*hi, value);
    }
}

void
sl_fit_widen_visible (const SlPoints *points, const SlScale *x, bool logarithmic, double *lo,
                      double *hi)
{
  size_t first, last;
  double least, most;

  sl_points_visible (points, x, &first, &last);
  if (!sl_points_range (points, first, last, &least, &most))
    return;
  sl_fit_widen (least, logarithmic, lo, hi);
  sl_fit_widen (most, logarithmic, lo, hi);
}

void
sl_fit_settle (SlRange *shown, SlRange need, double *smaller_since, double now)
{
  if (need.lo < shown->lo || need.hi > shown->hi)
    {
      shown->lo = MIN (shown->lo, need.lo);
      shown->hi = MAX (shown->hi, need.hi);
      *smaller_since = now;
    }
  else if (need.lo == shown->lo && need.hi == shown->hi)
    *smaller_since = now;
  else if (!(now - *smaller_since < SHRINK_AFTER))
    {
      *shown = need;
      *smaller_since = now;
    }
}

/* Extremes of what has a colour; false when nothing has one. */
static bool
colour_extent (const SlFigure *figure, double *lo, double *hi)
{
  SlScale x = sl_figure_x (figure);
  size_t  n = (size_t) figure->matrix.tiles * figure->matrix.rows * figure->matrix.columns;

  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  if (sl_figure_coloured (figure))
    return false;
  for (unsigned r = 0; r < figure->rows.n; r++)
    {
      SlPoints points = sl_points_of_curve (&figure->curve[figure->rows.curve[r]]);

      sl_fit_widen_visible (&points, &x, false, lo, hi);
    }
  for (unsigned c = 0; figure->colours.toned && c < figure->n_curves; c++)
    for (size_t i = 0; figure->curve[c].tone != NULL && i < figure->curve[c].n; i++)
      sl_fit_widen (figure->curve[c].tone[i], figure->z.logarithmic, lo, hi);
  for (size_t i = 0; figure->matrix.cell != NULL && i < n; i++)
    sl_fit_widen (figure->matrix.cell[i], false, lo, hi);
  return *lo <= *hi;
}

void
sl_fit_tint (SlFigure *figure, bool at_once, double now)
{
  SlRange shown = { figure->colours.tint.scale.lo, figure->colours.tint.scale.hi }, need;
  bool    logarithmic = figure->colours.toned
                          ? figure->z.logarithmic
                          : figure->view.log_y && sl_figure_kind (figure)->log_tint;
  double  lo, hi, least;
  bool    any = colour_extent (figure, &lo, &hi);

  if (figure->z.lo < figure->z.hi)
    shown = (SlRange) { figure->z.lo, figure->z.hi };
  else if (figure->colours.lo < figure->colours.hi)
    shown = (SlRange) { figure->colours.lo, figure->colours.hi };
  else
    {
      SlScale scale
        = any ? sl_scale_new (lo, hi, logarithmic) : sl_scale_new (NAN, NAN, logarithmic);

      /* The settings that were tried are the whole scale. */
      if (!figure->colours.toned)
        sl_scale_widen (&scale, FIT_TICKS);
      need = (SlRange) { scale.lo, scale.hi };
      if (at_once || figure->colours.toned)
        {
          shown = need;
          figure->colours.smaller_since = now;
        }
      else
        sl_fit_settle (&shown, need, &figure->colours.smaller_since, now);
    }
  figure->colours.tint = sl_tint_new (shown.lo, shown.hi, figure->colours.centre, logarithmic);
  /* By more than rounding. */
  least = 1e-9 * (figure->colours.tint.scale.hi - figure->colours.tint.scale.lo);
  figure->colours.tint.below = any && lo < figure->colours.tint.scale.lo - least;
  figure->colours.tint.above = any && hi > figure->colours.tint.scale.hi + least;
}
