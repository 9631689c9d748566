/* SPDX-License-Identifier: MIT
 *
 * Convolution as it is defined, for tests; see conv.h.  */
#include "core/nn/conv/conv.h"

#include <string.h>

/* Calls `each` with the index of x, w and y of every product. */
typedef void Each (void *data, size_t x, size_t w, size_t y);

static void
visit_products (const SlConv *conv, size_t batch, Each *each, void *data)
{
  size_t tall = sl_conv_height (conv), wide = sl_conv_width (conv);

  for (size_t e = 0; e < batch; e++)
    for (size_t o = 0; o < conv->outputs; o++)
      for (size_t p = 0; p < tall; p++)
        for (size_t q = 0; q < wide; q++)
          for (size_t c = 0; c < conv->inputs; c++)
            for (size_t r = 0; r < conv->tall; r++)
              for (size_t s = 0; s < conv->wide; s++)
                {
                  size_t row = p * conv->stride + r, column = q * conv->stride + s;

                  if (row >= conv->pad && row < conv->height + conv->pad && column >= conv->pad
                      && column < conv->width + conv->pad)
                    each (data,
                          ((e * conv->inputs + c) * conv->height + row - conv->pad) * conv->width
                            + column - conv->pad,
                          ((o * conv->inputs + c) * conv->tall + r) * conv->wide + s,
                          ((e * conv->outputs + o) * tall + p) * wide + q);
                }
}

typedef struct
{
  const sl_real *x, *w, *dy;
  sl_real       *y, *dw, *dx;
} Arrays;

static void
forward_one (void *data, size_t x, size_t w, size_t y)
{
  const Arrays *arrays = data;

  arrays->y[y] += arrays->x[x] * arrays->w[w];
}

static void
backward_one (void *data, size_t x, size_t w, size_t y)
{
  const Arrays *arrays = data;

  if (arrays->dw != NULL)
    arrays->dw[w] += arrays->x[x] * arrays->dy[y];
  if (arrays->dx != NULL)
    arrays->dx[x] += arrays->w[w] * arrays->dy[y];
}

void
sl_conv_forward_ref (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                     const sl_real *b, bool relu, sl_real *y)
{
  size_t plane = sl_conv_height (conv) * sl_conv_width (conv), n = batch * sl_conv_outputs (conv);

  for (size_t i = 0; i < n; i++)
    y[i] = b != NULL ? b[i / plane % conv->outputs] : 0;
  visit_products (conv, batch, forward_one, &(Arrays) { .x = x, .w = w, .y = y });
  for (size_t i = 0; i < n && relu; i++)
    y[i] = y[i] < 0 ? 0 : y[i];
}

void
sl_conv_backward_ref (const SlConv *conv, size_t batch, const sl_real *x, const sl_real *w,
                      const sl_real *dy, sl_real *dw, sl_real *db, sl_real *dx, bool add)
{
  size_t plane = sl_conv_height (conv) * sl_conv_width (conv), n = batch * sl_conv_outputs (conv);

  if (dw != NULL)
    memset (dw, 0, sl_conv_weights (conv) * sizeof *dw);
  if (dx != NULL && !add)
    memset (dx, 0, batch * sl_conv_inputs (conv) * sizeof *dx);
  visit_products (conv, batch, backward_one,
                  &(Arrays) { .x = x, .w = w, .dy = dy, .dw = dw, .dx = dx });
  if (db == NULL)
    return;
  memset (db, 0, conv->outputs * sizeof *db);
  for (size_t i = 0; i < n; i++)
    db[i / plane % conv->outputs] += dy[i];
}
