/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/row-gemm.h"

#include <assert.h>
#include <string.h>

#include "core/nn/kernels/clones.h"

typedef sl_real Lanes __attribute__ ((vector_size (64), may_alias, aligned (sizeof (sl_real))));
typedef sl_real Half __attribute__ ((vector_size (32), may_alias, aligned (sizeof (sl_real))));

/* The lanes, or half as many, at `from`, which need not be aligned. */
#define LOAD(from) (*(const Lanes *) (from))
#define LOAD_HALF(from) (*(const Half *) (from))

/* Inlined into cloned functions, and so compiled for their instruction sets. */
#define INLINE static inline __attribute__ ((always_inline))

enum {
  TOGETHER = 16,                   /* rows of C that share what is read of a strip */
  TOGETHER_NARROW = 6,             /* where registers are half as wide and half as many */
  ANY = 8,                         /* above it only even counts, to keep the code small */
  SHARED = 2 << 20,                /* multiplications from which more threads pay */
  AHEAD = 4096 / sizeof (sl_real), /* how far ahead of its use a strip is fetched */
};

void
sl_row_gemm_pack (SlOrder order, size_t k, size_t n, const sl_real *a, size_t lda, sl_real *strips)
{
  size_t n_strips = (n + SL_STRIP - 1) / SL_STRIP;

#pragma omp parallel for schedule(static) if (k * n > 1 << 18)
  for (size_t s = 0; s < n_strips; s++)
    {
      size_t   first = s * SL_STRIP, here = n - first < SL_STRIP ? n - first : SL_STRIP;
      sl_real *to = strips + first * k;

      if (here < SL_STRIP)
        memset (to, 0, SL_STRIP * k * sizeof *to);
      if (order == SL_PLAIN)
        for (size_t i = 0; i < k; i++)
          memcpy (to + i * SL_STRIP, a + i * lda + first, here * sizeof *to);
      else
        /* A few rows of A at a time, so that both sides stay in the cache. */
        for (size_t i = 0; i < k; i += SL_STRIP)
          for (size_t j = 0; j < here; j++)
            for (size_t l = i; l < k && l < i + SL_STRIP; l++)
              to[l * SL_STRIP + j] = a[(first + j) * lda + l];
    }
}

/* Writes the first `n` numbers of rows of sums, a line each.  Not inlined: there are as many callers as
 * counts of rows.  */
__attribute__ ((noinline)) static void
put_rows (int count, size_t n, bool add, const sl_real *sum, sl_real *const *c)
{
  for (int r = 0; r < count; r++)
    {
      const sl_real *from = sum + r * SL_STRIP;

      if (!add && n == SL_STRIP)
        memcpy (c[r], from, SL_STRIP * sizeof *from);
      else if (add)
        for (size_t j = 0; j < n; j++)
          c[r][j] += from[j];
      else
        memcpy (c[r], from, n * sizeof *from);
    }
}

/* Sums of a strip's columns for some rows: a line in one register where those are wide, in two where they
 * are narrow.  `wide` is a constant wherever these are inlined, and so is `count`.  */
typedef struct
{
  Lanes line[TOGETHER];
  Half  low[TOGETHER_NARROW], high[TOGETHER_NARROW];
} Sums;

INLINE void
clear_sums (bool wide, int count, Sums *sums)
{
  for (int r = 0; r < count; r++)
    if (wide)
      sums->line[r] = (Lanes) { 0 };
    else
      sums->low[r] = sums->high[r] = (Half) { 0 };
}

/* The line at `b` times `a`, to the sums of row r. */
INLINE void
add_line (bool wide, Sums *sums, int r, const sl_real *b, sl_real a)
{
  if (wide)
    sums->line[r] += LOAD (b) * a;
  else
    {
      sums->low[r] += LOAD_HALF (b) * a;
      sums->high[r] += LOAD_HALF (b + SL_STRIP / 2) * a;
    }
}

/* By a copy, so that the sums themselves need no address and stay in registers. */
INLINE void
put_sums (bool wide, int count, size_t n, bool add, const Sums *sums, sl_real *const *c)
{
  sl_real done[TOGETHER * SL_STRIP] __attribute__ ((aligned (64)));

  for (int r = 0; r < count; r++)
    if (wide)
      *(Lanes *) (done + r * SL_STRIP) = sums->line[r];
    else
      {
        *(Half *) (done + r * SL_STRIP) = sums->low[r];
        *(Half *) (done + r * SL_STRIP + SL_STRIP / 2) = sums->high[r];
      }
  put_rows (count, n, add, done, c);
}

/* `count` rows of C from the row pointers on. */
INLINE void
rows_of_strip (bool wide, int count, size_t n, size_t k, const sl_real *const *a, const sl_real *b,
               bool add, sl_real *const *c)
{
  Sums sums;

  clear_sums (wide, count, &sums);
  for (size_t i = 0; i < k; i++)
    {
      __builtin_prefetch (b + i * SL_STRIP + AHEAD);
      for (int r = 0; r < count; r++)
        add_line (wide, &sums, r, b + i * SL_STRIP, a[r][i]);
    }
  put_sums (wide, count, n, add, &sums, c);
}

/* The count as a constant; more than TOGETHER_NARROW only where registers are wide. */
INLINE void
count_rows (bool wide, size_t count, size_t n, size_t k, const sl_real *const *a, const sl_real *b,
            bool add, sl_real *const *c)
{
  if (wide && count > TOGETHER_NARROW)
    switch (count)
      {
      case 16: rows_of_strip (true, 16, n, k, a, b, add, c); return;
      case 14: rows_of_strip (true, 14, n, k, a, b, add, c); return;
      case 12: rows_of_strip (true, 12, n, k, a, b, add, c); return;
      case 10: rows_of_strip (true, 10, n, k, a, b, add, c); return;
      case 8: rows_of_strip (true, 8, n, k, a, b, add, c); return;
      default: rows_of_strip (true, 7, n, k, a, b, add, c); return;
      }
  switch (count)
    {
    case 6: rows_of_strip (wide, 6, n, k, a, b, add, c); break;
    case 5: rows_of_strip (wide, 5, n, k, a, b, add, c); break;
    case 4: rows_of_strip (wide, 4, n, k, a, b, add, c); break;
    case 3: rows_of_strip (wide, 3, n, k, a, b, add, c); break;
    case 2: rows_of_strip (wide, 2, n, k, a, b, add, c); break;
    default: rows_of_strip (wide, 1, n, k, a, b, add, c); break;
    }
}

INLINE void
some_strips (bool wide, size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
             const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add,
             sl_real *c, size_t ldc)
{
  const size_t most = wide ? TOGETHER : TOGETHER_NARROW;

  for (size_t first = 0; first < n; first += SL_STRIP, strips += stride)
    {
      size_t here = n - first < SL_STRIP ? n - first : SL_STRIP;

      for (size_t r = 0; r < rows;)
        {
          /* The first ones fetch the strip from afar, so they are as many as there can be; but as
           * few as are left of a little more than that would leave the registers idle.  */
          size_t left = rows - r;
          size_t count = left <= most ? left : left < most + ANY / 2 ? (left + 1) / 2 : most;
          size_t padded = count > ANY ? count + count % 2 : count;
          const sl_real *row[TOGETHER] = { 0 };
          sl_real       *out[TOGETHER], spare[SL_STRIP] = { 0 };

          for (size_t i = 0; i < count; i++)
            {
              row[i] = a + (from != NULL ? from[r + i] : r + i) * lda;
              out[i] = c + (to != NULL ? to[r + i] : r + i) * ldc + first;
            }
          if (padded > count)
            {
              row[count] = row[0];
              out[count] = spare;
            }
          count_rows (wide, padded, here, k, row, strips, add, out);
          r += count;
        }
    }
}

SL_NARROW_CLONES static void
rows_narrow (size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
             const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add,
             sl_real *c, size_t ldc)
{
  some_strips (false, rows, from, to, n, k, a, lda, strips, stride, add, c, ldc);
}

#ifdef SL_WIDE
/* The sums take half of the registers, which leaves enough for all the pointers. */
SL_WIDE static void
rows_wide (size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
           const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add, sl_real *c,
           size_t ldc)
{
  some_strips (true, rows, from, to, n, k, a, lda, strips, stride, add, c, ldc);
}
#endif

void
sl_row_gemm_rows (size_t rows, const uint32_t *from, const uint32_t *to, size_t n, size_t k,
                  const sl_real *a, size_t lda, const sl_real *strips, size_t stride, bool add,
                  sl_real *c, size_t ldc)
{
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      rows_wide (rows, from, to, n, k, a, lda, strips, stride, add, c, ldc);
      return;
    }
#endif
  rows_narrow (rows, from, to, n, k, a, lda, strips, stride, add, c, ldc);
}

void
sl_row_gemm_all (size_t rows, size_t n, size_t k, const sl_real *a, size_t lda,
                 const sl_real *strips, bool add, sl_real *c)
{
#pragma omp parallel for schedule(static) if (rows * n * k > SHARED)
  for (size_t j = 0; j < n; j += SL_STRIP)
    sl_row_gemm_rows (rows, NULL, NULL, n - j < SL_STRIP ? n - j : SL_STRIP, k, a, lda,
                      strips + j * k, k * SL_STRIP, add, c + j, n);
}

/* `count` rows of C, for columns of A from `a` on. */
INLINE void
some_outer (bool wide, int count, size_t terms, const uint32_t *of, size_t m, size_t n,
            const sl_real *a, const sl_real *strip, sl_real *c, size_t ldc)
{
  Sums     sums;
  sl_real *row_of[TOGETHER];

  clear_sums (wide, count, &sums);
  for (size_t l = 0; l < terms; l++)
    for (int r = 0; r < count; r++)
      add_line (wide, &sums, r, strip + of[l] * (size_t) SL_STRIP, a[l * m + (size_t) r]);
  for (int r = 0; r < count; r++)
    row_of[r] = c + (size_t) r * ldc;
  put_sums (wide, count, n, false, &sums, row_of);
}

INLINE void
all_outer (bool wide, size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
           const sl_real *strip, sl_real *c, size_t ldc)
{
  const int most = wide ? TOGETHER : TOGETHER_NARROW;
  size_t    i = 0;

  for (; i + (size_t) most <= m; i += (size_t) most)
    some_outer (wide, most, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
  for (; i < m; i++)
    some_outer (wide, 1, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
}

SL_NARROW_CLONES static void
outer_narrow (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
              const sl_real *strip, sl_real *c, size_t ldc)
{
  all_outer (false, terms, of, m, n, a, strip, c, ldc);
}

#ifdef SL_WIDE
SL_WIDE static void
outer_wide (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
            const sl_real *strip, sl_real *c, size_t ldc)
{
  all_outer (true, terms, of, m, n, a, strip, c, ldc);
}
#endif

void
sl_row_gemm_outer (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
                   const sl_real *strip, sl_real *c, size_t ldc)
{
  assert (n <= SL_STRIP && ldc >= n);
#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      outer_wide (terms, of, m, n, a, strip, c, ldc);
      return;
    }
#endif
  outer_narrow (terms, of, m, n, a, strip, c, ldc);
}
