/* SPDX-License-Identifier: MIT
 *
 * Products with listed matrices, and layers that skip, against their dense twins; penalties on activations
 * against differences.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/penalty.h"
#include "core/nn/dense/skip.h"
#include "core/nn/kernels/sparse.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-13;
#else
static const double eps = 1e-5;
#endif

static sl_real *
normals (SlRng *rng, size_t n)
{
  sl_real *a = g_new (sl_real, n);

  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
  return a;
}

/* A share of them is not 0. */
static sl_real *
sparse_normals (SlRng *rng, size_t n, double share)
{
  sl_real *a = normals (rng, n);

  for (size_t i = 0; i < n; i++)
    a[i] = sl_rng_uniform (rng) < share ? a[i] : 0;
  return a;
}

static void
expect_same (size_t n, const sl_real *got, const sl_real *want, double terms)
{
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) got[i], (double) want[i], eps, eps * (1 + sqrt (terms)));
}

static void
check_product (SlRng *rng, size_t rows, size_t terms, size_t n, double share)
{
  g_autofree sl_real *a = sparse_normals (rng, rows * terms, share), *m = normals (rng, terms * n);
  g_autofree sl_real *t = g_new (sl_real, rows * terms), *c = g_new (sl_real, rows * n);
  g_autofree sl_real *want = g_new (sl_real, rows * n);
  SlArena             arena = { 0 };
  SlStatus            status;
  SlSparse            s;

  sl_sparse_carve (&s, rows, rows * terms, &arena);
  status = sl_arena_init (&arena, arena.used);
  g_assert_true (sl_ok (&status));
  sl_sparse_carve (&s, rows, rows * terms, &arena);
  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, rows, n, terms, 1, a, terms, m, n, 0, want, n);
  for (int turned = 0; turned < 2; turned++)
    {
      if (turned)
        {
          for (size_t r = 0; r < rows; r++)
            for (size_t k = 0; k < terms; k++)
              t[k * rows + r] = a[r * terms + k];
          sl_sparse_list_transposed (&s, rows, terms, t);
        }
      else
        sl_sparse_list (&s, rows, terms, a);
      g_assert_cmpuint (s.begin[rows * s.blocks], ==, sl_sparse_count (rows * terms, a));
      memset (c, 0xff, rows * n * sizeof *c); /* not-a-number: all is written */
      sl_sparse_mul (&s, n, m, c);
      expect_same (rows * n, c, want, (double) terms);
    }
  sl_arena_clear (&arena);
}

static void
test_product (void)
{
  static const size_t sizes[] = { 1, 7, 64, 130, 300 };
  static const double shares[] = { 0, 0.05, 0.5, 1 };
  SlRng               rng;

  sl_rng_init (&rng, 1, "sparse");
  for (size_t r = 0; r < G_N_ELEMENTS (sizes); r++)
    for (size_t k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (size_t n = 0; n < G_N_ELEMENTS (sizes); n++)
        check_product (&rng, sizes[r], sizes[k], sizes[n], shares[(r + k + n) % 4]);
  check_product (&rng, 30, 1024, 65, 0.3); /* the most that can be turned */
}

/* The same numbers as computing everything and masking. */
static void
check_layer (SlRng *rng, size_t batch, size_t inputs, size_t units, double share)
{
  g_autofree sl_real *x = normals (rng, batch * inputs), *w = normals (rng, units * inputs);
  g_autofree sl_real *b = normals (rng, units), *est = sparse_normals (rng, batch * units, share);
  g_autofree sl_real *pre = g_new (sl_real, batch * units), *want = g_new (sl_real, batch * units);
  g_autofree sl_real *grad[2] = { NULL, NULL };
  size_t              n = (inputs + 1) * units + batch * inputs, on = 0, slopes;
  SlArena             arena = { 0 };
  SlStatus            status;
  SlSkip              skip;

  sl_skip_carve (&skip, batch, units, batch * units, &arena);
  status = sl_arena_init (&arena, arena.used);
  g_assert_true (sl_ok (&status));
  sl_skip_carve (&skip, batch, units, batch * units, &arena);

  sl_dense_forward (batch, inputs, units, x, w, b, want);
  for (size_t i = 0; i < batch * units; i++)
    {
      want[i] = est[i] > 0 ? want[i] : 0;
      on += est[i] > 0;
    }
  g_assert_cmpuint (sl_skip_forward (&skip, batch, inputs, units, x, w, b, est, pre), ==, on);
  expect_same (batch * units, pre, want, (double) inputs);

  for (int i = 0; i < 2; i++)
    grad[i] = g_new (sl_real, n);
  sl_dense_backward (batch, inputs, units, x, w, est, grad[0], grad[0] + inputs * units,
                     grad[0] + (inputs + 1) * units);
  slopes = sl_skip_backward (&skip, batch, inputs, units, x, w, est, grad[1],
                             grad[1] + inputs * units, grad[1] + (inputs + 1) * units);
  expect_same (n, grad[1], grad[0], (double) (batch + units));
  g_assert_cmpuint (slopes, ==, share > 0.5 ? batch * units : sl_sparse_count (batch * units, est));
  g_free (grad[0]);
  grad[0] = NULL;
  g_free (grad[1]);
  grad[1] = NULL;
  sl_arena_clear (&arena);
}

static void
test_layer (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "skip");
  check_layer (&rng, 1, 5, 7, 0.3);
  check_layer (&rng, 70, 33, 65, 0.25);
  check_layer (&rng, 128, 200, 300, 0.1);
  check_layer (&rng, 20, 40, 50, 0.9);
  check_layer (&rng, 20, 40, 50, 0);
}

/* Units that few examples want are off for all; what is dropped is off. */
static void
test_masks (void)
{
  enum { B = 4, H = 3 };
  sl_real       est[B * H] = { 1, 1, -1, 2, -1, -1, 3, -1, -1, 4, 1, 1 };
  const sl_real want[B * H] = { 1, 1, 0, 2, -1, 0, 3, -1, 0, 4, 1, 0 };
  const uint8_t kept[B * H] = { 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1 };
  uint32_t      count[H];
  SlSkip        skip = { .count = count };

  sl_skip_columns (&skip, B, H, 0.5, est);
  for (int i = 0; i < B * H; i++)
    g_assert_cmpfloat (est[i], ==, want[i]);
  sl_skip_dropped (B * H, kept, est);
  for (int i = 0; i < B * H; i++)
    g_assert_cmpfloat (est[i], ==, kept[i] ? want[i] : 0);
}

/* What the divergence is where it can be worked out by hand, and its slope by differences. */
static void
test_activity (void)
{
  enum { B = 3, H = 2 };
  sl_real       a[B * H] = { (sl_real) 0.3, 0, (sl_real) 1.2, 0, 0, (sl_real) 0.5 };
  sl_real       rate[H], slope[B * H] = { 0 };
  SlActivations of = { B, H, 0.8, a };
  double        target = 0.2, want;

  sl_kl_rates (&of, rate);
  want = (2 - exp (-0.24) - exp (-0.96)) / (3 * 0.8);
  sl_assert_near ((double) rate[0], want, 1e-6, 0);
  sl_assert_near (sl_kl_mean (1, want, rate), 0, 0, 1e-6);
  sl_assert_near (sl_kl_mean (1, 0.2, &(sl_real) { (sl_real) 0.5 }),
                  0.2 * log (0.4) + 0.8 * log (1.6), 1e-6, 0);
  sl_kl_backward (&of, target, 2.0, rate, slope);
#ifdef SL_DOUBLE
  for (int i = 0; i < B * H; i++)
    if (a[i] > 0)
      {
        double step = 1e-6, up, down, before = a[i];

        a[i] = before + step;
        sl_kl_rates (&of, rate);
        up = sl_kl_mean (H, target, rate);
        a[i] = before - step;
        sl_kl_rates (&of, rate);
        down = sl_kl_mean (H, target, rate);
        a[i] = before;
        sl_assert_near (slope[i], (up - down) / step, 1e-7, 1e-8);
      }
    else
      g_assert_cmpfloat (slope[i], ==, 0);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/skip/product", test_product);
  g_test_add_func ("/skip/layer", test_layer);
  g_test_add_func ("/skip/masks", test_masks);
  g_test_add_func ("/skip/activity", test_activity);
  return g_test_run ();
}
