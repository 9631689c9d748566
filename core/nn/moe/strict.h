/* SPDX-License-Identifier: MIT
 *
 * Strictly balanced gating (Shazeer et al. 2017, appendix F): every expert gets the same number of
 * a batch's rows.
 *
 *   Gσ = softmax (x Wg),  G = Gσ ⊙ M ÷ the row sums of that,
 *   training:  M has the top m = ⌊k B / n⌋ rows of each column of Gσ (eq. 18),
 *   inference: M = 1[Gσ > T] (eq. 19), with thresholds T that are learned from
 *   L_batch = Σ (M_threshold - M_batch) (Gσ - T)  >= 0, 0 where both masks agree (eq. 20).
 *
 * Rulings of ours: among equal gate values the lowest row is taken; a row that no expert took
 * has no G; L_batch moves T alone (its slope in Gσ is stopped); a logit that is not finite counts
 * as -∞ and is counted.  Selection by column depends on the other rows of the batch, which is why
 * inference has to do without it.
 *
 * Letters: B rows, D inputs, n experts.  Nothing allocates after the cut.  Results are the same
 * bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"

typedef struct
{
  size_t   inputs, experts, most; /* D, n, most rows */
  sl_real *weights;               /* (D, n) Wg, then T (n); see bind */
  sl_real *gradient;              /* the same */

  size_t         rows;   /* of the last forward pass, as is everything below */
  const sl_real *x;      /* (B, D), borrowed until the backward pass */
  sl_real       *logits; /* (B, n) */
  sl_real       *gates;  /* (B, n) Gσ */
  uint8_t       *mask;   /* (B, n) M, bytes of 0 and 1 */
  sl_real       *g;      /* (B, n) G */
  uint32_t      *count;  /* (n) rows of each expert */
  uint32_t      *first;  /* (B) how many were chosen in the rows before */
  size_t         not_finite;

  /* Of the last pass in training that was not held. */
  double *too_many; /* (n) Σ over the rows of M_threshold - M_batch */
  double *too_much; /* (n) Σ of (M_threshold - M_batch) Gσ */
  double *differ;   /* (n) rows where the masks differ */

  sl_real  *slope;  /* (B, n) work space, like the following */
  sl_real  *column; /* (B, n) */
  uint32_t *bad;    /* (blocks of rows) */
} SlStrict;

/* Trainable numbers of a gate. */
size_t sl_strict_numbers (size_t inputs, size_t experts);

/* Cuts everything for up to `most` rows. */
void sl_strict_carve (SlStrict *strict, size_t inputs, size_t experts, size_t most,
                      SlArena *scratch);

/* Where the numbers and their gradient are. */
void sl_strict_bind (SlStrict *strict, sl_real *weights, sl_real *gradient);

/* Glorot's Wg: equal gate values, which zeros would give, would send the first m rows to all
 * experts and the others to none, and no noise is there to tell them apart.  T = 1/n, the mean
 * of the gate values of any row: some are above it and some below, so that from the start
 * every row passes to at least one expert and not to all.  */
void sl_strict_init (SlStrict *strict, SlRng *rng);

/* Decides over x (B, D); k is clamped to n.  `training`: by columns, and the two masks are
 * compared; else by thresholds.  `held`: the mask and what L_batch sums up stay those of the last
 * pass.  */
void sl_strict_forward (SlStrict *strict, size_t k, size_t rows, const sl_real *x, bool training,
                        bool frozen);

/* After a forward pass in training: from dg = dloss/dG of the chosen, row by row with the experts
 * rising, writes the gradient: of Wg from dg, of T from `scale` L_batch.  And dx (B, D) unless NULL, to
 * which it adds with `add`.  */
void sl_strict_backward (SlStrict *strict, const sl_real *dg, double scale, bool add, sl_real *dx);

/* By how much the gate value of an expert is above its threshold in row r of the last pass. */
sl_real sl_strict_margin_of (const SlStrict *strict, size_t expert, size_t r);

/* L_batch of the last pass in training, with the thresholds as they are now. */
double sl_strict_loss (const SlStrict *strict);
/* The share of (row, expert) pairs of that pass on which both masks agree; 1 without rows. */
double sl_strict_agreement (const SlStrict *strict);
