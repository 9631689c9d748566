/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/sparse.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/lanes.h"

enum {
  VECTORS = 4,            /* of a row's sums, kept in registers; twice as many of half the size */
  PIECE = LANES / 2,      /* numbers of these */
  TILE = VECTORS * LANES, /* columns of a tile */
  DEEP = SL_SPARSE_DEEP,  /* rows of M that a tile has in the first cache */
  WORD = 64,              /* bits of one */
  WORDS = SL_SPARSE_TALL / WORD,
  CHUNK = 256,     /* rows that are listed together from a transposed matrix */
  AHEAD = 4,       /* rows of C that are fetched before they are worked on */
  MUCH = 32 << 20, /* multiplications from which more threads pay */
};

/* Rows of M, packed: rows a power of two apart would share cache sets. */
typedef struct
{
  sl_real m[DEEP][TILE];
} Tile;

static size_t
blocks_of (size_t terms)
{
  return (terms + DEEP - 1) / DEEP;
}

void
sl_sparse_carve (SlSparse *s, size_t most_rows, size_t most, SlArena *scratch)
{
  *s = (SlSparse) { .most_rows = most_rows, .most = most };
  s->begin = sl_arena_carve (scratch, most_rows + most / DEEP + 1, sizeof *s->begin);
  /* One more: what is not kept is written there. */
  s->term = sl_arena_carve (scratch, most + 1, sizeof *s->term);
  s->value = sl_arena_reals (scratch, most + 1);
}

SL_CLONES size_t
sl_sparse_count (size_t n, const sl_real *a)
{
  size_t count = 0;

  for (size_t i = 0; i < n; i++)
    count += a[i] != 0;
  return count;
}

static void
take_shape (SlSparse *s, size_t rows, size_t terms)
{
  assert (rows <= s->most_rows && rows * terms <= s->most && terms <= SL_SPARSE_MOST);
  s->rows = rows;
  s->terms = terms;
  s->blocks = blocks_of (terms);
}

void
sl_sparse_list (SlSparse *s, size_t rows, size_t terms, const sl_real *a)
{
  uint32_t n = 0;

  take_shape (s, rows, terms);
  for (size_t r = 0; r < rows; r++)
    for (size_t first = 0, block = 0; block < s->blocks; first += DEEP, block++)
      {
        const sl_real *from = a + r * terms + first;
        size_t         deep = terms - first < DEEP ? terms - first : DEEP;

        s->begin[r * s->blocks + block] = n;
        for (size_t k = 0; k < deep; k++)
          {
            s->term[n] = (uint16_t) k;
            s->value[n] = from[k];
            n += from[k] != 0;
          }
      }
  s->begin[rows * s->blocks] = n;
}

/* bits[i]: in which rows of a, `stride` apart, column i is not 0. */
SL_CLONES static void
mark_bits (size_t rows, size_t columns, size_t stride, const sl_real *a, uint64_t *bits)
{
  memset (bits, 0, columns * sizeof *bits);
  for (size_t k = 0; k < rows; k++)
    for (size_t i = 0; i < columns; i++)
      bits[i] |= (uint64_t) (a[k * stride + i] != 0) << k;
}

void
sl_sparse_list_transposed (SlSparse *s, size_t rows, size_t terms, const sl_real *a)
{
  uint64_t bits[WORDS][CHUNK];
  uint32_t n = 0;

  take_shape (s, rows, terms);
  assert (terms <= SL_SPARSE_TALL);
  for (size_t r = 0; r < rows; r++)
    {
      size_t chunk = r / CHUNK * CHUNK, columns = rows - chunk < CHUNK ? rows - chunk : CHUNK;

      for (size_t k = 0; r == chunk && k < terms; k += WORD)
        mark_bits (terms - k < WORD ? terms - k : WORD, columns, rows, a + k * rows + r,
                   bits[k / WORD]);
      for (size_t k = 0; k < terms; k += WORD)
        {
          if (k % DEEP == 0)
            s->begin[r * s->blocks + k / DEEP] = n;
          for (uint64_t left = bits[k / WORD][r - chunk]; left != 0; left &= left - 1)
            {
              size_t at = k + (size_t) __builtin_ctzll (left);

              s->term[n] = (uint16_t) (at % DEEP);
              s->value[n++] = a[at * rows + r];
            }
        }
    }
  s->begin[rows * s->blocks] = n;
}

/* Adds the numbers of one row of S from `at` to `end` times their rows of the tile: two at a time, so
 * that enough sums are under way.  */
INLINE void
add_wide (const SlSparse *s, uint32_t at, uint32_t end, const Tile *tile, Lanes *sum)
{
  Lanes other[VECTORS] = { { 0 } };

  for (; at + 2 <= end; at += 2)
    {
      const sl_real *a = tile->m[s->term[at]], *b = tile->m[s->term[at + 1]];

      for (int v = 0; v < VECTORS; v++)
        {
          sum[v] += s->value[at] * LOAD (a + v * LANES);
          other[v] += s->value[at + 1] * LOAD (b + v * LANES);
        }
    }
  for (; at < end; at++)
    for (int v = 0; v < VECTORS; v++)
      sum[v] += s->value[at] * LOAD (tile->m[s->term[at]] + v * LANES);
  for (int v = 0; v < VECTORS; v++)
    sum[v] += other[v];
}

/* The same for 16 registers of half the size. */
INLINE void
add_narrow (const SlSparse *s, uint32_t at, uint32_t end, const Tile *tile, Half *sum)
{
  for (; at < end; at++)
    for (int v = 0; v < 2 * VECTORS; v++)
      sum[v] += s->value[at] * LOAD_HALF (tile->m[s->term[at]] + v * PIECE);
}

/* The tile of one row of C: the sums of a block, on top of those of the blocks before.  `wide` is a constant
 * wherever this is inlined, and only one kind of sums is used.  */
INLINE void
add_row (bool wide, const SlSparse *s, size_t row, size_t block, const Tile *tile, size_t columns,
         sl_real *c)
{
  const uint32_t *begin = s->begin + row * s->blocks + block;
  Lanes           lines[VECTORS] = { { 0 } };
  Half            halves[2 * VECTORS] = { { 0 } };
  void           *sum = wide ? (void *) lines : halves;

  if (block > 0)
    memcpy (sum, c, columns * sizeof *c);
  if (wide)
    add_wide (s, begin[0], begin[1], tile, lines);
  else
    add_narrow (s, begin[0], begin[1], tile, halves);
  if (columns == TILE)
    memcpy (c, sum, TILE * sizeof *c);
  else
    memcpy (c, sum, columns * sizeof *c);
}

/* The lines of a tile's row, which are far from those of the next one. */
INLINE void
fetch (const sl_real *row, bool there)
{
  for (int v = 0; there && v < VECTORS; v++)
    __builtin_prefetch (row + v * LANES);
}

/* The columns `left` to `left` + TILE of all rows. */
INLINE void
mul_tile (bool wide, const SlSparse *s, size_t n, size_t left, const sl_real *m, sl_real *c)
{
  size_t columns = n - left < TILE ? n - left : TILE;
  Tile   tile;

  if (columns < TILE)
    memset (&tile, 0, sizeof tile);
  for (size_t block = 0; block < s->blocks; block++)
    {
      size_t first = block * DEEP, deep = s->terms - first < DEEP ? s->terms - first : DEEP;

      for (size_t k = 0; k < deep; k++)
        memcpy (tile.m[k], m + (first + k) * n + left, columns * sizeof *m);
      for (size_t r = 0; r < s->rows; r++)
        {
          sl_real *here = c + r * n + left;

          fetch (here + AHEAD * n, r + AHEAD < s->rows);
          fetch (m + (first + DEEP + r) * n + left, r < DEEP && first + DEEP + r < s->terms);
          add_row (wide, s, r, block, &tile, columns, here);
        }
    }
}

SL_NARROW_CLONES static void
mul_narrow (const SlSparse *s, size_t n, size_t left, const sl_real *m, sl_real *c)
{
  mul_tile (false, s, n, left, m, c);
}

#ifdef SL_WIDE
SL_WIDE static void
mul_wide (const SlSparse *s, size_t n, size_t left, const sl_real *m, sl_real *c)
{
  mul_tile (true, s, n, left, m, c);
}
#endif

static void
mul_any (const SlSparse *s, size_t n, size_t left, const sl_real *m, sl_real *c)
{
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      mul_wide (s, n, left, m, c);
      return;
    }
#endif
  mul_narrow (s, n, left, m, c);
}

void
sl_sparse_mul (const SlSparse *s, size_t n, const sl_real *m, sl_real *c)
{
  size_t tiles = (n + TILE - 1) / TILE;

#pragma omp parallel for schedule(static) if (s->begin[s->rows * s->blocks] * n >= MUCH)
  for (size_t t = 0; t < tiles; t++)
    mul_any (s, n, t * TILE, m, c);
}
