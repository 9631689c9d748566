/* SPDX-License-Identifier: MIT
 *
 * Kernels as they are defined, one product after the other: what the fast ones are compared with.
 * Arguments are those of the functions without _ref.  */
#pragma once

#include "core/nn/conv/conv.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/row-gemm.h"

void sl_mat_mul_ref (SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k, sl_real alpha,
                     const sl_real *a, size_t lda, const sl_real *b, size_t ldb, sl_real beta,
                     sl_real *c, size_t ldc);

void sl_gather_vec_ref (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
                        const uint32_t *rows, size_t n_rows, sl_real *y);

void sl_gather_masked_ref (size_t batch, size_t inputs, size_t units, const sl_real *w,
                           const sl_real *b, const sl_real *x, const uint8_t *mask, sl_real *y);

void sl_gather_gated_ref (size_t batch, size_t inputs, size_t units, size_t outputs,
                          const sl_real *w, const sl_real *b, const sl_real *x, const sl_real *gate,
                          const sl_real *v, const sl_real *c, sl_real *y);

void sl_row_gemm_rows_ref (size_t rows, const uint32_t *from, const uint32_t *to, size_t n,
                           size_t k, const sl_real *a, size_t lda, const sl_real *strips,
                           size_t stride, bool add, sl_real *c, size_t ldc);

void sl_row_gemm_outer_ref (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
                            const sl_real *strip, sl_real *c, size_t ldc);

void sl_conv_forward_ref (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                          const sl_real *b, bool relu, sl_real *y);

void sl_conv_backward_ref (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                           const sl_real *dy, sl_real *dw, sl_real *db, sl_real *dx, bool add);
