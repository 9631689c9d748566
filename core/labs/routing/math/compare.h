/* SPDX-License-Identifier: MIT
 *
 * Two recordings of the same experts, or two parts of one: do they use the experts alike?  */
#pragma once

#include <stdbool.h>

#include "core/labs/routing/math/routes.h"

enum { SL_COMPARE_BLOCKS = 20 };

typedef struct
{
  double total_variation; /* ½ Σ |p - q| of the shares of the routings */
  double
    total_variation_by_chance; /* of two parts of the same stream of independent tokens, about */
  double jensen_shannon_bits;
  bool   has_interval; /* half_width was filled from blocks */
  size_t beyond; /* experts whose difference is beyond it; by chance 5 % of n are.  0 without one */
} SlLoadComparison;

/* Loads a and b (n), each with a routing, of tokens with so many experts.  difference (n) =
 * n (p_i - q_i), in even shares; binomial (n): half width of the interval of 95 % that it would have
 * if tokens were independent.  Both may be NULL.  */
SlLoadComparison sl_load_compare (unsigned n, const uint64_t *a, const uint64_t *b, double k_a,
                                  double k_b, double *difference, double *binomial);

/* The same of tokens, each side with a routing.  Tokens of a text hang together, so that each side is
 * cut into 20 blocks whose spread gives half_width (n), 95 % (Student's t, 38 degrees).  It is NaN with
 * fewer than 40 tokens a side or a block without routings.  The arrays may be NULL.  */
SlLoadComparison sl_routes_compare (const SlRoutes *a, const SlRoutes *b, double *difference,
                                    double *binomial, double *half_width);

/* Of tokens that correspond, equally many: does training route as inference did? */
typedef struct
{
  double flip;      /* 1 - Σ |A ∩ B| ÷ Σ max (k_A, k_B) */
  double same_set;  /* share of the tokens with the same experts */
  double top1_flip; /* share with another first expert */
} SlPairedRoutes;

SlPairedRoutes sl_routes_compare_paired (const SlRoutes *a, const SlRoutes *b);
