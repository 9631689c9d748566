/* SPDX-License-Identifier: MIT
 *
 * What bits of a prefix tree cost: the time of a training step for k = 0 … 8 against the step of
 * k = 0, which is a dense layer, beside the number of weights that the bits bring.  That k = 0 is
 * no slower than a dense layer need be shows against the plain network of another lab.  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"

enum { MOST_K = 8, HELD_TO = 6, ROUNDS = 15, UPDATES = 8, INPUTS = 128, UNITS = 64 };
enum { PLAIN = MOST_K + 1, N_RUNS };

static const char settings[] = "hidden=128 units=64 batch=256 optimiser=adam credit=none "
                               "decay-kind=l2 decay-rule=exact report-every=1000000 "
                               "evaluate-every=1000000";

static const char plain[] = "hidden=128-64 batch=256 optimiser=adam estimator=off "
                            "input-dropout=0 hidden-dropout=0 report-every=1000000 "
                            "evaluate-every=1000000";

static SlExit
open_runs (SlHeadlessRun *runs, unsigned *opened)
{
  for (unsigned i = 0; i < N_RUNS; i++)
    {
      g_autofree char *text = g_strdup_printf ("k=%u %s", i, settings);
      SlExit code = i == PLAIN ? sl_bench_open (&runs[i], "sign-estimator", "digits", plain, 1)
                               : sl_bench_open (&runs[i], "prefix-tree", "digits", text, 1);

      if (code == SL_EXIT_FINE)
        {
          *opened = i + 1;
          /* Also visits the nodes for the first time, which is slower. */
          code = sl_bench_train (&runs[i], UPDATES);
        }
      if (code != SL_EXIT_FINE)
        return code;
    }
  return SL_EXIT_FINE;
}

/* Median over rounds of the time of each run over that of k = 0, all taken in turn. */
static SlExit
compare (SlHeadlessRun *runs, double ratio[N_RUNS], double *dense_ms)
{
  double seconds[N_RUNS][ROUNDS], shares[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < N_RUNS; i++)
      {
        double begin = sl_clock_thread ();
        SlExit code = sl_bench_train (&runs[i], UPDATES);

        if (code != SL_EXIT_FINE)
          return code;
        seconds[i][round] = sl_clock_thread () - begin;
      }
  for (unsigned i = 0; i < N_RUNS; i++)
    {
      for (int round = 0; round < ROUNDS; round++)
        shares[round] = seconds[i][round] / seconds[0][round];
      ratio[i] = sl_median (shares, ROUNDS);
    }
  *dense_ms = 1e3 * sl_median (seconds[0], ROUNDS) / UPDATES;
  return SL_EXIT_FINE;
}

static SlExit
bench_tree (SlBench *bench)
{
  SlHeadlessRun runs[N_RUNS];
  unsigned      opened = 0;
  double        ratio[N_RUNS], dense_ms;
  SlExit        code = open_runs (runs, &opened);

  if (code == SL_EXIT_FINE)
    code = compare (runs, ratio, &dense_ms);
  if (code == SL_EXIT_FINE)
    sl_bench_note (bench,
                   "784-128-(tree 64)-10, batch 256, one thread; a step with k = 0 takes "
                   "%.2f ms",
                   dense_ms);
  for (unsigned k = 0; k <= MOST_K && code == SL_EXIT_FINE; k++)
    {
      size_t           nodes = ((size_t) 2 << k) - 1;
      g_autofree char *name = g_strdup_printf ("tree.k-%u", k);
      g_autofree char *note
        = g_strdup_printf ("step / dense step; the tree has %zu weights", nodes * INPUTS * UNITS);

      sl_bench_result (bench, name, ratio[k], "x dense", k == HELD_TO ? SL_BAR_MOST : SL_BAR_NONE,
                       k + 1.0, note);
    }
  if (code == SL_EXIT_FINE)
    sl_bench_result (bench, "tree.plain", ratio[PLAIN], "x k = 0", SL_BAR_NONE, 0,
                     "step of the dense network 784-128-64-10 of the sign estimator's lab");
  while (opened > 0)
    sl_headless_clear (&runs[--opened]);
  return code;
}

const SlBenchGroup sl_bench_tree
  = { "tree", "a training step of a prefix tree against a dense one", false, bench_tree };
