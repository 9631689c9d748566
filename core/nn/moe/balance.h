/* SPDX-License-Identifier: MIT
 *
 * How evenly work is spread over experts (Shazeer et al. 2017, §4 and appendix A).  Variances
 * are those of the population (divided by n).  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* CV² = variance ÷ mean² of v (n), and unless NULL its gradient (n) = 2 / (n m²) (v - mean (v²) / m)
 * with m the mean.  0, with a gradient of zeros, when n = 1 or the mean is 0.  */
double sl_balance_cv2 (size_t n, const sl_real *v, sl_real *gradient);

/* √CV². */
double sl_balance_cv (size_t n, const sl_real *v);

/* Largest ÷ mean; 1 when n = 1 or the mean is 0. */
double sl_balance_peak (size_t n, const sl_real *v);

/* exp of the entropy of v ÷ Σv: how many experts would do the same work evenly.  0 when the sum is
 * 0.  v >= 0.  */
double sl_balance_effective (size_t n, const sl_real *v);

/* CV of the load when always the same k of n are chosen, √(n/k - 1); max ÷ mean is then n/k. */
double sl_balance_collapse (size_t n, double k);

/* CV of the hard load of a router that chooses k of n uniformly at random for `batch` examples,
 * √((1 - k/n) / (batch k/n)): no training can be expected below it.  */
double sl_balance_floor (size_t n, double k, size_t batch);

/* The load of the experts of one group (appendix B): load (b), Load_i (X^(i)) of the group's own
 * gate, becomes Loadp_i times it ÷ |X^(i)| = `rows`; zeros when that is 0.  */
void sl_balance_group_load (size_t b, sl_real primary, size_t rows, sl_real *load);

/* What chance makes of largest ÷ mean − 1 of the counts, where each of `batch` examples has k of n experts at
 * random: Mₙ √(n ÷ (n − 1)) times sl_balance_floor(), Mₙ the mean of the largest of n standard normals.  A
 * normal form, a little low.  0 where there is nothing to choose.  */
double sl_balance_violation_floor (size_t n, double k, size_t batch);

/* How much the sets of `examples` examples, a bit for each expert in `words` words of 64, differ between two
 * times: the mean of 1 − |S ∩ S'| ÷ max (|S|, |S'|), 0 where both are empty.  *changed: examples whose set is
 * not the same.  */
double sl_balance_flips (size_t examples, size_t words, const uint64_t *before,
                         const uint64_t *after, size_t *changed);
