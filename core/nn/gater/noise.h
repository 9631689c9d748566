/* SPDX-License-Identifier: MIT
 *
 * The random numbers of stochastic gates, many at a time.  Each call takes a few words of `rng`
 * that depend on n alone (sl_gater_draw_beta(): and, rarely, on chance).  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"
#include "core/base/rng.h"

/* u (n) uniform in [0, 1). */
void sl_gater_draw_uniform (SlRng *rng, size_t n, sl_real *u);

/* x (n) logistic of location 0: P (x < t) = σ (t / scale). */
void sl_gater_draw_logistic (SlRng *rng, double scale, size_t n, sl_real *x);

/* Skewed noise for the input of a sigmoid, scale (B - centre) with B ~ Beta (α, β) (Bengio, Léonard
 * and Courville 2013, supplement A.2).  */
typedef struct
{
  double alpha, beta, scale, centre;
} SlGaterBeta;

/* The noise whose mode is at the wished density s: α = (s (β - 2) + 1) / (1 - s).  By the paper it
 * is scaled so that σ (mode) = s; `as_coded` instead as in the authors' program, (B - ½) |logit
 * s²|.  0 < s < 1, β > 1.  */
SlGaterBeta sl_gater_beta (double s, double beta, bool as_coded);

/* Its mean, which takes its place when there is to be no chance. */
double sl_gater_beta_mean (const SlGaterBeta *noise);

/* Fills x (n) from it: a ratio of gammas, those by Marsaglia and Tsang (2000). */
void sl_gater_draw_beta (SlRng *rng, const SlGaterBeta *noise, size_t n, sl_real *x);
