/* SPDX-License-Identifier: MIT
 *
 * Pens, groups, lines and words; see drawing.h.  */
#include "plot/draw/drawing.h"

#include <math.h>

#include "plot/figure/reduce.h"

SlPen
sl_pen (const SlTheme *theme, unsigned slot, SlStyle style, bool ghost)
{
  SlPen pen
    = { sl_theme_curve (theme, slot, style), theme->line, sl_theme_dash (theme, slot, style) };

  if (style != SL_MEASURED)
    pen.width *= 0.9;
  if (ghost)
    {
      pen.colour = sl_mix (pen.colour, theme->plot, 0.5);
      pen.width *= 0.75;
    }
  return pen;
}

SlPen
sl_curve_pen (const SlTheme *theme, const SlCurve *curve)
{
  SlPen pen = sl_pen (theme, curve->slot, curve->style, curve->ghost);

  if (curve->thin)
    pen.width *= 0.5;
  return pen;
}

SlPen
sl_raw_pen (const SlTheme *theme, const SlCurve *curve)
{
  SlPen pen = sl_curve_pen (theme, curve);

  pen.width = fmin (pen.width, theme->hair);
  return pen;
}

SlRgba
sl_draw_bar_colour (const SlDrawing *d, const SlPen *pen, SlStyle style)
{
  return style == SL_MEASURED ? pen->colour : sl_mix (pen->colour, d->theme->plot, 0.45);
}

double
sl_draw_sharp (const SlDrawing *d, double at)
{
  return d->device > 0.0 ? (floor (at * d->device) + 0.5) / d->device : at;
}

double
sl_draw_hair (const SlDrawing *d)
{
  return d->device > 0.0 ? MAX (round (d->theme->hair * d->device), 1.0) / d->device
                         : d->theme->hair * 0.8;
}

void
sl_draw_group (const SlDrawing *d, const char *name, const SlRect *clip, double opacity)
{
  g_autofree char *id = g_strdup_printf ("%s-%s", d->id, name);

  d->canvas->begin (d->canvas, id, clip, opacity);
}

void
sl_draw_end (const SlDrawing *d)
{
  d->canvas->end (d->canvas);
}

void
sl_draw_segment (const SlDrawing *d, double x0, double y0, double x1, double y1, SlRgba colour,
                 double width, const double *dash)
{
  SlXY points[2] = { { x0, y0 }, { x1, y1 } };

  d->canvas->line (d->canvas, points, 2, colour, width, dash);
}

void
sl_draw_words (const SlDrawing *d, double x, double y, const char *string, double size, bool bold,
               SlAnchor anchor, SlRgba colour)
{
  SlLettering lettering = { .size = size, .bold = bold, .anchor = anchor, .colour = colour };

  if (*string != '\0')
    d->canvas->words (d->canvas, x, y, string, &lettering);
}

void
sl_draw_upright (const SlDrawing *d, double x, double y, const char *string, SlAnchor anchor,
                 SlRgba colour)
{
  SlLettering lettering
    = { .size = d->theme->type, .upwards = true, .anchor = anchor, .colour = colour };

  d->canvas->words (d->canvas, x, y, string, &lettering);
}

void
sl_draw_group_over (const SlDrawing *d, const char *name)
{
  const SlRect *p = &d->frame->plot;
  double        reach = 0.7 * d->theme->marker;

  sl_draw_group (
    d, name, &(SlRect) { p->x - reach, p->y - reach, p->w + 2.0 * reach, p->h + 2.0 * reach }, 1.0);
}

void
sl_draw_holes (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame *f = d->frame;
  SlPoints       points = sl_points_of_curve (curve);
  bool           bars = sl_frame_kind (f)->bars;
  double         height = 0.6 * d->theme->type, done = -HUGE_VAL;

  for (size_t h = 0; h < (curve->series != NULL ? curve->n_holes : points.n); h++)
    {
      SlHole hole = curve->series != NULL ? curve->hole[h] : (SlHole) { h, h };
      double x0, x1;

      if (hole.last >= points.n || isfinite (points.y[hole.first]))
        continue;
      x0 = bars ? f->plot.x + f->bar * ((double) h + 0.5) : sl_frame_x (f, points.x[hole.first]);
      x1 = bars ? x0 : sl_frame_x (f, points.x[hole.last]);
      x0 = MAX (MAX (x0 - 1.0, f->plot.x), done);
      x1 = MIN (x1 + 1.0, f->plot.x + f->plot.w);
      if (x1 - x0 < 0.5)
        continue;
      d->canvas->rect (d->canvas, &(SlRect) { x0, f->plot.y + f->plot.h - height, x1 - x0, height },
                       d->theme->alarm);
      done = x1;
    }
}
