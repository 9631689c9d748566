/* SPDX-License-Identifier: MIT
 *
 * Adam with little memory (Shazeer et al. 2017, appendix D): no first moment (β1 = 0), and of the
 * second one only the means of its rows and columns,
 *
 *   r = β2 r + (1 - β2) row means of g²,   c = β2 c + (1 - β2) column means of g²,
 *   V = r c' / mean (r),   w -= rate g / (√(V / (1 - β2^t)) + ε).
 *
 * V is exact when the true second moment has rank 1, so always for a matrix of one row: that is
 * how biases are kept.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"
#include "core/nn/optim/optim.h"

/* One update of w (rows, columns) from g (rows, columns).  r (rows) and c (columns) are cleared
 * before the first one; `t` is its number, from 1.  Of the setting rate, beta2, epsilon and decay
 * are read.  work (columns).  On the calling thread.  */
void sl_factored_step (const SlOptimSetting *setting, uint64_t t, size_t rows, size_t columns,
                       const sl_real *g, sl_real *w, sl_real *r, sl_real *c, sl_real *work);
