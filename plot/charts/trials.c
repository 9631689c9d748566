/* SPDX-License-Identifier: MIT */
#include "plot/charts/trials.h"

#include <math.h>

static void
add_trial (const SlTrials *trials, guint i, SlFront *front)
{
  const SlForeignTrial *trial = g_ptr_array_index (trials->trials, i);
  SlFrontRun            run = {
               .key = trial->key,
               .x = trial->cost,
               .y = trial->error,
               .tone = trials->tone >= 0 ? sl_trials_setting (trial, (guint) trials->tone) : (double) NAN,
               .tag = i,
  };

  if (g_strlcpy (run.title, trial->title, sizeof run.title) >= sizeof run.title)
    *g_utf8_find_prev_char (run.title, run.title + sizeof run.title) = '\0';
  sl_front_add (front, &run);
}

/* Rates and weights are varied by factors. */
static bool
spans_decades (const SlTrials *trials, guint setting)
{
  double least = HUGE_VAL, most = 0;

  for (guint i = 0; i < trials->trials->len; i++)
    {
      double value = sl_trials_setting (g_ptr_array_index (trials->trials, i), setting);

      least = fmin (least, value);
      most = fmax (most, value);
    }
  return least > 0 && most >= 50 * least;
}

gboolean
sl_trials_figure (const SlTrials *trials, SlFront *front, SlFigure *figure)
{
  sl_front_empty (front);
  front->frontier = true;
  for (guint i = 0; i < trials->trials->len; i++)
    add_trial (trials, i, front);
  g_strlcpy (figure->title, trials->title, sizeof figure->title);
  figure->x = (SlAxis) { .label = trials->cost, .unit = trials->seconds ? "s" : "" };
  figure->y = (SlAxis) { .label = trials->axis, .unit = "" };
  figure->z = (SlAxis) { 0 };
  if (trials->tone >= 0)
    figure->z = (SlAxis) {
      .label = g_ptr_array_index (trials->settings, (guint) trials->tone),
      .unit = "",
      .logarithmic = spans_decades (trials, (guint) trials->tone),
    };
  return front->n > 0 && sl_front_update (front, figure);
}
