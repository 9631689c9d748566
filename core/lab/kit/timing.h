/* SPDX-License-Identifier: MIT
 *
 * The ratio of two times that can be believed on a machine that does other things as well.  Both
 * sides run in turn for a number of rounds on this thread alone, and its processor time counts,
 * which other programs hardly change.  */
#pragma once

#include <stdbool.h>

/* A number and how far it spreads, half the width from quartile to quartile: not-a-number where it
 * is exact.  */
typedef struct
{
  double value, spread;
} SlMeasured;

/* One side of a comparison by the clock. */
typedef void (*SlTimed) (void *data);

typedef struct
{
  SlTimed reference, timed;
  void   *data;
  bool (*cancelled) (void *p); /* called between two measurements; or NULL */
  void *p;
} SlTiming;

enum { SL_TIMED_ROUNDS = 45, SL_TIMED_FEWEST = 5 };

/* Time of `reference` ÷ time of `timed`, which use no other threads.  Not-a-number when it was cancelled or is withheld. */
SlMeasured sl_timing_ratio (const SlTiming *timing);

/* Of n <= SL_TIMED_ROUNDS rounds of two times, the third that was disturbed least counts: in which
 * both sides come nearest to their least times; at least SL_TIMED_FEWEST, though.  The median of
 * their ratios, with its spread.  Times that are no positive numbers do not count.  Withheld, both
 * numbers not-a-number,
 *   with fewer than SL_TIMED_FEWEST rounds;
 *   when the spread is more than a sixteenth of the ratio;
 *   when the least times of both sides have a ratio that is further from it than that: beside other work all
 *     rounds may be disturbed, one side more than the other, and still agree with each other.  */
SlMeasured sl_timing_summary (const double *reference, const double *timed, unsigned n);

/* An exact number. */
static inline SlMeasured
sl_counted (double value)
{
  return (SlMeasured) { value, __builtin_nan ("") };
}

/* 1 ÷ a ratio, times a factor. */
SlMeasured sl_measured_inverse (SlMeasured ratio, double factor);
