/* SPDX-License-Identifier: MIT */
#include "core/labs/sign-estimator/math/threshold.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/nn/kernels/vector.h"

static inline sl_real
apply_one (double theta, bool at_least, sl_real q)
{
  /* Scores that reach theta, at which a difference would not be above 0. */
  const sl_real least = sizeof (sl_real) == sizeof (float) ? (sl_real) FLT_MIN : (sl_real) DBL_MIN;
  sl_real       over = (sl_real) ((double) q - theta);
  bool          on = at_least ? q >= (sl_real) theta : (double) q > theta;

  return !on && over > 0 ? 0 : on && !(over > 0) ? least : over;
}

void
sl_threshold_apply (size_t n, double theta, bool at_least, sl_real *q)
{
  if (!at_least && theta == 0.0)
    return;
  for (size_t i = 0; i < n; i++)
    q[i] = apply_one (theta, at_least, q[i]);
}

void
sl_threshold_apply_each (size_t batch, size_t units, const double *theta, bool at_least, sl_real *q)
{
  for (size_t e = 0; e < batch; e++, q += units)
    for (size_t i = 0; i < units; i++)
      q[i] = apply_one (theta[i], at_least, q[i]);
}

double
sl_threshold_for (SlAim aim, double value, size_t n, const sl_real *q, const sl_real *pre,
                  sl_real *room)
{
  size_t  of = 0, keep;
  double  next = -HUGE_VAL;
  sl_real last;

  for (size_t i = 0; i < n; i++)
    if (aim == SL_AIM_DENSITY || pre[i] > 0)
      room[of++] = q[i];
  keep = (size_t) fmax (ceil (value * (double) of - 1e-9), 0.0);
  if (keep == 0)
    return HUGE_VAL;
  if (keep > of)
    keep = of;
  last = sl_vector_select (of, room, of - keep);
  for (size_t i = 0; i < n; i++)
    if (q[i] < last)
      next = fmax (next, (double) q[i]);
  return next > -HUGE_VAL ? 0.5 * (double) last + 0.5 * next : (double) last - 1.0;
}

void
sl_threshold_for_each (SlAim aim, double value, size_t batch, size_t units, const sl_real *q,
                       const sl_real *pre, sl_real *room, sl_real *column, double *theta)
{
  for (size_t i = 0; i < units; i++)
    {
      for (size_t e = 0; e < batch; e++)
        {
          column[e] = q[e * units + i];
          column[batch + e] = pre[e * units + i];
        }
      theta[i] = sl_threshold_for (aim, value, batch, column, column + batch, room);
    }
}

static int
falling (const void *a, const void *b)
{
  sl_real x = ((const SlScoredPair *) a)->q, y = ((const SlScoredPair *) b)->q;

  return (x < y) - (x > y);
}

size_t
sl_threshold_curve (size_t n, const sl_real *q, const sl_real *pre, size_t most, double *recall,
                    double *false_alarm, SlScoredPair *room)
{
  size_t on = 0, found = 0, alarms = 0, points = 0;

  for (size_t i = 0; i < n; i++)
    {
      room[i] = (SlScoredPair) { isnan (q[i]) ? -HUGE_VALF : q[i], pre[i] > 0 };
      on += room[i].on;
    }
  if (on == 0 || on == n)
    return 0;
  qsort (room, n, sizeof *room, falling);
  recall[points] = false_alarm[points] = 0.0;
  points++;
  for (size_t i = 0; i < n; i++)
    {
      found += room[i].on;
      alarms += !room[i].on;
      /* The last of equal ones, and the next point is due. */
      if (i + 1 < n && (room[i + 1].q == room[i].q || (i + 1) * (most - 1) < points * n))
        continue;
      recall[points] = (double) found / (double) on;
      false_alarm[points] = (double) alarms / (double) (n - on);
      points++;
    }
  return points;
}
