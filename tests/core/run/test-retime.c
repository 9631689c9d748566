/* SPDX-License-Identifier: MIT
 *
 * Stored runs that are timed later: they are what they were, and the time is all that is new.  */
#include "core/run/headless/retime.h"

#include <math.h>

#include "core/run/files/table.h"
#include "core/run/sweep/store.h"
#include "tests/core/run/sweep-help.h"

typedef SweepFixture Fixture;

/* A finished run of the sweep in the store without a time, with a state or not; its id. */
static const char *
make (Fixture *f, guint number, gboolean with_state)
{
  const SlSweepJob *job = &g_array_index (f->jobs, SlSweepJob, number);
  SlSweepResult    *result
    = sl_sweep_perform (&f->sweep, job, with_state ? f->store : NULL, f->dataset, NULL, NULL);

  g_assert_true (sl_ok (&result->status));
  sl_sweep_store (f->store, "a sweep", result);
  sl_store_set_times (f->store, job->id, &(SlTimes) { 0 });
  g_assert_true (sl_store_flush (f->store, NULL));
  sl_sweep_result_free (result);
  return job->id;
}

static SlStoreRun *
find (Fixture *f, const char *id)
{
  SlStoreRun *run;

  g_assert_true (sl_store_flush (f->store, NULL));
  run = sl_store_find (f->store, id, NULL);
  g_assert_nonnull (run);
  return run;
}

/* All curves and figures of a run but its time. */
static char *
contents (Fixture *f, const char *id)
{
  g_autoptr (SlStoreRun) run = find (f, id);
  g_autofree char *recipe = sl_store_recipe (f->store, id, NULL);
  g_autofree char *csv = NULL;
  GString         *text = g_string_new (recipe);
  SlStoredRun      stored;

  g_assert_true (sl_store_load (f->store, id, FALSE, G_MAXUINT64, &stored, NULL));
  csv = sl_table_csv (&stored.record, 0, HUGE_VAL);
  sl_stored_run_clear (&stored);
  g_string_append_printf (text, "%s%d %d %u\n", csv, (int) run->status, run->resumable,
                          (unsigned) run->step);
  for (unsigned i = 0; i < run->n_figures; i++)
    if (!g_str_has_prefix (run->figure[i].name, "outcome.timed"))
      g_string_append_printf (text, "%s %.17g\n", run->figure[i].name, run->figure[i].value);
  return g_string_free (text, FALSE);
}

typedef struct
{
  unsigned asked;
  uint64_t first;                /* update of the first question, */
  uint64_t last;                 /* and of the last */
  uint64_t stop;                 /* at this update */
  SlScore  score[SL_SCORES_MAX]; /* (n) of the test data at the end */
  unsigned n;
} Asked;

static bool
ask (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Asked   *asked = data;
  uint64_t step = sl_trainer_steps (run->trainer);

  if (asked->asked++ == 0)
    asked->first = step;
  if (done >= 1)
    {
      SlStatus status = sl_trainer_score (run->trainer, SL_TEST, asked->score, &asked->n);

      g_assert_true (sl_ok (&status));
    }
  asked->last = step;
  return step < asked->stop;
}

/* The network that is timed is that which was scored, to the last bit. */
static void
test_same (Fixture *f, gconstpointer data)
{
  for (int with_state = 0; with_state <= 1; with_state++)
    {
      const char      *id = make (f, with_state ? 1 : 2, with_state);
      g_autofree char *before = contents (f, id), *after = NULL;
      g_autoptr (SlStoreRun) untimed = find (f, id), timed = NULL;
      Asked     asked = { .stop = UINT64_MAX };
      SlOutcome outcome, stored;
      GError   *error = NULL;

      g_assert_cmpint (untimed->resumable, ==, with_state);
      g_assert_true (sl_retime_is_due (untimed));
      g_assert_true (sl_retime (f->store, id, ask, &asked, &outcome, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (asked.first, ==, with_state ? untimed->step : 0);
      g_assert_cmpuint (asked.last, ==, untimed->step);
      g_assert_cmpuint (asked.n, >, 0);
      for (unsigned i = 0; i < asked.n; i++)
        {
          g_autofree char *name = g_strconcat ("test.", asked.score[i].id, NULL);

          if (!isnan (asked.score[i].value))
            g_assert_cmpfloat (asked.score[i].value, ==, sl_store_run_score (untimed, name));
        }
      timed = find (f, id);
      g_assert_false (sl_retime_is_due (timed));
      sl_store_run_outcome (timed, &stored);
      g_assert_true (isfinite (stored.timed) && stored.timed == outcome.timed);
      g_assert_true (stored.timed_spread == outcome.timed_spread);
      g_assert_cmpuint (stored.batch, ==, 10);
      after = contents (f, id);
      g_assert_cmpstr (after, ==, before);
    }
}

/* Stopped on the way, nothing is stored, and the run can be timed later. */
static void
test_stopped (Fixture *f, gconstpointer data)
{
  const char      *id = make (f, 0, FALSE);
  g_autofree char *before = contents (f, id), *after = NULL;
  g_autoptr (SlStoreRun) run = NULL;
  Asked     asked = { .stop = 7 };
  SlOutcome outcome;
  GError   *error = NULL;

  g_assert_false (sl_retime (f->store, id, ask, &asked, &outcome, &error));
  g_assert_error (error, SL_ERROR, SL_ECANCELLED);
  g_clear_error (&error);
  g_assert_cmpuint (asked.asked, ==, 8);
  g_assert_true (isnan (outcome.timed) && !outcome.busy);
  run = find (f, id);
  g_assert_true (sl_retime_is_due (run));
  after = contents (f, id);
  g_assert_cmpstr (after, ==, before);
  g_assert_false (sl_retime (f->store, "no such run", NULL, NULL, &outcome, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add (name, Fixture, NULL, sweep_set_up, test, sweep_tear_down)
  ADD ("/retime/same", test_same);
  ADD ("/retime/stopped", test_stopped);
  return g_test_run ();
}
