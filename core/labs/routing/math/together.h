/* SPDX-License-Identifier: MIT
 *
 * Which experts get the same tokens (co-activation).  lift = N_ij T ÷ (L_i L_j), for pairs that
 * would meet 5 times and more if their tokens had nothing to do with each other.  Experts of a token
 * are different ones, so that chance gives n (k - 1) ÷ (k (n - 1)), which is below 1.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* both (n, n): tokens that have i and j; the diagonal has the loads. */
void sl_routes_together (const SlRoutes *r, uint32_t *both);

typedef struct
{
  unsigned i, j; /* i < j */
  uint32_t both;
  double   lift;
} SlTogetherPair;

enum { SL_TOGETHER_MOST = 8, SL_TOGETHER_LEAST = 4 };

typedef struct
{
  uint64_t       pairs;     /* Σ N_ij, i < j */
  size_t         never;     /* pairs that no token has */
  size_t         tested;    /* pairs that have a lift */
  double         by_chance; /* its value by chance; NaN where k or n is 1 */
  unsigned       n_most, n_least;
  SlTogetherPair most[SL_TOGETHER_MOST];   /* by falling lift, then i, then j */
  SlTogetherPair least[SL_TOGETHER_LEAST]; /* the last of that order, backwards */
  double         mean_log2_abs;            /* |log2 (lift ÷ by_chance)|; NaN without any */
} SlTogether;

/* The lift of a pair, NaN where it is not tested. */
double sl_together_lift (size_t tokens, uint32_t both, uint32_t load_i, uint32_t load_j);

SlTogether sl_together_summary (unsigned n, unsigned k, size_t tokens, const uint32_t *both);
