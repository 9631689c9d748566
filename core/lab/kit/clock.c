/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/clock.h"

#include "core/base/clock.h"
#include "core/lab/kit/state.h"
#include "core/nn/kernels/mat.h"

/* Of a side in one round, at least: the clock's grain does not show. */
static const double side_seconds = 0.5e-3;

enum { MOST_REPEATS = 1 << 16 };

/* Sides: dense and conditional, of one example and of the batch. */
static void
run_side (const SlClock *clock, SlPasses *passes, const SlClockRounds *rounds, unsigned side)
{
  passes->batch = side < 2 ? 1 : rounds->batch;
  (side % 2 == 0 ? clock->dense : clock->conditional) (passes);
}

static double
call_seconds (const SlClock *clock, SlPasses *passes, const SlClockRounds *rounds, unsigned side)
{
  unsigned repeats = rounds->repeats[side];
  double   began = sl_clock_thread ();

  for (unsigned i = 0; i < repeats; i++)
    run_side (clock, passes, rounds, side);
  return (sl_clock_thread () - began) / repeats;
}

/* The first round also finds how many calls fill one. */
static double
first_seconds (const SlClock *clock, SlPasses *passes, SlClockRounds *rounds, unsigned side)
{
  for (rounds->repeats[side] = 1;;)
    {
      double each = call_seconds (clock, passes, rounds, side);
      double all = each * rounds->repeats[side];

      if (all >= side_seconds || rounds->repeats[side] >= MOST_REPEATS)
        return each;
      rounds->repeats[side] *= all < side_seconds / 8 ? 8 : 2;
    }
}

static bool
hurries (const SlSink *sink)
{
  return sink != NULL && sl_sink_hurry ((SlSink *) sink);
}

/* False when there is a hurry: the round does not count. */
static bool
add_round (const SlClock *clock, SlPasses *passes, SlClockRounds *rounds, SlSink *sink)
{
  for (unsigned i = 0; i < SL_CLOCK_SIDES; i++)
    {
      /* Which side of a pair goes first changes from round to round. */
      unsigned side = i ^ (rounds->n & 1);

      if (hurries (sink))
        return false;
      rounds->seconds[side][rounds->n] = rounds->n == 0
                                           ? first_seconds (clock, passes, rounds, side)
                                           : call_seconds (clock, passes, rounds, side);
    }
  rounds->n++;
  return true;
}

static SlClockAnswer
go (const SlClock *clock, SlPasses *passes, SlClockRounds *rounds, double seconds, SlSink *sink)
{
  double began = sl_clock_wall (), round = 0;

  while (rounds->n < SL_TIMED_ROUNDS && (round == 0 || sl_clock_wall () - began + round <= seconds))
    {
      double at = sl_clock_wall ();

      if (!add_round (clock, passes, rounds, sink))
        return SL_CLOCK_MORE;
      round = sl_clock_wall () - at;
    }
  return rounds->n >= SL_CLOCK_FEWEST ? SL_CLOCK_DONE : SL_CLOCK_MORE;
}

SlClockAnswer
sl_clock_go (SlLabState *state, SlClockRounds *rounds, double seconds, SlSink *sink)
{
  const SlClock *clock = state->lab->clock;
  SlPasses       passes = { .probe = { .state = state } };
  SlClockAnswer  answer;
  unsigned       threads;
  size_t         batch;

  if (clock == NULL)
    return SL_CLOCK_NOTHING;
  batch = clock->begin (&passes);
  sl_probe_ok (&passes.probe, sl_own_take (&state->own));
  if (batch == 0 || !sl_ok (&passes.probe.status))
    {
      sl_probe_free_rooms (&passes.probe);
      return state->now.t == 0 && sl_ok (&passes.probe.status) ? SL_CLOCK_UNREADY
                                                               : SL_CLOCK_NOTHING;
    }
  if (batch != rounds->batch)
    *rounds = (SlClockRounds) { .batch = batch };
  threads = sl_blas_threads ();
  sl_blas_set_threads (1);
  answer = go (clock, &passes, rounds, seconds, sink);
  sl_blas_set_threads (threads);
  sl_probe_free_rooms (&passes.probe);
  if (sl_probe_ok (&passes.probe, sl_own_take (&state->own)))
    return answer;
  *rounds = (SlClockRounds) { 0 };
  return SL_CLOCK_NOTHING;
}

double
sl_clock_wait (void)
{
  return 0.3;
}

SlTimes
sl_clock_times (const SlClockRounds *rounds)
{
  SlTimes times = { .batch = rounds->batch };

  for (unsigned i = 0; i < 2; i++)
    times.share[i]
      = sl_timing_summary (rounds->seconds[2 * i + 1], rounds->seconds[2 * i], rounds->n);
  return times;
}
