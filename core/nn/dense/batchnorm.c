/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/batchnorm.h"

#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/kernels/clones.h"

enum { TILE = 64 }; /* columns done at a time, whose sums stay in registers and cache */

SL_CLONES void
sl_norm_forward (size_t batch, size_t columns, sl_real epsilon, sl_real *v, sl_real *mean,
                 sl_real *variance, sl_real *inverse)
{
  for (size_t first = 0; first < columns; first += TILE)
    {
      size_t  n = columns - first < TILE ? columns - first : TILE;
      sl_real sum[TILE] = { 0 }, square[TILE] = { 0 };

      for (size_t e = 0; e < batch; e++)
        for (size_t j = 0; j < n; j++)
          sum[j] += v[e * columns + first + j];
      for (size_t j = 0; j < n; j++)
        sum[j] /= (sl_real) batch;
      for (size_t e = 0; e < batch; e++)
        for (size_t j = 0; j < n; j++)
          {
            sl_real apart = v[e * columns + first + j] - sum[j];

            v[e * columns + first + j] = apart;
            square[j] += apart * apart;
          }
      for (size_t j = 0; j < n; j++)
        {
          mean[first + j] = sum[j];
          variance[first + j] = square[j] / (sl_real) batch;
          inverse[first + j] = 1 / sqrt (variance[first + j] + epsilon);
        }
      for (size_t e = 0; e < batch; e++)
        for (size_t j = 0; j < n; j++)
          v[e * columns + first + j] *= inverse[first + j];
    }
}

SL_CLONES void
sl_norm_given (size_t batch, size_t columns, sl_real epsilon, const sl_real *mean,
               const sl_real *variance, sl_real *v)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t j = 0; j < columns; j++)
      v[e * columns + j] = (v[e * columns + j] - mean[j]) / sqrt (variance[j] + epsilon);
}

SL_CLONES void
sl_norm_backward (size_t batch, size_t columns, const sl_real *v, const sl_real *inverse,
                  sl_real *dy)
{
  for (size_t first = 0; first < columns; first += TILE)
    {
      size_t  n = columns - first < TILE ? columns - first : TILE;
      sl_real sum[TILE] = { 0 }, product[TILE] = { 0 };

      for (size_t e = 0; e < batch; e++)
        for (size_t j = 0; j < n; j++)
          {
            size_t at = e * columns + first + j;

            sum[j] += dy[at];
            product[j] += dy[at] * v[at];
          }
      for (size_t e = 0; e < batch; e++)
        for (size_t j = 0; j < n; j++)
          {
            size_t at = e * columns + first + j;

            dy[at] = (dy[at] - sum[j] / (sl_real) batch - v[at] * product[j] / (sl_real) batch)
                     * inverse[first + j];
          }
    }
}

SL_CLONES void
sl_norm_scale (size_t batch, size_t columns, const sl_real *gamma, const sl_real *beta,
               const sl_real *v, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t j = 0; j < columns; j++)
      y[e * columns + j] = gamma[j] * v[e * columns + j] + beta[j];
}

SL_CLONES void
sl_norm_scale_backward (size_t batch, size_t columns, const sl_real *gamma, const sl_real *v,
                        sl_real *dy, sl_real *dgamma, sl_real *dbeta)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t j = 0; j < columns; j++)
      {
        sl_real d = dy[e * columns + j];

        dgamma[j] += d * v[e * columns + j];
        dbeta[j] += d;
        dy[e * columns + j] = d * gamma[j];
      }
}

SL_CLONES static void
add_offset (size_t n, sl_real s, const sl_real *v, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = v[i] + s <= 0 ? 0 : v[i] + s;
}

void
sl_clipped_tanh_forward (size_t n, sl_real s, const sl_real *v, sl_real *z)
{
  /* tanh 0 is 0, so clipping may come first. */
  add_offset (n, s, v, z);
  sl_tanh_forward (n, z, z);
}

double
sl_clipped_tanh_backward (size_t n, const sl_real *z, const sl_real *dz, sl_real *dy)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      dy[i] = z[i] > 0 ? dz[i] * (1 - z[i] * z[i]) : 0;
      sum += (double) dy[i];
    }
  return sum;
}

void
sl_norm_follow (size_t steps, size_t columns, const sl_real *means, const sl_real *variances,
                sl_real rate, sl_real *mean, sl_real *variance)
{
  for (size_t j = 0; j < columns; j++)
    {
      double centre = 0, within = 0, between = 0;

      for (size_t t = 0; t < steps; t++)
        {
          centre += (double) means[t * columns + j];
          within += (double) variances[t * columns + j];
        }
      centre /= (double) steps;
      for (size_t t = 0; t < steps; t++)
        {
          double apart = (double) means[t * columns + j] - centre;

          between += apart * apart;
        }
      mean[j] += rate * ((sl_real) centre - mean[j]);
      variance[j] += rate * ((sl_real) ((within + between) / (double) steps) - variance[j]);
    }
}

double
sl_norm_share_on (double s, bool rectified)
{
  /* Mean 1 / √(2π) and variance 1/2 - 1 / (2π) of a rectified standard normal. */
  const double centre = 0.3989422804014327, spread = 0.5838193701035489;
  double       cut = rectified ? centre - s * spread : -s;

  return rectified && cut < 0 ? 1.0 : 0.5 * erfc (cut / 1.4142135623730951);
}
