/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/strict.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"
#include "core/nn/moe/select.h"

size_t
sl_strict_numbers (size_t inputs, size_t experts)
{
  return (inputs + 1) * experts;
}

void
sl_strict_carve (SlStrict *strict, size_t inputs, size_t experts, size_t most, SlArena *scratch)
{
  size_t cells = most * experts;

  *strict = (SlStrict) { .inputs = inputs, .experts = experts, .most = most };
  strict->logits = sl_arena_reals (scratch, cells);
  strict->gates = sl_arena_reals (scratch, cells);
  strict->mask = sl_arena_carve (scratch, cells, 1);
  strict->g = sl_arena_reals (scratch, cells);
  strict->count = sl_arena_carve (scratch, experts, sizeof *strict->count);
  strict->first = sl_arena_carve (scratch, most, sizeof *strict->first);
  strict->too_many = sl_arena_carve (scratch, experts, sizeof *strict->too_many);
  strict->too_much = sl_arena_carve (scratch, experts, sizeof *strict->too_much);
  strict->differ = sl_arena_carve (scratch, experts, sizeof *strict->differ);
  strict->slope = sl_arena_reals (scratch, cells);
  strict->column = sl_arena_reals (scratch, most * (experts + SL_SELECT_COLUMNS));
  strict->bad = sl_arena_carve (scratch, sl_blocks_of (most), sizeof *strict->bad);
}

void
sl_strict_bind (SlStrict *strict, sl_real *weights, sl_real *gradient)
{
  strict->weights = weights;
  strict->gradient = gradient;
}

void
sl_strict_init (SlStrict *strict, SlRng *rng)
{
  size_t n = strict->experts, at = strict->inputs * n;

  sl_init_glorot (rng, strict->inputs, n, at, strict->weights);
  for (size_t i = 0; i < n; i++)
    strict->weights[at + i] = (sl_real) (1.0 / (double) n);
}

/* The batch-wise mask of the columns from `at` on, and what the other one would have done. */
static void
choose_columns (SlStrict *strict, size_t m, size_t at)
{
  size_t n = strict->experts, width = sl_least (n - at, SL_SELECT_COLUMNS), rows = strict->rows;
  const sl_real *threshold = strict->weights + strict->inputs * n;
  sl_real       *column = strict->column + at * strict->most, cut[SL_SELECT_COLUMNS];
  size_t         ties[SL_SELECT_COLUMNS];

  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < SL_SELECT_COLUMNS; i++)
      column[r * SL_SELECT_COLUMNS + i] = i < width ? strict->gates[r * n + at + i] : 0;
  sl_select_cuts (rows, m, column, cut);
  for (size_t i = 0; i < width; i++)
    {
      ties[i] = m;
      for (size_t r = 0; r < rows; r++)
        ties[i] -= m > 0 && column[r * SL_SELECT_COLUMNS + i] > cut[i];
      strict->too_many[at + i] = strict->too_much[at + i] = strict->differ[at + i] = 0.0;
    }
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < width; i++)
      {
        sl_real value = column[r * SL_SELECT_COLUMNS + i];
        bool    taken = m > 0 && (value > cut[i] || (value == cut[i] && ties[i] > 0));
        int     more = (value > threshold[at + i]) - taken;

        ties[i] -= taken && value == cut[i];
        strict->mask[r * n + at + i] = taken;
        strict->too_many[at + i] += more;
        strict->too_much[at + i] += more * (double) value;
        strict->differ[at + i] += more != 0;
      }
}

/* Gσ of a block of rows, and inference's mask. */
static void
gates_of_block (SlStrict *strict, size_t block, bool by_thresholds)
{
  size_t         n = strict->experts, first = block * SL_BLOCK_ROWS;
  size_t         end = sl_least (first + SL_BLOCK_ROWS, strict->rows);
  const sl_real *threshold = strict->weights + strict->inputs * n;

  strict->bad[block] = 0;
  for (size_t r = first; r < end; r++)
    {
      sl_real *c = strict->logits + r * n, *gates = strict->gates + r * n;

      strict->bad[block] += sl_select_finite (n, c);
      sl_select_softmax (n, c, NULL, gates);
      for (size_t i = 0; by_thresholds && i < n; i++)
        strict->mask[r * n + i] = gates[i] > threshold[i];
    }
}

static void
count_mask (SlStrict *strict)
{
  size_t   n = strict->experts;
  uint32_t chosen = 0;

  memset (strict->count, 0, n * sizeof *strict->count);
  for (size_t r = 0; r < strict->rows; r++)
    {
      strict->first[r] = chosen;
      for (size_t i = 0; i < n; i++)
        {
          strict->count[i] += strict->mask[r * n + i];
          chosen += strict->mask[r * n + i];
        }
    }
}

void
sl_strict_forward (SlStrict *strict, size_t k, size_t rows, const sl_real *x, bool training,
                   bool frozen)
{
  size_t n = strict->experts, m = sl_least (k, n) * rows / n, blocks = sl_blocks_of (rows);

  strict->rows = rows;
  strict->x = x;
  sl_blocks_rows (SL_PLAIN, rows, n, strict->inputs, x, strict->weights, n, false, strict->logits,
                  n);
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (size_t b = 0; b < blocks; b++)
    gates_of_block (strict, b, !training && !frozen);
  if (training && !frozen)
    {
#pragma omp parallel for schedule(static) if (blocks > 1)
      for (size_t at = 0; at < n; at += SL_SELECT_COLUMNS)
        choose_columns (strict, m, at);
    }
  strict->not_finite = 0;
  for (size_t b = 0; b < blocks; b++)
    strict->not_finite += strict->bad[b];
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (blocks > 1)
  for (size_t r = 0; r < rows; r++)
    sl_select_softmax (n, strict->logits + r * n, strict->mask + r * n, strict->g + r * n);
  count_mask (strict);
}

/* G is a softmax over the chosen logits, whatever Gσ was before it was cut. */
static void
slope_row (size_t n, const sl_real *g, const uint8_t *mask, const sl_real *dg, sl_real *slope)
{
  sl_real mean = 0;
  size_t  at = 0;

  for (size_t i = 0; i < n; i++)
    if (mask[i])
      mean += g[i] * dg[at++];
  at = 0;
  for (size_t i = 0; i < n; i++)
    slope[i] = mask[i] ? g[i] * (dg[at++] - mean) : 0;
}

void
sl_strict_backward (SlStrict *strict, const sl_real *dg, double scale, bool add, sl_real *dx)
{
  size_t   n = strict->experts, rows = strict->rows;
  sl_real *dt = strict->gradient + strict->inputs * n;

#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (rows > SL_BLOCK_ROWS)
  for (size_t r = 0; r < rows; r++)
    slope_row (n, strict->g + r * n, strict->mask + r * n, dg + strict->first[r],
               strict->slope + r * n);
  sl_blocks_outer (rows, strict->inputs, n, strict->x, strict->slope, strict->gradient);
  for (size_t i = 0; i < n; i++)
    dt[i] = (sl_real) (-scale * strict->too_many[i]);
  if (dx != NULL)
    sl_blocks_rows (SL_TRANSPOSED, rows, strict->inputs, n, strict->slope, strict->weights, n, add,
                    dx, strict->inputs);
}

sl_real
sl_strict_margin_of (const SlStrict *strict, size_t expert, size_t r)
{
  size_t n = strict->experts;

  return strict->gates[r * n + expert] - strict->weights[strict->inputs * n + expert];
}

double
sl_strict_loss (const SlStrict *strict)
{
  const sl_real *threshold = strict->weights + strict->inputs * strict->experts;
  double         loss = 0.0;

  for (size_t i = 0; i < strict->experts; i++)
    loss += strict->too_much[i] - strict->too_many[i] * (double) threshold[i];
  return loss;
}

double
sl_strict_agreement (const SlStrict *strict)
{
  double pairs = (double) strict->rows * (double) strict->experts, differ = 0.0;

  for (size_t i = 0; i < strict->experts; i++)
    differ += strict->differ[i];
  return pairs > 0.0 ? 1.0 - differ / pairs : 1.0;
}
