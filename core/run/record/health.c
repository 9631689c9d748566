/* SPDX-License-Identifier: MIT
 *
 * See health.h.  */
#include "core/run/record/health.h"

#include <math.h>
#include <string.h>

enum { LOOKED_AT = 4096 /* values at the end of a series */ };

static double
first_of (const SlSeries *series)
{
  for (size_t i = 0; i < series->n; i++)
    if (isfinite (series->value[i]))
      return series->value[i];
  return NAN;
}

static double
last_of (const SlSeries *series)
{
  for (size_t i = series->n; i > 0; i--)
    if (isfinite (series->value[i - 1]))
      return series->value[i - 1];
  return NAN;
}

/* Whether the series is in trouble at its end: from the end back, the first SL_HEALTH_VALUES values
 * in a row that are all bad or all good decide.  */
static bool
is_bad (const SlHealth *health, const SlSeries *series, double by)
{
  double   sign = health->begins > health->ends ? 1.0 : -1.0;
  size_t   least = series->n > LOOKED_AT ? series->n - LOOKED_AT : 0;
  unsigned bad = 0, good = 0;

  for (size_t i = series->n; i > least; i--)
    {
      double value = sign * (series->value[i - 1] / by);

      if (!isfinite (value))
        continue;
      bad = value > sign * health->begins ? bad + 1 : 0;
      good = value <= sign * health->ends ? good + 1 : 0;
      if (bad >= SL_HEALTH_VALUES)
        return true;
      if (good >= SL_HEALTH_VALUES)
        return false;
    }
  return false;
}

/* An id with or without the number of an instance. */
static bool
is_instance (const char *id, const char *of)
{
  size_t n = strlen (of);

  return strncmp (id, of, n) == 0
         && (id[n] == '\0'
             || (id[n] == '.' && strspn (id + n + 1, "0123456789") == strlen (id + n + 1)));
}

/* What the values of a series are divided by. */
static double
divisor (const SlHealth *health, const SlRecord *record, const SlSeries *series)
{
  int than;

  if (health->first)
    return first_of (series);
  if (health->than == NULL)
    return 1.0;
  than = sl_layout_find (&record->layout, health->than);
  return than >= 0 ? last_of (&record->series[than]) : (double) NAN;
}

/* The next channel from *c on that is in this trouble, or NULL; *c is then behind it. */
static const SlSeries *
next_bad (const SlHealth *health, const SlRecord *record, unsigned *c)
{
  while (*c < record->layout.n)
    {
      const SlChannel *channel = &record->layout.channel[*c];
      const SlSeries  *series = &record->series[(*c)++];

      if (channel->series && is_instance (channel->id, health->channel)
          && is_bad (health, series, divisor (health, record, series)))
        return series;
    }
  return NULL;
}

const SlHealth *
sl_health_of (const SlRecord *record)
{
  if (record->lab == NULL || record->lab->health == NULL)
    return NULL;
  for (const SlHealth *health = record->lab->health; health->id != NULL; health++)
    if (next_bad (health, record, &(unsigned) { 0 }) != NULL)
      return health;
  return NULL;
}

/* ---- the way back ---- */

/* The last change of a parameter: its number in the recipe, or -1. */
static int
last_change (const SlRecipe *recipe, unsigned param)
{
  for (int i = recipe->changes != NULL ? (int) recipe->changes->len - 1 : -1; i >= 0; i--)
    if (g_array_index (recipe->changes, SlChange, i).param == param)
      return i;
  return -1;
}

/* The last change of one of the knobs: its number in the recipe, or -1. */
static int
last_of_knobs (const SlRecipe *recipe, char **knobs)
{
  const SlLab *lab = recipe->lab;
  int          latest = -1;

  for (char **knob = knobs; *knob != NULL; knob++)
    {
      int p = sl_param_find (lab->params, lab->n_params, *knob);
      int change = p >= 0 ? last_change (recipe, (unsigned) p) : -1;

      latest = MAX (latest, change);
    }
  return latest;
}

bool
sl_health_way_back (const SlHealth *trouble, const SlRecipe *recipe, unsigned *param,
                    SlValue *value)
{
  const SlLab *lab = recipe->lab;
  SlSettings   now = sl_recipe_settings (recipe, G_MAXUINT), usual;
  g_auto (GStrv) knobs = g_strsplit (trouble->knobs, " ", -1);
  int latest = last_of_knobs (recipe, knobs);

  *param = (unsigned) MAX (sl_param_find (lab->params, lab->n_params, knobs[0]), 0);
  if (latest >= 0)
    {
      *param = g_array_index (recipe->changes, SlChange, latest).param;
      *value = sl_recipe_settings (recipe, (unsigned) latest).value[*param];
      if (!sl_value_same (value, &now.value[*param]))
        return true;
    }
  sl_settings_default (&usual, lab->params, lab->n_params);
  sl_settings_settle (&usual, lab->params, lab->n_params);
  for (char **knob = knobs; *knob != NULL; knob++)
    {
      int p = sl_param_find (lab->params, lab->n_params, *knob);

      if (p < 0 || sl_value_same (&now.value[p], &usual.value[p]))
        continue;
      *param = (unsigned) p;
      *value = usual.value[p];
      return true;
    }
  return false;
}

/* The update of the last value that is not part of the trouble, 0 where all are. */
static double
last_well (const SlHealth *health, const SlSeries *series, double by)
{
  double   sign = health->begins > health->ends ? 1.0 : -1.0, step = 0.0;
  unsigned good = 0;

  for (size_t i = series->n; i > 0 && good < SL_HEALTH_VALUES; i--)
    {
      double value = sign * (series->value[i - 1] / by);

      if (!isfinite (value))
        continue;
      good = value <= sign * health->ends ? good + 1 : 0;
      if (good == 1)
        step = series->step[i - 1];
    }
  return good > 0 ? step : 0.0;
}

uint64_t
sl_health_before (const SlRecord *record, const SlHealth *trouble, const SlRecipe *recipe)
{
  g_auto (GStrv) knobs = g_strsplit (trouble->knobs, " ", -1);
  int             latest = last_of_knobs (recipe, knobs);
  uint64_t        before = UINT64_MAX;
  const SlSeries *series;

  for (unsigned c = 0; (series = next_bad (trouble, record, &c)) != NULL;)
    {
      uint64_t well = (uint64_t) last_well (trouble, series, divisor (trouble, record, series));

      before = MIN (before, well);
    }
  if (latest >= 0)
    before = MIN (before, g_array_index (recipe->changes, SlChange, latest).step);
  return before != UINT64_MAX ? before : 0;
}
