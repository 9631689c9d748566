/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/dense.h"

#include <string.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"

SL_CLONES void
sl_dense_bias_backward (size_t batch, size_t units, const sl_real *dpre, sl_real *db)
{
  memset (db, 0, units * sizeof *db);
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      db[i] += dpre[e * units + i];
}

void
sl_dense_forward (size_t batch, size_t inputs, size_t units, const sl_real *x, const sl_real *w,
                  const sl_real *b, sl_real *pre)
{
  for (size_t e = 0; e < batch; e++)
    memcpy (pre + e * units, b, units * sizeof *pre);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, units, inputs, 1, x, inputs, w, inputs, 1, pre,
              units);
}

void
sl_dense_backward (size_t batch, size_t inputs, size_t units, const sl_real *x, const sl_real *w,
                   const sl_real *dpre, sl_real *dw, sl_real *db, sl_real *dx)
{
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, units, inputs, batch, 1, dpre, units, x, inputs, 0, dw,
              inputs);
  sl_dense_bias_backward (batch, units, dpre, db);
  if (dx != NULL)
    sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, inputs, units, 1, dpre, units, w, inputs, 0, dx, inputs);
}
