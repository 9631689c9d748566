/* SPDX-License-Identifier: MIT
 *
 * One value for each category, side by side or as the parts of one bar, with error bars and numbers.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/drawing.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/laying.h"

static bool
fit_x (const SlFigure *figure, SlRange *range)
{
  *range = (SlRange) { 0.0, MAX (figure->categories.n, 1) };
  return true;
}

/* The label under a group of bars: its name, or its x. */
static const char *
category (const SlFigure *figure, unsigned i, char number[32])
{
  if (figure->categories.name != NULL)
    return sl_figure_words (figure, figure->categories.name[i]);
  return sl_number_text (figure->n_curves > 0 && i < figure->curve[0].n ? figure->curve[0].x[i] : i,
                         6, number, 32);
}

static bool
categories_fit (const SlLaying *job, double width)
{
  const SlFigure *figure = job->figure;
  double          room = width / MAX (figure->categories.n, 1) - 0.4 * job->theme->type;
  char            number[32];

  for (unsigned i = 0; i < figure->categories.n; i++)
    if (sl_text_width (job->text, category (figure, i, number), job->theme->type, false) > room)
      return false;
  return true;
}

/* A line may begin with byte i of a name: a space, or what is behind a hyphen or the dash of a range. */
static bool
may_break (const char *name, size_t i)
{
  return name[i] == ' ' || name[i - 1] == '-' || (i >= 3 && g_str_has_prefix (name + i - 3, "–"));
}

/* Splits a name next to its middle where it may break. */
static void
split_name (const char *name, char first[64], char second[64])
{
  size_t length = strlen (name), at = 0;

  for (size_t i = 1; i < length; i++)
    if (may_break (name, i) && (at == 0 || MAX (i, length - i) < MAX (at, length - at)))
      at = i;
  g_snprintf (first, 64, "%.*s", (int) (at > 0 ? at : length), name);
  g_snprintf (second, 64, "%s", at > 0 ? name + at + (name[at] == ' ') : "");
}

/* Type of the names for which the widest of them fits, if a little smaller will do: four words that
 * are cut say less.  */
static double
category_type (const SlLaying *job, double room)
{
  double type = job->theme->type, widest = 1.0;
  char   number[32], first[64], second[64];

  for (unsigned i = 0; i < job->figure->categories.n; i++)
    {
      g_strlcpy (first, category (job->figure, i, number), sizeof first);
      second[0] = '\0';
      if (job->two_lines)
        split_name (category (job->figure, i, number), first, second);
      widest = MAX (widest, sl_text_width (job->text, first, type, false));
      widest = MAX (widest, sl_text_width (job->text, second, type, false));
    }
  return type * CLAMP (room / widest, 0.75, 1.0);
}

/* Category names under the bars, each no wider than its place. */
static void
lay_x (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  unsigned        n = figure->categories.n, every = 1;
  double          type = job->theme->type, widest_room;

  frame->bar = frame->plot.w / MAX (n, 1);
  widest_room = frame->bar - 0.4 * type;

  /* Where not even a short beginning of each fits, some stay unnamed. */
  if (!categories_fit (job, frame->plot.w) && widest_room < 2.2 * type)
    {
      every = (unsigned) ceil (2.6 * type / MAX (frame->bar, 0.1));
      widest_room = frame->bar * every - 0.4 * type;
    }
  frame->x_type = type = category_type (job, widest_room);
  for (unsigned i = 0; i < n && frame->n_x_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick     *tick = &frame->x_tick[frame->n_x_ticks];
      char        number[32], first[64], second[64];
      const char *name;

      tick->value = i + 0.5;
      name = category (figure, i, number);
      if (job->two_lines)
        {
          split_name (name, first, second);
          sl_text_ellipsise (job->text, second, type, false, widest_room,
                             frame->x_second[frame->n_x_ticks], SL_TICK_LABEL);
          name = first;
        }
      sl_text_ellipsise (job->text, name, type, false, widest_room, tick->label,
                         sizeof tick->label);
      frame->x_at[frame->n_x_ticks++] = sl_frame_x (frame, tick->value);
    }
}

static void
prepare_layout (SlLaying *job, double width, double height)
{
  job->two_lines
    = job->figure->categories.name != NULL && !categories_fit (job, width - 5.0 * job->theme->type);
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
  SlPen          pen = sl_curve_pen (d->theme, curve);
  double zero = f->y.logarithmic ? p->y + p->h : sl_frame_y (f, CLAMP (0.0, f->y.lo, f->y.hi));
  double y = sl_frame_y (f, curve->y[i]), size = 0.92 * d->theme->type, top;
  char   label[32];

  if (!isfinite (curve->y[i]) || !isfinite (y) || (d->figure->y.whole && curve->y[i] == 0.0))
    return;
  y = CLAMP (y, p->y, p->y + p->h);
  if (!sl_draw_by_values (d))
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
  if (!labelled || curve->bare)
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

/* A part between two heights, with its number where that fits.  Its error bar is right of the
 * middle, the next one's a little further, so that they do not run into each other.  */
static void
draw_part (const SlDrawing *d, const SlCurve *curve, size_t i, double x, double w, double below)
{
  const SlFrame *f = d->frame;
  SlPen          pen = sl_curve_pen (d->theme, curve);
  SlRgba         colour = sl_draw_bar_colour (d, &pen, curve->style);
  double bottom = f->plot.y + f->plot.h, seam = sl_draw_hair (d), size = 0.92 * d->theme->type;
  double from = CLAMP (sl_frame_y (f, below), f->plot.y, bottom);
  double to = CLAMP (sl_frame_y (f, below + curve->y[i]), f->plot.y, bottom);
  double spread = curve->spread != NULL ? curve->spread[i] : 0.0;
  double label_room = 0.8 * w;
  char   label[32];

  if (from - to > 3.0 * seam)
    to += seam;
  if (!sl_draw_by_values (d))
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
                   SL_ANCHOR_MIDDLE, sl_ink_on (colour));
  else if (d->figure->y.whole && below == 0.0) /* a low bar of a count, which is alone */
    sl_draw_words (d, x + w / 2.0, to - 0.3 * size, label, size, false, SL_ANCHOR_MIDDLE,
                   d->theme->ink);
}

/* Bars of one curve in units of the axes, where x counts the categories.  `below`, which grows by them,
 * is NULL for bars side by side.  */
static void
put_bars (const SlDrawing *d, const SlCurve *curve, double shift, double width, double *below)
{
  enum { MOST = SL_TICKS_MAX };
  const SlFrame *f = d->frame;
  SlPen          pen = sl_curve_pen (d->theme, curve);
  double         zero = f->y.logarithmic ? f->y.lo : CLAMP (0.0, f->y.lo, f->y.hi);
  size_t         n = MIN (MIN (curve->n, d->figure->categories.n), MOST);
  double         x[MOST], low[MOST], high[MOST];
  SlCanvasBars   bars = { .id = curve->id,
                          .x = x,
                          .low = low,
                          .high = high,
                          .n = n,
                          .width = width / f->bar,
                          .colour = sl_draw_bar_colour (d, &pen, curve->style) };

  for (size_t i = 0; i < n; i++)
    {
      x[i] = (double) i + 0.5 + shift / f->bar;
      low[i] = below != NULL ? below[i] : zero;
      high[i] = below != NULL ? below[i] + curve->y[i] : curve->y[i];
      if (!isfinite (high[i]) || (below != NULL && !(curve->y[i] > 0.0)))
        high[i] = low[i] = NAN;
      else if (below != NULL)
        below[i] = high[i];
    }
  d->canvas->bars (d->canvas, &bars);
}

/* How wide a bar is, of so many side by side. */
static double
bar_width (const SlDrawing *d, unsigned visible)
{
  if (d->figure->categories.stacked)
    return MIN (0.62 * d->frame->bar, 12.0 * d->theme->type);
  return MIN (0.74 * d->frame->bar / MAX (visible, 1), 9.0 * d->theme->type);
}

static unsigned
count_visible (const SlFigure *figure)
{
  unsigned visible = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    visible += !figure->curve[c].hidden;
  return visible;
}

/* Axes and bars for a canvas that takes them by their values. */
static void
draw (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  unsigned        visible = count_visible (figure), at = 0;
  double          w = bar_width (d, visible), below[SL_TICKS_MAX] = { 0 };

  if (!sl_draw_by_values (d))
    return;
  sl_draw_begin_values (d);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      double shift = (at + 0.5 - 0.5 * visible) * w - (visible > 1 ? 0.03 * w : 0.0);

      if (figure->curve[c].hidden)
        continue;
      d->canvas->style = c + 1;
      if (figure->categories.stacked)
        put_bars (d, &figure->curve[c], 0.0, w, below);
      else
        put_bars (d, &figure->curve[c], shift, w * (visible > 1 ? 0.94 : 1.0), NULL);
      at++;
    }
  d->canvas->style = 0;
  d->canvas->end_axes (d->canvas);
}

/* The line of the mark over the bars that it stands in, with its label on the side that has more room. */
static void
draw_mark (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double width = sl_draw_hair (d), at = sl_draw_sharp (d, f->mark), gap = 0.4 * d->theme->type;
  bool   left = at > f->plot.x + f->plot.w / 2.0;

  sl_draw_segment (d, at, f->plot.y, at, f->plot.y + f->plot.h, d->theme->ink, 1.6 * width, NULL);
  sl_draw_words (d, left ? at - gap : at + gap, f->plot.y + d->theme->type, d->figure->mark_label,
                 d->theme->type, false, left ? SL_ANCHOR_END : SL_ANCHOR_START, d->theme->ink);
}

/* Bars side by side, or the parts of one bar per category on top of each other, in the order of the
 * curves.  */
static void
draw_over (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlFrame  *f = d->frame;
  double          below[SL_TICKS_MAX] = { 0 };
  unsigned        visible = count_visible (figure), at = 0;
  double          w = bar_width (d, visible);
  bool            labelled = !figure->categories.stacked && labels_fit (d, w);

  sl_draw_group_over (d, "bars");
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      size_t         n = MIN (curve->n, figure->categories.n);

      if (curve->hidden)
        continue;
      sl_draw_group (d, curve->id, NULL, 1.0);
      for (size_t i = 0; i < n; i++)
        {
          double middle = f->plot.x + f->bar * ((double) i + 0.5);

          if (!figure->categories.stacked)
            draw_bar (d, curve, i, middle + (at - 0.5 * visible) * w,
                      w * (visible > 1 ? 0.94 : 1.0), labelled);
          else if (i < SL_TICKS_MAX && curve->y[i] > 0.0)
            {
              draw_part (d, curve, i, middle - w / 2.0, w, below[i]);
              below[i] += curve->y[i];
            }
        }
      sl_draw_holes (d, curve);
      sl_draw_end (d);
      at++;
    }
  if (figure->mark_label != NULL && isfinite (f->mark))
    draw_mark (d);
  sl_draw_end (d);
}

/* clang-format off */
const SlFigureKind sl_kind_bars = {
  .words = "bars",
  .axes = true, .values = true, .bars = true, .linear_x = true, .swatches = true, .legend_from = 2,
  .take = sl_panel_take_curves, .fit_x = fit_x, .prepare_layout = prepare_layout, .lay_x = lay_x,
  .draw = draw, .draw_over = draw_over,
};
/* clang-format on */
