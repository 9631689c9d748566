/* SPDX-License-Identifier: MIT
 *
 * Axes and curves in units of the data, for a canvas that has axes of its own (pgfplots, scripts):
 * numbers that the user can read and restyle instead of places on the page.  */
#include <math.h>

#include "plot/draw/curves.h"
#include "plot/draw/private.h"

enum { LEAST_COLUMNS = 40 };

/* Not for what such axes cannot show: a zero at the foot of a logarithm, points of several colours,
 * rings around points.  */
bool
sl_draw_by_values (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  if (d->canvas->axes == NULL || f->empty || f->x.foot > 0.0 || f->y.foot > 0.0)
    return false;
  if (sl_frame_kind (f)->bars)
    return d->canvas->bars != NULL;
  if (sl_frame_kind (f)->row_axis)
    return d->canvas->cells != NULL;
  if (!sl_frame_kind (f)->lines)
    return false;
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    if (!d->figure->curve[c].hidden
        && (d->figure->curve[c].tone != NULL || d->figure->curve[c].around))
      return false;
  return true;
}

/* The values of the lower and the upper edge of the plot, part of which is kept free for the width
 * of lines.  */
static SlScale
whole_y (const SlFrame *f)
{
  SlScale scale = f->y;

  if (f->flip_y)
    {
      scale.lo = f->y.hi;
      scale.hi = f->y.lo;
      return scale;
    }
  scale.lo = sl_frame_value_y (f, f->plot.y + f->plot.h);
  scale.hi = sl_frame_value_y (f, f->plot.y);
  return scale;
}

void
sl_draw_begin_values (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  SlCanvasAxes   axes = {
      .plot = f->plot,
      .x = f->x,
      .y = whole_y (f),
      .x_tick = f->x_tick,
      .y_tick = f->y_tick,
      .x_at = f->x_at,
      .y_at = f->y_at,
      .n_x_ticks = f->n_x_ticks,
      .n_y_ticks = f->n_y_ticks,
      .x_label = f->x_label,
      .y_label = f->y_label,
      .x_label_y = f->x_label_y,
      .y_label_x = f->y_label_x,
      .x_second = f->x_second[0],
      .type = d->theme->type,
      .x_type = f->x_type,
      .upright = f->upright,
      .categories = sl_frame_kind (f)->bars,
      .bare = sl_frame_kind (f)->row_axis,
      .hair = sl_draw_hair (d),
      .axis = d->theme->axis,
      .grid = d->theme->grid,
      .soft = d->theme->soft,
      .ink = d->theme->ink,
  };

  d->canvas->axes (d->canvas, &axes);
}

/* How many columns each curve of a page may have. */
static unsigned
columns_of (const SlDrawing *d)
{
  unsigned curves = 0, most, each;

  for (unsigned c = 0; c < d->figure->n_curves; c++)
    {
      const SlCurve *curve = &d->figure->curve[c];
      SlPoints       raw;

      if (curve->hidden)
        continue;
      sl_draw_points (d->figure, curve, &raw);
      curves += raw.n > 0 ? 2 : 1;
    }
  most = (unsigned) MAX (0.5 * d->canvas->points_px * d->frame->plot.w, 1.0);
  each = d->canvas->points_max / (2 * MAX (d->figures, 1) * MAX (curves, 1));
  return CLAMP (each, LEAST_COLUMNS, MAX (most, LEAST_COLUMNS));
}

/* Gives the canvas the points of a curve as they are, or thinned as on paper. */
static void
put (const SlDrawing *d, const SlPoints *points, bool all, SlCanvasCurve *curve)
{
  const SlFrame *f = d->frame;
  GArray        *path;

  if (all)
    {
      size_t first = 0, last = points->n;

      path = g_array_new (FALSE, FALSE, sizeof (SlXY));
      if (curve->width > 0.0)
        {
          sl_points_visible (points, &f->x, &first, &last);
          first -= first > 0;
          last += last < points->n;
        }
      for (size_t i = first; i < last; i++)
        {
          SlXY at = { points->x[i], points->y[i] };

          g_array_append_val (path, at);
        }
    }
  else
    {
      path = sl_draw_path (d, points, columns_of (d));
      for (unsigned i = 0; i < path->len; i++)
        {
          SlXY *at = &g_array_index (path, SlXY, i);

          *at = (SlXY) { sl_frame_value_x (f, at->x),
                         isfinite (at->y) ? sl_frame_value_y (f, at->y) : (double) NAN };
        }
    }
  curve->points = (const SlXY *) (void *) path->data;
  curve->n = path->len;
  if (path->len > 0)
    d->canvas->curve (d->canvas, curve);
  g_array_unref (path);
}

/* The line of a curve, or the raw values behind all lines. */
static void
put_curve (const SlDrawing *d, unsigned c, bool behind)
{
  const SlCurve *curve = &d->figure->curve[c];
  SlPen          pen = sl_curve_pen (d->theme, curve);
  SlPoints       raw, points = sl_draw_points (d->figure, curve, &raw);
  bool           marks = sl_figure_marked (d->figure, c) && sl_draw_marks_all (d, curve, &points);
  double         dash[8];
  SlCanvasCurve  given = { .id = curve->id,
                           .colour = pen.colour,
                           .rim = d->theme->plot,
                           .opacity = 1.0,
                           .width = curve->scatter ? 0.0 : pen.width,
                           .dash = sl_draw_dash (&pen, dash),
                           .marker = sl_theme_marker (curve->slot, curve->style),
                           .mark_size = d->theme->marker
                                        * (points.n == 1 ? 1.35
                                           : curve->thin ? 0.5
                                                         : 1.0),
                           .marked = marks };

  if (behind && raw.n > 0)
    {
      g_autofree char *id = g_strdup_printf ("%s-raw", curve->id);

      given.id = id;
      given.width = sl_raw_pen (d->theme, curve).width;
      given.marked = false;
      given.opacity = SL_RAW_OPACITY;
      put (d, &raw, false, &given);
    }
  if (behind)
    return;
  if (!curve->scatter || marks)
    put (d, &points, marks, &given);
}

void
sl_draw_values (const SlDrawing *d)
{
  unsigned order[SL_CURVES_MAX], n = sl_draw_order (d->figure, order);

  sl_draw_begin_values (d);
  for (unsigned i = 0; i < 2 * n; i++)
    {
      d->canvas->style = order[i % n] + 1;
      put_curve (d, order[i % n], i < n);
    }
  d->canvas->style = 0;
  d->canvas->end_axes (d->canvas);
}
