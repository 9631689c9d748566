/* SPDX-License-Identifier: MIT
 *
 * Pruned sweeps at work: runs that go on as if nothing was pruned, and the same decisions after an
 * interruption.  */
#include <glib.h>
#include <math.h>

#include "core/run/files/table.h"
#include "core/run/sweep/run.h"
#include "core/run/sweep/store.h"
#include "core/train/trainer.h"
#include "tests/core/run/sweep-help.h"

enum { RUNS = 16, STEPS = 64 };

typedef SweepFixture Fixture;

typedef struct
{
  GMainLoop *loop;
  SlStore   *store;
  char       title[SL_SWEEP_ID];
  unsigned   arrived;
} Owner;

static void
set_up (Fixture *f, gconstpointer data)
{
  sweep_begin (f);
  sweep_set (&f->sweep, "evaluate-every=4");
  f->sweep.budget.steps = STEPS;
  g_assert_true (sl_sweep_add_axis (&f->sweep, "learning-rate=0.0001,0.001,0.01,0.03", NULL));
  f->sweep.prune = 2;
  g_assert_true (sl_sweep_check (&f->sweep, NULL));
  sweep_list (f);
  g_assert_cmpuint (f->jobs->len, ==, RUNS);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  sweep_end (f);
}

static void
on_arrived (SlSweepRun *run, const SlSweepResult *result, Owner *owner)
{
  g_assert_cmpint (result->status.code, ==, SL_OK);
  sl_sweep_store (owner->store, owner->title, result);
  owner->arrived++;
}

static void
on_changed (SlSweepRun *run, Owner *owner)
{
  SlSweepProgress progress;

  sl_sweep_run_progress (run, &progress);
  g_assert_true (progress.share >= 0 && progress.share <= 1);
}

static void
on_ended (SlSweepRun *run, Owner *owner)
{
  g_main_loop_quit (owner->loop);
}

/* Makes the runs that are listed, `n`; how many arrived. */
static unsigned
run_sweep (Fixture *f, unsigned at_once, unsigned n)
{
  const SlSweepPool pool = { .at_once = at_once, .store = f->store };
  SlSweepRun       *run = sl_sweep_run_new (&f->sweep, f->jobs, &pool);
  Owner             owner = { .loop = g_main_loop_new (NULL, FALSE), .store = f->store };
  SlSweepProgress   progress;

  sl_sweep_title (&f->sweep, owner.title);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), &owner);
  g_signal_connect (run, "changed", G_CALLBACK (on_changed), &owner);
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), &owner);
  sl_sweep_run_start (run);
  g_main_loop_run (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_DONE);
  sl_sweep_run_progress (run, &progress);
  g_assert_cmpuint (progress.over, ==, n);
  g_assert_cmpfloat (progress.share, ==, 1);
  g_object_unref (run);
  g_main_loop_unref (owner.loop);
  g_assert_true (sl_store_flush (f->store, NULL));
  return owner.arrived;
}

static unsigned
make (Fixture *f, unsigned at_once)
{
  return run_sweep (f, at_once, RUNS);
}

static const SlSweepJob *
job_at (const Fixture *f, guint i)
{
  return &g_array_index (f->jobs, SlSweepJob, i);
}

/* The step and state of each run, as text. */
static char *
outline (const Fixture *f)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < RUNS; i++)
    {
      g_autoptr (SlStoreRun) row = sl_store_find (f->store, job_at (f, i)->id, NULL);

      g_assert_nonnull (row);
      g_string_append_printf (text, "%s %u\n", sl_run_status_text (row->status),
                              (unsigned) row->step);
    }
  return g_string_free (text, FALSE);
}

/* Those that go on to the end have the bytes and scores of a run that nobody interrupted; the
 * others stand at a rung with figures of their own.  Both seeds of a point go the same way.  */
static void
test_survivors (Fixture *f, gconstpointer data)
{
  unsigned whole = 0, pruned = 0;

  g_assert_cmpuint (make (f, 2), ==, RUNS);
  for (guint i = 0; i < RUNS; i++)
    {
      SlSweepResult *alone
        = sl_sweep_perform (&f->sweep, job_at (f, i), NULL, f->dataset, NULL, NULL);
      g_autoptr (SlStoreRun) row = sl_store_find (f->store, job_at (f, i)->id, NULL);
      g_autoptr (SlStoreRun) twin
        = sl_store_find (f->store, job_at (f, (i + RUNS / 2) % RUNS)->id, NULL);
      g_autofree char *expected = NULL, *got = NULL;
      SlStoredRun      stored;

      g_assert_cmpuint (row->step, ==, twin->step);
      g_assert_cmpint (row->status, ==, twin->status);
      g_assert_cmpstr (row->sweep, !=, "");
      g_assert_cmpuint (row->cell, ==, i);
      g_assert_true (isfinite (sl_store_run_score (row, "outcome.error")));
      g_assert_true (sl_store_load (f->store, row->uuid, FALSE, G_MAXUINT64, &stored, NULL));
      expected = sl_table_csv (&alone->record, 0, (double) row->step);
      got = sl_table_csv (&stored.record, 0, HUGE_VAL);
      g_assert_cmpstr (got, ==, expected);
      if (row->status == SL_RUN_FINISHED)
        {
          whole++;
          g_assert_cmpuint (row->step, ==, STEPS);
          g_assert_cmpfloat (sl_store_run_score (row, "test.error"), ==,
                             alone->score[SL_TEST][0].value);
        }
      else
        {
          pruned++;
          g_assert_cmpint (row->status, ==, SL_RUN_PRUNED);
          g_assert_true (row->step == 8 || row->step == 16 || row->step == 32);
        }
      sl_stored_run_clear (&stored);
      sl_sweep_result_free (alone);
    }
  g_assert_cmpuint (whole, >, 0);
  g_assert_cmpuint (pruned, >, 0);
}

static bool
stop_between (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  return sl_trainer_steps (run->trainer) < *(const uint64_t *) data;
}

/* Interrupted in the middle of a rung, and once it is over: the same runs are pruned at the same steps, and what is
 * there is not made again.  */
static void
test_resume (Fixture *f, gconstpointer data)
{
  g_autofree char *expected = NULL, *got = NULL, *again = NULL, *other = NULL;
  char             title[SL_SWEEP_ID];
  bool             goes_on[RUNS];
  uint64_t         stop;

  make (f, 1);
  expected = outline (f);
  for (guint i = 0; i < RUNS; i++)
    {
      g_autoptr (SlStoreRun) row = sl_store_find (f->store, job_at (f, i)->id, NULL);

      goes_on[i] = row->step > 8;
    }
  g_object_unref (f->store);
  other = g_build_filename (f->folder, "other.sluice", NULL);
  f->store = sl_store_open (other, NULL);
  g_assert_nonnull (f->store);
  sl_sweep_title (&f->sweep, title);
  /* As an interruption leaves them: at the first rung, between two rungs, not begun. */
  for (guint i = 0; i < RUNS; i += 2)
    {
      const SlSweepStage stage = { SL_SWEEP_PART, goes_on[i] ? 16 : 8, title };

      stop = goes_on[i] ? 11 : 8;
      sl_sweep_result_free (sl_sweep_perform_stage (&f->sweep, job_at (f, i), &stage, f->store,
                                                    f->dataset, stop_between, &stop));
    }
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_cmpuint (make (f, 2), ==, RUNS);
  got = outline (f);
  g_assert_cmpstr (got, ==, expected);
  g_assert_cmpuint (make (f, 2), ==, 0);
  again = outline (f);
  g_assert_cmpstr (again, ==, expected);
}

/* The same sweep without pruning goes on with what was pruned, to the bytes of runs that nobody interrupted. */
static void
test_whole_after (Fixture *f, gconstpointer data)
{
  g_autoptr (GArray) all = g_array_copy (f->jobs);
  unsigned there, missing;

  make (f, 2);
  f->sweep.prune = 0;
  g_assert_true (sl_sweep_skip (f->store, f->jobs, &there, NULL));
  missing = f->jobs->len;
  g_assert_cmpuint (missing, >, 0);
  g_assert_cmpuint (there + missing, ==, RUNS);
  for (guint i = 0; i < missing; i++)
    g_assert_true (sl_sweep_waits (f->store, job_at (f, i)->id));
  run_sweep (f, 2, missing);
  g_array_unref (f->jobs);
  f->jobs = g_array_ref (all);
  for (guint i = 0; i < RUNS; i++)
    {
      SlSweepResult *alone
        = sl_sweep_perform (&f->sweep, job_at (f, i), NULL, f->dataset, NULL, NULL);
      g_autoptr (SlStoreRun) row = sl_store_find (f->store, job_at (f, i)->id, NULL);
      g_autofree char *expected = sl_table_csv (&alone->record, 0, HUGE_VAL), *got = NULL;
      SlStoredRun      stored;

      g_assert_cmpint (row->status, ==, SL_RUN_FINISHED);
      g_assert_cmpuint (row->step, ==, STEPS);
      g_assert_cmpfloat (sl_store_run_score (row, "test.error"), ==,
                         alone->score[SL_TEST][0].value);
      g_assert_true (sl_store_load (f->store, row->uuid, FALSE, G_MAXUINT64, &stored, NULL));
      got = sl_table_csv (&stored.record, 0, HUGE_VAL);
      g_assert_cmpstr (got, ==, expected);
      sl_stored_run_clear (&stored);
      sl_sweep_result_free (alone);
    }
}

/* A sweep that was cancelled goes on to the same end. */
static void
test_cancel (Fixture *f, gconstpointer data)
{
  const SlSweepPool pool = { .at_once = 2, .store = f->store };
  Owner             owner = { .loop = g_main_loop_new (NULL, FALSE), .store = f->store };
  SlSweepRun       *run = sl_sweep_run_new (&f->sweep, f->jobs, &pool);

  sl_sweep_title (&f->sweep, owner.title);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), &owner);
  g_signal_connect (run, "arrived", G_CALLBACK (sl_sweep_run_cancel), NULL); /* at the first */
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), &owner);
  sl_sweep_run_start (run);
  g_main_loop_run (owner.loop);
  g_main_loop_unref (owner.loop);
  g_assert_cmpint (sl_sweep_run_state (run), ==, SL_SWEEP_CANCELLED);
  g_object_unref (run);
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_cmpuint (owner.arrived, <, RUNS);
  g_assert_cmpuint (owner.arrived + make (f, 2), ==, RUNS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/halving/survivors", Fixture, NULL, set_up, test_survivors, tear_down);
  g_test_add ("/halving/resume", Fixture, NULL, set_up, test_resume, tear_down);
  g_test_add ("/halving/whole-after", Fixture, NULL, set_up, test_whole_after, tear_down);
  g_test_add ("/halving/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  return g_test_run ();
}
