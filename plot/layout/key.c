/* SPDX-License-Identifier: MIT
 *
 * The colour bar: its ends, labels, title, and the hatching that exact zeros have.  */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/layout/private.h"

enum { MOST_TICKS = 5 };

/* Puts a label with a sign at an end of the scale that values lie beyond. */
static void
mark_end (SlFrame *frame, const char *sign, double value, double apart)
{
  const SlScale *scale = &frame->tint.scale;
  char           number[SL_TICK_LABEL] = "";
  const char    *words = number;
  unsigned       n = 0;

  /* The label next to the end is dropped; the label at the end keeps its text. */
  for (unsigned i = 0; i < frame->n_key_ticks; i++)
    {
      double away
        = fabs (sl_scale_map (scale, frame->key_tick[i].value) - sl_scale_map (scale, value));

      if (away < 1e-6)
        g_strlcpy (number, frame->key_tick[i].label, sizeof number);
      if (away > apart)
        frame->key_tick[n++] = frame->key_tick[i];
    }
  if (*number == '\0')
    sl_number_text (value, 3, number, sizeof number);
  /* As powers of ten are written at ticks. */
  if (scale->logarithmic && g_str_has_prefix (number, "1\303\227"))
    words += strlen ("1\303\227");
  frame->n_key_ticks = MIN (n, SL_TICKS_MAX - 1);
  frame->key_tick[frame->n_key_ticks] = (SlTick) { .value = value };
  g_snprintf (frame->key_tick[frame->n_key_ticks].label, SL_TICK_LABEL, "%s\302\240%.*s", sign,
              SL_TICK_LABEL - 8, words);
  frame->n_key_ticks++;
}

/* About so many ticks, and never more than are read at a glance. */
static void
lay_ticks (SlFrame *frame, unsigned wanted)
{
  for (unsigned labels = MOST_TICKS + 1; labels > MOST_TICKS && wanted > 0; wanted--)
    {
      frame->n_key_ticks = sl_scale_ticks (&frame->tint.scale, wanted, false, frame->key_tick);
      labels = 0;
      for (unsigned i = 0; i < frame->n_key_ticks; i++)
        labels += frame->key_tick[i].label[0] != '\0';
    }
}

static int
rising (const void *a, const void *b)
{
  double x = ((const SlTick *) a)->value, y = ((const SlTick *) b)->value;

  return (x > y) - (x < y);
}

static bool
has_tick (const SlTick *tick, unsigned n, double value)
{
  for (unsigned i = 0; i < n; i++)
    if (tick[i].value == value)
      return true;
  return false;
}

/* Of settings that were tried, the few themselves, where their labels are `apart`; false: they are no few. */
static bool
lay_settings (const SlFigure *figure, SlFrame *frame, double apart)
{
  const SlScale *scale = &frame->tint.scale;
  SlTick         tick[MOST_TICKS] = { 0 };
  unsigned       n = 0;

  for (unsigned c = 0; figure->colours.toned && c < figure->n_curves; c++)
    for (size_t i = 0; figure->curve[c].tone != NULL && i < figure->curve[c].n; i++)
      {
        double tone = figure->curve[c].tone[i];

        if (!isfinite (tone) || has_tick (tick, n, tone))
          continue;
        if (n == MOST_TICKS)
          return false;
        tick[n].value = tone;
        sl_number_text (tone, 3, tick[n++].label, SL_TICK_LABEL);
      }
  qsort (tick, n, sizeof *tick, rising);
  for (unsigned i = 1; i < n; i++)
    if (sl_scale_map (scale, tick[i].value) - sl_scale_map (scale, tick[i - 1].value) < apart)
      return false;
  if (n < 2)
    return false;
  memcpy (frame->key_tick, tick, n * sizeof *tick);
  frame->n_key_ticks = n;
  return true;
}

double
sl_lay_key (const SlLaying *job, SlFrame *frame, double h)
{
  const SlFigure *figure = job->figure;
  double          type = job->theme->type, apart = 1.2 * job->line / MAX (h, 1.0), width;

  frame->tint = figure->colours.tint;
  if (!lay_settings (figure, frame, apart))
    lay_ticks (frame, (unsigned) CLAMP (h / (4.0 * type), 1.0, MOST_TICKS));
  if (frame->tint.above)
    mark_end (frame, "\342\211\245", frame->tint.scale.hi, apart);
  if (frame->tint.below)
    mark_end (frame, "\342\211\244", frame->tint.scale.lo, apart);
  frame->key.w = 0.9 * type;
  width = frame->key.w + 4.0 + sl_lay_widest (job, frame->key_tick, frame->n_key_ticks);
  if (figure->colours.zero != NULL && sl_figure_kind (figure)->row_axis)
    {
      frame->key_zero.w = frame->key.w;
      width = MAX (width, frame->key.w + 4.0
                            + sl_text_ellipsise (job->text, figure->colours.zero, type, false,
                                                 0.16 * frame->width, frame->key_zero_text,
                                                 sizeof frame->key_zero_text));
    }
  sl_lay_axis_title (&figure->z, frame->key_title, sizeof frame->key_title);
  /* A narrow plot needs its width itself. */
  if (frame->width < 22.0 * type)
    frame->key_title[0] = '\0';
  if (frame->key_title[0] != '\0')
    width += job->line + 2.0;
  return width + 0.8 * type;
}

/* Px from the upper end of the bar for its title, which may go on beside the labels along x: nothing else is there. */
static double
title_room (const SlLaying *job, const SlFrame *frame)
{
  double middle = frame->plot.x + 0.5 * frame->plot.w, type = job->theme->type;
  double right = middle + 0.5 * sl_text_width (job->text, frame->x_label, type, false);
  bool   beside = right < frame->key_title_x - 1.5 * type;

  if (!sl_frame_kind (frame)->axes)
    return frame->plot.h;
  return (beside ? frame->x_label_y : frame->x_ticks_y) + job->descent - frame->plot.y;
}

void
sl_lay_place_key (const SlLaying *job, SlFrame *frame)
{
  double type = job->theme->type;

  frame->key.x = frame->plot.x + frame->plot.w + 0.8 * type;
  frame->key.y = frame->plot.y;
  frame->key.h = frame->plot.h;
  if (frame->key_zero.w > 0.0 && frame->plot.h > 5.0 * type)
    {
      frame->key.h -= 1.9 * type;
      frame->key_zero = (SlRect) { frame->key.x, frame->key.y + frame->key.h + 0.9 * type,
                                   0.9 * type, 0.9 * type };
    }
  else
    frame->key_zero.w = 0.0;
  for (unsigned i = 0; i < frame->n_key_ticks; i++)
    frame->key_at[i]
      = frame->key.y
        + frame->key.h * (1.0 - sl_scale_map (&frame->tint.scale, frame->key_tick[i].value));
  frame->key_title_x = frame->width - job->pad - frame->spare - 0.25 * type;
  sl_lay_cut_title (job, &job->figure->z, frame->key_title, title_room (job, frame));
}
