/* SPDX-License-Identifier: MIT
 *
 * The lab `capacity`: how long its theory takes on the largest lattice a window shows well, and
 * how soon random networks are on the line.  */
#include <math.h>
#include <string.h>

#include "app/cli/bench-run.h"
#include "app/cli/bench.h"
#include "app/cli/clock.h"
#include "core/nn/mat.h"

enum { ROUNDS = 5, NETWORKS = 64 };

/* Every panel's survey but those of measurements alone; the slowest decides. */
static SlExit
bench_theory (SlBench *bench)
{
  g_autofree char *slowest = NULL;
  double worst = 0;
  SlRun  run;
  SlExit code = sl_bench_open (&run, "capacity", NULL,
                               "layers=1024 positions=257 leak=1 dilation=smooth reach=16 "
                               "channels=4 gradients=no train=no",
                               1);

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_train (&run, 2);
  for (unsigned p = 0; p < run.record.lab->n_panels && code == SL_EXIT_FINE; p++)
    {
      const SlPanel *panel = &run.record.lab->panels[p];
      double seconds[ROUNDS];

      if (sl_panel_is_series (panel->kind))
        continue;
      for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
        {
          double begin = sl_clock_thread ();

          code = sl_run_survey (&run, p);
          seconds[round] = sl_clock_thread () - begin;
        }
      if (code == SL_EXIT_FINE && sl_median (seconds, ROUNDS) > worst)
        {
          worst = sl_median (seconds, ROUNDS);
          g_free (slowest);
          slowest = g_strdup (panel->id);
        }
    }
  sl_run_clear (&run);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *note
        = g_strdup_printf ("1024 layers, 257 positions, dilated; the slowest is %s", slowest);

      sl_bench_figure (bench, "capacity.theory", 1e3 * worst, "ms", SL_BAR_MOST, 16, note);
    }
  return code;
}

static double
score_of (SlRun *run, const char *id)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n = 0;
  SlStatus status = sl_trainer_score (run->trainer, SL_TEST, scores, &n);

  for (unsigned i = 0; sl_ok (&status) && i < n; i++)
    if (strcmp (scores[i].id, id) == 0)
      return scores[i].value;
  return NAN;
}

/* 64 networks for each of a few seeds; neighbouring positions err together, so that single seeds
 * scatter by some per cent about what is expected of normal errors, 95.  */
static SlExit
bench_networks (SlBench *bench)
{
  double   seconds[ROUNDS], agreement[ROUNDS];
  unsigned cores = sl_blas_cores () < 2 ? 1 : 2;
  SlExit   code = SL_EXIT_FINE;

  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      SlRun    run;
      SlPlan   plan;
      double   begin;

      sl_plan_init (&plan, sl_lab_find ("capacity"));
      plan.seed = (uint64_t) round + 1;
      plan.threads = cores;
      code = sl_plan_set (&plan, "positions=129");
      if (code == SL_EXIT_FINE)
        code = sl_plan_set (&plan, "gradients=no");
      if (code == SL_EXIT_FINE)
        code = sl_plan_set (&plan, "train=no");
      memset (&run, 0, sizeof run);
      if (code == SL_EXIT_FINE)
        code = sl_run_open (&run, &plan);
      sl_plan_clear (&plan);
      begin = sl_clock_wall ();
      if (code == SL_EXIT_FINE)
        code = sl_bench_train (&run, NETWORKS);
      seconds[round] = sl_clock_wall () - begin;
      if (code == SL_EXIT_FINE)
        agreement[round] = score_of (&run, "agreement");
      sl_run_clear (&run);
    }
  if (code != SL_EXIT_FINE)
    return code;
  sl_bench_figure (bench, "capacity.networks", sl_median (seconds, ROUNDS), "s", SL_BAR_MOST, 2,
                   "64 networks of 32 layers, 16 channels, 129 positions");
  sl_bench_figure (bench, "capacity.agreement", sl_median (agreement, ROUNDS), "%", SL_BAR_LEAST,
                   90, "positions within 2 standard errors of theory; median of 5 seeds");
  return code;
}

static SlExit
bench_capacity (SlBench *bench)
{
  SlExit code = bench_theory (bench);

  return code == SL_EXIT_FINE ? bench_networks (bench) : code;
}

const SlBenchGroup sl_bench_capacity
  = { "capacity", "theory and random networks of the lab capacity", false, bench_capacity };
