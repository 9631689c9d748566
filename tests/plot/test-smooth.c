/* SPDX-License-Identifier: MIT
 *
 * Smoothed curves: what they are means of, and which curves have none.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/curves.h"
#include "plot/figure/panel.h"
#include "plot/figure/smooth.h"
#include "tests/plot/plot-sample.h"

enum { SAMPLES = 3000 };

typedef struct
{
  SlFigure figure;
  SlCurve *curve;
  SlSeries series;
} Fixture;

/* Noise that is the same each time, in -1 … 1. */
static double
noise (unsigned i)
{
  return sin (12.9898 * i + 78.233 * (i % 7)) * cos (3.7 * i * i);
}

static double
noisy (unsigned i)
{
  return 2.0 + noise (i) + i / 2000.0;
}

static double
clean (unsigned i)
{
  return 3.0 * exp (-(double) i / 400.0);
}

static void
fill (Fixture *f, unsigned from, unsigned to, double (*value) (unsigned))
{
  for (unsigned i = from; i < to; i++)
    g_assert_true (sl_series_append (&f->series, i, value (i)));
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->figure.kind = SL_SERIES;
  f->figure.view.smooth = SL_SMOOTH_USUAL;
  sl_figure_begin (&f->figure);
  f->curve = sl_figure_curve (&f->figure, "one");
  sl_figure_follow (f->curve, &f->series);
  sl_figure_end (&f->figure);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  sl_figure_clear (&f->figure);
  sl_series_clear (&f->series);
}

static SlPoints
line (Fixture *f)
{
  f->figure.fitted = false;
  sl_figure_fit (&f->figure, HUGE_VAL);
  return sl_smooth_points (f->curve);
}

/* Mean distance between a point and the middle of its neighbours. */
static double
roughness (const SlPoints *points)
{
  double sum = 0.0;

  for (size_t i = 1; i + 1 < points->n; i++)
    sum += fabs (points->y[i] - 0.5 * (points->y[i - 1] + points->y[i + 1]));
  return sum / (double) (points->n - 2);
}

static void
test_means (Fixture *f, gconstpointer data)
{
  SlPoints raw, smooth;

  fill (f, 0, SAMPLES, noisy);
  smooth = line (f);
  raw = sl_points_of_series (&f->series);
  g_assert_cmpuint (smooth.n, >, 200);
  g_assert_cmpuint (smooth.n, <, 600);
  g_assert_cmpfloat (roughness (&smooth), <, 0.2 * roughness (&raw));
  g_assert_cmpfloat (smooth.x[0], ==, 0.0);
  g_assert_cmpfloat (smooth.x[smooth.n - 1], ==, SAMPLES - 1);
  for (size_t k = 0; k < smooth.n; k++)
    {
      double half = 0.5 * SL_SMOOTH_USUAL * SAMPLES, sum = 0.0;
      size_t at = (size_t) smooth.x[k], n = 0;

      half = fmin (half, (double) at);
      for (size_t i = 0; i < SAMPLES; i++)
        if (fabs ((double) i - (double) at) <= half + 0.6)
          {
            sum += raw.y[i];
            n++;
          }
      g_assert_cmpfloat_with_epsilon (smooth.y[k], sum / (double) n, 3.0 / (double) n);
      g_assert_cmpfloat (sl_smooth_at (f->curve, smooth.x[k]), ==, smooth.y[k]);
    }
}

/* Closer, a point is the mean of fewer samples. */
static void
test_zoom (Fixture *f, gconstpointer data)
{
  SlPoints smooth;
  double   far;

  fill (f, 0, SAMPLES, noisy);
  smooth = line (f);
  far = roughness (&smooth);
  f->figure.view.zoomed = true;
  f->figure.view.x_lo = 1000.0;
  f->figure.view.x_hi = 1400.0;
  smooth = line (f);
  g_assert_cmpfloat (roughness (&smooth), >, 1.5 * far);
  g_assert_cmpfloat (smooth.x[0], >=, 999.0);
  g_assert_cmpfloat (smooth.x[smooth.n - 1], <=, 1401.0);
  /* So near that there is nothing to take a mean of. */
  f->figure.view.x_hi = 1050.0;
  g_assert_cmpuint (line (f).n, ==, 0);
}

/* A line does not tremble: its corners stay where they are as the run goes on. */
static void
test_still (Fixture *f, gconstpointer data)
{
  g_autofree double *before = NULL;
  SlPoints           smooth;
  size_t             n;

  fill (f, 0, SAMPLES, noisy);
  smooth = line (f);
  n = smooth.n;
  before = g_memdup2 (smooth.x, n * sizeof *before);
  fill (f, SAMPLES, SAMPLES + 3, noisy);
  smooth = line (f);
  for (size_t k = 0; k + 1 < n; k++)
    g_assert_cmpfloat (smooth.x[k], ==, before[k]);
}

static void
test_none (Fixture *f, gconstpointer data)
{
  SlPoints raw, points;

  /* Too few. */
  fill (f, 0, 60, noisy);
  g_assert_cmpuint (line (f).n, ==, 0);
  /* Smooth as it is. */
  sl_series_truncate (&f->series, -1.0);
  fill (f, 0, SAMPLES, clean);
  g_assert_cmpuint (line (f).n, ==, 0);
  /* What a rewind cut away leaves nothing. */
  sl_series_truncate (&f->series, -1.0);
  fill (f, 0, SAMPLES, noisy);
  g_assert_cmpuint (line (f).n, >, 0);
  for (unsigned style = 0; style <= SL_PUBLISHED; style++)
    {
      f->curve->style = (SlStyle) style;
      g_assert_cmpint (line (f).n > 0, ==, style == SL_MEASURED);
    }
  f->curve->style = SL_MEASURED;
  /* Raw only. */
  f->figure.view.smooth = 0.0;
  g_assert_cmpuint (line (f).n, ==, 0);
  points = sl_draw_points (&f->figure, f->curve, &raw);
  g_assert_true (points.y == f->series.value && raw.n == 0);
  f->figure.view.smooth = SL_SMOOTH_USUAL;
  line (f);
  points = sl_draw_points (&f->figure, f->curve, &raw);
  g_assert_true (points.y == f->curve->smooth.y && raw.y == f->series.value);
  /* A pale run has no paler one behind it. */
  f->curve->ghost = true;
  sl_draw_points (&f->figure, f->curve, &raw);
  g_assert_cmpuint (raw.n, ==, 0);
}

static double
with_gap (unsigned i)
{
  return i >= 1000 && i < 1200 ? (double) NAN : noisy (i);
}

static void
test_gap (Fixture *f, gconstpointer data)
{
  SlPoints smooth;
  unsigned gaps = 0;

  fill (f, 0, SAMPLES, with_gap);
  smooth = line (f);
  for (size_t k = 0; k < smooth.n; k++)
    {
      bool in = smooth.x[k] >= 1000.0 && smooth.x[k] < 1200.0;

      g_assert_cmpint (isnan (smooth.y[k]), ==, in);
      gaps += in;
    }
  g_assert_cmpuint (gaps, >, 10);
  g_assert_true (isnan (sl_smooth_at (f->curve, 1100.0)));
}

/* On a logarithmic axis, too, no mean is wider than its share, and the beginning is as it was. */
static void
test_logarithmic (Fixture *f, gconstpointer data)
{
  SlPoints smooth;

  fill (f, 1, SAMPLES, noisy);
  f->figure.view.log_x = true;
  smooth = line (f);
  g_assert_cmpuint (smooth.n, >, 50);
  for (size_t k = 0; k < smooth.n && smooth.x[k] < 10.0; k++)
    g_assert_cmpfloat (smooth.y[k], ==, noisy ((unsigned) smooth.x[k]));
}

/* The curves of a panel begin smoothed; rows, bars and maps have nothing to smooth. */
static void
test_panels (void)
{
  SlRecord record;

  sample_record (&record, 100, 1);
  for (unsigned p = 0; p < record.lab->n_panels; p++)
    g_assert_cmpint (sl_panel_view (record.lab, p).smooth > 0.0, ==,
                     record.lab->panels[p].kind == SL_SERIES);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/plot/smooth/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("means", test_means);
  ADD ("zoom", test_zoom);
  ADD ("still", test_still);
  ADD ("none", test_none);
  ADD ("gap", test_gap);
  ADD ("logarithmic", test_logarithmic);
  g_test_add_func ("/plot/smooth/panels", test_panels);
  return g_test_run ();
}
