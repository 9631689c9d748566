/* SPDX-License-Identifier: MIT
 *
 * Table 3.3 of Davis 2016 on MNIST: the control network and four ranks of the sign
 * estimator.  One control is trained; on the way a checkpoint is taken, and each row goes on from
 * there with its estimator for the rest of the same schedule.  */
#include <string.h>

#include "app/cli/bench-run.h"
#include "app/cli/bench.h"
#include "app/cli/clock.h"

enum { EPOCHS = 300, FORK = 240 };

static const char settings[]
  = "hidden=1000-600-400 input-dropout=0.3 hidden-dropout=0.5 optimiser=adam batch=256 "
    "learning-rate=0.001 schedule=cosine schedule-epochs=300 estimator=off "
    "report-every=1000 evaluate-every=1000000";

static const struct
{
  const char *name, *rank; /* NULL: the control */
  double      published, spread;
} rows[] = {
  { "mnist.control", NULL, 1.1240, 0.0737 },
  { "mnist.50-35-25", "rank=50-35-25", 1.1500, 0.0671 },
  { "mnist.25-25-25", "rank=25-25-25", 1.2335, 0.0502 },
  { "mnist.15-10-5", "rank=15-10-5", 1.5245, 0.0698 },
  { "mnist.10-10-5", "rank=10-10-5", 3.2730, 0.2556 },
};

static SlExit
set (SlRun *run, const char *text)
{
  SlPlan plan;
  SlExit code;

  sl_plan_init (&plan, run->record.lab);
  code = sl_plan_set (&plan, text);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *id = g_strndup (text, strcspn (text, "="));
      unsigned param = (unsigned) sl_param_find (plan.lab->params, plan.lab->n_params, id);
      SlStatus status = sl_trainer_set (run->trainer, param, &plan.settings.value[param]);

      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
    }
  sl_plan_clear (&plan);
  return code;
}

/* Trains one row from the checkpoint to the end; *error gets its test error in %. */
static SlExit
measure_row (SlBench *bench, SlRun *run, const SlCheckpoint *fork, size_t row, double *error)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
  SlStatus status = sl_trainer_restore (run->trainer, fork);
  SlExit   code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);

  if (code == SL_EXIT_FINE && rows[row].rank != NULL)
    {
      code = set (run, "estimator=on");
      if (code == SL_EXIT_FINE)
        code = set (run, rows[row].rank);
    }
  if (code == SL_EXIT_FINE)
    code = sl_bench_train_to (bench, run, rows[row].name, EPOCHS);
  if (code != SL_EXIT_FINE)
    return code;
  status = sl_trainer_score (run->trainer, SL_TEST, scores, &n);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  *error = scores[0].value; /* the lab's first score is its error */
  return SL_EXIT_FINE;
}

static void
report_row (SlBench *bench, size_t row, const double *error)
{
  static const double control_bar = 1.35, near_control = 0.15;
  g_autofree char *note
    = g_strdup_printf ("published %.4f +- %.4f", rows[row].published, rows[row].spread);
  double bar = row == 0 ? control_bar : error[0] + near_control;

  sl_bench_figure (bench, rows[row].name, error[row], "% test", row < 2 ? SL_BAR_MOST : SL_BAR_NONE,
                   bar, note);
}

/* How many rows are at least as wrong as the one above them, as published. */
static void
report_order (SlBench *bench, const double *error)
{
  size_t kept = 0;

  for (size_t row = 1; row < G_N_ELEMENTS (rows); row++)
    kept += error[row] >= error[row - 1];
  sl_bench_figure (bench, "mnist.order", (double) kept, "of 4 rows", SL_BAR_LEAST,
                   G_N_ELEMENTS (rows) - 1, "at least as wrong as the row above, as published");
}

static SlExit
measure (SlBench *bench, SlRun *run)
{
  double       error[G_N_ELEMENTS (rows)], began = sl_clock_wall ();
  SlCheckpoint fork = { 0 };
  SlStatus     status;
  SlExit       code = sl_bench_train_to (bench, run, "mnist.control", FORK);

  if (code != SL_EXIT_FINE)
    return code;
  status = sl_trainer_save (run->trainer, &fork);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  for (size_t row = 0; row < G_N_ELEMENTS (rows); row++)
    {
      code = measure_row (bench, run, &fork, row, &error[row]);
      if (code != SL_EXIT_FINE)
        break;
      report_row (bench, row, error);
      if (row == 0)
        sl_bench_figure (bench, "mnist.control-time", (sl_clock_wall () - began) / 60, "min",
                         SL_BAR_MOST, 20, "to train the control");
    }
  if (code == SL_EXIT_FINE)
    report_order (bench, error);
  sl_checkpoint_clear (&fork);
  return code;
}

static SlExit
bench_mnist (SlBench *bench)
{
  g_autofree char *path = sl_bench_mnist_folder (bench);
  SlRun  run;
  SlExit code;

  if (path == NULL)
    {
      sl_cli_say ("mnist: where are its four files? give --data FOLDER");
      return SL_EXIT_FAILED;
    }
  code = sl_bench_open (&run, "sign-estimator", path, settings, 0);
  if (code == SL_EXIT_FINE)
    {
      code = measure (bench, &run);
      sl_run_clear (&run);
    }
  return code;
}

const SlBenchGroup sl_bench_mnist
  = { "mnist", "test errors of Davis' table 3.3", true, bench_mnist };
