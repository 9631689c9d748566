/* SPDX-License-Identifier: MIT
 *
 * What is drawn around the data: grid, axes, texts, legend.  */

#include "plot/draw/curves.h"
#include "plot/draw/draw.h"
#include "plot/draw/private.h"

void
sl_draw_grid (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlRect  *p = &f->plot;
  double         width = sl_draw_hair (d);

  if (sl_frame_kind (f)->row_axis)
    return;
  sl_draw_group (d, "grid", NULL, 1.0);
  for (unsigned i = 0; i < f->n_y_ticks; i++)
    if (!f->y_tick[i].minor)
      {
        double at = sl_draw_sharp (d, f->y_at[i]);

        sl_draw_segment (d, p->x, at, p->x + p->w, at, d->theme->grid, width, NULL);
      }
  sl_draw_group (d, "grid-x", NULL, 1.0);
  for (unsigned i = 0; i < f->n_x_ticks && !sl_frame_kind (f)->bars; i++)
    if (!f->x_tick[i].minor)
      {
        double at = sl_draw_sharp (d, f->x_at[i]);

        sl_draw_segment (d, at, p->y, at, p->y + p->h, d->theme->grid, width, NULL);
      }
  sl_draw_end (d);
  sl_draw_end (d);
}

void
sl_draw_badges (const SlDrawing *d, bool inside)
{
  const SlTheme *t = d->theme;
  double         size = 0.85 * t->type;

  for (unsigned i = 0; i < d->frame->n_flags; i++)
    {
      const SlFrameMarker *flag = &d->frame->flag[i];
      const SlRect        *badge = &flag->badge;
      char                 label[32];

      if (badge->w == 0.0 || (badge->y > d->frame->plot.y) != inside)
        continue;
      if (flag->first == flag->last)
        g_snprintf (label, sizeof label, "%u", flag->first);
      else
        g_snprintf (label, sizeof label, "%u\342\200\223%u", flag->first, flag->last);
      d->canvas->rect (d->canvas, badge, t->flag);
      sl_draw_words (d, badge->x + badge->w / 2.0, badge->y + badge->h / 2.0 + 0.36 * size, label,
                     size, true, SL_ANCHOR_MIDDLE, t->plot);
    }
}

/* A gap in an axis with two strokes across it, between its logarithmic part and the zero at its
 * foot.  */
static void
draw_break (const SlDrawing *d, double x, double y, bool upright)
{
  double width = sl_draw_hair (d), along_x = upright ? 0.0 : 1.5, along_y = upright ? 1.5 : 0.0;
  double slant_x = upright ? 3.5 : -1.5, slant_y = upright ? -1.5 : 3.5;

  sl_draw_segment (d, x - along_x, y - along_y, x + along_x, y + along_y, d->theme->paper,
                   3.0 * width, NULL);
  for (int side = -1; side <= 1; side += 2)
    {
      double at_x = x + 4.0 / 3.0 * side * along_x, at_y = y + 4.0 / 3.0 * side * along_y;

      sl_draw_segment (d, at_x - slant_x, at_y - slant_y, at_x + slant_x, at_y + slant_y,
                       d->theme->axis, width, NULL);
    }
}

/* Where the axes have a foot. */
static void
draw_breaks (const SlDrawing *d, double left, double bottom)
{
  const SlFrame *f = d->frame;
  const SlRect  *p = &f->plot;

  if (f->x.foot > 0.0)
    draw_break (d, p->x + 0.5 * f->x.foot * p->w, bottom, false);
  if (f->y.foot > 0.0)
    draw_break (d, left, p->y + p->h - f->inset - 0.5 * f->y.foot * (p->h - 2.0 * f->inset), true);
}

static void
draw_y_ticks (const SlDrawing *d, double left)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;

  for (unsigned i = 0; i < f->n_y_ticks; i++)
    {
      double at = sl_draw_sharp (d, f->y_at[i]);

      sl_draw_segment (d, left - (f->y_tick[i].minor ? 2.0 : 3.5), at, left, at, t->axis,
                       sl_draw_hair (d), NULL);
      sl_draw_words (d, f->plot.x - 6.0, f->y_at[i] + 0.35 * t->type, f->y_tick[i].label, t->type,
                     false, SL_ANCHOR_END, t->soft);
    }
}

static void
draw_x_tick_label (const SlDrawing *d, unsigned i, double bottom)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;
  double         half = sl_text_width (d->canvas->text, f->x_tick[i].label, t->type, false) / 2.0;

  if (f->upright)
    {
      sl_draw_upright (d, f->x_at[i] + 0.35 * t->type, bottom + 5.0, f->x_tick[i].label,
                       SL_ANCHOR_END, t->soft);
      return;
    }
  /* A label at the very end moves inwards rather than being cut. */
  sl_draw_words (d, CLAMP (f->x_at[i], half + 1.0, f->width - half - 1.0), f->x_ticks_y,
                 f->x_tick[i].label, f->x_type, false, SL_ANCHOR_MIDDLE, t->soft);
  sl_draw_words (d, f->x_at[i], f->x_ticks_y + 1.3 * t->type, f->x_second[i], f->x_type, false,
                 SL_ANCHOR_MIDDLE, t->soft);
}

static void
draw_x_ticks (const SlDrawing *d, double bottom)
{
  const SlFrame *f = d->frame;

  sl_draw_group (d, "axes-x", NULL, 1.0);
  for (unsigned i = 0; i < f->n_x_ticks; i++)
    {
      double at = sl_draw_sharp (d, f->x_at[i]);

      if (!sl_frame_kind (f)->bars)
        sl_draw_segment (d, at, bottom, at, bottom + (f->x_tick[i].minor ? 2.0 : 3.5),
                         d->theme->axis, sl_draw_hair (d), NULL);
      draw_x_tick_label (d, i, bottom);
    }
  sl_draw_end (d);
}

/* Between the axis and the numbers, whatever the size of type. */
static void
draw_picked (const SlDrawing *d, double left)
{
  double at = sl_frame_y (d->frame, d->frame->picked), size = MIN (0.4 * d->theme->type, 5.0);
  SlXY   corner[3]
    = { { left, at }, { left - size, at - 0.7 * size }, { left - size, at + 0.7 * size } };

  d->canvas->area (d->canvas, corner, 3, d->theme->ink);
}

static void
draw_axis_labels (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;
  const SlRect  *p = &f->plot;

  if (f->x_label[0] != '\0')
    {
      double half = sl_text_width (d->canvas->text, f->x_label, t->type, false) / 2.0 + f->pad;

      sl_draw_words (d, CLAMP (p->x + p->w / 2.0, half, MAX (half, f->width - half)), f->x_label_y,
                     f->x_label, t->type, false, SL_ANCHOR_MIDDLE, t->ink);
    }
  if (f->y_label[0] != '\0')
    {
      double half = sl_text_width (d->canvas->text, f->y_label, t->type, false) / 2.0;

      sl_draw_upright (d, f->y_label_x,
                       CLAMP (p->y + p->h / 2.0, p->y + half, MAX (p->y + half, f->height - half)),
                       f->y_label, SL_ANCHOR_MIDDLE, t->ink);
    }
}

void
sl_draw_axes (const SlDrawing *d)
{
  const SlRect *p = &d->frame->plot;
  double        left = sl_draw_sharp (d, p->x - 0.5), bottom = sl_draw_sharp (d, p->y + p->h);

  sl_draw_group (d, "axes", NULL, 1.0);
  sl_draw_segment (d, left, bottom, p->x + p->w, bottom, d->theme->axis, sl_draw_hair (d), NULL);
  sl_draw_segment (d, left, p->y, left, bottom, d->theme->axis, sl_draw_hair (d), NULL);
  draw_breaks (d, left, bottom);
  draw_y_ticks (d, left);
  if (d->frame->picked > 0)
    draw_picked (d, left);
  draw_x_ticks (d, bottom);
  draw_axis_labels (d);
  sl_draw_end (d);
}

void
sl_draw_head (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;

  sl_draw_words (d, f->pad, f->title_y, f->title, t->title, true, SL_ANCHOR_START, t->ink);
  for (unsigned i = 0; i < f->n_notes; i++)
    if (f->empty)
      sl_draw_words (d, f->plot.x + f->plot.w / 2.0, f->note_y + i * f->note_step, f->note[i],
                     t->type, false, SL_ANCHOR_MIDDLE, t->soft);
    else
      sl_draw_words (d, f->pad, f->note_y + i * f->note_step, f->note[i], 0.92 * t->type, false,
                     SL_ANCHOR_START, t->soft);
}

/* A piece of the line, or a box; of several curves, a part in the colour of each of the first. */
static void
draw_sample (const SlDrawing *d, const SlChip *chip, const SlPen *pen, double y)
{
  enum { PIECES_MAX = 4 };
  bool     boxes = sl_frame_kind (d->frame)->swatches;
  unsigned n = MIN (MAX (chip->n, 1), PIECES_MAX);
  double   dash[8], type = d->theme->type, piece = (boxes ? 0.9 : 2.2) * type / n;

  for (unsigned i = 0; i < n; i++)
    {
      SlPen  part = *pen;
      double x = chip->rect.x + i * piece;

      if (i > 0 && !chip->hidden && !chip->toned)
        part.colour = sl_curve_pen (d->theme, &d->figure->curve[chip->curve + i]).colour;
      if (boxes)
        d->canvas->rect (d->canvas, &(SlRect) { x, y - 0.45 * type, piece, 0.9 * type },
                         sl_draw_bar_colour (d, &part, chip->style));
      else
        sl_draw_segment (d, x, y, x + piece, y, part.colour, part.width,
                         sl_draw_dash (&part, dash));
    }
}

void
sl_draw_legend (const SlDrawing *d)
{
  const SlFrame      *f = d->frame;
  const SlFigureKind *kind = sl_frame_kind (f);
  const SlTheme      *t = d->theme;
  char                more[16];

  if (f->n_chips == 0)
    return;
  sl_draw_group (d, "legend", NULL, 1.0);
  if (f->plate.w > 0.0)
    {
      SlRgba plate = t->plot;

      plate.a = 0.85f;
      d->canvas->rect (d->canvas, &f->plate, plate);
    }
  for (unsigned i = 0; i < f->n_chips; i++)
    {
      const SlChip *chip = &f->chip[i];
      SlPen         pen = sl_pen (t, chip->slot, chip->style, chip->ghost);
      double        y = chip->baseline - 0.34 * t->type;
      SlRgba        ink = chip->hidden ? t->soft : t->ink;

      if (chip->toned)
        pen.colour = chip->ghost ? sl_mix (t->soft, t->paper, 0.6) : t->soft;
      if (!kind->values && !kind->swatches) /* as over the cells */
        pen = (SlPen) { t->ink, pen.width, sl_theme_dash (t, chip->slot, SL_MEASURED) };
      if (chip->hidden)
        pen.colour = sl_mix (pen.colour, t->paper, 0.7);
      d->canvas->style = chip->curve + 1;
      if (kind->swatches || chip->line)
        draw_sample (d, chip, &pen, y);
      if (chip->marker)
        sl_canvas_marker (d->canvas, sl_draw_marker (&d->figure->curve[chip->curve]),
                          chip->rect.x + 1.1 * t->type, y, t->marker, pen.colour, t->paper);
      d->canvas->style = 0;
      sl_draw_words (d, chip->text_x, chip->baseline, chip->text, t->type, false, SL_ANCHOR_START,
                     ink);
    }
  if (f->n_more > 0)
    {
      g_snprintf (more, sizeof more, "+\302\240%u", f->n_more);
      sl_draw_words (d, f->more_x, f->more_y, more, t->type, false, SL_ANCHOR_START, t->soft);
    }
  sl_draw_end (d);
}
