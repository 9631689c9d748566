/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/schedule.h"

#include <math.h>

double
sl_schedule (SlSchedule schedule, double epochs, double epoch)
{
  switch (schedule)
    {
    case SL_CONSTANT: break;
    case SL_COSINE: return epoch < epochs ? 0.5 * (1.0 + cos (acos (-1.0) * epoch / epochs)) : 0.0;
    case SL_STEPS: return pow (0.9, floor (epoch / epochs));
    }
  return 1.0;
}

double
sl_schedule_inverse_root (double warm_up, double flat, double t)
{
  double high = warm_up + flat;

  if (t < warm_up)
    return t / warm_up;
  return t > high ? sqrt ((high > 1.0 ? high : 1.0) / t) : 1.0;
}
