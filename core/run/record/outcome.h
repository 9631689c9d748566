/* SPDX-License-Identifier: MIT
 *
 * What a run has to show in a trade-off, whatever its lab: how wrong it is, and what a forward
 * pass costs it, three times: by probabilities, as counted, and by the clock.  Which score and
 * channels these are, the lab's descriptor says.  */
#pragma once

#include "core/run/record/record.h"

/* Not-a-number for what a lab, or this run of it, does not have. */
typedef struct
{
  double error;      /* the lab's `error`, in the unit of that score */
  double at;         /* update that `error` was measured at; not-a-number: not known */
  bool   validation; /* `error` is the last validation error of the training: the test error has not
                      * been measured */
  double expected;   /* % of the dense network's multiplications, by the gates' probabilities */
  double executed;   /* the same, counted */
  double timed;      /* % of the dense network's time on this machine, for the run's batch */
  double timed_spread; /* of that number, in the same unit */
  unsigned batch;      /* that `timed` is for; 0: not known */
  double   parameters; /* of the network, in thousands: the lab's score of this name */
  bool     busy;       /* `timed` was withheld: the machine was too busy to measure it */
} SlOutcome;

/* One without figures. */
void sl_outcome_init (SlOutcome *outcome);

/* Reads all four.  Costs are the last that `record` has; `scores` (n) are those of the split to
 * judge by, measured at update `at`, or NULL.  Any thread that owns the record.  */
void sl_outcome_read (SlOutcome *outcome, const SlRecord *record, const SlScore *scores, unsigned n,
                      double at);

/* A figure that is shown as a bar. */
typedef struct
{
  const char *title, *unit; /* to be translated; "" where there is no unit */
  double      value;        /* not-a-number: not known yet */
  double      spread;       /* of the value, or not-a-number */
  double      mark;         /* what it is to be compared with, or not-a-number */
  double      full;         /* what a full bar means */
  bool        busy;         /* the value was withheld: the machine was too busy to measure it */
  bool        never;        /* a value that is not known does not come */
} SlBar;

/* The bars of the lab's front page, of the newest values: work, time and errors, or what its descriptor names
 * instead.  How many.  Any thread that owns the record.  */
unsigned sl_outcome_bars (const SlRecord *record, SlBar bars[SL_FRONT_BARS]);

/* The score by which runs are compared, or NULL when it is not among them. */
const SlScore *sl_outcome_error (const SlLab *lab, const SlScore *scores, unsigned n);
