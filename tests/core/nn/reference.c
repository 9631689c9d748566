/* SPDX-License-Identifier: MIT
 *
 * See reference.h.  */
#include "tests/core/nn/reference.h"

#include <string.h>

void
sl_gather_vec_ref (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
                   const uint32_t *rows, size_t n_rows, sl_real *y)
{
  for (size_t r = 0; r < n_rows; r++)
    {
      double sum = 0;

      for (size_t j = 0; j < inputs; j++)
        sum += (double) w[rows[r] * inputs + j] * (double) x[j];
      y[rows[r]] = (sl_real) (sum + (double) b[rows[r]]);
    }
}

void
sl_gather_masked_ref (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                      const sl_real *x, const uint8_t *mask, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      {
        double sum = (double) b[i];

        for (size_t j = 0; j < inputs; j++)
          sum += (double) w[i * inputs + j] * (double) x[e * inputs + j];
        y[e * units + i] = mask[e * units + i] != 0 ? (sl_real) sum : 0;
      }
}

void
sl_gather_gated_ref (size_t batch, size_t inputs, size_t units, size_t outputs, const sl_real *w,
                     const sl_real *b, const sl_real *x, const sl_real *gate, const sl_real *v,
                     const sl_real *c, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t k = 0; k < outputs; k++)
      {
        double total = (double) c[k];

        for (size_t i = 0; i < units; i++)
          {
            double sum = (double) b[i];

            for (size_t j = 0; j < inputs; j++)
              sum += (double) w[i * inputs + j] * (double) x[e * inputs + j];
            if (gate[e * units + i] != 0)
              total += (double) gate[e * units + i] * sum * (double) v[i * outputs + k];
          }
        y[e * outputs + k] = (sl_real) total;
      }
}

void
sl_mat_mul_ref (SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k, sl_real alpha,
                const sl_real *a, size_t lda, const sl_real *b, size_t ldb, sl_real beta,
                sl_real *c, size_t ldc)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      {
        double sum = 0;

        for (size_t l = 0; l < k; l++)
          sum += (double) (order_a == SL_PLAIN ? a[i * lda + l] : a[l * lda + i])
                 * (double) (order_b == SL_PLAIN ? b[l * ldb + j] : b[j * ldb + l]);
        sum *= (double) alpha;
        if (beta != 0)
          sum += (double) beta * (double) c[i * ldc + j];
        c[i * ldc + j] = (sl_real) sum;
      }
}

void
sl_row_gemm_rows_ref (size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
                      const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add,
                      sl_real *c, size_t ldc)
{
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < n; j++)
      {
        sl_real *at = c + (to != NULL ? to[r] : r) * ldc + j;
        double   sum = add ? (double) *at : 0;

        for (size_t i = 0; i < k; i++)
          sum += (double) a[(from != NULL ? from[r] : r) * lda + i]
                 * (double) strips[j / SL_STRIP * stride + i * SL_STRIP + j % SL_STRIP];
        *at = (sl_real) sum;
      }
}

void
sl_row_gemm_outer_ref (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
                       const sl_real *strip, sl_real *c, size_t ldc)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      {
        double sum = 0;

        for (size_t l = 0; l < terms; l++)
          sum += (double) a[l * m + i] * (double) strip[of[l] * (size_t) SL_STRIP + j];
        c[i * ldc + j] = (sl_real) sum;
      }
}

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
