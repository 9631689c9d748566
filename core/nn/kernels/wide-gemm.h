/* SPDX-License-Identifier: MIT
 *
 * Products of matrices for processors with 32 registers of 64 bytes (AVX-512), for mat.c alone: faster
 * there than the library's for the shapes of a layer.  Every number of a result is summed in rising
 * order of k, in the same pieces, whatever m, n, the orders and the number of threads are; so a part of
 * a product has the bits that the whole one has there.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

#if defined SL_WIDE && !defined SL_DOUBLE
#define SL_HAS_WIDE_GEMM

/* Whether such a product is the faster one here, and can be made. */
bool sl_wide_gemm_pays (size_t m, size_t n, size_t k);

/* C (m, n) = alpha op(A) op(B) + (add ? C : 0), as sl_mat_mul(); m, n and k are at least 1.  Shared among
 * `threads`.  */
void sl_wide_gemm (unsigned threads, SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k,
                   sl_real alpha, const sl_real *a, size_t lda, const sl_real *b, size_t ldb,
                   bool add, sl_real *c, size_t ldc);
#endif
