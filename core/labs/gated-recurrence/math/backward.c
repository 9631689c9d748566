/* SPDX-License-Identifier: MIT
 *
 * The backward pass of gated recurrent units through a stretch of steps; see gru.h.  What the
 * forward pass skipped is skipped here too: a copied state only hands its gradient on.  */
#include <assert.h>
#include <string.h>

#include "core/labs/gated-recurrence/math/private.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/row-gemm.h"

/* What one pair's n units hand back: with dstate the gradient of H', ĥ in `a`, q and r are
 * replaced by the gradients before tanh, of q and before σ; dz gets that of the gates and dstate
 * that of H along the direct way.  */
SL_CLONES static void
unit_backward (size_t n, const sl_real *z, const sl_real *from, sl_real *dstate, sl_real *r,
               sl_real *q, sl_real *a, sl_real *dz)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real da = dstate[i] * z[i] * (1 - a[i] * a[i]), dq = da * r[i];

      dz[i] = dstate[i] * (a[i] - from[i]);
      r[i] = da * q[i] * r[i] * (1 - r[i]);
      q[i] = dq;
      a[i] = da;
      dstate[i] *= 1 - z[i];
    }
}

/* The same for the standard layer, whose reset gate is inside the product: r is kept until the
 * gradient of r ⊙ H is there.  */
SL_CLONES static void
unit_backward_standard (size_t n, const sl_real *z, const sl_real *from, sl_real *dstate,
                        sl_real *q, sl_real *a, sl_real *dz)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real da = dstate[i] * z[i] * (1 - a[i] * a[i]);

      dz[i] = dstate[i] * (a[i] - from[i]);
      q[i] = a[i] = da;
      dstate[i] *= 1 - z[i];
    }
}

/* Sums dz over the units that share a gate; inside it the mixed layer has gates of its own, whose
 * slope before σ is left in `inner`.  */
static sl_real
shared_gate (size_t n, sl_real z, sl_real *inner, const sl_real *dz)
{
  sl_real sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      sum += dz[i] * (inner != NULL ? inner[i] : 1);
      if (inner != NULL)
        inner[i] = dz[i] * z * inner[i] * (1 - inner[i]);
    }
  return sum;
}

static void
group_backward (const SlGru *gru, SlGruTape *tape, size_t t, size_t group)
{
  size_t          n = sl_gru_group_units (gru, group), first = group * gru->group, h = gru->units;
  size_t          lda = gru->stride, batch = tape->batch, at = sl_gru_pair_at (gru, tape, group, t);
  bool            shared = gru->gating == SL_GRU_BLOCKS || gru->gating == SL_GRU_MIXED;
  const uint32_t *start = tape->start + group * (tape->steps + 1);
  const uint32_t *row = tape->row + group * batch * tape->steps;
  const sl_real  *from = sl_gru_state (gru, tape, 0) + first;
  size_t          l = start[t];

  for (size_t e = 0; e < batch; e++)
    {
      size_t   here = t * batch + e;
      sl_real *dz = shared ? tape->dz + e * gru->gates + group : tape->dz + e * h + first;
      sl_real *inner = tape->inner != NULL ? tape->inner + here * h + first : NULL;

      if (l == start[t + 1] || row[l] != here)
        {
          memset (dz, 0, (shared ? 1 : n) * sizeof *dz);
          if (inner != NULL)
            memset (inner, 0, n * sizeof *inner);
          continue;
        }
      if (shared)
        *dz = 0;
      for (size_t i = 0; i < n; i += SL_GRU_CHUNK)
        {
          size_t  some = n - i < SL_GRU_CHUNK ? n - i : SL_GRU_CHUNK, of = at + i;
          sl_real z[SL_GRU_CHUNK], slope[SL_GRU_CHUNK];

          sl_gru_unit_gates (gru, tape, here, group, i, some, z);
          if (tape->reset != NULL)
            unit_backward_standard (some, z, from + here * lda + i,
                                    tape->dstate + e * h + first + i, tape->q + of, tape->a + of,
                                    slope);
          else
            unit_backward (some, z, from + here * lda + i, tape->dstate + e * h + first + i,
                           tape->r + of, tape->q + of, tape->a + of, slope);
          if (shared)
            *dz += shared_gate (some, tape->z[here * gru->columns + group],
                                inner != NULL ? inner + i : NULL, slope);
          else
            memcpy (dz + i, slope, some * sizeof *dz);
        }
      at += n;
      l++;
    }
}

/* From dz, the gradient of ℓ; those of γ and β are added to. */
static void
gates_backward (const SlGru *gru, const sl_real *w, SlGruTape *tape, size_t t, sl_real *dw)
{
  size_t   batch = tape->batch, g = gru->gates, c = gru->columns, h = gru->units;
  sl_real *gate = tape->gate + t * batch * g, *dgate = tape->dgate + t * batch * g;
  sl_real *dv = tape->dz, *norm = tape->norm + t * batch * c;

  if (sl_gru_is_dense (gru))
    {
      for (size_t i = 0; i < batch * g; i++)
        dgate[i] = tape->dz[i] * gate[i] * (1 - gate[i]);
      return;
    }
  tape->ds += sl_clipped_tanh_backward (batch * c, tape->z + t * batch * c, dv, dv);
  if (gru->affine)
    sl_norm_scale_backward (batch, c, w + gru->at_gamma, norm, dv, dw + gru->at_gamma,
                            dw + gru->at_beta);
  sl_norm_backward (batch, c, norm, tape->inverse + t * c, dv);
  memcpy (norm, dv, batch * c * sizeof *norm);
  if (gru->gating == SL_GRU_UNITS)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, g, h, 1, dv, h, w + gru->at_v, h, 0, dgate, g);
  else
    memcpy (dgate, dv, batch * g * sizeof *dgate);
  if (gru->gating == SL_GRU_MIXED)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, g, h, 1, tape->inner + t * batch * h, h,
                w + gru->at_v, h, 1, dgate, g);
  if (gru->rectify)
    for (size_t i = 0; i < batch * g; i++)
      dgate[i] = gate[i] > 0 ? dgate[i] : 0;
}

/* Adds to the columns of `strip` of C (T B, ldc) what the pairs of step t give through a matrix
 * with one row per unit.  */
static void
add_pairs (const SlGru *gru, const SlGruTape *tape, size_t t, const sl_real *pairs,
           const sl_real *strip, size_t n, sl_real *c, size_t ldc)
{
  size_t batch = tape->batch;

  for (size_t group = 0; group < gru->groups; group++)
    {
      const uint32_t *start = tape->start + group * (tape->steps + 1);
      const uint32_t *row = tape->row + group * batch * tape->steps + start[t];
      size_t          units = sl_gru_group_units (gru, group);

      sl_row_gemm_rows (start[t + 1] - start[t], NULL, row, n, units,
                        pairs + sl_gru_pair_at (gru, tape, group, t), units,
                        strip + group * gru->group * SL_STRIP, 0, true, c, ldc);
    }
}

/* Of the standard layer at step t: the gradient of r ⊙ H, and from it that of r before σ, in r, and
 * what H gets through the product, in dstate.  */
static void
reset_backward (const SlGru *gru, const SlGruPacked *packed, SlGruTape *tape, size_t t)
{
  size_t         batch = tape->batch, h = gru->units;
  sl_real       *dreset = tape->dreset + t * batch * h;
  const sl_real *from = sl_gru_state (gru, tape, t);

  memset (dreset, 0, batch * h * sizeof *dreset);
#pragma omp parallel for schedule(static) if (batch * h * h > SL_GRU_SHARED)
  for (size_t j = 0; j < h; j += SL_STRIP)
    add_pairs (gru, tape, t, tape->q, packed->backward_q + j * h, sl_least (h - j, SL_STRIP),
               tape->dreset + j, h);
  for (size_t group = 0; group < gru->groups; group++)
    {
      size_t   n = sl_gru_group_units (gru, group), first = group * gru->group;
      sl_real *r = tape->r + sl_gru_pair_at (gru, tape, group, t);

      for (size_t e = 0; e < batch; e++)
        for (size_t i = 0; i < n; i++)
          {
            sl_real here = r[e * n + i], d = dreset[e * h + first + i];

            tape->dstate[e * h + first + i] += d * here;
            r[e * n + i] = d * from[e * gru->stride + first + i] * here * (1 - here);
          }
    }
}

/* The gradient of [x H] at step t. */
static void
inputs_backward (const SlGru *gru, const SlGruPacked *packed, SlGruTape *tape, size_t t)
{
  size_t   batch = tape->batch, k = gru->wide, h = gru->units, d = k - h, g = gru->gates;
  size_t   ldc = gru->stride;
  sl_real *din = tape->din;

#pragma omp parallel if (batch * h * k > SL_GRU_SHARED)
  {
#pragma omp for schedule(static)
    for (size_t j = 0; j < k; j += SL_STRIP)
      {
        size_t n = sl_least (k - j, SL_STRIP);

        sl_row_gemm_rows (batch, NULL, NULL, n, g, tape->dgate + t * batch * g, g,
                          packed->backward_l + j * g, 0, false, din + t * batch * ldc + j, ldc);
        add_pairs (gru, tape, t, tape->r, packed->backward_r + j * h, n, din + j, ldc);
      }
    if (tape->reset == NULL)
      {
#pragma omp for schedule(static)
        for (size_t j = 0; j < h; j += SL_STRIP)
          add_pairs (gru, tape, t, tape->q, packed->backward_q + j * h, sl_least (h - j, SL_STRIP),
                     din + d + j, ldc);
      }
#pragma omp for schedule(static)
    for (size_t j = 0; j < d; j += SL_STRIP)
      add_pairs (gru, tape, t, tape->a, packed->backward_a + j * h, sl_least (d - j, SL_STRIP),
                 din + j, ldc);
  }
}

/* dw (h, ldw), one strip of its columns: what the pairs and the rows of `strip` give. */
static void
weights_strip (const SlGru *gru, const SlGruTape *tape, const sl_real *pairs, const sl_real *strip,
               size_t steps, size_t n, sl_real *dw, size_t ldw)
{
  for (size_t group = 0; group < gru->groups; group++)
    sl_row_gemm_outer (
      tape->start[group * (tape->steps + 1) + steps], tape->row + group * tape->batch * tape->steps,
      sl_gru_group_units (gru, group), n, pairs + group * gru->group * tape->batch * tape->steps,
      strip, dw + group * gru->group * ldw, ldw);
}

/* Gradients of R, A and Q. */
static void
weights_backward (const SlGru *gru, SlGruTape *tape, size_t steps, sl_real *dw)
{
  size_t   rows = tape->batch * steps, k = gru->wide, h = gru->units, d = k - h;
  sl_real *dr = dw + gru->at_r;

  sl_row_gemm_pack (SL_PLAIN, rows, h, tape->in + d, gru->stride, tape->strips_h);
  if (tape->reset != NULL)
    sl_row_gemm_pack (SL_PLAIN, rows, h, tape->reset, h, tape->strips_reset);
  if (d > 0)
    sl_row_gemm_pack (SL_PLAIN, rows, d, tape->in, gru->stride, tape->strips_x);
#pragma omp parallel if (rows * h * k > SL_GRU_SHARED)
  {
#pragma omp for schedule(dynamic) nowait
    for (size_t j = 0; j < h; j += SL_STRIP)
      {
        const sl_real *strip = tape->strips_h + j * rows;
        const sl_real *gated = tape->reset != NULL ? tape->strips_reset + j * rows : strip;
        size_t         n = sl_least (h - j, SL_STRIP);

        weights_strip (gru, tape, tape->r, strip, steps, n, dr + d + j, k);
        weights_strip (gru, tape, tape->q, gated, steps, n, dw + gru->at_q + j, h);
      }
#pragma omp for schedule(dynamic)
    for (size_t j = 0; j < d; j += SL_STRIP)
      {
        const sl_real *strip = tape->strips_x + j * rows;
        size_t         n = sl_least (d - j, SL_STRIP);

        weights_strip (gru, tape, tape->r, strip, steps, n, dr + j, k);
        weights_strip (gru, tape, tape->a, strip, steps, n, dw + gru->at_a + j, d);
      }
  }
}

/* Sums rows (n wide, lda apart) into `bias` and into the rows of `table` (ldt apart) that their
 * symbols choose; `of` NULL: 0, 1, 2, …  */
SL_CLONES static void
sum_rows (size_t rows, size_t n, const sl_real *a, const uint32_t *of, const uint8_t *symbol,
          sl_real *bias, sl_real *table, size_t ldt)
{
  for (size_t l = 0; l < rows; l++)
    {
      sl_real *to = table != NULL ? table + symbol[of != NULL ? of[l] : l] * ldt : NULL;

      for (size_t j = 0; j < n; j++)
        bias[j] += a[l * n + j];
      for (size_t j = 0; to != NULL && j < n; j++)
        to[j] += a[l * n + j];
    }
}

/* Gradients of the biases and tables of the units. */
static void
biases_backward (const SlGru *gru, SlGruTape *tape, size_t steps, const uint8_t *symbol,
                 sl_real *dw)
{
  size_t d = gru->inputs, h = gru->units;

  memset (dw + gru->bias_r, 0, h * sizeof *dw);
  memset (dw + gru->bias_a, 0, h * sizeof *dw);
  if (gru->one_hot)
    {
      memset (dw + gru->table_r, 0, d * h * sizeof *dw);
      memset (dw + gru->table_a, 0, d * h * sizeof *dw);
    }
#pragma omp parallel for schedule(dynamic) if (tape->batch * steps * h > SL_GRU_SHARED / 8)
  for (size_t group = 0; group < gru->groups; group++)
    {
      size_t          first = group * gru->group, n = sl_gru_group_units (gru, group);
      size_t          at = first * tape->batch * tape->steps;
      size_t          terms = tape->start[group * (tape->steps + 1) + steps];
      const uint32_t *of = tape->row + group * tape->batch * tape->steps;

      sum_rows (terms, n, tape->r + at, of, symbol, dw + gru->bias_r + first,
                gru->one_hot ? dw + gru->table_r + first : NULL, h);
      sum_rows (terms, n, tape->a + at, of, symbol, dw + gru->bias_a + first,
                gru->one_hot ? dw + gru->table_a + first : NULL, h);
    }
}

/* Gradients of what makes the gates. */
static void
gate_weights_backward (const SlGru *gru, SlGruTape *tape, size_t steps, const uint8_t *symbol,
                       sl_real *dw)
{
  size_t         rows = tape->batch * steps, k = gru->wide, g = gru->gates, h = gru->units;
  const sl_real *dv = gru->gating == SL_GRU_MIXED ? tape->inner : tape->norm;

  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, g, k, rows, 1, tape->dgate, g, tape->in, gru->stride, 0,
              dw + gru->at_l, k);
  if (gru->gating == SL_GRU_UNITS || gru->gating == SL_GRU_MIXED)
    sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, g, h, rows, 1, tape->gate, g, dv, h, 0, dw + gru->at_v, h);
  memset (dw + gru->bias_l, 0, g * sizeof *dw);
  if (gru->one_hot)
    memset (dw + gru->table_l, 0, gru->inputs * g * sizeof *dw);
  sum_rows (rows, g, tape->dgate, NULL, symbol, dw + gru->bias_l,
            gru->one_hot ? dw + gru->table_l : NULL, g);
  if (gru->gating == SL_GRU_MIXED)
    {
      memset (dw + gru->bias_v, 0, h * sizeof *dw);
      sum_rows (rows, h, tape->inner, NULL, symbol, dw + gru->bias_v, NULL, 0);
    }
}

void
sl_gru_backward (const SlGru *gru, const sl_real *w, const SlGruPacked *packed, SlGruTape *tape,
                 size_t steps, const uint8_t *symbol, const sl_real *dout, size_t ldd, sl_real *dw)
{
  size_t batch = tape->batch, h = gru->units, k = gru->wide, d = k - h;

  assert (steps <= tape->steps);
  tape->ds = 0;
  memset (tape->dstate, 0, batch * h * sizeof *tape->dstate);
  if (gru->affine)
    {
      memset (dw + gru->at_gamma, 0, gru->columns * sizeof *dw);
      memset (dw + gru->at_beta, 0, gru->columns * sizeof *dw);
    }
  for (size_t t = steps; t-- > 0;)
    {
      for (size_t e = 0; e < batch; e++)
        for (size_t i = 0; i < h; i++)
          tape->dstate[e * h + i] += dout[(t * batch + e) * ldd + i];
#pragma omp parallel for schedule(static) if (batch * h * k > SL_GRU_SHARED)
      for (size_t group = 0; group < gru->groups; group++)
        group_backward (gru, tape, t, group);
      if (tape->reset != NULL)
        reset_backward (gru, packed, tape, t);
      gates_backward (gru, w, tape, t, dw);
      inputs_backward (gru, packed, tape, t);
      for (size_t e = 0; e < batch; e++)
        for (size_t i = 0; i < h; i++)
          tape->dstate[e * h + i] += tape->din[(t * batch + e) * gru->stride + d + i];
    }
  weights_backward (gru, tape, steps, dw);
  biases_backward (gru, tape, steps, symbol, dw);
  gate_weights_backward (gru, tape, steps, symbol, dw);
}
