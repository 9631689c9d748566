/* SPDX-License-Identifier: MIT
 *
 * Means over a few runs, how sure they are, and the difference of two of them.  An interval is that of 95 %, by
 * Student's t: of many sets of so many runs, drawn in the same way from values that are normally distributed, 95 in 100
 * have the true mean inside.  Plain data, any thread.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct
{
  unsigned n;    /* finite values */
  double   mean; /* not-a-number: there are none */
  double   sd;   /* standard deviation, by n - 1; 0 for a single value */
  double
    half; /* half of the interval of the mean, t(0.975, n - 1) sd / sqrt n; not-a-number below two values */
} SlMean;

/* The mean of value[i] of the runs i (n) of each setting, which group[i] numbers from 0; values that are not finite are
 * left out.  */
void sl_mean_groups (const double *value, const unsigned *group, size_t n, SlMean *mean,
                     unsigned groups);

/* What the standard deviation of n values is to half of the interval of their mean; not-a-number below two. */
double sl_mean_factor (unsigned n);

/* The difference of two independent means. */
typedef struct
{
  double   value;   /* second - first; not-a-number: one of them has no value */
  double   half;    /* half of its interval; not-a-number: one of them has fewer than two values */
  double   freedom; /* of the t that it is made with, or not-a-number */
  unsigned n[2];
} SlGap;

/* By Welch: the two may spread differently.  B. L. Welch 1947, "The generalization of 'Student's' problem when several
 * different population variances are involved", Biometrika 34.  Where neither spreads at all the interval is 0.  */
SlGap sl_gap (const SlMean *first, const SlMean *second);

/* Whether the interval leaves 0 out, so that the sign of the difference is sure. */
bool sl_gap_is_clear (const SlGap *gap);
