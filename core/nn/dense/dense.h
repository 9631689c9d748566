/* SPDX-License-Identifier: MIT
 *
 * A fully connected layer with the weights W (H, D) of Davis' chapter 3: one row per
 * unit, so that a unit can be computed alone.  pre = x W' + b.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* pre (B, H) = x (B, D) W' + b (H). */
void sl_dense_forward (size_t batch, size_t inputs, size_t units, const sl_real *x,
                       const sl_real *w, const sl_real *b, sl_real *pre);

/* From dpre (B, H): dw (H, D) and db (H), written over, not added to: every layer is
 * used once per step, and saving the clearing pass is a tenth of a step.  dx (B, D) is
 * written unless NULL.  */
void sl_dense_backward (size_t batch, size_t inputs, size_t units, const sl_real *x,
                        const sl_real *w, const sl_real *dpre, sl_real *dw, sl_real *db,
                        sl_real *dx);

/* The part of it that belongs to the bias: db (H), the sum of dpre (B, H) over the batch. */
void sl_dense_bias_backward (size_t batch, size_t units, const sl_real *dpre, sl_real *db);
