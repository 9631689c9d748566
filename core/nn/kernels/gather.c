/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/gather.h"

#include <stdbool.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/gather-block.h"
#include "core/nn/kernels/threads.h"

enum {
  PIECE = LANES / 2,               /* numbers of a vector */
  ROWS = 4,                        /* rows that meet one vector together */
  AHEAD = 1024 / sizeof (sl_real), /* how far ahead of its use a row is fetched */
};

/* Adds the products of the columns from `j` up to `end`, whole pairs of vectors, and fetches
 * what lies at the same columns of `far`.  Returns where it stopped.  */
INLINE size_t
add_columns (int count, size_t j, size_t end, const sl_real *const *row, const sl_real *const *far,
             const sl_real *x, Half *even, Half *odd)
{
  for (; j + LANES <= end; j += LANES)
    {
      Half x0 = LOAD_HALF (x + j), x1 = LOAD_HALF (x + j + PIECE);

      for (int r = 0; r < count; r++)
        {
          __builtin_prefetch (far[r] + j);
          even[r] += LOAD_HALF (row[r] + j) * x0;
          odd[r] += LOAD_HALF (row[r] + j + PIECE) * x1;
        }
    }
  return j;
}

/* y[rows[r]] of `count` <= ROWS rows; `next` are the rows that follow. */
INLINE void
some_rows (int count, size_t inputs, const sl_real *const *row, const sl_real *const *next,
           const sl_real *b, const sl_real *x, const uint32_t *rows, sl_real *y)
{
  const sl_real *far[ROWS];
  Half           even[ROWS], odd[ROWS];
  Quarter        part[ROWS];
  sl_real        sum[ROWS] = { 0 };
  size_t         j = 0;

  for (int r = 0; r < ROWS; r++)
    {
      even[r] = odd[r] = (Half) { 0 };
      far[r] = row[r] + AHEAD;
    }
  if (inputs > AHEAD)
    j = add_columns (count, j, inputs - AHEAD, row, far, x, even, odd);
  for (int r = 0; r < count; r++)
    far[r] = next[r] - j;
  j = add_columns (count, j, inputs, row, far, x, even, odd);
  for (int r = 0; r < ROWS; r++)
    {
      even[r] += odd[r];
      fold_half (&even[r], &part[r]);
    }
  add_four (part, sum);
  for (int r = 0; r < count; r++)
    {
      for (size_t i = j; i < inputs; i++)
        sum[r] += row[r][i] * x[i];
      y[rows[r]] = sum[r] + b[rows[r]];
    }
}

/* Where `ROWS` rows from the r-th wanted one begin; the last one is repeated for those beyond. */
INLINE void
find_rows (const sl_real *w, size_t inputs, const uint32_t *rows, size_t r, size_t n_rows,
           const sl_real **row)
{
  for (size_t i = 0; i < ROWS; i++)
    row[i] = w + rows[r + i < n_rows ? r + i : n_rows - 1] * inputs;
}

SL_CLONES void
sl_gather_vec (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
               const uint32_t *rows, size_t n_rows, sl_real *y)
{
  const sl_real *row[ROWS], *next[ROWS];
  size_t         r = 0;

  if (n_rows == 0)
    return;
  find_rows (w, inputs, rows, r, n_rows, next);
  for (; r + ROWS <= n_rows; r += ROWS)
    {
      memcpy (row, next, sizeof row);
      find_rows (w, inputs, rows, r + ROWS, n_rows, next);
      some_rows (ROWS, inputs, row, next, b, x, rows + r, y);
    }
  switch (n_rows - r)
    {
    case 3: some_rows (3, inputs, next, next, b, x, rows + r, y); break;
    case 2: some_rows (2, inputs, next, next, b, x, rows + r, y); break;
    case 1: some_rows (1, inputs, next, next, b, x, rows + r, y); break;
    default: break;
    }
}

/* A few units at a time, so that y is written in whole cache lines.  By vectors: of a memset() of
 * the tile and a memcpy() of its rows the compiler makes string instructions, whose start takes
 * longer than the copying.  */
INLINE void
block_write (const Block *block, sl_real *y, size_t stride)
{
  size_t pair = 0;

  for (size_t first = 0; first < block->units; first += LANES)
    {
      size_t  units = block->units - first < LANES ? block->units - first : LANES;
      sl_real tile[EXAMPLES][LANES];

      for (size_t e = 0; e < block->examples; e++)
        *(Lanes *) tile[e] = (Lanes) { 0 };
      for (size_t i = 0; i < units; i++)
        for (size_t stop = pair + block->count[first + i]; pair < stop; pair++)
          tile[block->wanted[pair]][i] = block->sum[pair];
      for (size_t e = 0; e < block->examples; e++)
        if (units == LANES)
          *(Lanes *) (y + e * stride + first) = LOAD (tile[e]);
        else
          for (size_t i = 0; i < units; i++)
            y[e * stride + first + i] = tile[e][i];
    }
}

typedef struct
{
  size_t         batch, inputs, units;
  const sl_real *w, *b, *x;
  const uint8_t *mask;
  sl_real       *y;
} Masked;

/* `count` units from `first` on, of up to EXAMPLES examples from `e` on. */
INLINE void
gather_block (int chains, const Masked *m, size_t e, size_t first, size_t count)
{
  size_t at = e * m->units + first;
  Block  block;

  block.examples = m->batch - e < EXAMPLES ? m->batch - e : EXAMPLES;
  block.units = count;
  block_list (&block, m->mask + at, m->units, m->b + first);
  block_add (&block, chains, m->w + first * m->inputs, m->x + e * m->inputs, m->inputs);
  block_write (&block, m->y + at, m->units);
}

SL_NARROW_CLONES static void
gather_narrow (const Masked *m, size_t e, size_t first, size_t count)
{
  gather_block (1, m, e, first, count);
}

#ifdef SL_WIDE
SL_WIDE static void
gather_wide (const Masked *m, size_t e, size_t first, size_t count)
{
  gather_block (2, m, e, first, count);
}
#endif

static void
gather_any (const Masked *m, size_t e, size_t first, size_t count)
{
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      gather_wide (m, e, first, count);
      return;
    }
#endif
  gather_narrow (m, e, first, count);
}

/* The units of a block: as many as fit, and few enough that there is a block for each thread. */
static size_t
units_together (size_t units, bool shared)
{
  size_t threads = shared ? (size_t) omp_get_max_threads () : 1;
  size_t part = (units / threads + TURN) / TURN * TURN;

  return part < UNITS ? part : UNITS;
}

void
sl_gather_masked (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                  const sl_real *x, const uint8_t *mask, sl_real *y)
{
  Masked m = { batch, inputs, units, w, b, x, mask, y };
  bool   shared = batch * inputs * units >= SHARED;
  size_t together = units_together (units, shared);

#pragma omp parallel for schedule(static) if (shared)
  for (size_t i = 0; i < units; i += together)
    for (size_t e = 0; e < batch; e += EXAMPLES)
      gather_any (&m, e, i, units - i < together ? units - i : together);
}

size_t
sl_gather_rows (size_t n, const sl_real *est, uint32_t *rows)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    {
      rows[count] = (uint32_t) i;
      count += est[i] > 0;
    }
  return count;
}
