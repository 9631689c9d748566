/* SPDX-License-Identifier: MIT
 *
 * Nets of a few units on points of the plane: what a step costs beside its arithmetic.
 * The bars are above TensorFlow Playground's engine, 1.65 M and 15 k examples/s in Node on such a
 * machine.  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"

enum { BATCH = 10, ROUNDS = 9 };

static const struct
{
  const char *name, *hidden, *note;
  double      bar;
  unsigned    updates; /* per round */
} nets[] = {
  { "toy.2-4-2-1", "4-2", "tanh, batch 10, one thread", 3e6, 20000 },
  { "toy.2-64-64-1", "64-64", "tanh, batch 10, one thread", 3e5, 3000 },
};

static SlExit
measure (SlBench *bench, size_t i)
{
  g_autofree char *settings = g_strdup_printf (
    "hidden=%s activation=tanh batch=%d optimiser=sgd learning-rate=0.03 input-dropout=0 "
    "hidden-dropout=0 report-every=100 evaluate-every=1000000",
    nets[i].hidden, BATCH);
  double        rates[ROUNDS];
  SlHeadlessRun run;
  SlExit        code = sl_bench_open (&run, "sign-estimator", "rings", settings, 1);

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_train (&run, nets[i].updates);
  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double begin = sl_clock_thread ();

      code = sl_bench_train (&run, nets[i].updates);
      rates[round] = BATCH * (double) nets[i].updates / (sl_clock_thread () - begin);
    }
  sl_headless_clear (&run);
  if (code == SL_EXIT_FINE)
    sl_bench_result (bench, nets[i].name, sl_median (rates, ROUNDS), "examples/s", SL_BAR_LEAST,
                     nets[i].bar, nets[i].note);
  return code;
}

static SlExit
bench_toy (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (size_t i = 0; i < G_N_ELEMENTS (nets) && code == SL_EXIT_FINE; i++)
    code = measure (bench, i);
  return code;
}

const SlBenchGroup sl_bench_toy = { "toy", "examples per second of tiny nets", false, bench_toy };
