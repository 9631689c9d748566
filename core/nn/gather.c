/* SPDX-License-Identifier: MIT
 *
 * Conditional kernels; see gather.h.  */
#include "core/nn/gather.h"

#include <string.h>

#include "core/nn/clones.h"

void
sl_gather_vec_ref (size_t inputs, const sl_real *w, const sl_real *b, const sl_real *x,
                   const uint32_t *rows, size_t n_rows, sl_real *y)
{
  for (size_t r = 0; r < n_rows; r++)
    {
      double sum = 0;

      for (size_t j = 0; j < inputs; j++)
        sum += (double) w[rows[r] * inputs + j] * (double) x[j];
      y[rows[r]] = (sl_real) (sum + (double) b[rows[r]]);
    }
}

void
sl_gather_relu_ref (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                    const sl_real *x, const uint8_t *mask, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < units; i++)
      {
        double sum = (double) b[i];

        for (size_t j = 0; j < inputs; j++)
          sum += (double) w[i * inputs + j] * (double) x[e * inputs + j];
        y[e * units + i] = mask[e * units + i] != 0 && sum > 0 ? (sl_real) sum : 0;
      }
}

void
sl_gather_gated_ref (size_t batch, size_t inputs, size_t units, size_t outputs, const sl_real *w,
                     const sl_real *b, const sl_real *x, const sl_real *gate, const sl_real *v,
                     const sl_real *c, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    for (size_t k = 0; k < outputs; k++)
      {
        double total = (double) c[k];

        for (size_t i = 0; i < units; i++)
          {
            double sum = (double) b[i];

            for (size_t j = 0; j < inputs; j++)
              sum += (double) w[i * inputs + j] * (double) x[e * inputs + j];
            if (gate[e * units + i] != 0)
              total += (double) gate[e * units + i] * sum * (double) v[i * outputs + k];
          }
        y[e * outputs + k] = (sl_real) total;
      }
}

enum
{
  LANES = 64 / sizeof (sl_real),   /* sums kept apart, so that the loops vectorise in this order */
  STRIDE = 2 * LANES,              /* columns of one turn */
  ROWS = 4,                        /* rows that meet one vector together */
  AHEAD = 1024 / sizeof (sl_real), /* how far ahead of its use a row is fetched */
};

typedef sl_real Lanes __attribute__ ((vector_size (64), may_alias,
                                      aligned (sizeof (sl_real))));
typedef sl_real Half __attribute__ ((vector_size (32)));
typedef sl_real Quarter __attribute__ ((vector_size (16)));

/* Everything below is inlined into cloned functions, and so compiled for their instruction
 * sets.  */
#define INLINE static inline __attribute__ ((always_inline))

/* The lanes folded to a quarter of them. */
INLINE void
fold (const Lanes *lanes, Quarter *sum)
{
  Half    half[2];
  Quarter quarter[2];

  memcpy (half, lanes, sizeof half);
  half[0] += half[1];
  memcpy (quarter, half, sizeof quarter);
  *sum = quarter[0] + quarter[1];
}

/* sum[k] += the sum of lanes[k], `count` of them; four at a time, each addition serves two
 * sums or four.  */
INLINE void
add_lanes (int count, const Lanes *lanes, sl_real *sum)
{
  Quarter q[4];

  for (int k = 0; k < count; k += 4)
    {
      for (int i = 0; i < 4; i++)
        fold (&lanes[k + i < count ? k + i : k], &q[i]);
#ifdef SL_DOUBLE
      for (int i = 0; i < 4 && k + i < count; i++)
        sum[k + i] += q[i][0] + q[i][1];
#else
      for (int i = 0; i < 4; i += 2)
        q[i] = __builtin_shufflevector (q[i], q[i + 1], 0, 4, 2, 6)
               + __builtin_shufflevector (q[i], q[i + 1], 1, 5, 3, 7);

      Quarter total = __builtin_shufflevector (q[0], q[2], 0, 1, 4, 5)
                      + __builtin_shufflevector (q[0], q[2], 2, 3, 6, 7);

      for (int i = 0; i < 4 && k + i < count; i++)
        sum[k + i] += total[i];
#endif
    }
}

/* The lanes at `from`, which need not be aligned. */
#define LOAD(from) (*(const Lanes *) (from))

/* Adds the products of the columns from `j` up to `end`, whole strides of them, and fetches
 * what lies at the same columns of `far`.  Returns where it stopped.  */
INLINE size_t
add_columns (int count, size_t j, size_t end, const sl_real *const *row, const sl_real *const *far,
             const sl_real *x, Lanes *even, Lanes *odd)
{
  for (; j + STRIDE <= end; j += STRIDE)
    {
      Lanes x0 = LOAD (x + j), x1 = LOAD (x + j + LANES);

      for (int r = 0; r < count; r++)
        {
          __builtin_prefetch (far[r] + j);
          __builtin_prefetch (far[r] + j + LANES);
          even[r] += LOAD (row[r] + j) * x0;
          odd[r] += LOAD (row[r] + j + LANES) * x1;
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
  Lanes          even[ROWS], odd[ROWS];
  sl_real        sum[ROWS];
  size_t         j = 0;

  for (int r = 0; r < count; r++)
    {
      even[r] = odd[r] = (Lanes) { 0 };
      far[r] = row[r] + AHEAD;
    }
  if (inputs > AHEAD)
    j = add_columns (count, j, inputs - AHEAD, row, far, x, even, odd);
  for (int r = 0; r < count; r++)
    far[r] = next[r] - j;
  j = add_columns (count, j, inputs, row, far, x, even, odd);
  for (int r = 0; r < count; r++)
    {
      even[r] += odd[r];
      sum[r] = 0;
    }
  add_lanes (count, even, sum);
  for (int r = 0; r < count; r++)
    {
      for (size_t i = j; i < inputs; i++)
        sum[r] += row[r][i] * x[i];
      y[rows[r]] = sum[r] + b[rows[r]];
    }
}

/* Where `ROWS` rows from the r-th wanted one begin; the last one stands in for those beyond. */
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

/* A block of the batched kernel.  The inputs of its examples stay in the first cache while
 * the units pass by; nothing in it depends on whether neighbours want the same units.  */
enum
{
  EXAMPLES = 64, /* the bits of a word */
  UNITS = 256,
  COLUMNS = 8192 / EXAMPLES / (sizeof (sl_real) / sizeof (float)),
  TOGETHER = 8,      /* examples that meet one row together */
  ROWS_AHEAD = 4,    /* a row is fetched while this many others are worked on */
  SHARED = 32 << 20, /* dense multiplications from which more threads pay */
  ALONE = 2048,      /* units of one turn when there is one example */
};

typedef struct
{
  size_t  examples, units, columns;
  sl_real x[EXAMPLES][COLUMNS];    /* packed: rows a power of two apart would share cache sets */
  sl_real sum[UNITS][EXAMPLES];    /* for each unit, of the examples that want it in turn */
  uint8_t wanted[UNITS][EXAMPLES]; /* which those are */
  uint8_t count[UNITS];
} Block;

/* sum[k] += row·x[wanted[k]] for `count` <= TOGETHER examples. */
INLINE void
some_examples (int count, const Block *block, const sl_real *row, const uint8_t *wanted,
               sl_real *sum)
{
  const sl_real *x[TOGETHER];
  Lanes          part[TOGETHER];
  size_t         j = 0;

  for (int k = 0; k < count; k++)
    {
      x[k] = block->x[wanted[k]];
      part[k] = (Lanes) { 0 };
    }
  for (; j + LANES <= block->columns; j += LANES)
    {
      Lanes here = LOAD (row + j);

      for (int k = 0; k < count; k++)
        part[k] += here * LOAD (x[k] + j);
    }
  add_lanes (count, part, sum);
  for (; j < block->columns; j++)
    for (int k = 0; k < count; k++)
      sum[k] += row[j] * x[k][j];
}

/* Lists who wants which unit: first as bits, since that needs no branches. */
INLINE void
block_list (Block *block, const uint8_t *mask, size_t stride, const sl_real *b)
{
  uint64_t bits[UNITS] = { 0 };

  for (size_t e = 0; e < block->examples; e++)
    for (size_t i = 0; i < block->units; i++)
      bits[i] |= (uint64_t) (mask[e * stride + i] != 0) << e;
  for (size_t i = 0; i < block->units; i++)
    {
      uint8_t n = 0;

      for (; bits[i] != 0; bits[i] &= bits[i] - 1)
        {
          block->wanted[i][n] = (uint8_t) __builtin_ctzll (bits[i]);
          block->sum[i][n++] = b[i];
        }
      block->count[i] = n;
    }
}

/* Adds the products of the next columns. */
INLINE void
block_add (Block *block, const sl_real *w, const sl_real *x, size_t inputs)
{
  for (size_t e = 0; e < block->examples; e++)
    memcpy (block->x[e], x + e * inputs, block->columns * sizeof *x);
  for (size_t i = 0; i < block->units; i++)
    {
      const sl_real *row = w + i * inputs;
      const uint8_t *wanted = block->wanted[i];
      sl_real       *sum = block->sum[i];
      size_t         k = 0, n = block->count[i];

      for (size_t j = 0; j < block->columns; j += LANES)
        __builtin_prefetch (row + ROWS_AHEAD * inputs + j);
      for (; k + TOGETHER <= n; k += TOGETHER)
        some_examples (TOGETHER, block, row, wanted + k, sum + k);
      /* A constant count in each call keeps the partial sums in registers. */
      if (k + 4 <= n)
        {
          some_examples (4, block, row, wanted + k, sum + k);
          k += 4;
        }
      switch (n - k)
        {
        case 3: some_examples (3, block, row, wanted + k, sum + k); break;
        case 2: some_examples (2, block, row, wanted + k, sum + k); break;
        case 1: some_examples (1, block, row, wanted + k, sum + k); break;
        default: break;
        }
    }
}

/* A few units at a time, so that y is written in whole cache lines. */
INLINE void
block_write (const Block *block, sl_real *y, size_t stride)
{
  for (size_t first = 0; first < block->units; first += LANES)
    {
      size_t  units = block->units - first < LANES ? block->units - first : LANES;
      sl_real tile[EXAMPLES][LANES] = { 0 };

      for (size_t i = 0; i < units; i++)
        for (size_t k = 0; k < block->count[first + i]; k++)
          {
            sl_real sum = block->sum[first + i][k];

            tile[block->wanted[first + i][k]][i] = sum > 0 ? sum : 0;
          }
      for (size_t e = 0; e < block->examples; e++)
        memcpy (y + e * stride + first, tile[e], units * sizeof *y);
    }
}

/* The units `first` to `first` + UNITS of the examples from `x` on. */
SL_CLONES static void
gather_block (size_t examples, size_t inputs, size_t units, size_t first, const sl_real *w,
              const sl_real *b, const sl_real *x, const uint8_t *mask, sl_real *y)
{
  Block block;

  block.examples = examples < EXAMPLES ? examples : EXAMPLES;
  block.units = units - first < UNITS ? units - first : UNITS;
  block_list (&block, mask + first, units, b + first);
  for (size_t j = 0; j < inputs; j += COLUMNS)
    {
      block.columns = inputs - j < COLUMNS ? inputs - j : COLUMNS;
      block_add (&block, w + first * inputs + j, x + j, inputs);
    }
  block_write (&block, y + first, units);
}

void
sl_gather_relu (size_t batch, size_t inputs, size_t units, const sl_real *w, const sl_real *b,
                const sl_real *x, const uint8_t *mask, sl_real *y)
{
  for (size_t e = 0; e < batch; e += EXAMPLES)
    {
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (batch * inputs * units >= SHARED)
#endif
      for (size_t i = 0; i < units; i += UNITS)
        gather_block (batch - e, inputs, units, i, w, b, x + e * inputs, mask + e * units,
                      y + e * units);
    }
}

/* The part of the layer above that `LANES` of its outputs from `tile` on get from a unit: its row of
 * V, of which `left` numbers are there.  */
INLINE void
output_row (const sl_real *v, size_t left, Lanes *row)
{
  *row = (Lanes) { 0 };
  if (left >= LANES)
    *row = LOAD (v);
  else
    memcpy (row, v, left * sizeof *v);
}

/* Adds what the units of a block, each times its gate, give to the layer above; `left` numbers of V
 * are there from `v` on.  */
INLINE void
block_pass_on (const Block *block, const sl_real *gate, size_t stride, size_t outputs,
               const sl_real *v, size_t left, sl_real *y)
{
  for (size_t tile = 0; tile < outputs; tile += LANES)
    {
      size_t count = outputs - tile < LANES ? outputs - tile : LANES;
      Lanes  total[EXAMPLES] = { 0 };

      for (size_t i = 0; i < block->units; i++)
        {
          size_t at = i * outputs + tile;
          Lanes  row;

          output_row (v + at, left - at, &row);
          for (size_t k = 0; k < block->count[i]; k++)
            {
              size_t e = block->wanted[i][k];

              total[e] += row * (gate[e * stride + i] * block->sum[i][k]);
            }
        }
      for (size_t e = 0; e < block->examples; e++)
        for (size_t k = 0; k < count; k++)
          y[e * outputs + tile + k] += total[e][k];
    }
}

/* What the units `first` to `first` + UNITS give to `examples` <= EXAMPLES outputs. */
SL_CLONES static void
gated_block (size_t examples, size_t inputs, size_t units, size_t outputs, size_t first,
             const sl_real *w, const sl_real *b, const sl_real *x, const sl_real *gate,
             const sl_real *v, sl_real *y)
{
  Block   block;
  uint8_t mask[EXAMPLES * UNITS];

  block.examples = examples;
  block.units = units - first < UNITS ? units - first : UNITS;
  for (size_t e = 0; e < examples; e++)
    for (size_t i = 0; i < block.units; i++)
      mask[e * UNITS + i] = gate[e * units + first + i] != 0;
  block_list (&block, mask, UNITS, b + first);
  for (size_t j = 0; j < inputs; j += COLUMNS)
    {
      block.columns = inputs - j < COLUMNS ? inputs - j : COLUMNS;
      block_add (&block, w + first * inputs + j, x + j, inputs);
    }
  block_pass_on (&block, gate + first, units, outputs, v + first * outputs,
                 (units - first) * outputs, y);
}

/* One example, whose units are computed several at a time. */
SL_CLONES static void
gated_one (size_t inputs, size_t units, size_t outputs, const sl_real *w, const sl_real *b,
           const sl_real *x, const sl_real *gate, const sl_real *v, sl_real *y)
{
  for (size_t first = 0; first < units; first += ALONE)
    {
      size_t   here = units - first < ALONE ? units - first : ALONE, n_rows = 0;
      uint32_t rows[ALONE];
      sl_real  pre[ALONE];

      for (size_t i = 0; i < here; i++)
        {
          rows[n_rows] = (uint32_t) i;
          n_rows += gate[first + i] != 0;
        }
      sl_gather_vec (inputs, w + first * inputs, b + first, x, rows, n_rows, pre);
      for (size_t tile = 0; tile < outputs; tile += LANES)
        {
          size_t count = outputs - tile < LANES ? outputs - tile : LANES;
          Lanes  total = { 0 };

          for (size_t r = 0; r < n_rows; r++)
            {
              size_t i = first + rows[r], at = i * outputs + tile;
              Lanes  row;

              output_row (v + at, units * outputs - at, &row);
              total += row * (gate[i] * pre[rows[r]]);
            }
          for (size_t k = 0; k < count; k++)
            y[tile + k] += total[k];
        }
    }
}

void
sl_gather_gated (size_t batch, size_t inputs, size_t units, size_t outputs, const sl_real *w,
                 const sl_real *b, const sl_real *x, const sl_real *gate, const sl_real *v,
                 const sl_real *c, sl_real *y)
{
  for (size_t e = 0; e < batch; e++)
    memcpy (y + e * outputs, c, outputs * sizeof *y);
  if (batch == 1)
    {
      gated_one (inputs, units, outputs, w, b, x, gate, v, y);
      return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (batch * inputs * units >= SHARED)
#endif
  for (size_t e = 0; e < batch; e += EXAMPLES)
    for (size_t i = 0; i < units; i += UNITS)
      gated_block (batch - e < EXAMPLES ? batch - e : EXAMPLES, inputs, units, outputs, i, w, b,
                   x + e * inputs, gate + e * units, v, y + e * outputs);
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
