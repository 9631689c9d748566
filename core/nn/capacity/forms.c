/* SPDX-License-Identifier: MIT
 *
 * Closed forms; see capacity-forms.h.  */
#include "core/nn/capacity/forms.h"

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
  if (!(v > 0.0))
    return -fabs (x);
  return 2.0 * sqrt (v / (2.0 * M_PI)) * exp (-x * x / (2.0 * v))
         - fabs (x) * erfc (fabs (x) / sqrt (2.0 * v));
}

double
sl_capacity_skips_from (double x, double t, double D, double v0)
{
  if (!(D * t > 0.0))
    return t * sl_capacity_gaussian (x, 0.0, v0);
  if (!(v0 > 0.0)) /* the point source begins with |x| erfc (∞) = 0, not with the limit at x = 0 */
    return all_up_to (x, 2.0 * D * t) / (2.0 * D);
  return (all_up_to (x, v0 + 2.0 * D * t) - all_up_to (x, v0)) / (2.0 * D);
}

double
sl_capacity_skips (double x, double t, double D)
{
  return sl_capacity_skips_from (x, t, D, 0.0);
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

double
sl_capacity_dilation (double t, double R)
{
  return pow (R, 2.0 * (1.0 - t));
}

double
sl_capacity_dilated (double t, double R)
{
  double rate = 2.0 * log (R);

  /* R² (1 - e^(-rate t)) ÷ rate, which is t for R = 1. */
  return rate == 0.0 ? t : -R * R * expm1 (-rate * t) / rate;
}

double
sl_capacity_memory (SlCapacityRule rule, double lag, double T, double moving, double leak)
{
  double z = 1.0 + (moving + leak) / T;

  if (rule == SL_CAPACITY_MARKOV)
    return leak / T * pow (1.0 - leak / T, lag);
  return leak / T / z * pow ((1.0 + moving / T) / z, lag);
}

double
sl_capacity_remaining (const SlCapacityShares *shares, double L)
{
  return pow (1.0 - shares->side - shares->bias, L);
}
