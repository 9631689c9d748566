/* SPDX-License-Identifier: MIT
 *
 * See health.h.  */
#include "core/run/record/health.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT = 4096 /* values at the end of a series */ };

/* A loss is judged by medians of so many values, back to so many medians, and by the best mean of so many
 * parts of the run before.  */
enum { MEDIAN_OF = 10, MEDIANS = 16, PARTS = 64 };

/* A loss so many times its first value is bad at once. */
#define AT_ONCE 5.0

/* Values beyond `begins` are bad, up to `ends` good. */
typedef struct
{
  double begins, ends;
} Limits;

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
is_beyond (const SlSeries *series, Limits limits)
{
  double   sign = limits.begins > limits.ends ? 1.0 : -1.0;
  size_t   least = series->n > LOOKED_AT ? series->n - LOOKED_AT : 0;
  unsigned bad = 0, good = 0;

  for (size_t i = series->n; i > least; i--)
    {
      double value = sign * series->value[i - 1];

      if (!isfinite (value))
        continue;
      bad = value > sign * limits.begins ? bad + 1 : 0;
      good = value <= sign * limits.ends ? good + 1 : 0;
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

/* The lowest mean of the parts of a series before its last values; its first value where there are none. */
static double
best_of (const SlSeries *series)
{
  size_t n = series->n > MEDIAN_OF ? series->n - MEDIAN_OF : 0, part = MAX (n / PARTS, MEDIAN_OF);
  double best = first_of (series), mean;

  for (size_t i = 0; i + part <= n; i += part)
    if (sl_series_mean (series, i, i + part, &mean))
      best = fmin (best, mean);
  return best;
}

/* A loss is bad where it is above its first value, or where the run has been far better: a few times above the
 * best, and no mere noise around nothing.  */
static Limits
loss_limits (const SlSeries *series)
{
  double first = first_of (series), best = best_of (series);

  return (Limits) { .begins = fmin (1.15 * first, fmax (3.0 * best, 0.5 * first)),
                    .ends = fmin (first, fmax (2.0 * best, 0.35 * first)) };
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The median of the last finite values before *end, which moves to the first of them; not-a-number where there
 * are too few.  */
static double
median_before (const SlSeries *series, size_t *end)
{
  double   value[MEDIAN_OF];
  unsigned n = 0;

  for (; *end > 0 && n < MEDIAN_OF; --*end)
    if (isfinite (series->value[*end - 1]))
      value[n++] = series->value[*end - 1];
  if (n < MEDIAN_OF)
    return NAN;
  qsort (value, n, sizeof *value, compare);
  return 0.5 * (value[MEDIAN_OF / 2 - 1] + value[MEDIAN_OF / 2]);
}

/* Whether a loss is in trouble at its end.  A learning rate that is hopeless often throws it up and leaves it
 * somewhat above where it began, so that single values say little.  */
static bool
is_bad_loss (const SlSeries *series)
{
  double first = first_of (series);
  Limits limits = loss_limits (series);
  size_t end = series->n;

  if (!(first > 0.0))
    return false;
  if (is_beyond (series, (Limits) { AT_ONCE * first, limits.ends }))
    return true;
  for (unsigned i = 0; i < MEDIANS; i++)
    {
      double median = median_before (series, &end);

      if (!(median > limits.ends))
        return false;
      if (median > limits.begins)
        return true;
    }
  return false;
}

/* From where on values of a channel are trouble, in its own units. */
static Limits
limits_of (const SlHealth *health, const SlRecord *record, const SlSeries *series)
{
  double by = 1.0;
  int    than;

  if (health->loss)
    return loss_limits (series);
  if (health->than != NULL)
    {
      than = sl_layout_find (&record->layout, health->than);
      by = than >= 0 ? last_of (&record->series[than]) : (double) NAN;
    }
  return (Limits) { health->begins * by, health->ends * by };
}

static bool
is_bad (const SlHealth *health, const SlRecord *record, const SlSeries *series)
{
  return health->loss ? is_bad_loss (series)
                      : is_beyond (series, limits_of (health, record, series));
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
          && is_bad (health, record, series))
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

/* The first of the knobs that has an effect under these settings, or 0. */
static unsigned
first_of_knobs (const SlLab *lab, const SlSettings *settings, char **knobs)
{
  for (char **knob = knobs; *knob != NULL; knob++)
    {
      int p = sl_param_find (lab->params, lab->n_params, *knob);

      if (p >= 0 && sl_param_matters (settings, lab->params, lab->n_params, (unsigned) p))
        return (unsigned) p;
    }
  return 0;
}

/* The first value of a parameter; of a list as many numbers as these settings have. */
static SlValue
usual_of (const SlLab *lab, const SlSettings *now, unsigned param)
{
  SlSettings usual, settings = *now;

  sl_settings_default (&usual, lab->params, lab->n_params);
  settings.value[param] = usual.value[param];
  sl_settings_settle (&settings, lab->params, lab->n_params);
  return settings.value[param];
}

bool
sl_health_way_back (const SlHealth *trouble, const SlRecipe *recipe, unsigned *param,
                    SlValue *value)
{
  const SlLab *lab = recipe->lab;
  SlSettings   now = sl_recipe_settings (recipe, G_MAXUINT);
  g_auto (GStrv) knobs = g_strsplit (trouble->knobs, " ", -1);
  int latest = last_of_knobs (recipe, knobs);

  *param = first_of_knobs (lab, &now, knobs);
  if (latest >= 0)
    {
      *param = g_array_index (recipe->changes, SlChange, latest).param;
      *value = sl_recipe_settings (recipe, (unsigned) latest).value[*param];
      if (!sl_value_same (value, &now.value[*param]))
        return true;
    }
  for (char **knob = knobs; *knob != NULL; knob++)
    {
      int     p = sl_param_find (lab->params, lab->n_params, *knob);
      SlValue usual;

      if (p < 0 || !sl_param_matters (&now, lab->params, lab->n_params, (unsigned) p))
        continue;
      usual = usual_of (lab, &now, (unsigned) p);
      if (sl_value_same (&now.value[p], &usual))
        continue;
      *param = (unsigned) p;
      *value = usual;
      return true;
    }
  return false;
}

/* The update of the last value that is not part of the trouble, 0 where all are. */
static double
last_well (const SlSeries *series, Limits limits)
{
  double   sign = limits.begins > limits.ends ? 1.0 : -1.0, step = 0.0;
  unsigned good = 0;

  for (size_t i = series->n; i > 0 && good < SL_HEALTH_VALUES; i--)
    {
      double value = sign * series->value[i - 1];

      if (!isfinite (value))
        continue;
      good = value <= sign * limits.ends ? good + 1 : 0;
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
      uint64_t well = (uint64_t) last_well (series, limits_of (trouble, record, series));

      before = MIN (before, well);
    }
  if (latest >= 0)
    before = MIN (before, g_array_index (recipe->changes, SlChange, latest).step);
  return before != UINT64_MAX ? before : 0;
}
