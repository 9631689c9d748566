/* SPDX-License-Identifier: MIT
 *
 * Soft mixture of experts (Puigcerver et al. 2023, 2308.00951), a reference without a choice: each of n
 * experts works on p slots, and a slot is a mixture of the rows of the batch.
 *
 *   Z = X Φ (B, n p), Δ = softmax over the rows of each column, K = softmax over the columns of each row
 *   X̃ = Δ' X (n p, D), Ỹ = what expert ⌊j ÷ p⌋ makes of slot j (n p, O), y = K Ỹ
 *
 * Ours: what are the tokens of one image there are the examples of a batch here.  A row alone is in every slot
 * by itself, and y = Σ (Σ over the slots of expert i of K) Eᵢ (x), a dense mixture.  X and Φ are not normalised;
 * Φ begins as Glorot says; a logit that is not finite counts as -∞ and is counted.
 *
 * Letters: B rows, D inputs, O outputs, n experts, p slots of each.  Nothing allocates after the carve.  Results
 * are the same bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/nn/moe/dispatch.h"

typedef struct
{
  size_t   inputs, outputs, experts, slots, most; /* D, O, n, p, most rows */
  sl_real *weights, *gradient;                    /* (D, n p) Φ */

  size_t         rows;              /* of the last forward pass, as is everything below */
  const sl_real *x;                 /* (B, D), borrowed until the backward pass */
  sl_real       *combine;           /* (B, n p) K */
  sl_real       *share;             /* (B, n) Σ over an expert's slots of K */
  sl_real       *mix;               /* (B, n p) Δ; in training, as are those below */
  sl_real       *inner, *outer;     /* (n p, D) X̃, (n p, O) Ỹ, which the experts write */
  sl_real       *d_inner, *d_outer; /* their slopes; the former is the experts' */
  sl_real       *slope;             /* (B, n p) Z; in the backward pass dloss/dK, then dloss/dZ */
  sl_real       *d_mix;             /* (B, n p) dloss/dΔ */
  sl_real       *column;            /* (n p) work space, like the following */
  uint32_t      *count;             /* (n) */
  SlDispatch     work;              /* slots to experts, with weight 1 */
  uint32_t      *bad;               /* (blocks of rows) */
  size_t         not_finite;
} SlSoft;

/* The sizes that are given. */
typedef struct
{
  size_t inputs, outputs, experts, slots, most;
} SlSoftShape;

/* Trainable numbers. */
size_t sl_soft_numbers (const SlSoftShape *shape);

void sl_soft_carve (SlSoft *soft, const SlSoftShape *shape, SlArena *scratch);

/* Where the numbers and their gradient are. */
void sl_soft_bind (SlSoft *soft, sl_real *weights, sl_real *gradient);

void sl_soft_init (SlSoft *soft, SlRng *rng);

/* K and the shares of the experts in x (B, D); in training the slots too, on which the experts are then to work
 * by soft->work, from soft->inner to soft->outer.  */
void sl_soft_forward (SlSoft *soft, size_t rows, const sl_real *x, bool training);

/* y (B, O) = K Ỹ. */
void sl_soft_combine (const SlSoft *soft, sl_real *y);

/* From dy (B, O): soft->d_outer, from which the experts make soft->d_inner. */
void sl_soft_backward_outer (SlSoft *soft, const sl_real *dy);

/* Then the gradient, and dx (B, D) unless NULL. */
void sl_soft_backward_inner (SlSoft *soft, sl_real *dx);
