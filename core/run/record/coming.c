/* SPDX-License-Identifier: MIT
 *
 * When a panel will have values; see coming.h.  */
#include "core/run/record/coming.h"

#include <math.h>

/* Evaluations that a panel may miss, as one of changes from one to the next does. */
enum { MISSED_MOST = 3 };

static double
number_of (const SlRecord *record, const SlSettings *settings, const char *id)
{
  int p = sl_param_find (record->lab->params, record->lab->n_params, id);

  return p >= 0 ? settings->value[p].v[0] : 0.0;
}

void
sl_record_schedule (SlRecord *record, const SlSettings *settings)
{
  record->report_every = number_of (record, settings, "report-every");
  record->evaluate_every = number_of (record, settings, "evaluate-every");
}

double
sl_record_step (const SlRecord *record)
{
  double step = 0.0;

  for (unsigned c = 0; c < record->layout.n; c++)
    if (record->series[c].n > 0)
      step = fmax (step, record->series[c].step[record->series[c].n - 1]);
  return step;
}

/* How often a panel that had no value by now is measured: with the reports or, where these have passed it
 * by, with the evaluations.  0: not known.  */
static double
interval (const SlRecord *record, double step)
{
  if (record->evaluate_every > 0.0 && step >= record->report_every)
    return record->evaluate_every;
  return record->report_every;
}

double
sl_record_next (const SlRecord *record, unsigned panel)
{
  double step = sl_record_step (record), every = interval (record, step);

  if (!sl_panel_is_series (record->lab->panels[panel].kind) || step == 0.0 || !(every > 0.0))
    return 0.0;
  if (step >= MISSED_MOST * every)
    return NAN;
  return (floor (step / every) + 1.0) * every;
}

SlMessage
sl_record_coming (const SlRecord *record, unsigned panel)
{
  const SlPanel *what = &record->lab->panels[panel];
  double         step = sl_record_step (record), next = sl_record_next (record, panel);

  if (isnan (next))
    return sl_message ("These settings give no values here.");
  if (record->stored)
    return sl_message ("Not stored with this run. Train it again to see it.");
  if (next > 0.0)
    return sl_message ("Measured every %.0f updates; next at %.0f.", interval (record, step), next);
  if (!sl_panel_is_series (what->kind) && what->probe_seconds >= 1.0)
    return sl_message ("First values after about %.0f s of training.", what->probe_seconds);
  if (record->lab->each_step != NULL)
    return sl_message ("First values after a moment of replay.");
  return step > 0.0 ? sl_message ("First values after a moment of training.")
                    : sl_message ("First values after the first update.");
}
