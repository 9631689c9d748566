/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/penalty.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/clones.h"

static const double edge = 1e-4; /* of an activity: a unit that is off has no slope anyway */

double
sl_l1_sum (size_t n, const sl_real *a)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += fabs ((double) a[i]);
  return sum;
}

SL_CLONES void
sl_l1_backward (size_t n, sl_real by, const sl_real *a, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] += a[i] > 0 ? by : a[i] < 0 ? -by : 0;
}

void
sl_kl_rates (const SlActivations *of, sl_real *rate)
{
  double scale = 1.0 / ((double) of->batch * of->kept);

  memset (rate, 0, of->units * sizeof *rate);
  for (size_t e = 0; e < of->batch; e++)
    for (size_t i = 0; i < of->units; i++)
      {
        sl_real a = of->a[e * of->units + i];

        if (a > 0)
          rate[i] += (sl_real) -expm1 (-of->kept * (double) a);
      }
  for (size_t i = 0; i < of->units; i++)
    rate[i] = (sl_real) fmin (fmax (scale * (double) rate[i], edge), 1.0 - edge);
}

double
sl_kl_mean (size_t units, double target, const sl_real *rate)
{
  double sum = 0.0;

  for (size_t i = 0; i < units; i++)
    sum += target * log (target / (double) rate[i])
           + (1.0 - target) * log ((1.0 - target) / (1.0 - (double) rate[i]));
  return sum / (double) units;
}

void
sl_kl_backward (const SlActivations *of, double target, double by, const sl_real *rate, sl_real *da)
{
  double scale = by / ((double) of->batch * (double) of->units);

  for (size_t e = 0; e < of->batch; e++)
    for (size_t i = 0; i < of->units; i++)
      {
        double a = (double) of->a[e * of->units + i], r = (double) rate[i];

        if (a > 0 && r > edge && r < 1.0 - edge)
          da[e * of->units + i]
            += (sl_real) (scale * exp (-of->kept * a) * ((1.0 - target) / (1.0 - r) - target / r));
      }
}
