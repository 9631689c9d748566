/* SPDX-License-Identifier: MIT
 *
 * The threshold of early exits that keeps a promise, P(R(λ) <= δ) >= 1 - ε over the draw of n calibration
 * examples, where R is the mean of a loss of 0 or 1: a sequence of tests in an order that is fixed before
 * looking (Learn then Test: Angelopoulos et al. 2021, arXiv 2110.01052; CALM: Schuster et al. 2022).  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  SL_PROMISE_BINOMIAL,  /* P(Bin (n, δ) <= k), exact for losses of 0 or 1 */
  SL_PROMISE_HOEFFDING, /* exp (-2 n max (0, δ - k ÷ n)²) */
} SlPromiseBound;

/* How likely at most k losses of n are where the risk is δ: small where the risk is below.  k <= n, n >= 1,
 * 0 < δ < 1.  */
double sl_promise_p (SlPromiseBound bound, size_t n, size_t k, double delta);

/* The most losses of n that pass, or -1 where even none does not. */
long sl_promise_most (SlPromiseBound bound, size_t n, double delta, double epsilon);

/* The last of the thresholds before the first failure, given their losses (n_grid), of which each p is left in
 * p (n_grid); -1 where the first one fails: never leave early.  One that passes behind a failure is not taken:
 * that is what makes the sequence valid without a correction.  */
long sl_promise_choose (SlPromiseBound bound, size_t n, double delta, double epsilon, size_t n_grid,
                        const size_t *losses, double *p);
