/* SPDX-License-Identifier: MIT
 *
 * Activations, forward and backward side by side.  All may work in place
 * (output = input).  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* y = max (0, x); the derivative at exactly 0 is 0. */
void sl_relu_forward (size_t n, const sl_real *x, sl_real *y);
/* dx = dy 1[y > 0]. */
void sl_relu_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx);

/* y = tanh x, to a few units in the last place; vectorised. */
void sl_tanh_forward (size_t n, const sl_real *x, sl_real *y);
/* dx = dy (1 - y²). */
void sl_tanh_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx);

/* y = σ(x) = 1 / (1 + exp (-x)), to a few units in the last place on both sides; below the smallest
 * value that |x| <= 20 (40 in double) can give it stays there, so 0 < y.  Vectorised.  */
void sl_sigmoid_forward (size_t n, const sl_real *x, sl_real *y);

/* The rectifier behind a sign estimate (Davis 2016, §3.1.1): y = max (0, pre) where
 * est > 0, else 0.  Its backward pass is sl_relu_backward: y > 0 only where both are.  */
void sl_gated_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real *y);

/* Leaky rectifier (Maas et al. 2013), SL_LEAK, and parametric one (He et al. 2015), whose slope `leak` is
 * trained: y = x where x > 0, else leak x; with `est` only where that is > 0, else 0.  dx = dy times the slope there, and
 * 0 where est is not > 0.  */
#define SL_LEAK ((sl_real) 0.01)
void sl_leaky_forward (size_t n, sl_real leak, const sl_real *x, const sl_real *est, sl_real *y);
void sl_leaky_backward (size_t n, sl_real leak, const sl_real *x, const sl_real *est,
                        const sl_real *dy, sl_real *dx);
/* dloss/dleak: the sum of dy x where x <= 0 and est is > 0. */
double sl_leaky_slope (size_t n, const sl_real *x, const sl_real *est, const sl_real *dy);

/* ELU (Clevert et al. 2015): y = x where x > 0, else exp (x) - 1; `est` likewise. */
void sl_elu_forward (size_t n, const sl_real *x, const sl_real *est, sl_real *y);
void sl_elu_backward (size_t n, const sl_real *x, const sl_real *est, const sl_real *dy,
                      sl_real *dx);

/* The rectifier with a threshold (FATReLU; ProSparse, arXiv 2402.13516): y = pre where pre > cut, else 0,
 * cut >= 0; with `est` only where that is > 0 as well.  Its backward pass is sl_relu_backward: the jump has
 * no derivative.  */
void sl_cut_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real cut, sl_real *y);
