/* SPDX-License-Identifier: MIT
 *
 * Products of chosen rows with a matrix that was cut into strips of columns once, so that the
 * product itself moves nothing: what a block-sparse layer needs, whose products are too small to
 * pay for the packing inside a library's.  Each has a naive twin.
 *
 * A strip holds SL_STRIP neighbouring columns of B (K, N), one row after the other:
 * (K, SL_STRIP).  Columns beyond the last one are 0.  Every number of a result is summed by one
 * thread in rising order of k, so results do not depend on the number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"
#include "core/nn/kernels/mat.h"

/* One line of the cache.  Twice as wide would halve what is read of A, but then only half as many rows
 * fit into the registers and share what is read of B, which comes from farther away.  */
enum { SL_STRIP = 64 / sizeof (sl_real) };

/* Numbers that the strips of a matrix (k, n) take. */
static inline size_t
sl_row_gemm_size (size_t k, size_t n)
{
  return (n + SL_STRIP - 1) / SL_STRIP * SL_STRIP * k;
}

/* Cuts op(A), which is (k, n), into strips. */
void sl_row_gemm_pack (SlOrder order, size_t k, size_t n, const sl_real *a, size_t lda,
                       sl_real *strips);

/* C[to[i]] = A[from[i]] B + (add ? C[to[i]] : 0) for `rows` rows: A (…, k) with rows lda apart, B
 * the strips of (k, n), C (…, n).  `from` or `to` may be NULL for 0, 1, 2, …  The strips are
 * `stride` numbers apart (SL_STRIP × the rows of the whole matrix when B is some of its rows).  */
void sl_row_gemm_rows (size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
                       const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add,
                       sl_real *c, size_t ldc);

/* C (rows, n) = A (rows, k) B + (add ? C : 0) from all strips of B, which threads share out where it
 * pays; C is dense, rows of A are lda apart.  */
void sl_row_gemm_all (size_t rows, size_t n, size_t k, const sl_real *a, size_t lda,
                      const sl_real *strips, bool add, sl_real *c);

/* C (m, n) = Σ_l A[l]' B[of[l]] over `terms` rows: A (terms, m), B one strip, n <=
 * SL_STRIP.  */
void sl_row_gemm_outer (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
                        const sl_real *strip, sl_real *c, size_t ldc);
