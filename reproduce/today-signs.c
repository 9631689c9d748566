/* SPDX-License-Identifier: MIT
 *
 * What the papers on predictors of active units say of their order, on a toy: at equal recall, in networks
 * that were trained dense, and with sparsity made by training.  */
#include <math.h>
#include <string.h>

#include "app/cli/stop.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/headless/headless.h"
#include "reproduce/orders.h"

enum { DENSE, SVD, LEARNED, SIGNS, SPARSE, SPARSE_LEARNED, ROWS };
enum { ERROR, COST, COLUMNS };
enum { STEPS = 1500, QUICK_STEPS = 150 };

static const char lab_id[] = "sign-estimator";

static const char *const rows[ROWS + 1] = {
  "dense", "singular values", "learned", "sign bits", "L1 in training, dense", "L1, learned", NULL,
};

#define WATCHED "estimator=watch aim=recall aim-value=0.95 "
#define L1 "l1=0.3 l1-warm-up=100 l1-length=500 "

static const char *const words[ROWS] = {
  "estimator=off",
  WATCHED "predictor=svd",
  WATCHED "predictor=learned",
  WATCHED "predictor=sign-bits",
  L1 "estimator=off",
  L1 WATCHED "predictor=learned",
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [COST] = { "cost", "% of dense", SL_SAME_SHAPE },
};

static const SlTableOrder orders[] = {
  { LEARNED, SVD, COST, "learned factors find as many active units at less cost (Deja Vu)" },
  { SIGNS, LEARNED, COST, "sign bits cost less than learned factors (SparseInfer)" },
  { SPARSE_LEARNED, LEARNED, COST, "sparsity made by training saves more (ProSparse)" },
};

static bool
go_on (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  return !sl_stop_asked ();
}

/* Turns the watched estimator on at the last update but one, so that it gates in the test. */
static SlExit
plan_gating (SlPlan *plan)
{
  unsigned param = (unsigned) sl_param_find (plan->lab->params, plan->lab->n_params, "estimator");
  SlPlannedChange change = { .when = (double) plan->budget.steps - 1.0, .param = param };
  SlStatus        status = sl_param_parse (&plan->lab->params[param], "on", &change.value);

  g_array_append_val (plan->changes, change);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
train (SlReproduction *r, SlPlan *plan, unsigned row)
{
  SlHeadlessRun run;
  SlScore       scores[SL_SCORES_MAX];
  SlOutcome     outcome;
  unsigned      n = 0;
  SlStatus      status = sl_headless_open (&run, plan, NULL);

  if (sl_ok (&status))
    status = sl_headless_train (&run, go_on, NULL);
  if (sl_ok (&status))
    status = sl_trainer_score (run.trainer, SL_TEST, scores, &n);
  if (sl_ok (&status))
    {
      sl_outcome_read (&outcome, &run.record, scores, n);
      sl_reproduction_ours (r, row, ERROR, outcome.error);
      sl_reproduction_ours (r, row, COST, isfinite (outcome.executed) ? outcome.executed : 100.0);
      sl_reproduction_note (r, "%s: %.2f %%", rows[row], outcome.error);
    }
  sl_headless_clear (&run);
  return sl_ok (&status)                ? SL_EXIT_FINE
         : status.code == SL_ECANCELLED ? SL_EXIT_STOPPED
                                        : sl_cli_fail (&status);
}

static SlExit
measure (SlReproduction *r, unsigned row, uint64_t seed)
{
  SlPlan plan;
  SlExit code;

  sl_plan_init (&plan, sl_lab_find (lab_id));
  plan.data = g_strdup ("fashion-mnist");
  plan.seed = seed;
  plan.threads = sl_blas_cores ();
  plan.budget.steps = r->quick ? QUICK_STEPS : STEPS;
  code = sl_plan_set_words (&plan, "report-every=50 evaluate-every=50");
  if (code == SL_EXIT_FINE)
    code = sl_plan_set_words (&plan, words[row]);
  if (code == SL_EXIT_FINE && strstr (words[row], WATCHED) != NULL)
    code = plan_gating (&plan);
  if (code == SL_EXIT_FINE)
    code = train (r, &plan, row);
  sl_plan_clear (&plan);
  return code;
}

static void
claim (SlReproduction *r)
{
  double dense = sl_reproduction_mean (r, DENSE, ERROR);

  sl_reproduction_claim (
    r, sl_reproduction_mean (r, SIGNS, ERROR) - dense < 1.0,
    "sign bits stay within one point of the dense network (SparseInfer): here %+.2f",
    sl_reproduction_mean (r, SIGNS, ERROR) - dense);
  sl_reproduction_claim (
    r, sl_reproduction_mean (r, SPARSE, ERROR) - dense < 1.0,
    "training for sparsity costs no quality (ProSparse), less than a point: here %+.2f",
    sl_reproduction_mean (r, SPARSE, ERROR) - dense);
  sl_reproduction_orders (r, orders, G_N_ELEMENTS (orders));
}

static SlExit
run (SlReproduction *r)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned row = 0; row < ROWS; row++)
    sl_reproduction_recipe (r, lab_id, "fashion-mnist", words[row], NULL);
  for (unsigned seed = 1; seed <= r->seeds; seed++)
    for (unsigned row = 0; row < ROWS && code == SL_EXIT_FINE; row++)
      code = measure (r, row, seed);
  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_today_signs = {
  .id = "today-signs",
  .title = "today's predictors of active units, at equal recall",
  .source = "Liu et al. 2023 (Deja Vu), Shin et al. 2024 (SparseInfer), Song et al. 2024 (ProSparse)",
  .time = "4 min",
  .quick_time = "1 min",
  .conditions = "Published: language models with billions of parameters, most of whose units are off. Here: "
                "Fashion-MNIST, 784-400-300-200-10, 1500 dense updates; then each layer is gated at the threshold that finds 95 % of "
                "its active units, and the test is made. A word of 64 sign bits counts as one multiplication.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
