/* SPDX-License-Identifier: MIT
 *
 * Reduction to columns against a plain scan of every point.  */
#include <glib.h>
#include <math.h>

#include "plot/figure/reduce.h"
#include "tests/plot/plot-sample.h"

static void
fill (SlSeries *series, size_t n, unsigned seed, double holes)
{
  double step = seed % 2;

  for (size_t i = 0; i < n; i++)
    {
      double value = sin (0.01 * (double) i) + sample_noise (seed + 5 * i);

      if (sample_noise (seed + 3 * i) < holes)
        value = i % 5 == 0 ? (i % 2 == 0 ? HUGE_VAL : -HUGE_VAL) : (double) NAN;

      step += seed % 3 == 0 ? 1.0 : 1.0 + floor (20.0 * sample_noise (seed + 7 * i));
      g_assert_true (sl_series_append (series, step, value));
    }
}

/* Every column by looking at every point. */
static void
check (const SlPoints *points, const SlScale *scale, unsigned columns)
{
  g_autofree SlColumn *got = g_new (SlColumn, columns);
  size_t               taken = 0, inside = 0;

  sl_reduce (points, scale, columns, got);
  for (unsigned c = 0; c < columns; c++)
    {
      double from = sl_scale_unmap (scale, (double) c / columns);
      double to = sl_scale_unmap (scale, (double) (c + 1) / columns);
      double lo = HUGE_VAL, hi = -HUGE_VAL;
      size_t n = 0;

      for (size_t i = 0; i < points->n; i++)
        {
          double x = points->x[i];
          bool   here
            = (c == 0 ? x >= scale->lo : x >= from) && (c + 1 == columns ? x <= scale->hi : x < to);

          if (!here)
            continue;
          n++;
          if (isfinite (points->y[i]))
            {
              lo = fmin (lo, points->y[i]);
              hi = fmax (hi, points->y[i]);
            }
        }
      g_assert_cmpuint (got[c].n, ==, n);
      taken += n;
      if (lo <= hi)
        {
          g_assert_cmpfloat (got[c].lo, ==, lo);
          g_assert_cmpfloat (got[c].hi, ==, hi);
        }
      else
        g_assert_true (isnan (got[c].lo) && isnan (got[c].hi));
      if (n > 0)
        {
          double first = points->y[got[c].begin], last = points->y[got[c].begin + n - 1];

          g_assert_true (got[c].first == first || (isnan (first) && isnan (got[c].first)));
          g_assert_true (got[c].last == last || (isnan (last) && isnan (got[c].last)));
        }
    }
  for (size_t i = 0; i < points->n; i++)
    inside += points->x[i] >= scale->lo && points->x[i] <= scale->hi;
  g_assert_cmpuint (taken, ==, inside);
}

static void
test_equivalence (void)
{
  static const size_t sizes[] = { 0, 1, 2, 15, 16, 17, 63, 64, 65, 300, 4095, 12000 };

  for (unsigned s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (unsigned seed = 0; seed < 4; seed++)
      {
        SlSeries series = { 0 };
        SlPoints with, without;
        double   end;

        fill (&series, sizes[s], seed, seed == 2 ? 0.6 : 0.02);
        with = sl_points_of_series (&series);
        without = (SlPoints) { series.step, series.value, series.n, NULL };
        end = series.n > 0 ? series.step[series.n - 1] : 10.0;
        for (unsigned logarithmic = 0; logarithmic < 2; logarithmic++)
          {
            SlScale whole = sl_scale_new (logarithmic ? 1.0 : 0.0, end, logarithmic);
            SlScale part = sl_scale_new (0.31 * end, 0.52 * end, logarithmic);
            SlScale beyond = sl_scale_new (0.9 * end, 3.0 * end, logarithmic);

            check (&with, &whole, 97);
            check (&without, &whole, 97);
            check (&with, &part, 240);
            check (&with, &beyond, 31);
            check (&with, &whole, 1);
          }
        sl_series_clear (&series);
      }
}

/* Means by looking at every point. */
static void
check_means (const SlSeries *series, const SlScale *scale, unsigned columns)
{
  g_autofree SlCellMean *with = g_new (SlCellMean, columns), *without = g_new (SlCellMean, columns);
  g_autofree double     *edge = g_new (double, columns + 1);
  SlPoints               points = sl_points_of_series (series);

  sl_edges (scale, columns, edge);
  sl_means (&points, edge, columns, with);
  points.series = NULL;
  sl_means (&points, edge, columns, without);
  for (unsigned c = 0; c < columns; c++)
    {
      double sum = 0.0;
      size_t n = 0, finite = 0;
      bool   zero = true;

      for (size_t i = 0; i < series->n; i++)
        if (series->step[i] >= edge[c] && series->step[i] < edge[c + 1])
          {
            n++;
            if (!isfinite (series->value[i]))
              continue;
            sum += series->value[i];
            finite++;
            zero = zero && series->value[i] == 0.0;
          }
      g_assert_cmpuint (with[c].n, ==, n);
      g_assert_cmpuint (without[c].n, ==, n);
      g_assert_true (with[c].zero == without[c].zero);
      if (n == 0)
        {
          /* The nearest sample, or nothing beyond the data. */
          g_assert_true (with[c].mean == without[c].mean
                         || (isnan (with[c].mean) && isnan (without[c].mean)));
          continue;
        }
      g_assert_true (isnan (with[c].mean) == (finite == 0));
      if (finite == 0)
        continue;
      g_assert_true (with[c].zero == zero);
      g_assert_cmpfloat_with_epsilon (with[c].mean, sum / (double) finite, 1e-12);
      g_assert_cmpfloat_with_epsilon (without[c].mean, sum / (double) finite, 1e-12);
    }
}

static void
test_means (void)
{
  static const size_t sizes[] = { 0, 1, 2, 17, 300, 5000 };

  for (unsigned s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (unsigned seed = 0; seed < 4; seed++)
      {
        SlSeries series = { 0 };
        double   end;

        fill (&series, sizes[s], seed, seed == 2 ? 0.6 : 0.02);
        /* A stretch of nothing but zeros, and one where values cancel. */
        for (size_t i = 0; i < sizes[s] / 4; i++)
          g_assert_true (sl_series_append (&series, 1e6 + (double) i, 0.0));
        for (size_t i = 0; i < sizes[s] / 4; i++)
          g_assert_true (sl_series_append (&series, 2e6 + (double) i, i % 2 == 0 ? 1.0 : -1.0));
        end = series.n > 0 ? series.step[series.n - 1] : 10.0;
        for (unsigned logarithmic = 0; logarithmic < 2; logarithmic++)
          {
            SlScale whole = sl_scale_new (logarithmic ? 1.0 : 0.0, end, logarithmic);
            SlScale part = sl_scale_new (0.31 * end, 0.52 * end, logarithmic);

            check_means (&series, &whole, 97);
            check_means (&series, &part, 240);
            check_means (&series, &whole, 1);
          }
        sl_series_clear (&series);
      }
}

/* Sparse samples fill the width up to half their distance beyond the ends; holes stay holes. */
static void
test_nearest (void)
{
  static const double x[] = { 10, 20, 30, 40 };
  const double        y[] = { 1, 0, NAN, 4 };
  SlPoints            points = { x, y, 4, NULL };
  SlScale             scale = sl_scale_new (0.0, 50.0, false);
  SlCellMean          mean[50];
  double              edge[51];

  sl_edges (&scale, 50, edge);
  sl_means (&points, edge, 50, mean);
  g_assert_true (isnan (mean[4].mean) && mean[5].mean == 1.0 && mean[14].mean == 1.0);
  g_assert_true (mean[15].mean == 0.0 && mean[15].zero && !mean[14].zero);
  g_assert_true (isnan (mean[25].mean) && isnan (mean[34].mean) && !mean[30].zero);
  g_assert_true (mean[35].mean == 4.0 && mean[44].mean == 4.0 && isnan (mean[45].mean));
  g_assert_true (mean[10].n == 1 && mean[11].n == 0 && mean[30].n == 1);
}

static void
test_find (void)
{
  double   x[257];
  SlPoints points = { x, x, 257, NULL };

  for (unsigned i = 0; i < 257; i++)
    x[i] = floor (i / 3.0) * 2.0;
  for (double wanted = -3.0; wanted < 180.0; wanted += 0.5)
    {
      size_t expected = 0;

      while (expected < 257 && x[expected] < wanted)
        expected++;
      for (size_t near = 0; near < 300; near += 7)
        g_assert_cmpuint (sl_points_find (&points, wanted, near), ==, expected);
    }
}

/* One sample far out among a million stays in its column. */
static void
test_spike (void)
{
  enum { N = 1000000, COLUMNS = 600, AT = 543210 };
  SlSeries             series = { 0 };
  g_autofree SlColumn *columns = g_new (SlColumn, COLUMNS);
  SlScale              scale = sl_scale_new (0.0, N - 1, false);
  SlPoints             points;
  unsigned             high = 0;

  for (size_t i = 0; i < N; i++)
    g_assert_true (sl_series_append (&series, (double) i, i == AT ? 50.0 : sample_noise (i)));
  points = sl_points_of_series (&series);
  sl_reduce (&points, &scale, COLUMNS, columns);
  for (unsigned c = 0; c < COLUMNS; c++)
    if (columns[c].hi == 50.0)
      {
        high++;
        g_assert_true (columns[c].begin <= AT && AT < columns[c].begin + columns[c].n);
      }
  g_assert_cmpuint (high, ==, 1);
  sl_series_clear (&series);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/reduce/equivalence", test_equivalence);
  g_test_add_func ("/plot/reduce/means", test_means);
  g_test_add_func ("/plot/reduce/nearest", test_nearest);
  g_test_add_func ("/plot/reduce/find", test_find);
  g_test_add_func ("/plot/reduce/spike", test_spike);
  return g_test_run ();
}
