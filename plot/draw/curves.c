/* SPDX-License-Identifier: MIT
 *
 * Lines and markers of curves; see curves.h.  */
#include "plot/draw/curves.h"

#include <math.h>

#include "plot/draw/private.h"
#include "plot/figure/smooth.h"

/* Ghosts lie below everything, lines of theory on noisy ones, dots on the lines that they are compared
 * with, and the one dot of a kind on clouds of others.  */
static unsigned
layer_of (const SlCurve *curve)
{
  if (curve->ghost)
    return 0;
  if (curve->style != SL_MEASURED)
    return 2;
  if (curve->series == NULL && curve->n == 1)
    return 4;
  return curve->scatter ? 3 : 1;
}

SlMarker
sl_draw_marker (const SlCurve *curve)
{
  return sl_theme_marker (curve->group > 0 ? curve->slot % SL_THEME_COLOURS : curve->slot,
                          curve->style);
}

unsigned
sl_draw_order (const SlFigure *figure, unsigned order[SL_CURVES_MAX])
{
  unsigned n = 0;

  for (unsigned layer = 0; layer < 5; layer++)
    for (unsigned c = 0; c < figure->n_curves; c++)
      if (!figure->curve[c].hidden && layer_of (&figure->curve[c]) == layer)
        order[n++] = c;
  return n;
}

SlPoints
sl_draw_points (const SlFigure *figure, const SlCurve *curve, SlPoints *raw)
{
  SlPoints points = sl_points_of_curve (curve);

  *raw = (SlPoints) { 0 };
  if (sl_smooth_points (curve).n == 0)
    return points;
  if (!figure->view.hide_raw && !curve->ghost)
    *raw = points;
  return sl_smooth_points (curve);
}

GArray *
sl_draw_path (const SlDrawing *d, const SlPoints *points, unsigned columns)
{
  const SlFrame *f = d->frame;
  double         top = f->plot.y - 2.0 * f->plot.h, bottom = f->plot.y + 3.0 * f->plot.h;
  GArray        *path = g_array_new (FALSE, FALSE, sizeof (SlXY));
  size_t         first, last;

  sl_points_visible (points, &f->x, &first, &last);
  if (last - first <= 2 * (size_t) columns)
    {
      first -= first > 0;
      last += last < points->n;
      for (size_t i = first; i < last; i++)
        {
          SlXY at = { sl_frame_x (f, points->x[i]), NAN };

          if (isfinite (points->y[i]))
            at.y = CLAMP (sl_frame_y (f, points->y[i]), top, bottom);
          if (isfinite (at.x))
            g_array_append_val (path, at);
        }
    }
  else
    {
      g_autofree SlColumn *column = g_new (SlColumn, columns);
      double               before = NAN;

      sl_reduce (points, &f->x, columns, column);
      for (unsigned c = 0; c < columns; c++)
        {
          SlXY   at = { f->plot.x + (c + 0.5) * f->plot.w / columns, NAN };
          double low, high;

          if (column[c].n == 0)
            continue;
          if (!(column[c].lo <= column[c].hi))
            {
              g_array_append_val (path, at);
              before = NAN;
              continue;
            }
          low = CLAMP (sl_frame_y (f, column[c].lo), top, bottom);
          high = CLAMP (sl_frame_y (f, column[c].hi), top, bottom);
          /* The nearer end first, so that the line does not cross the column twice. */
          at.y = fabs (before - high) < fabs (before - low) ? high : low;
          g_array_append_val (path, at);
          if (fabs (high - low) > 0.1)
            {
              at.y = at.y == low ? high : low;
              g_array_append_val (path, at);
            }
          before = at.y;
        }
    }
  return path;
}

const double *
sl_draw_dash (const SlPen *pen, double out[8])
{
  unsigned i = 0;

  for (; i < 7 && pen->dash[i] > 0.0; i++)
    out[i] = pen->dash[i] * pen->width;
  out[i] = 0.0;
  return out;
}

static void
draw_path (const SlDrawing *d, const SlPoints *points, const SlPen *pen)
{
  GArray *path = sl_draw_path (d, points, (unsigned) MAX (2.0 * d->frame->plot.w, 1.0));
  double  dash[8];

  if (path->len > 0)
    d->canvas->line (d->canvas, (SlXY *) (void *) path->data, path->len, pen->colour, pen->width,
                     sl_draw_dash (pen, dash));
  g_array_unref (path);
}

/* Raw values lie behind the lines of all curves. */
static void
draw_raw (const SlDrawing *d, const SlCurve *curve)
{
  SlPen    pen = sl_raw_pen (d->theme, curve);
  SlPoints raw;

  sl_draw_points (d->figure, curve, &raw);
  if (raw.n > 0 && !curve->scatter)
    {
      g_autofree char *name = g_strdup_printf ("%s-raw", curve->id);

      sl_draw_group (d, name, NULL, SL_RAW_OPACITY);
      draw_path (d, &raw, &pen);
      sl_draw_end (d);
    }
}

void
sl_draw_curves (const SlDrawing *d)
{
  unsigned order[SL_CURVES_MAX], n;

  if (sl_draw_by_values (d))
    {
      sl_draw_values (d);
      return;
    }
  n = sl_draw_order (d->figure, order);
  sl_draw_group (d, "curves", &d->frame->plot, 1.0);
  for (unsigned i = 0; i < n; i++)
    draw_raw (d, &d->figure->curve[order[i]]);
  for (unsigned i = 0; i < n; i++)
    {
      const SlCurve *curve = &d->figure->curve[order[i]];
      SlPen          pen = sl_curve_pen (d->theme, curve);
      SlPoints       raw, points = sl_draw_points (d->figure, curve, &raw);

      if (curve->scatter)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      draw_path (d, &points, &pen);
      sl_draw_end (d);
    }
  sl_draw_end (d);
}

/* Where the line of a curve runs near x: the value itself, or the mean of a few around it where
 * samples are dense, so that a marker does not follow the noise.  */
static double
level_at (const SlDrawing *d, const SlPoints *points, double px)
{
  enum { TAKEN = 9 };
  double   lo = sl_frame_value_x (d->frame, px - 2.5), hi = sl_frame_value_x (d->frame, px + 2.5);
  size_t   first = sl_points_find (points, lo, 0), last = sl_points_find (points, hi, first);
  double   sum = 0.0;
  unsigned n = 0;

  if (last - first < 2)
    {
      /* On the straight line between the neighbours. */
      double x = sl_frame_value_x (d->frame, px), t;
      size_t after = sl_points_find (points, x, first);

      if (after == 0 || after == points->n)
        return NAN;
      t = (sl_frame_x (d->frame, x) - sl_frame_x (d->frame, points->x[after - 1]))
          / (sl_frame_x (d->frame, points->x[after]) - sl_frame_x (d->frame, points->x[after - 1]));
      return sl_frame_y (d->frame, points->y[after - 1])
             + t
                 * (sl_frame_y (d->frame, points->y[after])
                    - sl_frame_y (d->frame, points->y[after - 1]));
    }
  for (unsigned k = 0; k < TAKEN; k++)
    {
      double y = sl_frame_y (d->frame, points->y[first + (last - 1 - first) * k / (TAKEN - 1)]);

      if (isfinite (y))
        {
          sum += y;
          n++;
        }
    }
  return n > 0 ? sum / n : (double) NAN;
}

SlRgba
sl_draw_point_colour (const SlDrawing *d, const SlCurve *curve, const SlPen *pen, size_t i)
{
  SlRgba colour;

  if (curve->tone == NULL)
    return pen->colour;
  colour = isfinite (curve->tone[i])
             ? sl_tint_colour (d->theme, &d->figure->colours.tint, curve->tone[i])
             : d->theme->neutral;
  return curve->ghost ? sl_mix (colour, d->theme->plot, SL_GHOST_PALE) : colour;
}

/* One point alone is larger, and so is one whose colour is read; one of very many is smaller. */
double
sl_draw_marker_size (const SlDrawing *d, const SlCurve *curve, size_t n)
{
  if (curve->thin)
    return 0.75 * d->theme->marker;
  return d->theme->marker * (curve->tone != NULL ? 1.35 : 1.0) * (n == 1 ? 1.35 : 1.0);
}

/* Colours of a scale may be close to that of the paper: the rim is what stands off it. */
SlRgba
sl_draw_marker_rim (const SlDrawing *d, const SlCurve *curve)
{
  return curve->tone != NULL
           ? sl_mix (d->theme->ink, d->theme->plot, curve->ghost ? SL_GHOST_PALE : 0.1)
           : d->theme->plot;
}

static void
put_marker (const SlDrawing *d, const SlCurve *curve, SlRgba colour, double x, double y,
            double size)
{
  const SlRect *p = &d->frame->plot;

  if (!(x >= p->x - 0.5 && x <= p->x + p->w + 0.5 && y >= p->y && y <= p->y + p->h))
    return;
  if (curve->around)
    d->canvas->disc (d->canvas, x, y, SL_RING_RADIUS * size, d->theme->ink, SL_RING_LINE * size);
  else
    sl_canvas_marker (d->canvas, sl_draw_marker (curve), x, y, size, colour,
                      sl_draw_marker_rim (d, curve));
}

bool
sl_draw_marks_all (const SlDrawing *d, const SlCurve *curve, const SlPoints *points)
{
  double size = d->theme->marker * (curve->tone != NULL ? 1.35 : 1.0);
  size_t first, last;

  if (curve->scatter)
    return true;
  sl_points_visible (points, &d->frame->x, &first, &last);
  return (double) (last - first) * 2.5 * size <= d->frame->plot.w;
}

/* Every point of a sparse curve; a few along a dense one, at other places for each, so
 * that curves can be told apart without colour.  */
static void
draw_markers (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame *f = d->frame;
  SlPen          pen = sl_curve_pen (d->theme, curve);
  SlPoints       raw, points = sl_draw_points (d->figure, curve, &raw);
  double         size = sl_draw_marker_size (d, curve, points.n);
  double         spacing = MAX (f->plot.w / 5.0, 12.0 * size);
  size_t         first = 0, last = points.n;

  if (points.n == 0)
    return;
  if (!curve->scatter)
    sl_points_visible (&points, &f->x, &first, &last);
  if (sl_draw_marks_all (d, curve, &points))
    {
      for (size_t i = first; i < last; i++)
        put_marker (d, curve, sl_draw_point_colour (d, curve, &pen, i), sl_frame_x (f, points.x[i]),
                    sl_frame_y (f, points.y[i]), size);
    }
  else
    {
      double offset
        = fmod (0.5 + 0.618034 * curve->slot + 0.31 * (curve->style != SL_MEASURED), 1.0);

      for (double x = f->plot.x + offset * spacing; x < f->plot.x + f->plot.w - size; x += spacing)
        put_marker (d, curve, pen.colour, x, level_at (d, &points, x), size);
    }
}

void
sl_draw_curves_over (const SlDrawing *d)
{
  unsigned order[SL_CURVES_MAX], n = sl_draw_order (d->figure, order);

  sl_draw_group_over (d, "markers");
  for (unsigned i = 0; i < n; i++)
    {
      const SlCurve *curve = &d->figure->curve[order[i]];
      SlPoints       raw, points = sl_draw_points (d->figure, curve, &raw);

      d->canvas->style = order[i] + 1;
      if (!sl_draw_by_values (d))
        sl_draw_spread (d, curve);
      if (sl_figure_marked (d->figure, order[i])
          && !(sl_draw_by_values (d) && sl_draw_marks_all (d, curve, &points)))
        draw_markers (d, curve);
      d->canvas->style = 0;
      sl_draw_holes (d, curve);
    }
  sl_draw_badges (d, true);
  sl_draw_end (d);
}
