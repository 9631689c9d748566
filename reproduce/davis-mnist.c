/* SPDX-License-Identifier: MIT
 *
 * Table 3.3 and figure 3.6 of Davis 2016 on MNIST: the control network and four ranks of the sign
 * estimator, each trained with it from the first epoch on.  The quick form trains one control; on the way a
 * checkpoint is taken, and each row goes on from there with its estimator.  */
#include <math.h>

#include "app/cli/stop.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/headless/headless.h"
#include "reproduce/reproduce.h"

enum { EPOCHS = 150, QUICK_EPOCHS = 10, QUICK_FORK = 8 };
enum { ROWS = 5, CONTROL = 0 };
enum { TEST, VALID_LEAST, VALID_LAST, COLUMNS };

static const char lab_id[] = "sign-estimator";
static const char settings[]
  = "hidden=1000-600-400 input-dropout=0.3 hidden-dropout=0.5 optimiser=adam batch=128 "
    "learning-rate=0.0005 schedule=cosine report-every=1000 refresh-when=epoch";
static const char full[] = "schedule-epochs=150 evaluate-every=390 evaluate-examples=10000";
static const char quick[] = "schedule-epochs=10 evaluate-every=1000000";

static const char *const rows[ROWS + 1]
  = { "control, no estimator", "50-35-25", "25-25-25", "15-10-5", "10-10-5", NULL };
static const char *const ranks[ROWS]
  = { NULL, "rank=50-35-25", "rank=25-25-25", "rank=15-10-5", "rank=10-10-5" };
static const double published[ROWS][2] = {
  { 1.1240, 0.0737 }, { 1.1500, 0.0671 }, { 1.2335, 0.0502 }, { 1.5245, 0.0698 }, { 3.2730, 0.2556 }
};

static const char *const words[ROWS] = {
  "estimator=off",
  "estimator=on rank=50-35-25",
  "estimator=on rank=25-25-25",
  "estimator=on rank=15-10-5",
  "estimator=on rank=10-10-5",
};

static const SlTableColumn columns[COLUMNS] = {
  [TEST] = { "test", "% wrong", SL_SAME_QUANTITY },
  [VALID_LEAST] = { "least in validation", "% wrong", SL_SAME_SHAPE },
  [VALID_LAST] = { "last in validation", "% wrong", SL_SAME_SHAPE },
};

typedef struct
{
  const SlReproduction *reproduction;
  const char           *what;
  double                shown; /* s of sl_clock_wall() */
} Watch;

/* Says how far it is, now and then; false after Ctrl+C. */
static bool
watch (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Watch *self = data;

  if (sl_clock_wall () - self->shown >= 30)
    {
      self->shown = sl_clock_wall ();
      sl_reproduction_note (self->reproduction, "%s: epoch %.1f of %g", self->what,
                            progress->epochs, run->budget.epochs);
    }
  return !sl_stop_asked ();
}

static SlExit
train_to (const SlReproduction *r, SlHeadlessRun *run, const char *what, double epochs)
{
  Watch    self = { r, what, sl_clock_wall () };
  SlStatus status;

  run->budget = (SlBudget) { .epochs = epochs };
  status = sl_headless_train (run, watch, &self);
  return sl_ok (&status)                ? SL_EXIT_FINE
         : status.code == SL_ECANCELLED ? SL_EXIT_STOPPED
                                        : sl_cli_fail (&status);
}

/* One row from the checkpoint to the end. */
static SlExit
measure_row (SlReproduction *r, SlHeadlessRun *run, const SlCheckpoint *fork, unsigned row,
             double epochs)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
  SlStatus status = sl_trainer_restore (run->trainer, fork);
  SlExit   code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);

  if (code == SL_EXIT_FINE && ranks[row] != NULL)
    {
      code = sl_cli_change_run (run, "estimator=on");
      if (code == SL_EXIT_FINE)
        code = sl_cli_change_run (run, ranks[row]);
    }
  if (code == SL_EXIT_FINE)
    code = train_to (r, run, rows[row], epochs);
  if (code != SL_EXIT_FINE)
    return code;
  status = sl_trainer_score (run->trainer, SL_TEST, scores, &n);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_reproduction_ours (r, row, TEST, sl_outcome_error (run->record.lab, scores, n)->value);
  sl_reproduction_note (r, "%s: %.2f %%", rows[row], scores[0].value);
  return SL_EXIT_FINE;
}

/* The quick form: all rows of one seed. */
static SlExit
measure_fork (SlReproduction *r, uint64_t seed)
{
  SlCheckpoint  fork = { 0 };
  SlPlan        plan;
  SlHeadlessRun run;
  SlExit        code;

  sl_plan_init (&plan, sl_lab_find (lab_id));
  plan.data = g_strdup (r->data);
  plan.seed = seed;
  plan.threads = sl_blas_cores ();
  code = sl_plan_set_words (&plan, settings);
  if (code == SL_EXIT_FINE)
    code = sl_plan_set_words (&plan, quick);
  if (code == SL_EXIT_FINE)
    code = sl_plan_set_words (&plan, words[CONTROL]);
  if (code == SL_EXIT_FINE)
    {
      SlStatus status = sl_headless_open (&run, &plan, NULL);

      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
      if (code == SL_EXIT_FINE)
        code = train_to (r, &run, rows[CONTROL], QUICK_FORK);
      if (code == SL_EXIT_FINE)
        {
          status = sl_trainer_save (run.trainer, &fork);
          code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
        }
      for (unsigned row = 0; row < ROWS && code == SL_EXIT_FINE; row++)
        code = measure_row (r, &run, &fork, row, QUICK_EPOCHS);
      sl_checkpoint_clear (&fork);
      sl_headless_clear (&run);
    }
  sl_plan_clear (&plan);
  return code;
}

/* A run of the full form, with its curve of figure 3.6. */
static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  const SlRecord *record = &result->record;
  const SlSeries *valid = &record->series[sl_layout_find (&record->layout, "error.valid")];
  double          least = NAN;

  for (size_t i = 0; i < valid->n; i++)
    if (!(valid->value[i] >= least))
      least = valid->value[i];
  sl_reproduction_ours (r, row, TEST, sl_reproduction_score (result, "error"));
  sl_reproduction_ours (r, row, VALID_LEAST, least);
  sl_reproduction_ours (r, row, VALID_LAST, valid->value[valid->n - 1]);
  sl_reproduction_validation (r, row, result);
}

static void
claim (SlReproduction *r)
{
  unsigned kept = 0;
  double   control = sl_reproduction_mean (r, CONTROL, TEST);
  double   first = sl_reproduction_mean (r, 1, TEST);
  double   least = sl_reproduction_mean (r, ROWS - 1, VALID_LEAST);
  double   last = sl_reproduction_mean (r, ROWS - 1, VALID_LAST);

  for (unsigned row = 1; row < ROWS; row++)
    kept += sl_reproduction_mean (r, row, TEST) >= sl_reproduction_mean (r, row - 1, TEST);
  sl_reproduction_claim (r, kept == ROWS - 1,
                         "smaller ranks err more: %u of %d rows at least as "
                         "wrong as the one above",
                         kept, ROWS - 1);
  sl_reproduction_claim (r, first - control <= 0.15,
                         "ranks 50-35-25 cost next to nothing: %.2f %% "
                         "against %.2f %%",
                         first, control);
  if (r->quick)
    return;
  sl_reproduction_claim (r, last - least > 0.3,
                         "10-10-5 gets better, then worse (figure 3.6): %.2f %% at best, "
                         "%.2f %% at the end",
                         least, last);
}

static SlExit
train_all (SlReproduction *r)
{
  g_autofree char *all = g_strconcat (settings, " ", full, NULL);
  SlTableRuns      runs = {
         .lab = lab_id, .settings = all, .rows = words, .budget = { .epochs = EPOCHS }, .read = read_run
  };

  return sl_reproduction_runs (r, &runs);
}

static SlExit
run_table (SlReproduction *r)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned row = 0; row < ROWS; row++)
    {
      sl_reproduction_published (r, row, TEST, published[row][0], published[row][1]);
      if (r->quick)
        sl_reproduction_recipe (r, lab_id, r->data, settings, words[row]);
    }
  for (unsigned seed = 1; r->quick && seed <= r->seeds && code == SL_EXIT_FINE; seed++)
    code = measure_fork (r, seed);
  if (!r->quick)
    code = train_all (r);
  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_davis_33 = {
  .id = "davis-3.3",
  .title = "test errors with a sign estimator of four ranks, on MNIST",
  .source = "Davis 2016, table 3.3 and figure 3.6",
  .time = "4 h",
  .quick_time = "2 min",
  .conditions = "Published network, input scaling and dropout, the estimator from the first epoch, refreshed once "
                "per epoch; ours is the schedule, 150 epochs of Adam falling along a cosine. The quick form "
                "trains one control for 8 of 10 epochs, and the rows leave it there.",
  .needs = SL_NEEDS_MNIST,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .plots = &sl_validation_plot, .n_plots = 1,
  .run = run_table,
};
/* clang-format on */
