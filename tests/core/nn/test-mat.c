/* SPDX-License-Identifier: MIT
 *
 * Products against their naive twin, and factorisations by what defines them.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/wide-gemm.h"
#include "tests/core/nn/gesdd.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-14;
#else
static const double eps = 2e-6;
#endif

static sl_real *
normals (SlRng *rng, size_t n)
{
  sl_real *a = g_new (sl_real, n + 1);

  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
  return a;
}

/* One product with rows further apart than they are long; what lies between stays as it
 * was.  */
static void
check_product (SlRng *rng, SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k,
               sl_real alpha, sl_real beta)
{
  size_t              lda = (order_a == SL_PLAIN ? k : m) + 3;
  size_t              ldb = (order_b == SL_PLAIN ? n : k) + 1, ldc = n + 2;
  g_autofree sl_real *a = normals (rng, lda * (m + k)), *b = normals (rng, ldb * (n + k));
  g_autofree sl_real *c = normals (rng, ldc * m), *want = g_new (sl_real, ldc * m + 1);

  if (beta == 0)
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < n; j++)
        c[i * ldc + j] = (sl_real) NAN;
  memcpy (want, c, ldc * m * sizeof *c);
  sl_mat_mul_ref (order_a, order_b, m, n, k, alpha, a, lda, b, ldb, beta, want, ldc);
  sl_mat_mul (order_a, order_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  for (size_t i = 0; i < m; i++)
    {
      for (size_t j = 0; j < n; j++)
        sl_assert_near ((double) c[i * ldc + j], (double) want[i * ldc + j], eps,
                        eps * (1 + 4 * sqrt ((double) k)));
      for (size_t j = n; j < ldc; j++)
        g_assert_cmpfloat (c[i * ldc + j], ==, want[i * ldc + j]);
    }
}

static void
test_products (void)
{
  static const size_t sizes[][3] = {
    { 0, 3, 2 },
    { 3, 0, 2 },
    { 3, 2, 0 },
    { 1, 1, 1 },
    { 1, 7, 64 },
    { 7, 1, 65 },
    { 10, 4, 2 },
    { 10, 2, 4 },
    { 4, 2, 10 },
    { 10, 64, 2 },
    { 64, 2, 10 },
    { 10, 64, 64 },
    { 64, 64, 10 },
    { 7, 65, 64 },
    { 65, 7, 64 },
    { 64, 64, 64 },
    { 65, 65, 7 },
    { 128, 10, 400 },
    { 33, 17, 5 },
    { 5, 33, 17 },
    { 2, 100, 3 },
    /* So large that they are computed another way where registers are wide. */
    { 128, 112, 80 },
    { 300, 33, 129 },
    { 17, 289, 515 },
    { 70, 245, 100 },
    { 16, 64, 1025 },
  };
  static const sl_real factors[][2] = { { 1, 0 }, { 1, 1 }, { (sl_real) -0.5, 2 }, { 0, 1 } };
  SlRng                rng;

  sl_rng_init (&rng, 1, "products");
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t f = 0; f < G_N_ELEMENTS (factors); f++)
      for (int orders = 0; orders < 4; orders++)
        check_product (&rng, orders & 1 ? SL_TRANSPOSED : SL_PLAIN,
                       orders & 2 ? SL_TRANSPOSED : SL_PLAIN, sizes[s][0], sizes[s][1], sizes[s][2],
                       factors[f][0], factors[f][1]);
}

#ifdef SL_HAS_WIDE_GEMM
/* Also products that are too small for it to be used, with edges of all kinds, and rows that are nowhere
 * aligned.  */
static void
check_wide (SlRng *rng, SlOrder order_a, SlOrder order_b, size_t m, size_t n, size_t k, bool add,
            unsigned threads)
{
  const sl_real       alpha = add ? (sl_real) -0.25 : 1;
  size_t              lda = (order_a == SL_PLAIN ? k : m) + 3;
  size_t              ldb = (order_b == SL_PLAIN ? n : k) + 1, ldc = n + 5;
  g_autofree sl_real *a = normals (rng, lda * (m + k)), *b = normals (rng, ldb * (n + k));
  g_autofree sl_real *c = normals (rng, ldc * m), *want = g_memdup2 (c, ldc * m * sizeof *c);

  sl_mat_mul_ref (order_a, order_b, m, n, k, alpha, a, lda, b, ldb, add ? 1 : 0, want, ldc);
  sl_wide_gemm (threads, order_a, order_b, m, n, k, alpha, a, lda, b, ldb, add, c, ldc);
  for (size_t i = 0; i < m; i++)
    {
      for (size_t j = 0; j < n; j++)
        sl_assert_near ((double) c[i * ldc + j], (double) want[i * ldc + j], eps,
                        eps * (1 + 4 * sqrt ((double) k)));
      for (size_t j = n; j < ldc; j++)
        g_assert_cmpfloat (c[i * ldc + j], ==, want[i * ldc + j]);
    }
}

static void
test_wide_products (void)
{
  static const size_t sizes[][3]
    = { { 1, 1, 1 },      { 7, 9, 3 },     { 8, 48, 16 },   { 16, 64, 65 },
        { 17, 50, 1025 }, { 66, 33, 70 },  { 9, 241, 80 },  { 260, 97, 40 },
        { 31, 40, 513 },  { 65, 15, 130 }, { 70, 131, 20 }, { 300, 250, 600 } };
  SlRng rng;

  sl_rng_init (&rng, 1, "wide");
  for (size_t s = 0; SL_HAS_WIDE () && s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < 8; kind++)
      for (unsigned threads = 1; threads <= 3; threads++)
        check_wide (&rng, kind & 1 ? SL_TRANSPOSED : SL_PLAIN, kind & 2 ? SL_TRANSPOSED : SL_PLAIN,
                    sizes[s][0], sizes[s][1], sizes[s][2], (kind & 4) != 0, threads);
}

/* It pays from so many rows, columns and terms on, and so many multiplications, all of them. */
static void
test_wide_pays (void)
{
  static const struct
  {
    size_t m, n, k;
    bool   pays;
  } cases[] = { { 16, 32, 2048, true },  { 2048, 32, 16, true },  { 16, 4096, 16, true },
                { 15, 64, 4096, false }, { 64, 31, 4096, false }, { 4096, 64, 15, false },
                { 16, 32, 2047, false }, { 128, 128, 64, true },  { 127, 128, 64, false } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (sl_wide_gemm_pays (cases[i].m, cases[i].n, cases[i].k), ==,
                     cases[i].pays && SL_HAS_WIDE ());
}

/* A part of a product has the bits that the whole one has there, whoever computes it. */
static void
test_wide_parts (void)
{
  const size_t        m = 310, n = 301, k = 530, rows = 120, columns = 100;
  SlRng               rng;
  g_autofree sl_real *a = NULL, *b = NULL, *whole = g_new (sl_real, m * n);
  g_autofree sl_real *shared = g_new (sl_real, m * n), *part = g_new (sl_real, rows * columns);

  if (!SL_HAS_WIDE ())
    {
      g_test_skip ("registers are narrow");
      return;
    }
  sl_rng_init (&rng, 1, "parts");
  a = normals (&rng, m * k);
  b = normals (&rng, n * k);
  sl_wide_gemm (1, SL_PLAIN, SL_TRANSPOSED, m, n, k, 1, a, k, b, k, false, whole, n);
  sl_wide_gemm (3, SL_PLAIN, SL_TRANSPOSED, m, n, k, 1, a, k, b, k, false, shared, n);
  g_assert_cmpmem (whole, m * n * sizeof *whole, shared, m * n * sizeof *shared);
  for (size_t first = 0; first < 50; first += 7)
    {
      sl_wide_gemm (1, SL_PLAIN, SL_TRANSPOSED, rows, columns, k, 1, a + first * k, k,
                    b + first * k, k, false, part, columns);
      for (size_t i = 0; i < rows; i++)
        g_assert_cmpmem (part + i * columns, columns * sizeof *part,
                         whole + (first + i) * n + first, columns * sizeof *part);
    }
}
#endif

/* Not-a-number in an operand arrives in the result, also beside a zero. */
static void
test_product_nan (void)
{
  const size_t small = 3, large = 70;

  for (size_t n = small; n <= large; n += large - small)
    {
      g_autofree sl_real *a = g_new0 (sl_real, n * n), *b = g_new0 (sl_real, n * n);
      g_autofree sl_real *c = g_new0 (sl_real, n * n);

      b[0] = (sl_real) NAN;
      sl_mat_mul (SL_PLAIN, SL_PLAIN, n, n, n, 1, a, n, b, n, 0, c, n);
      g_assert_true (isnan (c[0]));
      g_assert_true (isnan (c[(n - 1) * n]));
      g_assert_cmpfloat (c[1], ==, 0);
    }
}

static void
test_vector (void)
{
  const size_t        m = 65, n = 33, lda = 40;
  SlRng               rng;
  g_autofree sl_real *a = NULL, *x = NULL;
  sl_real             y[65], want[65];

  sl_rng_init (&rng, 1, "vector");
  a = normals (&rng, m * lda);
  x = normals (&rng, n);
  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, m, 1, n, 1, a, lda, x, 1, 0, want, 1);
  sl_mat_vec (m, n, a, lda, x, y);
  for (size_t i = 0; i < m; i++)
    sl_assert_near ((double) y[i], (double) want[i], eps, 20 * eps);
}

/* ‖A'A - 1‖_max of the columns of A (m, n). */
static double
skewness (size_t m, size_t n, const sl_real *a)
{
  double worst = 0;

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        double dot = i == j ? -1 : 0;

        for (size_t l = 0; l < m; l++)
          dot += (double) a[l * n + i] * (double) a[l * n + j];
        worst = fabs (dot) <= worst ? worst : fabs (dot);
      }
  return worst;
}

/* `spread` 0: nearly orthonormal columns, 1: arbitrary ones, 2: two of them equal. */
static void
check_qr (SlRng *rng, size_t m, size_t n, int spread)
{
  g_autofree sl_real *a = normals (rng, m * n), *copy = g_new (sl_real, m * n + 1);
  g_autofree sl_real *work = g_new (sl_real, sl_mat_qr_work (m, n) + 1);

  if (spread == 0)
    {
      sl_mat_qr (m, n, a, work);
      for (size_t i = 0; i < m * n; i++)
        a[i] = (a[i] + (sl_real) (1e-3 * sl_rng_normal (rng)))
               * (sl_real) pow (3, (double) (i % n % 5));
    }
  else if (spread == 2 && n > 1)
    for (size_t i = 0; i < m; i++)
      a[i * n + n - 1] = a[i * n];
  memcpy (copy, a, m * n * sizeof *a);
  sl_mat_qr (m, n, a, work);
  sl_assert_near (skewness (m, n, a), 0, 0, 20 * eps);

  /* Each old column lies in the span of the new ones up to it: A = Q (Q'A), Q'A upper. */
  for (size_t j = 0; j < n; j++)
    {
      g_autofree double *rest = g_new (double, m);
      double             size = 0, left = 0;

      for (size_t l = 0; l < m; l++)
        {
          rest[l] = (double) copy[l * n + j];
          size += rest[l] * rest[l];
        }
      for (size_t i = 0; i <= j; i++)
        {
          double dot = 0;

          for (size_t l = 0; l < m; l++)
            dot += (double) a[l * n + i] * rest[l];
          for (size_t l = 0; l < m; l++)
            rest[l] -= dot * (double) a[l * n + i];
        }
      for (size_t l = 0; l < m; l++)
        left += rest[l] * rest[l];
      sl_assert_near (sqrt (left / size), 0, 0, 50 * eps);
      /* Columns that are nearly orthogonal keep their sign, as reflections would not. */
      if (spread == 0)
        {
          double along = 0;

          for (size_t l = 0; l < m; l++)
            along += (double) a[l * n + j] * (double) copy[l * n + j];
          g_assert_cmpfloat (along, >, 0);
        }
    }
}

static void
test_qr (void)
{
  static const size_t sizes[][2]
    = { { 1, 1 }, { 7, 7 }, { 65, 7 }, { 200, 64 }, { 64, 1 }, { 5, 0 } };
  SlRng rng;

  sl_rng_init (&rng, 1, "qr");
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int spread = 0; spread < 3; spread++)
      check_qr (&rng, sizes[s][0], sizes[s][1], spread);
}

static void
check_svd (SlRng *rng, size_t m, size_t n)
{
  size_t              r = MIN (m, n);
  g_autofree sl_real *a = normals (rng, m * n), *copy = g_memdup2 (a, m * n * sizeof *a);
  g_autofree sl_real *u = g_new (sl_real, m * r), *s = g_new (sl_real, r);
  g_autofree sl_real *vt = g_new (sl_real, r * n), *us = g_new (sl_real, m * r);
  g_autofree sl_real *v = g_new (sl_real, n * r);
  SlStatus            status = sl_mat_svd (m, n, a, u, s, vt);

  g_assert_true (sl_ok (&status));
  g_assert_cmpmem (a, m * n * sizeof *a, copy, m * n * sizeof *a);
  for (size_t k = 0; k < r; k++)
    {
      g_assert_true (s[k] >= 0 && (k == 0 || s[k] <= s[k - 1]));
      for (size_t i = 0; i < m; i++)
        us[i * r + k] = u[i * r + k] * s[k];
      for (size_t i = 0; i < n; i++)
        v[i * r + k] = vt[k * n + i];
    }
  sl_assert_near (skewness (m, r, u), 0, 0, 20 * eps);
  sl_assert_near (skewness (n, r, v), 0, 0, 20 * eps);
  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, m, n, r, 1, us, r, vt, n, 0, a, n);
  for (size_t i = 0; i < m * n; i++)
    sl_assert_near ((double) a[i], (double) copy[i], 0, 50 * eps);
}

static void
test_svd (void)
{
  static const size_t sizes[][2] = { { 1, 1 }, { 6, 5 }, { 5, 6 }, { 65, 7 }, { 40, 64 } };
  SlRng               rng;
  SlStatus            status;
  sl_real             a[4] = { 1, 2, (sl_real) INFINITY, 4 }, u[4], s[2], vt[4];

  sl_rng_init (&rng, 1, "svd");
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    check_svd (&rng, sizes[i][0], sizes[i][1]);
  status = sl_mat_svd (2, 2, a, u, s, vt);
  g_assert_cmpint (status.code, ==, SL_EDIVERGED);
  status = sl_mat_svd (0, 2, a, u, s, vt);
  g_assert_true (sl_ok (&status));
}

static void
test_eigen (void)
{
  const size_t        n = 33;
  SlRng               rng;
  g_autofree sl_real *b = NULL;
  sl_real             a[33 * 33], full[33 * 33], values[33], alone[33], product[33];
  SlStatus            status;

  sl_rng_init (&rng, 1, "eigen");
  b = normals (&rng, n * n);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      full[i * n + j] = b[i * n + j] + b[j * n + i];
  memcpy (a, full, sizeof a);
  status = sl_mat_eigen (n, a, values, true);
  g_assert_true (sl_ok (&status));
  for (size_t k = 0; k < n; k++)
    {
      g_assert_true (k == 0 || values[k] <= values[k - 1]);
      sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, n, 1, n, 1, full, n, a + k * n, n, 0, product, 1);
      for (size_t i = 0; i < n; i++)
        sl_assert_near ((double) product[i], (double) (values[k] * a[k * n + i]), 0, 100 * eps);
    }
  memcpy (a, full, sizeof a);
  status = sl_mat_eigen (n, a, alone, false);
  g_assert_true (sl_ok (&status));
  for (size_t k = 0; k < n; k++)
    sl_assert_near ((double) alone[k], (double) values[k], 0, 100 * eps);
  a[5] = (sl_real) NAN;
  status = sl_mat_eigen (n, a, alone, true);
  g_assert_cmpint (status.code, ==, SL_EDIVERGED);
  status = sl_mat_eigen (0, a, alone, true);
  g_assert_true (sl_ok (&status));
}

static void
test_threads (void)
{
  unsigned cores = sl_blas_cores ();
  bool     alone = g_strcmp0 (sl_blas_threading (), "openmp") != 0;

  g_assert_cmpuint (cores, >=, 1);
  g_assert_cmpuint (sl_blas_set_threads (0), ==, 1);
  g_assert_cmpuint (sl_blas_threads (), ==, 1);
  g_assert_cmpuint (sl_blas_set_threads (cores + 100), ==, alone ? 1 : cores);
  g_assert_cmpuint (sl_blas_threads (), ==, alone ? 1 : cores);
  g_assert_cmpuint (sl_blas_set_threads (1), ==, 1);
  g_assert_nonnull (sl_blas_kernel ());
  g_assert_nonnull (strstr (sl_blas_version (), "OpenBLAS"));
}

/* Eigenvalues of a matrix with something else behind it; not-a-number in it is refused, wherever it is. */
static void
test_eigen_ends (void)
{
  sl_real work[64], values[2], a[5];

  g_assert_cmpuint (sl_mat_eigen_work (2), <=, G_N_ELEMENTS (work));
  for (int bad = 0; bad <= 4; bad++)
    {
      SlStatus status;

      memcpy (a, (sl_real[]) { 2, 1, 1, 2, 7 }, sizeof a);
      a[bad] = (sl_real) NAN;
      status = sl_mat_eigen_in (2, a, values, false, work);
      g_assert_cmpint (status.code, ==, bad < 4 ? SL_EDIVERGED : SL_OK);
    }
  sl_assert_near ((double) values[0], 3, 10 * eps, 0);
  sl_assert_near ((double) values[1], 1, 10 * eps, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mat/products", test_products);
  g_test_add_func ("/mat/product-nan", test_product_nan);
#ifdef SL_HAS_WIDE_GEMM
  g_test_add_func ("/mat/wide-pays", test_wide_pays);
  g_test_add_func ("/mat/wide-products", test_wide_products);
  g_test_add_func ("/mat/wide-parts", test_wide_parts);
#endif
  g_test_add_func ("/mat/vector", test_vector);
  g_test_add_func ("/mat/qr", test_qr);
  g_test_add_func ("/mat/svd", test_svd);
  g_test_add_func ("/mat/eigen", test_eigen);
  g_test_add_func ("/mat/threads", test_threads);
  g_test_add_func ("/mat/eigen-ends", test_eigen_ends);
  return g_test_run ();
}
