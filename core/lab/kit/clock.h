/* SPDX-License-Identifier: MIT
 *
 * The time of a forward pass against that of the dense one, measured in rounds: the host decides when, and
 * for how long.  Processor time of the calling thread; products use no other threads meanwhile.  The lab's
 * passes read the weights and write scratch, so that no later step sees that they ran.  */
#pragma once

#include "core/lab/kit/probe.h"

/* A lab's passes: what SlClock.begin() gets ready and the two sides run. */
struct SlPasses
{
  SlProbe probe; /* the state, and memory by sl_probe_room(); without a sink */
  void   *own;   /* the lab's */
  size_t  batch; /* examples of the pass to run: one, or as many as begin() said */
};

enum { SL_CLOCK_SIDES = 4, SL_CLOCK_FEWEST = SL_TIMED_FEWEST };

/* Rounds measured so far; zeroed before the first.  A round runs the dense and the conditional pass of one
 * example and of the run's batch, in turn.  */
typedef struct
{
  size_t   batch;                   /* examples of the larger passes; 0: nothing was measured */
  unsigned n;                       /* rounds, at most SL_TIMED_ROUNDS */
  unsigned repeats[SL_CLOCK_SIDES]; /* calls of a side in one round */
  double   seconds[SL_CLOCK_SIDES][SL_TIMED_ROUNDS]; /* of one call */
} SlClockRounds;

/* The figure: time of the conditional pass as a share of the dense one's. */
typedef struct
{
  size_t     batch;    /* examples of the larger pass; 0: there is no figure, */
  bool       never;    /* nor will there be one under these settings */
  SlMeasured share[2]; /* of one example, and of `batch`; not-a-number: the machine was too busy */
} SlTimes;

typedef enum {
  SL_CLOCK_NOTHING, /* there is no pass to time under these settings */
  SL_CLOCK_UNREADY, /* there is none before the first update */
  SL_CLOCK_MORE,    /* more rounds are needed */
  SL_CLOCK_DONE,
} SlClockAnswer;

/* Goes on with `rounds` for at most `seconds`, though for one round at least; gives up between two passes
 * when sl_sink_hurry (`sink`, or NULL) says so.  Memory is taken before the first pass and freed after the
 * last; none in between.  Too little memory and a failure of a program's gate count as nothing to time.  */
SlClockAnswer sl_clock_go (SlLabState *state, SlClockRounds *rounds, double seconds, SlSink *sink);

/* Seconds between a change of a setting and the first round, so that a drag is over by then. */
double sl_clock_wait (void);

/* The figure of these rounds. */
SlTimes sl_clock_times (const SlClockRounds *rounds);
