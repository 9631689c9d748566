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
  TOGETHER = 16,       /* rows of C that share what is read of a strip */
  TOGETHER_NARROW = 6, /* where registers are half as wide and half as many */
  ANY = 8,             /* above it only even counts, to keep the code small */
  OUTER = 16,          /* rows of C in sums over many */
  OUTER_NARROW = 6,
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

/* Writes the first `n` numbers of rows of sums, a line each.  Not inlined: there are as many callers as counts of
 * rows.  */
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

/* `count` rows of C from the row pointers on, sums in registers of a whole line each. */
INLINE void
rows_of_strip (int count, size_t n, size_t k, const sl_real *const *a, const sl_real *b, bool add,
               sl_real *const *c)
{
  Lanes sum[TOGETHER], done[TOGETHER];

  for (int r = 0; r < count; r++)
    sum[r] = (Lanes) { 0 };
  for (size_t i = 0; i < k; i++)
    {
      __builtin_prefetch (b + i * SL_STRIP + AHEAD);
      for (int r = 0; r < count; r++)
        sum[r] += LOAD (b + i * SL_STRIP) * a[r][i];
    }
  /* A copy, so that the sums themselves need no address and stay in registers. */
  for (int r = 0; r < count; r++)
    done[r] = sum[r];
  put_rows (count, n, add, (const sl_real *) done, c);
}

/* The same where registers hold half a line.  Sums of whole lines would be kept in memory. */
INLINE void
rows_by_halves (int count, size_t n, size_t k, const sl_real *const *a, const sl_real *b, bool add,
                sl_real *const *c)
{
  Half low[TOGETHER_NARROW], high[TOGETHER_NARROW];
  Half done[TOGETHER_NARROW][2];

  for (int r = 0; r < count; r++)
    low[r] = high[r] = (Half) { 0 };
  for (size_t i = 0; i < k; i++)
    {
      const Half left = LOAD_HALF (b + i * SL_STRIP);
      const Half right = LOAD_HALF (b + i * SL_STRIP + SL_STRIP / 2);

      __builtin_prefetch (b + i * SL_STRIP + AHEAD);
      for (int r = 0; r < count; r++)
        {
          low[r] += left * a[r][i];
          high[r] += right * a[r][i];
        }
    }
  for (int r = 0; r < count; r++)
    {
      done[r][0] = low[r];
      done[r][1] = high[r];
    }
  put_rows (count, n, add, (const sl_real *) done, c);
}

INLINE void
count_rows (size_t count, size_t n, size_t k, const sl_real *const *a, const sl_real *b, bool add,
            sl_real *const *c)
{
  switch (count)
    {
    case 16: rows_of_strip (16, n, k, a, b, add, c); break;
    case 14: rows_of_strip (14, n, k, a, b, add, c); break;
    case 12: rows_of_strip (12, n, k, a, b, add, c); break;
    case 10: rows_of_strip (10, n, k, a, b, add, c); break;
    case 8: rows_of_strip (8, n, k, a, b, add, c); break;
    case 7: rows_of_strip (7, n, k, a, b, add, c); break;
    case 6: rows_of_strip (6, n, k, a, b, add, c); break;
    case 5: rows_of_strip (5, n, k, a, b, add, c); break;
    case 4: rows_of_strip (4, n, k, a, b, add, c); break;
    case 3: rows_of_strip (3, n, k, a, b, add, c); break;
    case 2: rows_of_strip (2, n, k, a, b, add, c); break;
    default: rows_of_strip (1, n, k, a, b, add, c); break;
    }
}

INLINE void
count_halves (size_t count, size_t n, size_t k, const sl_real *const *a, const sl_real *b, bool add,
              sl_real *const *c)
{
  switch (count)
    {
    case 6: rows_by_halves (6, n, k, a, b, add, c); break;
    case 5: rows_by_halves (5, n, k, a, b, add, c); break;
    case 4: rows_by_halves (4, n, k, a, b, add, c); break;
    case 3: rows_by_halves (3, n, k, a, b, add, c); break;
    case 2: rows_by_halves (2, n, k, a, b, add, c); break;
    default: rows_by_halves (1, n, k, a, b, add, c); break;
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
          if (wide)
            count_rows (padded, here, k, row, strips, add, out);
          else
            count_halves (count, here, k, row, strips, add, out);
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
some_outer (int count, size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
            const sl_real *strip, sl_real *c, size_t ldc)
{
  Lanes    sum[OUTER], done[OUTER];
  sl_real *row_of[OUTER];

  for (int r = 0; r < count; r++)
    sum[r] = (Lanes) { 0 };
  for (size_t l = 0; l < terms; l++)
    for (int r = 0; r < count; r++)
      sum[r] += LOAD (strip + of[l] * (size_t) SL_STRIP) * a[l * m + (size_t) r];
  for (int r = 0; r < count; r++)
    {
      done[r] = sum[r];
      row_of[r] = c + (size_t) r * ldc;
    }
  put_rows (count, n, false, (const sl_real *) done, row_of);
}

INLINE void
some_outer_halves (int count, size_t terms, const uint32_t *of, size_t m, size_t n,
                   const sl_real *a, const sl_real *strip, sl_real *c, size_t ldc)
{
  Half     low[OUTER_NARROW], high[OUTER_NARROW];
  Half     done[OUTER_NARROW][2];
  sl_real *row_of[OUTER_NARROW];

  for (int r = 0; r < count; r++)
    low[r] = high[r] = (Half) { 0 };
  for (size_t l = 0; l < terms; l++)
    {
      const Half left = LOAD_HALF (strip + of[l] * (size_t) SL_STRIP);
      const Half right = LOAD_HALF (strip + of[l] * (size_t) SL_STRIP + SL_STRIP / 2);

      for (int r = 0; r < count; r++)
        {
          low[r] += left * a[l * m + (size_t) r];
          high[r] += right * a[l * m + (size_t) r];
        }
    }
  for (int r = 0; r < count; r++)
    {
      {
        done[r][0] = low[r];
        done[r][1] = high[r];
      }
      row_of[r] = c + (size_t) r * ldc;
    }
  put_rows (count, n, false, (const sl_real *) done, row_of);
}

SL_NARROW_CLONES static void
outer_narrow (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
              const sl_real *strip, sl_real *c, size_t ldc)
{
  size_t i = 0;

  for (; i + OUTER_NARROW <= m; i += OUTER_NARROW)
    some_outer_halves (OUTER_NARROW, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
  for (; i < m; i++)
    some_outer_halves (1, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
}

#ifdef SL_WIDE
SL_WIDE static void
outer_wide (size_t terms, const uint32_t *of, size_t m, size_t n, const sl_real *a,
            const sl_real *strip, sl_real *c, size_t ldc)
{
  size_t i = 0;

  for (; i + OUTER <= m; i += OUTER)
    some_outer (OUTER, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
  for (; i < m; i++)
    some_outer (1, terms, of, m, n, a + i, strip, c + i * ldc, ldc);
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
