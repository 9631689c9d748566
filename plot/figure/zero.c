/* SPDX-License-Identifier: MIT
 *
 * Zeros on logarithmic axes.  */
#include "plot/figure/zero.h"

#include "plot/figure/reduce.h"

#define FOOT 0.1 /* of an axis, before a layout knows how much it needs */

SlScale
sl_figure_x (const SlFigure *figure)
{
  SlScale x = sl_scale_new (figure->x_range.lo, figure->x_range.hi,
                            figure->view.log_x && !sl_figure_kind (figure)->linear_x);

  x.foot = figure->x_zero ? FOOT : 0.0;
  return x;
}

/* Whether a curve has a point at x = 0. */
static bool
begins_at_zero (const SlCurve *curve, const SlPoints *points)
{
  size_t at = curve->scatter ? 0 : sl_points_find (points, 0.0, 0);

  while (curve->scatter && at < points->n && points->x[at] != 0.0)
    at++;
  return at < points->n && points->x[at] == 0.0;
}

bool
sl_figure_zero_x (const SlFigure *figure)
{
  const SlView *view = &figure->view;

  if (!view->log_x || view->zoomed || view->window > 0.0 || !sl_figure_kind (figure)->lines)
    return false;
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlPoints points = sl_points_of_curve (&figure->curve[c]);

      if (!figure->curve[c].hidden && begins_at_zero (&figure->curve[c], &points))
        return true;
    }
  return false;
}

bool
sl_figure_zero_y (const SlFigure *figure)
{
  SlScale x = sl_figure_x (figure);

  if (!figure->view.log_y || !sl_figure_kind (figure)->lines)
    return false;
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints       points = sl_points_of_curve (curve);
      size_t         first = 0, last = points.n;
      double         least, most;

      if (curve->hidden)
        continue;
      if (!curve->scatter)
        sl_points_visible (&points, &x, &first, &last);
      if (sl_points_range (&points, first, last, &least, &most) && least == 0.0)
        return true;
    }
  return false;
}
