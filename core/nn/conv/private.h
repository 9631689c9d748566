/* SPDX-License-Identifier: MIT
 *
 * How passes of a convolution are cut into strips; shared by conv.c, strips.c and
 * backward.c.  */
#pragma once

#include "core/nn/conv/columns.h"
#include "core/nn/conv/conv.h"
#include "core/nn/kernels/threads.h"

enum { SL_CONV_GROUPS = 4 }; /* partial sums of the weights' gradient */

/* How a pass over one example is cut. */
typedef struct
{
  SlColumns columns;
  size_t    channels;     /* that columns are gathered from */
  size_t    height;       /* rows of the output, of columns.across positions */
  size_t    rows, strips; /* of a strip, of an example */
  size_t    together;     /* channels gathered at a time */
  bool      plain;        /* a kernel of one pixel: the picture is its own columns */
} SlConvStrips;

/* What one strip is multiplied with and where the result goes. */
typedef struct
{
  SlConvStrips   cut;
  size_t         outputs;
  const sl_real *w; /* (outputs, cut.channels R S) */
  const sl_real *b; /* (outputs) or NULL */
  bool           relu, add;
  size_t         stride_in, stride_out; /* from example to example */
  size_t         space;                 /* work space of a thread */
} SlConvPass;

static inline size_t
sl_conv_ratio_up (size_t a, size_t b)
{
  return (a + b - 1) / b;
}

/* The output is gathered from the input. */
SlConvStrips sl_conv_forward_strips (const SlConv *conv);

/* Whether the gradient of the input is gathered from that of the output, and how. */
bool         sl_conv_turns_round (const SlConv *conv);
SlConvStrips sl_conv_backward_strips (const SlConv *conv);

/* Numbers that a thread gathers at a time. */
size_t sl_conv_strip_size (const SlConvStrips *cut);
/* Rows of one strip. */
size_t sl_conv_strip_rows (const SlConvStrips *cut, size_t strip);

/* Threads for `items` pieces of work that make so many multiplications. */
int sl_conv_threads (size_t items, double products);

/* The columns of channels `first` to `first + count` - 1, gathered into `space` or as they lie;
 * *ld from row to row.  */
const sl_real *sl_conv_columns (const SlConvStrips *cut, size_t strip, size_t first, size_t count,
                                const sl_real *x, sl_real *space, size_t *ld);

/* Every strip of every example. */
void sl_conv_strips (SlConvPass *pass, size_t batch, double products, const sl_real *x, sl_real *y,
                     sl_real *work);
