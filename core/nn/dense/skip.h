/* SPDX-License-Identifier: MIT
 *
 * A fully connected layer in training, of which only what a mask leaves is computed: forward the pairs
 * of example and unit that an estimate switches on, backward those whose slope is not 0.  The numbers
 * are those of dense.h with the same mask, but for the order of their sums.  */
#pragma once

#include <stdint.h>

#include "core/nn/kernels/sparse.h"

/* Room for a layer's pass: at most so many examples, units, and pairs of them. */
typedef struct
{
  uint8_t  *on;     /* (B, H) */
  uint32_t *count;  /* (H) */
  SlSparse  slopes; /* of the slopes, by units or by examples */
} SlSkip;

void sl_skip_carve (SlSkip *skip, size_t batch, size_t units, size_t pairs, SlArena *scratch);

/* Switches off whole units in est (B, H): those that it switches on for less than this share of the
 * batch.  */
void sl_skip_columns (SlSkip *skip, size_t batch, size_t units, double least, sl_real *est);

/* Switches off in est what dropout drops: mask (B, H) is 0 there. */
void sl_skip_dropped (size_t n, const uint8_t *mask, sl_real *est);

/* pre (B, H) = x (B, D) W' + b (H) where est (B, H) > 0, else 0.  Returns how many were computed. */
size_t sl_skip_forward (SlSkip *skip, size_t batch, size_t inputs, size_t units, const sl_real *x,
                        const sl_real *w, const sl_real *b, const sl_real *est, sl_real *pre);

/* As sl_dense_backward().  Where more than half of the slopes are not 0, or the batch is larger than
 * SL_SPARSE_TALL (that of a convolution has all its places), it is that.  Returns for how many
 * slopes it computed.  */
size_t sl_skip_backward (SlSkip *skip, size_t batch, size_t inputs, size_t units, const sl_real *x,
                         const sl_real *w, const sl_real *dpre, sl_real *dw, sl_real *db,
                         sl_real *dx);
