/* SPDX-License-Identifier: MIT
 *
 * How fast gated recurrent units that copy are, against the bound that counting their
 * multiplications gives and against the tables 4.2 and 4.4 of Davis 2016 (reproduce/speed.h).  */
#include "bench/bench.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/speed.h"

/* The published speed-up: table 4.2 (blocks) or 4.4 (units). */
static double
published_speed (bool blocks, unsigned row, unsigned column)
{
  /* Rows: s; columns: 16, 32, 64 gates. */
  static const double tables[2][SL_SPEED_OFFSETS][SL_SPEED_GATES] = {
    { { 1.55, 1.38, 1.43 }, { 1.87, 1.67, 1.63 }, { 1.86, 1.66, 1.99 }, { 2.55, 2.18, 2.29 } },
    { { 1.20, 1.06, 0.73 }, { 1.68, 1.72, 1.88 }, { 1.68, 1.62, 1.72 }, { 1.95, 1.62, 1.57 } },
  };

  return tables[blocks][row][column];
}

static void
report_cell (SlBench *bench, const SlSpeedCell *measured, unsigned row, unsigned column,
             bool blocks)
{
  double           published = published_speed (blocks, row, column), goal = blocks ? 0.75 : 0.85;
  size_t           g = sl_speed_gates[column];
  g_autofree char *cell = NULL, *name = NULL, *of_bound = NULL, *step = NULL, *note = NULL;

  cell = blocks ? g_strdup_printf ("%zu/%zu.s%g", 1024 / g, g, sl_speed_offsets[row])
                : g_strdup_printf ("g%zu.s%g", g, sl_speed_offsets[row]);
  name = g_strdup_printf ("recurrence.%s", cell);
  of_bound = g_strdup_printf ("recurrence.%s.share", cell);
  step = g_strdup_printf ("recurrence.%s.train", cell);
  note = g_strdup_printf ("forced to %.1f %% on, batch %d; bound %.2f, published %.2f",
                          100 * measured->alpha, blocks ? 64 : 1, measured->bound, published);
  sl_bench_result (bench, name, measured->ours, "x dense", SL_BAR_LEAST, published, note);
  sl_bench_result (bench, of_bound, measured->ours / measured->bound, "of bound", SL_BAR_LEAST,
                   goal, "");
  if (blocks && row == 1 && column > 0)
    sl_bench_result (bench, step, measured->train, "x dense", SL_BAR_LEAST, 2,
                     "a training step, batch 64");
  else
    sl_bench_result (bench, step, measured->train, "x dense", SL_BAR_NONE, 0,
                     "a training step, batch 64");
}

static SlExit
bench_column (SlBench *bench, SlSpeedModel *dense, unsigned column, bool blocks)
{
  SlStatus      status;
  SlSpeedModel *gated = sl_speed_model_new (blocks ? SL_SPEED_BLOCKS : SL_SPEED_UNITS,
                                            sl_speed_gates[column], &status);

  if (gated == NULL)
    return sl_cli_fail (&status);
  for (unsigned row = 0; row < SL_SPEED_OFFSETS; row++)
    {
      SlSpeedCell cell;

      sl_speed_measure (dense, gated, row, true, &cell);
      report_cell (bench, &cell, row, column, blocks);
    }
  sl_speed_model_free (gated);
  return SL_EXIT_FINE;
}

static SlExit
bench_recurrence (SlBench *bench)
{
  SlStatus      status;
  SlSpeedModel *dense;
  SlExit        code = SL_EXIT_FINE;

  sl_blas_set_threads (1);
  dense = sl_speed_model_new (SL_SPEED_DENSE, 0, &status);
  if (dense == NULL)
    return sl_cli_fail (&status);
  sl_bench_result (bench, "recurrence.dense-step", sl_speed_bare_share (dense), "", SL_BAR_LEAST,
                   0.75, "bare products of the library / step of the dense twin");
  for (unsigned i = 0; i < 2 * SL_SPEED_GATES && code == SL_EXIT_FINE; i++)
    code = bench_column (bench, dense, i % SL_SPEED_GATES, i >= SL_SPEED_GATES);
  sl_speed_model_free (dense);
  return code;
}

const SlBenchGroup sl_bench_recurrence
  = { "recurrence", "gated recurrent units that copy (Davis' tables 4.2 and 4.4)", false,
      bench_recurrence };
