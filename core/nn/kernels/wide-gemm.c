/* SPDX-License-Identifier: MIT
 *
 * Products of matrices in registers of 64 bytes; see wide-gemm.h.
 *
 * A tile of C, ROWS rows and up to VECTORS vectors, is summed in registers.  What it needs of A and B is
 * packed: a block of B, `depth` rows of WIDTH columns, into strips as wide as a tile, then A, ROWS rows at
 * a time.  Where A and B' both lie row by row, as in the product of examples with the weights of units,
 * C' = B A' is computed instead if B has more rows: then the longer matrix is copied, the shorter one
 * transposed.  */
#include "core/nn/kernels/wide-gemm.h"

#ifdef SL_HAS_WIDE_GEMM

#include "core/nn/kernels/wide-gemm-pack.h"

enum {
  DIRECT = 256,       /* rows of C up to which packing B does not pay */
  MANY = 256,         /* rows of C from which A is the one to fetch ahead, not B */
  PIECE = 64,         /* terms between which what is ahead is fetched */
  LEAST = 1 << 20,    /* multiplications from which this pays, */
  LEAST_COLUMNS = 32, /* with so many columns at least */
  LEAST_ROWS = 16,    /* and so many rows and terms */
  SPLIT_ROWS = 64,    /* rows of C from which threads share out these, whatever its columns are */
};

/* One product, or a part of it. */
typedef struct
{
  bool           a_by_terms, b_by_columns, c_by_columns; /* whether they lie transposed */
  size_t         m, n, k, lda, ldb, ldc;
  const sl_real *a, *b;
  sl_real       *c, alpha;
  bool           add;
} Product;

/* Numbers that will soon be read: `rows` of `width`, `ld` apart. */
typedef struct
{
  const sl_real *from;
  size_t         ld, rows, width;
} Ahead;

typedef Lanes Sums[ROWS][VECTORS];

/* Adds the products of `terms`. */
INLINE void
add_terms (int vectors, size_t terms, const sl_real *a, size_t step, size_t turn, const sl_real *b,
           size_t ldb, Sums *sum)
{
#pragma GCC unroll 2
  for (size_t i = 0; i < terms; i++)
    {
      Lanes here[VECTORS];

      for (int v = 0; v < vectors; v++)
        here[v] = LOAD (b + i * ldb + v * LANES);
      for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < vectors; v++)
          (*sum)[r][v] += here[v] * a[(size_t) r * step + i * turn];
    }
}

/* A tile of `vectors`: C (ROWS, …) = alpha A B + (add ? C : 0) of `k` terms.  Rows of A are `step` apart, its
 * terms `turn`, and rows of B `ldb`.  Meanwhile it fetches what is ahead.  */
INLINE void
tile (int vectors, size_t k, sl_real alpha, const sl_real *a, size_t step, size_t turn,
      const sl_real *b, size_t ldb, bool add, sl_real *c, size_t ldc, const Ahead *ahead)
{
  Sums   sum;
  size_t i = 0;

  for (int r = 0; r < ROWS; r++)
    for (int v = 0; v < vectors; v++)
      {
        sum[r][v] = (Lanes) { 0 };
        __builtin_prefetch (c + (size_t) r * ldc + v * LANES, 1);
      }
  for (; i < ahead->width && i + PIECE <= k; i += PIECE)
    {
      for (size_t r = 0; r < ahead->rows; r++)
        for (size_t j = 0; j < PIECE; j += LANES)
          __builtin_prefetch (ahead->from + r * ahead->ld + i + j);
      add_terms (vectors, PIECE, a + i * turn, step, turn, b + i * ldb, ldb, &sum);
    }
  add_terms (vectors, k - i, a + i * turn, step, turn, b + i * ldb, ldb, &sum);
  for (int r = 0; r < ROWS; r++)
    for (int v = 0; v < vectors; v++)
      {
        Lanes *to = (Lanes *) (c + (size_t) r * ldc + v * LANES);

        if (add)
          *to += alpha * sum[r][v];
        else
          *to = alpha * sum[r][v];
      }
}

/* The same with the constants that make it fast. */
SL_WIDE static void
any_tile (bool by_terms, int vectors, size_t k, sl_real alpha, const sl_real *a, const sl_real *b,
          size_t ldb, bool add, sl_real *c, size_t ldc, const Ahead *ahead)
{
  if (by_terms)
    switch (vectors)
      {
      case 3: tile (3, k, alpha, a, 1, ROWS, b, ldb, add, c, ldc, ahead); break;
      case 2: tile (2, k, alpha, a, 1, ROWS, b, ldb, add, c, ldc, ahead); break;
      default: tile (1, k, alpha, a, 1, ROWS, b, ldb, add, c, ldc, ahead); break;
      }
  else
    switch (vectors)
      {
      case 3: tile (3, k, alpha, a, APART, 1, b, ldb, add, c, ldc, ahead); break;
      case 2: tile (2, k, alpha, a, APART, 1, b, ldb, add, c, ldc, ahead); break;
      default: tile (1, k, alpha, a, APART, 1, b, ldb, add, c, ldc, ahead); break;
      }
}

/* Packed parts of A and B, and a tile that does not fit into C. */
typedef struct
{
  sl_real a[2 * ROWS * APART], b[DEPTH * WIDTH], edge[ROWS * STRIP];
} __attribute__ ((aligned (64))) Packed;

/* A block of B: `columns` <= WIDTH from column `j` on, terms `i` to i + k. */
typedef struct
{
  size_t i, j, k, columns;
} Block;

/* Where a block of B begins. */
INLINE const sl_real *
start_of (const Product *p, const Block *block)
{
  return p->b + (p->b_by_columns ? block->j * p->ldb + block->i : block->i * p->ldb + block->j);
}

/* The `part`-th of `parts` of `rows` rows at `from`. */
INLINE Ahead
part_ahead (const sl_real *from, size_t ld, size_t rows, size_t width, size_t part, size_t parts)
{
  size_t first = rows * part / parts, end = rows * (part + 1) / parts;

  return (Ahead) { from + first * ld, ld, end - first, width };
}

/* What the `tile`-th tile of this block fetches: of the rows of A that are packed next, or of the next block
 * of B, what lies row by row and is longer.  */
INLINE Ahead
ahead_of (const Product *p, const Block *block, const Block *next, size_t tile, size_t strips)
{
  const size_t pair = 2 * ROWS, row = (tile / (2 * strips) + 1) * pair;

  if (!p->a_by_terms && (p->b_by_columns || p->m > MANY))
    {
      size_t rows = row >= p->m ? 0 : p->m - row < pair ? p->m - row : pair;

      return part_ahead (p->a + row * p->lda + block->i, p->lda, rows, block->k,
                         tile % (2 * strips), 2 * strips);
    }
  if (!p->b_by_columns && next->k > 0)
    return part_ahead (start_of (p, next), p->ldb, next->k, next->columns, tile,
                       (p->m + ROWS - 1) / ROWS * strips);
  return (Ahead) { 0 };
}

/* The block of B as tiles want it, but for what they can read where it lies. */
INLINE void
pack_b (const Product *p, const Block *block, bool direct, sl_real *to)
{
  const sl_real *b = start_of (p, block);

  if (!p->b_by_columns && !direct)
    {
      pack_rows (block->columns, block->k, b, p->ldb, to);
      return;
    }
  for (size_t at = 0, here; at < block->columns; at += here)
    {
      size_t left = block->columns - at, width = (size_t) vectors_of (left) * LANES;

      here = left < width ? left : width;
      if (p->b_by_columns)
        pack_columns (width, here, block->k, b + at * p->ldb, p->ldb, to + at * block->k);
      else if (here < width)
        pack_rows (here, block->k, b + at, p->ldb, to + at * block->k);
    }
}

/* A tile of C at `row`, and at column `at` of the block. */
INLINE void
multiply_tile (const Product *p, const Block *block, bool direct, size_t row, size_t at,
               const Ahead *ahead, Packed *packed)
{
  size_t         left = block->columns - at, j = block->j + at;
  int            vectors = vectors_of (left);
  size_t         width = (size_t) vectors * LANES, columns = left < width ? left : width;
  size_t         rows = p->m - row < ROWS ? p->m - row : ROWS, ldb = width;
  bool           add = p->add || block->i > 0;
  const sl_real *a = packed->a + row / ROWS % 2 * ROWS * APART, *b = packed->b + at * block->k;
  sl_real       *c = p->c + (p->c_by_columns ? j * p->ldc + row : row * p->ldc + j);

  if (direct && columns == width)
    {
      b = start_of (p, block) + at;
      ldb = p->ldb;
    }
  if (!p->c_by_columns && rows == ROWS && columns == width)
    {
      any_tile (p->a_by_terms, vectors, block->k, p->alpha, a, b, ldb, add, c, p->ldc, ahead);
      return;
    }
  any_tile (p->a_by_terms, vectors, block->k, 1, a, b, ldb, false, packed->edge, STRIP, ahead);
  if (p->c_by_columns)
    put_transposed (rows, columns, p->alpha, packed->edge, add, c, p->ldc);
  else
    put (rows, columns, p->alpha, packed->edge, add, c, p->ldc);
}

/* All rows of C that a block of B adds to; `next` is the block after it. */
SL_WIDE static void
multiply_block (const Product *p, const Block *block, const Block *next, Packed *packed)
{
  const bool direct = !p->b_by_columns && p->m <= DIRECT;
  size_t     strips = strips_of (block->columns), tile = 0;

  pack_b (p, block, direct, packed->b);
  for (size_t row = 0; row < p->m; row += ROWS)
    {
      size_t left = p->m - row;

      /* Two tiles' rows at a time: a line of the cache holds them if A lies transposed. */
      if (row % (2 * ROWS) == 0)
        pack_a (p->a_by_terms, left < 2 * ROWS ? left : 2 * ROWS, block->k,
                p->a + (p->a_by_terms ? block->i * p->lda + row : row * p->lda + block->i), p->lda,
                packed->a);
      for (size_t at = 0; at < block->columns; tile++)
        {
          Ahead ahead = ahead_of (p, block, next, tile, strips);

          multiply_tile (p, block, direct, row, at, &ahead, packed);
          at += (size_t) vectors_of (block->columns - at) * LANES;
        }
    }
}

/* The block after `block`, of no terms behind the last one. */
static Block
block_after (const Product *p, size_t depth, Block block)
{
  block.j += block.columns;
  if (block.j == p->n)
    {
      block.j = 0;
      block.i += block.k;
    }
  block.columns = p->n - block.j < WIDTH ? p->n - block.j : WIDTH;
  block.k = p->k - block.i < depth ? p->k - block.i : depth;
  return block;
}

SL_WIDE static void
multiply (const Product *p)
{
  size_t pieces = (p->k + DEPTH - 1) / DEPTH, depth = (p->k + pieces - 1) / pieces;
  Block  here = block_after (p, depth, (Block) { 0 }), next;
  Packed packed;

  for (; here.k > 0; here = next)
    {
      next = block_after (p, depth, here);
      multiply_block (p, &here, &next, &packed);
    }
}

/* The part of a product that one of `threads` makes: rows of C where there are enough.  Parts of the same rows are
 * slower, since each processor also fetches what follows its part, which another one is writing.  */
static Product
part_of (const Product *whole, unsigned part, unsigned threads)
{
  Product p = *whole;
  bool    by_rows = p.m >= p.n || p.m >= SPLIT_ROWS;
  size_t  unit = by_rows ? ROWS : LANES, all = by_rows ? p.m : p.n;
  size_t  units = (all + unit - 1) / unit;
  size_t  first = units * part / threads * unit, end = units * (part + 1) / threads * unit;
  size_t  here = (end < all ? end : all) - first;

  if (by_rows)
    {
      p.m = here;
      p.a += first * (p.a_by_terms ? 1 : p.lda);
      p.c += first * (p.c_by_columns ? 1 : p.ldc);
    }
  else
    {
      p.n = here;
      p.b += first * (p.b_by_columns ? p.ldb : 1);
      p.c += first * (p.c_by_columns ? p.ldc : 1);
    }
  return p;
}

bool
sl_wide_gemm_pays (size_t m, size_t n, size_t k)
{
  return m >= LEAST_ROWS && n >= LEAST_COLUMNS && k >= LEAST_ROWS && m * n * k >= LEAST
         && SL_HAS_WIDE ();
}

void
sl_wide_gemm (unsigned threads, SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k,
              sl_real alpha, const sl_real *a, size_t lda, const sl_real *b, size_t ldb, bool add,
              sl_real *c, size_t ldc)
{
  const bool by_terms = order_a == SL_TRANSPOSED, by_columns = order_b == SL_TRANSPOSED;
  Product    p = { by_terms, by_columns, false, m, n, k, lda, ldb, ldc, a, b, c, alpha, add };

  if (by_columns && (by_terms || n > m))
    p = (Product) { !by_columns, !by_terms, true, n, m, k, ldb, lda, ldc, b, a, c, alpha, add };
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (unsigned part = 0; part < threads; part++)
    {
      Product here = part_of (&p, part, threads);

      if (here.m > 0 && here.n > 0)
        multiply (&here);
    }
}

#endif
