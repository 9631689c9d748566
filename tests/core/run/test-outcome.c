/* SPDX-License-Identifier: MIT
 *
 * The outcome of every lab, and the command that makes a run of it again.  */
#include <glib.h>
#include <math.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/record/outcome.h"
#include "core/run/sweep/command-line.h"
#include "core/train/trainer.h"
#include "tests/core/run/sweep-help.h"

/* From the first update on: a run that trained has an error to show.  A recording is not trained. */
static void
assert_has_validation (const SlRecord *record)
{
  const SlLab *lab = record->lab;
  int          channel = lab->valid != NULL ? sl_layout_find (&record->layout, lab->valid) : -1;

  g_assert_cmpint (lab->valid != NULL, ==,
                   lab->error != NULL && lab->objective != NULL && lab->data != SL_NEEDS_PICTURES);
  g_assert_true (lab->valid == NULL
                 || (channel >= 0 && record->series[channel].n > 0
                     && isfinite (record->series[channel].value[0])));
}

static void
test_outcomes (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      SlSweep    sweep;
      SlStatus   status;
      SlDataset *dataset = NULL;

      sl_sweep_init (&sweep, *lab);
      if ((*lab)->data != SL_NEEDS_NOTHING)
        {
          g_free (sweep.data);
          sweep.data = g_strdup ((*lab)->trials[0].data);
          status = sl_source_open (sweep.data, &dataset);
          g_assert_cmpint (status.code, ==, SL_OK);
        }
      sweep_set (&sweep, (*lab)->trials[0].settings);
      sweep.budget.steps = 30;

      g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
      SlTrainer    *trainer;
      SlRecord      record;
      SlRecordSink  sink;
      SlOutcome     outcome;
      SlScore       scores[SL_SCORES_MAX];
      unsigned      n;
      SlClockRounds rounds = { 0 };

      g_test_message ("%s", (*lab)->id);
      status = sl_trainer_new (&trainer, *lab, &g_array_index (jobs, SlSweepJob, 0).settings,
                               dataset, 1);
      g_assert_cmpint (status.code, ==, SL_OK);
      status = sl_record_init (&record, *lab, &sweep.settings, 1);
      g_assert_cmpint (status.code, ==, SL_OK);
      sl_record_sink_init (&sink, &record);
      sl_outcome_read (&outcome, &record, NULL, 0, 3);
      g_assert_true (isnan (outcome.error) && isnan (outcome.expected) && isnan (outcome.executed)
                     && isnan (outcome.timed) && isnan (outcome.timed_spread) && !outcome.busy);
      for (int i = 0; i < 30; i++)
        {
          status = sl_trainer_step (trainer, &sink.sink);
          g_assert_cmpint (status.code, ==, SL_OK);
          assert_has_validation (&record);
        }
      if (sl_trainer_time (trainer, &rounds, 1, NULL) == SL_CLOCK_DONE)
        {
          SlTimes times = sl_clock_times (&rounds);

          sl_record_time (&record, &times);
        }
      status = sl_trainer_score (trainer, SL_TEST, scores, &n);
      g_assert_cmpint (status.code, ==, SL_OK);
      sl_outcome_read (&outcome, &record, scores, n, 3);
      /* Who names a score, channel or bar has it. */
      g_assert_cmpint (isfinite (outcome.error), ==, (*lab)->error != NULL);
      g_assert_cmpint (isfinite (outcome.timed) || outcome.busy, ==, (*lab)->clock != NULL);
      g_assert_cmpint (isfinite (outcome.timed_spread), ==, isfinite (outcome.timed));
      if (isfinite (outcome.timed))
        g_assert_true (outcome.timed > 0 && outcome.timed_spread >= 0 && !outcome.busy);
      g_assert_cmpint (isfinite (outcome.expected), ==, sl_lab_costs (*lab).expected != NULL);
      g_assert_cmpint (isfinite (outcome.executed), ==, sl_lab_costs (*lab).executed != NULL);
      sl_record_sink_clear (&sink);
      sl_record_clear (&record);
      sl_trainer_free (trainer);
      sl_dataset_free (dataset);
      sl_sweep_clear (&sweep);
    }
}

/* ---- commands ---- */

/* Reads a command back as the program does: words of a shell, then --set in their order. */
static void
read_back (const char *command, SlSettings *settings, const SlLab *lab, SlRecipe *rest)
{
  g_auto (GStrv) words = NULL;
  GError *error = NULL;
  int     n;

  g_shell_parse_argv (command, &n, &words, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (words[0], ==, "sluice-cli");
  g_assert_cmpstr (words[1], ==, "run");
  g_assert_cmpstr (words[2], ==, lab->id);
  sl_settings_default (settings, lab->params, lab->n_params);
  *rest = (SlRecipe) { 0 };
  for (char **word = words + 3; *word != NULL; word += 2)
    {
      g_assert_nonnull (word[1]);
      if (g_str_equal (word[0], "--set"))
        {
          char *value = strchr (word[1], '=');

          *value++ = '\0';

          SlStatus status = sl_settings_set (settings, lab->params, lab->n_params, word[1], value);

          g_assert_cmpint (status.code, ==, SL_OK);
        }
      else if (g_str_equal (word[0], "--data"))
        g_strlcpy (rest->data, word[1], sizeof rest->data);
      else if (g_str_equal (word[0], "--steps"))
        rest->step = g_ascii_strtoull (word[1], NULL, 10);
      else if (g_str_equal (word[0], "--seed"))
        rest->seed = g_ascii_strtoull (word[1], NULL, 10);
      else
        g_assert_cmpstr (word[0], ==, "--threads");
    }
}

/* Every trial of every lab, with data in a folder that a shell would stumble over. */
static void
test_commands (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    for (unsigned t = 0; t < sl_lab_n_trials (*lab); t++)
      {
        SlSweep    sweep;
        SlSettings settings;
        SlRecipe   recipe, rest;

        sl_sweep_init (&sweep, *lab);
        sweep_set (&sweep, (*lab)->trials[t].settings);
        sl_recipe_init (&recipe, *lab, &sweep.settings, NULL, G_MAXUINT64 - t);
        recipe.step = 12345 + t;
        if ((*lab)->data != SL_NEEDS_NOTHING)
          g_strlcpy (recipe.data, "/ho me/$HOME/it's `a` \"b\" *?;&|<>()!#~/Ä.csv:valid=0.2",
                     sizeof recipe.data);

        g_autofree char *command = sl_command_line_run (&recipe);

        read_back (command, &settings, *lab, &rest);
        g_assert_cmpstr (rest.data, ==, recipe.data);
        g_assert_cmpuint (rest.seed, ==, recipe.seed);
        g_assert_cmpuint (rest.step, ==, recipe.step);
        for (unsigned p = 0; p < (*lab)->n_params; p++)
          {
            g_assert_cmpuint (settings.value[p].n, ==, sweep.settings.value[p].n);
            for (unsigned i = 0; i < settings.value[p].n; i++)
              g_assert_cmpfloat (settings.value[p].v[i], ==, sweep.settings.value[p].v[i]);
          }
        sl_sweep_clear (&sweep);
      }
}

static void
test_command_of_changes (void)
{
  const SlLab *lab = sweep_lab ("sign-estimator");
  SlSettings   settings;
  SlRecipe     recipe;
  SlChange     change = { .step = 20, .value = { 2, { 3, 2 } } };

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 7);
  g_strlcpy (recipe.data, "moons", sizeof recipe.data);
  recipe.threads = 1;
  change.param = (unsigned) sl_param_find (lab->params, lab->n_params, "rank");
  recipe.changes = g_array_new (FALSE, FALSE, sizeof change);
  g_array_append_val (recipe.changes, change);
  recipe.step = 30;

  g_autofree char *command = sl_command_line_run (&recipe);

  g_assert_cmpstr (command, ==,
                   "sluice-cli run sign-estimator --data moons --at 20:rank=3-2 "
                   "--steps 30 --seed 7 --threads 1");
  sl_recipe_clear (&recipe);
}

static void
test_command_of_sweep (void)
{
  SlSweep sweep;

  sweep_small (&sweep);

  g_autofree char *command = sl_command_line_sweep (&sweep);

  g_assert_cmpstr (command, ==,
                   "sluice-cli sweep sign-estimator --data moons:points=300 --set batch=10 "
                   "--set hidden=12-8 --set report-every=5 --set evaluate-every=20 "
                   "--axis rank=2-2,6-4 --axis learning-rate=0.001,0.01 --seeds 1-2 --steps 40");
  sl_sweep_clear (&sweep);
}

/* Costs are multiplications but where a lab has other words for them. */
static void
test_cost_axis (void)
{
  const SlCosts words = { .executed = "hits.lru", .label = "experts in memory", .unit = "%" };
  SlLab         lab = { .id = "own", .costs = &words };
  SlAxis        axis = sl_lab_cost_axis (&lab, "executed multiplications");

  g_assert_cmpstr (axis.label, ==, "experts in memory");
  g_assert_cmpstr (axis.unit, ==, "%");
  /* Runs of several labs have the words that were asked for. */
  axis = sl_lab_cost_axis (NULL, "expected multiplications");
  g_assert_cmpstr (axis.label, ==, "expected multiplications");
  g_assert_cmpstr (axis.unit, ==, "% of dense");
  axis = sl_lab_cost_axis (sl_lab_find ("selective-execution"), "executed multiplications");
  g_assert_cmpstr (axis.label, ==, "executed multiplications");
  g_assert_cmpstr (axis.unit, ==, "% of dense");
}

/* Errors are shares of the examples, or have the words of their panel or those of the lab. */
static void
test_error_axis (void)
{
  static const struct
  {
    const char *lab, *label, *unit;
  } cases[] = { { "experts", "error", "%" },
                { "style", "MMD²", "" },
                { "gated-recurrence", "bits per letter", "" },
                { "experts-text", "perplexity", "" },
                { "routing", "misses of a cache, LRU", "%" } };

  g_assert_cmpstr (sl_lab_error_axis (NULL).label, ==, "error");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlAxis axis = sl_lab_error_axis (sl_lab_find (cases[i].lab));

      g_assert_cmpstr (axis.label, ==, cases[i].label);
      g_assert_cmpstr (axis.unit, ==, cases[i].unit);
    }
}

/* A figure that the data cannot have gives its place to the others; before the first window all wait. */
static void
test_own_bars (void)
{
  const SlLab *lab = sl_lab_find ("routing");
  SlSettings   settings;
  SlRecord     record;
  SlBar        bars[SL_FRONT_BARS];
  SlStatus     status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_record_init (&record, lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (sl_outcome_bars (&record, bars), ==, 3);
  for (unsigned b = 0; b < 3; b += 2)
    {
      int channel = sl_layout_find (&record.layout, lab->front->bars[b].channel);

      g_assert_cmpint (channel, >=, 0);
      g_assert_true (sl_series_append (&record.series[channel], 1.0, 0.5 + b));
    }
  g_assert_cmpuint (sl_outcome_bars (&record, bars), ==, 2);
  g_assert_cmpstr (bars[0].title, ==, lab->front->bars[0].title);
  g_assert_cmpstr (bars[1].title, ==, lab->front->bars[2].title);
  g_assert_cmpfloat (bars[1].value, ==, 2.5);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/outcome/every-lab", test_outcomes);
  g_test_add_func ("/outcome/cost-axis", test_cost_axis);
  g_test_add_func ("/outcome/error-axis", test_error_axis);
  g_test_add_func ("/outcome/own-bars", test_own_bars);
  g_test_add_func ("/command-line/every-trial", test_commands);
  g_test_add_func ("/command-line/changes", test_command_of_changes);
  g_test_add_func ("/command-line/sweep", test_command_of_sweep);
  return g_test_run ();
}
