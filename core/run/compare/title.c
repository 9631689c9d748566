/* SPDX-License-Identifier: MIT
 *
 * What groups, runs and axes of a comparison are called.  */
#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/compare/trade.h"

/* With the name of the run's data, where there are several. */
static char *
with_data (const SlTrade *trade, const SlStoreRun *run, const char *text)
{
  if (sl_data_sets_count (&trade->data) < 2)
    return g_strdup (text);
  return g_strdup_printf ("%s%s%s", text, *text != '\0' ? ", " : "",
                          sl_data_sets_title (&trade->data, run));
}

static char *
group_title (const SlTrade *trade, const SlStoreRun *run)
{
  SlFieldValue value;
  char         text[SL_FIELD_TEXT_SIZE];

  sl_field_read (&trade->field, run, &value);
  if (value.kind == SL_FIELD_NOTHING)
    /* Translators: what runs are called that have no setting, tag or score of this name: "no k". */
    return g_strdup_printf (_ ("no %s"), trade->field.id);
  return g_strdup_printf ("%s = %s", trade->field.id, sl_field_text (&value, text));
}

/* The values of what varies, which may be none. */
static char *
setting_text (const SlTrade *trade, const SlStoreRun *run, bool named)
{
  g_autofree char *text
    = sl_tradeoff_text (trade->lab, run->settings, trade->varies, trade->n_varies, named);

  return with_data (trade, run, text);
}

char *
sl_trade_setting (const SlTrade *trade, guint at, bool named)
{
  const SlStoreRun *run = sl_trade_run (trade, at)->run;
  char             *title = setting_text (trade, run, named);

  if (*title != '\0')
    return title;
  g_free (title);
  return g_strdup (run->name);
}

char *
sl_trade_title (const SlTrade *trade, guint point, bool named)
{
  guint first = sl_trade_point (trade, point)->first;

  return trade->grouped ? group_title (trade, sl_trade_run (trade, first)->run)
                        : sl_trade_setting (trade, first, named);
}

/* Whether other runs have the setting of a run, and one of them its seed. */
static bool
is_one_of_several (const SlTrade *trade, const SlTradeRun *run, bool *same_seed)
{
  bool several = false;

  *same_seed = false;
  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlTradeRun *other = sl_trade_run (trade, i);

      if (other == run || other->setting != run->setting)
        continue;
      several = true;
      *same_seed = *same_seed || other->run->seed == run->run->seed;
    }
  return several;
}

char *
sl_trade_run_title (const SlTrade *trade, guint at, bool named)
{
  const SlTradeRun *run = sl_trade_run (trade, at);
  g_autofree char  *setting = setting_text (trade, run->run, named);
  bool              same_seed, several = is_one_of_several (trade, run, &same_seed);

  if (*setting == '\0')
    return g_strdup (run->run->name);
  if (same_seed)
    return g_strdup_printf ("%s, %s", setting, run->run->name);
  if (several)
    return g_strdup_printf ("%s, seed %" PRIu64, setting, run->run->seed);
  return g_steal_pointer (&setting);
}

/* ---- axes ---- */

/* The batch that all times are for, 0 where there are several or it is not known. */
static unsigned
find_batch (const SlTrade *trade)
{
  unsigned batch = 0;

  for (guint i = 0; i < trade->runs->len; i++)
    {
      SlOutcome outcome;

      if (sl_trade_run (trade, i)->part != SL_TRADE_IN)
        continue;
      sl_store_run_outcome (sl_trade_run (trade, i)->run, &outcome);
      if (outcome.batch == 0 || (batch != 0 && batch != outcome.batch))
        return 0;
      batch = outcome.batch;
    }
  return batch;
}

/* "test error", "validation perplexity", whatever the lab calls its error. */
static SlAxis
split_axis (const SlTrade *trade, const char *packed, const char *unit)
{
  SlMessage label = trade->split == SL_TRADE_TEST ? sl_message ("test %s", packed)
                                                  : sl_message ("validation %s", packed);

  return (SlAxis) { .label = g_intern_string (label.packed), .unit = unit };
}

SlAxis
sl_trade_axis (const SlTrade *trade, const SlMeasure *measure)
{
  char     label[SL_MEASURE_LABEL];
  SlAxis   axis = { .label = g_intern_string (measure->label), .unit = measure->unit };
  unsigned batch = 0;

  if (measure->kind == SL_MEASURE_COST && measure->cost == SL_COST_TIMED)
    batch = find_batch (trade);
  if (measure->kind == SL_MEASURE_ERROR)
    return split_axis (trade, measure->label, measure->unit);
  if (batch == 0)
    return axis;
  sl_message_print (label, sizeof label, "%s (batch %u)", measure->label, batch);
  axis.label = g_intern_string (label);
  return axis;
}

SlAxis
sl_trade_x (const SlTrade *trade)
{
  return sl_trade_axis (trade, &trade->x);
}

SlAxis
sl_trade_y (const SlTrade *trade)
{
  return sl_trade_axis (trade, &trade->y);
}
