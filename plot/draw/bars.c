/* SPDX-License-Identifier: MIT
 *
 * Bars with their error bars and numbers, side by side or as the parts of one.  */
#include <math.h>

#include "plot/draw/private.h"

SlRgba
sl_draw_bar_colour (const SlDrawing *d, const SlPen *pen, SlStyle style)
{
  return style == SL_MEASURED ? pen->colour : sl_mix (pen->colour, d->theme->plot, 0.45);
}

static void
draw_error (const SlDrawing *d, double x, double up, double down, double cap)
{
  double width = sl_draw_hair (d);

  sl_draw_segment (d, x, up, x, down, d->theme->ink, width, NULL);
  sl_draw_segment (d, x - cap, up, x + cap, up, d->theme->ink, width, NULL);
  sl_draw_segment (d, x - cap, down, x + cap, down, d->theme->ink, width, NULL);
}

static void
draw_bar (const SlDrawing *d, const SlCurve *curve, size_t i, double x, double w, bool labelled)
{
  const SlFrame *f = d->frame;
  const SlRect  *p = &f->plot;
  SlPen          pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
  double zero = f->y.logarithmic ? p->y + p->h : sl_frame_y (f, CLAMP (0.0, f->y.lo, f->y.hi));
  double y = sl_frame_y (f, curve->y[i]), size = 0.92 * d->theme->type, top;
  char   label[32];

  if (!isfinite (curve->y[i]) || !isfinite (y))
    return;
  y = CLAMP (y, p->y, p->y + p->h);
  d->canvas->rect (d->canvas, &(SlRect) { x, MIN (y, zero), w, MAX (fabs (zero - y), 0.5) },
                   sl_draw_bar_colour (d, &pen, curve->style));
  top = MIN (y, zero);
  if (curve->spread != NULL && isfinite (curve->spread[i]))
    {
      double up = sl_frame_y (f, curve->y[i] + curve->spread[i]);

      draw_error (d, x + w / 2.0, up, MIN (sl_frame_y (f, curve->y[i] - curve->spread[i]), zero),
                  MIN (0.2 * w, 6.0));
      top = MIN (top, up);
    }
  sl_number_text (curve->y[i], 3, label, sizeof label);
  if (!labelled)
    return;
  if (top - 1.3 * size > p->y)
    sl_draw_words (d, x + w / 2.0, top - 0.3 * size, label, size, false, SL_ANCHOR_MIDDLE,
                   d->theme->ink);
  else if (zero - top > 1.6 * size)
    sl_draw_words (d, x + w / 2.0, top + 1.1 * size, label, size, false, SL_ANCHOR_MIDDLE,
                   d->theme->plot);
}

/* All numbers are shown or none, so that a missing one means nothing. */
static bool
labels_fit (const SlDrawing *d, double width)
{
  char label[32];

  for (unsigned c = 0; c < d->figure->n_curves; c++)
    for (size_t i = 0; i < d->figure->curve[c].n && !d->figure->curve[c].hidden; i++)
      {
        sl_number_text (d->figure->curve[c].y[i], 3, label, sizeof label);
        if (isfinite (d->figure->curve[c].y[i])
            && sl_text_width (d->canvas->text, label, 0.92 * d->theme->type, false) > width)
          return false;
      }
  return true;
}

/* A part between two heights, with its number where that fits.  Its error bar stands right of the
 * middle, the next one's a little further, so that they do not run into each other.  */
static void
draw_part (const SlDrawing *d, const SlCurve *curve, size_t i, double x, double w, double below)
{
  static const SlRgba black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };
  const SlFrame      *f = d->frame;
  SlPen               pen = sl_pen (d->theme, curve->slot, curve->style, curve->ghost);
  SlRgba              colour = sl_draw_bar_colour (d, &pen, curve->style);
  double bottom = f->plot.y + f->plot.h, seam = sl_draw_hair (d), size = 0.92 * d->theme->type;
  double from = CLAMP (sl_frame_y (f, below), f->plot.y, bottom);
  double to = CLAMP (sl_frame_y (f, below + curve->y[i]), f->plot.y, bottom);
  double spread = curve->spread != NULL ? curve->spread[i] : 0.0;
  double label_room = 0.8 * w;
  char   label[32];

  if (from - to > 3.0 * seam)
    to += seam;
  d->canvas->rect (d->canvas, &(SlRect) { x, to, w, MAX (from - to, seam) }, colour);
  if (spread > 0.0)
    {
      double middle = x + w * (0.8 + 0.05 * (curve->slot % 4));

      draw_error (d, middle, sl_frame_y (f, below + curve->y[i] + spread),
                  MIN (sl_frame_y (f, below + curve->y[i] - spread), bottom), MIN (0.03 * w, 4.0));
      label_room = 0.55 * w;
    }
  sl_number_text (curve->y[i], 3, label, sizeof label);
  if (from - to > 1.3 * size && sl_text_width (d->canvas->text, label, size, false) <= label_room)
    sl_draw_words (d, x + w / 2.0, (from + to) / 2.0 + 0.36 * size, label, size, false,
                   SL_ANCHOR_MIDDLE,
                   sl_contrast (colour, black) > sl_contrast (colour, white) ? black : white);
}

/* One bar per category, its parts on top of each other in the order of the curves. */
static void
draw_stacks (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         below[SL_TICKS_MAX] = { 0 }, w = MIN (0.62 * f->bar, 12.0 * d->theme->type);

  for (unsigned c = 0; c < d->figure->n_curves; c++)
    {
      const SlCurve *curve = &d->figure->curve[c];
      size_t         n = MIN (MIN (curve->n, d->figure->n_categories), SL_TICKS_MAX);

      if (curve->hidden)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      for (size_t i = 0; i < n; i++)
        if (curve->y[i] > 0.0)
          {
            draw_part (d, curve, i, f->plot.x + f->bar * ((double) i + 0.5) - w / 2.0, w, below[i]);
            below[i] += curve->y[i];
          }
      sl_draw_holes (d, curve);
      sl_draw_end (d);
    }
}

void
sl_draw_bars (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  unsigned       visible = 0, at = 0;
  bool           labelled;
  double         w;

  if (d->figure->stacked)
    {
      draw_stacks (d);
      return;
    }
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    visible += !d->figure->curve[c].hidden;
  w = MIN (0.74 * f->bar / MAX (visible, 1), 9.0 * d->theme->type);
  labelled = labels_fit (d, 1.1 * w);
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    {
      const SlCurve *curve = &d->figure->curve[c];

      if (curve->hidden)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      for (size_t i = 0; i < curve->n && i < d->figure->n_categories; i++)
        draw_bar (d, curve, i, f->plot.x + f->bar * ((double) i + 0.5) + (at - 0.5 * visible) * w,
                  w * (visible > 1 ? 0.94 : 1.0), labelled);
      sl_draw_holes (d, curve);
      sl_draw_end (d);
      at++;
    }
}
