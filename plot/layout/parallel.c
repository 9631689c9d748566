/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates on a frame; see parallel.h.  */
#include "plot/layout/parallel.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"

/* Ticks of an axis of numbers, and how far apart the middles of two labels are at least, in type. */
enum { TICKS = 5 };
static const double apart = 1.15;

double
sl_parallel_x (const SlParallel *parallel, const SlFrame *frame, unsigned axis)
{
  return frame->parallel.x[axis];
}

/* Titles are above the axes, and half a label reaches below them. */
static void
ends (const SlFrame *frame, double *top, double *bottom)
{
  *top = frame->plot.y + (1.0 + 1.2 * frame->parallel.title_lines) * frame->type;
  *bottom = MAX (*top + 1.0, frame->plot.y + frame->plot.h - 0.6 * frame->type);
}

/* ---- labels ---- */

/* Whether some line has this choice. */
static bool
is_chosen (const SlParallel *parallel, unsigned axis, double choice)
{
  for (size_t line = 0; line < parallel->n; line++)
    if (parallel->value[line * parallel->n_axes + axis] == choice)
      return true;
  return false;
}

/* Takes the labels away that would lie on one another: first come those of choices that lines have. */
static void
thin (const SlParallel *parallel, const SlFrame *frame, unsigned axis, SlTick *tick, unsigned n)
{
  bool   chosen[SL_TICKS_MAX], kept[SL_TICKS_MAX] = { false };
  double y[SL_TICKS_MAX];

  for (unsigned i = 0; i < n; i++)
    {
      chosen[i] = parallel->axis[axis].choices == NULL || is_chosen (parallel, axis, tick[i].value);
      y[i] = sl_parallel_y (parallel, frame, axis, tick[i].value);
    }
  for (int turn = 1; turn >= 0; turn--)
    for (unsigned i = 0; i < n; i++)
      {
        bool room = chosen[i] == turn && tick[i].label[0] != '\0';

        for (unsigned k = 0; k < n; k++)
          room = room && !(kept[k] && fabs (y[i] - y[k]) < apart * frame->type);
        kept[i] = kept[i] || room;
      }
  for (unsigned i = 0; i < n; i++)
    if (!kept[i])
      tick[i].label[0] = '\0';
}

unsigned
sl_parallel_ticks (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                   SlTick tick[SL_TICKS_MAX])
{
  const SlParallelAxis *of = &parallel->axis[axis];
  double                top, bottom;
  unsigned              n = 0;

  ends (frame, &top, &bottom);
  if (of->choices == NULL)
    n = sl_scale_ticks (
      &of->scale, (unsigned) CLAMP ((bottom - top) / (2.0 * frame->type), 1.0, TICKS), false, tick);
  else
    for (; of->choices[n].id != NULL && n < SL_TICKS_MAX; n++)
      {
        const char *title = of->choices[n].title, *end;

        tick[n] = (SlTick) { .value = n };
        g_strlcpy (tick[n].label, frame->translated ? sl_words (title) : title,
                   sizeof tick[n].label);
        /* No letter is cut in two. */
        g_utf8_validate (tick[n].label, -1, &end);
        tick[n].label[end - tick[n].label] = '\0';
      }
  thin (parallel, frame, axis, tick, n);
  return n;
}

const char *
sl_parallel_title (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                   char title[SL_PARALLEL_WORDS])
{
  const SlParallelAxis *of = &parallel->axis[axis];
  bool                  unit = of->unit[0] != '\0';

  g_snprintf (title, SL_PARALLEL_WORDS, "%s%s%s%s",
              frame->translated ? sl_words (of->title) : of->title, unit ? " (" : "", of->unit,
              unit ? ")" : "");
  return title;
}

/* ---- places ---- */

/* What is around an axis, in px. */
typedef struct
{
  double labels, title;
} Around;

static void
measure (const SlLaying *job, const SlFrame *frame, unsigned a, Around *around)
{
  const SlParallel *parallel = job->figure->parallel;
  double            type = job->theme->type;
  char              title[SL_PARALLEL_WORDS], first[SL_PARALLEL_WORDS];
  SlTick            tick[SL_TICKS_MAX];
  unsigned          n = sl_parallel_ticks (parallel, frame, a, tick);
  const char       *second;

  around->labels = sl_lay_widest (job, tick, n) + 0.5 * type;
  sl_parallel_title (parallel, frame, a, title);
  second = frame->parallel.title_lines > 1 ? sl_parallel_break (title, first) : NULL;
  around->title = second == NULL ? sl_text_width (job->text, title, type, true)
                                 : MAX (sl_text_width (job->text, first, type, true),
                                        sl_text_width (job->text, second, type, true));
}

const char *
sl_parallel_break (const char *title, char first[SL_PARALLEL_WORDS])
{
  size_t      n = strlen (title);
  const char *best = NULL;

  for (const char *space = strchr (title, ' '); space != NULL; space = strchr (space + 1, ' '))
    if (best == NULL || ABS (2 * (space - title) - (long) n) < ABS (2 * (best - title) - (long) n))
      best = space;
  if (best == NULL)
    return NULL;
  g_strlcpy (first, title, MIN ((size_t) (best - title) + 1, (size_t) SL_PARALLEL_WORDS));
  return best + 1;
}

/* The least px between the axis a and the one before it; of the first from the left edge. */
static double
least_gap (const SlLaying *job, const Around *around, unsigned a)
{
  double type = job->theme->type;

  if (a == 0)
    return MAX (around[0].labels, 0.5 * around[0].title);
  return MAX (around[a].labels + 1.5 * type,
              0.5 * (around[a - 1].title + around[a].title) + 0.8 * type);
}

/* The px that all gaps take when each is at least `even`. */
static double
sum_gaps (const double *gap, unsigned n, double even)
{
  double sum = 0.0;

  for (unsigned a = 1; a < n; a++)
    sum += MAX (gap[a], even);
  return sum;
}

/* The px across that a title has: as much of the gaps beside it as its share of the titles there. */
static double
title_room (const SlFrame *frame, const Around *around, unsigned n, unsigned a)
{
  const double *x = frame->parallel.x;
  double        half = HUGE_VAL;

  if (a > 0)
    half
      = MIN (half, (x[a] - x[a - 1]) * around[a].title / (around[a - 1].title + around[a].title));
  if (a + 1 < n)
    half
      = MIN (half, (x[a + 1] - x[a]) * around[a].title / (around[a + 1].title + around[a].title));
  half -= 0.25 * frame->type;
  half = MIN (half, x[a] - frame->plot.x);
  return 2.0 * MIN (half, frame->plot.x + frame->plot.w - x[a]) + 0.1;
}

/* Puts the axes where each has the room that it needs, as evenly as that allows; FALSE where there is not enough. */
static bool
place (const SlLaying *job, SlFrame *frame, unsigned n, unsigned title_lines)
{
  SlFrameParallel *at = &frame->parallel;
  Around           around[SL_PARALLEL_AXES];
  double           gap[SL_PARALLEL_AXES] = { 0.0 }, right, room, low = 0.0, high = frame->plot.w;
  double           squeeze;

  at->title_lines = title_lines;
  for (unsigned a = 0; a < n; a++)
    measure (job, frame, a, &around[a]);
  for (unsigned a = 0; a < n; a++)
    gap[a] = least_gap (job, around, a);
  right = MAX (0.5 * around[n - 1].title, job->theme->type);
  room = frame->plot.w - gap[0] - right;
  squeeze = MIN (1.0, frame->plot.w / (gap[0] + right + sum_gaps (gap, n, 0.0)));
  for (int halving = 0; halving < 40; halving++)
    *(sum_gaps (gap, n, 0.5 * (low + high)) > room ? &high : &low) = 0.5 * (low + high);
  for (unsigned a = 0; a < n; a++)
    {
      double step = squeeze * (a == 0 ? gap[0] : MAX (gap[a], low));

      at->x[a] = (a == 0 ? frame->plot.x : at->x[a - 1]) + step;
      at->room[a] = step - (a == 0 ? 0.0 : 0.6 * job->theme->type);
    }
  for (unsigned a = 0; a < n; a++)
    at->title[a] = title_room (frame, around, n, a);
  return squeeze >= 1.0;
}

void
sl_parallel_lay (const SlLaying *job, SlFrame *frame)
{
  unsigned n = job->figure->parallel->n_axes;

  if (n > 0 && !place (job, frame, n, 1))
    place (job, frame, n, 2);
}

double
sl_parallel_y (const SlParallel *parallel, const SlFrame *frame, unsigned axis, double value)
{
  double top, bottom;

  ends (frame, &top, &bottom);
  return bottom - (bottom - top) * sl_scale_map (&parallel->axis[axis].scale, value);
}

double
sl_parallel_value (const SlParallel *parallel, const SlFrame *frame, unsigned axis, double y)
{
  const SlScale *scale = &parallel->axis[axis].scale;
  double         top, bottom;

  ends (frame, &top, &bottom);
  return CLAMP (sl_scale_unmap (scale, (bottom - y) / (bottom - top)), scale->lo, scale->hi);
}

int
sl_parallel_axis_at (const SlParallel *parallel, const SlFrame *frame, double x, double reach)
{
  for (unsigned a = 0; a < parallel->n_axes; a++)
    if (fabs (sl_parallel_x (parallel, frame, a) - x) <= reach)
      return (int) a;
  return -1;
}

int
sl_parallel_line_at (const SlParallel *parallel, const SlFrame *frame, double x, double y,
                     double reach)
{
  double nearest = reach;
  int    found = -1;

  for (size_t line = 0; line < parallel->n; line++)
    {
      const double *value = parallel->value + line * parallel->n_axes;

      if (!sl_parallel_selected (parallel, line))
        continue;
      for (unsigned a = 0; a + 1 < parallel->n_axes; a++)
        {
          SlXY from
            = { sl_parallel_x (parallel, frame, a), sl_parallel_y (parallel, frame, a, value[a]) };
          SlXY   to = { sl_parallel_x (parallel, frame, a + 1),
                        sl_parallel_y (parallel, frame, a + 1, value[a + 1]) };
          double d = sl_segment_distance (from, to, x, y);

          /* Later lines lie above earlier ones. */
          if (d <= nearest)
            {
              nearest = d;
              found = (int) line;
            }
        }
    }
  return found;
}
