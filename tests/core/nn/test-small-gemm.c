/* SPDX-License-Identifier: MIT
 *
 * Products of a few examples with a matrix, against the naive product.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/small-gemm.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-14;
#else
static const double eps = 4e-6;
#endif

static const sl_real untouched = 12345;

static sl_real *
normals (SlRng *rng, size_t n)
{
  sl_real *a = g_new (sl_real, n + 1);

  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
  a[n] = untouched;
  return a;
}

/* Both of n numbers, for sums of `terms`, and nothing behind them. */
static void
check_same (const sl_real *got, const sl_real *want, size_t n, size_t terms)
{
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) got[i], (double) want[i], eps, eps * (1 + sqrt ((double) terms)));
  g_assert_cmpfloat (got[n], ==, untouched);
}

static void
check_forward (SlRng *rng, size_t m, size_t rows, size_t columns)
{
  g_autofree sl_real *x = normals (rng, m * rows), *w = normals (rng, rows * columns);
  g_autofree sl_real *b = normals (rng, columns);
  g_autofree sl_real *y = normals (rng, m * columns), *want = normals (rng, m * columns);

  for (size_t r = 0; r < m; r++)
    memcpy (want + r * columns, b, columns * sizeof *b);
  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, m, columns, rows, 1, x, rows, w, columns, 1, want, columns);
  sl_small_gemm_forward (m, rows, columns, x, w, b, y);
  check_same (y, want, m * columns, rows);
}

/* Only `some` rows from the `from`-th on; the other columns of p stay as they were. */
static void
check_back (SlRng *rng, size_t m, size_t rows, size_t columns, size_t from, size_t some)
{
  g_autofree sl_real *t = normals (rng, m * columns), *w = normals (rng, rows * columns);
  g_autofree sl_real *p = normals (rng, m * rows);
  g_autofree sl_real *want = g_memdup2 (p, (m * rows + 1) * sizeof *p);

  sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, m, some, columns, 1, t, columns, w + from * columns,
                  columns, 0, want + from, rows);
  sl_small_gemm_back (m, some, columns, t, w + from * columns, p + from, rows);
  check_same (p, want, m * rows, columns);
}

static void
check_outer (SlRng *rng, size_t m, size_t rows, size_t columns, size_t from, size_t some)
{
  g_autofree sl_real *x = normals (rng, m * rows), *t = normals (rng, m * columns);
  g_autofree sl_real *g = normals (rng, some * columns), *want = normals (rng, some * columns);

  sl_mat_mul_ref (SL_TRANSPOSED, SL_PLAIN, some, columns, m, 1, x + from, rows, t, columns, 0, want,
                  columns);
  sl_small_gemm_outer (m, some, columns, x + from, rows, t, g);
  check_same (g, want, some * columns, m);
}

static void
test_products (void)
{
  static const size_t batches[] = { 0, 1, 2, 3, 5, 6, 7, 13, 21, 64 };
  static const size_t sizes[] = { 1, 2, 3, 4, 7, 8, 9, 16, 23, 24, 31, 50, 96 };
  SlRng               rng;

  sl_rng_init (&rng, 1, "thin");
  for (size_t b = 0; b < G_N_ELEMENTS (batches); b++)
    for (size_t r = 0; r < G_N_ELEMENTS (sizes); r++)
      for (size_t c = 0; c < G_N_ELEMENTS (sizes); c++)
        {
          size_t m = batches[b], rows = sizes[r], columns = sizes[c], from = rows / 3;

          check_forward (&rng, m, rows, columns);
          check_back (&rng, m, rows, columns, 0, rows);
          check_back (&rng, m, rows, columns, from, rows - from);
          check_outer (&rng, m, rows, columns, 0, rows);
          check_outer (&rng, m, rows, columns, from, rows - from);
        }
}

/* A column's sums do not depend on which tile had them, nor an example's on how many there are. */
static void
test_tiles (void)
{
  enum {
    ROWS = 137,
    COLUMNS = 45,
    MOST = 29
  }; /* more than are read row by row, and than a panel has */
  SlRng rng;

  sl_rng_init (&rng, 2, "thin");

  g_autofree sl_real *x = normals (&rng, MOST * ROWS), *w = normals (&rng, ROWS * COLUMNS);
  g_autofree sl_real *b = normals (&rng, COLUMNS), *t = normals (&rng, MOST * COLUMNS);
  g_autofree sl_real *y = normals (&rng, MOST * COLUMNS), *one = normals (&rng, COLUMNS);
  g_autofree sl_real *p = normals (&rng, MOST * ROWS), *other = normals (&rng, ROWS);

  sl_small_gemm_forward (MOST, ROWS, COLUMNS, x, w, b, y);
  sl_small_gemm_back (MOST, ROWS, COLUMNS, t, w, p, ROWS);
  for (size_t r = 0; r < MOST; r++)
    {
      sl_small_gemm_forward (1, ROWS, COLUMNS, x + r * ROWS, w, b, one);
      g_assert_cmpmem (one, COLUMNS * sizeof *one, y + r * COLUMNS, COLUMNS * sizeof *y);
      sl_small_gemm_back (1, ROWS, COLUMNS, t + r * COLUMNS, w, other, ROWS);
      g_assert_cmpmem (other, ROWS * sizeof *other, p + r * ROWS, ROWS * sizeof *p);
    }
}

static void
test_stream (void)
{
  enum { N = 5000, ROOM = N + 100 };
  SlRng rng;

  sl_rng_init (&rng, 3, "thin");

  g_autofree sl_real *from = normals (&rng, N), *block = g_new0 (sl_real, ROOM + 1);

  /* Every position within a cache line, among them its beginning. */
  for (size_t at = 0; at < 64 / sizeof (sl_real); at++)
    for (size_t n = 0; n <= N; n = n * 3 + 1)
      {
        for (size_t i = 0; i <= ROOM; i++)
          block[i] = untouched;
        sl_small_gemm_stream (n, from, block + at);
        g_assert_cmpmem (block + at, n * sizeof *from, from, n * sizeof *from);
        for (size_t i = 0; i <= ROOM; i++)
          if (i < at || i >= at + n)
            g_assert_cmpfloat (block[i], ==, untouched);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thin/products", test_products);
  g_test_add_func ("/thin/tiles", test_tiles);
  g_test_add_func ("/thin/stream", test_stream);
  return g_test_run ();
}
