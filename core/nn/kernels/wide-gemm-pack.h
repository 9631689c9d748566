/* SPDX-License-Identifier: MIT
 *
 * How wide-gemm.c packs what it multiplies, and brings tiles to where they belong.  For that file alone.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/real.h"
#include "core/nn/kernels/clones.h"

typedef sl_real Lanes __attribute__ ((vector_size (64), may_alias, aligned (sizeof (sl_real))));
typedef sl_real Half __attribute__ ((vector_size (32), may_alias, aligned (sizeof (sl_real))));

/* Inlined into functions for wide registers, and so compiled for them. */
#define INLINE static inline __attribute__ ((always_inline)) SL_WIDE

enum {
  LANES = 64 / sizeof (sl_real), /* of a vector */
  ROWS = 8,                      /* of a tile, as many as there are in half a vector */
  VECTORS = 3,
  STRIP = VECTORS * LANES,
  DEPTH = 512, /* terms that are summed in registers, at most */
  APART
  = DEPTH + 16, /* between packed rows of A; after a power of two they would share cache sets */
  WIDTH = 5 * STRIP, /* columns of a block of B: with DEPTH, half a megabyte */
  AHEAD = 8,         /* rows of B that are fetched before their turn */
};

/* Loads once: without `volatile` gcc repeats the load in every product that uses it. */
#define LOAD(from) (*(const volatile Lanes *) (from))
#define LOAD_HALF(from) (*(const Half *) (from))

/* Rows and columns of eight numbers changed for each other. */
INLINE void
transpose (Half *x)
{
  Half two[8], four[8];

  for (int i = 0; i < 8; i += 2)
    {
      two[i] = __builtin_shufflevector (x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
      two[i + 1] = __builtin_shufflevector (x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 2; j++)
      {
        four[i + 2 * j]
          = __builtin_shufflevector (two[i + j], two[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        four[i + 2 * j + 1]
          = __builtin_shufflevector (two[i + j], two[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      }
  for (int i = 0; i < 4; i++)
    {
      x[i] = __builtin_shufflevector (four[i], four[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
      x[i + 4] = __builtin_shufflevector (four[i], four[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* C (rows, columns) = alpha × the tile at `from` + (add ? C : 0). */
INLINE void
put (size_t rows, size_t columns, sl_real alpha, const sl_real *from, bool add, sl_real *c,
     size_t ldc)
{
  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < columns; j++)
      c[r * ldc + j] = alpha * from[r * STRIP + j] + (add ? c[r * ldc + j] : 0);
}

/* C (columns, rows), the same transposed. */
INLINE void
put_transposed (size_t rows, size_t columns, sl_real alpha, const sl_real *from, bool add,
                sl_real *c, size_t ldc)
{
  size_t j = 0;

  for (; rows == ROWS && j + ROWS <= columns; j += ROWS)
    {
      Half x[ROWS];

      for (size_t r = 0; r < ROWS; r++)
        x[r] = LOAD_HALF (from + r * STRIP + j);
      transpose (x);
      for (size_t i = 0; i < ROWS; i++)
        {
          Half *to = (Half *) (c + (j + i) * ldc);

          if (add)
            *to += alpha * x[i];
          else
            *to = alpha * x[i];
        }
    }
  for (; j < columns; j++)
    for (size_t r = 0; r < rows; r++)
      c[j * ldc + r] = alpha * from[r * STRIP + j] + (add ? c[j * ldc + r] : 0);
}

/* Packs `rows` <= 2 ROWS of A, the second ROWS of them APART ROWS numbers behind the first.  */
INLINE void
pack_a (bool by_terms, size_t rows, size_t k, const sl_real *a, size_t lda, sl_real *to)
{
  sl_real *second = to + ROWS * APART;

  if (!by_terms)
    for (size_t r = 0; r < (rows > ROWS ? 2 * ROWS : ROWS); r++)
      if (r < rows)
        memcpy (to + r * APART, a + r * lda, k * sizeof *to);
      else
        memset (to + r * APART, 0, k * sizeof *to);
  else if (rows == 2 * ROWS)
    for (size_t i = 0; i < k; i++)
      {
        *(Half *) (to + i * ROWS) = LOAD_HALF (a + i * lda);
        *(Half *) (second + i * ROWS) = LOAD_HALF (a + i * lda + ROWS);
      }
  else
    for (size_t i = 0; i < k; i++)
      for (size_t r = 0; r < ROWS; r++)
        {
          to[i * ROWS + r] = r < rows ? a[i * lda + r] : 0;
          second[i * ROWS + r] = ROWS + r < rows ? a[i * lda + ROWS + r] : 0;
        }
}

/* Packs `columns` of B, which lie one after the other, into a strip of `width`. */
INLINE void
pack_columns (size_t width, size_t columns, size_t k, const sl_real *b, size_t ldb, sl_real *to)
{
  size_t j = 0;

  for (; j + ROWS <= columns; j += ROWS)
    {
      size_t i = 0;

      for (; i + ROWS <= k; i += ROWS)
        {
          Half x[ROWS];

          for (size_t r = 0; r < ROWS; r++)
            x[r] = LOAD_HALF (b + (j + r) * ldb + i);
          transpose (x);
          for (size_t r = 0; r < ROWS; r++)
            *(Half *) (to + (i + r) * width + j) = x[r];
        }
      for (; i < k; i++)
        for (size_t r = 0; r < ROWS; r++)
          to[i * width + j + r] = b[(j + r) * ldb + i];
    }
  for (; j < width; j++)
    for (size_t i = 0; i < k; i++)
      to[i * width + j] = j < columns ? b[j * ldb + i] : 0;
}

/* Vectors of the next strip when so many columns are left: four are two and two. */
INLINE int
vectors_of (size_t columns)
{
  size_t vectors = (columns + LANES - 1) / LANES;

  return vectors == VECTORS + 1 ? 2 : vectors > VECTORS ? VECTORS : (int) vectors;
}

/* Packs `columns` of B, which lies row by row, into strips.  Whole rows, since that is how memory is read
 * fast.  */
INLINE void
pack_rows (size_t columns, size_t k, const sl_real *b, size_t ldb, sl_real *to)
{
  for (size_t i = 0; i < k; i++)
    {
      for (size_t j = 0; j < columns; j += LANES)
        __builtin_prefetch (b + (i + AHEAD) * ldb + j);
      for (size_t at = 0; at < columns;)
        {
          size_t         left = columns - at, width = (size_t) vectors_of (left) * LANES;
          const sl_real *from = b + i * ldb + at;
          sl_real       *strip = to + at * k + i * width;

          if (left >= width)
            for (size_t j = 0; j < width; j += LANES)
              *(Lanes *) (strip + j) = LOAD (from + j);
          else
            {
              memcpy (strip, from, left * sizeof *to);
              memset (strip + left, 0, (width - left) * sizeof *to);
            }
          at += width;
        }
    }
}

INLINE size_t
strips_of (size_t columns)
{
  size_t strips = 0;

  for (size_t at = 0; at < columns; strips++)
    at += (size_t) vectors_of (columns - at) * LANES;
  return strips;
}
