/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/skip.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/dense.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather.h"

/* Share of slopes from which a product of everything is the faster one. */
static const double dense_from = 0.5;

void
sl_skip_carve (SlSkip *skip, size_t batch, size_t units, size_t pairs, SlArena *scratch)
{
  skip->on = sl_arena_carve (scratch, pairs, 1);
  skip->count = sl_arena_carve (scratch, units, sizeof *skip->count);
  if (batch > SL_SPARSE_TALL)
    batch = SL_SPARSE_TALL;
  sl_sparse_carve (&skip->slopes, batch > units ? batch : units, pairs, scratch);
}

SL_CLONES void
sl_skip_columns (SlSkip *skip, size_t batch, size_t units, double least, sl_real *est)
{
  uint32_t *count = skip->count, enough = (uint32_t) ceil (least * (double) batch);

  memset (count, 0, units * sizeof *count);
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      count[i] += est[e * units + i] > 0;
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      est[e * units + i] = count[i] >= enough ? est[e * units + i] : 0;
}

SL_CLONES void
sl_skip_dropped (size_t n, const uint8_t *mask, sl_real *est)
{
  for (size_t i = 0; i < n; i++)
    est[i] = mask[i] != 0 ? est[i] : 0;
}

SL_CLONES static size_t
mark_on (size_t n, const sl_real *est, uint8_t *on)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    {
      on[i] = est[i] > 0;
      count += on[i];
    }
  return count;
}

size_t
sl_skip_forward (SlSkip *skip, size_t batch, size_t inputs, size_t units, const sl_real *x,
                 const sl_real *w, const sl_real *b, const sl_real *est, sl_real *pre)
{
  size_t count = mark_on (batch * units, est, skip->on);

  sl_gather_masked (batch, inputs, units, w, b, x, skip->on, pre);
  return count;
}

size_t
sl_skip_backward (SlSkip *skip, size_t batch, size_t inputs, size_t units, const sl_real *x,
                  const sl_real *w, const sl_real *dpre, sl_real *dw, sl_real *db, sl_real *dx)
{
  size_t n = batch * units, count = sl_sparse_count (n, dpre);

  if (batch > SL_SPARSE_TALL || (double) count > dense_from * (double) n)
    {
      sl_dense_backward (batch, inputs, units, x, w, dpre, dw, db, dx);
      return n;
    }
  sl_sparse_list_transposed (&skip->slopes, units, batch, dpre);
  sl_sparse_mul (&skip->slopes, inputs, x, dw);
  sl_dense_bias_backward (batch, units, dpre, db);
  if (dx == NULL)
    return count;
  sl_sparse_list (&skip->slopes, batch, units, dpre);
  sl_sparse_mul (&skip->slopes, inputs, w, dx);
  return count;
}
