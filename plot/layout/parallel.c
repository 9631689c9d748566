/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates on a frame; see parallel.h.  */
#include "plot/layout/parallel.h"

#include <glib.h>
#include <math.h>

double
sl_parallel_x (const SlParallel *parallel, const SlFrame *frame, unsigned axis)
{
  return frame->plot.x + frame->plot.w * (axis + 0.5) / MAX (parallel->n_axes, 1);
}

/* Titles are above the axes, and half a label reaches below them. */
static void
ends (const SlFrame *frame, double *top, double *bottom)
{
  *top = frame->plot.y + 2.2 * frame->type;
  *bottom = MAX (*top + 1.0, frame->plot.y + frame->plot.h - 0.6 * frame->type);
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
