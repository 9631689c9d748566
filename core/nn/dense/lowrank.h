/* SPDX-License-Identifier: MIT
 *
 * A truncated singular value decomposition that follows a matrix while it is trained:
 * W (H, D) ≈ U V', U (H, K) holding the singular values, V (D, K) orthonormal.  A refresh
 * starts from the last one's subspace and needs one or two rounds of filtered subspace
 * iteration, so it can be had every few updates where the dissertation (Davis 2016,
 * §3.1.3) refreshes once per epoch.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/base/status.h"

typedef struct
{
  size_t   units, inputs; /* H, D */
  size_t   most;          /* min (H, D): the largest rank */
  size_t   rank;          /* K of the last refresh, 0 … most */
  size_t   kept;          /* columns of the tracked subspace, rank <= kept <= most */
  sl_real *u;             /* (H, kept): W V; the first `rank` columns are the estimate's */
  sl_real *v;             /* (D, kept): the tracked subspace, orthonormal, most energy first */
  sl_real *sigma;         /* (kept) falling */
  sl_real *work;
  double   energy; /* ‖W‖²_F at the last refresh */
  double   lost;   /* share of `energy` outside the first `rank` directions */
} SlLowRank;

/* Cuts the slices for a matrix of this size: what a checkpoint needs from `kept`, all else from
 * `scratch` (arena.h: measure first, then for real).  */
void sl_lowrank_init (SlLowRank *lr, size_t units, size_t inputs, SlArena *kept, SlArena *scratch);

/* Forgets everything: rank 0, and the next refresh starts cold. */
void sl_lowrank_reset (SlLowRank *lr);

/* Follows W (H, D) with `rank` directions (clamped to `most`) by a polynomial of W'W of degree
 * `rounds` >= 1.  A cold start, or a larger rank than was tracked, takes more by itself, with
 * directions from `rng`; a rank near `most` / 2 or above is done exactly.  Allocates
 * nothing.  SL_EDIVERGED when W is not finite: the old factors stay.  */
SlStatus sl_lowrank_refresh (SlLowRank *lr, const sl_real *w, size_t rank, unsigned rounds,
                             SlRng *rng);

/* The same with the smallest rank whose lost share of the energy is at most `bound`. */
SlStatus sl_lowrank_refresh_energy (SlLowRank *lr, const sl_real *w, double bound, size_t most_rank,
                                    unsigned rounds, SlRng *rng);

/* Multiply-adds of a warm refresh as the factors are now.  Eigenvectors (n, n) count as 4 n³. */
double sl_lowrank_macs (const SlLowRank *lr, unsigned rounds);

/* est (B, H) = (x V) U' + b - theta; x (B, D), b (H), low (B, rank) scratch, no b if NULL.  At rank 0
 * it is b - theta.  */
void sl_lowrank_estimate (const SlLowRank *lr, size_t batch, const sl_real *x, const sl_real *b,
                          sl_real theta, sl_real *low, sl_real *est);
