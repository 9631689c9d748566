/* SPDX-License-Identifier: MIT
 *
 * How long the sweeps that the labs suggest take on two cores.  A few updates of every setting are timed on
 * one thread by its processor time, so that other work on the machine hardly counts, and multiplied out;
 * reading the data, once for a sweep, is not in it.  */
#include <math.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/headless/headless.h"
#include "core/run/record/data.h"
#include "core/run/sweep/sweep.h"

enum { WARM_UP = 2, FEWEST = 3, CORES = 2 };

static const double long_enough = 0.3; /* s of updates of one setting */

typedef struct
{
  double around;         /* s before the first update and after the last */
  double update, epochs; /* s, and passes over the data, of one */
  double most;           /* updates that a run has; INFINITY: no end came in sight */
} Timed;

static bool
goes_on (const SlHeadlessRun *run, const SlStatus *status)
{
  SlMessage why;

  return sl_ok (status) && !sl_trainer_ended (run->trainer, &why);
}

static SlStatus
time_updates (SlHeadlessRun *run, Timed *timed)
{
  SlStatus   status = SL_SUCCESS;
  SlProgress before, after;
  unsigned   n = 0;
  double     begin;

  for (unsigned i = 0; i < WARM_UP && goes_on (run, &status); i++)
    status = sl_trainer_step (run->trainer, &run->sink.sink);
  sl_trainer_progress (run->trainer, &before);
  begin = sl_clock_thread ();
  while (goes_on (run, &status) && (n < FEWEST || sl_clock_thread () - begin < long_enough))
    {
      status = sl_trainer_step (run->trainer, &run->sink.sink);
      n++;
    }
  sl_trainer_progress (run->trainer, &after);
  timed->update = (sl_clock_thread () - begin) / MAX (n, 1);
  timed->epochs = (after.epochs - before.epochs) / MAX (n, 1);
  timed->most = goes_on (run, &status) ? INFINITY : (double) sl_trainer_steps (run->trainer);
  return status;
}

static SlStatus
time_scores (SlHeadlessRun *run)
{
  SlScore  scores[SL_SCORES_MAX];
  SlStatus status = SL_SUCCESS;
  unsigned n;

  for (int split = SL_VALID; split <= SL_TEST && sl_ok (&status); split++)
    if (sl_dataset_scores (run->dataset, (SlSplit) split))
      status = sl_trainer_score (run->trainer, (SlSplit) split, scores, &n);
  return status;
}

static SlStatus
time_job (const SlSweep *sweep, const SlSweepJob *job, const SlDataset *dataset, Timed *timed)
{
  double        begin = sl_clock_thread (), spent;
  SlHeadlessRun run;
  SlStatus      status;
  SlPlan        plan;

  sl_plan_init (&plan, sweep->lab);
  plan.settings = job->settings;
  plan.seed = job->seed;
  plan.threads = 1;
  status = sl_headless_open (&run, &plan, dataset);
  timed->around = sl_clock_thread () - begin;
  if (sl_ok (&status))
    status = time_updates (&run, timed);
  spent = sl_clock_thread ();
  if (sl_ok (&status))
    status = time_scores (&run);
  timed->around += sl_clock_thread () - spent;
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  return status;
}

static double
seconds_of (const SlBudget *budget, const Timed *timed)
{
  double updates = timed->most;

  if (budget->steps > 0)
    updates = MIN (updates, (double) budget->steps);
  if (budget->epochs > 0 && timed->epochs > 0)
    updates = MIN (updates, budget->epochs / timed->epochs);
  return timed->around + updates * timed->update;
}

/* Each setting with its first seed stands for all of them. */
static SlStatus
time_sweep (const SlSweep *sweep, const SlDataset *dataset, unsigned *runs, double *seconds)
{
  g_autoptr (GArray) jobs = sl_sweep_expand (sweep);
  guint    settings = jobs->len / sweep->seeds->len;
  SlStatus status = SL_SUCCESS;

  *runs = jobs->len;
  *seconds = 0;
  for (guint i = 0; i < settings && sl_ok (&status); i++)
    {
      Timed timed;

      status = time_job (sweep, &g_array_index (jobs, SlSweepJob, i), dataset, &timed);
      *seconds += seconds_of (&sweep->budget, &timed) * sweep->seeds->len;
    }
  return status;
}

static SlStatus
measure (SlBench *bench, const SlLab *lab, const SlSweepHint *hint)
{
  g_autofree char *name = g_strdup_printf ("suggested.%s.%s", lab->id, hint->id), *note = NULL;
  SlDataset       *dataset = NULL;
  SlStatus         status = SL_SUCCESS;
  SlSweep          sweep;
  unsigned         runs;
  double           seconds;

  sl_sweep_init (&sweep, lab);
  if (sl_sweep_suggest (&sweep, hint, NULL) && sweep.data != NULL)
    status = sl_open_data (sweep.data, &dataset);
  if (sl_ok (&status))
    status = time_sweep (&sweep, dataset, &runs, &seconds);
  if (sl_ok (&status))
    {
      note = g_strdup_printf ("%s: %u runs, %.0f s of one thread", hint->title, runs, seconds);
      sl_bench_result (bench, name, seconds / CORES / 60, "min", SL_BAR_MOST, 15, note);
    }
  sl_dataset_free (dataset);
  sl_sweep_clear (&sweep);
  return status;
}

static SlExit
bench_suggested (SlBench *bench)
{
  SlStatus status = SL_SUCCESS;

  sl_blas_set_threads (1);
  for (unsigned l = 0; sl_labs[l] != NULL && sl_ok (&status); l++)
    for (unsigned s = 0; s < sl_lab_n_sweeps (sl_labs[l]) && sl_ok (&status); s++)
      status = measure (bench, sl_labs[l], &sl_labs[l]->sweeps[s]);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

const SlBenchGroup sl_bench_suggested
  = { "suggested", "minutes that the suggested sweeps take on two cores", true, bench_suggested };
