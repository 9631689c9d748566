/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/soft.h"

#include <assert.h>
#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/special.h"
#include "core/nn/moe/select.h"

static size_t
columns_of (const SlSoft *soft)
{
  return soft->experts * soft->slots;
}

size_t
sl_soft_numbers (const SlSoftShape *shape)
{
  return shape->inputs * shape->experts * shape->slots;
}

void
sl_soft_carve (SlSoft *soft, const SlSoftShape *shape, SlArena *scratch)
{
  size_t n = shape->experts * shape->slots, cells = shape->most * n;

  *soft = (SlSoft) {
    .inputs = shape->inputs,
    .outputs = shape->outputs,
    .experts = shape->experts,
    .slots = shape->slots,
    .most = shape->most,
    .combine = sl_arena_reals (scratch, cells),
    .share = sl_arena_reals (scratch, shape->most * shape->experts),
    .mix = sl_arena_reals (scratch, cells),
    .inner = sl_arena_reals (scratch, n * shape->inputs),
    .outer = sl_arena_reals (scratch, n * shape->outputs),
    .d_inner = sl_arena_reals (scratch, n * shape->inputs),
    .d_outer = sl_arena_reals (scratch, n * shape->outputs),
    .slope = sl_arena_reals (scratch, cells),
    .d_mix = sl_arena_reals (scratch, cells),
    .column = sl_arena_reals (scratch, n),
    .count = sl_arena_carve (scratch, shape->experts, sizeof *soft->count),
    .bad = sl_arena_carve (scratch, sl_blocks_of (shape->most), sizeof *soft->bad),
  };
  sl_dispatch_carve (&soft->work, shape->experts, n, n, scratch);
}

void
sl_soft_bind (SlSoft *soft, sl_real *weights, sl_real *gradient)
{
  soft->weights = weights;
  soft->gradient = gradient;
}

void
sl_soft_init (SlSoft *soft, SlRng *rng)
{
  size_t n = columns_of (soft);

  sl_init_glorot (rng, soft->inputs, n, soft->inputs * n, soft->weights);
}

/* Slot j to the expert it belongs to. */
static void
send_slots (SlSoft *soft)
{
  for (size_t i = 0; i < soft->experts; i++)
    soft->count[i] = (uint32_t) soft->slots;
  sl_dispatch_begin (&soft->work, columns_of (soft), soft->count);
  for (size_t j = 0; j < columns_of (soft); j++)
    sl_dispatch_add (&soft->work, (uint32_t) j, (uint32_t) (j / soft->slots), 1);
  sl_dispatch_end (&soft->work);
}

/* Δ of Z for the columns of a block. */
static void
mix_columns (SlSoft *soft, size_t block)
{
  size_t         n = columns_of (soft), rows = soft->rows;
  size_t         from = block * SL_BLOCK_ROWS, to = sl_least (from + SL_BLOCK_ROWS, n);
  const sl_real *z = soft->slope;
  sl_real       *mix = soft->mix, *column = soft->column;

  memcpy (column + from, z + from, (to - from) * sizeof *column);
  for (size_t r = 1; r < rows; r++)
    for (size_t j = from; j < to; j++)
      column[j] = z[r * n + j] > column[j] ? z[r * n + j] : column[j];
  for (size_t r = 0; r < rows; r++)
    for (size_t j = from; j < to; j++)
      mix[r * n + j] = sl_exp_fall (column[j] - z[r * n + j]);
  memset (column + from, 0, (to - from) * sizeof *column);
  for (size_t r = 0; r < rows; r++)
    for (size_t j = from; j < to; j++)
      column[j] += mix[r * n + j];
  for (size_t r = 0; r < rows; r++)
    for (size_t j = from; j < to; j++)
      mix[r * n + j] /= column[j];
}

static void
mix_rows (SlSoft *soft)
{
  size_t blocks = sl_blocks_of (columns_of (soft));

#pragma omp parallel for schedule(static) if (blocks > 1)
  for (size_t b = 0; b < blocks; b++)
    mix_columns (soft, b);
}

/* K of Z, and the shares. */
static void
combine_row (SlSoft *soft, size_t r)
{
  size_t   n = columns_of (soft);
  sl_real *k = soft->combine + r * n;

  sl_select_softmax (n, soft->slope + r * n, NULL, k);
  for (size_t i = 0; i < soft->experts; i++)
    {
      sl_real sum = 0;

      for (size_t j = i * soft->slots; j < (i + 1) * soft->slots; j++)
        sum += k[j];
      soft->share[r * soft->experts + i] = sum;
    }
}

void
sl_soft_forward (SlSoft *soft, size_t rows, const sl_real *x, bool training)
{
  size_t n = columns_of (soft), blocks = sl_blocks_of (rows);

  assert (rows <= soft->most);
  soft->rows = rows;
  soft->x = x;
  soft->not_finite = 0;
  sl_blocks_rows (SL_PLAIN, rows, n, soft->inputs, x, soft->weights, n, false, soft->slope, n);
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (size_t b = 0; b < blocks; b++)
    {
      size_t from = b * SL_BLOCK_ROWS, to = sl_least (from + SL_BLOCK_ROWS, rows);

      soft->bad[b] = sl_select_finite ((to - from) * n, soft->slope + from * n);
    }
  for (size_t b = 0; b < blocks; b++)
    soft->not_finite += soft->bad[b];
  if (training && rows > 0)
    {
      mix_rows (soft);
      sl_blocks_outer (rows, n, soft->inputs, soft->mix, x, soft->inner);
      send_slots (soft);
    }
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (blocks > 1)
  for (size_t r = 0; r < rows; r++)
    combine_row (soft, r);
}

void
sl_soft_combine (const SlSoft *soft, sl_real *y)
{
  sl_blocks_rows (SL_PLAIN, soft->rows, soft->outputs, columns_of (soft), soft->combine,
                  soft->outer, soft->outputs, false, y, soft->outputs);
}

void
sl_soft_backward_outer (SlSoft *soft, const sl_real *dy)
{
  size_t n = columns_of (soft);

  sl_blocks_rows (SL_TRANSPOSED, soft->rows, n, soft->outputs, dy, soft->outer, soft->outputs,
                  false, soft->slope, n);
  sl_blocks_outer (soft->rows, n, soft->outputs, soft->combine, dy, soft->d_outer);
}

/* column = Σ over the rows of Δ dΔ. */
static void
sum_columns (SlSoft *soft)
{
  size_t n = columns_of (soft);

  memset (soft->column, 0, n * sizeof *soft->column);
  for (size_t r = 0; r < soft->rows; r++)
    for (size_t j = 0; j < n; j++)
      soft->column[j] += soft->mix[r * n + j] * soft->d_mix[r * n + j];
}

/* dZ = K (dK − Σ over the row of K dK) + Δ (dΔ − Σ over the column of Δ dΔ). */
static void
slope_row (SlSoft *soft, size_t r)
{
  size_t         n = columns_of (soft);
  const sl_real *k = soft->combine + r * n, *mix = soft->mix + r * n, *d_mix = soft->d_mix + r * n;
  sl_real       *slope = soft->slope + r * n, mean = 0;

  for (size_t j = 0; j < n; j++)
    mean += k[j] * slope[j];
  for (size_t j = 0; j < n; j++)
    slope[j] = k[j] * (slope[j] - mean) + mix[j] * (d_mix[j] - soft->column[j]);
}

void
sl_soft_backward_inner (SlSoft *soft, sl_real *dx)
{
  size_t n = columns_of (soft), d = soft->inputs, rows = soft->rows;

  sl_blocks_rows (SL_TRANSPOSED, rows, n, d, soft->x, soft->d_inner, d, false, soft->d_mix, n);
  sum_columns (soft);
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < rows; r++)
    slope_row (soft, r);
  sl_blocks_outer (rows, d, n, soft->x, soft->slope, soft->gradient);
  if (dx == NULL)
    return;
  sl_blocks_rows (SL_TRANSPOSED, rows, d, n, soft->slope, soft->weights, n, false, dx, d);
  sl_blocks_rows (SL_PLAIN, rows, d, n, soft->mix, soft->d_inner, d, true, dx, d);
}
