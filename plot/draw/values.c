/* SPDX-License-Identifier: MIT
 *
 * Axes and curves in units of the data, for a canvas that has axes of its own (pgfplots, scripts):
 * numbers that the user can read and restyle instead of places on the page.  */
#include <math.h>

#include "plot/draw/curves.h"
#include "plot/draw/private.h"

enum { LEAST_COLUMNS = 40 };

/* Not for what such axes cannot show: a zero at the foot of a logarithm and, on some canvases, points of several
 * colours.  */
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
  for (unsigned c = 0; c < d->figure->n_curves && !d->canvas->takes_tones; c++)
    if (!d->figure->curve[c].hidden && d->figure->curve[c].tone != NULL)
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

/* The line of a curve, thinned as on paper. */
static void
put_thinned (const SlDrawing *d, const SlPoints *points, SlCanvasCurve *curve)
{
  const SlFrame *f = d->frame;
  GArray        *path = sl_draw_path (d, points, columns_of (d));

  for (unsigned i = 0; i < path->len; i++)
    {
      SlXY *at = &g_array_index (path, SlXY, i);

      *at = (SlXY) { sl_frame_value_x (f, at->x),
                     isfinite (at->y) ? sl_frame_value_y (f, at->y) : (double) NAN };
    }
  curve->points = (const SlXY *) (void *) path->data;
  curve->n = path->len;
  if (path->len > 0)
    d->canvas->curve (d->canvas, curve);
  g_array_unref (path);
}

/* Points as they are, with what they have beside their places. */
typedef struct
{
  GArray *at;        /* of SlXY */
  GArray *spread[2]; /* of double: along x and y; empty for a curve without */
  GArray *tone;      /* likewise */
} Dots;

static void
dots_init (Dots *dots)
{
  dots->at = g_array_new (FALSE, FALSE, sizeof (SlXY));
  dots->spread[0] = g_array_new (FALSE, FALSE, sizeof (double));
  dots->spread[1] = g_array_new (FALSE, FALSE, sizeof (double));
  dots->tone = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
dots_clear (Dots *dots)
{
  g_array_unref (dots->at);
  g_array_unref (dots->spread[0]);
  g_array_unref (dots->spread[1]);
  g_array_unref (dots->tone);
}

/* A bar without length would be a stroke. */
static void
take_spread (GArray *to, const double *spread, size_t i)
{
  double length = spread != NULL && spread[i] > 0.0 ? spread[i] : (double) NAN;

  if (spread != NULL)
    g_array_append_val (to, length);
}

/* Takes the points that have a tone, or those that have none. */
static void
take (Dots *dots, const SlCurve *curve, const SlPoints *points, size_t first, size_t last,
      bool toned)
{
  for (size_t i = first; i < last; i++)
    {
      SlXY at = { points->x[i], points->y[i] };

      if (curve->tone != NULL && (bool) isfinite (curve->tone[i]) != toned)
        continue;
      g_array_append_val (dots->at, at);
      take_spread (dots->spread[0], curve->spread_x, i);
      take_spread (dots->spread[1], curve->spread, i);
      if (toned)
        g_array_append_val (dots->tone, curve->tone[i]);
    }
}

/* NULL where none is a number. */
static const double *
values_of (const GArray *array)
{
  for (unsigned i = 0; i < array->len; i++)
    if (isfinite (g_array_index (array, double, i)))
      return (const double *) (void *) array->data;
  return NULL;
}

static void
put_dots (const SlDrawing *d, const Dots *dots, SlCanvasCurve *curve, SlCanvasErrors *errors,
          SlCanvasTones *tones)
{
  curve->points = (const SlXY *) (void *) dots->at->data;
  curve->n = dots->at->len;
  errors->along_x = values_of (dots->spread[0]);
  errors->along_y = values_of (dots->spread[1]);
  tones->value = values_of (dots->tone);
  curve->errors = errors->along_x != NULL || errors->along_y != NULL ? errors : NULL;
  curve->tones = tones->value != NULL ? tones : NULL;
  if (curve->n > 0)
    d->canvas->curve (d->canvas, curve);
}

/* The points of a curve that are in view, those without a tone first. */
static void
put_points (const SlDrawing *d, const SlCurve *curve, const SlPoints *points, SlCanvasCurve *given)
{
  SlPen          pen = sl_curve_pen (d->theme, curve);
  SlCanvasTones  tones = { .tint = &d->figure->colours.tint,
                           .theme = d->theme,
                           .pale = curve->ghost ? SL_GHOST_PALE : 0.0 };
  SlCanvasErrors errors = { .colour = sl_draw_spread_colour (d, curve, &pen),
                            .width = SL_SPREAD_WIDTH * pen.width,
                            .cap = SL_SPREAD_CAP * d->theme->marker };
  bool           bars = !sl_draw_is_band (curve);
  size_t         first = 0, last = points->n;
  SlCurve        seen = *curve;

  if (!curve->scatter)
    {
      sl_points_visible (points, &d->frame->x, &first, &last);
      first -= first > 0;
      last += last < points->n;
    }
  if (!bars || points->y != curve->y)
    seen.spread = seen.spread_x = NULL;
  for (unsigned toned = 0; toned <= (curve->tone != NULL ? 1 : 0); toned++)
    {
      Dots dots;

      dots_init (&dots);
      take (&dots, &seen, points, first, last, toned);
      put_dots (d, &dots, given, &errors, &tones);
      dots_clear (&dots);
    }
}

/* The line of a curve, or the raw values behind all lines. */
static void
put_curve (const SlDrawing *d, unsigned c, bool behind)
{
  const SlCurve *curve = &d->figure->curve[c];
  SlPen          pen = sl_curve_pen (d->theme, curve);
  SlPoints       raw, points = sl_draw_points (d->figure, curve, &raw);
  bool           marks = sl_figure_marked (d->figure, c) && sl_draw_marks_all (d, curve, &points);
  double         dash[8], size = sl_draw_marker_size (d, curve, points.n);
  SlCanvasCurve  given = { .id = curve->id,
                           .colour = curve->around ? d->theme->ink : pen.colour,
                           .rim = sl_draw_marker_rim (d, curve),
                           .opacity = 1.0,
                           .width = curve->scatter ? 0.0 : pen.width,
                           .dash = sl_draw_dash (&pen, dash),
                           .marker = sl_draw_marker (curve),
                           .mark_size = curve->around ? SL_RING_RADIUS * size : size,
                           .ring = curve->around ? SL_RING_LINE * size : 0.0,
                           .marked = marks };

  if (behind && raw.n > 0)
    {
      g_autofree char *id = g_strdup_printf ("%s-raw", curve->id);

      given.id = id;
      given.width = sl_raw_pen (d->theme, curve).width;
      given.marked = false;
      given.opacity = SL_RAW_OPACITY;
      put_thinned (d, &raw, &given);
    }
  if (behind)
    return;
  if (marks || sl_draw_has_bars (curve))
    put_points (d, curve, &points, &given);
  else if (!curve->scatter)
    put_thinned (d, &points, &given);
}

void
sl_draw_values (const SlDrawing *d)
{
  unsigned order[SL_CURVES_MAX], n = sl_draw_order (d->figure, order);

  sl_draw_begin_values (d);
  for (unsigned i = 0; i < 2 * n; i++)
    {
      d->canvas->style = order[i % n] + 1;
      if (i < n)
        sl_draw_band_values (d, &d->figure->curve[order[i]], columns_of (d));
      put_curve (d, order[i % n], i < n);
    }
  d->canvas->style = 0;
  d->canvas->end_axes (d->canvas);
}
