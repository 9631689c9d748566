/* SPDX-License-Identifier: MIT
 *
 * Sweeps at work: runs come out as single ones do, whoever makes them; what is done is kept; and
 * how long it will take.  */
#include <glib.h>
#include <math.h>

#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/files/table.h"
#include "core/run/record/data.h"
#include "core/run/sweep/estimate.h"
#include "core/run/sweep/run.h"
#include "core/train/trainer.h"
#include "tests/core/run/sweep-help.h"

static gint opened; /* how often data were */

SlStatus __real_sl_open_data (const char *spec, SlDataset **dataset);
SlStatus __wrap_sl_open_data (const char *spec, SlDataset **dataset);

SlStatus
__wrap_sl_open_data (const char *spec, SlDataset **dataset)
{
  g_atomic_int_inc (&opened);
  return __real_sl_open_data (spec, dataset);
}

typedef struct
{
  GMainLoop *loop;
  GPtrArray *results; /* of SlSweepResult */
  unsigned   stop_after, changes;
} Owner;

static void
on_arrived (SlSweepRun *run, SlSweepResult *result, Owner *owner)
{
  /* To look at later: what is left behind is empty. */
  g_ptr_array_add (owner->results, g_memdup2 (result, sizeof *result));
  *result = (SlSweepResult) { 0 };
  if (owner->results->len == owner->stop_after)
    sl_sweep_run_cancel (run);
}

static void
on_changed (SlSweepRun *run, Owner *owner)
{
  SlSweepProgress progress;

  owner->changes++;
  sl_sweep_run_progress (run, &progress);
  g_assert_cmpfloat (progress.share, >=, 0);
  g_assert_cmpfloat (progress.share, <=, 1);
  g_assert_cmpuint (progress.over, ==, owner->results->len);
}

static void
on_ended (SlSweepRun *run, Owner *owner)
{
  g_main_loop_quit (owner->loop);
}

static SlSweepRun *
start_with (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool, Owner *owner)
{
  SlSweepRun *run = sl_sweep_run_new (sweep, jobs, pool);

  *owner = (Owner) {
    .loop = g_main_loop_new (NULL, FALSE),
    .results = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_sweep_result_free),
  };
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), owner);
  g_signal_connect (run, "changed", G_CALLBACK (on_changed), owner);
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), owner);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_READY);
  sl_sweep_run_start (run);
  return run;
}

static SlSweepRun *
start (const SlSweep *sweep, const GArray *jobs, unsigned at_once, Owner *owner)
{
  return start_with (sweep, jobs, &(SlSweepPool) { .at_once = at_once }, owner);
}

static void
finish (SlSweepRun *run, Owner *owner)
{
  g_object_unref (run);
  g_ptr_array_unref (owner->results);
  g_main_loop_unref (owner->loop);
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  const SlSweepResult *const *x = a, *const *y = b;

  return (int) (*x)->job.number - (int) (*y)->job.number;
}

/* What a run without a sweep publishes. */
static char *
alone (const SlSweep *sweep, const SlSweepJob *job, double *error)
{
  SlDataset   *dataset;
  SlTrainer   *trainer;
  SlRecord     record;
  SlRecordSink sink;
  SlScore      scores[SL_SCORES_MAX];
  unsigned     n;
  char        *csv;
  SlStatus     status = sl_source_open (sweep->data, &dataset);

  g_assert_cmpint (status.code, ==, SL_OK);
  sl_blas_set_threads (1);
  status = sl_trainer_new (&trainer, sweep->lab, &job->settings, dataset, job->seed);
  g_assert_cmpint (status.code, ==, SL_OK);
  status = sl_record_init (&record, sweep->lab, &job->settings, 1);
  g_assert_cmpint (status.code, ==, SL_OK);
  sl_record_sink_init (&sink, &record);
  for (uint64_t i = 0; i < sweep->budget.steps; i++)
    {
      status = sl_trainer_step (trainer, &sink.sink);
      g_assert_cmpint (status.code, ==, SL_OK);
    }
  status = sl_trainer_score (trainer, SL_TEST, scores, &n);
  g_assert_cmpint (status.code, ==, SL_OK);
  *error = scores[0].value;
  csv = sl_table_csv (&record, 0, HUGE_VAL);
  sl_record_sink_clear (&sink);
  sl_record_clear (&record);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
  return csv;
}

/* Whoever makes the runs, and however many at a time, they are what each is alone. */
static void
test_same_bytes (void)
{
  for (unsigned at_once = 1; at_once <= 3; at_once += 2)
    {
      SlSweep sweep;
      Owner   owner;

      sweep_small (&sweep);
      g_atomic_int_set (&opened, 0);

      g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
      SlSweepRun     *run = start (&sweep, jobs, at_once, &owner);
      SlSweepProgress progress;

      g_main_loop_run (owner.loop);
      g_assert_cmpint (g_atomic_int_get (&opened), ==, 1); /* by one thread for all */
      g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_DONE);
      g_assert_null (sl_sweep_run_error (run));
      sl_sweep_run_progress (run, &progress);
      g_assert_cmpuint (progress.over, ==, 8);
      g_assert_cmpuint (progress.runs, ==, 8);
      g_assert_cmpuint (progress.diverged + progress.refused, ==, 0);
      g_assert_cmpfloat (progress.share, ==, 1);
      g_assert_cmpfloat (progress.remaining, ==, 0);
      g_assert_cmpuint (owner.changes, >=, 3);
      g_ptr_array_sort (owner.results, by_number);
      for (guint i = 0; i < 8; i += 3)
        {
          const SlSweepResult *result = g_ptr_array_index (owner.results, i);
          double               error;
          g_autofree char     *expected = alone (&sweep, &result->job, &error);
          g_autofree char     *csv = sl_table_csv (&result->record, 0, HUGE_VAL);

          g_assert_cmpint (result->status.code, ==, SL_OK);
          g_assert_cmpuint (result->job.number, ==, i);
          g_assert_cmpuint (result->recipe.step, ==, 40);
          g_assert_cmpuint (result->recipe.threads, ==, 1);
          g_assert_cmpuint (result->recipe.seed, ==, result->job.seed);
          g_assert_cmpstr (csv, ==, expected);
          g_assert_cmpfloat (result->outcome.error, ==, error);
        }
      sl_sweep_clear (&sweep);
      finish (run, &owner);
    }
}

/* Updates of runs that take long enough to be stopped amid a sweep. */
enum { LONG = 4000 };

/* Cancelling keeps what is done, and ends. */
static void
test_cancel (void)
{
  SlSweep sweep;
  Owner   owner;

  sweep_small (&sweep);
  sweep.budget.steps = LONG;

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  SlSweepRun *run = start (&sweep, jobs, 1, &owner);

  owner.stop_after = 3;
  g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_CANCELLED);
  g_assert_cmpuint (owner.results->len, >=, 3);
  g_assert_cmpuint (owner.results->len, <, 8);
  finish (run, &owner);

  /* Nobody waits for one that is dropped in the middle. */
  run = start (&sweep, jobs, 2, &owner);
  while (owner.results->len < 1)
    g_main_context_iteration (NULL, TRUE);
  finish (run, &owner);
  sl_sweep_clear (&sweep);
}

/* The runs in a store that are over. */
static guint
count_finished (SlStore *store)
{
  g_autoptr (GPtrArray) runs = NULL;
  guint finished = 0;

  g_assert_true (sl_store_flush (store, NULL));
  runs = sl_store_list (store, NULL, FALSE, NULL);
  g_assert_nonnull (runs);
  for (guint i = 0; i < runs->len; i++)
    finished += ((SlStoreRun *) g_ptr_array_index (runs, i))->status == SL_RUN_FINISHED;
  return finished;
}

/* A pool that keeps runs has those in the store that were over when it was stopped, and is told them by
 * the store when it begins once more.  */
static void
test_keeps (SweepFixture *f, gconstpointer data)
{
  SlSweepPool pool = { .at_once = 2, .keeps = true, .store = f->store };
  Owner       owner;
  guint       kept;

  f->sweep.budget.steps = LONG;
  sweep_list (f);
  SlSweepRun *run = start_with (&f->sweep, f->jobs, &pool, &owner);

  owner.stop_after = 3;
  g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_CANCELLED);
  finish (run, &owner);
  kept = count_finished (f->store);
  g_assert_cmpuint (kept, >=, 3);

  run = start_with (&f->sweep, f->jobs, &pool, &owner);
  g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_DONE);
  g_assert_cmpuint (owner.results->len, ==, f->jobs->len);
  for (guint i = 0; i < owner.results->len; i++)
    {
      const SlSweepResult *result = g_ptr_array_index (owner.results, i);
      double               error;
      g_autofree char     *expected = alone (&f->sweep, &result->job, &error);
      g_autofree char     *got = sl_table_csv (&result->record, 0, HUGE_VAL);

      g_assert_cmpstr (got, ==, expected);
      g_assert_cmpfloat (result->score[SL_TEST][0].value, ==, error);
    }
  finish (run, &owner);
  g_assert_cmpuint (count_finished (f->store), ==, f->jobs->len);
}

static void
begin_store (SweepFixture *f, gconstpointer data)
{
  sweep_begin (f);
}

static void
end_store (SweepFixture *f, gconstpointer data)
{
  sweep_end (f);
}

static gboolean
stop_waiting (gpointer data)
{
  *(bool *) data = true;
  return G_SOURCE_REMOVE;
}

static void
look_later (SlSweepRun *run, SlSweepProgress *progress)
{
  bool waited = false;

  g_timeout_add (300, stop_waiting, &waited);
  while (!waited)
    g_main_context_iteration (NULL, TRUE);
  sl_sweep_run_progress (run, progress);
}

static void
test_pause (void)
{
  enum { AT_ONCE = 2 };
  SlSweep sweep;
  Owner   owner;

  sweep_small (&sweep);
  sweep.budget.steps = LONG;

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  SlSweepRun     *run = start (&sweep, jobs, AT_ONCE, &owner);
  SlSweepProgress before, after;
  guint           over;

  while (owner.results->len < 1)
    g_main_context_iteration (NULL, TRUE);
  over = owner.results->len;
  sl_sweep_run_pause (run);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_PAUSED);
  /* What was over or in its last update arrives, on a busy machine late; then nothing moves. */
  do
    {
      look_later (run, &before);
      look_later (run, &after);
    }
  while (!(before.seconds == after.seconds));
  g_assert_cmpuint (owner.results->len, <=, over + AT_ONCE);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_PAUSED);
  sl_sweep_run_resume (run);
  if (sl_sweep_run_state (run) != SL_SWEEP_DONE)
    g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_DONE);
  g_assert_cmpuint (owner.results->len, ==, 8);
  sl_sweep_clear (&sweep);
  finish (run, &owner);
}

/* Settings that do not go together, and runs that diverge, are results too. */
static void
test_bad_runs (void)
{
  SlSweep         sweep;
  Owner           owner;
  SlSweepProgress progress;
  SlSweepEstimate estimate;
  g_autoptr (GError) error = NULL;

  sl_sweep_init (&sweep, sweep_lab ("sign-estimator"));
  g_free (sweep.data);
  sweep.data = g_strdup ("moons:points=300");
  sweep_set (&sweep, "hidden=12-8 batch=10 optimiser=sgd weight-decay=1");
  sweep.budget.steps = 300;
  g_assert_true (sl_sweep_add_axis (&sweep, "learning-rate=0.01,10", NULL));

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  SlSweepRun *run = start (&sweep, jobs, 1, &owner);

  g_main_loop_run (owner.loop);
  sl_sweep_run_progress (run, &progress);
  g_assert_cmpuint (progress.over, ==, 2);
  g_assert_cmpuint (progress.diverged, ==, 1);
  for (guint i = 0; i < 2; i++)
    {
      const SlSweepResult *result = g_ptr_array_index (owner.results, i);

      if (result->job.number == 1)
        {
          g_assert_cmpint (result->status.code, ==, SL_EDIVERGED);
          g_assert_cmpuint (result->recipe.step, <, 300);
          g_assert_true (isnan (result->outcome.error));
          g_assert_cmpuint (result->n_scores[SL_TEST], ==, 0);
        }
      else
        g_assert_true (isfinite (result->outcome.error));
    }
  finish (run, &owner);

  sl_sweep_clear (&sweep);
  sl_sweep_init (&sweep, sweep_lab ("gated-recurrence"));
  g_free (sweep.data);
  sweep.data = g_strdup ("grammar:length=3000");
  sweep_set (&sweep, "units=24 batch=8 length=5 layers=1");
  sweep.budget.steps = 2;
  g_assert_true (sl_sweep_add_axis (&sweep, "gates=4,5", NULL));
  g_array_unref (jobs);
  jobs = sl_sweep_expand (&sweep);
  run = start (&sweep, jobs, 1, &owner);
  g_main_loop_run (owner.loop);
  sl_sweep_run_progress (run, &progress);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_DONE);
  g_assert_cmpuint (progress.over, ==, 2);
  g_assert_cmpuint (progress.refused, ==, 1);
  g_assert_true (sl_sweep_estimate (&sweep, jobs, &(SlSweepPool) { 0 }, NULL, &estimate, NULL));
  finish (run, &owner);
  g_assert_true (sl_sweep_add_axis (&sweep, "gates=5", NULL));
  g_assert_false (sl_sweep_estimate (&sweep, jobs, &(SlSweepPool) { 0 }, NULL, &estimate, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);

  g_free (sweep.data);
  sweep.data = g_strdup ("/nowhere/at-all.csv");
  run = start (&sweep, jobs, 2, &owner);
  g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_FAILED);
  g_assert_nonnull (sl_sweep_run_error (run));
  g_assert_cmpuint (owner.results->len, ==, 0);
  finish (run, &owner);
  sl_sweep_clear (&sweep);
}

static void
on_estimated (gpointer owner, const SlSweepEstimate *estimate, const GError *error)
{
  SlSweepEstimate *kept = owner;

  g_assert_no_error (error);
  *kept = *estimate;
}

/* An estimate is of the right size: it counts the updates exactly, and says ten times the time for
 * ten times the updates, give or take what a busy machine does.  */
static void
test_estimate (void)
{
  SlSweep         sweep;
  SlSweepEstimate estimate;
  GError         *error = NULL;
  SlSweepPool     pool = { .at_once = 2 };
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();

  sweep_small (&sweep);

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  sl_sweep_estimate (&sweep, jobs, &pool, NULL, &estimate, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (estimate.runs, ==, 8);
  g_assert_cmpfloat (estimate.updates, ==, 8 * 40);
  g_assert_cmpfloat (estimate.seconds, >, 0);
  g_assert_cmpfloat (estimate.seconds, <, 3600);

  /* Batches of 10; a run ends with the update that completes its last epoch. */
  sweep.budget = (SlBudget) { .epochs = 2 };
  estimate = (SlSweepEstimate) { 0 };
  sl_sweep_estimate_async (&sweep, jobs, &pool, NULL, on_estimated, &estimate);
  while (estimate.runs == 0)
    g_main_context_iteration (NULL, TRUE);
  {
    SlDataset *dataset;
    SlStatus   status = sl_source_open (sweep.data, &dataset);

    g_assert_cmpint (status.code, ==, SL_OK);
    g_assert_cmpfloat (fabs (estimate.updates - 8 * 0.2 * (double) dataset->n[SL_TRAIN]), <=, 8);
    sl_dataset_free (dataset);
  }

  /* Of several data each counts with its own epochs. */
  {
    g_autoptr (GArray) more = NULL;
    double before = estimate.updates;

    g_assert_true (sl_sweep_add_data (&sweep, "moons:points=3000", NULL));
    more = sl_sweep_expand (&sweep);
    g_assert_true (sl_sweep_estimate (&sweep, more, &pool, NULL, &estimate, NULL));
    g_assert_cmpuint (estimate.runs, ==, 16);
    g_assert_cmpfloat (fabs (estimate.updates - before - 8 * 0.2 * 2400), <=, 8);
    g_ptr_array_set_size (sweep.also, 0);
  }

  /* With a budget in seconds there is nothing to guess. */
  sweep.budget = (SlBudget) { .seconds = 1000 };
  g_assert_true (sl_sweep_estimate (&sweep, jobs, &pool, NULL, &estimate, NULL));
  g_assert_cmpfloat (estimate.seconds, >=, 4000);
  g_assert_cmpfloat (estimate.seconds, <, 4400);

  g_cancellable_cancel (cancelled);
  g_assert_false (sl_sweep_estimate (&sweep, jobs, &pool, cancelled, &estimate, &error));
  g_assert_error (error, SL_ERROR, SL_ECANCELLED);
  g_clear_error (&error);
  sl_sweep_clear (&sweep);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep-run/same-bytes", test_same_bytes);
  g_test_add_func ("/sweep-run/cancel", test_cancel);
  g_test_add ("/sweep-run/keeps", SweepFixture, NULL, begin_store, test_keeps, end_store);
  g_test_add_func ("/sweep-run/pause", test_pause);
  g_test_add_func ("/sweep-run/bad-runs", test_bad_runs);
  g_test_add_func ("/sweep-run/estimate", test_estimate);
  return g_test_run ();
}
