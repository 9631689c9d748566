/* SPDX-License-Identifier: MIT
 *
 * What an update of each lab costs as it is set at first: 50 updates a second on one core are 20 ms
 * of processor time.  Updates between two evaluations are measured, evaluation and reports with
 * them.  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"

enum { ROUNDS = 5, UPDATES = 100, FIRST = 10 };

static const double most_ms = 20;

static SlExit
bench_lab (SlBench *bench, const SlLab *lab)
{
  g_autofree char *name = g_strdup_printf ("rates.%s", lab->id);
  double           seconds[ROUNDS];
  SlHeadlessRun    run;
  SlExit           code = sl_bench_open (
              &run, lab->id, lab->data == SL_NEEDS_NOTHING ? NULL : sl_source_default_for (lab->data), "", 1);

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_train (&run, FIRST);
  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double begin = sl_clock_thread ();

      code = sl_bench_train (&run, UPDATES);
      seconds[round] = sl_clock_thread () - begin;
    }
  sl_headless_clear (&run);
  if (code == SL_EXIT_FINE)
    sl_bench_result (bench, name, 1e3 * sl_median (seconds, ROUNDS) / UPDATES, "ms", SL_BAR_MOST,
                     most_ms, "an update with the settings of the start, one thread");
  return code;
}

/* A picture takes as long as it takes, and a recording is replayed at a pace. */
static SlExit
bench_rates (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned i = 0; sl_labs[i] != NULL && code == SL_EXIT_FINE; i++)
    if (sl_labs[i]->data != SL_NEEDS_PICTURES && sl_labs[i]->objective != NULL)
      code = bench_lab (bench, sl_labs[i]);
  return code;
}

const SlBenchGroup sl_bench_rates
  = { "rates", "an update of each lab with its first settings", false, bench_rates };
