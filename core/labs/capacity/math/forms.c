/* SPDX-License-Identifier: MIT */
#include "core/labs/capacity/math/forms.h"

#include <math.h>

double
sl_capacity_gaussian (double x, double mean, double variance)
{
  double away = x - mean;

  if (!(variance > 0.0))
    return away == 0.0 ? 1.0 : 0.0;
  return exp (-away * away / (2.0 * variance)) / sqrt (2.0 * M_PI * variance);
}

double
sl_capacity_trust (const SlCapacityMoments *sum)
{
  return sum->variance > 0.0 ? sum->fourth / (sum->variance * sum->variance) : NAN;
}

/* 2 D H (v): the integral of all Gaussians up to variance v. */
static double
all_up_to (double x, double v)
{
  return 2.0 * sqrt (v / (2.0 * M_PI)) * exp (-x * x / (2.0 * v))
         - fabs (x) * erfc (fabs (x) / sqrt (2.0 * v));
}

double
sl_capacity_skips (double x, double t, double D)
{
  return D * t > 0.0 ? all_up_to (x, 2.0 * D * t) / (2.0 * D)
                     : t * sl_capacity_gaussian (x, 0.0, 0.0);
}

/* e^(z²) erfc (z) for z >= 0 where the factors alone overflow: the asymptotic series; right to
 * 1e-13 from 8 on.  */
static double
scaled_erfc (double z)
{
  double term = 1.0, sum = 1.0;

  if (z < 8.0)
    return exp (z * z) * erfc (z);
  for (int k = 1; k < 12; k++)
    sum += term *= -(2.0 * k - 1.0) / (2.0 * z * z);
  return sum / (z * sqrt (M_PI));
}

double
sl_capacity_leaked (double x, double t, double D, double leak)
{
  double r, a, b, near, far;

  if (!(leak * t > 0.0))
    return 0.0;
  if (!(D > 0.0))
    return x == 0.0 ? -expm1 (-leak * t) : 0.0;
  r = sqrt (leak / D);
  a = fabs (x) / sqrt (4.0 * D * t);
  b = sqrt (leak * t);
  near = exp (-r * fabs (x)) * erfc (a - b);
  far = exp (-a * a - b * b) * scaled_erfc (a + b);
  return 0.25 * r * (near - far);
}
