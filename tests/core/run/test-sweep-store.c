/* SPDX-License-Identifier: MIT
 *
 * Runs of a sweep in a store: all they published comes back, they are not made twice, and their
 * outcomes are what they were.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>

#include "core/data/image/bitmap.h"
#include "core/data/source/source.h"
#include "core/run/files/table.h"
#include "core/run/query/setting.h"
#include "core/run/store/about/picture.h"
#include "core/run/sweep/store.h"
#include "core/train/trainer.h"
#include "tests/core/run/sweep-help.h"

typedef SweepFixture Fixture;

static SlSweepResult *
make (Fixture *f, guint i)
{
  return sl_sweep_perform (&f->sweep, &g_array_index (f->jobs, SlSweepJob, i), NULL, f->dataset,
                           NULL, NULL);
}

/* A number, or both times none. */
static void
assert_same (double a, double b)
{
  g_assert_true (a == b || (isnan (a) && isnan (b)));
}

static void
check_figures (const SlStoreRun *run, const SlStoreRun *other)
{
  for (unsigned f = 0; f < run->n_figures; f++)
    if (!g_str_has_prefix (run->figure[f].name, "scored."))
      g_assert_true (sl_store_run_score (other, run->figure[f].name) == run->figure[f].value);
}

/* A run that no store has is compared as it would be from a store. */
static void
check_row (SlSweepResult *result, const SlStoreRun *stored)
{
  g_autoptr (SlStoreRun) row = sl_sweep_result_row (result);
  g_autoptr (SlStoreRun) diverged = NULL;

  check_figures (row, stored);
  check_figures (stored, row);
  g_assert_cmpuint (sl_run_setting_key (row), ==, sl_run_setting_key (stored));
  g_assert_cmpint (row->status, ==, stored->status);
  g_assert_cmpuint (row->step, ==, stored->step);
  g_assert_cmpuint (row->seed, ==, stored->seed);
  g_assert_cmpuint (row->cell, ==, stored->cell);
  g_assert_cmpstr (row->name, ==, stored->name);
  result->status.code = SL_EDIVERGED;
  diverged = sl_sweep_result_row (result);
  g_assert_cmpint (diverged->status, ==, SL_RUN_DIVERGED);
  result->status.code = SL_OK;
}

static void
test_comes_back (Fixture *f, gconstpointer data)
{
  SlSweepResult *result = make (f, 2);
  GError        *error = NULL;
  SlStoredRun    stored;
  SlOutcome      outcome;
  SlStoreRun    *run;

  g_assert_cmpint (result->status.code, ==, SL_OK);
  sl_sweep_store (f->store, "a sweep", result);
  g_assert_true (sl_store_flush (f->store, NULL));
  sl_store_load (f->store, result->job.id, FALSE, G_MAXUINT64, &stored, &error);
  g_assert_no_error (error);

  g_autofree char *before = sl_table_csv (&result->record, 0, HUGE_VAL);
  g_autofree char *after = sl_table_csv (&stored.record, 0, HUGE_VAL);

  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (stored.recipe.step, ==, result->recipe.step);
  g_assert_cmpuint (stored.recipe.seed, ==, result->job.seed);
  sl_stored_run_clear (&stored);

  run = sl_store_find (f->store, result->job.id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run->status, ==, SL_RUN_FINISHED);
  g_assert_cmpstr (run->sweep, ==, "a sweep");
  g_assert_cmpuint (run->cell, ==, 2);
  g_assert_cmpfloat (sl_store_run_score (run, "test.error"), ==, result->score[SL_TEST][0].value);
  sl_store_run_outcome (run, &outcome);
  g_assert_cmpfloat (outcome.error, ==, result->outcome.error);
  g_assert_cmpfloat (outcome.at, ==, (double) result->recipe.step);
  g_assert_cmpuint (outcome.batch, ==, isnan (outcome.timed) ? 0 : result->outcome.batch);
  assert_same (outcome.timed, result->outcome.timed); /* withheld on a busy machine */
  assert_same (outcome.timed_spread, result->outcome.timed_spread);
  assert_same (outcome.executed, result->outcome.executed);
  check_row (result, run);
  sl_store_run_free (run);
  sl_sweep_result_free (result);
}

static void
test_skips (Fixture *f, gconstpointer data)
{
  guint    made[] = { 0, 3, 7 };
  unsigned there;

  g_assert_true (sl_sweep_skip (f->store, f->jobs, &there, NULL));
  g_assert_cmpuint (there, ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (made); i++)
    {
      SlSweepResult *result = make (f, made[i]);

      sl_sweep_store (f->store, "a sweep", result);
      sl_sweep_result_free (result);
    }
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_true (sl_sweep_skip (f->store, f->jobs, &there, NULL));
  g_assert_cmpuint (there, ==, 3);
  g_assert_cmpuint (f->jobs->len, ==, 5);
  for (guint i = 0; i < f->jobs->len; i++)
    for (size_t m = 0; m < G_N_ELEMENTS (made); m++)
      g_assert_cmpuint (g_array_index (f->jobs, SlSweepJob, i).number, !=, made[m]);
}

static bool
stop_after_ten (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  return sl_trainer_steps (run->trainer) < 10;
}

static bool
refuse_updates (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  g_assert_cmpfloat (done, ==, 1);
  return true;
}

/* A run that is written while it goes on and stopped on the way goes on from there, to what it would have been;
 * one that is over is only scored again.  */
static void
test_goes_on (Fixture *f, gconstpointer data)
{
  const SlSweepJob *job = &g_array_index (f->jobs, SlSweepJob, 1);
  SlSweepResult    *whole = make (f, 1), *parts;
  g_autofree char  *expected = sl_table_csv (&whole->record, 0, HUGE_VAL);
  SlStoreRun       *run;

  g_assert_null (sl_sweep_perform (&f->sweep, job, f->store, f->dataset, stop_after_ten, NULL));
  g_assert_true (sl_store_flush (f->store, NULL));
  run = sl_store_find (f->store, job->id, NULL);
  g_assert_cmpint (run->status, ==, SL_RUN_PAUSED);
  g_assert_cmpuint (run->step, ==, 10);
  sl_store_run_free (run);
  for (int again = 0; again < 2; again++)
    {
      g_autofree char *got = NULL;

      parts = sl_sweep_perform (&f->sweep, job, f->store, f->dataset,
                                again == 0 ? NULL : refuse_updates, NULL);
      g_assert_cmpint (parts->status.code, ==, SL_OK);
      got = sl_table_csv (&parts->record, 0, HUGE_VAL);
      g_assert_cmpstr (got, ==, expected);
      g_assert_cmpfloat (parts->score[SL_TEST][0].value, ==, whole->score[SL_TEST][0].value);
      g_assert_cmpfloat (parts->epochs, ==, whole->epochs);
      sl_sweep_result_free (parts);
      g_assert_true (sl_store_flush (f->store, NULL));
      run = sl_store_find (f->store, job->id, NULL);
      g_assert_cmpint (run->status, ==, SL_RUN_FINISHED);
      g_assert_cmpfloat (sl_store_run_score (run, "test.error"), ==,
                         whole->score[SL_TEST][0].value);
      g_assert_cmpfloat (sl_store_run_score (run, "scored.test"), ==, (double) run->step);
      sl_store_run_free (run);
    }
  sl_sweep_result_free (whole);
}

/* A run with patience ends where a validation error is measured that far behind the smallest, and not before. */
static void
test_patience (Fixture *f, gconstpointer data)
{
  SlSweepJob      job = g_array_index (f->jobs, SlSweepJob, 0);
  SlSweep         sweep;
  SlSweepResult  *result;
  const SlSeries *errors;
  size_t          best = 0;
  double          per_step;
  char            id[SL_SWEEP_ID];

  sl_sweep_copy (&sweep, &f->sweep);
  sweep.budget = (SlBudget) { .steps = 5000, .patience = 4 };
  sl_sweep_name (sweep.lab, &job.settings, sweep.data, job.seed, &sweep.budget, id);
  sweep.budget.patience = 0;
  sl_sweep_name (sweep.lab, &job.settings, sweep.data, job.seed, &sweep.budget, job.id);
  g_assert_cmpstr (id, !=, job.id);
  sweep.budget.patience = 4;
  job.budget = sweep.budget;
  result = sl_sweep_perform (&sweep, &job, NULL, f->dataset, NULL, NULL);
  g_assert_cmpint (result->status.code, ==, SL_OK);
  g_assert_cmpuint (result->recipe.step, <, 5000);
  errors = &result->record.series[sl_layout_find (&result->record.layout, sweep.lab->valid)];
  per_step = result->epochs / (double) result->recipe.step;
  for (size_t i = 1; i < errors->n; i++)
    {
      /* It would have ended earlier. */
      g_assert_cmpfloat ((errors->step[i - 1] - errors->step[best]) * per_step, <, 4);
      if (errors->value[i] < errors->value[best])
        best = i;
    }
  g_assert_cmpfloat (((double) result->recipe.step - errors->step[best]) * per_step, >=, 4);
  g_assert_cmpfloat (errors->step[errors->n - 1], ==, (double) result->recipe.step);
  sl_sweep_result_free (result);
  sl_sweep_clear (&sweep);
}

/* A diverged run is over too; one that could not be made leaves nothing. */
static void
test_bad_runs (Fixture *f, gconstpointer data)
{
  SlSweepResult *result;
  SlStoreRun    *run;
  GError        *error = NULL;
  char           id[SL_SWEEP_ID];
  unsigned       there;

  sweep_set (&f->sweep, "optimiser=sgd weight-decay=1");
  f->sweep.budget.steps = 400;
  g_assert_true (sl_sweep_add_axis (&f->sweep, "learning-rate=10", NULL));
  g_array_unref (f->jobs);
  f->jobs = sl_sweep_expand (&f->sweep);
  result = make (f, 0);
  g_assert_cmpint (result->status.code, ==, SL_EDIVERGED);
  g_strlcpy (id, result->job.id, sizeof id);
  sl_sweep_store (f->store, NULL, result);
  sl_sweep_result_free (result);

  result = make (f, 1);
  result->status = sl_status_new (SL_EINVAL, "gates", sl_message ("5"), sl_message ("a divisor"));
  sl_sweep_store (f->store, NULL, result);
  sl_sweep_result_free (result);
  g_assert_true (sl_store_flush (f->store, NULL));

  run = sl_store_find (f->store, id, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run->status, ==, SL_RUN_DIVERGED);
  g_assert_cmpstr (run->problem, !=, "");
  sl_store_run_free (run);
  g_assert_true (sl_sweep_skip (f->store, f->jobs, &there, NULL));
  g_assert_cmpuint (there, ==, 1);
}

/* The last picture of a run comes back from the store, from one that it was merged into, and from a
 * file that is only read; other runs have none.  */
static void
test_picture (Fixture *f, gconstpointer data)
{
  g_autofree char *other_path = g_build_filename (f->folder, "other.sluice", NULL);
  g_autoptr (SlStore) other = NULL;
  g_autoptr (GBytes) kept = NULL, again = NULL;
  SlSweepResult *plain = make (f, 0), *result;
  SlDataset     *pictures;
  SlBitmap       bitmap;
  SlSweep        sweep;
  GError        *error = NULL;
  SlStatus       status;

  sl_sweep_init (&sweep, sweep_lab ("style"));
  sweep_set (&sweep, "scales=2 levels=1-2");
  g_free (sweep.data);
  sweep.data = g_strdup ("pictures:size=20");
  sweep.budget = (SlBudget) { .steps = 2 };
  g_assert_true (sl_sweep_check (&sweep, &error));
  status = sl_source_open (sweep.data, &pictures);
  g_assert_cmpint (status.code, ==, SL_OK);
  g_array_unref (f->jobs);
  f->jobs = sl_sweep_expand (&sweep);
  result = sl_sweep_perform (&sweep, &g_array_index (f->jobs, SlSweepJob, 0), NULL, pictures, NULL,
                             NULL);
  g_assert_cmpint (result->status.code, ==, SL_OK);
  g_assert_null (plain->picture);
  g_assert_nonnull (result->picture);

  sl_sweep_store (f->store, "a sweep", plain);
  sl_sweep_store (f->store, "a sweep", result);
  g_assert_true (sl_store_export (f->store, NULL, other_path, &error));
  other = sl_store_open_to_read (other_path, &error);
  g_assert_no_error (error);
  kept = sl_store_picture (f->store, result->job.id, &error);
  g_assert_no_error (error);
  again = sl_store_picture (other, result->job.id, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (kept, result->picture));
  g_assert_true (g_bytes_equal (again, result->picture));
  g_assert_null (sl_store_picture (f->store, plain->job.id, &error));
  g_assert_no_error (error);

  status
    = sl_bitmap_decode (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept), "picture", &bitmap);
  g_assert_cmpint (status.code, ==, SL_OK);
  g_assert_cmpuint (bitmap.width, ==, 20);
  sl_bitmap_clear (&bitmap);
  sl_sweep_result_free (plain);
  sl_sweep_result_free (result);
  sl_dataset_free (pictures);
  sl_sweep_clear (&sweep);
  g_unlink (other_path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/sweep-store/comes-back", Fixture, NULL, sweep_set_up, test_comes_back,
              sweep_tear_down);
  g_test_add ("/sweep-store/skips", Fixture, NULL, sweep_set_up, test_skips, sweep_tear_down);
  g_test_add ("/sweep-store/bad-runs", Fixture, NULL, sweep_set_up, test_bad_runs, sweep_tear_down);
  g_test_add ("/sweep-store/goes-on", Fixture, NULL, sweep_set_up, test_goes_on, sweep_tear_down);
  g_test_add ("/sweep-store/patience", Fixture, NULL, sweep_set_up, test_patience, sweep_tear_down);
  g_test_add ("/sweep-store/picture", Fixture, NULL, sweep_set_up, test_picture, sweep_tear_down);
  return g_test_run ();
}
