/* SPDX-License-Identifier: MIT
 *
 * Batch normalisation that sets how many gates are on, and the clipped tanh behind it: y = (v -
 * μ) / √(σ² + ε) + s, z = ctanh y, with μ and σ² of every column over the batch (Davis 2016, eq.
 * 4.7 with the standard deviation of eq. 2.14 and s added; as printed, with σ² and -s, the share
 * of the gates that are on depends on the scale of v and rises as s falls).
 *
 * Letters: B batch, C columns.  A column that does not vary gives y = s.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"

/* Column means and variances (divided by B) of v (B, C), which is turned into (v - μ) / √(σ² +
 * ε) in place; inverse (C) gets 1 / √(σ² + ε).  */
void sl_norm_forward (size_t batch, size_t columns, sl_real epsilon, sl_real *v, sl_real *mean,
                      sl_real *variance, sl_real *inverse);

/* The same with statistics that are given, as a deployed network has them. */
void sl_norm_given (size_t batch, size_t columns, sl_real epsilon, const sl_real *mean,
                    const sl_real *variance, sl_real *v);

/* From dy (B, C), in place, the gradient of v; `v` is what sl_norm_forward() left. */
void sl_norm_backward (size_t batch, size_t columns, const sl_real *v, const sl_real *inverse,
                       sl_real *dy);

/* y = γ v + β, column by column; y may be v.  Back: dy (B, C) becomes the gradient of v, and those of
 * γ and β are added to dgamma and dbeta (C).  (Davis 2016, eq. 2.14.)  */
void sl_norm_scale (size_t batch, size_t columns, const sl_real *gamma, const sl_real *beta,
                    const sl_real *v, sl_real *y);
void sl_norm_scale_backward (size_t batch, size_t columns, const sl_real *gamma, const sl_real *v,
                             sl_real *dy, sl_real *dgamma, sl_real *dbeta);

/* z = tanh (v + s) where v + s > 0, else 0.  Not-a-number stays. */
void sl_clipped_tanh_forward (size_t n, sl_real s, const sl_real *v, sl_real *z);
/* dy = dz (1 - z²) where z > 0, else 0; may be dz.  Returns the sum of dy: the gradient of s. */
double sl_clipped_tanh_backward (size_t n, const sl_real *z, const sl_real *dz, sl_real *dy);

/* Statistics over a run: of all the examples of T batches of equal size, whose means and variances
 * are (T, C), moved towards by `rate`.  The variance is that of all of them together, so that a
 * column has the same spread under these statistics as it had under those of its batches.  */
void sl_norm_follow (size_t steps, size_t columns, const sl_real *means, const sl_real *variances,
                     sl_real rate, sl_real *mean, sl_real *variance);

/* The share of gates that y > 0 switches on when v is normal, or (`rectified`) a rectified
 * normal of mean 0, whose zeros all are on once s exceeds their depth below the mean.  */
double sl_norm_share_on (double s, bool rectified);
