/* SPDX-License-Identifier: MIT
 *
 * From data to px and back on a laid-out figure: what is at a point, and views that are changed
 * there.  */
#include <glib.h>
#include <math.h>

#include "plot/figure/reduce.h"
#include "plot/layout/frame.h"

double
sl_frame_x (const SlFrame *frame, double value)
{
  return frame->plot.x + frame->plot.w * sl_scale_map (&frame->x, value);
}

double
sl_frame_y (const SlFrame *frame, double value)
{
  double at = sl_scale_map (&frame->y, value);

  return frame->plot.y + frame->inset
         + (frame->plot.h - 2.0 * frame->inset) * (frame->flip_y ? at : 1.0 - at);
}

double
sl_frame_value_x (const SlFrame *frame, double px)
{
  return sl_scale_unmap (&frame->x, (px - frame->plot.x) / MAX (frame->plot.w, 1.0));
}

double
sl_frame_value_y (const SlFrame *frame, double px)
{
  double length = MAX (frame->plot.h - 2.0 * frame->inset, 1.0);

  return sl_scale_unmap (&frame->y, 1.0 - (px - frame->plot.y - frame->inset) / length);
}

double
sl_frame_pixel (const SlFrame *frame, double value)
{
  double at = sl_frame_x (frame, value);

  return fabs (sl_frame_value_x (frame, at + 0.5) - sl_frame_value_x (frame, at - 0.5));
}

int
sl_frame_chip (const SlFrame *frame, double x, double y)
{
  for (unsigned i = 0; i < frame->n_chips; i++)
    if (sl_rect_contains (&frame->chip[i].rect, x, y))
      return (int) i;
  return -1;
}

unsigned
sl_frame_marker (const SlFrame *frame, double x, double y)
{
  unsigned nearest = 0;
  double   distance = 4.0;

  for (unsigned i = 0; i < frame->n_flags; i++)
    {
      if (sl_rect_contains (&frame->flag[i].badge, x, y))
        return frame->flag[i].last;
      if (sl_rect_contains (&frame->plot, x, y) && fabs (frame->flag[i].x - x) < distance)
        {
          distance = fabs (frame->flag[i].x - x);
          nearest = frame->flag[i].badge.w > 0.0 || i + 1 == frame->n_flags ? frame->flag[i].last
                                                                            : frame->flag[i].first;
        }
    }
  return nearest;
}

double
sl_frame_handle_radius (const SlFrame *frame)
{
  return MAX (0.42 * frame->type, 4.5);
}

bool
sl_frame_on_handle (const SlFrame *frame, double x, double y)
{
  double bottom = frame->plot.y + frame->plot.h, reach = sl_frame_handle_radius (frame) + 4.0;

  if (!frame->handle)
    return false;
  return hypot (x - frame->mark, y - bottom) <= reach
         || (fabs (x - frame->mark) <= 4.0 && y >= frame->plot.y && y <= bottom);
}

bool
sl_frame_cell (const SlFrame *frame, const SlFigure *figure, double x, double y, unsigned *tile,
               unsigned *row, unsigned *column, double *value)
{
  double px = x - frame->plot.x, py = y - frame->plot.y;
  double w = frame->plot.w, h = frame->plot.h;

  /* The frame may be older than the figure, which a new run has emptied. */
  if (frame->empty || sl_figure_empty (figure) || !sl_figure_kind (figure)->cells
      || !sl_rect_contains (&frame->plot, x, y))
    return false;
  *tile = 0;
  if (!sl_figure_kind (figure)->axes)
    {
      bool   inside = false;
      SlRect at = { 0 };

      for (unsigned t = 0; frame->tiles.across > 0 && t < figure->matrix.tiles && !inside; t++)
        {
          at = sl_frame_tile (frame, t);
          inside = sl_rect_contains (&at, x, y);
          *tile = t;
        }
      if (!inside)
        return false;
      px = x - at.x;
      py = y - at.y;
      w = at.w;
      h = at.h;
    }
  *row = MIN ((unsigned) (py / h * figure->matrix.rows), figure->matrix.rows - 1);
  *column = MIN ((unsigned) (px / w * figure->matrix.columns), figure->matrix.columns - 1);
  *value = figure->plane.side > 0
             ? figure->plane.plane[SL_MAP_PATTERN][(size_t) *row * figure->matrix.columns + *column]
             : sl_figure_cell (figure, *tile, 0, *row, *column);
  return true;
}

unsigned
sl_frame_row (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  const SlFigureKind *kind = sl_figure_kind (figure);
  unsigned            n = kind->count != NULL ? kind->count (figure) : 0;

  if (frame->empty || !sl_rect_contains (&frame->plot, x, y) || n == 0)
    return 0;
  if (kind->row_axis)
    return MIN ((unsigned) ((y - frame->plot.y) / frame->plot.h * n), n - 1) + 1;
  return kind->row_at != NULL ? kind->row_at (frame, figure, x, y) : 0;
}

/* The y of a curve's line at an x, px; not-a-number beyond its ends. */
static double
line_at (const SlFrame *frame, const SlPoints *points, double px)
{
  double x = sl_frame_value_x (frame, px), x0, x1, y0, y1;
  size_t after = sl_points_find (points, x, 0);

  if (after == 0 || after == points->n)
    return NAN;
  x0 = sl_frame_x (frame, points->x[after - 1]);
  x1 = sl_frame_x (frame, points->x[after]);
  y0 = sl_frame_y (frame, points->y[after - 1]);
  y1 = sl_frame_y (frame, points->y[after]);
  return y0 + (y1 - y0) * (px - x0) / (x1 - x0);
}

/* Bars of one category are side by side, so that the tallest is what a rectangle meets. */
static unsigned
hidden_bars (const SlFrame *frame, const SlFigure *figure, const SlRect *rect)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    for (size_t i = 0; !figure->curve[c].hidden && i < figure->curve[c].n; i++)
      {
        double left = frame->plot.x + (double) i * frame->bar;
        double top = sl_frame_y (frame, figure->curve[c].y[i]) - frame->type;

        n += left < rect->x + rect->w && left + frame->bar > rect->x && top < rect->y + rect->h;
      }
  return n;
}

unsigned
sl_frame_hidden (const SlFrame *frame, const SlFigure *figure, const SlRect *rect)
{
  enum { PLACES = 40, POINTS = 400 };
  unsigned n = 0;

  if (!sl_figure_kind (figure)->values)
    return 0;
  if (sl_figure_kind (figure)->bars)
    return hidden_bars (frame, figure, rect);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints       points = sl_points_of_curve (curve);

      if (curve->hidden)
        continue;
      if (curve->scatter || points.n == 1)
        for (size_t i = 0; i < points.n; i += MAX (points.n / POINTS, 1))
          n += sl_rect_contains (rect, sl_frame_x (frame, points.x[i]),
                                 sl_frame_y (frame, points.y[i]));
      else
        for (unsigned i = 0; i < PLACES; i++)
          {
            double px = rect->x + rect->w * (i + 0.5) / PLACES;

            n += sl_rect_contains (rect, px, line_at (frame, &points, px));
          }
    }
  return n;
}

static bool
wide_enough (double lo, double hi)
{
  return isfinite (lo) && isfinite (hi) && hi - lo > 1e-9 * MAX (fabs (lo), fabs (hi));
}

/* The values at two positions, on the axis itself continued over its foot. */
static SlRange
without_foot (SlScale scale, double from, double to)
{
  double foot = scale.foot;

  scale.foot = 0.0;
  return (SlRange) { sl_scale_unmap (&scale, (from - foot) / (1.0 - foot)),
                     sl_scale_unmap (&scale, (to - foot) / (1.0 - foot)) };
}

/* A new x range by positions on the shown one, kept near the data. */
static void
view_x (const SlFrame *frame, const SlFigure *figure, SlView *view, double from, double to)
{
  SlRange range = without_foot (frame->x, from, to);
  double  lo = range.lo, hi = range.hi, least, most;

  if (sl_figure_extent (figure, &least, &most) && !view->log_x)
    {
      double reach = 0.5 * (hi - lo), shift;

      shift = lo > most + reach - (hi - lo)    ? most + reach - (hi - lo) - lo
              : hi < least - reach + (hi - lo) ? least - reach + (hi - lo) - hi
                                               : 0.0;
      lo += shift;
      hi += shift;
    }
  if (!wide_enough (lo, hi))
    return;
  view->zoomed = true;
  view->x_lo = lo;
  view->x_hi = hi;
}

static void
view_y (const SlFrame *frame, SlView *view, double from, double to)
{
  SlRange range = without_foot (frame->y, from, to);

  if (!wide_enough (range.lo, range.hi))
    return;
  view->y_locked = true;
  view->y_lo = range.lo;
  view->y_hi = range.hi;
}

static bool
zoomable (const SlFrame *frame, const SlFigure *figure)
{
  return !frame->empty && (sl_figure_kind (figure)->steps || sl_figure_kind (figure)->lines);
}

/* Positions on the axes of a point in px. */
static double
at_x (const SlFrame *frame, double px)
{
  return (px - frame->plot.x) / MAX (frame->plot.w, 1.0);
}

static double
at_y (const SlFrame *frame, double px)
{
  return 1.0 - (px - frame->plot.y - frame->inset) / MAX (frame->plot.h - 2.0 * frame->inset, 1.0);
}

void
sl_frame_zoom (const SlFrame *frame, SlFigure *figure, double x, double y, double factor_x,
               double factor_y)
{
  SlView view = figure->view;
  double cx = CLAMP (at_x (frame, x), 0.0, 1.0), cy = CLAMP (at_y (frame, y), 0.0, 1.0);

  if (!zoomable (frame, figure))
    return;
  if (factor_x != 1.0)
    view_x (frame, figure, &view, cx - cx * factor_x, cx + (1.0 - cx) * factor_x);
  if (factor_y != 1.0 && sl_figure_kind (figure)->lines)
    view_y (frame, &view, cy - cy * factor_y, cy + (1.0 - cy) * factor_y);
  sl_figure_set_view (figure, &view);
}

void
sl_frame_zoom_to (const SlFrame *frame, SlFigure *figure, const SlRect *box)
{
  SlView view = figure->view;

  if (!zoomable (frame, figure) || !(box->w > 0.0) || !(box->h > 0.0))
    return;
  view_x (frame, figure, &view, CLAMP (at_x (frame, box->x), 0.0, 1.0),
          CLAMP (at_x (frame, box->x + box->w), 0.0, 1.0));
  if (sl_figure_kind (figure)->lines)
    view_y (frame, &view, at_y (frame, box->y + box->h), at_y (frame, box->y));
  sl_figure_set_view (figure, &view);
}

void
sl_frame_pan (const SlFrame *frame, SlFigure *figure, double dx, double dy)
{
  SlView view = figure->view;
  double x = dx / MAX (frame->plot.w, 1.0), y = dy / MAX (frame->plot.h - 2.0 * frame->inset, 1.0);

  if (!zoomable (frame, figure))
    return;
  if (dx != 0.0)
    view_x (frame, figure, &view, -x, 1.0 - x);
  if (dy != 0.0 && sl_figure_kind (figure)->lines)
    view_y (frame, &view, y, 1.0 + y);
  sl_figure_set_view (figure, &view);
}
