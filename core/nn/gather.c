/* SPDX-License-Identifier: MIT
 *
 * Conditional kernels; see gather.h.  */
#include "core/nn/gather.h"

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
sl_gather_vec (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
               const uint32_t *rows, size_t n_rows, sl_real *y)
{
  sl_gather_vec_ref (inputs, w, b, x, rows, n_rows, y);
}

void
sl_gather_relu_ref (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                    const sl_real *x, const uint8_t *mask, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      {
        double sum = (double) b[i];

        for (size_t j = 0; j < inputs; j++)
          sum += (double) w[i * inputs + j] * (double) x[e * inputs + j];
        y[e * units + i] = mask[e * units + i] != 0 && sum > 0 ? (sl_real) sum : 0;
      }
}

void
sl_gather_relu (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                const sl_real *x, const uint8_t *mask, sl_real *y)
{
  sl_gather_relu_ref (batch, inputs, units, w, b, x, mask, y);
}

size_t
sl_gather_rows (size_t n, const sl_real *est, uint32_t *rows)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    {
      rows[count] = (uint32_t) i;
      count += est[i] > 0;
    }
  return count;
}
