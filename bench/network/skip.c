/* SPDX-License-Identifier: MIT
 *
 * Training that skips against training that computes everything: the published network at batch 128, a quarter
 * of the units on.  */
#include "app/cli/plan.h"
#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"

enum { SIDES = 3, ROUNDS = 15, REPEATS = 3, WARM_UP = 60 };

static const char *const sides[SIDES] = {
  "estimator=off",
  "estimator=on skip=no",
  "estimator=on skip=yes",
};

/* While updates are timed the share of units that are on is to stay as it was aimed at. */
static const char *const still[]
  = { "learning-rate=1e-6", "evaluate-every=1000000", "refresh=1000000", NULL };

typedef struct
{
  double ms[SIDES], masked, skipped, work; /* multiplications of skipping, of dense */
} Times;

static SlExit
warm_up (SlHeadlessRun *run)
{
  SlExit code = sl_bench_train (run, WARM_UP);

  for (unsigned i = 0; still[i] != NULL && code == SL_EXIT_FINE; i++)
    code = sl_cli_change_run (run, still[i]);
  return code == SL_EXIT_FINE ? sl_bench_train (run, 1) : code;
}

static double
multiplications (const SlHeadlessRun *run)
{
  SlProgress progress;

  sl_trainer_progress (run->trainer, &progress);
  return progress.multiplications;
}

/* All sides in turn, by this thread's clock. */
static SlExit
time_sides (SlHeadlessRun *run, Times *times)
{
  double took[SIDES][ROUNDS], masked[ROUNDS], skipped[ROUNDS];
  double dense = -multiplications (&run[0]), skipping = -multiplications (&run[2]);

  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < SIDES; i++)
        {
          double begin = sl_clock_thread ();
          SlExit code = sl_bench_train (&run[i], REPEATS);

          if (code != SL_EXIT_FINE)
            return code;
          took[i][round] = 1e3 * (sl_clock_thread () - begin) / REPEATS;
        }
      masked[round] = took[0][round] / took[1][round];
      skipped[round] = took[0][round] / took[2][round];
    }
  times->work = (skipping + multiplications (&run[2])) / (dense + multiplications (&run[0]));
  for (int i = 0; i < SIDES; i++)
    times->ms[i] = sl_median (took[i], ROUNDS);
  times->masked = sl_median (masked, ROUNDS);
  times->skipped = sl_median (skipped, ROUNDS);
  return SL_EXIT_FINE;
}

static SlExit
measure (SlBench *bench, const char *name, const char *more, SlBarKind bar)
{
  g_autofree char *masked = g_strdup_printf ("skip.masked-%s", name), *note = NULL;
  g_autofree char *skipped = g_strdup_printf ("skip.skipping-%s", name);
  SlHeadlessRun    run[SIDES];
  Times            times;
  SlExit           code = SL_EXIT_FINE;
  int              opened = 0;

  for (; opened < SIDES && code == SL_EXIT_FINE; opened += code == SL_EXIT_FINE)
    {
      g_autofree char *settings
        = g_strdup_printf ("hidden=1000-600-400 batch=128 rank=50-35-25 refresh=20 aim=density "
                           "aim-value=0.25 evaluate-every=10 evaluate-examples=100 "
                           "report-every=1000000 %s %s",
                           more, sides[opened]);

      code = sl_bench_open (&run[opened], "sign-estimator", "digits:images=6000", settings, 1);
    }
  for (int i = 0; i < SIDES && code == SL_EXIT_FINE; i++)
    code = warm_up (&run[i]);
  if (code == SL_EXIT_FINE)
    code = time_sides (run, &times);
  if (code == SL_EXIT_FINE)
    {
      note
        = g_strdup_printf ("dense update ÷ this one: %.2f, masked %.2f, skipping %.2f ms; skipping "
                           "does %.0f %% of the multiplications",
                           times.ms[0], times.ms[1], times.ms[2], 100 * times.work);
      sl_bench_result (bench, masked, times.masked, "x", SL_BAR_NONE, 0, note);
      sl_bench_result (bench, skipped, times.skipped, "x", bar, 1.3, note);
    }
  while (opened > 0)
    sl_headless_clear (&run[--opened]);
  return code;
}

static SlExit
bench_skip (SlBench *bench)
{
  SlExit code;

  sl_bench_note (bench, "a quarter of the units on, batch 128, ranks 50-35-25, one thread");
  code = measure (bench, "plain", "input-dropout=0 hidden-dropout=0", SL_BAR_LEAST);
  if (code == SL_EXIT_FINE)
    code = measure (bench, "dropout", "input-dropout=0.3 hidden-dropout=0.5", SL_BAR_LEAST);
  return code;
}

const SlBenchGroup sl_bench_skip
  = { "skip", "updates that skip what an estimate switches off against dense ones", false,
      bench_skip };
