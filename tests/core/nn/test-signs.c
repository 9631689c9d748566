/* SPDX-License-Identifier: MIT
 *
 * Figures of sign estimates against counts one number at a time, in blocks of every length.  */
#include "core/nn/dense/signs.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/support/close.h"

enum { MOST = 2100 }; /* more than two blocks */

#ifdef SL_DOUBLE
static const double eps = 1e-13;
#else
static const double eps = 1e-5;
#endif

/* Normal numbers with some zeros among them; behind the n-th not-a-number. */
static void
fill (SlRng *rng, size_t n, sl_real *to)
{
  for (size_t i = 0; i <= MOST; i++)
    to[i] = i >= n                        ? (sl_real) NAN
            : sl_rng_uniform (rng) < 0.15 ? 0
                                          : (sl_real) sl_rng_normal (rng);
}

static double
on (sl_real x)
{
  return x > 0 ? (double) x : 0.0;
}

static void
check_counts (SlRng *rng, size_t n)
{
  static sl_real pre[MOST + 1], est[MOST + 1];
  SlSigns        signs = { 1, 2, 3, 4, 5, 6, 7 }, want = signs;

  fill (rng, n, pre);
  fill (rng, n, est);
  sl_signs_count (n, pre, est, &signs);
  for (size_t i = 0; i < n; i++)
    {
      want.both += pre[i] > 0 && est[i] > 0;
      want.only_estimate += !(pre[i] > 0) && est[i] > 0;
      want.only_truth += pre[i] > 0 && !(est[i] > 0);
      want.neither += !(pre[i] > 0) && !(est[i] > 0);
      want.energy += on (pre[i]) * on (pre[i]);
      want.lost_energy += est[i] > 0 ? 0.0 : on (pre[i]) * on (pre[i]);
      want.estimate_error += pow (on (est[i]) - on (pre[i]), 2);
    }
  g_assert_cmpfloat (signs.both, ==, want.both);
  g_assert_cmpfloat (signs.only_estimate, ==, want.only_estimate);
  g_assert_cmpfloat (signs.only_truth, ==, want.only_truth);
  g_assert_cmpfloat (signs.neither, ==, want.neither);
  sl_assert_near (signs.energy, want.energy, eps, 0);
  sl_assert_near (signs.lost_energy, want.lost_energy, eps, 0);
  sl_assert_near (signs.estimate_error, want.estimate_error, eps, 0);
}

static void
check_cut (SlRng *rng, size_t n, double cut)
{
  static sl_real pre[MOST + 1];
  double         density, lost, above = 0.0, all = 0.0, small = 0.0;

  fill (rng, n, pre);
  pre[0] = 1;
  pre[n - 1] = (sl_real) cut; /* not above it */
  for (size_t i = 0; i < n; i++)
    {
      above += (double) pre[i] > cut;
      all += on (pre[i]) * on (pre[i]);
      small += (double) pre[i] > cut ? 0.0 : on (pre[i]) * on (pre[i]);
    }
  sl_signs_cut (n, pre, (sl_real) cut, &density, &lost);
  sl_assert_near (density, above / (double) n, 1e-15, 0);
  sl_assert_near (lost, small / all, eps, 0);
}

static void
check_drift (SlRng *rng, size_t n)
{
  static sl_real w[MOST + 1], anchor[MOST + 1];
  double         moved = 0.0, norm = 0.0;

  fill (rng, n, w);
  fill (rng, n, anchor);
  anchor[0] = 1;
  for (size_t i = 0; i < n; i++)
    {
      moved += pow ((double) w[i] - (double) anchor[i], 2);
      norm += (double) anchor[i] * (double) anchor[i];
    }
  sl_assert_near (sl_signs_drift (n, w, anchor), sqrt (moved / norm), eps, 0);
}

static void
test_counts (void)
{
  static const size_t sizes[] = { 2, 3, 15, 16, 17, 100, 1023, 1024, 1025, 2048, 2100 };
  SlRng               rng;

  sl_rng_init (&rng, 1, "signs");
  check_counts (&rng, 0);
  check_counts (&rng, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      check_counts (&rng, sizes[i]);
      check_cut (&rng, sizes[i], 0.0);
      check_cut (&rng, sizes[i], 0.75);
      check_drift (&rng, sizes[i]);
    }
}

static void
test_figures (void)
{
  const SlSigns signs = { .both = 3,
                          .only_estimate = 5,
                          .only_truth = 7,
                          .neither = 17,
                          .energy = 4,
                          .lost_energy = 1,
                          .estimate_error = 9 };

  sl_assert_near (sl_signs_agreement (&signs), 20.0 / 32, 1e-15, 0);
  sl_assert_near (sl_signs_all_off (&signs), 22.0 / 32, 1e-15, 0);
  sl_assert_near (sl_signs_recall (&signs), 3.0 / 10, 1e-15, 0);
  sl_assert_near (sl_signs_precision (&signs), 3.0 / 8, 1e-15, 0);
  sl_assert_near (sl_signs_false_alarm (&signs), 5.0 / 22, 1e-15, 0);
  sl_assert_near (sl_signs_lost (&signs), 0.25, 1e-15, 0);
  sl_assert_near (sl_signs_density (&signs), 8.0 / 32, 1e-15, 0);
  sl_assert_near (sl_signs_truth (&signs), 10.0 / 32, 1e-15, 0);
  sl_assert_near (sl_signs_estimate_error (&signs), 1.5, 1e-15, 0);
  sl_assert_near (sl_signs_gated_error (&signs), 0.5, 1e-15, 0);
  /* 10 inputs, 6 units, rank 3, half of them on. */
  g_assert_cmpfloat (sl_signs_dense_flops (10, 6), ==, 120);
  g_assert_cmpfloat (sl_signs_gated_flops (10, 6, 3, 0.5), ==, 3 * 31 + 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/signs/counts", test_counts);
  g_test_add_func ("/signs/figures", test_figures);
  return g_test_run ();
}
