/* SPDX-License-Identifier: MIT
 *
 * Convolution in two dimensions, as products of the weights with columns that are gathered from
 * the picture a strip of rows at a time, or with tiles where those take fewer.  (As everywhere in
 * learning the kernel is not turned round:
 * y[p, q] = Σ w[r, s] x[stride p + r - pad, stride q + s - pad], zeros around x.)
 *
 * Letters: B batch, C channels of the input, O of the output, H x W the input's size, P x Q the
 * output's, R x S the kernel's.  x (B, C, H, W), w (O, C, R, S), b (O), y (B, O, P, Q): channel
 * after channel, as every picture here.
 *
 * No picture is ever spread out whole: the work space is a strip for each thread, at most 1.3 MB of
 * columns or 4.2 MB of tiles (or what one channel takes for one row of the output, or all of them
 * for 16 tiles, if that is more), whatever the layer, and the weights as sl_conv_work() says.
 * Nothing allocates.  Strips do not depend on the number of threads and no sum is split among
 * them: results are the same bytes for any number.
 *
 * Threads: any, each with work space of its own; a call uses as many as sl_blas_set_threads()
 * said on the calling one.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/real.h"

/* One layer.  Every field but `pad` is at least 1, `pad` is less than both sides of the kernel, and
 * the kernel must fit into the padded input.  */
typedef struct
{
  size_t inputs, outputs; /* C, O */
  size_t height, width;   /* H, W */
  size_t tall, wide;      /* R, S */
  size_t stride, pad;
  bool   direct; /* every multiplication of the definition, even where fewer do */
} SlConv;

/* What a call is to compute; sum them up for sl_conv_work(). */
enum {
  SL_CONV_FORWARD = 1,
  SL_CONV_TO_WEIGHTS = 2,
  SL_CONV_TO_INPUT = 4,
};

/* Whether the kernel fits, and all other conditions of a layer hold.  A lab calls this before it
 * builds a layer from what the user typed.  */
bool sl_conv_valid (const SlConv *conv);

/* P and Q. */
static inline size_t
sl_conv_height (const SlConv *conv)
{
  return (conv->height + 2 * conv->pad - conv->tall) / conv->stride + 1;
}

static inline size_t
sl_conv_width (const SlConv *conv)
{
  return (conv->width + 2 * conv->pad - conv->wide) / conv->stride + 1;
}

/* C H W, O P Q and O C R S. */
static inline size_t
sl_conv_inputs (const SlConv *conv)
{
  return conv->inputs * conv->height * conv->width;
}

static inline size_t
sl_conv_outputs (const SlConv *conv)
{
  return conv->outputs * sl_conv_height (conv) * sl_conv_width (conv);
}

static inline size_t
sl_conv_weights (const SlConv *conv)
{
  return conv->outputs * conv->inputs * conv->tall * conv->wide;
}

/* Multiplications of one example's forward pass by the definition, P Q O C R S, those with the
 * zeros around the picture too.  Either way back takes as many.  */
double sl_conv_products (const SlConv *conv);

/* Those that a forward pass, or the way back to the input, really does: 4/9 as many (and those of
 * the edges' tiles) for kernels of three by three with stride and pad 1 between many channels,
 * unless `direct`.  The products are then of tiles (Lavin and Gray 2016, winograd.c).  */
double sl_conv_executed (const SlConv *conv);

/* Numbers of work space for the passes given, whatever the batch: a strip for each core (at most
 * 16), with SL_CONV_TO_INPUT also O C R S, with SL_CONV_TO_WEIGHTS 3 O C R S; where products are of
 * tiles, 16 O C.  */
size_t sl_conv_work (const SlConv *conv, unsigned passes);

/* y = x * w + b, no b if NULL; with `relu` what is below 0 becomes 0 (not-a-number stays).  */
void sl_conv_forward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                      const sl_real *b, bool relu, sl_real *y, sl_real *work);

/* From dy (B, O, P, Q), each unless NULL: dw and db, written over; dx, written over, or added to
 * with `add`.  x is only read for dw and may be NULL without, w only for dx.  What relu stopped
 * is for the caller to clear in dy (sl_relu_backward()).  */
void sl_conv_backward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                       const sl_real *dy, sl_real *dw, sl_real *db, sl_real *dx, bool add,
                       sl_real *work);
