/* SPDX-License-Identifier: MIT
 *
 * How fast gated recurrent units that copy are, against the bound that counting their
 * multiplications gives and against the tables 4.2 and 4.4 of Davis 2016 (recurrence-speed.h).  */
#include "bench/bench.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/speed.h"

static void
report_cell (SlBench *bench, const SlSpeedCell *measured, unsigned row, unsigned column,
             bool blocks)
{
  double published = sl_speed_published (blocks, row, column), goal = blocks ? 0.75 : 0.85;
  size_t g = sl_speed_gates[column];
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

      sl_speed_measure (dense, gated, row, &cell);
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
