/* SPDX-License-Identifier: MIT
 *
 * A strip of a convolution as columns for a product: one column for each position of the output,
 * with what lies under the kernel there.  For conv.c.
 *
 * Letters: C channels and R x S the kernel's size, Q positions in an output row.  Columns (C R S,
 * rows Q) of the positions in some neighbouring output rows.  Run on the calling thread.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"

typedef struct
{
  size_t height, width; /* of one channel of the picture */
  size_t tall, wide;    /* R, S */
  size_t stride;
  size_t above, left; /* rows and columns of zeros around it */
  size_t across;      /* Q */
} SlColumns;

/* Gathers the columns of output rows `first` to `first + rows` - 1 from `channels` channels of a
 * picture.  */
void sl_columns_gather (const SlColumns *columns, size_t channels, const sl_real *picture,
                        size_t first, size_t rows, sl_real *to);

/* The way back: adds each column to where it was gathered from. */
void sl_columns_add (const SlColumns *columns, size_t channels, const sl_real *from, size_t first,
                     size_t rows, sl_real *picture);
