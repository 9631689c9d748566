/* SPDX-License-Identifier: MIT
 *
 * Early exits by a threshold (BranchyNet: Teerapittayanon, McDanel and Kung 2016, arXiv 1709.01686;
 * CALM: Schuster et al. 2022, arXiv 2207.07061): an example leaves at the first exit that is sure
 * enough of its answer; the last exit takes all others.  All thresholds are gone through at once,
 * from one pass.
 *
 * Letters: T examples, M exits, C classes.  Nothing allocates.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

typedef enum {
  SL_EXIT_MARGIN,  /* largest minus second largest probability: leaves where it is at least λ */
  SL_EXIT_ENTROPY, /* −Σ p log p in nats: leaves where it is less than τ */
  SL_EXIT_TOP,     /* largest probability: leaves where it is at least λ */
} SlExitMeasure;

/* How sure logits (C) are by this measure; with one class the margin is 1.  Not-a-number where a logit is
 * not a number or none is finite.  */
double sl_exit_sureness (SlExitMeasure measure, size_t classes, const sl_real *logits);

/* Whether an example leaves.  Not-a-number never does, whatever the threshold.  */
bool sl_exit_leaves (SlExitMeasure measure, double sureness, double threshold);

/* The threshold at which no example leaves early. */
double sl_exit_never (SlExitMeasure measure);

/* What one pass with every exit on every example says. */
typedef struct
{
  SlExitMeasure  measure;
  size_t         n;        /* T */
  size_t         exits;    /* M */
  const double  *sureness; /* (T, M); of the last exit it is not read */
  const uint8_t *right;    /* (T, M) whether the answer of the exit is right */
  const uint8_t *agrees;   /* (T, M) whether it is that of the last exit */
  const uint8_t *positive; /* (T) whether the example is of the class to be found */
  const double  *cost;     /* (M) of leaving there */
} SlExitPass;

/* The exit that an example takes, from 0. */
size_t sl_exit_of (const SlExitPass *pass, size_t example, double threshold);

/* What a threshold does: sums over the examples, and the mean cost.  */
typedef struct
{
  double threshold; /* the sureness that is just enough: with entropy any τ just above it */
  double cost;
  size_t errors, disagree;
  size_t missed; /* errors on positive examples */
} SlExitPoint;

/* When an example moves to an earlier exit. */
typedef struct
{
  double   sureness;
  uint32_t example, exit;
} SlExitMove;

/* All thresholds, from the one at which no example leaves to the one at which every example leaves
 * that can: each point holds until the next.  points has room for T (M - 1) + 1, moves for T (M -
 * 1).  Returns how many points; an example that is never sure stays to the end in all of them.  O(T
 * M log (T M)).  T, M >= 1.  */
size_t sl_exit_curve (const SlExitPass *pass, SlExitMove *moves, SlExitPoint *points);

/* The point of a curve that holds at a threshold. */
const SlExitPoint *sl_exit_at (SlExitMeasure measure, const SlExitPoint *points, size_t count,
                               double threshold);

/* What one threshold does, by going through the examples. */
SlExitPoint sl_exit_point (const SlExitPass *pass, double threshold);
