/* SPDX-License-Identifier: MIT
 *
 * See outcome.h.  */
#include "core/run/record/outcome.h"

#include <math.h>
#include <string.h>

void
sl_outcome_init (SlOutcome *outcome)
{
  *outcome = (SlOutcome) { .error = NAN,
                           .expected = NAN,
                           .executed = NAN,
                           .timed = NAN,
                           .timed_spread = NAN,
                           .parameters = NAN };
}

/* The last finite value of a channel. */
static double
last_of (const SlRecord *record, const char *id)
{
  int             channel = id != NULL ? sl_layout_find (&record->layout, id) : -1;
  const SlSeries *series = channel >= 0 ? &record->series[channel] : NULL;

  for (size_t i = series != NULL ? series->n : 0; i > 0; i--)
    if (isfinite (series->value[i - 1]))
      return series->value[i - 1];
  return NAN;
}

static void
read_timed (SlOutcome *outcome, const SlTimes *times)
{
  if (times->batch == 0)
    return;
  outcome->busy = isnan (times->share[1].value);
  outcome->timed = 100.0 * times->share[1].value;
  outcome->timed_spread = 100.0 * times->share[1].spread;
}

void
sl_outcome_read (SlOutcome *outcome, const SlRecord *record, const SlScore *scores, unsigned n)
{
  SlCosts        costs = sl_lab_costs (record->lab);
  const SlScore *error = sl_outcome_error (record->lab, scores, n);

  sl_outcome_init (outcome);
  if (error != NULL)
    outcome->error = error->value;
  for (unsigned i = 0; i < n; i++)
    if (strcmp (scores[i].id, "parameters") == 0)
      outcome->parameters = scores[i].value;
  outcome->expected = last_of (record, costs.expected);
  outcome->executed = last_of (record, costs.executed);
  read_timed (outcome, &record->times);
}

const SlScore *
sl_outcome_error (const SlLab *lab, const SlScore *scores, unsigned n)
{
  for (unsigned i = 0; lab->error != NULL && i < n; i++)
    if (strcmp (scores[i].id, lab->error) == 0)
      return &scores[i];
  return NULL;
}
