/* SPDX-License-Identifier: MIT
 *
 * What the batched conditional kernels share: vectors of partial sums, and a block of examples and
 * units with the dot products that somebody wants.  Private to core/nn/gather*.c.  */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/real.h"

enum {
  LANES = 64 / sizeof (sl_real), /* sums kept apart, so that the loops vectorise in this order */
};

typedef sl_real Lanes __attribute__ ((vector_size (64), may_alias, aligned (sizeof (sl_real))));
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

/* A block of the batched kernel.  The inputs of its examples stay in the first cache while
 * the units pass by; nothing in it depends on whether neighbours want the same units.  */
enum {
  EXAMPLES = 64, /* the bits of a word */
  UNITS = 256,
  COLUMNS = 8192 / EXAMPLES / (sizeof (sl_real) / sizeof (float)),
  TOGETHER = 8,      /* examples that meet one row together */
  ROWS_AHEAD = 4,    /* a row is fetched while this many others are worked on */
  SHARED = 32 << 20, /* dense multiplications from which more threads pay */
};

typedef struct
{
  size_t examples, units, columns;
  /* Packed, since rows a power of two apart would share cache sets; each vector of it in one line. */
  _Alignas(64) sl_real x[EXAMPLES][COLUMNS];
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
