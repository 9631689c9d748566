/* SPDX-License-Identifier: MIT
 *
 * The decision in a block of a mixture of depths (Raposo et al. 2024, arXiv 2404.02258): a router
 * gives each example of a batch a number, the largest go through the block, and the others pass by.
 *
 *   r = x w                                        (B)
 *   P = the C rows with the largest r;  C = ⌈γ B⌉
 *   x'_b = x_b + weight (r_b) f (x_b) for b in P, else x_b;  f (x) = relu (x A' + a) K' + κ
 *
 * where the weight is r, or σ (r).  Alone an example has no batch to be ranked in: a guess g = x v
 * + v₀, trained beside, says whether it would be among them.  The block is nodes of a graph, which
 * sl_dag_add_block() puts together (dag.h).
 *
 * Letters: B examples, D numbers of an example.  Nothing allocates.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Which examples go through; may change between passes. */
typedef struct
{
  double share; /* γ */
  bool   alone; /* the guess decides, and not the rank in the batch */
} SlDepthRank;

/* C = ⌈γ B - 1e-9⌉, at least 1 where γ > 0, at most B; 0 where it is 0. */
size_t sl_depth_places (double share, size_t batch);

/* From x (B, 2), the numbers of router and guess: y (B, 2), ½ and then 1 for the rows that go
 * through, else 0.  Ranked, the largest r do; of equal ones the lowest rows, and not-a-number comes
 * last.  */
void sl_depth_rank (const SlDepthRank *rank, size_t batch, const sl_real *x, sl_real *y);

/* From x (B, 1 + D), r and f: y (B, D) = weight (r) f.  And back from dy. */
void sl_depth_weigh (size_t batch, size_t width, bool squashed, const sl_real *x, sl_real *y);
void sl_depth_weigh_backward (size_t batch, size_t width, bool squashed, const sl_real *x,
                              const sl_real *dy, sl_real *dx);

/* From the slopes dr (B) of r = x w: dw (D), and dx (B, D) unless NULL. */
void sl_depth_route_backward (size_t batch, size_t width, const sl_real *x, const sl_real *w,
                              const sl_real *dr, sl_real *dw, sl_real *dx);

/* The mean cross entropy of guesses g (B) against `taken` (B), and its slope dg (B) unless NULL.  *agree gets
 * the share of rows where the guess says what the batch said.  */
double sl_depth_guess_loss (size_t batch, const sl_real *g, const uint8_t *taken, sl_real *dg,
                            double *agree);
