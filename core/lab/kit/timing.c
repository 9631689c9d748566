/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/timing.h"

#include <math.h>
#include <stddef.h>

#include "core/base/clock.h"

static const double round_seconds
  = 0.5e-3;                            /* of a side, at least: the clock's grain does not show */
static const double all_seconds = 0.3; /* of all rounds; where they are slow there are fewer */
static const double most_apart
  = 1.0 / 16; /* spread, and the ratio of the least times, as a share */

enum { MOST_REPEATS = 1 << 20 };

/* Seconds of one call, the mean of a few. */
static double
call_seconds (const SlTiming *timing, SlTimed run, unsigned repeats)
{
  double begin = sl_clock_thread ();

  for (unsigned i = 0; i < repeats; i++)
    run (timing->data);
  return (sl_clock_thread () - begin) / repeats;
}

/* How many calls fill a round; `seconds` is what they take.  Warms up on the way. */
static unsigned
calls (const SlTiming *timing, SlTimed run, double *seconds)
{
  unsigned repeats = 1;

  for (;;)
    {
      double begin = sl_clock_thread ();

      for (unsigned i = 0; i < repeats; i++)
        run (timing->data);
      *seconds = sl_clock_thread () - begin;
      if (*seconds >= round_seconds || repeats >= MOST_REPEATS)
        return repeats;
      repeats *= *seconds < round_seconds / 8 ? 8 : 2;
    }
}

static bool
cancelled (const SlTiming *timing)
{
  return timing->cancelled != NULL && timing->cancelled (timing->p);
}

SlMeasured
sl_timing_ratio (const SlTiming *timing)
{
  const SlTimed side[2] = { timing->reference, timing->timed };
  double        seconds[2][SL_TIMED_ROUNDS], once[2];
  unsigned      repeats[2], rounds;

  for (int s = 0; s < 2; s++)
    {
      if (cancelled (timing))
        return sl_counted (NAN);
      repeats[s] = calls (timing, side[s], &once[s]);
    }
  rounds = (unsigned) fmin (fmax (all_seconds / (once[0] + once[1]), 2 * SL_TIMED_FEWEST),
                            SL_TIMED_ROUNDS);
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned i = 0; i < 2; i++)
      {
        unsigned s = (r + i) % 2;

        if (cancelled (timing))
          return sl_counted (NAN);
        seconds[s][r] = call_seconds (timing, side[s], repeats[s]);
      }
  return sl_timing_summary (seconds[0], seconds[1], rounds);
}

/* The number at a share of the way through n ordered ones. */
static double
quantile (const double *ordered, unsigned n, double share)
{
  double   at = share * (n - 1);
  unsigned below = (unsigned) at;

  return below + 1 < n ? ordered[below] + (at - below) * (ordered[below + 1] - ordered[below])
                       : ordered[below];
}

/* Rounds in which both sides were quickest come first. */
static void
order_rounds (double (*round)[2], unsigned n, const double least[2])
{
  for (unsigned i = 1; i < n; i++)
    for (unsigned j = i; j > 0
                         && round[j][0] / least[0] + round[j][1] / least[1]
                              < round[j - 1][0] / least[0] + round[j - 1][1] / least[1];
         j--)
      for (int s = 0; s < 2; s++)
        {
          double other = round[j][s];

          round[j][s] = round[j - 1][s];
          round[j - 1][s] = other;
        }
}

SlMeasured
sl_timing_summary (const double *reference, const double *timed, unsigned n)
{
  double     round[SL_TIMED_ROUNDS][2], ratio[SL_TIMED_ROUNDS], least[2] = { HUGE_VAL, HUGE_VAL };
  unsigned   used = 0, kept;
  SlMeasured m;

  for (unsigned i = 0; i < n && used < SL_TIMED_ROUNDS; i++)
    if (isfinite (reference[i]) && isfinite (timed[i]) && reference[i] > 0 && timed[i] > 0)
      {
        least[0] = fmin (least[0], round[used][0] = reference[i]);
        least[1] = fmin (least[1], round[used++][1] = timed[i]);
      }
  if (used < SL_TIMED_FEWEST)
    return sl_counted (NAN);
  order_rounds (round, used, least);
  kept = used / 3 > SL_TIMED_FEWEST ? used / 3 : SL_TIMED_FEWEST;
  for (unsigned i = 0; i < kept; i++)
    ratio[i] = round[i][0] / round[i][1];
  m.value = sl_median (ratio, kept);
  m.spread = (quantile (ratio, kept, 0.75) - quantile (ratio, kept, 0.25)) / 2;
  if (!(m.spread <= most_apart * m.value && fabs (least[0] / least[1] / m.value - 1) <= most_apart))
    return sl_counted (NAN);
  return m;
}

SlMeasured
sl_measured_inverse (SlMeasured ratio, double factor)
{
  return (SlMeasured) { factor / ratio.value, factor * ratio.spread / (ratio.value * ratio.value) };
}
