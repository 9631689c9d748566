/* SPDX-License-Identifier: MIT
 *
 * The way back through a convolution; see conv.h.  */
#include "core/nn/conv/conv.h"

#include <assert.h>
#include <string.h>

#include "core/nn/conv/private.h"
#include "core/nn/conv/winograd.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

/* w (O, C, R, S) to (C, O, R, S) with every kernel turned round. */
static void
turn_weights (const SlConv *conv, const sl_real *w, sl_real *turned)
{
  size_t each = conv->tall * conv->wide;

#pragma omp parallel for schedule(static)                                                          \
  num_threads(sl_conv_threads(conv->inputs, (double) (sl_conv_weights(conv) * 8)))
  for (size_t c = 0; c < conv->inputs; c++)
    for (size_t o = 0; o < conv->outputs; o++)
      {
        const sl_real *from = w + (o * conv->inputs + c) * each;
        sl_real       *to = turned + (c * conv->outputs + o) * each;

        for (size_t i = 0; i < each; i++)
          to[i] = from[each - 1 - i];
      }
}

static void
gather_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy, sl_real *dx,
              bool add, sl_real *work)
{
  SlConvPass pass = {
    .cut = sl_conv_backward_strips (conv),
    .outputs = conv->inputs,
    .w = work,
    .add = add,
    .stride_in = sl_conv_outputs (conv),
    .stride_out = sl_conv_inputs (conv),
  };

  turn_weights (conv, w, work);
  sl_conv_strips (&pass, batch, (double) batch * sl_conv_products (conv), dy, dx,
                  work + sl_conv_weights (conv));
}

/* Adds what the outputs of one strip say about the input. */
static void
add_strip (const SlConv *conv, const SlConvStrips *cut, size_t strip, const sl_real *w,
           const sl_real *dy, sl_real *dx, sl_real *space)
{
  size_t each = conv->tall * conv->wide, n = sl_conv_strip_rows (cut, strip) * cut->columns.across;

  dy += strip * cut->rows * cut->columns.across;
  for (size_t c = 0; c < cut->channels; c += cut->together)
    {
      size_t count = sl_least (cut->together, cut->channels - c);

      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, count * each, n, conv->outputs, 1, w + c * each,
                  cut->channels * each, dy, cut->height * cut->columns.across, 0, space, n);
      sl_columns_add (&cut->columns, count, space, strip * cut->rows,
                      sl_conv_strip_rows (cut, strip), dx + c * conv->height * conv->width);
    }
}

/* Strips that follow one another reach into the same rows of the input, so they take turns: those
 * of one turn are so far apart that they do not.  */
static void
scatter_input (const SlConv *conv, size_t batch, const sl_real *w, const sl_real *dy, sl_real *dx,
               bool add, sl_real *work)
{
  SlConvStrips cut = sl_conv_forward_strips (conv);
  size_t       space = sl_conv_strip_size (&cut);
  size_t       reach = conv->tall > conv->stride ? conv->tall - conv->stride : 0;
  size_t       turns = 1 + sl_conv_ratio_up (reach, conv->stride * cut.rows);

  if (!add)
    memset (dx, 0, batch * sl_conv_inputs (conv) * sizeof *dx);
  for (size_t turn = 0; turn < turns && turn < cut.strips; turn++)
    {
      size_t each = sl_conv_ratio_up (cut.strips - turn, turns), items = batch * each;

#pragma omp parallel for schedule(dynamic, 1)                                                      \
  num_threads(sl_conv_threads(items, (double) batch *sl_conv_products(conv)))
      for (size_t i = 0; i < items; i++)
        add_strip (conv, &cut, turn + i % each * turns, w, dy + i / each * sl_conv_outputs (conv),
                   dx + i / each * sl_conv_inputs (conv),
                   work + (size_t) omp_get_thread_num () * space);
    }
}

/* dw = Σ of the items from `first` up to `end`. */
static void
some_weights (const SlConv *conv, const SlConvStrips *cut, size_t first, size_t end,
              const sl_real *x, const sl_real *dy, sl_real *dw, sl_real *space)
{
  size_t each = conv->tall * conv->wide, k = conv->inputs * each, ld;
  size_t plane = cut->height * cut->columns.across;

  for (size_t i = first; i < end; i++)
    {
      size_t         example = i / cut->strips, strip = i % cut->strips;
      size_t         n = sl_conv_strip_rows (cut, strip) * cut->columns.across;
      const sl_real *slope
        = dy + example * sl_conv_outputs (conv) + strip * cut->rows * cut->columns.across;

      for (size_t c = 0; c < cut->channels; c += cut->together)
        {
          size_t         count = sl_least (cut->together, cut->channels - c);
          const sl_real *columns = sl_conv_columns (
            cut, strip, c, count, x + example * sl_conv_inputs (conv), space, &ld);

          sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, conv->outputs, count * each, n, 1, slope, plane,
                      columns, ld, i > first ? 1 : 0, dw + c * each, k);
        }
    }
}

static void
to_weights (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *dy, sl_real *dw,
            sl_real *work)
{
  SlConvStrips cut = sl_conv_forward_strips (conv);
  size_t       items = batch * cut.strips, groups = sl_least (items, SL_CONV_GROUPS);
  size_t       space = sl_conv_strip_size (&cut), n = sl_conv_weights (conv);
  sl_real     *strips = work + (SL_CONV_GROUPS - 1) * n;

  if (items == 0)
    {
      memset (dw, 0, n * sizeof *dw);
      return;
    }
#pragma omp parallel for schedule(static, 1)                                                       \
  num_threads(sl_conv_threads(groups, (double) batch *sl_conv_products(conv)))
  for (size_t g = 0; g < groups; g++)
    some_weights (conv, &cut, g * items / groups, (g + 1) * items / groups, x, dy,
                  g == 0 ? dw : work + (g - 1) * n,
                  strips + (size_t) omp_get_thread_num () * space);
  for (size_t g = 1; g < groups; g++)
    for (size_t i = 0; i < n; i++)
      dw[i] += work[(g - 1) * n + i];
}

/* The sum of n numbers, in lanes of its own so that it vectorises. */
SL_CLONES static double
sum_of (size_t n, const sl_real *x)
{
  enum { LANES = 16 };
  sl_real sum[LANES] = { 0 };
  double  total = 0;
  size_t  i = 0;

  for (; i + LANES <= n; i += LANES)
    for (size_t l = 0; l < LANES; l++)
      sum[l] += x[i + l];
  for (size_t l = 0; l < LANES; l++)
    total += (double) sum[l];
  for (; i < n; i++)
    total += (double) x[i];
  return total;
}

static void
to_bias (const SlConv *conv, size_t batch, const sl_real *dy, sl_real *db)
{
  size_t plane = sl_conv_height (conv) * sl_conv_width (conv);

  for (size_t o = 0; o < conv->outputs; o++)
    {
      double sum = 0;

      for (size_t e = 0; e < batch; e++)
        sum += sum_of (plane, dy + (e * conv->outputs + o) * plane);
      db[o] = (sl_real) sum;
    }
}

void
sl_conv_backward (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                  const sl_real *dy, sl_real *dw, sl_real *db, sl_real *dx, bool add, sl_real *work)
{
  assert (sl_conv_valid (conv));
  if (dw != NULL)
    to_weights (conv, batch, x, dy, dw, work);
  if (db != NULL)
    to_bias (conv, batch, dy, db);
  if (dx == NULL)
    return;
  if (sl_conv_by_tiles (conv))
    sl_conv_tiles_to_input (conv, batch, w, dy, dx, add, work);
  else if (sl_conv_turns_round (conv))
    gather_input (conv, batch, w, dy, dx, add, work);
  else
    scatter_input (conv, batch, w, dy, dx, add, work);
}
