/* SPDX-License-Identifier: MIT
 *
 * A block of a mixture of depths (Raposo et al. 2024, arXiv 2404.02258): a router gives each example of a batch
 * a number, the largest go through the block, and the others pass by.
 *
 *   r = x w                                        (B)
 *   P = the C rows with the largest r;  C = ⌈γ B⌉
 *   x'_b = x_b + weight (r_b) f (x_b) for b in P, else x_b;  f (x) = relu (x A' + a) K' + κ
 *
 * where the weight is r, or σ (r).  Alone an example has no batch to be ranked in: a predictor g = x v + v₀,
 * trained beside, says whether it would be among them.
 *
 * Letters: B examples, D numbers of an example, H hidden units.  Nothing allocates after the cut.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

/* Sizes and where the numbers are, in this order: w (D), A (H, D), a (H), K (D, H), κ (D). */
typedef struct
{
  size_t   width, hidden;      /* D, H */
  bool     squashed;           /* σ (r) weighs */
  size_t   n;                  /* numbers in all */
  sl_real *weights, *gradient; /* (n) bound by the caller */
} SlDepth;

/* One batch on its way. */
typedef struct
{
  size_t    n;       /* rows that are taken */
  sl_real  *r;       /* (B) */
  uint8_t  *taken;   /* (B) */
  uint32_t *row;     /* (n) which, rising */
  sl_real  *x;       /* (n, D) */
  sl_real  *h;       /* (n, H) behind the rectifier */
  sl_real  *f;       /* (n, D) */
  sl_real  *df, *dh; /* (n, D), (n, H) */
} SlDepthTape;

/* C = ⌈γ B - 1e-9⌉, at least 1 where γ > 0, at most B; 0 where it is 0. */
size_t sl_depth_places (double share, size_t batch);

void sl_depth_shape (SlDepth *depth, size_t width, size_t hidden, bool squashed);
void sl_depth_tape_carve (SlDepthTape *tape, const SlDepth *depth, size_t most, SlArena *scratch);

/* Fills tape->r from x (B, D). */
void sl_depth_route (const SlDepth *depth, size_t batch, const sl_real *x, SlDepthTape *tape);

/* taken (B): the `places` rows with the largest r; of equal ones the lowest, and not-a-number comes last. */
void sl_depth_choose (size_t batch, const sl_real *r, size_t places, uint8_t *taken);

/* y (B, D) from x with the rows in tape->taken, whoever chose them.  y may not be x. */
void sl_depth_forward (const SlDepth *depth, size_t batch, const sl_real *x, SlDepthTape *tape,
                       sl_real *y);

/* From dy (B, D), which becomes dx, after a forward pass: the whole gradient.  The choice is held. */
void sl_depth_backward (SlDepth *depth, SlDepthTape *tape, sl_real *dy);

/* The predictor, v (D) and v₀ behind it: g (B); an example goes through the block where it is above 0. */
void sl_depth_predict (size_t batch, size_t width, const sl_real *x, const sl_real *v, sl_real *g);

/* Its mean cross entropy against `taken`, and the gradient (D + 1), of which x is no part.  *agree gets the share
 * of rows where it says what the batch said.  */
double sl_depth_predictor_loss (size_t batch, size_t width, const sl_real *x, const sl_real *g,
                                const uint8_t *taken, sl_real *gradient, double *agree);

/* Multiplications of one example: router and a share of the block; with `alone` the predictor too. */
double sl_depth_macs (const SlDepth *depth, double share, bool alone);
