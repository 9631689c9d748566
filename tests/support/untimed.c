/* SPDX-License-Identifier: MIT
 *
 * For tests that are linked with --wrap of these functions: each side of a timing runs once, the ratio is 1, and
 * a session times a pass at once after a change.  Runs of a few updates would otherwise spend most of their time
 * on timing, which the tests of the clock cover.  */
#include "core/lab/kit/clock.h"

SlMeasured    __wrap_sl_timing_ratio (const SlTiming *timing);
SlClockAnswer __real_sl_clock_go (SlLabState *state, SlClockRounds *rounds, double seconds,
                                  SlSink *sink);
SlClockAnswer __wrap_sl_clock_go (SlLabState *state, SlClockRounds *rounds, double seconds,
                                  SlSink *sink);
double        __wrap_sl_clock_wait (void);

SlMeasured
__wrap_sl_timing_ratio (const SlTiming *timing)
{
  timing->reference (timing->data);
  timing->timed (timing->data);
  return (SlMeasured) { .value = 1, .spread = 0.01 };
}

SlClockAnswer
__wrap_sl_clock_go (SlLabState *state, SlClockRounds *rounds, double seconds, SlSink *sink)
{
  SlClockAnswer answer = __real_sl_clock_go (state, rounds, 0, sink);

  if (answer != SL_CLOCK_MORE || rounds->n == 0)
    return answer;
  for (unsigned side = 0; side < SL_CLOCK_SIDES; side++)
    for (unsigned i = 0; i < SL_CLOCK_FEWEST; i++)
      rounds->seconds[side][i] = 1;
  rounds->n = SL_CLOCK_FEWEST;
  return SL_CLOCK_DONE;
}

double
__wrap_sl_clock_wait (void)
{
  return 0;
}
