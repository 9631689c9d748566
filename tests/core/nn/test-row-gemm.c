/* SPDX-License-Identifier: MIT
 *
 * Products of chosen rows with strips of columns, against their naive twins.  */
#include <glib.h>
#include <math.h>

#include "core/base/rng.h"
#include "core/nn/kernels/row-gemm.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-12;
#else
static const double eps = 2e-5;
#endif

static sl_real
normal (SlRng *rng)
{
  return (sl_real) sl_rng_normal (rng);
}

/* Products of chosen rows with strips against their twins. */
static void
check_strips (SlRng *rng, size_t rows, size_t n, size_t k)
{
  size_t               lda = k + 3, ldc = n + 2, all = 2 * rows + 1;
  g_autofree sl_real  *b = g_new (sl_real, n * k + 1), *a = g_new (sl_real, all * lda);
  g_autofree sl_real  *strips = g_new (sl_real, sl_row_gemm_size (k, n) + 1);
  g_autofree sl_real  *transposed = g_new (sl_real, sl_row_gemm_size (k, n) + 1);
  g_autofree sl_real  *c = g_new (sl_real, all * ldc), *want = g_new (sl_real, all * ldc);
  g_autofree uint32_t *list = g_new (uint32_t, rows + 1);

  for (size_t i = 0; i < all * lda; i++)
    a[i] = normal (rng);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < n; j++)
      b[i * n + j] = normal (rng);
  sl_row_gemm_pack (SL_PLAIN, k, n, b, n, strips);
  g_autofree sl_real *turned = g_new (sl_real, n * k + 1);
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < n; j++)
      turned[j * k + i] = b[i * n + j];
  sl_row_gemm_pack (SL_TRANSPOSED, k, n, turned, k, transposed);
  g_assert_cmpmem (strips, sl_row_gemm_size (k, n) * sizeof *strips, transposed,
                   sl_row_gemm_size (k, n) * sizeof *strips);
  for (size_t i = 0; i < rows; i++)
    list[i] = (uint32_t) (2 * i + 1);
  for (int way = 0; way < 8; way++)
    {
      const uint32_t *from = way & 1 ? list : NULL, *to = way & 2 ? list : NULL;

      for (size_t i = 0; i < all * ldc; i++)
        c[i] = want[i] = normal (rng);
      sl_row_gemm_rows (rows, from, to, n, k, a, lda, strips, k * SL_STRIP, way >= 4, c, ldc);
      sl_row_gemm_rows_ref (rows, from, to, n, k, a, lda, strips, k * SL_STRIP, way >= 4, want,
                            ldc);
      for (size_t i = 0; i < all * ldc; i++)
        sl_assert_near ((double) c[i], (double) want[i], eps, eps * (1 + sqrt ((double) k)));
    }
}

static void
check_outer (SlRng *rng, size_t terms, size_t m, size_t n)
{
  g_autofree sl_real  *a = g_new (sl_real, terms * m + 1), *c = g_new (sl_real, m * n);
  g_autofree sl_real  *strip = g_new (sl_real, (2 * terms + 1) * SL_STRIP);
  g_autofree sl_real  *want = g_new (sl_real, m * n);
  g_autofree uint32_t *of = g_new (uint32_t, terms + 1);

  for (size_t i = 0; i < terms * m; i++)
    a[i] = normal (rng);
  for (size_t i = 0; i < (2 * terms + 1) * SL_STRIP; i++)
    strip[i] = normal (rng);
  for (size_t l = 0; l < terms; l++)
    of[l] = (uint32_t) (2 * l);
  sl_row_gemm_outer (terms, of, m, n, a, strip, c, n);
  sl_row_gemm_outer_ref (terms, of, m, n, a, strip, want, n);
  for (size_t i = 0; i < m * n; i++)
    sl_assert_near ((double) c[i], (double) want[i], eps, eps * (1 + sqrt ((double) terms)));
}

static void
test_strips (void)
{
  static const size_t sizes[] = { 1, 2, 7, 8, 9, 17, 31, 64 };
  SlRng               rng;

  sl_rng_init (&rng, 8, "rows");
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        check_strips (&rng, sizes[i], sizes[j], 13);
        check_strips (&rng, sizes[i], sizes[j], 40);
        check_strips (&rng, 0, sizes[i], sizes[j]);
        check_outer (&rng, sizes[i], sizes[j], i % 2 == 0 ? SL_STRIP : 3);
        check_outer (&rng, 0, sizes[j], SL_STRIP);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-gemm/strips", test_strips);
  return g_test_run ();
}
