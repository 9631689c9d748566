/* SPDX-License-Identifier: MIT
 *
 * Products of a few examples with a matrix.
 *
 * Sums stay in registers: tiles of them are small enough for the sixteen registers of x86-64-v3.
 * What is left at an edge is done by smaller tiles, columns by one more tile that overlaps the
 * last, which gives the same sums again.
 *
 * A sum is the same in every tile: where the processor can, each product is rounded with its addition, as
 * the options of core/meson.build say; else never.  */
#include "core/nn/kernels/small-gemm.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/small-gemm-wide.h"

enum {
  LANES = 32 / sizeof (sl_real), /* of a vector */
  LINE = 64 / sizeof (sl_real),  /* of a cache line */
  AHEAD = 8,                     /* rows between a use and what is fetched then */
  FEW = 6,
  LIMIT = 128,
};

typedef sl_real Lanes __attribute__ ((vector_size (32), may_alias, aligned (sizeof (sl_real))));

/* Everything below is inlined into cloned functions, and so compiled for their instruction
 * sets.  */
#define INLINE static inline __attribute__ ((always_inline))

/* Loads once: without `volatile` gcc repeats the load in every product that uses it. */
#define LOAD(from) (*(const volatile Lanes *) (from))
#define STORE(to) (*(Lanes *) (to))

size_t
sl_small_gemm_limit (void)
{
#if defined __x86_64__
  return __builtin_cpu_supports ("avx2") ? LIMIT : 0;
#else
  return 0;
#endif
}

/* sum + a b.  The barrier keeps the loop around it from being vectorised, for which the product would be
 * rounded by itself.  */
INLINE sl_real
add_product (sl_real sum, sl_real a, sl_real b)
{
  sum += a * b;
  __asm__ volatile("" : : : "memory");
  return sum;
}

/* y (m, `vectors` of columns) of `m` <= 6 examples. */
INLINE void
forward_tile (int m, int vectors, size_t rows, size_t columns, const sl_real *x, const sl_real *w,
              const sl_real *b, sl_real *y)
{
  Lanes sum[6][2];

  for (int r = 0; r < m; r++)
    for (int v = 0; v < vectors; v++)
      sum[r][v] = LOAD (b + v * LANES);
  for (size_t i = 0; i < rows; i++)
    {
      Lanes here[2];

      for (int v = 0; v < vectors; v++)
        here[v] = LOAD (w + i * columns + v * LANES);
      for (int r = 0; r < m; r++)
        for (int v = 0; v < vectors; v++)
          sum[r][v] += x[r * rows + i] * here[v];
    }
  for (int r = 0; r < m; r++)
    for (int v = 0; v < vectors; v++)
      STORE (y + r * columns + v * LANES) = sum[r][v];
}

/* The same for any m; fetches the next columns of the matrix meanwhile. */
INLINE void
forward_panel (int vectors, size_t m, size_t rows, size_t columns, const sl_real *x,
               const sl_real *w, const sl_real *b, sl_real *y)
{
  const sl_real *next = w + vectors * LANES;
  size_t         fetched = 0;

  for (size_t r = 0; r < m; r += 6)
    {
      size_t left = m - r, upto = left <= 6 ? rows : (r + 6) * rows / m;

      for (; fetched < upto; fetched++)
        __builtin_prefetch (next + fetched * columns);
      switch (left)
        {
        case 1: forward_tile (1, vectors, rows, columns, x, w, b, y); break;
        case 2: forward_tile (2, vectors, rows, columns, x, w, b, y); break;
        case 3: forward_tile (3, vectors, rows, columns, x, w, b, y); break;
        case 4: forward_tile (4, vectors, rows, columns, x, w, b, y); break;
        case 5: forward_tile (5, vectors, rows, columns, x, w, b, y); break;
        default: forward_tile (6, vectors, rows, columns, x, w, b, y); break;
        }
      x += 6 * rows;
      y += 6 * columns;
    }
}

/* y (m, K) += x (m, `rows`) W for `rows` <= 4 of the matrix and `m` <= 4 examples.  With `fetch` it
 * also fetches the rows that come AHEAD of them.  */
INLINE void
add_tile (int m, int rows, bool fetch, size_t columns, const sl_real *x, size_t ldx,
          const sl_real *w, sl_real *y)
{
  size_t j = 0;

  for (; j + LANES <= columns; j += LANES)
    {
      Lanes here[4];

      for (int i = 0; i < rows; i++)
        {
          here[i] = LOAD (w + i * columns + j);
          if (fetch && j % LINE == 0)
            __builtin_prefetch (w + (i + AHEAD) * columns + j);
        }
      for (int r = 0; r < m; r++)
        {
          Lanes sum = LOAD (y + r * columns + j);

          for (int i = 0; i < rows; i++)
            sum += x[r * ldx + i] * here[i];
          STORE (y + r * columns + j) = sum;
        }
    }
  for (; j < columns; j++)
    for (int r = 0; r < m; r++)
      for (int i = 0; i < rows; i++)
        y[r * columns + j] = add_product (y[r * columns + j], x[r * ldx + i], w[i * columns + j]);
}

/* The same for any m. */
INLINE void
add_rows (int rows, size_t m, size_t columns, const sl_real *x, size_t ldx, const sl_real *w,
          sl_real *y)
{
  for (size_t r = 0; r < m; r += 4)
    {
      switch (m - r)
        {
        case 1: add_tile (1, rows, r == 0, columns, x, ldx, w, y); break;
        case 2: add_tile (2, rows, r == 0, columns, x, ldx, w, y); break;
        case 3: add_tile (3, rows, r == 0, columns, x, ldx, w, y); break;
        default: add_tile (4, rows, r == 0, columns, x, ldx, w, y); break;
        }
      x += 4 * ldx;
      y += 4 * columns;
    }
}

/* For so few examples that reading the matrix is all that takes time: whole rows of it in turn,
 * as memory likes it, with sums in the first cache.  They run in the same order as in tiles.  */
SL_NARROW_CLONES static void
forward_few (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w,
             const sl_real *b, sl_real *y)
{
  size_t i = 0;

  for (size_t r = 0; r < m; r++)
    memcpy (y + r * columns, b, columns * sizeof *y);
  for (; i + 4 <= rows; i += 4)
    add_rows (4, m, columns, x + i, rows, w + i * columns, y);
  for (; i < rows; i++)
    add_rows (1, m, columns, x + i, rows, w + i * columns, y);
}

SL_NARROW_CLONES static void
forward_many (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w,
              const sl_real *b, sl_real *y)
{
  size_t j = 0;

  for (; j + 2 * LANES <= columns; j += 2 * LANES)
    forward_panel (2, m, rows, columns, x, w + j, b + j, y + j);
  for (; j < columns && columns >= LANES; j += LANES)
    {
      size_t at = j + LANES <= columns ? j : columns - LANES;

      forward_panel (1, m, rows, columns, x, w + at, b + at, y + at);
    }
  for (; j < columns; j++)
    for (size_t r = 0; r < m; r++)
      {
        sl_real sum = b[j];

        for (size_t i = 0; i < rows; i++)
          sum = add_product (sum, x[r * rows + i], w[i * columns + j]);
        y[r * columns + j] = sum;
      }
}

void
sl_small_gemm_forward (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w,
                       const sl_real *b, sl_real *y)
{
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      sl_small_gemm_forward_wide (m, rows, columns, x, w, b, y);
      return;
    }
#endif
  if (m <= FEW)
    forward_few (m, rows, columns, x, w, b, y);
  else
    forward_many (m, rows, columns, x, w, b, y);
}

/* to[0] … to[3] = the sums of four vectors. */
INLINE void
add_lanes (const Lanes *s, sl_real *to)
{
#ifdef SL_DOUBLE
  for (int k = 0; k < 4; k++)
    to[k] = (s[k][0] + s[k][1]) + (s[k][2] + s[k][3]);
#else
  Lanes a = __builtin_shufflevector (s[0], s[1], 0, 2, 8, 10, 4, 6, 12, 14)
            + __builtin_shufflevector (s[0], s[1], 1, 3, 9, 11, 5, 7, 13, 15);
  Lanes b = __builtin_shufflevector (s[2], s[3], 0, 2, 8, 10, 4, 6, 12, 14)
            + __builtin_shufflevector (s[2], s[3], 1, 3, 9, 11, 5, 7, 13, 15);
  Lanes c = __builtin_shufflevector (a, b, 0, 2, 8, 10, 4, 6, 12, 14)
            + __builtin_shufflevector (a, b, 1, 3, 9, 11, 5, 7, 13, 15);

  for (int k = 0; k < 4; k++)
    to[k] = c[k] + c[k + 4];
#endif
}

/* `rows` <= 4 of the matrix against `m` <= 2 examples.  With `fetch` it also fetches the rows
 * that come AHEAD of them.  */
INLINE void
back_tile (int m, int rows, bool fetch, size_t columns, const sl_real *t, const sl_real *w,
           sl_real *p, size_t ldp)
{
  Lanes  sum[2][4];
  size_t j = 0;

  for (int r = 0; r < m; r++)
    for (int i = 0; i < 4; i++)
      sum[r][i] = (Lanes) { 0 };
  for (; j + LANES <= columns; j += LANES)
    {
      Lanes here[4];

      for (int i = 0; i < rows; i++)
        {
          here[i] = LOAD (w + i * columns + j);
          if (fetch && j % LINE == 0)
            __builtin_prefetch (w + (i + AHEAD) * columns + j);
        }
      for (int r = 0; r < m; r++)
        {
          Lanes example = LOAD (t + r * columns + j);

          for (int i = 0; i < rows; i++)
            sum[r][i] += example * here[i];
        }
    }
  for (int r = 0; r < m; r++)
    {
      sl_real total[4];

      add_lanes (sum[r], total);
      for (int i = 0; i < rows; i++)
        {
          for (size_t k = j; k < columns; k++)
            total[i] = add_product (total[i], t[r * columns + k], w[i * columns + k]);
          p[r * ldp + i] = total[i];
        }
    }
}

/* The same for any m. */
INLINE void
back_rows (int rows, size_t m, size_t columns, const sl_real *t, const sl_real *w, sl_real *p,
           size_t ldp)
{
  size_t r = 2;

  if (m == 1)
    back_tile (1, rows, true, columns, t, w, p, ldp);
  else
    back_tile (2, rows, true, columns, t, w, p, ldp);
  for (; r + 2 <= m; r += 2)
    back_tile (2, rows, false, columns, t + r * columns, w, p + r * ldp, ldp);
  if (r < m)
    back_tile (1, rows, false, columns, t + r * columns, w, p + r * ldp, ldp);
}

SL_NARROW_CLONES static void
back_narrow (size_t m, size_t rows, size_t columns, const sl_real *t, const sl_real *w, sl_real *p,
             size_t ldp)
{
  size_t i = 0;

  for (; i + 4 <= rows; i += 4)
    back_rows (4, m, columns, t, w + i * columns, p + i, ldp);
  for (; i < rows; i++)
    back_rows (1, m, columns, t, w + i * columns, p + i, ldp);
}

void
sl_small_gemm_back (size_t m, size_t rows, size_t columns, const sl_real *t, const sl_real *w,
                    sl_real *p, size_t ldp)
{
  assert (ldp >= rows);
  if (m == 0)
    return;
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      sl_small_gemm_back_wide (m, rows, columns, t, w, p, ldp);
      return;
    }
#endif
  back_narrow (m, rows, columns, t, w, p, ldp);
}

/* g of `rows` <= 4 and `vectors` <= 3 of columns. */
INLINE void
outer_tile (int rows, int vectors, size_t m, size_t columns, const sl_real *x, size_t ldx,
            const sl_real *t, sl_real *g)
{
  Lanes sum[4][3];

  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++)
      sum[i][v] = (Lanes) { 0 };
  for (size_t r = 0; r < m; r++)
    {
      Lanes here[3];

      for (int v = 0; v < vectors; v++)
        here[v] = LOAD (t + r * columns + v * LANES);
      for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
          sum[i][v] += x[r * ldx + i] * here[v];
    }
  for (int i = 0; i < rows; i++)
    for (int v = 0; v < vectors; v++)
      STORE (g + i * columns + v * LANES) = sum[i][v];
}

INLINE void
outer_rows (int rows, size_t m, size_t columns, const sl_real *x, size_t ldx, const sl_real *t,
            sl_real *g)
{
  size_t j = 0;

  for (; j + 3 * LANES <= columns; j += 3 * LANES)
    outer_tile (rows, 3, m, columns, x, ldx, t + j, g + j);
  for (; j < columns && columns >= LANES; j += LANES)
    {
      size_t at = j + LANES <= columns ? j : columns - LANES;

      outer_tile (rows, 1, m, columns, x, ldx, t + at, g + at);
    }
  for (; j < columns; j++)
    for (int i = 0; i < rows; i++)
      {
        sl_real sum = 0;

        for (size_t r = 0; r < m; r++)
          sum = add_product (sum, x[r * ldx + i], t[r * columns + j]);
        g[i * columns + j] = sum;
      }
}

SL_NARROW_CLONES static void
outer_narrow (size_t m, size_t rows, size_t columns, const sl_real *x, size_t ldx, const sl_real *t,
              sl_real *g)
{
  size_t i = 0;

  for (; i + 4 <= rows; i += 4)
    outer_rows (4, m, columns, x + i, ldx, t, g + i * columns);
  for (; i < rows; i++)
    outer_rows (1, m, columns, x + i, ldx, t, g + i * columns);
}

void
sl_small_gemm_outer (size_t m, size_t rows, size_t columns, const sl_real *x, size_t ldx,
                     const sl_real *t, sl_real *g)
{
  assert (ldx >= rows);
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      sl_small_gemm_outer_wide (m, rows, columns, x, ldx, t, g);
      return;
    }
#endif
  outer_narrow (m, rows, columns, x, ldx, t, g);
}

void
sl_small_gemm_stream (size_t n, const sl_real *from, sl_real *to)
{
  size_t i = 0;

#ifdef __SSE2__
  if ((uintptr_t) to % 64 == 0)
    {
      for (; i + LINE <= n; i += LINE)
        for (size_t k = 0; k < LINE; k += LANES / 2)
          _mm_stream_si128 ((__m128i *) (to + i + k),
                            _mm_loadu_si128 ((const __m128i *) (from + i + k)));
      /* Such writes are seen by other threads in any order unless one waits for them. */
      _mm_sfence ();
    }
#endif
  memcpy (to + i, from + i, (n - i) * sizeof *to);
}
