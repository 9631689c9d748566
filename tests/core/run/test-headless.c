/* SPDX-License-Identifier: MIT
 *
 * Runs without a window: where they end, what is changed on the way, and what is handed over.  */
#include "core/run/headless/headless.h"

#include <math.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "tests/core/run/walk-lab.h"
#include "tests/support/english.h"

static void
open_walk (SlHeadlessRun *run, SlPlan *plan)
{
  SlStatus status = sl_headless_open (run, plan, NULL);

  g_assert_true (sl_ok (&status));
}

static void
plan_change (SlPlan *plan, double when, bool by_epoch, unsigned param, double value)
{
  SlPlannedChange change
    = { .by_epoch = by_epoch, .when = when, .param = param, .value = { 1, { value } } };

  g_array_append_val (plan->changes, change);
}

typedef struct
{
  unsigned asked;
  double   last; /* share */
  uint64_t stop; /* at this step; 0: never */
} Asked;

static bool
ask (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Asked *asked = data;

  g_assert_true (done >= 0 && done <= 1);
  asked->asked++;
  asked->last = done;
  return asked->stop == 0 || sl_trainer_steps (run->trainer) < asked->stop;
}

static void
test_steps (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  Asked         asked = { 0 };
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  g_assert_cmpuint (plan.seed, ==, 1);
  plan.budget.steps = 8;
  open_walk (&run, &plan);
  status = sl_headless_train (&run, ask, &asked);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (sl_trainer_steps (run.trainer), ==, 8);
  g_assert_cmpuint (run.recipe.step, ==, 8);
  g_assert_cmpuint (asked.asked, ==, 9);
  g_assert_cmpfloat (asked.last, ==, 1);
  g_assert_cmpuint (run.record.series[0].n, ==, 8);
  g_assert_cmpfloat (run.record.series[0].step[7], ==, 8);
  g_assert_true (run.seconds >= 0);
  /* It goes on from there. */
  run.budget.steps = 10;
  asked.stop = 9;
  status = sl_headless_train (&run, ask, &asked);
  g_assert_cmpint (status.code, ==, SL_ECANCELLED);
  g_assert_cmpuint (run.recipe.step, ==, 9);
  g_assert_cmpfloat (asked.last, ==, 0.9);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* Only the time of updates counts, and one takes longer than a nanosecond; the nearest limit ends a run. */
static void
test_seconds (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  plan.budget.seconds = 1e-9;
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (run.recipe.step, ==, 1);
  g_assert_true (run.seconds >= 1e-9);
  run.budget = (SlBudget) { .steps = 4, .seconds = 1e9 };
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (run.recipe.step, ==, 4);
  run.budget.steps = 4; /* it is there already */
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (run.recipe.step, ==, 4);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* By the lab's own end, by divergence and by settings that go with no others. */
static void
test_ends (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  plan.settings.value[WALK_END].v[0] = 5;
  plan.budget.steps = 50;
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (run.recipe.step, ==, 5);
  sl_headless_clear (&run);
  plan.settings.value[WALK_END].v[0] = 0;
  plan.settings.value[WALK_DIVERGE].v[0] = 7;
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_cmpint (status.code, ==, SL_EDIVERGED);
  g_assert_cmpuint (run.record.series[0].n, ==, 7);
  sl_headless_clear (&run);
  plan.settings.value[WALK_LAYERS] = (SlValue) { 1, { 13 } };
  status = sl_headless_open (&run, &plan, NULL);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* Changes are made when they are due, whatever their order, and are marked and in the recipe. */
static void
test_changes (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlRecord      record;
  SlRecipe      recipe;
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  plan.budget.steps = 12;
  plan_change (&plan, 6, false, WALK_RATE, 3);
  plan_change (&plan, 0, false, WALK_RATE, 2);
  plan_change (&plan, 99, false, WALK_RATE, 9);
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (run.waiting->len, ==, 1);
  g_assert_cmpuint (plan.changes->len, ==, 3);
  sl_headless_take (&run, &record, &recipe);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);

  const SlSeries *rate = &record.series[2];

  g_assert_cmpuint (recipe.changes->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const SlChange *change = &g_array_index (recipe.changes, SlChange, i);

      g_assert_cmpuint (change->step, ==, 6 * i);
      g_assert_cmpuint (change->param, ==, WALK_RATE);
      g_assert_cmpfloat (change->value.v[0], ==, 2 + i);
    }
  g_assert_cmpfloat (rate->value[5], ==, 2);
  g_assert_cmpfloat (rate->value[6], ==, 3);
  g_assert_cmpuint (record.n_flags, ==, 2);
  g_assert_cmpfloat (record.flag[0].step, ==, 1);
  g_assert_cmpfloat (record.flag[1].step, ==, 7);
  g_assert_cmpstr (sl_english_text (record.flag[0].text), ==, "Rate 0.1 → 2");
  g_assert_cmpuint (recipe.step, ==, 12);
  sl_record_clear (&record);
  sl_recipe_clear (&recipe);
}

/* A recipe made again: the same samples; a plan takes its changes from one on. */
static void
test_again (void)
{
  SlPlan        plan, other;
  SlHeadlessRun run, again;
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  plan.seed = 77;
  plan.budget.steps = 20;
  plan_change (&plan, 3, false, WALK_RATE, 2);
  plan_change (&plan, 9, false, WALK_RATE, 5);
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  sl_plan_init (&other, &sl_walk_lab);
  other.data = g_strdup ("moons");
  other.budget.steps = 20;
  sl_plan_recipe (&other, &run.recipe, 1);
  g_assert_cmpuint (other.changes->len, ==, 1);
  g_assert_cmpfloat (g_array_index (other.changes, SlPlannedChange, 0).when, ==, 9);
  sl_plan_recipe (&other, &run.recipe, 0);
  g_assert_cmpuint (other.changes->len, ==, 2);
  g_assert_cmpuint (other.seed, ==, 77);
  g_assert_null (other.data);
  g_assert_cmpuint (other.budget.steps, ==, 20);
  open_walk (&again, &other);
  status = sl_headless_train (&again, NULL, NULL);
  g_assert_true (sl_ok (&status));
  for (unsigned c = 0; c < run.record.layout.n; c++)
    g_assert_cmpmem (again.record.series[c].value, again.record.series[c].n * sizeof (double),
                     run.record.series[c].value, run.record.series[c].n * sizeof (double));
  sl_headless_clear (&run);
  sl_headless_clear (&again);
  sl_plan_clear (&plan);
  sl_plan_clear (&other);
}

static void
plan_moons (SlPlan *plan)
{
  SlStatus status;

  sl_plan_init (plan, sl_lab_find ("sign-estimator"));
  status = sl_settings_set_words (&plan->settings, plan->lab->params, plan->lab->n_params,
                                  "hidden=12-8 batch=10 report-every=5 evaluate-every=5");
  g_assert_true (sl_ok (&status));
  plan->data = g_strdup ("moons:points=300");
}

/* Epochs count what was trained on; a change comes at the first update behind its own. */
static void
test_epochs (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlProgress    progress;
  SlStatus      status;
  double        each;

  plan_moons (&plan);
  plan.budget.epochs = 2;
  plan_change (&plan, 1, true,
               (unsigned) sl_param_find (plan.lab->params, plan.lab->n_params, "learning-rate"),
               0.002);
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  sl_trainer_progress (run.trainer, &progress);
  each = progress.epochs / (double) run.recipe.step;
  g_assert_true (progress.epochs >= 2 && progress.epochs - each < 2);
  g_assert_cmpuint (run.recipe.changes->len, ==, 1);
  g_assert_cmpfloat ((double) g_array_index (run.recipe.changes, SlChange, 0).step, ==,
                     ceil (1 / each));
  g_assert_cmpstr (run.recipe.data, ==, run.dataset->id);
  g_assert_true (run.opened == run.dataset);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* At the first validation error that many epochs after the smallest; while none is measured, nothing is known. */
static void
test_patience (void)
{
  SlPlan          plan;
  SlHeadlessRun   run;
  SlDataset      *dataset;
  SlProgress      progress;
  SlStatus        status = sl_source_open ("moons:points=300", &dataset);
  const SlSeries *errors;
  size_t          best = 0;
  double          each, since;

  g_assert_true (sl_ok (&status));
  plan_moons (&plan);
  /* 24 updates an epoch: more than its patience lies between two evaluations. */
  status = sl_settings_set_words (&plan.settings, plan.lab->params, plan.lab->n_params,
                                  "evaluate-every=40");
  g_assert_true (sl_ok (&status));
  plan.budget = (SlBudget) { .steps = 100000, .patience = 1.5 };
  status = sl_headless_open (&run, &plan, dataset);
  g_assert_true (sl_ok (&status));
  g_assert_null (run.opened);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  errors = &run.record.series[sl_layout_find (&run.record.layout, plan.lab->valid)];
  for (size_t i = 1; i < errors->n; i++)
    if (errors->value[i] < errors->value[best])
      best = i;
  sl_trainer_progress (run.trainer, &progress);
  each = progress.epochs / (double) run.recipe.step;
  since = ((double) run.recipe.step - errors->step[best]) * each;
  g_assert_cmpuint (errors->n, >=, 2);
  g_assert_cmpfloat (errors->step[errors->n - 1], ==, (double) run.recipe.step);
  g_assert_true (since >= 1.5);
  g_assert_true ((errors->step[errors->n - 2] - errors->step[best]) * each < 1.5);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  sl_dataset_free (dataset);
}

static void
test_no_data (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  plan_moons (&plan);
  g_free (plan.data);
  plan.data = g_strdup ("nowhere.csv");
  status = sl_headless_open (&run, &plan, NULL);
  g_assert_false (sl_ok (&status));
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

static void
test_probe (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  sl_plan_init (&plan, &sl_walk_lab);
  plan.budget.steps = 3;
  open_walk (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_false (run.record.has_snapshot[WALK_PANEL_PLACES]);
  status = sl_headless_probe (&run, WALK_PANEL_PLACES, NULL, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_true (run.record.has_snapshot[WALK_PANEL_PLACES]);
  g_assert_cmpuint (run.record.snapshot[WALK_PANEL_PLACES].step, ==, 3);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/headless/steps", test_steps);
  g_test_add_func ("/headless/seconds", test_seconds);
  g_test_add_func ("/headless/ends", test_ends);
  g_test_add_func ("/headless/changes", test_changes);
  g_test_add_func ("/headless/again", test_again);
  g_test_add_func ("/headless/epochs", test_epochs);
  g_test_add_func ("/headless/patience", test_patience);
  g_test_add_func ("/headless/no-data", test_no_data);
  g_test_add_func ("/headless/probe", test_probe);
  return g_test_run ();
}
