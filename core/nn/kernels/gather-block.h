/* SPDX-License-Identifier: MIT
 *
 * What the batched conditional kernels share: a block of examples and units, with the dot products
 * of each unit with the examples whose mask has it.  Private to core/nn/kernels/gather*.c.  */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
  SKIPPED = 8,       /* only where at least one of so many is in no mask */
  AT_ONCE = 8,       /* pairs that are listed, and partial sums that are folded, together */
  SHARED = 32 << 20, /* dense multiplications from which more threads pay */
};

/* The pairs are in the order of their units.  Some 370 kB, on the stack, of which few units and examples touch little. */
typedef struct
{
  size_t examples, units;
  /* Packed, since rows a power of two apart would share cache sets; each vector of it in one line. */
  _Alignas(64) sl_real x[EXAMPLES][COLUMNS];
  _Alignas(64) Quarter part[TURN * EXAMPLES + AT_ONCE]; /* of the pairs of a turn */
  sl_real sum[UNITS * EXAMPLES + AT_ONCE];              /* of each pair */
  uint8_t wanted[UNITS * EXAMPLES + AT_ONCE];           /* the example of each pair */
  uint8_t count[UNITS];                                 /* the pairs of each unit */
  bool    fetch;                                        /* rows, ahead of their use */
} Block;

/* Which examples have which unit in their mask, a bit for each example, and how many do: eight
 * examples together in bytes, of which a vector has more.  */
INLINE void
block_bits (Block *block, const uint8_t *mask, size_t stride, uint64_t *bits)
{
  size_t e = 0, units = block->units; /* copied, as bytes that are written might be the block's */

  memset (block->count, 0, units);
  for (; e + CHAR_BIT <= block->examples; e += CHAR_BIT)
    {
      const uint8_t *wants = mask + e * stride;
      uint8_t        eight[UNITS];

      for (size_t i = 0; i < units; i++)
        {
          uint8_t who = 0, count = block->count[i];

#pragma GCC unroll 8
          for (int k = 0; k < CHAR_BIT; k++)
            {
              bool wanted = wants[k * stride + i] != 0;

              who |= (uint8_t) (wanted << k);
              count += wanted;
            }
          eight[i] = who;
          block->count[i] = count;
        }
      for (size_t i = 0; i < units; i++)
        bits[i] |= (uint64_t) eight[i] << e;
    }
  for (; e < block->examples; e++)
    for (size_t i = 0; i < units; i++)
      {
        bits[i] |= (uint64_t) (mask[e * stride + i] != 0) << e;
        block->count[i] += mask[e * stride + i] != 0;
      }
}

/* The pair of a unit with this bias and the first example of `left`, which is taken out. */
INLINE void
list_pair (Block *block, size_t pair, uint64_t *left, sl_real bias)
{
  const uint64_t last = (uint64_t) 1 << (EXAMPLES - 1); /* where none is left */

  block->wanted[pair] = (uint8_t) __builtin_ctzll (*left | last);
  block->sum[pair] = bias;
  *left &= *left - 1;
}

/* Lists the pairs of each unit, the first `always` whether or not there are as many: those that are too many are
 * overwritten by the next unit's.  */
INLINE void
list_pairs (Block *block, size_t always, const uint64_t *bits, const sl_real *b)
{
  size_t units = block->units, pair = 0;

  for (size_t i = 0; i < units; i++)
    {
      uint64_t left = bits[i];

      for (size_t n = 0; n < always; n++)
        list_pair (block, pair + n, &left, b[i]);
      for (size_t n = always; n < block->count[i]; n++)
        list_pair (block, pair + n, &left, b[i]);
      pair += block->count[i];
    }
}

/* Lists which example has which unit in its mask: where mask[example * stride + unit] is not 0. */
INLINE void
block_list (Block *block, const uint8_t *mask, size_t stride, const sl_real *b)
{
  uint64_t bits[UNITS] = { 0 };
  size_t   units = block->units, pairs = 0, skipped = 0;

  block_bits (block, mask, stride, bits);
  for (size_t i = 0; i < units; i++)
    {
      pairs += block->count[i];
      skipped += block->count[i] == 0;
    }
  block->fetch = skipped * SKIPPED > units;
  if (pairs > 2 * units)
    list_pairs (block, AT_ONCE, bits, b);
  else
    list_pairs (block, 0, bits, b);
}

/* Adds the partial sums of `count` pairs to their sums.  The last by fours, which need not wait until two that were
 * written one by one can be read as one.  */
INLINE void
block_fold (Block *block, size_t count, sl_real *sum)
{
  size_t k = 0;

  for (size_t end = count; end % 4 != 0; end++)
    block->part[end] = (Quarter) { 0 };
  for (; k + AT_ONCE <= count; k += AT_ONCE)
    add_eight (&block->part[k], sum + k);
  for (; k < count; k += 4)
    add_four (&block->part[k], sum + k);
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
 * those of its numbers that an earlier one has too are 0 in x.  With two `chains`, for which only the wide registers
 * are enough, an addition waits for half of the others.  */
INLINE void
block_products (Block *block, int chains, size_t vectors, ptrdiff_t last, const sl_real *w,
                size_t inputs)
{
  size_t units = block->units, pair = 0;

  for (size_t turn = 0; turn < units; turn += TURN)
    {
      size_t end = turn + TURN < units ? turn + TURN : units, first = pair;

      for (size_t i = turn; i < end; i++)
        {
          const sl_real *row = w + i * inputs;
          Lanes          here[VECTORS];

          if (block->fetch && i + ROWS_AHEAD < units && block->count[i + ROWS_AHEAD] > 0)
            for (size_t v = 0; v < vectors; v++)
              __builtin_prefetch (row + ROWS_AHEAD * inputs + v * LANES);
          if (block->count[i] == 0)
            continue;
          for (size_t v = 0; v < vectors; v++)
            here[v] = LOAD (row + (v + 1 < vectors ? (ptrdiff_t) v * LANES : last));
          for (size_t stop = pair + block->count[i]; pair < stop; pair++)
            {
              const sl_real *x = block->x[block->wanted[pair]];
              Lanes          sum = here[0] * LOAD (x), odd = { 0 };

              for (size_t v = 1; v < vectors; v++)
                *(chains == 2 && v % 2 == 1 ? &odd : &sum) += here[v] * LOAD (x + v * LANES);
              if (chains == 2)
                sum += odd;
              fold (&sum, &block->part[pair - first]);
            }
        }
      block_fold (block, pair - first, block->sum + first);
    }
}

/* Adds the products of the next `vectors` of each row and each example. */
INLINE void
block_columns (Block *block, int chains, size_t vectors, size_t left, const sl_real *w,
               const sl_real *x, size_t inputs)
{
  size_t    whole = vectors * LANES, twice = left < whole ? whole - left : 0;
  ptrdiff_t last = (ptrdiff_t) (whole - twice) - LANES;

  block_pack (block, vectors, last, twice, x, inputs);
  block_products (block, chains, vectors, last, w, inputs);
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
block_add (Block *block, int chains, const sl_real *w, const sl_real *x, size_t inputs)
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
          case 1: block_columns (block, chains, 1, left, w + j, x + j, inputs); break;
          case 2: block_columns (block, chains, 2, left, w + j, x + j, inputs); break;
          case 3: block_columns (block, chains, 3, left, w + j, x + j, inputs); break;
          case 4: block_columns (block, chains, 4, left, w + j, x + j, inputs); break;
          case 5: block_columns (block, chains, 5, left, w + j, x + j, inputs); break;
          case 6: block_columns (block, chains, 6, left, w + j, x + j, inputs); break;
          default: block_columns (block, chains, VECTORS, left, w + j, x + j, inputs); break;
          }
      }
}
