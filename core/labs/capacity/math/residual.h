/* SPDX-License-Identifier: MIT
 *
 * One residual layer on a lattice of positions, forward and backward:
 *
 *   h(x) ← norm(x) [ h(x) + Σ_k W_k' φ(h(x + k)) + extra(x) ]
 *
 * W_k carries whatever scale the layer has.  Which position x + k is comes as a table, so that one
 * kernel serves any dilation, boundary and batch, and, with one tap in place, fully connected
 * layers over many inputs.  Weights are arguments: random networks need not keep them.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"
#include "core/labs/capacity/math/shatter.h"

typedef struct
{
  SlShatter      activation;
  sl_real        omega; /* ω of the sine */
  size_t         rows, channels, taps;
  const int32_t *from;   /* (rows, taps): the row that a tap reads, -1: none.  NULL: one tap, in
                           * place */
  const sl_real *phase;  /* (channels) ψ of the sine; else not looked at */
  const sl_real *norm;   /* (rows), or NULL: 1 */
  bool           frozen; /* rectifiers are as `slope` of an earlier pass has them, for finite
                           * differences */
} SlResidual;

/* Numbers that both passes need as `work`. */
size_t sl_residual_work (const SlResidual *layer);

/* h (rows, channels) in place.  w (taps, channels, channels): [tap][in][out].  extra (rows,
 * channels) or NULL.  slope (rows, channels) gets φ'(h), and value (rows, channels), unless
 * NULL, φ(h): what the backward pass needs.  */
void sl_residual_forward (const SlResidual *layer, const sl_real *w, const sl_real *extra,
                          sl_real *h, sl_real *slope, sl_real *value, sl_real *work);

/* delta (rows, channels): from the gradient of the layer's output to that of its input, in
 * place.  dw, unless NULL, as w: is set to the gradient of the weights; needs `value`.  */
void sl_residual_backward (const SlResidual *layer, const sl_real *w, const sl_real *slope,
                           const sl_real *value, sl_real *delta, sl_real *dw, sl_real *work);

/* Σ over channels of the squares: power (rows). */
void sl_residual_power (size_t rows, size_t channels, const sl_real *delta, double *power);
