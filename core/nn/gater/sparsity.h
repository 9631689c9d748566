/* SPDX-License-Identifier: MIT
 *
 * What keeps a wished share of gates on: the two sparsity terms of Bengio, Léonard and Courville
 * (2013, supplement A.1) with the controller of the second, thresholds for use without chance
 * (A.3), the rates of single units, and the hard bound on incoming weights (A.4).
 *
 * s is a density: 0.1 means one in ten on.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"
#include "core/nn/gater/units.h"

/* The term -λ Σ_i [s log p̄_i + (1 - s) log (1 - p̄_i)], p̄_i the mean over the batch of the
 * probability that unit i fires: p, or √p for STS.  It is the divergence from s
 * up to the entropy of s and called "density term" wherever it is shown.  Logarithms and
 * quotients are guarded with 1e-6.  pull (N) gets λ (p̄ - s) / (p̄ (1 - p̄)) / B, which
 * sl_gater_credit() multiplies by the slope of each gate; mean (N) gets p̄.  0 < s < 1.  */
double sl_gater_kl (const SlGaterUnit *unit, size_t batch, size_t units, const sl_real *p, double s,
                    double lambda, sl_real *mean, sl_real *pull);

/* The term λ Σ h over batch and units (no mean: the published λ belongs to batches of 32). */
double sl_gater_l1 (size_t n, const sl_real *h, double lambda);

/* The next λ of the L1 term: times 1 + κ where `density` is above s + 0.01, times 1 - κ where it is
 * below s - 0.01, within 1e-13 … 1.  */
double sl_gater_lambda (double lambda, double density, double s, double kappa);

/* rate (N) = share of the examples with h ≠ 0, for each unit.  Returns the mean over all units. */
double sl_gater_rates (size_t batch, size_t units, const sl_real *h, sl_real *rate);

/* The value that a share s of `values` (n) is above: midway between the last one above and the
 * first one below; the share is rounded to whole values.  `values` are put into another order.
 * When none is to be above, the largest, and when all are, one less than the smallest.  Ties may
 * leave fewer above.  n >= 1.  */
sl_real sl_gater_threshold (size_t n, sl_real *values, double s);

/* Scales every row w of W (H, D), or every column of W (D, H), by min (1, most / ‖w‖).  `work` (H)
 * for the columns.  */
void sl_gater_bound_rows (size_t units, size_t inputs, sl_real most, sl_real *w);
void sl_gater_bound_columns (size_t inputs, size_t units, sl_real most, sl_real *w, sl_real *work);
