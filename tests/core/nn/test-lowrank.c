/* SPDX-License-Identifier: MIT
 *
 * The tracked truncated SVD against LAPACK's: cold, warm, growing, exact, by energy, and what
 * it refuses.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/kernels/mat.h"
#include "tests/core/nn/gesdd.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-13, exact = 1e-13;
#else
/* Squares of small singular values drown in the rounding of the large ones. */
static const double eps = 1e-5, exact = 1e-4;
#endif

typedef struct
{
  size_t    h, d, most;
  SlRng     rng;
  SlArena   arena;
  SlLowRank lr;
  sl_real  *w;
} Fixture;

/* A matrix (h, d) whose singular values fall by `ratio` each. */
static void
setup (Fixture *f, size_t h, size_t d, double ratio)
{
  g_autofree sl_real *left = NULL, *right = NULL, *work = NULL;
  SlStatus            status;

  *f = (Fixture) { .h = h, .d = d, .most = MIN (h, d) };
  sl_rng_init (&f->rng, 1, "lowrank");
  for (int pass = 0; pass < 2; pass++)
    {
      sl_lowrank_init (&f->lr, h, d, &f->arena, &f->arena);
      f->w = sl_arena_reals (&f->arena, h * d);
      if (pass == 0)
        {
          status = sl_arena_init (&f->arena, f->arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  left = g_new (sl_real, h * f->most);
  right = g_new (sl_real, d * f->most);
  work = g_new (sl_real, sl_mat_qr_work (MAX (h, d), f->most));
  for (size_t i = 0; i < h * f->most; i++)
    left[i] = (sl_real) sl_rng_normal (&f->rng);
  for (size_t i = 0; i < d * f->most; i++)
    right[i] = (sl_real) sl_rng_normal (&f->rng);
  sl_mat_qr (h, f->most, left, work);
  sl_mat_qr (d, f->most, right, work);
  for (size_t i = 0; i < h * f->most; i++)
    left[i] *= (sl_real) (3 * pow (ratio, (double) (i % f->most)));
  sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, h, d, f->most, 1, left, f->most, right, f->most, 0, f->w,
                  d);
}

static void
teardown (Fixture *f)
{
  sl_arena_clear (&f->arena);
}

/* U V' of the factors into product (h, d). */
static void
expand (const Fixture *f, sl_real *product)
{
  sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, f->h, f->d, f->lr.rank, 1, f->lr.u, f->lr.kept, f->lr.v,
                  f->lr.kept, 0, product, f->d);
}

/* How far W - U V' is from the best possible for the rank, as a share of ‖W‖, and whether
 * what the factors say of themselves is true.  */
static double
excess (const Fixture *f)
{
  size_t              h = f->h, d = f->d, r = f->most;
  g_autofree sl_real *u = g_new (sl_real, h * r), *s = g_new (sl_real, r);
  g_autofree sl_real *vt = g_new (sl_real, r * d), *product = g_new (sl_real, h * d);
  SlStatus            status = sl_mat_svd (h, d, f->w, u, s, vt);
  double              all = 0, best = 0, ours = 0;

  g_assert_true (sl_ok (&status));
  expand (f, product);
  for (size_t i = 0; i < h * d; i++)
    {
      all += (double) f->w[i] * (double) f->w[i];
      ours += pow ((double) f->w[i] - (double) product[i], 2);
    }
  for (size_t k = f->lr.rank; k < r; k++)
    best += (double) s[k] * (double) s[k];
  sl_assert_near (f->lr.energy, all, eps, 0);
  sl_assert_near (f->lr.lost, ours / all, 1e-3, eps);
  for (size_t k = 0; k < f->lr.rank; k++)
    g_assert_true (k == 0 || f->lr.sigma[k] <= f->lr.sigma[k - 1]);
  return (sqrt (ours) - sqrt (best)) / sqrt (all);
}

static void
refresh (Fixture *f, size_t rank)
{
  SlStatus status = sl_lowrank_refresh (&f->lr, f->w, rank, 1, &f->rng);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (f->lr.rank, ==, MIN (rank, f->most));
  g_assert_cmpuint (f->lr.kept, <=, f->most);
}

/* Cold starts at every kind of rank, for wide and tall matrices. */
static void
test_ranks (void)
{
  static const size_t shapes[][2] = { { 100, 70 }, { 70, 100 }, { 64, 64 }, { 1, 7 }, { 7, 1 } };

  for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      const size_t ranks[] = { 1, 5, 20, 40, 69, 70, 1000, 0, 3 };
      Fixture      f;

      setup (&f, shapes[s][0], shapes[s][1], 0.9);
      for (size_t r = 0; r < G_N_ELEMENTS (ranks); r++)
        {
          sl_lowrank_reset (&f.lr);
          refresh (&f, ranks[r]);
          sl_assert_near (excess (&f), 0, 0, f.lr.kept == f.most ? exact : 1e-4);
        }
      teardown (&f);
    }
}

/* A matrix that drifts is followed by one round each: after 30 of them the factors are as good
 * as exact ones, also when the rank is changed on the way.  */
static void
test_drift (void)
{
  Fixture f;

  setup (&f, 120, 90, 0.93);
  for (int i = 0; i < 30; i++)
    {
      refresh (&f, i < 10 ? 12 : i < 20 ? 4 : 15);
      sl_assert_near (excess (&f), 0, 0, 1e-3);
      for (size_t j = 0; j < f.h * f.d; j++)
        f.w[j] += (sl_real) (2e-4 * sl_rng_normal (&f.rng));
    }
  /* Standing still, it converges. */
  for (int i = 0; i < 10; i++)
    refresh (&f, 15);
  sl_assert_near (excess (&f), 0, 0, 1e-6);
  teardown (&f);
}

/* The first directions so strong that a filter drowns the others in rounding errors, and
 * matrices that have fewer directions than are asked for.  */
static void
test_spectra (void)
{
  Fixture f;

  setup (&f, 100, 80, 0.6);
  refresh (&f, 8);
  sl_assert_near (excess (&f), 0, 0, 1e-5);
  for (int i = 0; i < 5; i++)
    refresh (&f, 12);
  sl_assert_near (excess (&f), 0, 0, 1e-5);

  /* Rank 1, and nothing at all. */
  for (size_t i = 0; i < f.h; i++)
    for (size_t j = 0; j < f.d; j++)
      f.w[i * f.d + j] = (sl_real) (i + 1) * (sl_real) (j % 7);
  for (int i = 0; i < 3; i++)
    refresh (&f, 5);
  sl_assert_near (excess (&f), 0, 0, 10 * eps);
  memset (f.w, 0, f.h * f.d * sizeof *f.w);
  for (int i = 0; i < 3; i++)
    {
      refresh (&f, 5);
      g_assert_cmpfloat (f.lr.energy, ==, 0);
      g_assert_cmpfloat (f.lr.lost, ==, 0);
      for (size_t j = 0; j < f.h * 5; j++)
        g_assert_cmpfloat (f.lr.u[j / 5 * f.lr.kept + j % 5], ==, 0);
    }
  teardown (&f);
}

/* The signs of the estimate are those of the exact truncation. */
static void
test_estimate (void)
{
  enum { BATCH = 40, RANK = 10 };
  Fixture             f;
  g_autofree sl_real *x = NULL, *b = NULL, *low = NULL, *est = NULL, *want = NULL, *product = NULL;

  setup (&f, 100, 70, 0.9);
  x = g_new (sl_real, BATCH * f.d);
  b = g_new (sl_real, f.h);
  low = g_new (sl_real, BATCH * RANK);
  est = g_new (sl_real, BATCH * f.h);
  want = g_new (sl_real, BATCH * f.h);
  product = g_new (sl_real, f.h * f.d);
  for (size_t i = 0; i < BATCH * f.d; i++)
    x[i] = (sl_real) sl_rng_normal (&f.rng);
  for (size_t i = 0; i < f.h; i++)
    b[i] = (sl_real) sl_rng_normal (&f.rng);

  for (size_t rank = 0; rank <= RANK; rank += RANK)
    {
      refresh (&f, rank);
      expand (&f, product);
      for (size_t i = 0; i < BATCH * f.h; i++)
        {
          want[i] = b[i % f.h] - (sl_real) 0.25;
          est[i] = (sl_real) NAN;
        }
      sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, BATCH, f.h, f.d, 1, x, f.d, product, f.d, 1, want,
                      f.h);
      sl_lowrank_estimate (&f.lr, BATCH, x, b, (sl_real) 0.25, low, est);
      for (size_t i = 0; i < BATCH * f.h; i++)
        sl_assert_near ((double) est[i], (double) want[i], 0, 10 * eps);
      if (rank == 0)
        g_assert_cmpfloat (f.lr.lost, ==, 1);
    }
  teardown (&f);
}

/* The smallest rank that keeps the bound, cold and warm. */
static void
test_energy (void)
{
  static const double bounds[] = { 0.5, 0.1, 0.3, 0.01, 0.1, 1, 0 };
  Fixture             f;

  setup (&f, 100, 70, 0.9);
  for (size_t i = 0; i < G_N_ELEMENTS (bounds); i++)
    {
      /* The values fall by 0.9, so rank k of 70 loses (0.81^k - 0.81^70) / (1 - 0.81^70). */
      double   all = 1 - pow (0.81, 70);
      size_t   want = 0;
      SlStatus status;

      while (want < 60 && pow (0.81, (double) want) - pow (0.81, 70) > bounds[i] * all)
        want++;
      status = sl_lowrank_refresh_energy (&f.lr, f.w, bounds[i], 60, 1, &f.rng);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (f.lr.rank, ==, want);
      sl_assert_near (excess (&f), 0, 0, 1e-3);
    }
  /* The cap holds, and a cap of 0 is rank 0. */
  for (size_t cap = 0; cap < 4; cap++)
    {
      SlStatus status = sl_lowrank_refresh_energy (&f.lr, f.w, 0.01, cap, 1, &f.rng);

      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (f.lr.rank, ==, cap);
    }
  teardown (&f);
}

static void
test_refusals (void)
{
  static const double bad[] = { NAN, INFINITY, -INFINITY };
  Fixture             f;
  g_autofree sl_real *before = NULL, *after = NULL;

  setup (&f, 50, 40, 0.8);
  before = g_new (sl_real, f.h * f.d);
  after = g_new (sl_real, f.h * f.d);
  refresh (&f, 6);
  expand (&f, before);
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      double   energy = f.lr.energy, lost = f.lr.lost;
      SlStatus status;
      sl_real  was = f.w[77];

      f.w[77] = (sl_real) bad[i];
      status = sl_lowrank_refresh (&f.lr, f.w, 9, 1, &f.rng);
      g_assert_cmpint (status.code, ==, SL_EDIVERGED);
      status = sl_lowrank_refresh_energy (&f.lr, f.w, 0.1, 9, 1, &f.rng);
      g_assert_cmpint (status.code, ==, SL_EDIVERGED);
      f.w[77] = was;
      g_assert_cmpuint (f.lr.rank, ==, 6);
      g_assert_cmpfloat (f.lr.energy, ==, energy);
      g_assert_cmpfloat (f.lr.lost, ==, lost);
      expand (&f, after);
      g_assert_cmpmem (before, f.h * f.d * sizeof *before, after, f.h * f.d * sizeof *after);
    }
  teardown (&f);
}

/* Multiply-adds of a refresh, counted by hand: W V (H D K), Gram (H K²), eigenvectors (4 K³), U and V turned
 * ((H + D) K²); then two products for each round and a basis of two products (2 D K²).  */
static void
test_macs (void)
{
  const SlLowRank some = { .units = 10, .inputs = 6, .most = 6, .kept = 3 };
  const SlLowRank all = { .units = 10, .inputs = 6, .most = 6, .kept = 6 };
  const SlLowRank wide = { .units = 6, .inputs = 8, .most = 6, .kept = 6 };

  g_assert_cmpfloat (sl_lowrank_macs (&some, 2), ==, 180 + 90 + 108 + 144 + 2 * 2 * 180 + 108);
  g_assert_cmpfloat (sl_lowrank_macs (&all, 2), ==, 360 + 360 + 864 + 576);
  g_assert_cmpfloat (sl_lowrank_macs (&wide, 2), ==, 288 + 216 + 864 + 504 + 576);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lowrank/ranks", test_ranks);
  g_test_add_func ("/lowrank/drift", test_drift);
  g_test_add_func ("/lowrank/spectra", test_spectra);
  g_test_add_func ("/lowrank/estimate", test_estimate);
  g_test_add_func ("/lowrank/energy", test_energy);
  g_test_add_func ("/lowrank/refusals", test_refusals);
  g_test_add_func ("/lowrank/macs", test_macs);
  return g_test_run ();
}
