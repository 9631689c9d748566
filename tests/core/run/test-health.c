/* SPDX-License-Identifier: MIT
 *
 * Trouble of runs: the rule on values that are made up, the way back, and of every lab settings that
 * bring its trouble about, beside its first settings, which do not.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/headless/headless.h"
#include "core/run/record/health.h"

enum { HOPELESS_STEPS = 200 };

static void
begin (SlHeadlessRun *run, const char *lab, const char *data, const char *settings)
{
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  SlPlan   plan;
  SlStatus status = SL_SUCCESS;

  sl_plan_init (&plan, sl_lab_find (lab));
  plan.data = g_strdup (data);
  for (char **word = words; *word != NULL && sl_ok (&status); word++)
    if (**word != '\0')
      {
        char *value = strchr (*word, '=');

        *value++ = '\0';
        status
          = sl_settings_set (&plan.settings, plan.lab->params, plan.lab->n_params, *word, value);
      }
  g_assert_cmpint (status.code, ==, SL_OK);
  status = sl_headless_open (run, &plan, NULL);
  g_assert_cmpint (status.code, ==, SL_OK);
  sl_plan_clear (&plan);
}

static void
train (SlHeadlessRun *run, uint64_t steps)
{
  run->budget.steps = steps;
  sl_headless_train (run, NULL, NULL);
}

static const char *
trouble_id (const SlRecord *record)
{
  const SlHealth *trouble = sl_health_of (record);

  return trouble != NULL ? trouble->id : "none";
}

/* ---- the rule ---- */

static void
report (SlRecord *record, const char *id, double value)
{
  static uint64_t step;
  int             channel = sl_layout_find (&record->layout, id);
  SlSample        sample = { ++step, value, (uint32_t) channel, record->generation };

  g_assert_cmpint (channel, >=, 0);
  g_assert_true (sl_record_take (record, &sample));
}

static void
test_rule (void)
{
  SlHeadlessRun run;
  SlRecord     *record = &run.record;

  begin (&run, "sign-estimator", "digits:images=600", "hidden=8-6 rank=2-2");
  g_assert_cmpstr (trouble_id (record), ==, "none");
  report (record, "loss.train", NAN);
  report (record, "loss.train", 2);
  /* One odd value, or two, are none. */
  report (record, "loss.train", 11);
  report (record, "loss.train", 900);
  g_assert_cmpstr (trouble_id (record), ==, "none");
  report (record, "loss.train", 11);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  /* Better, but not well; not a number says nothing. */
  for (int i = 0; i < 9; i++)
    report (record, "loss.train", i % 2 == 0 ? 5 : 9);
  report (record, "loss.train", NAN);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  /* A few good ones are not enough; as many as a median needs are. */
  for (int i = 0; i < 4; i++)
    report (record, "loss.train", 1);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  for (int i = 0; i < 6; i++)
    report (record, "loss.train", 1);
  g_assert_cmpstr (trouble_id (record), ==, "none");
  /* A loss that stays somewhat above its first value, whatever it does between, is learning nothing. */
  for (int i = 0; i < 30; i++)
    report (record, "loss.train", i % 3 == 0 ? 1.2 : 2.6);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  /* Having been far better is a measure, too, but not of what is next to nothing. */
  for (int i = 0; i < 60; i++)
    report (record, "loss.train", 0.1);
  g_assert_cmpstr (trouble_id (record), ==, "none");
  for (int i = 0; i < 10; i++)
    report (record, "loss.train", 0.6);
  g_assert_cmpstr (trouble_id (record), ==, "none");
  for (int i = 0; i < 10; i++)
    report (record, "loss.train", 1.4);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  for (int i = 0; i < 10; i++)
    report (record, "loss.train", 0.1);
  g_assert_cmpstr (trouble_id (record), ==, "none");
  /* Of several layers one is enough. */
  for (int i = 0; i < 3; i++)
    {
      report (record, "density.truth.1", 40);
      report (record, "density.truth.2", 0.1);
    }
  g_assert_cmpstr (trouble_id (record), ==, "off");
  for (int i = 0; i < 3; i++)
    report (record, "loss.train", 100);
  g_assert_cmpstr (trouble_id (record), ==, "loss");
  sl_headless_clear (&run);
}

/* Channels end where the layout says so: one behind them is no trouble. */
static void
test_last_channel (void)
{
  SlHeadlessRun run;
  SlRecord     *record = &run.record;
  unsigned      n;

  begin (&run, "sign-estimator", "digits:images=600", "hidden=8-6 rank=2-2");
  report (record, "loss.train", 2);
  for (unsigned i = 0; i < SL_HEALTH_VALUES; i++)
    report (record, "loss.train", 900);
  g_assert_cmpstr (trouble_id (record), !=, "none");
  n = record->layout.n;
  record->layout.n = (unsigned) sl_layout_find (&record->layout, "loss.train");
  g_assert_cmpstr (trouble_id (record), ==, "none");
  record->layout.n++;
  g_assert_cmpstr (trouble_id (record), !=, "none");
  record->layout.n = n;
  sl_headless_clear (&run);
}

/* By another channel: 0.7 of a full collapse, whatever that is here. */
static void
test_ratio (void)
{
  SlHeadlessRun run;

  begin (&run, "experts", "digits:images=600", "experts=4");
  for (int i = 0; i < 3; i++)
    report (&run.record, "cv.hard", 0.9);
  g_assert_cmpstr (trouble_id (&run.record), ==, "none");
  report (&run.record, "cv.collapse", 1);
  g_assert_cmpstr (trouble_id (&run.record), ==, "collapse");
  report (&run.record, "cv.collapse", 2);
  g_assert_cmpstr (trouble_id (&run.record), ==, "none");
  sl_headless_clear (&run);
}

/* ---- the way back ---- */

static void
set (SlRecipe *recipe, const char *id, double number)
{
  int      param = sl_param_find (recipe->lab->params, recipe->lab->n_params, id);
  SlChange change = { .param = (unsigned) param, .value = { .n = 1, .v = { number } } };

  g_assert_cmpint (param, >=, 0);
  g_array_append_val (recipe->changes, change);
}

static void
assert_way_back (const SlRecipe *recipe, const char *id, double number)
{
  SlValue  value;
  unsigned param;

  g_assert_true (sl_health_way_back (recipe->lab->health, recipe, &param, &value));
  g_assert_cmpstr (recipe->lab->params[param].id, ==, id);
  g_assert_cmpfloat (value.v[0], ==, number);
}

static void
test_way_back (void)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlSettings   settings;
  SlRecipe     recipe;
  SlValue      value;
  unsigned     param;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  /* Nothing was changed: there is only the likeliest knob. */
  g_assert_false (sl_health_way_back (lab->health, &recipe, &param, &value));
  g_assert_cmpstr (lab->params[param].id, ==, "learning-rate");
  /* What was changed last, and what it was before. */
  set (&recipe, "learning-rate", 0.01);
  set (&recipe, "learning-rate", 0.1);
  set (&recipe, "theta", 1);
  assert_way_back (&recipe, "learning-rate", 0.01);
  set (&recipe, "weight-decay", 0.5);
  assert_way_back (&recipe, "weight-decay", 0);
  /* Begun so: its value in the first settings. */
  g_array_set_size (recipe.changes, 0);
  sl_settings_set (&recipe.settings, lab->params, lab->n_params, "learning-rate", "1");
  assert_way_back (&recipe, "learning-rate", 5e-4);
  sl_recipe_clear (&recipe);
}

/* A knob that has no effect with this gate is not named. */
static void
test_way_back_of_gate (void)
{
  static const struct
  {
    const char *gate, *knob;
  } cases[] = { { "noisy", "w-importance" }, { "top-p", "w-balance" }, { "bias", "bias-rule" } };
  const SlLab    *lab = sl_lab_find ("experts");
  const SlHealth *collapse = lab->health;

  while (strcmp (collapse->id, "collapse") != 0)
    collapse++;
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlSettings settings;
      SlRecipe   recipe;
      SlValue    value;
      unsigned   param;

      sl_settings_default (&settings, lab->params, lab->n_params);
      sl_settings_settle (&settings, lab->params, lab->n_params);
      sl_settings_set (&settings, lab->params, lab->n_params, "gate", cases[i].gate);
      sl_recipe_init (&recipe, lab, &settings, NULL, 1);
      g_assert_false (sl_health_way_back (collapse, &recipe, &param, &value));
      g_assert_cmpstr (lab->params[param].id, ==, cases[i].knob);
      sl_recipe_clear (&recipe);
    }
}

/* A list that is shorter than usual, as the network is, has not been changed; and what has no effect is no way back. */
static void
test_way_back_of_lists (void)
{
  static const struct
  {
    const char *settings, *knob;
    double      value; /* to go back to, or not-a-number */
  } cases[] = { { "hidden=40", "theta", NAN },
                { "hidden=40 theta=1", "theta", 0 },
                { "hidden=40-20 rank=3-3", "rank", 25 },
                { "hidden=40 rank=3 predictor=task kl=10", "kl", 0 },
                { "hidden=40 activation=swiglu", "sparsity", NAN },
                { "hidden=40 activation=swiglu sparsity=0.9 theta=1", "sparsity", 0.5 },
                { "hidden=40 rank=3 rank-mode=energy", "theta", NAN } };
  const SlLab    *lab = sl_lab_find ("sign-estimator");
  const SlHealth *off = lab->health;

  while (strcmp (off->id, "estimated-off") != 0)
    off++;
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlSettings settings;
      SlRecipe   recipe;
      SlValue    value;
      unsigned   param;
      SlStatus   status;

      sl_settings_default (&settings, lab->params, lab->n_params);
      sl_settings_settle (&settings, lab->params, lab->n_params);
      status = sl_settings_set_words (&settings, lab->params, lab->n_params, cases[i].settings);
      g_assert_cmpint (status.code, ==, SL_OK);
      sl_recipe_init (&recipe, lab, &settings, NULL, 1);
      g_assert_true (sl_health_way_back (off, &recipe, &param, &value) == !isnan (cases[i].value));
      g_assert_cmpstr (lab->params[param].id, ==, cases[i].knob);
      if (!isnan (cases[i].value))
        g_assert_cmpfloat (value.v[0], ==, cases[i].value);
      sl_recipe_clear (&recipe);
    }
}

/* To the last update that was well, and not to one after the change that led to the trouble. */
static void
test_before (void)
{
  SlHeadlessRun   run;
  SlRecord       *record = &run.record;
  const SlHealth *trouble;
  SlSettings      settings;
  SlRecipe        recipe;
  uint64_t        well = 0;

  begin (&run, "sign-estimator", "digits:images=600", "hidden=8-6 rank=2-2");
  sl_settings_default (&settings, record->lab->params, record->lab->n_params);
  sl_recipe_init (&recipe, record->lab, &settings, NULL, 1);
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  for (int i = 0; i < 9000; i++)
    {
      report (record, "loss.train", i < 4000 ? 1 : 100);
      if (i == 3999)
        well = (uint64_t) record->series[sl_layout_find (&record->layout, "loss.train")].step[i];
    }
  trouble = sl_health_of (record);
  g_assert_nonnull (trouble);
  g_assert_cmpuint (sl_health_before (record, trouble, &recipe), ==, well);
  set (&recipe, "learning-rate", 5);
  g_array_index (recipe.changes, SlChange, 0).step = well + 20;
  g_assert_cmpuint (sl_health_before (record, trouble, &recipe), ==, well);
  g_array_index (recipe.changes, SlChange, 0).step = well - 20;
  g_assert_cmpuint (sl_health_before (record, trouble, &recipe), ==, well - 20);
  /* What never was well goes back to the beginning. */
  sl_headless_clear (&run);
  begin (&run, "sign-estimator", "digits:images=600", "hidden=8-6 rank=2-2");
  g_array_set_size (recipe.changes, 0);
  for (int i = 0; i < 9; i++)
    report (record, "density.truth.1", 0);
  trouble = sl_health_of (record);
  g_assert_cmpstr (trouble->id, ==, "off");
  g_assert_cmpuint (sl_health_before (record, trouble, &recipe), ==, 0);
  sl_recipe_clear (&recipe);
  sl_headless_clear (&run);
}

/* ---- every lab ---- */

static void
test_knobs (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    for (const SlHealth *health = (*lab)->health; health != NULL && health->id != NULL; health++)
      {
        g_auto (GStrv) knobs = g_strsplit (health->knobs, " ", -1);

        g_test_message ("%s, %s", (*lab)->id, health->id);
        g_assert_true (health->loss || health->begins != health->ends);
        for (char **knob = knobs; *knob != NULL; knob++)
          g_assert_cmpint (sl_param_find ((*lab)->params, (*lab)->n_params, *knob), >=, 0);
      }
}

/* Settings that bring about what the lab says can go wrong, with the same data as those that do not. */
static const struct
{
  const char *lab, *data, *settings, *trouble;
  unsigned    steps;
} cases[] = {
  { "sign-estimator", "digits:images=600",
    "hidden=60-40 rank=30-20 input-dropout=0 hidden-dropout=0", "none", 150 },
  { "sign-estimator", "digits:images=600",
    "hidden=40-20 rank=8-6 theta=2 evaluate-every=10 report-every=5", "estimated-off", 100 },
  { "sign-estimator", "digits:images=600",
    "hidden=40-20 activation=tanh hidden-dropout=0 learning-rate=5 report-every=2", "loss", 20 },
  { "experts", "digits:images=600", "hidden=16", "none", 150 },
  { "experts", "digits:images=600", "hidden=16 w-importance=0 w-load=0 noise=no report-every=5",
    "collapse", 40 },
  { "experts", "digits:images=600", "hidden=16 learning-rate=3 report-every=2", "loss", 20 },
  { "stochastic-gates", "digits:images=600", "experts=100 gater-hidden=20", "none", 150 },
  { "stochastic-gates", "digits:images=600",
    "experts=400 gater-hidden=32 sparsity-weight=1000 report-every=2", "off", 40 },
  { "prefix-tree", "digits:images=600", "hidden=20 units=12", "none", 150 },
  { "prefix-tree", "digits:images=600", "hidden=20 units=12 threshold=fixed tau=5 report-every=5",
    "one-leaf", 40 },
  { "gated-recurrence", "grammar:length=3000",
    "units=24 gates=4 batch=8 length=5 evaluate-letters=64", "none", 150 },
  { "gated-recurrence", "grammar:length=3000",
    "units=24 gates=4 batch=8 length=5 evaluate-letters=64 learning-rate=1 report-every=2", "loss",
    40 },
  { "selective-execution", "digits:images=600", "static-nets=no", "none", 150 },
  { "selective-execution", "digits:images=600", "static-nets=no learning-rate=3 report-every=2",
    "loss", 20 },
};

/* What trouble the run had on the way, the last of them; "none". */
static const char *
trouble_met (SlHeadlessRun *run, uint64_t steps)
{
  const char *met = "none";

  for (uint64_t step = 1; step <= steps; step++)
    {
      const char *now;

      train (run, step);
      now = trouble_id (&run->record);
      met = strcmp (now, "none") != 0 ? now : met;
    }
  return met;
}

static bool
trains_one (const SlLab *lab)
{
  const SlHealth *health = lab->health;

  while (health != NULL && health->id != NULL && !health->loss)
    health++;
  return lab->best != NULL || (health != NULL && health->loss);
}

/* A learning rate without hope has its banner in every lab that trains one network, or ends the run; the lab's
 * own has none.  */
static void
test_hopeless (void)
{
  unsigned n = 0;

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      int rate = sl_param_find ((*lab)->params, (*lab)->n_params, "learning-rate");

      for (unsigned hopeless = 0; trains_one (*lab) && hopeless < 2; hopeless++)
        {
          const SlParam   *param = &(*lab)->params[rate];
          const SlTrial   *trial = &(*lab)->trials[0];
          g_autofree char *settings
            = g_strdup_printf ("%s report-every=1 learning-rate=%g", trial->settings,
                               hopeless ? fmin (10.0, param->hi) : param->fallback);
          const char   *met;
          SlHeadlessRun run;

          g_assert_cmpint (rate, >=, 0);
          g_test_message ("%s %s", (*lab)->id, settings);
          begin (&run, (*lab)->id, trial->data, settings);
          met = trouble_met (&run, HOPELESS_STEPS);
          if (hopeless)
            g_assert_true (g_str_equal (met, "loss")
                           || sl_trainer_steps (run.trainer) < HOPELESS_STEPS);
          else
            g_assert_cmpstr (met, !=, "loss");
          sl_headless_clear (&run);
          n++;
        }
    }
  g_assert_cmpuint (n, >=, 16);
}

static void
test_brought_about (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlHeadlessRun run;

      g_test_message ("%s %s", cases[i].lab, cases[i].settings);
      begin (&run, cases[i].lab, cases[i].data, cases[i].settings);
      g_assert_cmpstr (trouble_met (&run, cases[i].steps), ==, cases[i].trouble);
      sl_headless_clear (&run);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/health/rule", test_rule);
  g_test_add_func ("/health/last-channel", test_last_channel);
  g_test_add_func ("/health/ratio", test_ratio);
  g_test_add_func ("/health/hopeless", test_hopeless);
  g_test_add_func ("/health/way-back", test_way_back);
  g_test_add_func ("/health/way-back/gate", test_way_back_of_gate);
  g_test_add_func ("/health/way-back/lists", test_way_back_of_lists);
  g_test_add_func ("/health/before", test_before);
  g_test_add_func ("/health/knobs", test_knobs);
  g_test_add_func ("/health/brought-about", test_brought_about);
  return g_test_run ();
}
