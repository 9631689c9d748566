/* SPDX-License-Identifier: MIT
 *
 * Capacity of a linear model ŷ = w(θ)'x with inputs of autocovariance C at a stationary point of
 * the squared loss: κ(S) = Tr (S'KS), where K is a projector whose rank is the number of
 * parameters that count (Donier 2019, eq. 1; which projector is not recoverable from the
 * text, so there are two).  For toys and tables of a few inputs.  Double, nothing is allocated.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SL_LINEAR_MOST = 64 }; /* inputs, parameters */

typedef enum {
  SL_METRIC_WEIGHTS,  /* K projects on range (C J): constraints on the weights */
  SL_METRIC_WHITENED, /* on range (C^½ J): constraints after whitening */
} SlLinearMetric;

/* C_ij = correlation^|i - j|, (n, n). */
void sl_linear_covariance (size_t n, double correlation, double *c);

/* K (n, n) for the covariance c (n, n), symmetric and positive definite, and the model state
 * J = dw/dθ (n, p).  Returns its rank.  n, p <= SL_LINEAR_MOST; p may be 0.  */
size_t sl_linear_capacity (size_t n, size_t p, const double *c, const double *jacobian,
                           SlLinearMetric metric, double *k);

/* The same with a ridge penalty ρ > 0, metric WHITENED: G (G'G + ρI)⁻¹ G', G = C^½ J. */
void sl_linear_capacity_ridge (size_t n, size_t p, const double *c, const double *jacobian,
                               double ridge, double *k);
