/* SPDX-License-Identifier: MIT
 *
 * Which part of a figure is drawn when; see draw.h.  */
#include "plot/draw/draw.h"

#include <math.h>

#include "plot/draw/private.h"

/* The dashed line of a change, on a clear line `halo` times as wide where it crosses colours. */
static void
draw_marker_line (const SlDrawing *d, double x, double halo)
{
  const SlRect *p = &d->frame->plot;
  double        width = sl_draw_hair (d), at = sl_draw_sharp (d, x);
  double        dash[3] = { 3.0 * width, 3.0 * width, 0.0 };

  if (halo > 0.0)
    sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->plot, halo * width, NULL);
  sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->flag, width, dash);
}

static void
draw_flags (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         width = sl_draw_hair (d), dash[3] = { 3.0 * width, 3.0 * width, 0.0 };

  if (f->n_flags > 0)
    {
      sl_draw_group (d, "flags", NULL, 1.0);
      for (unsigned i = 0; i < f->n_flags; i++)
        draw_marker_line (d, f->flag[i].x, 0.0);
      sl_draw_badges (d, false);
      sl_draw_end (d);
    }
  if (isfinite (f->mark) && !sl_frame_kind (f)->row_axis)
    {
      double at = sl_draw_sharp (d, f->mark);

      sl_draw_group (d, "mark", NULL, 1.0);
      sl_draw_segment (d, at, f->plot.y, at, f->plot.y + f->plot.h, d->theme->ink, 1.3 * width,
                       dash);
      sl_draw_end (d);
    }
}

void
sl_draw_static (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  d->canvas->rect (d->canvas, &(SlRect) { 0.0, 0.0, f->width, f->height }, d->theme->paper);
  sl_draw_group (d, "head", NULL, 1.0);
  sl_draw_head (d);
  sl_draw_end (d);
  if (f->empty)
    {
      if (sl_frame_kind (f)->axes)
        sl_draw_axes (d);
      return;
    }
  if (f->plate.w == 0.0)
    sl_draw_legend (d);
  if (sl_frame_kind (f)->axes)
    {
      if (!sl_draw_by_values (d))
        sl_draw_grid (d);
      draw_flags (d);
      if (!sl_draw_by_values (d))
        sl_draw_axes (d);
    }
  sl_draw_key (d);
}

void
sl_draw_data (const SlDrawing *d)
{
  const SlFigureKind *kind = sl_frame_kind (d->frame);

  if (!d->frame->empty && kind->draw != NULL)
    kind->draw (d);
}

/* The lines around the chosen row. */
static void
draw_picked (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  unsigned       n = sl_frame_kind (f)->count (d->figure);
  double         top = f->plot.y + f->plot.h * (f->picked - 1.0) / MAX (n, 1);
  double         bottom = f->plot.y + f->plot.h * f->picked / MAX (n, 1), width = sl_draw_hair (d);

  if (f->picked == 0 || f->picked > n)
    return;
  sl_draw_group (d, "picked", &f->plot, 1.0);
  for (unsigned i = 0; i < 2; i++)
    {
      double at = sl_draw_sharp (d, i == 0 ? top : bottom - width);

      sl_draw_segment (d, f->plot.x, at, f->plot.x + f->plot.w, at, d->theme->plot, 3.0 * width,
                       NULL);
      sl_draw_segment (d, f->plot.x, at, f->plot.x + f->plot.w, at, d->theme->ink, width, NULL);
    }
  sl_draw_end (d);
}

/* Draws over cells and bands what they would hide: the lines of changes, the chosen row. */
static void
draw_over_cells (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  if (f->n_flags > 0)
    {
      sl_draw_group (d, "flag-lines", &f->plot, 1.0);
      for (unsigned i = 0; i < f->n_flags; i++)
        draw_marker_line (d, f->flag[i].x, 2.0);
      sl_draw_badges (d, true);
      sl_draw_end (d);
    }
  if (f->picked > 0)
    draw_picked (d);
}

/* The knob by which a mark is dragged. */
static void
draw_handle (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         y = f->plot.y + f->plot.h, radius = sl_frame_handle_radius (f);

  if (!f->handle)
    return;
  d->canvas->disc (d->canvas, f->mark, y, radius + 1.0, d->theme->paper, 0.0);
  d->canvas->disc (d->canvas, f->mark, y, radius, d->theme->ink, 0.0);
  d->canvas->disc (d->canvas, f->mark, y, 0.45 * radius, d->theme->paper, 0.0);
}

void
sl_draw_overlay (const SlDrawing *d)
{
  const SlFigureKind *kind = sl_frame_kind (d->frame);

  if (d->frame->empty)
    return;
  if (kind->draw_over != NULL)
    kind->draw_over (d);
  if (!kind->values)
    draw_over_cells (d);
  draw_handle (d);
  sl_draw_inset (d);
  /* A legend inside of the plot lies on the data. */
  if (d->frame->plate.w > 0.0)
    sl_draw_legend (d);
  sl_draw_notes (d);
}
