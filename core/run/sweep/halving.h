/* SPDX-License-Identifier: MIT
 *
 * Which points of a pruned sweep go on.  All points begin with an eighth of the updates; at each rung they are
 * compared and the better part goes on to the next rung, from where it stopped.  A sweep with `prune` 2 makes at
 * most half of the updates of a whole one, with 3 a third (but at least one point goes on, and none that cannot be
 * compared is stopped).
 *
 * That some candidates begin with few updates and ever fewer go on with more is successive halving (Jamieson,
 * Talwalkar 2016, "Non-stochastic Best Arm Identification and Hyperparameter Optimization", arXiv 1502.07943), which
 * keeps a fixed part by one loss and spends as much on each stage.  Here it is the whole that is fixed, and the parts
 * that go on are those in halving.c, which find more of the fronts of `sluice-bench halving`.  Nor is the order of
 * points with two losses, error and cost, from there: a point here is the mean over its seeds, and comes
 * the earlier, the less its error would have to fall to be below that of all others that cost no more; where it is below
 * it already, the more it could rise.  So the front comes first, the cheapest point foremost, then what is
 * nearest to it.
 *
 * The error is the last one of validation examples that a run has published, and the cost the last
 * executed one (of a lab that counts none, the expected one; of a lab with neither, the error decides
 * alone).  Both are samples of the run up to the rung, so that the same points go on whoever makes the runs,
 * and after an interruption.
 *
 * Plain data, one thread at a time.  */
#pragma once

#include "core/run/record/series.h"
#include "core/run/sweep/sweep.h"

enum { SL_HALVING_RUNGS_MAX = 8 };

/* A point at a rung, the smaller both, the better. */
typedef struct
{
  double error, cost; /* not-a-number: not known */
} SlHalvingPoint;

/* The updates at which points are compared, rising, and at the end those of a whole run; returns how
 * many.  A rung lies where the lab has just evaluated, where its settings say how often it does.  */
unsigned sl_halving_rungs (const SlSweep *sweep, uint64_t rung[SL_HALVING_RUNGS_MAX]);

/* Which of n points go on: the first `most` in the order above.  One whose error is not known cannot be
 * compared, and goes on in any case.  */
void sl_halving_choose (const SlHalvingPoint *point, unsigned n, unsigned most, bool *kept);

/* The last finite value at or before a step; not-a-number: there is none. */
double sl_halving_value (const SlSeries *series, uint64_t step);

/* The channels that points are compared by; NULL: the lab has no such one. */
const char *sl_halving_error_channel (const SlLab *lab);
const char *sl_halving_cost_channel (const SlLab *lab);

/* What has to be made of a job before the next points are compared. */
typedef enum {
  SL_HALVING_OVER,   /* nothing any more */
  SL_HALVING_GO_ON,  /* to the rung, and wait there */
  SL_HALVING_PRUNE,  /* its figures, where it stopped at the rung before */
  SL_HALVING_FINISH, /* the rest of the run, and its figures */
} SlHalvingNext;

typedef struct SlHalving SlHalving;

/* For `jobs`, all of a checked sweep that is pruned; both are needed no longer then. */
SlHalving *sl_halving_new (const SlSweep *sweep, const GArray *jobs);
void       sl_halving_free (SlHalving *halving); /* NULL is fine */

/* What to do with a job (its place in the array) now. */
SlHalvingNext sl_halving_next (const SlHalving *halving, unsigned job);

/* The updates of the rung that is under way, and of the one before (0: there is none). */
uint64_t sl_halving_rung (const SlHalving *halving);
uint64_t sl_halving_rung_before (const SlHalving *halving);

/* What a job has shown at the rung; one that `failed` makes no other updates. */
void sl_halving_tell (SlHalving *halving, unsigned job, const SlHalvingPoint *figures, bool failed);

/* Compares the points when all jobs have told; false when that was the last rung. */
bool sl_halving_advance (SlHalving *halving);

/* Updates of the whole sweep in runs of full length: those made until the rung before, and those to come where
 * as many points go on as are meant to.  */
double sl_halving_runs (const SlHalving *halving);
