/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates: lines of the runs, those outside of the brushes pale, and on them the axes
 * with their names, numbers and brushes.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/drawing.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/parallel.h"

/* Both ends of the map stand off the paper, light or dark. */
static SlRgba
colour_at (const SlDrawing *d, double value)
{
  return sl_mix (sl_tint_colour (d->theme, &d->figure->colours.tint, value), d->theme->ink, 0.25);
}

static SlRgba
colour_of (const SlDrawing *d, size_t line)
{
  const SlParallel *parallel = d->figure->parallel;
  double            value = parallel->colour < parallel->n_axes
                              ? parallel->value[line * parallel->n_axes + parallel->colour]
                              : (double) NAN;

  return isfinite (value) ? colour_at (d, value) : d->theme->neutral;
}

static void
draw_line (const SlDrawing *d, size_t line, SlRgba colour, double width)
{
  const SlParallel *parallel = d->figure->parallel;
  SlXY              points[SL_PARALLEL_AXES];

  for (unsigned a = 0; a < parallel->n_axes; a++)
    {
      double y
        = sl_parallel_y (parallel, d->frame, a, parallel->value[line * parallel->n_axes + a]);

      points[a] = (SlXY) { sl_parallel_x (parallel, d->frame, a), isfinite (y) ? y : (double) NAN };
    }
  d->canvas->line (d->canvas, points, parallel->n_axes, colour, width, NULL);
}

static void
draw_lines (const SlDrawing *d)
{
  const SlParallel *parallel = d->figure->parallel;
  SlRgba            pale = sl_mix (d->theme->soft, d->theme->plot, 0.78);

  sl_draw_group (d, "lines", &d->frame->plot, 1.0);
  for (size_t line = 0; line < parallel->n; line++)
    if (!sl_parallel_selected (parallel, line))
      draw_line (d, line, pale, 0.6 * d->theme->line);
  for (size_t line = 0; line < parallel->n; line++)
    if (sl_parallel_selected (parallel, line))
      draw_line (d, line, colour_of (d, line), 0.8 * d->theme->line);
  if (parallel->marked > 0 && parallel->marked <= parallel->n)
    {
      draw_line (d, parallel->marked - 1, d->theme->plot, 3.6 * d->theme->line);
      draw_line (d, parallel->marked - 1, d->theme->ink, 2.0 * d->theme->line);
    }
  sl_draw_end (d);
}

/* A number beside an axis, on a piece of paper so that lines do not run through it. */
static void
draw_label (const SlDrawing *d, double x, double y, const char *text)
{
  double type = d->theme->type, width = sl_text_width (d->canvas->text, text, type, false);
  SlRgba paper = d->theme->plot;

  paper.a = 0.8F;
  d->canvas->rect (d->canvas,
                   &(SlRect) { x - 5.0 - width, y - 0.6 * type, width + 2.0, 1.2 * type }, paper);
  sl_draw_words (d, x - 4.0, y + 0.35 * type, text, type, false, SL_ANCHOR_END, d->theme->ink);
}

static void
draw_ticks (const SlDrawing *d, unsigned a)
{
  const SlParallel *parallel = d->figure->parallel;
  double            x = sl_parallel_x (parallel, d->frame, a);
  SlTick            tick[SL_TICKS_MAX];
  unsigned          n = sl_parallel_ticks (parallel, d->frame, a, tick);

  for (unsigned i = 0; i < n; i++)
    {
      double y = sl_draw_sharp (d, sl_parallel_y (parallel, d->frame, a, tick[i].value));
      char   label[SL_TICK_LABEL];

      sl_draw_segment (d, x - (tick[i].minor ? 2.0 : 3.5), y, x, y, d->theme->axis,
                       sl_draw_hair (d), NULL);
      sl_text_ellipsise (d->canvas->text, tick[i].label, d->theme->type, false,
                         d->frame->parallel.room[a] - 4.0, label, sizeof label);
      if (label[0] != '\0')
        draw_label (d, x, y, label);
    }
}

/* In one line or two, the last above the axis. */
static void
draw_title (const SlDrawing *d, unsigned a, double x)
{
  const SlRect *p = &d->frame->plot;
  double        type = d->theme->type, room = d->frame->parallel.title[a];
  double        y = p->y + type, step = 1.2 * type;
  char          title[SL_PARALLEL_WORDS], line[SL_PARALLEL_WORDS], first[SL_PARALLEL_WORDS];
  bool          two = d->frame->parallel.title_lines > 1;
  const char   *last = sl_parallel_title (d->figure->parallel, d->frame, a, title);
  const char   *second = two ? sl_parallel_break (title, first) : NULL;

  if (second != NULL)
    {
      sl_text_ellipsise (d->canvas->text, first, type, true, room, line, sizeof line);
      sl_draw_words (d, x, y, line, type, true, SL_ANCHOR_MIDDLE, d->theme->ink);
      last = second;
    }
  sl_text_ellipsise (d->canvas->text, last, type, true, room, line, sizeof line);
  sl_draw_words (d, x, two ? y + step : y, line, type, true, SL_ANCHOR_MIDDLE, d->theme->ink);
}

static void
draw_brush (const SlDrawing *d, unsigned a)
{
  const SlParallel     *parallel = d->figure->parallel;
  const SlParallelAxis *axis = &parallel->axis[a];
  double                x = sl_parallel_x (parallel, d->frame, a), half = 0.45 * d->theme->type;
  double bottom = sl_parallel_y (parallel, d->frame, a, MAX (axis->from, axis->scale.lo));
  double top = sl_parallel_y (parallel, d->frame, a, MIN (axis->to, axis->scale.hi));
  SlRgba fill = d->theme->flag;

  /* A brush beyond the ends means nothing that is there. */
  if (!(top <= bottom))
    return;
  fill.a = 0.3F;
  d->canvas->rect (d->canvas, &(SlRect) { x - half, top - 1.0, 2.0 * half, bottom - top + 2.0 },
                   fill);
  sl_draw_segment (d, x - half, top - 1.0, x + half, top - 1.0, d->theme->flag, d->theme->line,
                   NULL);
  sl_draw_segment (d, x - half, bottom + 1.0, x + half, bottom + 1.0, d->theme->flag,
                   d->theme->line, NULL);
}

/* The axis that gives the lines their colours has them. */
static void
draw_colours (const SlDrawing *d, unsigned a, double x)
{
  enum { STEPS = 32 };
  const SlParallel *parallel = d->figure->parallel;
  const SlScale    *scale = &parallel->axis[a].scale;
  double            bottom = sl_parallel_y (parallel, d->frame, a, scale->lo);
  double            step = (bottom - sl_parallel_y (parallel, d->frame, a, scale->hi)) / STEPS,
         half = 0.25 * d->theme->type;

  for (unsigned i = 0; i < STEPS; i++)
    d->canvas->rect (d->canvas,
                     &(SlRect) { x - half, bottom - (i + 1) * step, 2.0 * half, step + 0.3 },
                     colour_at (d, sl_scale_unmap (scale, (i + 0.5) / STEPS)));
}

static void
draw_axis (const SlDrawing *d, unsigned a)
{
  const SlParallel     *parallel = d->figure->parallel;
  const SlParallelAxis *axis = &parallel->axis[a];
  double                x = sl_draw_sharp (d, sl_parallel_x (parallel, d->frame, a));

  draw_title (d, a, x);
  if (a == parallel->colour)
    draw_colours (d, a, x);
  else
    sl_draw_segment (d, x, sl_parallel_y (parallel, d->frame, a, axis->scale.hi), x,
                     sl_parallel_y (parallel, d->frame, a, axis->scale.lo), d->theme->axis,
                     1.6 * sl_draw_hair (d), NULL);
  draw_ticks (d, a);
  if (axis->brushed)
    draw_brush (d, a);
}

static void
draw_over (const SlDrawing *d)
{
  draw_lines (d);
  sl_draw_group (d, "axes", NULL, 1.0);
  for (unsigned a = 0; a < d->figure->parallel->n_axes; a++)
    draw_axis (d, a);
  sl_draw_end (d);
}

static bool
empty (const SlFigure *figure)
{
  return figure->parallel == NULL || figure->parallel->n == 0;
}

/* clang-format off */
const SlFigureKind sl_kind_parallel = {
  .words = "a graph",
  .tinted = true, .log_tint = true, .named_tint = true,
  .empty = empty,
  .lay_plot = sl_parallel_lay,
  .draw_over = draw_over,
};
/* clang-format on */
