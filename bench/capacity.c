/* SPDX-License-Identifier: MIT
 *
 * The lab `capacity`: how long its theory takes on the largest lattice a window shows well, and
 * how soon random networks are on the line.  */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum { ROUNDS = 5, NETWORKS = 64 };

/* Every panel's probe but those of measurements alone; the slowest decides. */
static SlExit
bench_theory (SlBench *bench)
{
  g_autofree char *slowest = NULL;
  double           worst = 0;
  SlHeadlessRun    run;
  SlExit           code = sl_bench_open (&run, "capacity", NULL,
                                         "layers=1024 positions=257 leak=1 dilation=smooth reach=16 "
                                                   "channels=4 gradients=no train=no",
                                         1);

  if (code != SL_EXIT_FINE)
    return code;
  code = sl_bench_train (&run, 2);
  for (unsigned p = 0; p < run.record.lab->n_panels && code == SL_EXIT_FINE; p++)
    {
      const SlPanel *panel = &run.record.lab->panels[p];
      double         seconds[ROUNDS];

      if (sl_panel_is_series (panel->kind))
        continue;
      for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
        {
          double begin = sl_clock_thread ();

          code = sl_bench_probe (&run, p);
          seconds[round] = sl_clock_thread () - begin;
        }
      if (code == SL_EXIT_FINE && sl_median (seconds, ROUNDS) > worst)
        {
          worst = sl_median (seconds, ROUNDS);
          g_free (slowest);
          slowest = g_strdup (panel->id);
        }
    }
  sl_headless_clear (&run);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *note
        = g_strdup_printf ("1024 layers, 257 positions, dilated; the slowest is %s", slowest);

      sl_bench_result (bench, "capacity.theory", 1e3 * worst, "ms", SL_BAR_MOST, 16, note);
    }
  return code;
}

/* A figure of the lab, or not-a-number. */
static double
score_of (SlHeadlessRun *run, const char *id)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n = 0;
  SlStatus status = sl_trainer_score (run->trainer, SL_TEST, scores, &n);

  for (unsigned i = 0; sl_ok (&status) && i < n; i++)
    if (strcmp (scores[i].id, id) == 0)
      return scores[i].value;
  return NAN;
}

/* A slider moved and moved back: the lab begins to average anew, with other networks. */
static SlExit
begin_anew (SlHeadlessRun *run)
{
  const SlLab  *lab = run->record.lab;
  unsigned      param = (unsigned) sl_param_find (lab->params, lab->n_params, "exponent");
  const SlValue kept = sl_trainer_settings (run->trainer)->value[param];
  SlValue       other = kept;
  SlStatus      status;

  other.v[0] = 1.0 - kept.v[0] / 2;
  status = sl_trainer_set (run->trainer, param, &other);
  if (sl_ok (&status))
    status = sl_trainer_set (run->trainer, param, &kept);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* 64 networks a few times over; neighbouring positions err together, so that single times
 * scatter by some per cent about what is expected of normal errors, 95.  */
static SlExit
bench_networks (SlBench *bench)
{
  double        seconds[ROUNDS], agreement[ROUNDS];
  SlHeadlessRun run;
  SlExit        code = sl_bench_open (&run, "capacity", NULL, "positions=129 gradients=no train=no",
                               sl_blas_cores () < 2 ? 1 : 2);

  if (code != SL_EXIT_FINE)
    return code;
  for (int round = 0; round < ROUNDS && code == SL_EXIT_FINE; round++)
    {
      double begin = sl_clock_wall ();

      code = sl_bench_train (&run, NETWORKS);
      seconds[round] = sl_clock_wall () - begin;
      agreement[round] = score_of (&run, "agreement");
      if (code == SL_EXIT_FINE)
        code = begin_anew (&run);
    }
  sl_headless_clear (&run);
  if (code != SL_EXIT_FINE)
    return code;
  sl_bench_result (bench, "capacity.networks", sl_median (seconds, ROUNDS), "s", SL_BAR_MOST, 2,
                   "64 networks of 32 layers, 16 channels, 129 positions");
  sl_bench_result (bench, "capacity.agreement", sl_median (agreement, ROUNDS), "%", SL_BAR_LEAST,
                   90,
                   "positions within 2 standard errors of theory; median of 5 times 64 networks");
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
