/* SPDX-License-Identifier: MIT
 *
 * The naive twins of the conditional kernels; see gather.h.  */
#include "core/nn/kernels/gather.h"

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
