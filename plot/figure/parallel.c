/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates as data; see parallel.h.  */
#include "plot/figure/parallel.h"

#include <assert.h>
#include <glib.h>
#include <math.h>
#include <string.h>

void
sl_parallel_clear (SlParallel *parallel)
{
  g_free (parallel->value);
  *parallel = (SlParallel) { 0 };
}

SlParallelAxis *
sl_parallel_axis (SlParallel *parallel, const char *title, const char *unit, bool logarithmic)
{
  SlParallelAxis *axis;

  if (parallel->n_axes == SL_PARALLEL_AXES || parallel->n > 0)
    return NULL;
  /* Room was made for so many values of a line. */
  parallel->capacity = 0;
  axis = &parallel->axis[parallel->n_axes++];
  *axis = (SlParallelAxis) { .logarithmic = logarithmic };
  g_strlcpy (axis->title, title, sizeof axis->title);
  g_strlcpy (axis->unit, unit, sizeof axis->unit);
  return axis;
}

bool
sl_parallel_line (SlParallel *parallel, const double *values)
{
  unsigned n_axes = parallel->n_axes;

  if (n_axes == 0)
    return false;
  if (parallel->n == parallel->capacity)
    {
      parallel->capacity = MAX (2 * parallel->capacity, 64);
      parallel->value = g_renew (double, parallel->value, parallel->capacity *n_axes);
    }
  memcpy (parallel->value + parallel->n * n_axes, values, n_axes * sizeof *values);
  parallel->n++;
  return true;
}

void
sl_parallel_brush (SlParallel *parallel, unsigned axis, double from, double to)
{
  if (axis >= parallel->n_axes)
    return;
  parallel->axis[axis].brushed = !isnan (from) && !isnan (to);
  parallel->axis[axis].from = fmin (from, to);
  parallel->axis[axis].to = fmax (from, to);
}

bool
sl_parallel_selected (const SlParallel *parallel, size_t line)
{
  assert (line < parallel->n);
  for (unsigned a = 0; a < parallel->n_axes; a++)
    {
      const SlParallelAxis *axis = &parallel->axis[a];
      double                value = parallel->value[line * parallel->n_axes + a];

      if (axis->brushed && !(value >= axis->from && value <= axis->to))
        return false;
    }
  return true;
}

/* From the smallest to the largest value; all choices, so that an axis does not move. */
static void
fit (SlParallel *parallel, unsigned a)
{
  SlParallelAxis *axis = &parallel->axis[a];
  double          lo = HUGE_VAL, hi = -HUGE_VAL;

  for (size_t line = 0; line < parallel->n; line++)
    {
      double value = parallel->value[line * parallel->n_axes + a];

      if (isfinite (value) && (!axis->logarithmic || value > 0.0))
        {
          lo = fmin (lo, value);
          hi = fmax (hi, value);
        }
    }
  for (unsigned i = 0; axis->choices != NULL && axis->choices[i].id != NULL; i++)
    {
      lo = fmin (lo, i);
      hi = fmax (hi, i);
    }
  if (axis->measured && lo <= hi)
    {
      double least = fmax (4.0 * axis->spread, 0.01 * fmax (fabs (lo), fabs (hi)));
      double lack = fmax (least - (hi - lo), 0.0);
      double below = lo >= 0.0 ? fmin (0.5 * lack, lo) : 0.5 * lack;

      lo -= below;
      hi += lack - below;
    }
  axis->scale = lo <= hi ? sl_scale_new (lo, hi, axis->logarithmic)
                         : sl_scale_new (NAN, NAN, axis->logarithmic);
}

void
sl_parallel_update (SlParallel *parallel, SlFigure *figure, const char *title)
{
  for (unsigned a = 0; a < parallel->n_axes; a++)
    fit (parallel, a);
  figure->kind = SL_PARALLEL;
  figure->parallel = parallel;
  figure->mark = NAN;
  g_strlcpy (figure->title, title, sizeof figure->title);
  figure->x = figure->y = (SlAxis) { .label = "", .unit = "" };
  figure->z = figure->x;
  if (parallel->colour < parallel->n_axes)
    {
      const SlParallelAxis *axis = &parallel->axis[parallel->colour];

      figure->colours.lo = axis->scale.lo;
      figure->colours.hi = axis->scale.hi;
      figure->view.log_y = axis->logarithmic;
    }
  figure->version++;
}

const char *
sl_parallel_text (const SlParallel *parallel, unsigned axis, double value, char *text, size_t size)
{
  const SlParallelAxis *of = &parallel->axis[axis];
  char                  number[40];

  assert (axis < parallel->n_axes);
  for (unsigned i = 0; of->choices != NULL && of->choices[i].id != NULL; i++)
    if (value == i)
      {
        g_strlcpy (text, of->choices[i].title, size);
        return text;
      }
  sl_number_text (value, 4, number, sizeof number);
  g_snprintf (text, size, "%s%s%s", number, of->unit[0] != '\0' ? "\302\240" : "", of->unit);
  return text;
}
