/* SPDX-License-Identifier: MIT
 *
 * A part of the curves enlarged on a plate in the plot, with an outline around what it shows.  */
#include <glib.h>

#include "plot/draw/draw.h"
#include "plot/draw/private.h"

/* The same curves with nothing around them but numbers along the axes. */
static SlFigure
part_of (const SlFigure *figure)
{
  SlFigure part = *figure;

  part.view.inset = false;
  part.view.zoomed = true;
  part.view.x_lo = figure->view.inset_x.lo;
  part.view.x_hi = figure->view.inset_x.hi;
  part.view.y_locked = figure->view.inset_y.lo < figure->view.inset_y.hi;
  part.view.y_lo = figure->view.inset_y.lo;
  part.view.y_hi = figure->view.inset_y.hi;
  part.title[0] = part.note[0] = '\0';
  part.x.label = part.y.label = "";
  part.notes.n = 0;
  part.flags.n = 0;
  part.mark = NAN;
  part.fitted = false;
  /* What is enlarged is smoothed by its own width. */
  part.curve = g_memdup2 (figure->curve, figure->n_curves * sizeof *figure->curve);
  for (unsigned c = 0; c < part.n_curves; c++)
    part.curve[c].smooth = (SlSmoothed) { 0 };
  return part;
}

/* What the part covers on the plot around it, cut to that. */
static SlRect
source_of (const SlFrame *around, const SlFrame *part)
{
  const SlRect *p = &around->plot;
  double        left = CLAMP (sl_frame_x (around, part->x.lo), p->x, p->x + p->w);
  double        right = CLAMP (sl_frame_x (around, part->x.hi), p->x, p->x + p->w);
  double        top = CLAMP (sl_frame_y (around, part->y.hi), p->y, p->y + p->h);
  double        bottom = CLAMP (sl_frame_y (around, part->y.lo), p->y, p->y + p->h);

  return (SlRect) { left, top, right - left, bottom - top };
}

static void
draw_outline (const SlDrawing *d, const SlRect *r)
{
  SlXY corner[5] = { { r->x, r->y },
                     { r->x + r->w, r->y },
                     { r->x + r->w, r->y + r->h },
                     { r->x, r->y + r->h },
                     { r->x, r->y } };

  d->canvas->line (d->canvas, corner, 5, d->theme->axis, sl_draw_hair (d), NULL);
}

/* Lines from corner to corner where they cross neither rectangle. */
static void
join (const SlDrawing *d, const SlRect *from, const SlRect *to)
{
  for (int corner = 0; corner < 4; corner++)
    {
      bool   right = corner % 2 == 1, below = corner > 1;
      double x0 = from->x + (right ? from->w : 0.0), y0 = from->y + (below ? from->h : 0.0);
      double x1 = to->x + (right ? to->w : 0.0), y1 = to->y + (below ? to->h : 0.0);
      double across = (x1 - x0) * (y1 - y0);

      /* Upper left and lower right corners are left by one diagonal, the others by the other. */
      if (right == below ? across <= 0.0 : across >= 0.0)
        sl_draw_segment (d, x0, y0, x1, y1, d->theme->axis, 0.7 * sl_draw_hair (d), NULL);
    }
}

void
sl_draw_inset (const SlDrawing *d)
{
  const SlRect    *box = &d->frame->inset_box;
  g_autofree char *id = g_strconcat (d->id, "-inset", NULL);
  SlFigure         part;
  SlFrame         *frame;
  SlDrawing        inner = *d;
  SlRect           source, plate = { 0.0, 0.0, box->w, box->h };
  SlTheme          theme = *d->theme;

  if (box->w == 0.0)
    return;
  part = part_of (d->figure);
  sl_figure_fit (&part, HUGE_VAL);
  theme.type *= 0.85;
  frame = g_new (SlFrame, 1);
  sl_frame_layout (frame, &part, &theme, &(SlParts) { .whole = true }, d->canvas->text, box->w,
                   box->h);
  inner.figure = &part;
  inner.frame = frame;
  inner.theme = &theme;
  inner.id = id;
  inner.figures = 2 * MAX (d->figures, 1);
  source = source_of (d->frame, frame);
  sl_draw_group (d, "inset-source", &d->frame->plot, 1.0);
  draw_outline (d, &source);
  join (d, &source, box);
  sl_draw_end (d);
  d->canvas->shift (d->canvas, id, box->x, box->y);
  sl_draw_static (&inner);
  sl_draw_data (&inner);
  sl_draw_overlay (&inner);
  draw_outline (d, &plate);
  d->canvas->end (d->canvas);
  for (unsigned c = 0; c < part.n_curves; c++)
    {
      g_free (part.curve[c].smooth.x);
      g_free (part.curve[c].smooth.y);
    }
  g_free (part.curve);
  g_free (frame);
}
