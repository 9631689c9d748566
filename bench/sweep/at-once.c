/* SPDX-License-Identifier: MIT
 *
 * How many runs of a sweep go on at a time: as many as there are cores with a thread each, or one
 * with all of them, for networks of several sizes.  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"

enum { ROUNDS = 5, MOST = 8 };

static const struct
{
  const char *name, *lab, *data, *settings;
  unsigned    updates; /* of a round */
} sizes[] = {
  { "sweep.moons-64-64", "sign-estimator", "moons", "hidden=64-64 batch=32 evaluate-every=1000000",
    400 },
  { "sweep.digits-1000-600-400", "sign-estimator", "digits",
    "hidden=1000-600-400 batch=100 evaluate-every=1000000", 15 },
  { "sweep.digits-2000-2000", "sign-estimator", "digits",
    "hidden=2000-2000 batch=256 evaluate-every=1000000", 4 },
  { "sweep.experts", "experts", "digits", "evaluate-every=1000000", 60 },
  { "sweep.recurrence-512", "gated-recurrence", "grammar",
    "units=512 gates=16 gating=blocks batch=64 length=20 evaluate-every=1000000", 4 },
};

typedef struct
{
  SlHeadlessRun *run;
  unsigned       updates;
  SlExit         code;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;

  sl_blas_set_threads (1);
  worker->code = sl_bench_train (worker->run, worker->updates);
  return NULL;
}

/* Seconds of so many updates of every run side by side. */
static double
side_by_side (SlHeadlessRun *runs, unsigned n, unsigned updates, SlExit *code)
{
  GThread *thread[MOST];
  Worker   worker[MOST];
  double   began = sl_clock_wall ();

  for (unsigned i = 0; i < n; i++)
    {
      worker[i] = (Worker) { &runs[i], updates, SL_EXIT_FINE };
      thread[i] = g_thread_new ("sweep", work, &worker[i]);
    }
  for (unsigned i = 0; i < n; i++)
    {
      g_thread_join (thread[i]);
      if (*code == SL_EXIT_FINE)
        *code = worker[i].code;
    }
  return sl_clock_wall () - began;
}

/* The same for one run after the other, each with all threads. */
static double
in_turn (SlHeadlessRun *runs, unsigned n, unsigned updates, SlExit *code)
{
  double began;

  sl_blas_set_threads (n);
  began = sl_clock_wall ();
  for (unsigned i = 0; i < n && *code == SL_EXIT_FINE; i++)
    *code = sl_bench_train (&runs[i], updates);
  return sl_clock_wall () - began;
}

static SlExit
measure (SlBench *bench, size_t size, unsigned n)
{
  SlHeadlessRun runs[MOST];
  double        ratios[ROUNDS];
  unsigned      opened = 0, updates = sizes[size].updates;
  SlExit        code = SL_EXIT_FINE;

  while (opened < n && code == SL_EXIT_FINE)
    {
      code
        = sl_bench_open (&runs[opened], sizes[size].lab, sizes[size].data, sizes[size].settings, 1);
      opened += code == SL_EXIT_FINE;
    }
  if (code == SL_EXIT_FINE)
    side_by_side (runs, n, 2, &code);
  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double one = in_turn (runs, n, updates, &code);

      ratios[round] = one / side_by_side (runs, n, updates, &code);
    }
  for (unsigned i = 0; i < opened; i++)
    sl_headless_clear (&runs[i]);
  if (code == SL_EXIT_FINE)
    sl_bench_result (bench, sizes[size].name, sl_median (ratios, ROUNDS), "x", SL_BAR_LEAST, 1,
                     "runs in turn with all threads / side by side with one each");
  return code;
}

static SlExit
bench_sweep (SlBench *bench)
{
  unsigned n = MIN (sl_blas_cores (), MOST);
  SlExit   code = SL_EXIT_FINE;

  if (n < 2)
    {
      sl_bench_note (bench, "sweep: one core only, nothing to compare");
      return SL_EXIT_FINE;
    }
  for (size_t size = 0; size < G_N_ELEMENTS (sizes) && code == SL_EXIT_FINE; size++)
    code = measure (bench, size, n);
  return code;
}

const SlBenchGroup sl_bench_sweep
  = { "sweep", "runs of a sweep side by side against one with all threads", false, bench_sweep };
