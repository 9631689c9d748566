/* SPDX-License-Identifier: MIT
 *
 * What a stored run has to show in a trade-off: figures that were kept for it, else its last
 * channels.  */
#include <math.h>

#include "core/run/store/store.h"

/* A figure by its own name, else by that of a channel or score. */
static double
figure (const SlStoreRun *run, const char *name, const char *other)
{
  double value = sl_store_run_score (run, name);

  return isnan (value) && other != NULL ? sl_store_run_score (run, other) : value;
}

void
sl_store_run_outcome (const SlStoreRun *run, SlOutcome *outcome)
{
  SlCosts          costs = run->lab != NULL ? sl_lab_costs (run->lab) : (SlCosts) { 0 };
  g_autofree char *score = run->lab != NULL && run->lab->error != NULL
                             ? g_strconcat ("test.", run->lab->error, NULL)
                             : NULL;

  sl_outcome_init (outcome);
  outcome->error = figure (run, "outcome.error", score);
  if (isnan (outcome->error) && run->lab != NULL && run->lab->valid != NULL)
    {
      outcome->error = sl_store_run_score (run, run->lab->valid);
      outcome->validation = isfinite (outcome->error);
    }
  outcome->expected = figure (run, "outcome.expected", costs.expected);
  outcome->executed = figure (run, "outcome.executed", costs.executed);
  outcome->timed = figure (run, "outcome.timed", NULL);
  outcome->timed_spread = figure (run, "outcome.timed-spread", NULL);
  outcome->parameters = figure (run, "test.parameters", "valid.parameters");
}
