/* SPDX-License-Identifier: MIT
 *
 * Predicted times with a made-up machine that takes a nanosecond for a multiply-add: what a prediction must
 * be is known to the digit.  Also the file of the model, timing of each kind of call, and trials of all labs. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/small-gemm.h"
#include "core/run/cost/call.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/model.h"
#include "core/run/cost/table.h"
#include "core/run/cost/trial.h"
#include "core/run/headless/headless.h"

static double
nanoseconds (const SlCostCall *call)
{
  return 1e-9 * (double) call->m * (double) call->n * (double) call->k * call->share;
}

static SlCostModel *
new_model (void)
{
  SlCostModel *model = g_new0 (SlCostModel, 1);

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    {
      unsigned n = sl_cost_table_points ((SlCostKind) kind);

      model->seconds[kind] = g_new (double, n);
      for (unsigned i = 0; i < n; i++)
        {
          SlCostCall call = sl_cost_table_call ((SlCostKind) kind, i);

          model->seconds[kind][i] = nanoseconds (&call);
        }
    }
  for (unsigned i = 0; i < SL_COST_LABS; i++)
    model->learned[i]
      = (SlCostLearned) { { { 2, 3, 5, 29, 7, 11 } }, { { 13, 4, 17, 31, 19, 23 } }, 0.25, 0.125 };
  model->error = 0.0625;
  model->spread = 0.1;
  model->took = 3;
  return model;
}

static void
assert_near (double found, double expected)
{
  g_assert_true (fabs (found / expected - 1) < 1e-9);
}

/* A bound of a time: that of its shares and, independently, of an error, which is below 0 for the lower one. */
static double
apart (double seconds, double bound, double error)
{
  return seconds * exp (copysign (hypot (log (bound / seconds), log (1 + fabs (error))), error));
}

/* ---- factors ---- */

/* Runs made of known terms with known factors; one of them was disturbed. */
static void
test_fit (void)
{
  enum { RUNS = 20 };
  const SlCostTerms factor = { { 1.2, 0.7, 2, 0.4, 3, 8 } };
  SlCostTimed       run[RUNS];
  SlCostTerms       found;
  double            error;
  SlRng             rng;

  sl_rng_init (&rng, 1, "fit");
  for (unsigned i = 0; i < RUNS; i++)
    {
      for (unsigned j = 0; j < SL_N_COST_TERMS; j++)
        run[i].terms.of[j] = j == SL_COST_ALWAYS ? 1e-6 : 1e-3 * exp (-6 * sl_rng_uniform (&rng));
      run[i].seconds = sl_cost_weigh (&run[i].terms, &factor);
      run[i].unsure = 0;
    }
  run[3].seconds *= 5;
  sl_cost_fit (RUNS, run, &found, &error);
  for (unsigned i = 0; i < RUNS; i++)
    if (i != 3)
      g_assert_true (fabs (sl_cost_weigh (&run[i].terms, &found) / run[i].seconds - 1) < 0.1);
  g_assert_true (error < 0.15);

  /* Those of which more units are on than was expected change nothing, and are no error, where that may be. */
  for (unsigned i = 0; i < RUNS; i += 2)
    {
      run[i].seconds *= 3;
      run[i].unsure = 1.2;
    }
  sl_cost_fit (RUNS, run, &found, &error);
  for (unsigned i = 1; i < RUNS; i += 2)
    if (i != 3)
      g_assert_true (fabs (sl_cost_weigh (&run[i].terms, &found) / run[i].seconds - 1) < 0.2);
  g_assert_true (error < 0.25);

  sl_cost_fit (2, run, &found, &error);
  g_assert_cmpfloat (found.of[SL_COST_PRODUCTS], ==, 1);
  g_assert_cmpfloat (error, ==, 0.5);
}

/* The interval is to hold for nine of ten other settings: of eleven runs the one that is most off is within it, of
 * thirty not.  Seven that agree may have been lucky.  */
static void
test_interval (void)
{
  enum { LUCKY = 7, FEW = 11, MANY = 30 };
  SlCostTimed run[MANY];
  SlCostTerms found;
  double      error;
  SlRng       rng;

  sl_rng_init (&rng, 2, "fit");
  for (unsigned i = 0; i < MANY; i++)
    {
      for (unsigned j = 0; j < SL_N_COST_TERMS; j++)
        run[i].terms.of[j] = 1e-3 * sl_rng_uniform (&rng);
      run[i].seconds = sl_cost_weigh (&run[i].terms, &(SlCostTerms) { { 1, 1, 1, 0.4, 1, 5 } });
      run[i].unsure = 0;
    }
  run[0].seconds *= 1.4;
  sl_cost_fit (FEW, run, &found, &error);
  g_assert_true (error > 0.35 && error < 0.45);
  sl_cost_fit (MANY, run, &found, &error);
  g_assert_true (error < 0.1);
  sl_cost_fit (LUCKY, run + 1, &found, &error);
  g_assert_true (error > 0.12 && error < 0.2);
}

/* ---- the table ---- */

/* Sides in whole registers and a rest: both are timed, and added. */
static void
test_lanes (void)
{
  static const size_t sizes[] = { 1, 10, 15, 16, 17, 40, 64, 100, 800, 1000 };
  g_autoptr (SlCostModel) model = new_model ();

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      SlCostCall few = { SL_COST_FEW, 7, sizes[i], 30, 1, 1, 1, 1 };
      SlCostCall back = { SL_COST_FEW_BACK, 7, 30, sizes[i], 1, 1, 1, 1 };
      SlCostCall outer = { SL_COST_STRIPS_OUTER, sizes[i], 30, 7, 1, 1, 1, 1 };

      assert_near (sl_cost_table_seconds (model->seconds[few.kind], &few, 1), nanoseconds (&few));
      assert_near (sl_cost_table_seconds (model->seconds[back.kind], &back, 1),
                   nanoseconds (&back));
      assert_near (sl_cost_table_seconds (model->seconds[outer.kind], &outer, 1),
                   nanoseconds (&outer));
    }
}

/* On the grid, between its points, before the first and beyond the last. */
static void
test_between (void)
{
  static const size_t sizes[] = { 1, 3, 64, 100, 900, 1600, 5000 };
  g_autoptr (SlCostModel) model = new_model ();

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (sizes); j++)
      {
        SlCostCall call = { SL_COST_WEIGHTS, sizes[i], 7, sizes[j], 1, 1, 1, 1 };
        SlCostCall flat = { SL_COST_TANH, sizes[i], sizes[j], 1, 1, 1, 1, 1 };

        assert_near (sl_cost_table_seconds (model->seconds[call.kind], &call, 1),
                     nanoseconds (&call));
        if (sizes[i] * sizes[j] >= 16)
          assert_near (sl_cost_table_seconds (model->seconds[flat.kind], &flat, 1),
                       nanoseconds (&flat));
        else
          assert_near (sl_cost_table_seconds (model->seconds[flat.kind], &flat, 1), 16e-9);
      }
}

static void
test_fill (void)
{
  g_autoptr (SlCostModel) model = new_model ();

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    {
      unsigned n = sl_cost_table_points ((SlCostKind) kind), emptied = 0;

      for (unsigned i = 0; i < n; i++)
        if (model->seconds[kind][i] > 1e-4)
          {
            model->seconds[kind][i] = NAN;
            emptied++;
          }
      g_assert_cmpuint (emptied, >, 0);
      sl_cost_table_fill ((SlCostKind) kind, model->seconds[kind]);
      for (unsigned i = 0; i < n; i++)
        {
          SlCostCall call = sl_cost_table_call ((SlCostKind) kind, i);

          assert_near (model->seconds[kind][i], nanoseconds (&call));
        }
    }
}

/* ---- predictions ---- */

static void
test_predictions (void)
{
  g_autoptr (SlCostModel) model = new_model ();
  g_autofree SlWorkload *work = g_new0 (SlWorkload, 1);
  SlPrediction           p, pass;

  work->lab = sl_labs[1];
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add (work, SL_COST_FORWARD, 3, 64, 400, 100);
  g_assert_true (isnan (sl_cost_predict_speed_up (model, work).seconds));
  g_assert_true (isnan (sl_cost_predict (model, work, SL_COST_OF_STEP).seconds));
  sl_cost_begin (work, SL_COST_OF_PASS);
  sl_cost_add_gated (work, SL_COST_GATED, 64, 400, 100, 0.3, 0.1, 0.6);
  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_DOWN, 2, 64, 400, 100);
  sl_cost_add (work, SL_COST_COPY, 3, 10, 100, 1);
  sl_cost_add (work, SL_COST_LOOP, 2, 10, 100, 1);
  sl_cost_add (work, SL_COST_READ, 1, 8192, 1, 1);

  p = sl_cost_predict (model, work, SL_COST_OF_DENSE);
  assert_near (p.seconds, 3 * 2.56e-3);
  assert_near (p.least, p.seconds / 1.0625);
  assert_near (p.most, p.seconds * 1.0625);
  p = sl_cost_predict (model, work, SL_COST_OF_PASS);
  assert_near (p.seconds, 4 * 0.3 * 2.56e-3 + 23e-6);
  assert_near (p.least, apart (p.seconds, 4 * 0.1 * 2.56e-3 + 23e-6, -0.125));
  assert_near (p.most, apart (p.seconds, 4 * 0.6 * 2.56e-3 + 23e-6, 0.125));
  pass = p;
  p = sl_cost_predict (model, work, SL_COST_OF_STEP);
  assert_near (p.seconds, 2 * 2 * 2.56e-3 + 5 * 3e-6 + 29 * 8192e-9 + 7 * 2e-6 + 11e-6);
  assert_near (p.least, p.seconds / 1.25);
  assert_near (p.most, p.seconds * 1.25);
  p = sl_cost_predict_speed_up (model, work);
  assert_near (p.seconds, 3 * 2.56e-3 / pass.seconds);
  assert_near (p.least, 3 * 2.56e-3 / pass.most);
  assert_near (p.most, 3 * 2.56e-3 / pass.least);

  /* A lab that nothing was learned from. */
  work->lab = NULL;
  p = sl_cost_predict (model, work, SL_COST_OF_STEP);
  assert_near (p.seconds, 2 * 2.56e-3 + 3e-6 + 0.4 * 8192e-9 + 2e-6 + 5e-6);
  sl_cost_refuse (work, SL_COST_OF_PASS, sl_message ("Not today."));
  g_assert_true (isnan (sl_cost_predict_speed_up (model, work).seconds));
  g_assert_true (isnan (sl_cost_predict (model, work, SL_COST_OF_PASS).most));
}

static void
test_verdicts (void)
{
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { 2, 1.5, 3 }), ==, SL_COST_PAYS);
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { 0.5, 0.2, 0.9 }), ==, SL_COST_PAYS_NOT);
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { 1, 0.9, 1.1 }), ==, SL_COST_EVEN);
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { 1, 1, 1.1 }), ==, SL_COST_EVEN);
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { 1, 0.9, 1 }), ==, SL_COST_EVEN);
  g_assert_cmpint (sl_cost_verdict (&(SlPrediction) { NAN, 2, 2 }), ==, SL_COST_UNKNOWN);
}

/* ---- the file ---- */

static char *
find_file (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "sluice", NULL);
  GDir            *dir = g_dir_open (folder, 0, NULL);
  const char      *name = g_dir_read_name (dir);
  char            *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_str_has_prefix (name, "cost-"));
  g_assert_null (g_dir_read_name (dir));
  g_dir_close (dir);
  return path;
}

/* The kept model with one text in the place of another is none. */
static void
assert_not_taken (const char *path, const char *good, const char *before, const char *after)
{
  const char      *at = strstr (good, before);
  g_autofree char *bad = NULL;

  g_assert_nonnull (at);
  bad = g_strdup_printf ("%.*s%s%s", (int) (at - good), good, after, at + strlen (before));
  g_assert_true (g_file_set_contents (path, bad, -1, NULL));
  g_assert_null (sl_cost_model_load ());
}

static void
test_file (void)
{
  g_autoptr (SlCostModel) model = new_model ();
  g_autoptr (SlCostModel) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *good = NULL, *folder = NULL;
  g_autofree char *first = g_strdup_printf ("\"%s\"", sl_labs[0]->id);

  g_assert_null (sl_cost_model_load ());
  g_assert_true (sl_cost_model_is_steady (model));
  g_assert_true (sl_cost_model_save (model, &error));
  g_assert_no_error (error);
  read = sl_cost_model_load ();
  g_assert_nonnull (read);
  g_assert_cmpfloat (read->error, ==, model->error);
  g_assert_cmpfloat (read->spread, ==, model->spread);
  g_assert_cmpfloat (read->took, ==, model->took);
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned i = 0; i < sl_cost_table_points ((SlCostKind) kind); i++)
      g_assert_cmpfloat (read->seconds[kind][i], ==, model->seconds[kind][i]);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    g_assert_cmpmem (&read->learned[i], sizeof *read->learned, &model->learned[i],
                     sizeof *model->learned);

  path = find_file ();
  g_assert_true (g_file_get_contents (path, &good, NULL, NULL));
  assert_not_taken (path, good, "{", "[");
  assert_not_taken (path, good, "\"version\"", "\"vision\"");
  assert_not_taken (path, good, "\"version\": ", "\"version\": 1, \"now\": ");
  assert_not_taken (path, good, "\"processor\": \"", "\"processor\": \"Z");
  assert_not_taken (path, good, "\"library\": \"", "\"library\": \"Z");
  assert_not_taken (path, good, "\"error\": ", "\"error\": -");
  assert_not_taken (path, good, "\"spread\": ", "\"spread\": -");
  assert_not_taken (path, good, "\"took\": ", "\"took\": -");
  assert_not_taken (path, good, "\"labs\"", "\"crabs\"");
  assert_not_taken (path, good, first, "\"nobody\"");
  assert_not_taken (path, good, "\"tanh\": [", "\"tanh\": [1, ");
  assert_not_taken (path, good, "\"tanh\": [", "\"tanh\": [-");
  assert_not_taken (path, good, "\"adam\"", "\"eve\"");
  g_assert_true (g_file_set_contents (path, good, -1, NULL));
  g_clear_pointer (&read, sl_cost_model_free);
  read = sl_cost_model_load ();
  g_assert_nonnull (read);

  /* No folder, but a file of its name. */
  folder = g_path_get_dirname (path);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_remove (folder), ==, 0);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  g_assert_false (sl_cost_model_save (model, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (g_remove (folder), ==, 0);
  model->spread = 0.3;
  g_assert_false (sl_cost_model_is_steady (model));
  model->spread = 0.1;
  model->others = 0.4;
  g_assert_true (sl_cost_model_is_steady (model));
  model->others = 0.9;
  g_assert_false (sl_cost_model_is_steady (model));
  model->others = NAN; /* nobody can tell */
  g_assert_true (sl_cost_model_is_steady (model));
  sl_cost_model_free (NULL);
}

/* ---- timing ---- */

static void
test_calls (void)
{
  SlCostBuffers buffers;
  size_t        thick = sl_small_gemm_limit () + 1;

  sl_cost_buffers_init (&buffers);
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    {
      SlCostCall small = { (SlCostKind) kind, 2, 8, 4, 1, 0.5, 0.5, 0.5 };
      SlCostCall larger = { (SlCostKind) kind, thick, 8, thick, 1, 0.5, 0.5, 0.5 };
      SlCostCall huge = { (SlCostKind) kind, 1601, 1601, 2, 1, 0.5, 0.5, 0.5 };
      double a = sl_cost_time_call (&buffers, &small), b = sl_cost_time_call (&buffers, &larger);

      g_assert_true (a > 0 && a < 1 && b > 0 && b < 1);
      g_assert_true (kind == SL_COST_READ || isnan (sl_cost_time_call (&buffers, &huge)));
    }
  g_assert_true (isnan (
    sl_cost_time_call (&buffers, &(SlCostCall) { SL_COST_FORWARD, 2, 1601, 1601, 1, 1, 1, 1 })));
  g_assert_true (isnan (
    sl_cost_time_call (&buffers, &(SlCostCall) { SL_COST_FORWARD, 1601, 2, 1601, 1, 1, 1, 1 })));
  sl_cost_buffers_clear (&buffers);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  g_assert_null (sl_cost_model_measure (cancellable));
}

/* About as fast as machines are: a multiplication takes 20 ps. */
static SlCostModel *
new_fast_model (void)
{
  SlCostModel *model = new_model ();

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned i = 0; i < sl_cost_table_points ((SlCostKind) kind); i++)
      model->seconds[kind][i] /= 50;
  for (unsigned i = 0; i < SL_COST_LABS; i++)
    sl_cost_learned_init (&model->learned[i]);
  return model;
}

/* Whether a lab's updates can be predicted at all. */
static gboolean
is_predicted (const SlLab *lab, const SlDataset *dataset)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlSettings             settings;
  SlStatus               status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_cost_init (work, lab, &settings, dataset);
  return sl_ok (&status) && work->refused[SL_COST_OF_STEP].packed[0] == '\0';
}

/* No call has more units on than there are, or fewer than none. */
static void
assert_shares (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlStatus               status = sl_cost_init (work, lab, settings, dataset);

  g_assert_true (sl_ok (&status));
  for (unsigned part = 0; part < SL_N_COST_PARTS; part++)
    for (unsigned i = 0; i < work->n[part]; i++)
      {
        const SlCostCall *call = &work->call[part][i];

        g_assert_true (0 <= call->least && call->least <= call->share);
        g_assert_true (call->share <= call->most && call->most <= 1);
      }
}

/* Of each lab that is predicted settings are found to learn from; they can be written down, and run. */
static void
test_trials (gconstpointer data)
{
  enum { DRAWN = 3 };
  const SlLab *lab = data;
  g_autoptr (SlCostModel) model = new_fast_model ();
  SlDataset *dataset;
  SlRng      rng;
  SlStatus   status = sl_cost_trial_data (lab, &dataset);

  if (!sl_ok (&status))
    {
      g_test_skip ("without its data");
      return;
    }
  sl_rng_init (&rng, 2, lab->id);
  for (unsigned i = 0; i < DRAWN; i++)
    {
      SlCostTrial      trial;
      SlSettings       again;
      g_autofree char *text = NULL;

      g_assert_cmpint (sl_cost_draw (model, lab, dataset, &rng, 0.03, &trial), ==,
                       is_predicted (lab, dataset));
      assert_shares (lab, &trial.settings, dataset);
      text = sl_cost_trial_text (lab, &trial.settings);
      g_test_message ("%s", text);
      g_strchomp (text);
      sl_settings_default (&again, lab->params, lab->n_params);
      status = sl_settings_set_words (&again, lab->params, lab->n_params, text);
      g_assert_true (sl_ok (&status));
      g_assert_true (sl_settings_same (&again, &trial.settings, lab->n_params));
      if (!is_predicted (lab, dataset) || !sl_cost_time_trial (lab, dataset, 0.05, &trial))
        continue;
      g_assert_true (trial.timed_update > 0 && trial.update.seconds > 0);
      g_assert_true (trial.update.least <= trial.update.seconds
                     && trial.update.seconds <= trial.update.most);
    }
  sl_dataset_free (dataset);
}

/* Multiplications of an update's products. */
static double
products_of (const SlWorkload *work)
{
  double sum = 0;

  for (unsigned i = 0; i < work->n[SL_COST_OF_STEP]; i++)
    {
      const SlCostCall *call = &work->call[SL_COST_OF_STEP][i];

      if (!sl_cost_is_flat (call->kind))
        sum += call->times * call->share * (double) call->m * (double) call->n * (double) call->k;
    }
  return sum;
}

/* Of a lab, and settings that differ from its defaults. */
typedef struct
{
  const char *lab, *settings;
} Setting;

static const SlLab *
open_setting (const Setting *of, SlDataset **dataset, SlPlan *plan)
{
  const SlLab *lab = sl_lab_find (of->lab);
  SlStatus     status = sl_cost_trial_data (lab, dataset);

  if (!sl_ok (&status))
    {
      g_test_skip ("without its data");
      return NULL;
    }
  sl_plan_init (plan, lab);
  plan->threads = 1;
  status = sl_settings_set_words (&plan->settings, lab->params, lab->n_params, of->settings);
  g_assert_true (sl_ok (&status));
  return lab;
}

/* What a lab says an update multiplies is what it counts as it runs. */
static void
test_counted (gconstpointer data)
{
  enum { BEFORE = 4, STEPS = 8 };
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlDataset             *dataset;
  SlPlan                 plan;
  SlHeadlessRun          run;
  SlStatus               status;
  double                 counted = 0, said;
  const SlLab           *lab = open_setting (data, &dataset, &plan);

  if (lab == NULL)
    return;
  status = sl_cost_init (work, lab, &plan.settings, dataset);
  g_assert_true (sl_ok (&status));
  status = sl_headless_open (&run, &plan, dataset);
  g_assert_true (sl_ok (&status));
  for (unsigned i = 0; i < BEFORE + STEPS; i++)
    {
      if (i == BEFORE)
        counted = -sl_trainer_state (run.trainer)->now.macs;
      status = sl_trainer_step (run.trainer, &run.sink.sink);
      g_assert_true (sl_ok (&status));
    }
  counted = (counted + sl_trainer_state (run.trainer)->now.macs) / STEPS;
  said = products_of (work);
  g_test_message ("%s: counted %.4g, said %.4g, %.3f", lab->id, counted, said, said / counted);
  /* What is learned, as gates that are on, is not known before. */
  g_assert_true (said == counted || fabs (said / counted - 1) < 0.2);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  sl_dataset_free (dataset);
}

/* How much an update computes depends on what is learned: a sentence, and no number. */
static void
test_refused (gconstpointer data)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  g_autoptr (SlCostModel) model = new_model ();
  SlDataset   *dataset;
  SlPlan       plan;
  SlStatus     status;
  const SlLab *lab = open_setting (data, &dataset, &plan);

  if (lab == NULL)
    return;
  status = sl_cost_init (work, lab, &plan.settings, dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (work->refused[SL_COST_OF_STEP].packed, !=, "");
  g_assert_true (isnan (sl_cost_predict (model, work, SL_COST_OF_STEP).seconds));
  sl_plan_clear (&plan);
  sl_dataset_free (dataset);
}

/* Multiply-adds of a part, with as many units on as are expected (0), or the fewest (1) or most (2). */
static double
macs_of (const SlWorkload *work, SlCostPart part, unsigned with)
{
  double sum = 0;

  for (unsigned i = 0; i < work->n[part]; i++)
    {
      const SlCostCall *call = &work->call[part][i];
      const double      share[] = { call->share, call->least, call->most };

      if (!sl_cost_is_flat (call->kind))
        sum += call->times * share[with] * (double) call->m * (double) call->n * (double) call->k;
    }
  return sum;
}

/* After some hundred updates as many units are on as was expected before; and once it is known how many, the time of
 * the pass is that of these.  */
static void
test_shares (gconstpointer data)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  g_autoptr (SlCostModel) model = new_model ();
  SlDataset   *dataset;
  SlPlan       plan;
  SlStatus     status;
  SlCostTrial  trial = { .speed_up = { 1, 1, 1 } };
  double       dense, least, most;
  const SlLab *lab = open_setting (data, &dataset, &plan);

  if (lab == NULL)
    return;
  trial.settings = plan.settings;
  sl_cost_leave_reports (lab, &trial.settings);
  assert_shares (lab, &trial.settings, dataset);
  status = sl_cost_init (work, lab, &trial.settings, dataset);
  g_assert_true (sl_ok (&status));
  g_assert_true (sl_cost_time_trial (lab, dataset, 60, &trial));
  dense = macs_of (work, SL_COST_OF_DENSE, 0);
  least = 100 * macs_of (work, SL_COST_OF_PASS, 1) / dense;
  most = 100 * macs_of (work, SL_COST_OF_PASS, 2) / dense;
  g_test_message ("%s: %.1f %% executed, %.1f expected (%.1f to %.1f)", lab->id, trial.executed,
                  100 * macs_of (work, SL_COST_OF_PASS, 0) / dense, least, most);
  g_assert_true (trial.executed > least - 1 && trial.executed < most + 1);

  trial.executed = 0.3 * least + 0.7 * most;
  sl_cost_trial_correct (model, lab, dataset, &trial);
  g_assert_true (trial.pass_unsure == 0);
  assert_near (trial.pass_terms.of[SL_COST_PRODUCTS] + trial.pass_terms.of[SL_COST_SKIPPING],
               1e-9 * trial.executed / 100 * dense);
  sl_plan_clear (&plan);
  sl_dataset_free (dataset);
}

static void
add_setting (const char *test, const Setting *of, GTestDataFunc function)
{
  g_autofree char *path = g_strdup_printf ("/cost/%s/%s/%s", test, of->lab,
                                           of->settings[0] != '\0' ? of->settings : "defaults");

  g_test_add_data_func_full (path, g_memdup2 (of, sizeof *of), function, g_free);
}

int
main (int argc, char **argv)
{
  static const Setting counted[] = {
    { "selective-execution", "architecture=exits" },
    { "selective-execution", "architecture=cascade rewards=every" },
    { "selective-execution", "architecture=cascade rewards=every bag=4" },
    { "experts", "gate=dense" },
    { "experts", "gate=base" },
    { "experts", "gate=switch capacity=0.5" },
    { "capacity", "task=recall" },
  };
  static const Setting refused[] = {
    { "experts", "noise=no" },
    { "experts-text", "noise=no" },
    { "capacity", "strength=3" },
  };
  static const Setting shares[] = {
    { "sign-estimator", "hidden=300-200" },
    { "sign-estimator", "hidden=300-200 hidden-dropout=0.1" },
    { "sign-estimator", "hidden=300-200 optimiser=sgd" },
    { "sign-estimator", "hidden=300-200 optimiser=sgd aim=recall aim-value=0.8" },
    { "sign-estimator", "hidden=300-200 aim=recall aim-value=1" },
    { "sign-estimator", "hidden=300-200 hidden-dropout=0 aim=recall aim-value=0.99" },
    { "sign-estimator", "hidden=300-200 aim=density aim-value=0.3" },
    { "stochastic-gates", "experts=200" },
    { "stochastic-gates", "experts=200 use=half" },
    { "stochastic-gates", "experts=200 use=sampled" },
    { "stochastic-gates", "experts=200 gate=sts use=sampled" },
    { "stochastic-gates", "experts=200 gate=rectifier" },
  };
  g_autofree char *cache = g_dir_make_tmp ("sluice-cost-XXXXXX", NULL);
  int              code;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost/factors", test_fit);
  g_test_add_func ("/cost/interval", test_interval);
  g_test_add_func ("/cost/between", test_between);
  g_test_add_func ("/cost/lanes", test_lanes);
  g_test_add_func ("/cost/fill", test_fill);
  g_test_add_func ("/cost/predictions", test_predictions);
  g_test_add_func ("/cost/verdicts", test_verdicts);
  g_test_add_func ("/cost/file", test_file);
  g_test_add_func ("/cost/calls", test_calls);
  g_test_add_func ("/cost/cancelled", test_cancelled);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat ("/cost/trials/", sl_labs[i]->id, NULL);

      g_test_add_data_func (path, sl_labs[i], test_trials);
      add_setting ("counted", &(Setting) { sl_labs[i]->id, "" }, test_counted);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (counted); i++)
    add_setting ("counted", &counted[i], test_counted);
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++)
    add_setting ("refused", &refused[i], test_refused);
  for (size_t i = 0; i < G_N_ELEMENTS (shares); i++)
    add_setting ("shares", &shares[i], test_shares);
  code = g_test_run ();
  g_rmdir (cache);
  return code;
}
