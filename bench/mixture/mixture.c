/* SPDX-License-Identifier: MIT
 *
 * A training step of the lab `experts` with many of them on images, against the same in PyTorch where
 * that is installed (bench/peers/images.py).  */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"

enum { UNITS = 256, HIDDEN = 512, CHOSEN = 4, BATCH = 256, WARM = 5, ROUNDS = 15 };

static const unsigned sizes[] = { 32, 64 };

/* Milliseconds of an update, computed by the only thread, or passed while several compute. */
static SlExit
time_updates (SlHeadlessRun *run, unsigned threads, double *ms)
{
  double times[ROUNDS];
  SlExit code = sl_bench_train (run, WARM);

  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double begin = threads == 1 ? sl_clock_thread () : sl_clock_wall ();

      code = sl_bench_train (run, 1);
      times[round] = 1e3 * ((threads == 1 ? sl_clock_thread () : sl_clock_wall ()) - begin);
    }
  *ms = code == SL_EXIT_FINE ? sl_median (times, ROUNDS) : 0;
  return code;
}

static SlExit
measure (SlBench *bench, unsigned experts, unsigned threads)
{
  g_autofree char *name = g_strdup_printf ("mixture.%u-experts.%u-thread", experts, threads);
  g_autofree char *settings = g_strdup_printf (
    "experts=%u k=%d embedding=%d hidden=%d batch=%d residual=yes report-every=1000000 "
    "evaluate-every=1000000",
    experts, CHOSEN, UNITS, HIDDEN, BATCH);
  g_autofree char *words = NULL, *note = NULL;
  SlHeadlessRun    run;
  double           ms, theirs;
  SlExit           code = sl_bench_open (&run, "experts", sl_source_default (), settings, threads);

  if (code != SL_EXIT_FINE)
    return code;
  code = time_updates (&run, threads, &ms);
  words = g_strdup_printf ("%u %zu %d %d %u %u %d %d", threads, (size_t) run.dataset->features,
                           UNITS, HIDDEN, run.dataset->classes, experts, CHOSEN, BATCH);
  sl_headless_clear (&run);
  if (code != SL_EXIT_FINE)
    return code;
  theirs = sl_bench_peer ("images.py", words);
  note
    = g_strdup_printf ("a step with k = 4 and batch 256: %.1f ms, in PyTorch %.1f ms", ms, theirs);
  if (theirs > 0)
    sl_bench_result (bench, name, theirs / ms, "x as fast", SL_BAR_LEAST, 3, note);
  else
    sl_bench_note (bench, "%s: %.1f ms; python3-torch is not installed", name, ms);
  return SL_EXIT_FINE;
}

static SlExit
bench_mixture (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (unsigned threads = 1; threads <= MIN (2, sl_blas_cores ()) && code == SL_EXIT_FINE;
         threads++)
      code = measure (bench, sizes[i], threads);
  return code;
}

const SlBenchGroup sl_bench_mixture
  = { "mixture", "many experts on images against PyTorch", false, bench_mixture };
