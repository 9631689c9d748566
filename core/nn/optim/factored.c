/* SPDX-License-Identifier: MIT */
#include "core/nn/optim/factored.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/clones.h"

enum { LANES = 64 / sizeof (sl_real) }; /* sums kept apart, so that they vectorise in this order */

/* Adds g² of one row to `sum` (columns) and returns its mean. */
SL_CLONES static sl_real
square_row (size_t columns, const sl_real *restrict g, sl_real *restrict sum)
{
  sl_real lane[LANES] = { 0 }, total = 0;
  size_t  j = 0;

  for (; j + LANES <= columns; j += LANES)
    for (size_t k = 0; k < LANES; k++)
      {
        sl_real square = g[j + k] * g[j + k];

        lane[k] += square;
        sum[j + k] += square;
      }
  for (; j < columns; j++)
    {
      total += g[j] * g[j];
      sum[j] += g[j] * g[j];
    }
  for (size_t k = 0; k < LANES; k++)
    total += lane[k];
  return total / (sl_real) columns;
}

/* w = w shrink - rate g / (scale root + epsilon). */
SL_CLONES static void
update_row (size_t columns, sl_real rate, sl_real shrink, sl_real epsilon, sl_real scale,
            const sl_real *restrict g, const sl_real *restrict root, sl_real *restrict w)
{
  for (size_t j = 0; j < columns; j++)
    w[j] = w[j] * shrink - rate * g[j] / (scale * root[j] + epsilon);
}

void
sl_factored_step (const SlOptimSetting *setting, uint64_t t, size_t rows, size_t columns,
                  const sl_real *g, sl_real *w, sl_real *r, sl_real *c, sl_real *work)
{
  sl_real beta = setting->beta2, shrink = 1 - setting->rate * setting->decay;
  double  correction = 1.0 - pow ((double) beta, (double) t), mean = 0.0;

  memset (work, 0, columns * sizeof *work);
  for (size_t i = 0; i < rows; i++)
    {
      r[i] = beta * r[i] + (1 - beta) * square_row (columns, g + i * columns, work);
      mean += (double) r[i];
    }
  mean /= (double) rows;
  /* The product of the roots of V's factors approximates the root of V. */
  for (size_t j = 0; j < columns; j++)
    {
      c[j] = beta * c[j] + (1 - beta) * work[j] / (sl_real) rows;
      work[j] = sqrt (c[j]);
    }
  for (size_t i = 0; i < rows; i++)
    {
      double share = mean > 0 ? (double) r[i] / mean : 0.0;

      update_row (columns, setting->rate, shrink, setting->epsilon,
                  (sl_real) sqrt (share / correction), g + i * columns, work, w + i * columns);
    }
}
