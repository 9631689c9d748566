/* SPDX-License-Identifier: MIT */
#include "core/run/tradeoff/mean.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/student.h"

static const double SHARE = 0.975; /* below the upper end of an interval of 95 % */

double
sl_mean_factor (unsigned n)
{
  if (n < 2)
    return (double) NAN;
  return sl_student_quantile (SHARE, n - 1.0) / sqrt (n);
}

void
sl_mean_groups (const double *value, const unsigned *group, size_t n, SlMean *mean, unsigned groups)
{
  double factor = (double) NAN;

  for (unsigned g = 0; g < groups; g++)
    mean[g] = (SlMean) { 0 };
  for (size_t i = 0; i < n; i++)
    if (isfinite (value[i]))
      {
        mean[group[i]].n++;
        mean[group[i]].mean += value[i];
      }
  for (unsigned g = 0; g < groups; g++)
    mean[g].mean = mean[g].n > 0 ? mean[g].mean / mean[g].n : (double) NAN;
  for (size_t i = 0; i < n; i++)
    if (isfinite (value[i]))
      mean[group[i]].sd += (value[i] - mean[group[i]].mean) * (value[i] - mean[group[i]].mean);
  for (unsigned g = 0; g < groups; g++)
    {
      /* Most have as many as the one before. */
      if (g == 0 || mean[g].n != mean[g - 1].n)
        factor = sl_mean_factor (mean[g].n);
      mean[g].sd = mean[g].n > 1 ? sqrt (mean[g].sd / (mean[g].n - 1)) : 0.0;
      mean[g].half = factor * mean[g].sd;
    }
}

SlGap
sl_gap (const SlMean *first, const SlMean *second)
{
  SlGap  gap = { second->mean - first->mean, (double) NAN, (double) NAN, { first->n, second->n } };
  double a = first->sd * first->sd / first->n, b = second->sd * second->sd / second->n, share;

  if (first->n < 2 || second->n < 2)
    return gap;
  if (a + b == 0.0)
    {
      gap.half = 0.0;
      return gap;
    }
  share = a / (a + b);
  gap.freedom
    = 1.0 / (share * share / (first->n - 1) + (1.0 - share) * (1.0 - share) / (second->n - 1));
  gap.half = sl_student_quantile (SHARE, gap.freedom) * sqrt (a + b);
  return gap;
}

bool
sl_gap_is_clear (const SlGap *gap)
{
  return fabs (gap->value) > gap->half;
}
