/* SPDX-License-Identifier: MIT
 *
 * What the batched conditional kernels share: a block of examples and units, with the dot products of
 * the pairs of a unit and an example that wants it.  Private to core/nn/kernels/gather*.c.  */
#pragma once

#include <stdint.h>

#include "core/nn/kernels/lanes.h"

/* The inputs of the examples stay in the first cache while the units pass by; nothing here depends on
 * whether neighbours want the same units.  */
enum {
  EXAMPLES = 64, /* the bits of a word */
  UNITS = 1024,
  VECTORS = 7, /* of a row, in registers while the examples that want it pass by */
  COLUMNS = VECTORS * LANES,
  TURN = 16,         /* units whose partial sums are kept until they are folded together */
  ROWS_AHEAD = 8,    /* a row is fetched while this many others are worked on */
  AT_ONCE = 4,       /* partial sums that are folded together */
  SHARED = 32 << 20, /* dense multiplications from which more threads pay */
};

/* The pairs are in the order of their units.  Some 370 kB, on the stack, of which few units and examples touch little. */
typedef struct
{
  size_t examples, units;
  /* Packed, since rows a power of two apart would share cache sets; each vector of it in one line. */
  _Alignas(64) sl_real x[EXAMPLES][COLUMNS];
  Quarter part[TURN * EXAMPLES + AT_ONCE]; /* of the pairs of a turn */
  sl_real sum[UNITS * EXAMPLES + AT_ONCE]; /* of each pair */
  uint8_t wanted[UNITS * EXAMPLES];        /* the example of each pair */
  uint8_t count[UNITS];                    /* the pairs of each unit */
} Block;

/* Lists who wants which unit: first as bits, since that needs no branches. */
INLINE void
block_list (Block *block, const uint8_t *mask, size_t stride, const sl_real *b)
{
  uint64_t bits[UNITS] = { 0 };
  size_t   pair = 0;

  for (size_t e = 0; e < block->examples; e++)
    for (size_t i = 0; i < block->units; i++)
      bits[i] |= (uint64_t) (mask[e * stride + i] != 0) << e;
  for (size_t i = 0; i < block->units; i++)
    {
      size_t first = pair;

      for (; bits[i] != 0; bits[i] &= bits[i] - 1)
        {
          block->wanted[pair] = (uint8_t) __builtin_ctzll (bits[i]);
          block->sum[pair++] = b[i];
        }
      block->count[i] = (uint8_t) (pair - first);
    }
}

/* Adds the partial sums of `count` pairs to their sums. */
INLINE void
block_fold (Block *block, size_t count, sl_real *sum)
{
  for (size_t k = count; k % AT_ONCE != 0; k++)
    block->part[k] = (Quarter) { 0 };
  for (size_t k = 0; k < count; k += AT_ONCE)
    add_quarters (&block->part[k], sum + k);
}

/* Packs the next `vectors` of each example; the last begins at column `last`, and its first `twice` numbers
 * belong to the one before.  */
INLINE void
block_pack (Block *block, size_t vectors, ptrdiff_t last, size_t twice, const sl_real *x,
            size_t inputs)
{
  for (size_t e = 0; e < block->examples; e++, x += inputs)
    {
      sl_real *to = block->x[e];

#pragma GCC unroll 8
      for (size_t v = 0; v < vectors; v++)
        *(Lanes *) (to + v * LANES) = LOAD (x + (v + 1 < vectors ? (ptrdiff_t) v * LANES : last));
      for (size_t j = 0; j < twice; j++)
        to[(vectors - 1) * LANES + j] = 0;
    }
}

/* Adds the products of the next `vectors` of each row; the last of them begins at column `last`, and
 * those of its numbers that an earlier one has too are 0 in x.  */
INLINE void
block_products (Block *block, size_t vectors, ptrdiff_t last, const sl_real *w, size_t inputs)
{
  size_t pair = 0;

  for (size_t turn = 0; turn < block->units; turn += TURN)
    {
      size_t end = turn + TURN < block->units ? turn + TURN : block->units, first = pair;

      for (size_t i = turn; i < end; i++)
        {
          const sl_real *row = w + i * inputs;
          Lanes          here[VECTORS];

          if (i + ROWS_AHEAD < block->units && block->count[i + ROWS_AHEAD] > 0)
            for (size_t v = 0; v < vectors; v++)
              __builtin_prefetch (row + ROWS_AHEAD * inputs + v * LANES);
          if (block->count[i] == 0)
            continue;
          for (size_t v = 0; v < vectors; v++)
            here[v] = LOAD (row + (v + 1 < vectors ? (ptrdiff_t) v * LANES : last));
          for (size_t stop = pair + block->count[i]; pair < stop; pair++)
            {
              const sl_real *x = block->x[block->wanted[pair]];
              Lanes          sum = here[0] * LOAD (x);

              for (size_t v = 1; v < vectors; v++)
                sum += here[v] * LOAD (x + v * LANES);
              fold (&sum, &block->part[pair - first]);
            }
        }
      block_fold (block, pair - first, block->sum + first);
    }
}

/* Adds the products of the next `vectors` of each row and each example. */
INLINE void
block_columns (Block *block, size_t vectors, size_t left, const sl_real *w, const sl_real *x,
               size_t inputs)
{
  size_t    whole = vectors * LANES, twice = left < whole ? whole - left : 0;
  ptrdiff_t last = (ptrdiff_t) (whole - twice) - LANES;

  block_pack (block, vectors, last, twice, x, inputs);
  block_products (block, vectors, last, w, inputs);
}

/* Fewer inputs than a vector has. */
INLINE void
block_few (Block *block, const sl_real *w, const sl_real *x, size_t inputs)
{
  size_t pair = 0;

  for (size_t i = 0; i < block->units; i++)
    for (size_t stop = pair + block->count[i]; pair < stop; pair++)
      for (size_t j = 0; j < inputs; j++)
        block->sum[pair] += w[i * inputs + j] * x[block->wanted[pair] * inputs + j];
}

/* Adds the products of all columns. */
INLINE void
block_add (Block *block, const sl_real *w, const sl_real *x, size_t inputs)
{
  if (inputs < LANES)
    block_few (block, w, x, inputs);
  else
    for (size_t j = 0; j < inputs; j += COLUMNS)
      {
        size_t left = inputs - j;

        /* A constant count in each call keeps the row in registers. */
        switch ((left + LANES - 1) / LANES)
          {
          case 1: block_columns (block, 1, left, w + j, x + j, inputs); break;
          case 2: block_columns (block, 2, left, w + j, x + j, inputs); break;
          case 3: block_columns (block, 3, left, w + j, x + j, inputs); break;
          case 4: block_columns (block, 4, left, w + j, x + j, inputs); break;
          case 5: block_columns (block, 5, left, w + j, x + j, inputs); break;
          case 6: block_columns (block, 6, left, w + j, x + j, inputs); break;
          default: block_columns (block, VECTORS, left, w + j, x + j, inputs); break;
          }
      }
}
