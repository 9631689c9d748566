/* SPDX-License-Identifier: MIT
 *
 * Passes of a convolution with kernels of three by three by tiles of two by two outputs, which
 * takes 4/9 of the multiplications (Lavin and Gray 2016).  Private to core/nn/conv*.c; letters and
 * threads as in conv.h.
 *
 * Results are as exact as those of columns, but sums run in another order; and what is not finite
 * reaches the whole of each tile that reads it.  */
#pragma once

#include "core/nn/conv/conv.h"

/* Whether a layer is computed by tiles: stride and pad 1, and enough channels and positions that
 * fewer multiplications are worth the additions before and after them.  */
bool sl_conv_by_tiles (const SlConv *conv);

/* Multiplications of one example's pass. */
double sl_conv_tiles_products (const SlConv *conv);

/* Numbers of work space for either pass with so many threads: the weights' 16 points, and for each
 * thread those of a strip of tiles, before and after the products.  */
size_t sl_conv_tiles_work (const SlConv *conv, size_t threads);

/* As sl_conv_forward(), and as sl_conv_backward() to its dx. */
void sl_conv_tiles_forward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                            const sl_real *b, bool relu, sl_real *y, sl_real *work);
void sl_conv_tiles_to_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy,
                             sl_real *dx, bool add, sl_real *work);
