/* SPDX-License-Identifier: MIT
 *
 * A line of the table of runs: what it says about its run, and what that has to show in a trade-off: figures that were
 * kept for it, else its last channels.  */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/store/store.h"

static const char *const STATUS[SL_N_RUN_STATUSES] = {
  [SL_RUN_RUNNING] = "running",   [SL_RUN_PAUSED] = "paused",   [SL_RUN_FINISHED] = "finished",
  [SL_RUN_DIVERGED] = "diverged", [SL_RUN_CUT_OFF] = "cut-off", [SL_RUN_FAILED] = "failed",
  [SL_RUN_PRUNED] = "pruned",
};

const char *
sl_run_status_text (SlRunStatus status)
{
  return STATUS[status];
}

gboolean
sl_store_run_is_curves_only (const SlStoreRun *run)
{
  return run->step > 0 && !run->resumable && run->status != SL_RUN_RUNNING && run->sweep[0] == '\0';
}

SlRunStatus
sl_run_status_of (const char *text)
{
  for (int i = 0; i < SL_N_RUN_STATUSES; i++)
    if (strcmp (text, STATUS[i]) == 0)
      return (SlRunStatus) i;
  return SL_RUN_FAILED;
}

const SlStoreRun *
sl_store_run_share (const SlStoreRun *run)
{
  g_atomic_int_inc (&((SlStoreRun *) run)->shared);
  return run;
}

void
sl_store_run_free (SlStoreRun *run)
{
  if (run == NULL || g_atomic_int_add (&run->shared, -1) > 0)
    return;
  g_free (run->name);
  free (run->settings);
  g_free (run->figure);
  g_free (run->note);
  g_free (run->tags);
  g_free (run);
}

double
sl_store_run_score (const SlStoreRun *run, const char *name)
{
  const char *interned = g_intern_string (name);

  for (unsigned i = 0; i < run->n_figures; i++)
    if (run->figure[i].name == interned)
      return run->figure[i].value;
  return NAN;
}

void
sl_store_run_settings (const SlStoreRun *run, SlSettings *settings)
{
  sl_settings_unpack (run->settings, run->lab->params, run->lab->n_params, settings);
}

SlValue
sl_store_run_value (const SlStoreRun *run, unsigned param)
{
  return sl_packed_value (run->settings, run->lab->params, param);
}

gboolean
sl_store_run_is_called (const SlStoreRun *run, const char *word)
{
  g_autofree char *spaced = g_strdelimit (g_strdup (word), "-", ' ');

  return g_str_has_prefix (run->uuid, word) || g_str_equal (run->name, word)
         || g_str_equal (run->name, spaced);
}

/* A figure by its own name, else by that of a channel or score. */
static double
figure (const SlStoreRun *run, const char *name, const char *other)
{
  double value = sl_store_run_score (run, name);

  return isnan (value) && other != NULL ? sl_store_run_score (run, other) : value;
}

/* The lab's error on a split. */
static double
split_error (const SlStoreRun *run, const char *split)
{
  g_autofree char *name = NULL;

  if (run->lab == NULL || run->lab->error == NULL)
    return NAN;
  name = g_strconcat (split, ".", run->lab->error, NULL);
  return sl_store_run_score (run, name);
}

/* The update of a split's scores.  Earlier versions did not write it: of a run that is over they are of its end. */
static double
scored_at (const SlStoreRun *run, const char *scored)
{
  double   at = sl_store_run_score (run, scored);
  gboolean over
    = run->status == SL_RUN_FINISHED || (run->sweep[0] != '\0' && run->status == SL_RUN_DIVERGED);

  return isnan (at) && over ? (double) run->step : at;
}

void
sl_store_run_errors (const SlStoreRun *run, SlStoreErrors *errors)
{
  *errors = (SlStoreErrors) { .test = split_error (run, "test"),
                              .test_at = NAN,
                              .valid = split_error (run, "valid"),
                              .valid_at = NAN };
  if (isnan (errors->test))
    errors->test = sl_store_run_score (run, "outcome.error");
  if (!isnan (errors->test))
    errors->test_at = scored_at (run, "scored.test");
  if (!isnan (errors->valid))
    errors->valid_at = scored_at (run, "scored.valid");
  if (run->lab != NULL && run->lab->valid != NULL
      && (isnan (errors->valid) || run->valid_at > errors->valid_at))
    {
      errors->valid = sl_store_run_score (run, run->lab->valid);
      errors->valid_at = isnan (errors->valid) ? (double) NAN : run->valid_at;
    }
}

void
sl_store_run_outcome (const SlStoreRun *run, SlOutcome *outcome)
{
  SlCosts       costs = run->lab != NULL ? sl_lab_costs (run->lab) : (SlCosts) { 0 };
  SlStoreErrors errors;
  double        batch = sl_store_run_score (run, "outcome.timed-batch");

  sl_outcome_init (outcome);
  sl_store_run_errors (run, &errors);
  outcome->validation = isnan (errors.test) && isfinite (errors.valid);
  outcome->error = outcome->validation ? errors.valid : errors.test;
  outcome->at = outcome->validation ? errors.valid_at : errors.test_at;
  outcome->batch = batch >= 1 && batch <= UINT_MAX ? (unsigned) batch : 0;
  outcome->expected = figure (run, "outcome.expected", costs.expected);
  outcome->executed = figure (run, "outcome.executed", costs.executed);
  outcome->timed = figure (run, "outcome.timed", NULL);
  outcome->timed_spread = figure (run, "outcome.timed-spread", NULL);
  outcome->parameters = figure (run, "test.parameters", "valid.parameters");
}
