/* SPDX-License-Identifier: MIT
 *
 * What compares runs, without a display: bands and differences against sums written out, overlays
 * with their groups, the front against all pairs, brushes, and all of it as files.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/student.h"
#include "plot/charts/front.h"
#include "plot/charts/overlay.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/layout/parallel.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static void
fill (SlSeries *series, size_t n, double first, double apart, uint64_t seed)
{
  for (size_t i = 0; i < n; i++)
    g_assert_true (
      sl_series_append (series, first + apart * (double) i, 1.0 + sample_noise (seed * 1000 + i)));
}

/* On the line between the samples around a step, the slow way. */
static double
at_step (const SlSeries *series, double step)
{
  for (size_t i = 0; i < series->n; i++)
    if (series->step[i] == step)
      return series->value[i];
  for (size_t i = 1; i < series->n; i++)
    if (series->step[i - 1] < step && series->step[i] > step)
      return series->value[i - 1]
             + (step - series->step[i - 1]) / (series->step[i] - series->step[i - 1])
                 * (series->value[i] - series->value[i - 1]);
  return NAN;
}

static void
test_band (void)
{
  SlSeries        run[3] = { 0 };
  const SlSeries *runs[3] = { &run[0], &run[1], &run[2] };
  SlBand          band = { 0 };

  /* Different beginnings, distances and ends. */
  fill (&run[0], 60, 0.0, 10.0, 1);
  fill (&run[1], 40, 5.0, 12.0, 2);
  fill (&run[2], 20, 100.0, 10.0, 3);
  for (unsigned kind = SL_BAND_INTERVAL; kind <= SL_BAND_RANGE; kind++)
    {
      g_assert_true (sl_band_make (&band, runs, 3, (SlBandKind) kind));
      g_assert_cmpuint (band.n, ==, 3);
      g_assert_cmpuint (band.mean.n, >, 60);
      g_assert_cmpuint (band.low.n, ==, band.mean.n);
      g_assert_cmpuint (band.high.n, ==, band.mean.n);
      for (size_t i = 0; i < band.mean.n; i++)
        {
          double step = band.mean.step[i], sum = 0.0, squares = 0.0, lo = HUGE_VAL, hi = -HUGE_VAL;
          unsigned n = 0;

          g_assert_true (i == 0 || step > band.mean.step[i - 1]);
          for (unsigned r = 0; r < 3; r++)
            {
              double value = at_step (&run[r], step);

              if (isnan (value))
                continue;
              n++;
              sum += value;
              squares += value * value;
              lo = fmin (lo, value);
              hi = fmax (hi, value);
            }
          g_assert_cmpuint (n, >, 0);
          if (kind == SL_BAND_INTERVAL)
            {
              /* Student's t of 0.975 by degrees of freedom. */
              static const double t[] = { 0.0, 12.706204736175, 4.302652729696 };
              double sd = n > 1 ? sqrt (fmax (squares - sum * sum / n, 0.0) / (n - 1)) : 0.0;

              lo = sum / n - t[n - 1] * sd / sqrt (n);
              hi = sum / n + t[n - 1] * sd / sqrt (n);
            }
          sl_assert_near (band.mean.value[i], sum / n, 1e-12, 0.0);
          sl_assert_near (band.low.value[i], lo, 1e-9, 1e-7);
          sl_assert_near (band.high.value[i], hi, 1e-9, 1e-7);
        }
    }
  /* No step of any run is missing. */
  for (unsigned r = 0; r < 3; r++)
    for (size_t i = 0; i < run[r].n; i++)
      g_assert_cmpfloat (band.mean.step[sl_series_find (&band.mean, run[r].step[i])], ==,
                         run[r].step[i]);
  sl_band_clear (&band);
  for (unsigned r = 0; r < 3; r++)
    sl_series_clear (&run[r]);
}

/* A run has no part in the band where it is not a number, nor beside that. */
static void
test_band_gaps (void)
{
  SlSeries        run[2] = { 0 };
  const SlSeries *runs[2] = { &run[0], &run[1] };
  const double    holed[] = { 2, NAN, 4, 5 };
  SlBand          band = { 0 };

  for (unsigned i = 0; i < 4; i++)
    g_assert_true (sl_series_append (&run[0], 10.0 * i, holed[i]));
  for (unsigned i = 0; i < 7; i++)
    g_assert_true (sl_series_append (&run[1], 5.0 * i, 1.0));
  g_assert_true (sl_band_make (&band, runs, 2, SL_BAND_RANGE));
  g_assert_cmpuint (band.mean.n, ==, 7);
  g_assert_cmpfloat (band.mean.value[0], ==, 1.5);
  for (unsigned i = 1; i <= 3; i++)
    g_assert_cmpfloat (band.mean.value[i], ==, 1.0);
  g_assert_cmpfloat (band.mean.value[4], ==, 2.5);
  g_assert_cmpfloat (band.high.value[5], ==, 4.5);
  sl_series_clear (&run[0]);
  sl_series_clear (&run[1]);
  g_assert_true (sl_band_make (&band, NULL, 0, SL_BAND_RANGE));
  g_assert_cmpuint (band.mean.n, ==, 0);
  sl_band_clear (&band);
}

/* Of two groups at every step that both reach, by Welch; of two single runs without an interval. */
static void
test_difference (void)
{
  SlSeries        run[4] = { 0 };
  const SlSeries *first[2] = { &run[0], &run[1] }, *second[2] = { &run[2], &run[3] };
  SlBand          band = { 0 };

  for (unsigned r = 0; r < 4; r++)
    fill (&run[r], 30, r < 2 ? 0.0 : 50.0, r % 2 ? 10.0 : 15.0, r + 1);
  g_assert_true (sl_band_gap (&band, first, 2, second, 2));
  g_assert_cmpuint (band.n, ==, 4);
  g_assert_cmpuint (band.mean.n, >, 30);
  for (size_t i = 0; i < band.mean.n; i++)
    {
      double step = band.mean.step[i], value[4], mean[2] = { 0 }, square[2] = { 0 }, half;

      for (unsigned r = 0; r < 4; r++)
        value[r] = at_step (&run[r], step);
      for (unsigned g = 0; g < 2; g++)
        {
          bool both = isfinite (value[2 * g]) && isfinite (value[2 * g + 1]);

          mean[g] = both ? (value[2 * g] + value[2 * g + 1]) / 2
                         : fmax (value[2 * g], value[2 * g + 1]); /* the one that is a number */
          square[g] = both ? pow (value[2 * g] - value[2 * g + 1], 2.0) / 4 : (double) NAN;
        }
      g_assert_cmpfloat (step, >=, 50.0);
      sl_assert_near (band.mean.value[i], mean[1] - mean[0], 1e-9, 1e-9);
      half = band.high.value[i] - band.mean.value[i];
      if (isnan (square[0] + square[1]))
        {
          g_assert_true (isnan (half));
          continue;
        }
      sl_assert_near (
        half,
        sqrt (square[0] + square[1])
          * sl_student_quantile (0.975, pow (square[0] + square[1], 2.0)
                                          / (square[0] * square[0] + square[1] * square[1])),
        1e-6, 1e-6);
      sl_assert_near (band.mean.value[i] - band.low.value[i], half, 1e-9, 1e-9);
    }

  /* A step that a rewind has twice: the later sample counts. */
  g_assert_true (sl_series_append (&run[0], run[0].step[29], 7.0));
  g_assert_true (sl_band_gap (&band, first, 1, second, 1));
  for (size_t i = 0; i < band.mean.n; i++)
    {
      g_assert_true (isnan (band.low.value[i]));
      if (band.mean.step[i] == run[0].step[29])
        sl_assert_near (band.mean.value[i], at_step (&run[2], band.mean.step[i]) - 7.0, 1e-9, 0.0);
    }
  sl_band_clear (&band);
  for (unsigned r = 0; r < 4; r++)
    sl_series_clear (&run[r]);
}

static void
test_overlay (void)
{
  SlRecord  record[3];
  SlFigure  figure = { 0 };
  SlReading reading[SL_CURVES_MAX];
  char      text[256];
  unsigned  layers = 0;

  for (unsigned r = 0; r < 3; r++)
    sample_record (&record[r], 200, r + 1);
  for (unsigned round = 0; round < 2; round++)
    {
      sl_overlay_begin (&figure, &sample_lab, SAMPLE_AGREEMENT);
      for (unsigned r = 0; r < 3; r++)
        {
          char         title[16];
          SlOverlayRun run = { title, r + 1, r, r == 2 };

          g_snprintf (title, sizeof title, "run %u", r + 1);
          g_assert_true (sl_overlay_record (&figure, &run, &record[r]));
        }
      sl_overlay_end (&figure);
      /* Three layers of three runs; references would only be doubled. */
      g_assert_cmpuint (figure.n_curves, ==, 9);
      if (round == 0)
        sl_figure_hide (&figure, 4, true);
    }
  g_assert_cmpstr (sl_english_text (figure.curve[0].title), ==, "run 1, agreement, layer 1");
  g_assert_cmpstr (figure.title, ==, "Sign agreement");
  for (unsigned c = 0; c < 9; c++)
    {
      /* A run is hidden as a whole, and stays so. */
      g_assert_true (figure.curve[c].hidden == (c / 3 == 1));
      g_assert_true (figure.curve[c].ghost == (c / 3 == 2));
      g_assert_cmpuint (figure.curve[c].slot % SL_THEME_COLOURS, ==, c / 3);
      layers += figure.curve[c].slot / SL_THEME_COLOURS;
    }
  g_assert_cmpuint (layers, ==, 3 * (0 + 1 + 2));
  g_assert_nonnull (strstr (sl_english_text (figure.note), "layer 2 (long dashes)"));

  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpuint (sl_figure_read (&figure, 1000.0, 10.0, reading, SL_CURVES_MAX), ==, 6);
  sl_reading_text (&figure, &reading[0], text, sizeof text);
  g_assert_true (g_str_has_prefix (text, "run 1, agreement, layer 1: "));

  /* Another panel: other curves and ranges. */
  sl_overlay_begin (&figure, &sample_lab, SAMPLE_SPREAD);
  g_assert_true (sl_overlay_record (&figure, &(SlOverlayRun) { "run 1", 1, 0, false }, &record[0]));
  sl_overlay_end (&figure);
  g_assert_cmpuint (figure.n_curves, ==, 1);
  g_assert_cmpuint (figure.curve[0].n, ==, 12);
  g_assert_nonnull (figure.curve[0].spread);
  sl_figure_clear (&figure);
  for (unsigned r = 0; r < 3; r++)
    sl_record_clear (&record[r]);
}

/* A band is read, is inside the range of the axis, and reaches the paper. */
static void
test_overlay_band (void)
{
  SlSeries             run[2] = { 0 };
  const SlSeries      *runs[2] = { &run[0], &run[1] };
  SlBand               band = { 0 };
  SlFigure             figure = { 0 };
  SlReading            reading[4];
  SlTheme              theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender            *picture = sl_render_new ();
  const SlFrame       *frame;
  cairo_surface_t     *image;
  const unsigned char *pixel;
  char                 text[256];

  for (unsigned i = 0; i < 50; i++)
    {
      g_assert_true (sl_series_append (&run[0], 10.0 * i, 1.0));
      g_assert_true (sl_series_append (&run[1], 10.0 * i, 5.0));
    }
  g_assert_true (sl_band_make (&band, runs, 2, SL_BAND_RANGE));
  sl_overlay_begin (&figure, &sample_lab, SAMPLE_AGREEMENT);
  g_assert_true (sl_overlay_band (&figure, &(SlOverlayRun) { "rank 8 (n = 2)", 1, 0, false },
                                  &(SlOverlayTrace) { "agreement", NULL, "%", 0 }, &band));
  sl_overlay_end (&figure);
  image = sl_render_draw (picture, &figure, &theme, &(SlParts) { 0 }, 500, 300, 1.0, 0.0);
  g_assert_nonnull (image);
  frame = sl_render_frame (picture);
  g_assert_cmpfloat (figure.y_range.lo, <=, 1.0);
  g_assert_cmpfloat (figure.y_range.hi, >=, 5.0);
  g_assert_cmpuint (sl_figure_read (&figure, 250.0, 1.0, reading, 4), ==, 1);
  g_assert_cmpfloat (reading[0].low, ==, 1.0);
  g_assert_cmpfloat (reading[0].high, ==, 5.0);
  g_assert_cmpstr (sl_reading_text (&figure, &reading[0], text, sizeof text), ==,
                   "rank 8 (n = 2): 3\302\240% (1 to 5)");
  cairo_surface_flush (image);
  pixel = cairo_image_surface_get_data (image)
          + (int) sl_frame_y (frame, 4.0) * cairo_image_surface_get_stride (image)
          + 4 * (int) sl_frame_x (frame, 247.0);
  g_assert_cmpuint (pixel[2], <, 240); /* red is what blue takes away */
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_band_clear (&band);
  sl_series_clear (&run[0]);
  sl_series_clear (&run[1]);
}

static void
add_run (SlFront *front, unsigned setting, unsigned seed, double x, double y)
{
  SlFrontRun run = { .key = setting, .x = x, .y = y, .tone = setting, .tag = 100 * setting + seed };

  g_snprintf (run.title, sizeof run.title, "rank %u", setting);
  sl_front_add (front, &run);
}

/* Means, deviations and the front by their definitions. */
static void
test_front (void)
{
  enum { SETTINGS = 60, SEEDS = 4 };
  SlFront  front = { .frontier = true };
  SlFigure figure = { .x = { "cost", "%" }, .y = { "error", "%" }, .z = { "rank", "" } };
  unsigned best = 0;

  for (unsigned seed = 0; seed < SEEDS; seed++)
    for (unsigned s = 1; s <= SETTINGS; s++)
      add_run (&front, s, seed, 10.0 + 80.0 * sample_noise (s) + sample_noise (1000 * s + seed),
               5.0 + 20.0 * sample_noise (s + 500) + sample_noise (2000 * s + seed));
  add_run (&front, 99, 0, NAN, 1.0);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_cmpuint (front.n, ==, SETTINGS);
  for (unsigned i = 0; i < front.n; i++)
    {
      const SlFrontPoint *point = &front.point[i];
      unsigned            s = i + 1;
      double              sum = 0.0, squares = 0.0;
      bool                beaten = false;

      g_assert_cmpuint (point->n, ==, SEEDS);
      g_assert_cmpuint (point->tag, ==, 100 * s);
      for (unsigned seed = 0; seed < SEEDS; seed++)
        sum += 10.0 + 80.0 * sample_noise (s) + sample_noise (1000 * s + seed);
      for (unsigned seed = 0; seed < SEEDS; seed++)
        squares += pow (
          10.0 + 80.0 * sample_noise (s) + sample_noise (1000 * s + seed) - sum / SEEDS, 2.0);
      sl_assert_near (point->x, sum / SEEDS, 1e-12, 0.0);
      sl_assert_near (point->x_half, 3.182446305284 * sqrt (squares / (SEEDS - 1) / SEEDS), 1e-9,
                      0.0); /* t of 3 */
      for (unsigned k = 0; k < front.n; k++)
        beaten = beaten
                 || (front.point[k].x <= point->x && front.point[k].y <= point->y
                     && (front.point[k].x < point->x || front.point[k].y < point->y));
      g_assert_true (point->best == !beaten);
      best += !beaten;
    }
  g_assert_cmpuint (best, >, 1);
  g_assert_cmpuint (best, <, SETTINGS);

  /* Stairs through the front, the runs behind it, the front, the dominated, its knee. */
  g_assert_cmpuint (figure.n_curves, ==, 5);
  g_assert_cmpuint (figure.curve[0].n, ==, 2 * best - 1);
  g_assert_cmpuint (figure.curve[1].n, ==, SETTINGS * SEEDS);
  for (size_t i = 0; i < figure.curve[2].n; i++)
    g_assert_cmpfloat (figure.curve[2].spread[i], >, 0.0);
  for (size_t i = 1; i < figure.curve[0].n; i++)
    {
      g_assert_cmpfloat (figure.curve[0].x[i], >=, figure.curve[0].x[i - 1]);
      g_assert_cmpfloat (figure.curve[0].y[i], <=, figure.curve[0].y[i - 1]);
    }
  g_assert_cmpuint (figure.curve[2].n + figure.curve[3].n, ==, SETTINGS);
  g_assert_true (figure.colours.toned);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* The knee is where the front bends most; a straight one, one that bends the other way and one of two
 * points have none.  */
static void
test_front_knee (void)
{
  unsigned            best = 0;
  static const double bent[][2] = { { 1, 8 }, { 2, 5 }, { 3, 2 }, { 8, 1 }, { 3, 3 } };
  static const double straight[][2] = { { 1, 4 }, { 2, 3 }, { 3, 2 }, { 4, 1 } };
  static const double outward[][2] = { { 1, 8 }, { 6, 7 }, { 8, 1 } };
  SlFront             front = { .frontier = true };
  SlFigure            figure = { 0 };
  char                text[200];

  for (unsigned i = 0; i < G_N_ELEMENTS (bent); i++)
    {
      add_run (&front, i, 0, bent[i][0], bent[i][1]);
      g_assert_true (sl_front_update (&front, &figure));
      g_assert_cmpint (sl_figure_find (&figure, "knee") >= 0, ==, i >= 3);
    }
  for (unsigned i = 0; i < front.n; i++)
    g_assert_true (front.point[i].knee == (i == 2));
  g_assert_nonnull (strstr (sl_front_text (&front, &figure, 2, text, sizeof text), "the knee"));
  g_assert_null (strstr (sl_front_text (&front, &figure, 3, text, sizeof text), "the knee"));
  {
    const SlCurve *ring = &figure.curve[sl_figure_find (&figure, "knee")];

    g_assert_cmpuint (ring->n, ==, 1);
    g_assert_true (ring->x[0] == 3.0 && ring->y[0] == 2.0);
  }

  sl_front_empty (&front);
  for (unsigned i = 0; i < G_N_ELEMENTS (straight); i++)
    add_run (&front, i, 0, straight[i][0], straight[i][1]);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_cmpint (sl_figure_find (&figure, "knee"), <, 0);
  sl_front_empty (&front);
  for (unsigned i = 0; i < G_N_ELEMENTS (outward); i++)
    add_run (&front, i, 0, outward[i][0], outward[i][1]);
  g_assert_true (sl_front_update (&front, &figure));
  for (unsigned i = 0; i < front.n; i++)
    best += front.point[i].best;
  g_assert_cmpuint (best, ==, 3);
  g_assert_cmpint (sl_figure_find (&figure, "knee"), <, 0);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* Two settings that come to the same are both on the front; worse ones at the same cost are not. */
static void
test_front_ties (void)
{
  SlFront  front = { .frontier = true };
  SlFigure figure = { 0 };

  add_run (&front, 1, 0, 10.0, 5.0);
  add_run (&front, 2, 0, 10.0, 5.0);
  add_run (&front, 3, 0, 10.0, 6.0);
  add_run (&front, 4, 0, 20.0, 5.0);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_true (front.point[0].best && front.point[1].best);
  g_assert_false (front.point[2].best || front.point[3].best);
  sl_front_empty (&front);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_true (sl_figure_empty (&figure));
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* Another number may choose the front, which then need not fall; what is beside it is on none. */
static void
test_front_chosen (void)
{
  static const double at[][3] = { { 1, 8, 9 }, { 2, 5, 9 }, { 3, 6, 4 } };
  SlFront             front = { .frontier = true, .chosen = true, .dense = true };
  SlFigure            figure = { 0 };
  const SlCurve      *beside;

  for (unsigned i = 0; i < G_N_ELEMENTS (at); i++)
    {
      SlFrontRun run = { .key = i, .x = at[i][0], .y = at[i][1], .choice = at[i][2] };

      sl_front_add (&front, &run);
    }
  for (unsigned i = 0; i < 2; i++)
    sl_front_add_beside (&front, &(SlFrontBeside) { "dense", 100, 0.5 + i, 0, 0.25 });
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_true (front.point[0].best && !front.point[1].best && front.point[2].best);
  g_assert_cmpfloat (figure.mark, ==, 100);
  beside = &figure.curve[sl_figure_find (&figure, "beside-1")];
  g_assert_cmpstr (beside->title, ==, "dense");
  g_assert_cmpuint (beside->n, ==, 2);
  g_assert_true (beside->y[1] == 1.5 && beside->spread[1] == 0.25);
  sl_front_empty (&front);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_true (sl_figure_empty (&figure));
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* An error on other data beats nothing, however small, and its point says what it is. */
static void
test_front_apart (void)
{
  SlFront    front = { .frontier = true };
  SlFigure   figure = { 0 };
  SlFrontRun other
    = { .key = 3, .x = 5.0, .y = 0.0, .tone = 3.0, .apart = true, .title = "rank 3" };
  char text[200];
  int  curve;

  add_run (&front, 1, 0, 10.0, 5.0);
  add_run (&front, 2, 0, 20.0, 4.0);
  sl_front_add (&front, &other);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_true (front.point[0].best && front.point[1].best);
  g_assert_false (front.point[2].best);
  curve = sl_figure_find (&figure, "apart");
  g_assert_cmpint (curve, >=, 0);
  g_assert_cmpstr (figure.curve[curve].title, ==, "on other data");
  g_assert_cmpuint (figure.curve[curve].n, ==, 1);
  g_assert_nonnull (
    strstr (sl_front_text (&front, &figure, 2, text, sizeof text), ", on other data"));
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

static void
test_front_pick (void)
{
  SlFront        front = { .frontier = true };
  SlFigure       figure = { .x = { "cost", "%" }, .y = { "error", "%" } };
  SlTheme        theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender      *picture = sl_render_new ();
  const SlFrame *frame;
  char           text[200];
  int            at = -1;

  figure.view = (SlView) { .log_x = true };
  for (unsigned seed = 0; seed < 2; seed++)
    {
      add_run (&front, 1, seed, 10.0 + 2.0 * seed, 8.0);
      add_run (&front, 2, seed, 50.0, 4.0 + seed);
      add_run (&front, 3, seed, 60.0, 9.0);
    }
  g_assert_true (sl_front_update (&front, &figure));
  for (unsigned i = 0; i < 2; i++)
    g_assert_nonnull (sl_render_draw (
      picture, &figure, &theme, &(SlParts) { .legend = SL_LEGEND_ABOVE }, 500, 300, 1.0, 0.0));
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 1);
  frame = sl_render_frame (picture);
  g_assert_cmpfloat (frame->key.w, >, 0.0); /* the colour bar */
  for (unsigned i = 0; i < 3; i++)
    g_assert_cmpint (sl_front_pick (&front, &figure, frame,
                                    sl_frame_x (frame, front.point[i].x) + 2,
                                    sl_frame_y (frame, front.point[i].y) - 3, 12.0),
                     ==, (int) i);
  g_assert_cmpint (sl_front_pick (&front, &figure, frame, frame->plot.x, frame->plot.y, 12.0), ==,
                   -1);
  g_assert_cmpstr (sl_front_text (&front, &figure, 0, text, sizeof text), ==,
                   "rank 1, mean of 2: cost 11 \302\261 13\302\240%, error 8 \302\261 0\302\240%");
  for (int i = 0; i < 3; i++)
    {
      at = sl_front_next (&front, &figure, at, 1);
      g_assert_cmpint (at, ==, i);
    }
  g_assert_cmpint (sl_front_next (&front, &figure, 2, 1), ==, 2);
  /* What the legend switched off is not there. */
  sl_figure_hide (&figure, (unsigned) sl_figure_find (&figure, "dominated-1"), true);
  g_assert_cmpint (sl_front_next (&front, &figure, 1, 1), ==, 1);
  g_assert_cmpint (
    sl_front_pick (&front, &figure, frame, sl_frame_x (frame, 60.0), sl_frame_y (frame, 9.0), 12.0),
    ==, -1);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* A shape with no point on the front is named in the legend, too, also after it had one. */
static void
test_front_shapes (void)
{
  static const double at[][2] = { { 1, 8 }, { 2, 5 }, { 3, 9 }, { 4, 9 } };
  SlFront             front = { .frontier = true };
  SlFigure            figure = { 0 };

  g_strlcpy (front.shape_title[0], "experts 4", SL_FRONT_TITLE);
  g_strlcpy (front.shape_title[1], "experts 8", SL_FRONT_TITLE);
  for (int pass = 0; pass < 2; pass++)
    {
      sl_front_empty (&front);
      for (unsigned i = 0; i < G_N_ELEMENTS (at); i++)
        {
          SlFrontRun run
            = { .key = i, .x = at[i][0], .y = at[i][1], .shape = i == 3 || (i == 0 && pass == 0) };

          sl_front_add (&front, &run);
        }
      g_assert_true (sl_front_update (&front, &figure));
    }
  for (unsigned c = 0; c < figure.n_curves; c++)
    {
      const SlCurve *curve = &figure.curve[c];

      if (g_str_equal (curve->id, "dominated-1"))
        g_assert_cmpstr (curve->group_title, ==, "dominated");
      if (g_str_equal (curve->id, "dominated-2"))
        g_assert_cmpuint (curve->group, ==, 0);
    }
  g_assert_cmpstr (figure.curve[sl_figure_find (&figure, "dominated-2")].title, ==, "experts 8");
  g_assert_cmpstr (figure.curve[sl_figure_find (&figure, "points-1")].title, ==, "experts 4");
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* How many lines lie in every brush. */
static size_t
selected (const SlParallel *parallel)
{
  size_t n = 0;

  for (size_t line = 0; line < parallel->n; line++)
    n += sl_parallel_selected (parallel, line);
  return n;
}

static const SlChoice methods[]
  = { { "dense", "Dense" }, { "estimate", "Estimate" }, { NULL, NULL } };

static void
parallel_sample (SlParallel *parallel, unsigned n)
{
  g_assert_nonnull (sl_parallel_axis (parallel, "Rank", "", true));
  sl_parallel_axis (parallel, "Method", "", false)->choices = methods;
  g_assert_nonnull (sl_parallel_axis (parallel, "Executed", "%", false));
  g_assert_nonnull (sl_parallel_axis (parallel, "Error", "%", false));
  for (unsigned i = 0; i < n; i++)
    {
      double line[4] = { 1 << i % 7, i % 2, 10.0 + 5.0 * (i % 7) + sample_noise (i),
                         20.0 - 2.0 * (i % 7) + sample_noise (i + 99) };

      if (i % 10 == 9)
        line[3] = NAN;
      g_assert_true (sl_parallel_line (parallel, line));
    }
  g_assert_null (sl_parallel_axis (parallel, "Late", "", false));
  parallel->colour = 0;
}

static void
test_parallel (void)
{
  enum { LINES = 40 };
  SlParallel     parallel = { 0 };
  SlFigure       figure = { 0 };
  SlTheme        theme = sl_theme_get (SL_THEME_DARK);
  SlRender      *picture = sl_render_new ();
  const SlFrame *frame;
  char           text[64];
  unsigned       picked = 0, want = 0;

  parallel_sample (&parallel, LINES);
  g_assert_cmpuint (selected (&parallel), ==, LINES);
  sl_parallel_brush (&parallel, 0, 20.0, 3.0);
  sl_parallel_brush (&parallel, 3, -HUGE_VAL, HUGE_VAL);
  sl_parallel_update (&parallel, &figure, "Runs");
  for (unsigned i = 0; i < LINES; i++)
    {
      double rank = 1 << i % 7;
      bool   meant = rank >= 3.0 && rank <= 20.0 && i % 10 != 9;

      g_assert_true (sl_parallel_selected (&parallel, i) == meant);
      want += meant;
    }
  g_assert_cmpuint (selected (&parallel), ==, want);
  g_assert_nonnull (
    sl_render_draw (picture, &figure, &theme, &(SlParts) { 0 }, 640, 320, 2.0, 0.0));
  frame = sl_render_frame (picture);
  g_assert_false (frame->empty);
  for (unsigned a = 0; a < parallel.n_axes; a++)
    {
      double x = sl_parallel_x (&parallel, frame, a), lo = parallel.axis[a].scale.lo;
      double hi = parallel.axis[a].scale.hi, middle = sqrt (0.3 * lo * lo + 0.7 * hi * hi);

      g_assert_cmpint (sl_parallel_axis_at (&parallel, frame, x + 4.0, 8.0), ==, (int) a);
      g_assert_cmpfloat (sl_parallel_y (&parallel, frame, a, hi), >=, frame->plot.y);
      g_assert_cmpfloat (sl_parallel_y (&parallel, frame, a, lo), <=,
                         frame->plot.y + frame->plot.h);
      sl_assert_near (
        sl_parallel_value (&parallel, frame, a, sl_parallel_y (&parallel, frame, a, middle)),
        middle, 1e-9, 0.0);
    }
  /* A line is found on itself, if it is selected. */
  for (unsigned i = 0; i < LINES; i++)
    {
      const double *line = parallel.value + i * parallel.n_axes;
      double x = (sl_parallel_x (&parallel, frame, 2) + sl_parallel_x (&parallel, frame, 3)) / 2.0;
      double y = (sl_parallel_y (&parallel, frame, 2, line[2])
                  + sl_parallel_y (&parallel, frame, 3, line[3]))
                 / 2.0;
      int found = sl_parallel_line_at (&parallel, frame, x, y, 3.0);

      g_assert_true (found < 0 || sl_parallel_selected (&parallel, (size_t) found));
      if (sl_parallel_selected (&parallel, i))
        {
          g_assert_cmpint (found, >=, 0);
          picked += found == (int) i;
        }
    }
  g_assert_cmpuint (picked, >, want / 2);
  g_assert_cmpstr (sl_parallel_text (&parallel, 1, 1.0, text, sizeof text), ==, "Estimate");
  g_assert_cmpstr (sl_parallel_text (&parallel, 2, 12.5, text, sizeof text), ==, "12.5\302\240%");
  sl_parallel_brush (&parallel, 0, NAN, 3.0);
  sl_parallel_brush (&parallel, 3, NAN, NAN);
  g_assert_cmpuint (selected (&parallel), ==, LINES);
  parallel.n = parallel.marked = 0;
  sl_parallel_update (&parallel, &figure, "Runs");
  g_assert_true (sl_figure_empty (&figure));
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_parallel_clear (&parallel);
}

/* Names under the choices of a parameter. */
static void
test_choices (void)
{
  static const char *const names[] = { "Dense", "Estimate" };
  SlFront                  front = { 0 };
  SlFigure       figure = { .y = { "error", "%" }, .categories.name = names, .categories.n = 2 };
  SlTheme        theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender      *picture = sl_render_new ();
  const SlFrame *frame;

  add_run (&front, 1, 0, 0.0, 5.0);
  add_run (&front, 2, 0, 1.0, 6.0);
  g_assert_true (sl_front_update (&front, &figure));
  g_assert_cmpuint (figure.n_curves, ==, 1);
  g_assert_nonnull (
    sl_render_draw (picture, &figure, &theme, &(SlParts) { 0 }, 400, 240, 1.0, 0.0));
  frame = sl_render_frame (picture);
  g_assert_cmpuint (frame->n_x_ticks, ==, 2);
  g_assert_cmpstr (frame->x_tick[1].label, ==, "Estimate");
  sl_assert_near (frame->x_at[0], frame->plot.x + 0.25 * frame->plot.w, 0.0, 0.5);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
}

/* All formats, twice the same bytes, text as text. */
static void
test_export (void)
{
  SlFront     front = { .frontier = true };
  SlParallel  parallel = { 0 };
  SlFigure    figure[2] = { { .x = { "executed multiplications", "% of dense" },
                              .y = { "test error", "%" },
                              .z = { "rank", "", .logarithmic = true } },
                            { .kind = SL_HEATMAP } };
  SlFigure   *list[2] = { &figure[0], &figure[1] };
  const char *keep = g_getenv ("SLUICE_KEEP");

  for (unsigned s = 1; s <= 20; s++)
    for (unsigned seed = 0; seed < 3; seed++)
      add_run (&front, s, seed, 5.0 + 4.0 * s + 3.0 * sample_noise (s + 100 * seed),
               40.0 / s + 3.0 * sample_noise (7 * s + seed) + (s % 3 == 0 ? 6.0 : 0.0));
  g_strlcpy (figure[0].title, "What the rank buys", sizeof figure[0].title);
  g_assert_true (sl_front_update (&front, &figure[0]));
  parallel_sample (&parallel, 60);
  sl_parallel_brush (&parallel, 3, 0.0, 14.0);
  sl_parallel_update (&parallel, &figure[1], "Runs");
  for (unsigned format = SL_EXPORT_PNG; format <= SL_EXPORT_PDF; format++)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 2);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GBytes) again = NULL;
      GError *error = NULL;

      options.dpi = 150.0;
      bytes = sl_export_page (list, 2, &options, (SlExportFormat) format, &error);
      g_assert_no_error (error);
      again = sl_export_page (list, 2, &options, (SlExportFormat) format, &error);
      g_assert_true (g_bytes_equal (bytes, again));
      if (keep != NULL)
        {
          static const char *const ends[] = { "png", "svg", "pdf" };
          g_autofree char         *path = g_strdup_printf ("%s/compare.%s", keep, ends[format]);

          g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                              (gssize) g_bytes_get_size (bytes), NULL));
        }
      if (format == SL_EXPORT_SVG)
        {
          static const char *const words[] = { "What the rank buys", "dominated", "Pareto front",
                                               "test error (%)",     "Estimate",  "Executed" };
          g_autofree char         *svg
            = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

          for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
            g_assert_nonnull (strstr (svg, words[i]));
        }
    }
  for (unsigned i = 0; i < 2; i++)
    sl_figure_clear (&figure[i]);
  sl_front_clear (&front);
  sl_parallel_clear (&parallel);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/band", test_band);
  g_test_add_func ("/compare/band-gaps", test_band_gaps);
  g_test_add_func ("/compare/difference", test_difference);
  g_test_add_func ("/compare/overlay", test_overlay);
  g_test_add_func ("/compare/overlay-band", test_overlay_band);
  g_test_add_func ("/compare/front", test_front);
  g_test_add_func ("/compare/front-ties", test_front_ties);
  g_test_add_func ("/compare/front-chosen", test_front_chosen);
  g_test_add_func ("/compare/front-apart", test_front_apart);
  g_test_add_func ("/compare/front-knee", test_front_knee);
  g_test_add_func ("/compare/front-pick", test_front_pick);
  g_test_add_func ("/compare/front-shapes", test_front_shapes);
  g_test_add_func ("/compare/parallel", test_parallel);
  g_test_add_func ("/compare/choices", test_choices);
  g_test_add_func ("/compare/export", test_export);
  return g_test_run ();
}
