/* SPDX-License-Identifier: MIT
 *
 * Conditional kernels against their naive twins.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/kernels/gather.h"
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
  return a;
}

/* The rows that are wanted are right, the others stay as they were. */
static void
check_vec (SlRng *rng, size_t inputs, size_t units, double alpha)
{
  g_autofree sl_real  *w = normals (rng, units * inputs), *b = normals (rng, units);
  g_autofree sl_real  *x = normals (rng, inputs), *est = normals (rng, units);
  g_autofree sl_real  *y = g_new (sl_real, units + 1), *want = g_new (sl_real, units + 1);
  g_autofree uint32_t *rows = g_new (uint32_t, units + 1);
  size_t               n, count = 0;

  for (size_t i = 0; i < units; i++)
    {
      est[i] = sl_rng_uniform (rng) < alpha ? (sl_real) 0.1 : -(i % 2 == 0);
      count += est[i] > 0;
      y[i] = want[i] = untouched;
    }
  rows[units] = 4242;
  n = sl_gather_rows (units, est, rows);
  g_assert_cmpuint (n, ==, count);
  g_assert_cmpuint (rows[units], ==, 4242);
  for (size_t r = 0; r < n; r++)
    {
      g_assert_cmpfloat (est[rows[r]], >, 0);
      g_assert_true (r == 0 || rows[r] > rows[r - 1]);
    }
  sl_gather_vec (inputs, w, b, x, rows, n, y);
  sl_gather_vec_ref (inputs, w, b, x, rows, n, want);
  for (size_t i = 0; i < units; i++)
    if (est[i] > 0)
      sl_assert_near ((double) y[i], (double) want[i], eps, eps * (1 + sqrt ((double) inputs)));
    else
      g_assert_cmpfloat (y[i], ==, untouched);
}

static void
test_vec (void)
{
  static const size_t sizes[] = { 0, 1, 7, 64, 65, 200 };
  static const double alphas[] = { 0, 0.1, 0.5, 1 };
  SlRng               rng;

  sl_rng_init (&rng, 1, "gather");
  for (size_t d = 0; d < G_N_ELEMENTS (sizes); d++)
    for (size_t h = 0; h < G_N_ELEMENTS (sizes); h++)
      for (size_t a = 0; a < G_N_ELEMENTS (alphas); a++)
        check_vec (&rng, sizes[d], sizes[h], alphas[a]);
}

static void
check_masked (SlRng *rng, size_t batch, size_t inputs, size_t units, double alpha)
{
  g_autofree sl_real *w = normals (rng, units * inputs), *b = normals (rng, units);
  g_autofree sl_real *x = normals (rng, batch * inputs);
  g_autofree sl_real *y = normals (rng, batch * units), *want = normals (rng, batch * units);
  g_autofree uint8_t *mask = g_malloc (batch * units + 1);

  for (size_t i = 0; i < batch * units; i++)
    {
      mask[i] = sl_rng_uniform (rng) < alpha ? 1 + (i % 2) * 254 : 0;
      y[i] = (sl_real) NAN;
    }
  y[batch * units] = untouched;
  sl_gather_masked (batch, inputs, units, w, b, x, mask, y);
  sl_gather_masked_ref (batch, inputs, units, w, b, x, mask, want);
  for (size_t i = 0; i < batch * units; i++)
    sl_assert_near ((double) y[i], (double) want[i], eps, eps * (1 + sqrt ((double) inputs)));
  g_assert_cmpfloat (y[batch * units], ==, untouched);
}

static void
test_masked (void)
{
  static const size_t batches[] = { 0, 1, 7, 64, 65 };
  static const size_t shapes[][2]
    = { { 1, 1 }, { 7, 65 }, { 64, 7 }, { 65, 64 }, { 300, 20 }, { 20, 600 }, { 0, 5 }, { 5, 0 } };
  static const double alphas[] = { 0, 0.1, 0.5, 1 };
  SlRng               rng;

  sl_rng_init (&rng, 2, "gather");
  for (size_t k = 0; k < G_N_ELEMENTS (batches); k++)
    for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++)
      for (size_t a = 0; a < G_N_ELEMENTS (alphas); a++)
        check_masked (&rng, batches[k], shapes[s][0], shapes[s][1], alphas[a]);
}

static void
check_gated (SlRng *rng, size_t batch, size_t inputs, size_t units, size_t outputs, double alpha)
{
  g_autofree sl_real *w = normals (rng, units * inputs), *b = normals (rng, units);
  g_autofree sl_real *x = normals (rng, batch * inputs), *gate = normals (rng, batch * units);
  g_autofree sl_real *v = normals (rng, units * outputs), *c = normals (rng, outputs);
  g_autofree sl_real *y = normals (rng, batch * outputs), *want = normals (rng, batch * outputs);
  double              scale = 1 + sqrt ((double) (inputs * units));

  for (size_t i = 0; i < batch * units; i++)
    if (!(sl_rng_uniform (rng) < alpha))
      gate[i] = 0;
  for (size_t i = 0; i < batch * outputs; i++)
    y[i] = (sl_real) NAN;
  y[batch * outputs] = untouched;
  sl_gather_gated (batch, inputs, units, outputs, w, b, x, gate, v, c, y);
  sl_gather_gated_ref (batch, inputs, units, outputs, w, b, x, gate, v, c, want);
  for (size_t i = 0; i < batch * outputs; i++)
    sl_assert_near ((double) y[i], (double) want[i], eps, 4 * eps * scale);
  g_assert_cmpfloat (y[batch * outputs], ==, untouched);
}

static void
test_gated (void)
{
  static const size_t batches[] = { 0, 1, 2, 7, 64, 65, 130 };
  static const size_t shapes[][3]
    = { { 1, 1, 1 },    { 7, 65, 2 },    { 65, 64, 10 }, { 300, 20, 17 },
        { 20, 600, 3 }, { 3, 2100, 40 }, { 0, 5, 2 },    { 5, 0, 2 } };
  static const double alphas[] = { 0, 0.1, 0.5, 1 };
  SlRng               rng;

  sl_rng_init (&rng, 3, "gather");
  for (size_t k = 0; k < G_N_ELEMENTS (batches); k++)
    for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++)
      for (size_t a = 0; a < G_N_ELEMENTS (alphas); a++)
        check_gated (&rng, batches[k], shapes[s][0], shapes[s][1], shapes[s][2], alphas[a]);
}

/* Every remainder of a row behind whole vectors of it, and of those behind whole blocks. */
static void
test_widths (void)
{
  SlRng rng;

  sl_rng_init (&rng, 4, "gather");
  for (size_t inputs = 1; inputs <= 260; inputs++)
    {
      check_masked (&rng, 5, inputs, 19, 0.4);
      check_gated (&rng, 5, inputs, 19, 3, 0.4);
    }
}

/* More units than are worked on together, and enough work that threads share it. */
static void
test_shared (void)
{
  SlRng rng;

  sl_rng_init (&rng, 5, "gather");
  check_masked (&rng, 3, 9, 2100, 0.3);
  check_masked (&rng, 64, 700, 801, 0.05);
  check_masked (&rng, 130, 700, 1101, 0.02);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gather/vector", test_vec);
  g_test_add_func ("/gather/batch", test_masked);
  g_test_add_func ("/gather/gated", test_gated);
  g_test_add_func ("/gather/widths", test_widths);
  g_test_add_func ("/gather/shared", test_shared);
  return g_test_run ();
}
