/* SPDX-License-Identifier: MIT
 *
 * Sizes of convolutions and of the strips they are done in; see private.h.  */
#include "core/nn/conv/private.h"

#include "core/nn/conv/winograd.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/mat.h"

enum {
  POSITIONS = 1024,     /* of a strip: enough that a product packs its weights for many */
  FEW = 128,            /* where a small picture is cut no further */
  PARTS = 4,            /* into which a small picture is cut for the threads */
  COLUMNS = 320 * 1024, /* numbers gathered at a time: they stay in a core's cache */
  WORKERS = 16,         /* threads that there is work space for */
};

/* Multiplications of a call from which more threads pay. */
static const double shared_pass = 1 << 20;

/* As many channels at a time as fit, in even shares. */
static void
cut_strips (SlConvStrips *cut)
{
  size_t across = cut->columns.across, each = cut->columns.tall * cut->columns.wide;
  size_t rows = POSITIONS / across, few = sl_conv_ratio_up (FEW, across), share, shares;

  share = sl_conv_ratio_up (cut->height, PARTS);
  if (rows > share)
    rows = share > few ? share : few;
  if (rows > sl_conv_ratio_up (cut->height, 2))
    rows = sl_conv_ratio_up (cut->height, 2);
  if (rows < 1)
    rows = 1;
  cut->strips = sl_conv_ratio_up (cut->height, rows);
  cut->rows = sl_conv_ratio_up (cut->height, cut->strips);
  shares = sl_conv_ratio_up (cut->channels * each * cut->rows * across, COLUMNS);
  cut->together = cut->plain ? cut->channels : sl_conv_ratio_up (cut->channels, shares);
}

static bool
is_plain (const SlConv *conv)
{
  return conv->tall == 1 && conv->wide == 1 && conv->stride == 1 && conv->pad == 0;
}

SlConvStrips
sl_conv_forward_strips (const SlConv *conv)
{
  SlConvStrips cut = {
    .columns = { .height = conv->height,
                 .width = conv->width,
                 .tall = conv->tall,
                 .wide = conv->wide,
                 .stride = conv->stride,
                 .above = conv->pad,
                 .left = conv->pad,
                 .across = sl_conv_width (conv) },
    .channels = conv->inputs,
    .height = sl_conv_height (conv),
    .plain = is_plain (conv),
  };

  cut_strips (&cut);
  return cut;
}

/* Whether the gradient of the input is gathered from that of the output, a convolution with the
 * kernel turned round.  It moves O R S numbers for a position, none for a kernel of one pixel; the
 * other way, adding columns up, moves C R S twice.  */
bool
sl_conv_turns_round (const SlConv *conv)
{
  return conv->stride == 1 && (is_plain (conv) || conv->outputs <= 2 * conv->inputs);
}

SlConvStrips
sl_conv_backward_strips (const SlConv *conv)
{
  SlConvStrips cut = {
    .columns = { .height = sl_conv_height (conv),
                 .width = sl_conv_width (conv),
                 .tall = conv->tall,
                 .wide = conv->wide,
                 .stride = 1,
                 .above = conv->tall - 1 - conv->pad,
                 .left = conv->wide - 1 - conv->pad,
                 .across = conv->width },
    .channels = conv->outputs,
    .height = conv->height,
    .plain = is_plain (conv),
  };

  cut_strips (&cut);
  return cut;
}

size_t
sl_conv_strip_size (const SlConvStrips *cut)
{
  return cut->plain ? 0
                    : cut->together * cut->columns.tall * cut->columns.wide * cut->rows
                        * cut->columns.across;
}

size_t
sl_conv_strip_rows (const SlConvStrips *cut, size_t strip)
{
  return sl_least (cut->rows, cut->height - strip * cut->rows);
}

bool
sl_conv_valid (const SlConv *conv)
{
  return conv->inputs > 0 && conv->outputs > 0 && conv->height > 0 && conv->width > 0
         && conv->tall > 0 && conv->wide > 0 && conv->stride > 0 && conv->pad < conv->tall
         && conv->pad < conv->wide && conv->height + 2 * conv->pad >= conv->tall
         && conv->width + 2 * conv->pad >= conv->wide;
}

double
sl_conv_products (const SlConv *conv)
{
  return (double) sl_conv_height (conv) * (double) sl_conv_width (conv)
         * (double) sl_conv_weights (conv);
}

static size_t
n_workers (void)
{
  return sl_least (sl_blas_cores (), WORKERS);
}

int
sl_conv_threads (size_t items, double products)
{
  if (products < shared_pass)
    return 1;
  return (int) sl_least (sl_least ((size_t) omp_get_max_threads (), n_workers ()),
                         items > 0 ? items : 1);
}

double
sl_conv_executed (const SlConv *conv)
{
  return sl_conv_by_tiles (conv) ? sl_conv_tiles_products (conv) : sl_conv_products (conv);
}

size_t
sl_conv_work (const SlConv *conv, unsigned passes)
{
  SlConvStrips forward = sl_conv_forward_strips (conv), backward = sl_conv_backward_strips (conv);
  size_t       threads = n_workers (), weights = sl_conv_weights (conv), most = 0;
  size_t       strips = sl_conv_strip_size (&forward) * threads;
  bool         tiles = sl_conv_by_tiles (conv);

  if (passes & SL_CONV_TO_WEIGHTS)
    most = strips + (SL_CONV_GROUPS - 1) * weights;
  if (passes & (SL_CONV_FORWARD | SL_CONV_TO_INPUT) && tiles)
    return sl_most (most, sl_conv_tiles_work (conv, threads));
  if (passes & SL_CONV_FORWARD)
    most = sl_most (most, strips);
  if (passes & SL_CONV_TO_INPUT)
    most = sl_most (most, sl_conv_turns_round (conv)
                            ? sl_conv_strip_size (&backward) * threads + weights
                            : strips);
  return most;
}
