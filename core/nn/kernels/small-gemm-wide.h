/* SPDX-License-Identifier: MIT
 *
 * The products of small-gemm.h for processors with 32 registers of 64 bytes, for small-gemm.c alone.  The
 * sums run in the order of that file, but for those of sl_small_gemm_back().  */
#pragma once

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/small-gemm.h"

#ifdef SL_WIDE
SL_WIDE void sl_small_gemm_forward_wide (size_t m, size_t rows, size_t columns, const sl_real *x,
                                         const sl_real *w, const sl_real *b, sl_real *y);
SL_WIDE void sl_small_gemm_back_wide (size_t m, size_t rows, size_t columns, const sl_real *t,
                                      const sl_real *w, sl_real *p, size_t ldp);
SL_WIDE void sl_small_gemm_outer_wide (size_t m, size_t rows, size_t columns, const sl_real *x,
                                       size_t ldx, const sl_real *t, sl_real *g);
#endif
