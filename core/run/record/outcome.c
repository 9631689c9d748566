/* SPDX-License-Identifier: MIT
 *
 * See outcome.h.  */
#include "core/run/record/outcome.h"

#include <math.h>
#include <string.h>

#include "core/base/message.h"

void
sl_outcome_init (SlOutcome *outcome)
{
  *outcome = (SlOutcome) { .error = NAN,
                           .at = NAN,
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
  outcome->batch = (unsigned) times->batch;
}

void
sl_outcome_read (SlOutcome *outcome, const SlRecord *record, const SlScore *scores, unsigned n,
                 double at)
{
  SlCosts        costs = sl_lab_costs (record->lab);
  const SlScore *error = sl_outcome_error (record->lab, scores, n);

  sl_outcome_init (outcome);
  if (error != NULL && !isnan (error->value))
    {
      outcome->error = error->value;
      outcome->at = at;
    }
  for (unsigned i = 0; i < n; i++)
    if (strcmp (scores[i].id, "parameters") == 0)
      outcome->parameters = scores[i].value;
  outcome->expected = last_of (record, costs.expected);
  outcome->executed = last_of (record, costs.executed);
  read_timed (outcome, &record->times);
}

/* ---- bars ---- */

/* The largest value that a channel has had, or 0. */
static double
largest_of (const SlRecord *record, const char *id)
{
  int             channel = id != NULL ? sl_layout_find (&record->layout, id) : -1;
  const SlSeries *series = channel >= 0 ? &record->series[channel] : NULL;
  double          most = 0.0;

  for (size_t i = 0; series != NULL && i < series->n; i++)
    if (isfinite (series->value[i]))
      most = fmax (most, series->value[i]);
  return most;
}

/* What is compared with something has that in the middle.  Other figures fill the bar when they are as large as they have
 * ever been.  */
static SlBar
own_bar (const SlRecord *record, const SlFrontBar *of)
{
  SlBar bar = { .title = of->title, .unit = sl_given (of->unit), .spread = NAN };

  bar.value = last_of (record, of->channel);
  bar.mark = last_of (record, of->mark);
  bar.full = strcmp (bar.unit, "%") == 0 ? 100.0
             : bar.mark > 0.0            ? 2.0 * bar.mark
                                         : largest_of (record, of->channel);
  return bar;
}

/* Once one has a value, those without one never get it: the data lack what they are about. */
static unsigned
own_bars (const SlRecord *record, SlBar bars[SL_FRONT_BARS])
{
  const SlFrontBar *of = record->lab->front->bars;
  unsigned          n = 0, measured = 0;

  for (; n < SL_FRONT_BARS && of[n].title != NULL; n++)
    {
      bars[n] = own_bar (record, &of[n]);
      if (!isnan (bars[n].value))
        bars[measured++] = bars[n];
    }
  return measured > 0 ? measured : n;
}

static SlBar
error_bar (const SlRecord *record)
{
  const SlLab *lab = record->lab;
  SlAxis       axis = sl_lab_error_axis (lab);
  const char  *channel = lab->overview != NULL ? lab->overview->error : lab->valid;
  const char  *dense = lab->overview != NULL ? lab->overview->dense : NULL;
  bool         percent = strcmp (sl_given (axis.unit), "%") == 0;
  SlBar bar = { .title = percent ? SL_MARK ("wrong") : axis.label, .unit = sl_given (axis.unit) };

  bar.spread = NAN;
  bar.value = last_of (record, channel);
  bar.mark = last_of (record, dense);
  bar.full = fmax (largest_of (record, channel), bar.mark);
  return bar;
}

static unsigned
bars_of (const SlRecord *record, SlBar bars[SL_FRONT_BARS])
{
  const SlLab *lab = record->lab;
  SlOutcome    outcome;
  unsigned     n = 0;

  if (lab->front != NULL && lab->front->bars[0].title != NULL)
    return own_bars (record, bars);
  sl_outcome_read (&outcome, record, NULL, 0, NAN);
  bars[n++] = (SlBar) { .title = SL_MARK ("work"),
                        .unit = "%",
                        .value = outcome.executed,
                        .spread = NAN,
                        .mark = NAN,
                        .full = 100.0 };
  if (lab->clock != NULL)
    bars[n++] = (SlBar) { .title = SL_MARK ("time here"),
                          .unit = "%",
                          .value = outcome.timed,
                          .spread = outcome.timed_spread,
                          .mark = 100.0,
                          .full = 200.0,
                          .busy = outcome.busy };
  bars[n++] = error_bar (record);
  return n;
}

unsigned
sl_outcome_bars (const SlRecord *record, SlBar bars[SL_FRONT_BARS])
{
  unsigned n = bars_of (record, bars);

  for (unsigned i = 0; i < n; i++)
    bars[i].never = record->stored;
  return n;
}

const SlScore *
sl_outcome_error (const SlLab *lab, const SlScore *scores, unsigned n)
{
  for (unsigned i = 0; lab->error != NULL && i < n; i++)
    if (strcmp (scores[i].id, lab->error) == 0)
      return &scores[i];
  return NULL;
}
