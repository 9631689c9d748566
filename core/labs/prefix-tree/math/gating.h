/* SPDX-License-Identifier: MIT
 *
 * The gating function g of sampled bits (Cho and Bengio 2014, §2: it "may be chosen freely as long as it provides
 * hard decisions"): v = x U as printed, or with hidden units a network of its own, v = relu (x V' + c) U.  The bits
 * are drawn with probability σ (v).  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"
#include "core/base/rng.h"

typedef struct
{
  size_t inputs, hidden, bits; /* p, G (0: U alone), K */
} SlGating;

/* Numbers of V (G, p), c (G) and U (G or p, K), in this order, and multiply-adds of one example. */
size_t sl_gating_numbers (const SlGating *gating);
double sl_gating_macs (const SlGating *gating);

/* Glorot matrices, c = 0. */
void sl_gating_init (const SlGating *gating, SlRng *rng, sl_real *w);

/* v (B, K) of x (B, p); `deep` (B, G) keeps the hidden units for the way back. */
void sl_gating_forward (const SlGating *gating, size_t batch, const sl_real *x, const sl_real *w,
                        sl_real *deep, sl_real *v);

/* From dv (B, K): writes dw, and adds to dx (B, p) unless NULL.  `ddeep` (B, G) is work space. */
void sl_gating_backward (const SlGating *gating, size_t batch, const sl_real *x, const sl_real *w,
                         const sl_real *deep, const sl_real *dv, sl_real *ddeep, sl_real *dw,
                         sl_real *dx);
