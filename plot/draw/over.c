/* SPDX-License-Identifier: MIT
 *
 * What lies on the cells of a heat map and is not part of them: lines in units of its axes, the
 * mark, and the knob by which a mark is dragged.  */
#include <math.h>

#include "plot/draw/private.h"

/* A line on a clear one that is wider, so that it stands off cells of any colour. */
static void
draw_haloed (const SlDrawing *d, const SlXY *points, size_t n, double width)
{
  d->canvas->line (d->canvas, points, n, d->theme->plot, 2.4 * width, NULL);
  d->canvas->line (d->canvas, points, n, d->theme->ink, width, NULL);
}

/* All points in their order: a line over cells may go any way. */
static void
draw_line (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame   *f = d->frame;
  g_autofree SlXY *point = g_new (SlXY, MAX (curve->n, 1));
  SlPen            pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);

  for (size_t i = 0; i < curve->n; i++)
    {
      point[i] = (SlXY) { NAN, NAN };
      if (isfinite (curve->x[i]) && isfinite (curve->y[i]))
        point[i] = (SlXY) { sl_frame_x (f, curve->x[i]), sl_frame_y (f, curve->y[i]) };
    }
  sl_draw_group (d, curve->id, NULL, 1.0);
  draw_haloed (d, point, curve->n, pen.width);
  sl_draw_end (d);
}

void
sl_draw_over_heat (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double at = sl_draw_sharp (d, f->mark), stub = MIN (1.2 * d->theme->type, 0.1 * f->plot.h);
  double bottom = f->plot.y + f->plot.h;
  /* Only at both ends: the cells under the mark are often those that matter. */
  SlXY mark[5] = {
    { at, f->plot.y }, { at, f->plot.y + stub }, { NAN, NAN }, { at, bottom - stub }, { at, bottom }
  };

  sl_draw_group (d, "lines", &f->plot, 1.0);
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    if (!d->figure->curve[c].hidden && d->figure->curve[c].series == NULL)
      draw_line (d, &d->figure->curve[c]);
  if (isfinite (f->mark))
    draw_haloed (d, mark, 5, 1.3 * sl_draw_hair (d));
  sl_draw_end (d);
}

void
sl_draw_handle (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         y = f->plot.y + f->plot.h, radius = sl_frame_handle_radius (f);

  if (!f->handle)
    return;
  d->canvas->disc (d->canvas, f->mark, y, radius + 1.0, d->theme->paper, 0.0);
  d->canvas->disc (d->canvas, f->mark, y, radius, d->theme->ink, 0.0);
  d->canvas->disc (d->canvas, f->mark, y, 0.45 * radius, d->theme->paper, 0.0);
}
