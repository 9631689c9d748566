/* SPDX-License-Identifier: MIT
 *
 * What drawing costs: bench-plot [SAMPLES].  Six plots of 600 × 300 px with five noisy series
 * each, as the window draws them, in milliseconds of processor time for all six, the best of
 * several rounds; then exports, and fifty runs in one plot.  */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plot/charts/overlay.h"
#include "plot/draw/draw.h"
#include "plot/export/export.h"
#include "plot/screen/raster.h"
#include "plot/screen/render.h"

enum { PLOTS = 6, CURVES = 5, ROUNDS = 12, WIDTH = 600, HEIGHT = 300 };

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
print (const char *name, double value, const char *unit)
{
  printf ("%-44s %10.4g %s\n", name, value, unit);
}

static void
fill (SlSeries *series, size_t n, unsigned seed)
{
  uint64_t state = seed * 0x9e3779b97f4a7c15U + 1;

  for (size_t i = 0; i < n; i++)
    {
      state = state * 6364136223846793005U + 1442695040888963407U;
      if (!sl_series_append (series, (double) i,
                             seed + exp (-3.0 * (double) i / (double) n)
                               + 0.8 * (double) (state >> 40) / 0x1p24))
        exit (1);
    }
}

static void
bench_screen (SlFigure *figures, unsigned plots, double scale, double half_life, const char *name)
{
  SlTheme   theme = sl_theme_get (SL_THEME_LIGHT);
  SlParts   parts = { .title = true, .note = true, .legend = SL_LEGEND_ABOVE, .flags = true };
  SlRender *pictures[PLOTS];
  double    best = HUGE_VAL, first = 0.0;
  unsigned  draws = 0;

  for (unsigned p = 0; p < plots; p++)
    {
      SlView view = figures[p].view;

      view.half_life = half_life;
      sl_figure_set_view (&figures[p], &view);
      sl_figure_refresh (&figures[p]);
      pictures[p] = sl_render_new ();
    }
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      double begin = now ();

      for (unsigned p = 0; p < plots; p++)
        if (sl_render_draw (pictures[p], &figures[p], &theme, &parts, WIDTH, HEIGHT, scale, 0.0)
            == NULL)
          exit (1);
      begin = now () - begin;
      if (round == 0)
        first = begin;
      best = MIN (best, begin);
    }
  for (unsigned p = 0; p < plots; p++)
    {
      draws += sl_render_static_draws (pictures[p]);
      sl_render_free (pictures[p]);
    }
  print (name, 1e3 * best, "ms");
  print ("  the first time, with static layers", 1e3 * first, "ms");
  print ("  static layers drawn", draws, "");
}

static void
bench_export (SlFigure *figure, SlExportFormat format, const char *name)
{
  SlFigure       *list[1] = { figure };
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
  double          begin = now ();
  GBytes         *bytes = sl_export_page (list, 1, &options, format, NULL);

  if (bytes == NULL)
    exit (1);
  print (name, 1e3 * (now () - begin), "ms");
  print ("  size", (double) g_bytes_get_size (bytes) / 1e3, "kB");
  g_bytes_unref (bytes);
}

/* Fifty runs in one plot, and the same as five groups of ten with their bands. */
static void
bench_overlay (void)
{
  enum { RUNS = 50, GROUPS = 5, SAMPLES = 5000 };
  static const SlTrace traces[] = { { "value", "value", "", "", SL_MEASURED, NULL }, { 0 } };
  static const SlPanel panels[] = { { .id = "noise",
                                      .title = "Noise",
                                      .kind = SL_SERIES,
                                      .x = { "update", "" },
                                      .y = { "value", "" },
                                      .traces = traces } };
  static const SlLab   lab = { .id = "bench", .title = "Bench", .panels = panels, .n_panels = 1 };
  const SlOverlayTrace trace = { .id = "value" };
  SlSeries            *series = g_new0 (SlSeries, RUNS);
  SlBand               band[GROUPS] = { 0 };
  SlFigure             figure = { 0 };
  char                 title[32];
  double               begin;

  for (unsigned r = 0; r < RUNS; r++)
    fill (&series[r], SAMPLES, r);
  sl_overlay_begin (&figure, &lab, 0);
  for (unsigned r = 0; r < RUNS; r++)
    {
      g_snprintf (title, sizeof title, "run %u", r + 1);
      if (!sl_overlay_series (&figure, &(SlOverlayRun) { title, r + 1, r, false }, &trace,
                              &series[r]))
        exit (1);
    }
  sl_overlay_end (&figure);
  bench_screen (&figure, 1, 1.0, 0.0, "one plot of 50 runs of 5,000 samples");
  begin = now ();
  for (unsigned g = 0; g < GROUPS; g++)
    {
      const SlSeries *runs[RUNS / GROUPS];

      for (unsigned r = 0; r < RUNS / GROUPS; r++)
        runs[r] = &series[g * (RUNS / GROUPS) + r];
      if (!sl_band_make (&band[g], runs, RUNS / GROUPS, SL_BAND_DEVIATION))
        exit (1);
    }
  print ("five bands of ten runs, made", 1e3 * (now () - begin), "ms");
  sl_overlay_begin (&figure, &lab, 0);
  for (unsigned g = 0; g < GROUPS; g++)
    {
      g_snprintf (title, sizeof title, "group %u", g + 1);
      if (!sl_overlay_band (&figure, &(SlOverlayRun) { title, g + 1, g, false }, &trace, &band[g]))
        exit (1);
    }
  sl_overlay_end (&figure);
  bench_screen (&figure, 1, 1.0, 0.0, "one plot of five bands");
  sl_figure_clear (&figure);
  for (unsigned g = 0; g < GROUPS; g++)
    sl_band_clear (&band[g]);
  for (unsigned r = 0; r < RUNS; r++)
    sl_series_clear (&series[r]);
  g_free (series);
}

int
main (int argc, char **argv)
{
  size_t    n = argc > 1 ? strtoul (argv[1], NULL, 10) : 1000000;
  SlFigure  figures[PLOTS] = { 0 };
  SlSeries *series = g_new0 (SlSeries, PLOTS * CURVES);
  double    begin;

  print ("samples of each series", (double) n, "");
  begin = now ();
  for (unsigned i = 0; i < PLOTS * CURVES; i++)
    fill (&series[i], n, i % CURVES);
  print ("append, per sample", 1e9 * (now () - begin) / (double) (n * PLOTS * CURVES), "ns");
  for (unsigned i = 0; i < PLOTS * CURVES; i++)
    {
      char     id[32];
      SlCurve *curve;

      g_snprintf (id, sizeof id, "curve-%u", i % CURVES);
      curve = sl_figure_curve (&figures[i / CURVES], id);
      if (curve == NULL)
        return 1;
      g_strlcpy (curve->title, id, sizeof curve->title);
      curve->slot = i % CURVES;
      curve->series = &series[i];
      figures[i / CURVES].x = (SlAxis) { .label = "update" };
      figures[i / CURVES].y = (SlAxis) { .label = "value" };
      figures[i / CURVES].mark = (double) NAN;
      g_strlcpy (figures[i / CURVES].title, "Noise", sizeof figures->title);
    }
  bench_screen (figures, PLOTS, 1.0, 0.0, "six plots");
  bench_screen (figures, PLOTS, 2.0, 0.0, "six plots at scale 2");
  bench_screen (figures, PLOTS, 1.0, 1000.0, "six plots with smoothing");
  bench_export (&figures[0], SL_EXPORT_SVG, "one plot as SVG");
  bench_export (&figures[0], SL_EXPORT_PDF, "one plot as PDF");
  bench_export (&figures[0], SL_EXPORT_PNG, "one plot as PNG, 600 dpi");
  bench_overlay ();
  for (unsigned p = 0; p < PLOTS; p++)
    sl_figure_clear (&figures[p]);
  for (unsigned i = 0; i < PLOTS * CURVES; i++)
    sl_series_clear (&series[i]);
  g_free (series);
  return 0;
}
