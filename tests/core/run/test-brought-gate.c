/* SPDX-License-Identifier: MIT
 *
 * Runs and sweeps without a window that have a gate which a program brings, and what becomes of them without the program. */
#include <glib.h>

#include "core/run/headless/headless.h"
#include "core/run/sweep/job.h"
#include "tests/core/nn/own-gates.h"
#include "tests/core/run/sweep-help.h"
#include "tests/support/english.h"

enum { UPDATES = 20 };

static const char settings[]
  = "gate=own experts=6 hidden=4 batch=20 report-every=1 evaluate-every=5 evaluate-examples=40";

static void
plan_init (SlPlan *plan, const Own *own)
{
  SlStatus status;

  sl_plan_init (plan, sweep_lab ("experts"));
  status
    = sl_settings_set_words (&plan->settings, plan->lab->params, plan->lab->n_params, settings);
  g_assert_true (sl_ok (&status));
  plan->data = g_strdup ("moons:points=300");
  plan->threads = 1;
  plan->budget.steps = UPDATES;
  plan->own = own != NULL ? &own->gate : NULL;
}

static void
check_refused (const SlStatus *status)
{
  char text[512];

  g_assert_cmpint (status->code, ==, SL_EINVAL);
  g_assert_nonnull (strstr (sl_status_text (status, text, sizeof text), "sluice.gate"));
}

/* A failure ends the training, and the next goes on to the same curves. */
static void
test_fails (void)
{
  SlHeadlessRun run[2];

  for (int fails = 0; fails < 2; fails++)
    {
      SlPlan   plan;
      Own      own;
      SlStatus status;

      own_init (&own, OWN_SIGMOID, 2);
      own.fails = fails ? 7 : 0;
      plan_init (&plan, &own);
      status = sl_headless_open (&run[fails], &plan, NULL);
      g_assert_true (sl_ok (&status));
      status = sl_headless_train (&run[fails], NULL, NULL);
      if (fails)
        {
          g_assert_cmpint (status.code, ==, SL_EGATE);
          g_assert_cmpuint (run[fails].recipe.step, ==, 6);
          status = sl_headless_train (&run[fails], NULL, NULL);
        }
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (run[fails].recipe.step, ==, UPDATES);
      own_clear (&own);
      sl_plan_clear (&plan);
    }
  for (unsigned c = 0; c < run[0].record.layout.n; c++)
    {
      const SlSeries *a = &run[0].record.series[c], *b = &run[1].record.series[c];

      g_assert_cmpmem (a->value, a->n * sizeof *a->value, b->value, b->n * sizeof *b->value);
      g_assert_cmpmem (a->step, a->n * sizeof *a->step, b->step, b->n * sizeof *b->step);
    }
  sl_headless_clear (&run[0]);
  sl_headless_clear (&run[1]);
}

/* A stored run has its curves without the program, and goes on with it alone. */
static void
test_stored (SweepFixture *f, gconstpointer data)
{
  SlPlan        plan;
  SlHeadlessRun run;
  Own           own;
  SlStatus      status;
  char          uuid[] = "0b6c1f04-3f0e-4e8e-9a51-3d4cb5d1a001";

  own_init (&own, OWN_PLAIN, 2);
  for (int time = 0; time < 3; time++)
    {
      g_autoptr (GError) error = NULL;

      plan_init (&plan, time == 1 ? NULL : &own);
      plan.store = g_object_ref (f->store);
      plan.uuid = g_strdup (uuid);
      plan.budget.steps = (uint64_t) UPDATES * (time + 1);
      if (time > 0)
        {
          g_assert_true (sl_store_load (f->store, uuid, TRUE, UINT64_MAX, &plan.stored, &error));
          g_assert_no_error (error);
          g_assert_cmpuint (plan.stored.record.series[0].n, >, 0);
          g_assert_cmpuint (plan.stored.checkpoint.step, ==, UPDATES);
        }
      status = sl_headless_open (&run, &plan, NULL);
      if (time == 1)
        check_refused (&status);
      else
        {
          g_assert_true (sl_ok (&status));
          sl_headless_write_begin (&run, &plan);
          status = sl_headless_train (&run, NULL, NULL);
          g_assert_true (sl_ok (&status));
          g_assert_cmpuint (run.recipe.step, ==, plan.budget.steps);
          sl_headless_write_end (&run, SL_RUN_FINISHED);
          g_assert_true (sl_store_flush (f->store, NULL));
        }
      sl_headless_clear (&run);
      sl_plan_clear (&plan);
    }
  own_clear (&own);
}

/* All runs of a sweep have the gate; without one they cannot be made, and a failure is a result. */
static void
test_sweep (SweepFixture *f, gconstpointer data)
{
  SlSweep sweep;
  Own     own;

  own_init (&own, OWN_PLAIN, 2);
  sl_sweep_init (&sweep, sweep_lab ("experts"));
  sweep_set (&sweep, settings);
  sweep.budget.steps = UPDATES;
  g_assert_true (sl_sweep_add_axis (&sweep, "experts=4,6", NULL));

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  for (int time = 0; time < 3; time++)
    for (guint i = 0; i < jobs->len; i++)
      {
        SlSweepResult *result;

        sweep.own = time == 1 ? NULL : &own.gate;
        own.fails = time == 2 ? own.training + 3 : 0;
        result = sl_sweep_perform (&sweep, &g_array_index (jobs, SlSweepJob, i), NULL, f->dataset,
                                   NULL, NULL);
        if (time == 1)
          check_refused (&result->status);
        else
          g_assert_cmpint (result->status.code, ==, time == 0 ? SL_OK : SL_EGATE);
        g_assert_true ((result->n_scores[SL_TEST] > 0) == (time == 0));
        g_assert_cmpuint (result->recipe.step, ==, time == 0 ? UPDATES : time == 1 ? 0 : 2);
        sl_sweep_result_free (result);
      }
  sl_sweep_clear (&sweep);
  own_clear (&own);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/brought-gate/fails", test_fails);
  g_test_add ("/brought-gate/stored", SweepFixture, NULL, sweep_set_up, test_stored,
              sweep_tear_down);
  g_test_add ("/brought-gate/sweep", SweepFixture, NULL, sweep_set_up, test_sweep, sweep_tear_down);
  return g_test_run ();
}
