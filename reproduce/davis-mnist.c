/* SPDX-License-Identifier: MIT
 *
 * Table 3.3 of Davis 2016 on MNIST: the control network and four ranks of the sign
 * estimator.  One control is trained; on the way a checkpoint is taken, and each row goes on from
 * there with its estimator for the rest of the same schedule.  */
#include <math.h>
#include <string.h>

#include "app/cli/stop.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/headless/headless.h"
#include "reproduce/reproduce.h"

enum { EPOCHS = 300, FORK = 240, QUICK_EPOCHS = 10, QUICK_FORK = 8 };
enum { ROWS = 5, CONTROL = 0 };

static const char lab_id[] = "sign-estimator";
static const char settings[]
  = "hidden=1000-600-400 input-dropout=0.3 hidden-dropout=0.5 optimiser=adam batch=256 "
    "learning-rate=0.001 schedule=cosine estimator=off report-every=1000 evaluate-every=1000000";

static const char *const rows[ROWS + 1]
  = { "control, no estimator", "50-35-25", "25-25-25", "15-10-5", "10-10-5", NULL };
static const char *const ranks[ROWS]
  = { NULL, "rank=50-35-25", "rank=25-25-25", "rank=15-10-5", "rank=10-10-5" };
static const double published[ROWS][2] = {
  { 1.1240, 0.0737 }, { 1.1500, 0.0671 }, { 1.2335, 0.0502 }, { 1.5245, 0.0698 }, { 3.2730, 0.2556 }
};

static const SlTableColumn columns[] = { { "test", "% wrong", SL_SAME_QUANTITY } };

/* Changes a live parameter of a run under way. */
static SlExit
change (SlHeadlessRun *run, const char *text)
{
  SlPlan plan;
  SlExit code;

  sl_plan_init (&plan, run->record.lab);
  code = sl_plan_set (&plan, text);
  if (code == SL_EXIT_FINE)
    {
      g_autofree char *id = g_strndup (text, strcspn (text, "="));
      unsigned         param = (unsigned) sl_param_find (plan.lab->params, plan.lab->n_params, id);
      SlStatus         status = sl_trainer_set (run->trainer, param, &plan.settings.value[param]);

      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
    }
  sl_plan_clear (&plan);
  return code;
}

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
      code = change (run, "estimator=on");
      if (code == SL_EXIT_FINE)
        code = change (run, ranks[row]);
    }
  if (code == SL_EXIT_FINE)
    code = train_to (r, run, rows[row], epochs);
  if (code != SL_EXIT_FINE)
    return code;
  status = sl_trainer_score (run->trainer, SL_TEST, scores, &n);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_reproduction_ours (r, row, 0, sl_outcome_error (run->record.lab, scores, n)->value);
  sl_reproduction_note (r, "%s: %.2f %%", rows[row], scores[0].value);
  return SL_EXIT_FINE;
}

static SlExit
measure_seed (SlReproduction *r, uint64_t seed)
{
  double        epochs = r->quick ? QUICK_EPOCHS : EPOCHS;
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
    code = sl_plan_set (&plan, r->quick ? "schedule-epochs=10" : "schedule-epochs=300");
  if (code == SL_EXIT_FINE)
    {
      SlStatus status = sl_headless_open (&run, &plan, NULL);

      code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
      if (code == SL_EXIT_FINE)
        code = train_to (r, &run, rows[CONTROL], r->quick ? QUICK_FORK : FORK);
      if (code == SL_EXIT_FINE)
        {
          status = sl_trainer_save (run.trainer, &fork);
          code = sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
        }
      for (unsigned row = 0; row < ROWS && code == SL_EXIT_FINE; row++)
        code = measure_row (r, &run, &fork, row, epochs);
      sl_checkpoint_clear (&fork);
      sl_headless_clear (&run);
    }
  sl_plan_clear (&plan);
  return code;
}

static void
claim (SlReproduction *r)
{
  unsigned kept = 0;
  double   control = sl_reproduction_mean (r, CONTROL, 0), first = sl_reproduction_mean (r, 1, 0);

  for (unsigned row = 1; row < ROWS; row++)
    kept += sl_reproduction_mean (r, row, 0) >= sl_reproduction_mean (r, row - 1, 0);
  /* Neighbours whose published difference is a fraction of its deviation may change places. */
  sl_reproduction_claim (r, kept >= ROWS - 2,
                         "smaller ranks err more: %u of %d rows at least as "
                         "wrong as the one above",
                         kept, ROWS - 1);
  sl_reproduction_claim (r, first - control <= 0.15,
                         "ranks 50-35-25 cost next to nothing: %.2f %% "
                         "against %.2f %%",
                         first, control);
}

static SlExit
run_table (SlReproduction *r)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned row = 0; row < ROWS; row++)
    {
      sl_reproduction_published (r, row, 0, published[row][0], published[row][1]);
      sl_reproduction_recipe (r, lab_id, r->data, settings, ranks[row]);
    }
  for (unsigned seed = 1; seed <= r->seeds && code == SL_EXIT_FINE; seed++)
    code = measure_seed (r, seed);
  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_davis_33 = {
  .id = "davis-3.3",
  .title = "test errors with a sign estimator of four ranks, on MNIST",
  .source = "Davis 2016, table 3.3",
  .time = "35 min",
  .quick_time = "1 min",
  .conditions = "Published network, input scaling and dropout; ours is the schedule, 300 epochs of "
                "Adam falling along a cosine, and that the rows leave the control after 240 epochs "
                "to train the last 60 with their estimator.",
  .needs = SL_NEEDS_MNIST,
  .usual_seeds = 1,
  .rows = rows, .columns = columns, .n_columns = 1, .run = run_table,
};
/* clang-format on */
