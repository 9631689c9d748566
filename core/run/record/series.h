/* SPDX-License-Identifier: MIT
 *
 * The whole history of one channel, kept in full: two columns and a pyramid of
 * minima, maxima and sums over the values, so that drawing a million samples costs what
 * its pixels cost.  Plain C; owned by one thread.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SL_PYRAMID_LEVELS = 16, SL_PYRAMID_LEAF = 16, SL_PYRAMID_FANOUT = 4 };

/* Node i of level l spans the SL_PYRAMID_LEAF * SL_PYRAMID_FANOUT^l samples from i times as
 * many on.  Only whole nodes are kept; one without a finite value has lo > hi.  */
typedef struct
{
  double *lo, *hi;
  double *sum, *count; /* of the finite values */
  size_t  n, capacity;
} SlPyramidLevel;

typedef struct
{
  double        *step;  /* (n) increasing; the same step twice is allowed */
  double        *value; /* (n) may hold not-a-number: a gap */
  size_t         n, capacity;
  unsigned       levels; /* that have room for a node */
  SlPyramidLevel level[SL_PYRAMID_LEVELS];
  uint64_t       version; /* goes up with every change, so that a view knows when to redraw */
  uint64_t cuts; /* goes up with every truncation, so that a follower knows when to begin anew */
} SlSeries;

/* A series of zeros is an empty series. */
void sl_series_clear (SlSeries *series);

/* Appends.  `step` must not be below the last one.  False when memory ran out; the series is as
 * before.  */
bool sl_series_append (SlSeries *series, double step, double value);

/* Drops everything after `step` (a rewind to a checkpoint). */
void sl_series_truncate (SlSeries *series, double step);

/* Smallest and largest finite value in [first, last); false if there is none. */
bool sl_series_range (const SlSeries *series, size_t first, size_t last, double *lo, double *hi);

/* Mean of the finite values in [first, last), in time that grows with the logarithm of their number;
 * false if there is none, or when their sum is beyond what a double holds.  */
bool sl_series_mean (const SlSeries *series, size_t first, size_t last, double *mean);

/* Index of the first sample with a step >= `step`; n if there is none. */
size_t sl_series_find (const SlSeries *series, double step);
