/* SPDX-License-Identifier: MIT
 *
 * Conditional kernels: products that only touch the units in a mask.  Compiled for several
 * instruction sets and chosen when the program starts.  The tests have a naive reference of
 * each.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Batch 1.  y[i] = W[i]·x + b[i] for the n_rows units i of `rows` (rising); the others are
 * not touched.  W (H, D) row major.  Several rows are done at a time, so that x is read
 * once for all of them.  */
void sl_gather_vec (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
                    const uint32_t *rows, size_t n_rows, sl_real *y /* (H) */);

/* A small batch under a mask per example and unit: y[e][i] = W[i]·x[e] + b[i] where mask[e][i] is
 * not 0, else 0.  Each unit's row is read once and meets the examples that want it.  */
void sl_gather_masked (size_t batch, size_t inputs, size_t units, const sl_real *w,
                       const sl_real *b, const sl_real *x, const uint8_t *mask /* (B, H) */,
                       sl_real *y /* (B, H) */);

/* Gates with a value, and the layer above them: y[e] = c + Σ_i gate[e][i] (W[i]·x[e] + b[i]) V[i]
 * over the units whose gate is not 0; the others cost nothing.  W (H, D), V (H, C), c (C).  */
void sl_gather_gated (size_t batch, size_t inputs, size_t units, size_t outputs, const sl_real *w,
                      const sl_real *b, const sl_real *x, const sl_real *gate /* (B, H) */,
                      const sl_real *v, const sl_real *c, sl_real *y /* (B, C) */);

/* Indices of the entries of est (n) above 0, rising; returns how many. */
size_t sl_gather_rows (size_t n, const sl_real *est, uint32_t *rows);
