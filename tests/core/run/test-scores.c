/* SPDX-License-Identifier: MIT
 *
 * Errors of stored runs and the updates that they were measured at.  */
#include <math.h>

#include "core/labs/registry.h"
#include "core/run/store/writer.h"
#include "tests/core/run/made-run.h"
#include "tests/support/store-place.h"

enum { REGULAR = 10 /* updates between two validation errors */, STEPS = 100000 };

/* A run whose lab has evaluated so many validation errors, at regular updates or not; its writer. */
static SlWriter *
write_run (Place *place, unsigned n, bool regular)
{
  const SlLab *lab = sl_lab_find ("sign-estimator");
  SlRecipe     recipe;
  SlSettings   settings;
  SlLayout     layout;
  SlWriter    *writer;
  SlSample     sample = { 0 };

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  sl_layout_init (&layout, lab, &settings);
  writer = sl_writer_new (place->store, NULL, &recipe, &layout, NULL, 0);
  sample.channel = (unsigned) sl_layout_find (&layout, lab->valid);
  for (unsigned i = 1; i <= n; i++)
    {
      sample.step = regular ? REGULAR * i : i * i;
      sample.value = 100.0 / i;
      sl_writer_sample (writer, &sample);
    }
  sl_writer_tick (writer, STEPS, 1.0);
  sl_writer_status (writer, SL_RUN_PAUSED, NULL);
  sl_recipe_clear (&recipe);
  return writer;
}

static SlStoreRun *
stored (Place *place, const char *uuid)
{
  SlStoreRun *run;

  g_assert_true (sl_store_flush (place->store, NULL));
  run = sl_store_find (place->store, uuid, NULL);
  g_assert_nonnull (run);
  return run;
}

/* The update of the last validation error is that of the last sample, wherever blocks end. */
static void
test_validation (Place *place, gconstpointer unused)
{
  static const unsigned counts[] = { 0, 1, 2, 3, 499, 500, 501, 1000, 1203 };

  for (size_t i = 0; i < 2 * G_N_ELEMENTS (counts); i++)
    {
      unsigned         n = counts[i / 2];
      bool             regular = i % 2 == 0;
      SlWriter        *writer = write_run (place, n, regular);
      g_autofree char *uuid = g_strdup (sl_writer_uuid (writer));
      g_autoptr (SlStoreRun) run = stored (place, uuid);
      SlOutcome outcome;

      sl_writer_free (writer);
      sl_store_run_outcome (run, &outcome);
      g_assert_true (outcome.validation == (n > 0));
      if (n == 0)
        g_assert_true (isnan (outcome.at) && isnan (outcome.error));
      else
        g_assert_cmpfloat (outcome.at, ==, regular ? REGULAR * n : n * n);
      if (n > 0)
        g_assert_cmpfloat (outcome.error, ==, 100.0 / n);
    }
}

static void
put (SlWriter *writer, SlSplit split, double error, uint64_t at)
{
  const SlScore score[] = { { "error", "", "", error }, { "parameters", "", "", 1 } };

  sl_writer_scores (writer, split, score, G_N_ELEMENTS (score), at);
}

/* Both errors are there with their own updates, and the test error is what the run has to show. */
static void
test_both (Place *place, gconstpointer unused)
{
  SlWriter        *writer = write_run (place, 7, true);
  g_autofree char *uuid = g_strdup (sl_writer_uuid (writer));
  SlStoreErrors    errors;
  SlOutcome        outcome;
  SlStoreRun      *run;

  put (writer, SL_TEST, 20, 41);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (errors.test == 20 && errors.test_at == 41);
  g_assert_true (errors.valid == 100.0 / 7 && errors.valid_at == 7 * REGULAR);
  sl_store_run_outcome (run, &outcome);
  g_assert_true (outcome.error == 20 && outcome.at == 41 && !outcome.validation);
  sl_store_run_free (run);
  /* Of a validation error of before, that of training since is the newer one. */
  put (writer, SL_VALID, 15, 66);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (errors.valid == 100.0 / 7 && errors.valid_at == 7 * REGULAR);
  sl_store_run_free (run);
  put (writer, SL_VALID, 15, 71);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (errors.test == 20 && errors.test_at == 41);
  g_assert_true (errors.valid == 15 && errors.valid_at == 71);
  sl_store_run_free (run);
  /* An error that could not be measured leaves none of before. */
  put (writer, SL_TEST, NAN, 90);
  run = stored (place, uuid);
  sl_store_run_outcome (run, &outcome);
  g_assert_true (outcome.error == 15 && outcome.at == 71 && outcome.validation);
  sl_store_run_free (run);
  sl_writer_free (writer);
}

/* What is taken back takes its scores with it, and no others. */
static void
test_taken_back (Place *place, gconstpointer unused)
{
  SlWriter        *writer = write_run (place, 7, true);
  g_autofree char *uuid = g_strdup (sl_writer_uuid (writer));
  SlStoreErrors    errors;
  SlStoreRun      *run;

  put (writer, SL_TEST, 20, 41);
  put (writer, SL_VALID, 15, 42);
  sl_writer_truncate (writer, 41, 0);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (errors.test == 20 && errors.test_at == 41);
  g_assert_true (errors.valid == 100.0 / 4 && errors.valid_at == 4 * REGULAR);
  g_assert_true (isnan (sl_store_run_score (run, "valid.parameters")));
  sl_store_run_free (run);
  /* Of a file from before: a score without its update is of the last one. */
  sl_store_set_score (place->store, uuid, "scored.test", NAN);
  sl_writer_truncate (writer, 41, 0);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (errors.test == 20 && isnan (errors.test_at));
  sl_store_run_free (run);
  sl_writer_truncate (writer, 40, 0);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (isnan (errors.test) && errors.valid == 100.0 / 4);
  sl_store_run_free (run);
  put (writer, SL_TEST, 20, 40);
  sl_store_set_score (place->store, uuid, "outcome.error", 20);
  sl_store_forget_scores (place->store, uuid);
  run = stored (place, uuid);
  sl_store_run_errors (run, &errors);
  g_assert_true (isnan (errors.test) && isnan (sl_store_run_score (run, "scored.test")));
  sl_store_run_free (run);
  sl_writer_free (writer);
}

/* The time of a pass comes with its batch, and goes with it. */
static void
test_times (Place *place, gconstpointer unused)
{
  SlWriter        *writer = write_run (place, 1, true);
  g_autofree char *uuid = g_strdup (sl_writer_uuid (writer));
  SlTimes          times = { .batch = 64, .share = { { 2, 0 }, { 0.5, 0.01 } } };
  SlOutcome        outcome;

  sl_writer_free (writer);
  for (int known = 1; known >= 0; known--)
    {
      g_autoptr (SlStoreRun) run = NULL;

      times.batch = known ? 64 : 0;
      sl_store_set_times (place->store, uuid, &times);
      run = stored (place, uuid);
      sl_store_run_outcome (run, &outcome);
      g_assert_cmpuint (outcome.batch, ==, times.batch);
      g_assert_true (known ? outcome.timed == 50 && outcome.timed_spread == 1
                           : isnan (outcome.timed) && isnan (outcome.timed_spread));
    }
}

/* Files from before have scores without their updates: those of a run that is over are of its end. */
static void
test_old (void)
{
  static const struct
  {
    SlRunStatus status;
    const char *sweep;
    bool        known;
  } cases[] = { { SL_RUN_FINISHED, "", true },       { SL_RUN_FINISHED, "a sweep", true },
                { SL_RUN_DIVERGED, "", false },      { SL_RUN_DIVERGED, "a sweep", true },
                { SL_RUN_PAUSED, "", false },        { SL_RUN_CUT_OFF, "a sweep", false },
                { SL_RUN_RUNNING, "a sweep", false } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SlStoreRun) run = made_run ("sign-estimator", "", 12, "");
      SlOutcome outcome;

      run->status = cases[i].status;
      run->sweep = cases[i].sweep;
      run->step = 700;
      run->valid_at = 600;
      made_figure (run, run->lab->valid, 14);
      sl_store_run_outcome (run, &outcome);
      g_assert_true (outcome.error == 12 && !outcome.validation);
      g_assert_true (cases[i].known ? outcome.at == 700 : isnan (outcome.at));
      made_figure (run, "scored.test", 500);
      sl_store_run_outcome (run, &outcome);
      g_assert_true (outcome.error == 12 && outcome.at == 500);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add (name, Place, NULL, set_up_place, test, tear_down_place)
  ADD ("/scores/validation", test_validation);
  ADD ("/scores/both", test_both);
  ADD ("/scores/taken-back", test_taken_back);
  ADD ("/scores/times", test_times);
  g_test_add_func ("/scores/old", test_old);
  return g_test_run ();
}
