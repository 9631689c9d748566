/* SPDX-License-Identifier: MIT */
#include "core/nn/conv/conv.h"

#include <assert.h>

#include "core/nn/conv/private.h"
#include "core/nn/conv/winograd.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

const sl_real *
sl_conv_columns (const SlConvStrips *cut, size_t strip, size_t first, size_t count,
                 const sl_real *x, sl_real *space, size_t *ld)
{
  const SlColumns *columns = &cut->columns;
  size_t           plane = columns->height * columns->width;

  x += first * plane;
  if (cut->plain)
    {
      *ld = plane;
      return x + strip * cut->rows * columns->across;
    }
  *ld = sl_conv_strip_rows (cut, strip) * columns->across;
  sl_columns_gather (columns, count, x, strip * cut->rows, sl_conv_strip_rows (cut, strip), space);
  return space;
}

SL_CLONES static void
finish_rows (size_t outputs, size_t n, const sl_real *b, bool relu, sl_real *y, size_t ld)
{
  for (size_t o = 0; o < outputs; o++)
    {
      sl_real bias = b != NULL ? b[o] : 0, *row = y + o * ld;

      if (relu)
        for (size_t i = 0; i < n; i++)
          row[i] = row[i] + bias < 0 ? 0 : row[i] + bias;
      else
        for (size_t i = 0; i < n; i++)
          row[i] += bias;
    }
}

static void
one_strip (const SlConvPass *pass, size_t item, const sl_real *x, sl_real *y, sl_real *work)
{
  const SlConvStrips *cut = &pass->cut;
  size_t              each = cut->columns.tall * cut->columns.wide, k = cut->channels * each;
  size_t              example = item / cut->strips, strip = item % cut->strips;
  size_t              n = sl_conv_strip_rows (cut, strip) * cut->columns.across, ld;
  size_t              plane = cut->height * cut->columns.across;
  sl_real            *space = work + (size_t) omp_get_thread_num () * pass->space;

  x += example * pass->stride_in;
  y += example * pass->stride_out + strip * cut->rows * cut->columns.across;
  for (size_t c = 0; c < cut->channels; c += cut->together)
    {
      size_t         count = sl_least (cut->together, cut->channels - c);
      const sl_real *columns = sl_conv_columns (cut, strip, c, count, x, space, &ld);

      sl_mat_mul (SL_PLAIN, SL_PLAIN, pass->outputs, n, count * each, 1, pass->w + c * each, k,
                  columns, ld, c > 0 || pass->add ? 1 : 0, y, plane);
    }
  if (pass->b != NULL || pass->relu)
    finish_rows (pass->outputs, n, pass->b, pass->relu, y, plane);
}

void
sl_conv_strips (SlConvPass *pass, size_t batch, double products, const sl_real *x, sl_real *y,
                sl_real *work)
{
  size_t items = batch * pass->cut.strips;

  pass->space = sl_conv_strip_size (&pass->cut);
#pragma omp parallel for schedule(dynamic, 1) num_threads(sl_conv_threads(items, products))
  for (size_t i = 0; i < items; i++)
    one_strip (pass, i, x, y, work);
}

void
sl_conv_forward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                 const sl_real *b, bool relu, sl_real *y, sl_real *work)
{
  SlConvPass pass = {
    .cut = sl_conv_forward_strips (conv),
    .outputs = conv->outputs,
    .w = w,
    .b = b,
    .relu = relu,
    .stride_in = sl_conv_inputs (conv),
    .stride_out = sl_conv_outputs (conv),
  };

  assert (sl_conv_valid (conv));
  if (sl_conv_by_tiles (conv))
    {
      sl_conv_tiles_forward (conv, batch, x, w, b, relu, y, work);
      return;
    }
  sl_conv_strips (&pass, batch, (double) batch * sl_conv_products (conv), x, y, work);
}
