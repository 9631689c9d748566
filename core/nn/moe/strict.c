/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/strict.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"

enum { COLUMNS = 64 / sizeof (sl_real) }; /* columns that are looked through together */

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
  strict->column = sl_arena_reals (scratch, most * (experts + COLUMNS));
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

/* Softmax of a row over the experts in `mask`, or over all when that is NULL; zeros elsewhere. */
SL_CLONES static void
softmax_row (size_t n, const sl_real *restrict c, const uint8_t *restrict mask,
             sl_real *restrict out)
{
  sl_real top = -sl_most_finite, sum = 0;

  for (size_t i = 0; i < n; i++)
    if ((mask == NULL || mask[i]) && c[i] > top)
      top = c[i];
  for (size_t i = 0; i < n; i++)
    {
      out[i] = mask == NULL || mask[i] ? sl_exp_fall (top - c[i]) : 0;
      sum += out[i];
    }
  for (size_t i = 0; sum > 0 && i < n; i++)
    out[i] /= sum;
}

/* The m-th largest of each of some columns of non-negative numbers, 0 for m = 0, found bit by bit
 * from the top: such numbers are ordered as their bits are.  `column` (rows, COLUMNS).  */
SL_CLONES static void
cuts_of_columns (size_t rows, size_t m, const sl_real *restrict column, sl_real *restrict cut)
{
  SlBits found[COLUMNS] = { 0 };

  for (int b = sizeof (SlBits) * 8 - 2; b >= 0; b--)
    {
      uint32_t count[COLUMNS] = { 0 };
      sl_real  wanted[COLUMNS];
      SlBits   bits[COLUMNS];

      for (int i = 0; i < COLUMNS; i++)
        bits[i] = found[i] | (SlBits) 1 << b;
      memcpy (wanted, bits, sizeof wanted);
      for (size_t r = 0; r < rows; r++)
        for (int i = 0; i < COLUMNS; i++)
          count[i] += column[r * COLUMNS + i] >= wanted[i];
      for (int i = 0; i < COLUMNS; i++)
        found[i] = count[i] >= m && m > 0 ? bits[i] : found[i];
    }
  memcpy (cut, found, sizeof found);
}

/* The batch-wise mask of the columns from `at` on, and what the other one would have done. */
static void
choose_columns (SlStrict *strict, size_t m, size_t at)
{
  size_t         n = strict->experts, width = sl_least (n - at, COLUMNS), rows = strict->rows;
  const sl_real *threshold = strict->weights + strict->inputs * n;
  sl_real       *column = strict->column + at * strict->most, cut[COLUMNS];
  size_t         ties[COLUMNS];

  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < COLUMNS; i++)
      column[r * COLUMNS + i] = i < width ? strict->gates[r * n + at + i] : 0;
  cuts_of_columns (rows, m, column, cut);
  for (size_t i = 0; i < width; i++)
    {
      ties[i] = m;
      for (size_t r = 0; r < rows; r++)
        ties[i] -= m > 0 && column[r * COLUMNS + i] > cut[i];
      strict->too_many[at + i] = strict->too_much[at + i] = strict->differ[at + i] = 0.0;
    }
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < width; i++)
      {
        sl_real value = column[r * COLUMNS + i];
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

      for (size_t i = 0; i < n; i++)
        if (!(fabs (c[i]) <= sl_most_finite))
          {
            c[i] = -sl_most_finite;
            strict->bad[block]++;
          }
      softmax_row (n, c, NULL, gates);
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
      for (size_t at = 0; at < n; at += COLUMNS)
        choose_columns (strict, m, at);
    }
  strict->not_finite = 0;
  for (size_t b = 0; b < blocks; b++)
    strict->not_finite += strict->bad[b];
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (blocks > 1)
  for (size_t r = 0; r < rows; r++)
    softmax_row (n, strict->logits + r * n, strict->mask + r * n, strict->g + r * n);
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
