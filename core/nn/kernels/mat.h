/* SPDX-License-Identifier: MIT
 *
 * Matrix products and the few factorisations we need.  mat.c is the only file that
 * includes cblas or calls LAPACK.  Everything is row major; `ld` is the distance
 * between rows in elements.
 *
 * Letters used all over core/nn: B batch, D inputs, H units, C classes, K rank.
 *
 * Threads: any, but not two at once with different thread counts set.  Factorisations
 * stay on the calling one.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"
#include "core/base/status.h"

typedef enum {
  SL_PLAIN,
  SL_TRANSPOSED,
} SlOrder;

/* C (m, n) = alpha op(A) op(B) + beta C, op(A) (m, k), op(B) (k, n).  With beta = 0,
 * C is not read (it may hold not-a-number).  Sizes may be 0.  Products too small to pay for a
 * second thread are done by the calling one.  */
void sl_mat_mul (SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k, sl_real alpha,
                 const sl_real *a, size_t lda, const sl_real *b, size_t ldb, sl_real beta,
                 sl_real *c, size_t ldc);

/* y (m) = A (m, n) x (n): cblas' own GEMV on one thread, the yardstick of the gathered ones. */
void sl_mat_vec (size_t m, size_t n, const sl_real *a, size_t lda, const sl_real *x, sl_real *y);

/* Orthonormalises the columns of A (m, n), m >= n, in place: the first k span what they
 * spanned.  Columns that are nearly orthogonal take the fast way (a Cholesky factor of A'A),
 * others Householder reflections.  `work` (sl_mat_qr_work (m, n)).  */
void   sl_mat_qr (size_t m, size_t n, sl_real *a, sl_real *work);
size_t sl_mat_qr_work (size_t m, size_t n);

/* Eigenvalues (n), falling, of the symmetric A (n, n) and, when `vectors`, its
 * eigenvectors as the rows of A; else A is overwritten.  Allocates.  SL_ENOMEM,
 * SL_EDIVERGED.  */
SlStatus sl_mat_eigen (size_t n, sl_real *a, sl_real *values, bool vectors);

/* The same without allocating: `work` has sl_mat_eigen_work (n) numbers. */
SlStatus sl_mat_eigen_in (size_t n, sl_real *a, sl_real *values, bool vectors, sl_real *work);
size_t   sl_mat_eigen_work (size_t n);

/* What computes: the kernel ("SkylakeX"), how the library was built for threads
 * ("openmp", "pthreads", "serial") and its version text.  Static.  */
const char *sl_blas_kernel (void);
const char *sl_blas_threading (void);
const char *sl_blas_version (void);

/* Threads of products and of our own parallel loops, from 1; clamped to the cores there are, and to
 * 1 with a pthreads build, whose pool does not survive a fork.  OpenMP keeps the number per thread:
 * call both on the thread that computes.  Setting 1 is safe whatever other threads do; another
 * number only while no other thread multiplies with a number above 1.  Returns what was set.  */
unsigned sl_blas_set_threads (unsigned threads);
unsigned sl_blas_threads (void);
unsigned sl_blas_cores (void);
