/* SPDX-License-Identifier: MIT
 *
 * Products of a few examples with a matrix that comes from memory.  A library first packs the
 * matrix for hundreds of examples to come; these read it once, as it lies, and keep the examples
 * in the cache instead.  All run on the calling thread.
 *
 * Letters: m examples, R rows and K columns of the matrix W.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

/* Up to how many examples this is the faster way on this machine; 0 where the vectors they are
 * written in would be emulated.  */
size_t sl_small_gemm_limit (void);

/* y (m, K) = x (m, R) W (R, K) + b (K). */
void sl_small_gemm_forward (size_t m, size_t rows, size_t columns, const sl_real *x,
                            const sl_real *w, const sl_real *b, sl_real *y);

/* The first `rows` columns of p (m, ldp) = t (m, K) W' for the rows of W from `w` on. */
void sl_small_gemm_back (size_t m, size_t rows, size_t columns, const sl_real *t, const sl_real *w,
                         sl_real *p, size_t ldp);

/* g (rows, K) = x' t from the first `rows` columns of x (m, ldx) and t (m, K). */
void sl_small_gemm_outer (size_t m, size_t rows, size_t columns, const sl_real *x, size_t ldx,
                          const sl_real *t, sl_real *g);

/* Copies n numbers to where they will not soon be read: past the caches, which keep what they have,
 * if `to` begins a cache line; else as memcpy().  */
void sl_small_gemm_stream (size_t n, const sl_real *from, sl_real *to);
