/* SPDX-License-Identifier: MIT
 *
 * Pruned sweeps: the order of points, the rungs, runs that go on as if nothing was pruned, and the
 * same decisions after an interruption.  */
#include <glib.h>
#include <math.h>

#include "core/run/files/table.h"
#include "core/run/sweep/command-line.h"
#include "core/run/sweep/run.h"
#include "core/run/sweep/store.h"
#include "core/train/trainer.h"
#include "tests/core/run/sweep-help.h"

enum { RUNS = 16, STEPS = 64 };

static void
check_order (const SlHalvingPoint *point, unsigned n, const unsigned *order)
{
  g_autofree bool *kept = g_new (bool, n);

  for (unsigned most = 0; most <= n; most++)
    {
      sl_halving_choose (point, n, most, kept);
      for (unsigned i = 0; i < n; i++)
        g_assert_cmpint (kept[order[i]], ==, i < most);
    }
}

static void
test_order (void)
{
  /* On the front the cheapest, then who gains 5 and 4; off it who misses it by 1, by 3 and by 19. */
  const SlHalvingPoint point[] = { { 5, 2 }, { 10, 1 }, { 6, 3 }, { 1, 9 }, { 4, 10 }, { 20, 20 } };
  const unsigned       order[] = { 1, 0, 3, 2, 4, 5 };

  check_order (point, 6, order);
}

/* Of those that cost the same, the best competes with the second, and all others with the best. */
static void
test_same_cost (void)
{
  const SlHalvingPoint point[]
    = { { 9, 1 }, { 8.5, 1 }, { 7, 1 }, { 6, 2 }, { 6, 2 }, { 5.75, 2 } };
  const unsigned order[] = { 2, 5, 3, 4, 1, 0 };

  check_order (point, 6, order);
}

/* One that cannot be compared goes on, and takes a place. */
static void
test_unknown (void)
{
  const SlHalvingPoint point[] = { { NAN, 1 }, { 5, 2 }, { 3, 3 }, { 4, 4 } };
  bool                 kept[4];

  sl_halving_choose (point, 4, 2, kept);
  g_assert_true (kept[0] && kept[1]);
  g_assert_false (kept[2] || kept[3]);
  sl_halving_choose (point, 4, 0, kept);
  g_assert_true (kept[0]);
  g_assert_false (kept[1]);
  sl_halving_choose (point, 0, 3, kept);
}

/* Without costs the error decides alone. */
static void
test_errors_alone (void)
{
  const SlHalvingPoint point[] = { { 3, NAN }, { 1, NAN }, { 2, 4 }, { 4, NAN } };
  bool                 kept[4];

  sl_halving_choose (point, 4, 2, kept);
  g_assert_false (kept[0] || kept[3]);
  g_assert_true (kept[1] && kept[2]);
}

static void
test_rungs (void)
{
  uint64_t rung[SL_HALVING_RUNGS_MAX];
  SlSweep  sweep;

  sweep_small (&sweep); /* evaluates every 20 */
  sweep.budget.steps = 800;
  sweep.prune = 2;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  g_assert_cmpuint (rung[0], ==, 100);
  g_assert_cmpuint (rung[1], ==, 200);
  g_assert_cmpuint (rung[2], ==, 800);
  sweep.prune = 3;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  sweep.budget.steps = 440; /* at 55 and 110 nothing is evaluated */
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  g_assert_cmpuint (rung[0], ==, 60);
  g_assert_cmpuint (rung[1], ==, 120);
  sweep.budget.steps = 40;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 2);
  g_assert_cmpuint (rung[0], ==, 20);
  sweep.budget.steps = 1;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 1);
  g_assert_cmpuint (rung[0], ==, 1);
  sl_sweep_clear (&sweep);
}

/* What a sweep cannot be pruned by, and what is written of one that can. */
static void
test_bad (void)
{
  SlSweep          sweep, again;
  GError          *error = NULL;
  g_autofree char *json = NULL, *command = NULL, *bad = NULL;

  sweep_small (&sweep);
  for (unsigned prune = 1; prune < 5; prune += 3)
    {
      sweep.prune = prune;
      g_assert_false (sl_sweep_check (&sweep, &error));
      g_assert_error (error, SL_ERROR, SL_EINVAL);
      g_clear_error (&error);
    }
  sweep.prune = 3;
  sweep.budget.epochs = 2;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  sweep.budget.epochs = 0;
  g_assert_true (sl_sweep_check (&sweep, &error));
  json = sl_sweep_write (&sweep);
  command = sl_command_line_sweep (&sweep);
  g_assert_nonnull (strstr (command, "--prune 3"));
  g_assert_true (sl_sweep_read (json, &again, &error));
  g_assert_cmpuint (again.prune, ==, 3);
  sl_sweep_clear (&again);
  strstr (json, "\"prune\": 3")[strlen ("\"prune\": ")] = '7';
  g_assert_false (sl_sweep_read (json, &again, &error));
  g_clear_error (&error);
  sl_sweep_clear (&sweep);

  sl_sweep_init (&sweep, sweep_lab ("routing"));
  sweep.budget.steps = 10;
  sweep.prune = 2;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_assert_error (error, SL_ERROR, SL_EUNSUPPORTED);
  g_clear_error (&error);
  sl_sweep_clear (&sweep);
}

/* ---- sweeps at work ---- */

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
static gboolean
cancel (gpointer run)
{
  sl_sweep_run_cancel (run);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
  const SlSweepPool pool = { .at_once = 2, .store = f->store };
  Owner             owner = { .loop = g_main_loop_new (NULL, FALSE), .store = f->store };
  SlSweepRun       *run = sl_sweep_run_new (&f->sweep, f->jobs, &pool);

  sl_sweep_title (&f->sweep, owner.title);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), &owner);
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), &owner);
  sl_sweep_run_start (run);
  g_timeout_add (30, cancel, run);
  g_main_loop_run (owner.loop);
  g_main_loop_unref (owner.loop);
  g_object_unref (run);
  g_assert_true (sl_store_flush (f->store, NULL));
  g_assert_cmpuint (owner.arrived + make (f, 2), ==, RUNS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/halving/order", test_order);
  g_test_add_func ("/halving/same-cost", test_same_cost);
  g_test_add_func ("/halving/unknown", test_unknown);
  g_test_add_func ("/halving/errors-alone", test_errors_alone);
  g_test_add_func ("/halving/rungs", test_rungs);
  g_test_add_func ("/halving/bad", test_bad);
  g_test_add ("/halving/survivors", Fixture, NULL, set_up, test_survivors, tear_down);
  g_test_add ("/halving/resume", Fixture, NULL, set_up, test_resume, tear_down);
  g_test_add ("/halving/whole-after", Fixture, NULL, set_up, test_whole_after, tear_down);
  g_test_add ("/halving/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  return g_test_run ();
}
