/* SPDX-License-Identifier: MIT
 *
 * The forward pass of gated recurrent units over a batch; see gru.h.  */
#include <assert.h>
#include <string.h>

#include "core/labs/gated-recurrence/math/private.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/row-gemm.h"
#include "core/nn/kernels/vector.h"

/* y (B, n) += bias (n) + the rows of the table (d, n) that the symbols choose, if there is one. */
SL_CLONES static void
add_rows (size_t batch, size_t n, const sl_real *bias, const sl_real *table, const uint8_t *symbol,
          sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    {
      const sl_real *row = table != NULL ? table + symbol[e] * n : NULL;

      for (size_t j = 0; j < n; j++)
        y[e * n + j] += bias[j];
      for (size_t j = 0; row != NULL && j < n; j++)
        y[e * n + j] += row[j];
    }
}

/* Normalises v (B, columns) in place and makes z of it. */
static void
normalise_batch (const SlGru *gru, const sl_real *w, SlGruTape *tape, size_t t,
                 const SlGruNorm *norm, sl_real *v)
{
  size_t   c = gru->columns, batch = tape->batch;
  sl_real *z = tape->z + t * batch * c;

  if (norm->given)
    sl_norm_given (batch, c, norm->epsilon, norm->mean, norm->variance, v);
  else
    sl_norm_forward (batch, c, norm->epsilon, v, tape->mean + t * c, tape->variance + t * c,
                     tape->inverse + t * c);
  if (gru->affine)
    sl_norm_scale (batch, c, w + gru->at_gamma, w + gru->at_beta, v, z);
  sl_clipped_tanh_forward (batch * c, norm->s, gru->affine ? z : v, z);
}

void
sl_gru_gates (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
              size_t t, const uint8_t *symbol, const SlGruNorm *norm)
{
  size_t   batch = tape->batch, g = gru->gates, h = gru->units;
  sl_real *gate = tape->gate + t * batch * g, *v = tape->norm + t * batch * gru->columns;

  assert (t < tape->steps);
  sl_row_gemm_all (batch, g, gru->wide, tape->in + t * batch * gru->stride, gru->stride,
                   packed->forward_l, false, gate);
  add_rows (batch, g, w + gru->bias_l, gru->one_hot ? w + gru->table_l : NULL, symbol, gate);
  if (sl_gru_is_dense (gru))
    {
      sl_sigmoid_forward (batch * g, gate, gate);
      return;
    }
  if (gru->rectify)
    sl_relu_forward (batch * g, gate, gate);
  if (gru->gating == SL_GRU_UNITS)
    sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, h, g, 1, gate, g, w + gru->at_v, h, 0, v, h);
  else
    memcpy (v, gate, batch * g * sizeof *v);
  normalise_batch (gru, w, tape, t, norm, v);
  if (gru->gating == SL_GRU_MIXED)
    {
      sl_real *inner = tape->inner + t * batch * h;

      sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, h, g, 1, gate, g, w + gru->at_v, h, 0, inner, h);
      add_rows (batch, h, w + gru->bias_v, NULL, symbol, inner);
      sl_sigmoid_forward (batch * h, inner, inner);
    }
}

/* True when a group is on for a row: not all of its gates are 0. */
static bool
group_on (const SlGru *gru, const SlGruTape *tape, size_t row, size_t group)
{
  size_t         n = sl_gru_group_units (gru, group);
  const sl_real *z = tape->z + row * gru->columns;

  if (sl_gru_is_dense (gru))
    return true;
  if (gru->gating != SL_GRU_UNITS)
    return z[group] != 0;
  for (size_t i = 0; i < n; i++)
    if (z[group * gru->group + i] != 0)
      return true;
  return false;
}

/* Lists the rows of step t for which a group is on; returns how many. */
static size_t
list_rows (const SlGru *gru, SlGruTape *tape, size_t t, size_t group)
{
  uint32_t *start = tape->start + group * (tape->steps + 1);
  uint32_t *row = tape->row + group * tape->batch * tape->steps;
  size_t    n = t == 0 ? 0 : start[t];

  start[0] = 0;
  for (size_t e = 0; e < tape->batch; e++)
    {
      row[n] = (uint32_t) (t * tape->batch + e);
      n += group_on (gru, tape, row[n], group);
    }
  start[t + 1] = (uint32_t) n;
  return n - start[t];
}

/* The same for the listed rows (from number `first_row` on) of a group of n units: y (rows, n);
 * the rows of the table are `apart` numbers apart.  */
SL_CLONES static void
add_bias (size_t rows, size_t n, const sl_real *bias, const sl_real *table, size_t apart,
          const uint8_t *symbol, const uint32_t *row, size_t first_row, sl_real *y)
{
  for (size_t l = 0; l < rows; l++)
    {
      const sl_real *chosen = table != NULL ? table + symbol[row[l] - first_row] * apart : NULL;

      if (chosen != NULL)
        for (size_t j = 0; j < n; j++)
          y[l * n + j] += bias[j] + chosen[j];
      else
        for (size_t j = 0; j < n; j++)
          y[l * n + j] += bias[j];
    }
}

SL_CLONES static void
add_product (size_t n, const sl_real *r, const sl_real *q, sl_real *a)
{
  for (size_t i = 0; i < n; i++)
    a[i] += r[i] * q[i];
}

/* to = (1 - z) from + z a. */
SL_CLONES static void
mix_state (size_t n, const sl_real *z, const sl_real *a, const sl_real *from, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (1 - z[i]) * from[i] + z[i] * a[i];
}

/* Where the rows of step t for which a group is on are listed. */
static const uint32_t *
rows_of_step (const SlGruTape *tape, size_t t, size_t group)
{
  return tape->row + group * tape->batch * tape->steps + tape->start[group * (tape->steps + 1) + t];
}

/* Lists a group's rows and computes their reset gates; of the standard layer also r ⊙ H, which all
 * groups have to have before any can go on.  */
static void
group_reset (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
             size_t t, const uint8_t *symbol, size_t group)
{
  size_t          n = sl_gru_group_units (gru, group), first = group * gru->group, h = gru->units;
  size_t          rows = list_rows (gru, tape, t, group);
  const uint32_t *row = rows_of_step (tape, t, group);
  const sl_real  *from = sl_gru_state (gru, tape, 0) + first;
  sl_real        *r = tape->r + sl_gru_pair_at (gru, tape, group, t);

  if (rows == 0)
    return;
  sl_row_gemm_rows (rows, row, NULL, n, gru->wide, tape->in, gru->stride,
                    packed->forward + group * sl_gru_group_strips (gru, sl_gru_group_rows (gru)),
                    gru->wide * SL_STRIP, false, r, n);
  add_bias (rows, n, w + gru->bias_r + first, gru->one_hot ? w + gru->table_r + first : NULL, h,
            symbol, row, t * tape->batch, r);
  sl_sigmoid_forward (rows * n, r, r);
  for (size_t l = 0; tape->reset != NULL && l < rows; l++)
    for (size_t i = 0; i < n; i++)
      tape->reset[row[l] * h + first + i] = r[l * n + i] * from[row[l] * gru->stride + i];
}

static void
group_states (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
              size_t t, const uint8_t *symbol, size_t group)
{
  size_t          n = sl_gru_group_units (gru, group), first = group * gru->group, h = gru->units;
  size_t          k = gru->wide, lda = gru->stride, batch = tape->batch;
  const uint32_t *start = tape->start + group * (tape->steps + 1);
  size_t          rows = start[t + 1] - start[t], at = sl_gru_pair_at (gru, tape, group, t);
  const uint32_t *row = rows_of_step (tape, t, group);
  sl_real        *r = tape->r + at, *q = tape->q + at, *a = tape->a + at;
  sl_real        *from = sl_gru_state (gru, tape, 0) + first, *to = from + batch * lda;
  const sl_real  *strips
    = packed->forward + group * sl_gru_group_strips (gru, sl_gru_group_rows (gru));

  if (rows == 0)
    return;
  sl_row_gemm_rows (rows, row, NULL, n, h, tape->reset != NULL ? tape->reset : tape->in + (k - h),
                    tape->reset != NULL ? h : lda, strips + sl_gru_group_strips (gru, k),
                    h * SL_STRIP, false, q, n);
  if (gru->one_hot)
    memset (a, 0, rows * n * sizeof *a);
  else
    sl_row_gemm_rows (rows, row, NULL, n, gru->inputs, tape->in, lda,
                      strips + sl_gru_group_strips (gru, k + h), gru->inputs * SL_STRIP, false, a,
                      n);
  add_bias (rows, n, w + gru->bias_a + first, gru->one_hot ? w + gru->table_a + first : NULL, h,
            symbol, row, t * batch, a);
  if (tape->reset != NULL)
    sl_vector_add (rows * n, q, a);
  else
    add_product (rows * n, r, q, a);
  sl_tanh_forward (rows * n, a, a);
  for (size_t l = 0; l < rows; l++)
    for (size_t i = 0; i < n; i += SL_GRU_CHUNK)
      {
        size_t  here = n - i < SL_GRU_CHUNK ? n - i : SL_GRU_CHUNK;
        sl_real z[SL_GRU_CHUNK];

        sl_gru_unit_gates (gru, tape, row[l], group, i, here, z);
        mix_state (here, z, a + l * n + i, from + row[l] * lda + i, to + row[l] * lda + i);
      }
}

void
sl_gru_states (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
               size_t t, const uint8_t *symbol)
{
  assert (t < tape->steps);

  const sl_real *from = sl_gru_state (gru, tape, t);
  sl_real       *to = sl_gru_state (gru, tape, t + 1);

  /* What no gate opens for is copied. */
  for (size_t e = 0; e < tape->batch; e++)
    memcpy (to + e * gru->stride, from + e * gru->stride, gru->units * sizeof *to);
#pragma omp parallel if (tape->batch * gru->units * gru->wide > SL_GRU_SHARED)
  {
    if (tape->reset != NULL)
      {
#pragma omp for schedule(dynamic)
        for (size_t group = 0; group < gru->groups; group++)
          group_reset (gru, w, packed, tape, t, symbol, group);
      }
#pragma omp for schedule(dynamic)
    for (size_t group = 0; group < gru->groups; group++)
      {
        if (tape->reset == NULL)
          group_reset (gru, w, packed, tape, t, symbol, group);
        group_states (gru, w, packed, tape, t, symbol, group);
      }
  }
}
