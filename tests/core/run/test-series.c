/* SPDX-License-Identifier: MIT
 *
 * The columns and their pyramid against plain scans.  */
#include "core/run/record/series.h"

#include <float.h>
#include <stdlib.h>

#include "core/base/rng.h"
#include "tests/support/close.h"

static bool
scan (const SlSeries *series, size_t first, size_t last, double *lo, double *hi)
{
  bool found = false;

  for (size_t i = first; i < last && i < series->n; i++)
    if (fabs (series->value[i]) <= DBL_MAX)
      {
        if (!found || series->value[i] < *lo)
          *lo = series->value[i];
        if (!found || series->value[i] > *hi)
          *hi = series->value[i];
        found = true;
      }
  return found;
}

static void
check_ranges (const SlSeries *series, SlRng *rng, unsigned times)
{
  for (unsigned t = 0; t < times; t++)
    {
      size_t first = sl_rng_below (rng, series->n + 2), last = sl_rng_below (rng, series->n + 20);
      double lo = 1.0, hi = 2.0, want_lo = 1.0, want_hi = 2.0;
      bool   found = sl_series_range (series, first, last, &lo, &hi);

      g_assert_cmpint (found, ==, scan (series, first, last, &want_lo, &want_hi));
      g_assert_cmpfloat (lo, ==, want_lo);
      g_assert_cmpfloat (hi, ==, want_hi);
    }
}

/* Means of any range, and none where there is no finite value. */
static void
check_means (const SlSeries *series, SlRng *rng, unsigned times)
{
  for (unsigned t = 0; t < times; t++)
    {
      size_t first = sl_rng_below (rng, series->n + 2), last = sl_rng_below (rng, series->n + 20);
      size_t count = 0;
      double mean = 7.0, sum = 0.0, size = 0.0;

      for (size_t i = first; i < last && i < series->n; i++)
        if (fabs (series->value[i]) <= DBL_MAX)
          {
            sum += series->value[i];
            size += fabs (series->value[i]);
            count++;
          }
      if (!sl_series_mean (series, first, last, &mean))
        {
          g_assert_cmpuint (count, ==, 0);
          g_assert_cmpfloat (mean, ==, 7.0);
          continue;
        }
      g_assert_cmpuint (count, >, 0);
      /* Values that cancel leave the rounding of the largest. */
      sl_assert_near (mean * (double) count, sum, 0.0, 1e-12 * size);
    }
}

/* Values with holes of every kind and length. */
static double
draw (SlRng *rng, size_t i)
{
  if (i % 1000 < 150)
    return NAN;
  switch (sl_rng_below (rng, 40))
    {
    case 0: return NAN;
    case 1: return HUGE_VAL;
    case 2: return -HUGE_VAL;
    default: return sl_rng_normal (rng);
    }
}

static void
test_empty (void)
{
  SlSeries series = { 0 };
  double   lo, hi;

  g_assert_false (sl_series_range (&series, 0, 10, &lo, &hi));
  g_assert_cmpuint (sl_series_find (&series, 3.0), ==, 0);
  sl_series_truncate (&series, 0.0);
  g_assert_cmpuint (series.version, ==, 0);
  for (int i = 0; i < 100; i++)
    g_assert_true (sl_series_append (&series, i, NAN));
  g_assert_false (sl_series_range (&series, 0, 100, &lo, &hi));
  g_assert_false (sl_series_range (&series, 60, 20, &lo, &hi));
  g_assert_false (sl_series_mean (&series, 0, 100, &lo));
  sl_series_clear (&series);
  g_assert_cmpuint (series.n, ==, 0);
}

static void
test_range (void)
{
  SlSeries series = { 0 };
  SlRng    rng;

  sl_rng_init (&rng, 1, "series");
  for (size_t i = 0; i < 20000; i++)
    {
      g_assert_true (sl_series_append (&series, (double) i, draw (&rng, i)));
      if (i < 300 || i % 997 == 0)
        {
          check_ranges (&series, &rng, 20);
          check_means (&series, &rng, 20);
        }
    }
  check_ranges (&series, &rng, 2000);
  check_means (&series, &rng, 2000);
  sl_series_clear (&series);
}

static void
test_million (void)
{
  SlSeries series = { 0 };
  SlRng    rng;
  double   lo = HUGE_VAL, hi = -HUGE_VAL, got_lo, got_hi;

  sl_rng_init (&rng, 2, "series");
  for (size_t i = 0; i < 1200000; i++)
    {
      double value = sl_rng_normal (&rng);

      lo = fmin (lo, value);
      hi = fmax (hi, value);
      g_assert_true (sl_series_append (&series, (double) i, value));
    }
  g_assert_cmpuint (series.n, ==, 1200000);
  g_assert_cmpuint (series.level[0].n, ==, 1200000 / SL_PYRAMID_LEAF);
  g_assert_true (sl_series_range (&series, 0, series.n, &got_lo, &got_hi));
  g_assert_cmpfloat (got_lo, ==, lo);
  g_assert_cmpfloat (got_hi, ==, hi);
  check_ranges (&series, &rng, 30);
  check_means (&series, &rng, 30);
  sl_series_clear (&series);
}

/* A sum that no double holds is no mean, and does not spoil the parts that have one. */
static void
test_huge (void)
{
  SlSeries series = { 0 };
  double   mean = 7.0;

  for (unsigned i = 0; i < 64; i++)
    g_assert_true (sl_series_append (&series, i, i < 32 ? DBL_MAX : 2.0));
  g_assert_false (sl_series_mean (&series, 0, 64, &mean));
  g_assert_cmpfloat (mean, ==, 7.0);
  g_assert_true (sl_series_mean (&series, 32, 64, &mean));
  g_assert_cmpfloat (mean, ==, 2.0);
  g_assert_true (sl_series_mean (&series, 31, 32, &mean));
  g_assert_cmpfloat (mean, ==, DBL_MAX);
  g_assert_false (sl_series_mean (&series, 64, 64, &mean));
  sl_series_clear (&series);
}

static void
test_find (void)
{
  SlSeries series = { 0 };

  for (int i = 0; i < 50; i++)
    g_assert_true (sl_series_append (&series, 10.0 + 3.0 * i, i));
  g_assert_cmpuint (sl_series_find (&series, -5.0), ==, 0);
  g_assert_cmpuint (sl_series_find (&series, 10.0), ==, 0);
  g_assert_cmpuint (sl_series_find (&series, 10.5), ==, 1);
  g_assert_cmpuint (sl_series_find (&series, 13.0), ==, 1);
  g_assert_cmpuint (sl_series_find (&series, 157.0), ==, 49);
  g_assert_cmpuint (sl_series_find (&series, 157.5), ==, 50);
  sl_series_clear (&series);
}

/* What grows again after a cut must not see anything of what was cut. */
static void
test_truncate (void)
{
  SlSeries series = { 0 };
  SlRng    rng;

  sl_rng_init (&rng, 3, "series");
  for (unsigned round = 0; round < 60; round++)
    {
      size_t   upto = series.n + sl_rng_below (&rng, 3000), keep;
      uint64_t version = series.version;

      for (size_t i = series.n; i < upto; i++)
        g_assert_true (sl_series_append (&series, (double) i, 1000.0 * round + draw (&rng, i)));
      check_ranges (&series, &rng, 50);
      check_means (&series, &rng, 50);
      if (series.n == 0)
        continue;
      keep = sl_rng_below (&rng, series.n);
      sl_series_truncate (&series, (double) keep);
      g_assert_cmpuint (series.n, ==, keep + 1);
      g_assert_true (series.version > version || keep + 1 == upto);
      check_ranges (&series, &rng, 50);
      check_means (&series, &rng, 50);
    }
  sl_series_truncate (&series, -1.0);
  g_assert_cmpuint (series.n, ==, 0);
  sl_series_clear (&series);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/series/empty", test_empty);
  g_test_add_func ("/series/range", test_range);
  g_test_add_func ("/series/million", test_million);
  g_test_add_func ("/series/huge", test_huge);
  g_test_add_func ("/series/find", test_find);
  g_test_add_func ("/series/truncate", test_truncate);
  return g_test_run ();
}
