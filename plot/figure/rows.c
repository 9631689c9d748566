/* SPDX-License-Identifier: MIT
 *
 * Order, means and stacking of the rows of a figure; see rows.h.  */
#include "plot/figure/rows.h"

#include <math.h>

#define SORT_AFTER 2.0 /* seconds */

/* The whole view as one mean; not-a-number without a value. */
static double
mean_in_view (const SlFigure *figure, unsigned curve)
{
  SlScale    x = sl_figure_x (figure);
  SlPoints   points = sl_points_of_curve (&figure->curve[curve]);
  double     edge[2];
  SlCellMean mean;

  sl_edges (&x, 1, edge);
  sl_means (&points, edge, 1, &mean);
  return mean.mean;
}

/* Largest first, rows without a value last; equal ones stay as they are. */
static void
sort (SlFigure *figure)
{
  double value[SL_CURVES_MAX];

  for (unsigned r = 0; r < figure->rows.n; r++)
    {
      unsigned curve = figure->rows.curve[r], at = r;
      double   mean = mean_in_view (figure, curve);

      while (at > 0 && (value[at - 1] < mean || (isnan (value[at - 1]) && !isnan (mean))))
        {
          figure->rows.curve[at] = figure->rows.curve[at - 1];
          value[at] = value[at - 1];
          at--;
        }
      figure->rows.curve[at] = curve;
      value[at] = mean;
    }
}

/* True when row[] still has exactly the visible curves. */
static bool
complete (const SlFigure *figure)
{
  unsigned visible = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    visible += !figure->curve[c].hidden;
  for (unsigned r = 0; r < figure->rows.n; r++)
    if (figure->rows.curve[r] >= figure->n_curves || figure->curve[figure->rows.curve[r]].hidden)
      return false;
  return visible == figure->rows.n;
}

void
sl_rows_order (SlFigure *figure, bool at_once, double now)
{
  if ((figure->view.sorted || sl_figure_has_bins (figure)) && !at_once && complete (figure)
      && now - figure->rows.ordered < SORT_AFTER)
    return;
  figure->rows.n = 0;
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (!figure->curve[c].hidden)
      figure->rows.curve[figure->rows.n++] = c;
  if (sl_figure_has_bins (figure))
    for (unsigned r = 0; r < figure->rows.n / 2; r++)
      {
        unsigned upper = figure->rows.curve[r];

        figure->rows.curve[r] = figure->rows.curve[figure->rows.n - 1 - r];
        figure->rows.curve[figure->rows.n - 1 - r] = upper;
      }
  else if (figure->view.sorted)
    sort (figure);
  figure->rows.ordered = now;
}

unsigned
sl_rows_count (const SlFigure *figure)
{
  return figure->rows.n;
}

void
sl_rows_means (const SlFigure *figure, const double *edge, unsigned columns, SlCellMean *out)
{
  for (unsigned r = 0; r < figure->rows.n; r++)
    {
      SlPoints points = sl_points_of_curve (&figure->curve[figure->rows.curve[r]]);

      sl_means (&points, edge, columns, out + (size_t) r * columns);
    }
}

void
sl_rows_at (const SlFigure *figure, double x, double width, SlCellMean *out)
{
  double edge[2] = { x - width / 2.0, x + width / 2.0 };

  sl_rows_means (figure, edge, 1, out);
}

bool
sl_rows_stack (const SlCellMean *means, unsigned n_rows, size_t stride, double *begin)
{
  double sum = 0.0, top = 0.0;

  for (unsigned r = 0; r < n_rows; r++)
    sum += means[r * stride].mean > 0.0 ? means[r * stride].mean : 0.0;
  if (!(sum > 0.0) || isinf (sum))
    return false;
  for (unsigned r = 0; r < n_rows; r++)
    {
      begin[r] = top / sum;
      top += means[r * stride].mean > 0.0 ? means[r * stride].mean : 0.0;
    }
  begin[n_rows] = 1.0;
  return true;
}

bool
sl_rows_joined (const double *before, const double *begin, unsigned r)
{
  double above = begin[r] - begin[r - 1], below = begin[r + 1] - begin[r];

  /* A band of nothing has nothing to hide. */
  if (above <= 0.0)
    above = below;
  if (below <= 0.0)
    below = above;
  return fabs (begin[r] - before[r]) <= 0.5 * (above < below ? above : below);
}

SlRgba
sl_rows_colour (const SlFigure *figure, const SlTheme *theme, unsigned curve)
{
  const SlCurve *self = &figure->curve[curve];

  if (figure->n_curves <= SL_THEME_COLOURS)
    return sl_theme_curve (theme, self->slot, self->style);
  return sl_map_sequential (theme, (double) curve / (figure->n_curves - 1));
}
