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

/* One bar of the last probe, with its spread; false where there is none. */
static bool
find_bar (const SlRecord *record, const SlClock *clock, double *value, double *spread)
{
  int               channel = sl_layout_find (&record->layout, clock->channel);
  const SlSnapshot *snapshot;

  if (channel < 0 || !record->has_snapshot[record->layout.channel[channel].panel])
    return false;
  snapshot = &record->snapshot[record->layout.channel[channel].panel];
  for (unsigned c = 0; c < snapshot->n_curves; c++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[c];
      const double          *y = snapshot->data + curve->offset + curve->n;

      if (curve->channel != (uint32_t) channel || clock->bar >= curve->n)
        continue;
      *value = y[clock->bar];
      *spread = curve->has_spread ? y[curve->n + clock->bar] : (double) NAN;
      return true;
    }
  return false;
}

static void
read_timed (SlOutcome *outcome, const SlRecord *record)
{
  const SlClock *clock = record->lab->clock;
  double         value, spread;

  if (clock == NULL || !find_bar (record, clock, &value, &spread))
    return;
  outcome->busy = isnan (value);
  outcome->timed = clock->speed_up ? 100.0 / value : 100.0 * value;
  outcome->timed_spread = outcome->timed * (spread / value);
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
  read_timed (outcome, record);
}

int
sl_outcome_panel (const SlLab *lab, const SlSettings *settings)
{
  SlLayout layout;
  int      channel, panel;

  if (lab->clock == NULL || lab->probes == NULL)
    return -1;
  sl_layout_init (&layout, lab, settings);
  channel = sl_layout_find (&layout, lab->clock->channel);
  panel = channel >= 0 ? layout.channel[channel].panel : -1;
  return panel >= 0
             && sl_needs_hold (settings, lab->params, lab->n_params, lab->panels[panel].needs)
           ? panel
           : -1;
}

const SlScore *
sl_outcome_error (const SlLab *lab, const SlScore *scores, unsigned n)
{
  for (unsigned i = 0; lab->error != NULL && i < n; i++)
    if (strcmp (scores[i].id, lab->error) == 0)
      return &scores[i];
  return NULL;
}
