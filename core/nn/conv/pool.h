/* SPDX-License-Identifier: MIT
 *
 * Pooling: the largest or the mean of each window of a picture.  No padding.
 *
 * Letters: n planes (batch times channels), H x W the input's size, P x Q the output's.
 * x (n, H, W), y (n, P, Q).  Nothing allocates; the same bytes for any number of threads.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Every number is at least 1 and the window fits into the input. */
typedef struct
{
  size_t height, width; /* H, W */
  size_t tall, wide;    /* of the window; with `where`, at most 256 numbers */
  size_t stride;
  bool   ceil; /* a last window that begins inside and reaches beyond the edge counts, cut
                         * off (Caffe, SqueezeNet); else it does not */
} SlPool;

/* Whether the layer is as it has to be. */
bool sl_pool_valid (const SlPool *pool);

/* P and Q. */
size_t sl_pool_height (const SlPool *pool);
size_t sl_pool_width (const SlPool *pool);

/* The largest of each window, and where in it (n, P, Q), counted row by row, the first of equals;
 * `where` may be NULL when there is no way back.  Not-a-number is larger than anything.  */
void sl_pool_max_forward (const SlPool *pool, size_t planes, const sl_real *x, sl_real *y,
                          uint8_t *where);
void sl_pool_max_backward (const SlPool *pool, size_t planes, const sl_real *dy,
                           const uint8_t *where, sl_real *dx);

/* The mean of what of each window lies inside. */
void sl_pool_mean_forward (const SlPool *pool, size_t planes, const sl_real *x, sl_real *y);
void sl_pool_mean_backward (const SlPool *pool, size_t planes, const sl_real *dy, sl_real *dx);
