/* SPDX-License-Identifier: MIT
 *
 * The picture of a network that decides about one example, of each lab that has one: how long the thread that
 * trains makes it, and how long it takes to be drawn, and to be kept as a moment of the run.  */
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/moments/moment.h"
#include "plot/figure/panel.h"
#include "plot/screen/render.h"

enum { ROUNDS = 51, UPDATES = 200, WIDTH = 1600, HEIGHT = 500 };

static const double make_ms = 2.0, draw_ms = 6.0, keep_ms = 1.0;

/* Milliseconds of processor time; the first round of each warms up. */
static double
time_making (SlHeadlessRun *run, unsigned panel)
{
  double ms[ROUNDS];

  if (sl_bench_probe (run, panel) != SL_EXIT_FINE)
    return (double) NAN;
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      double begin = sl_bench_process_seconds ();

      sl_bench_probe (run, panel);
      ms[i] = 1e3 * (sl_bench_process_seconds () - begin);
    }
  return sl_median (ms, ROUNDS);
}

static double
time_drawing (const SlRecord *record, unsigned panel)
{
  SlRender *render = sl_render_new ();
  SlTheme   theme = sl_theme_get (SL_THEME_LIGHT);
  SlParts   parts = { .note = true };
  SlFigure  figure = { 0 };
  double    ms[ROUNDS];

  sl_panel_update (&figure, record, panel, NULL, 0);
  sl_render_draw (render, &figure, &theme, &parts, WIDTH, HEIGHT, 1.0, 0.0);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      double begin = sl_bench_process_seconds ();

      sl_render_draw (render, &figure, &theme, &parts, WIDTH, HEIGHT, 1.0, 0.0);
      ms[i] = 1e3 * (sl_bench_process_seconds () - begin);
    }
  sl_figure_clear (&figure);
  sl_render_free (render);
  return sl_median (ms, ROUNDS);
}

static double
time_keeping (const SlSnapshot *snapshot, size_t *size)
{
  double ms[ROUNDS];

  for (unsigned i = 0; i < ROUNDS; i++)
    {
      double   begin = sl_bench_process_seconds ();
      void    *bytes;
      SlStatus status = sl_moment_pack (snapshot, &bytes, size);

      ms[i] = sl_ok (&status) ? 1e3 * (sl_bench_process_seconds () - begin) : (double) NAN;
      free (bytes);
    }
  return sl_median (ms, ROUNDS);
}

static SlExit
measure_lab (SlBench *bench, const SlLab *lab, unsigned panel)
{
  g_autofree char *make = g_strdup_printf ("alive.%s.make", lab->id);
  g_autofree char *draw = g_strdup_printf ("alive.%s.draw", lab->id);
  g_autofree char *keep = g_strdup_printf ("alive.%s.keep", lab->id);
  g_autofree char *size = g_strdup_printf ("alive.%s.moment", lab->id);
  size_t           bytes = 0;
  SlHeadlessRun    run;
  SlExit           exit = sl_bench_open (&run, lab->id, sl_source_default_for (lab->data), "", 1);

  if (exit != SL_EXIT_FINE)
    return exit;
  /* What is replayed ends, and learns nothing. */
  exit = sl_bench_train (&run, lab->ended != NULL ? 1 : UPDATES);
  sl_bench_result (bench, make, time_making (&run, panel), "ms", SL_BAR_MOST, make_ms,
                   "processor time of a picture");
  sl_bench_result (bench, draw, time_drawing (&run.record, panel), "ms", SL_BAR_MOST, draw_ms,
                   "the same of drawing it at 1600 × 500");
  sl_bench_result (bench, keep, time_keeping (&run.record.snapshot[panel], &bytes), "ms",
                   SL_BAR_MOST, keep_ms, "processor time to keep it as a moment");
  sl_bench_result (bench, size, (double) bytes, "bytes", SL_BAR_MOST, SL_MOMENT_BYTES,
                   "of that moment");
  sl_headless_clear (&run);
  return exit;
}

static SlExit
bench_alive (SlBench *bench)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    for (unsigned p = 0; p < sl_labs[i]->n_panels; p++)
      if (sl_labs[i]->panels[p].kind == SL_ALIVE)
        {
          SlExit exit = measure_lab (bench, sl_labs[i], p);

          if (exit != SL_EXIT_FINE)
            return exit;
        }
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_alive
  = { "alive", "the picture of one example: to make it and to draw it", false, bench_alive };
