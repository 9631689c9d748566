/* SPDX-License-Identifier: MIT
 *
 * Which points of a pruned sweep go on.  All points begin with a share of the updates; at each rung
 * the points are compared and the better part goes on to the next rung, with `eta` times the
 * updates, from where it stopped.
 *
 * Sequential halving is from Karnin, Koren, Somekh 2013, "Almost Optimal Exploration in Multi-Armed
 * Bandits", its use for learning curves from Jamieson, Talwalkar 2016, "Non-stochastic Best Arm
 * Identification and Hyperparameter Optimization", algorithm 1, and the factor eta with rungs at
 * R eta^-i from Li, Jamieson, DeSalvo, Rostamizadeh, Talwalkar 2018, "Hyperband", algorithm 2, of which this
 * is one bracket: the bracket and its first rung are fixed, and no other brackets are run.  These
 * papers have one loss.  Comparing two, error and cost, is not theirs: a point here is the mean over its
 * seeds, points are ordered by the front that they lie on (the first is dominated by nothing, the
 * second by points of the first only, ...), those of one front by their crowding distance, both as in Deb,
 * Pratap, Agarwal, Meyarivan 2002, "A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II",
 * sections III-A and III-B, and the whole first front is kept even where it is more than 1/eta.
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

/* Which of n points go on: the first front, and in the order above as many as make `least`.  One
 * whose error is not known cannot be compared, and goes on.  */
void sl_halving_choose (const SlHalvingPoint *point, unsigned n, unsigned least, bool *kept);

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

/* Updates of the whole sweep in runs of full length: those made until the rung before, and those to come, where each rung
 * keeps 1/eta.  */
double sl_halving_runs (const SlHalving *halving);
