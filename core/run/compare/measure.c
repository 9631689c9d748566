/* SPDX-License-Identifier: MIT */
#include "core/run/compare/measure.h"

#include <math.h>
#include <string.h>

/* ---- one ---- */

static const SlStoreRun *
run_at (const GPtrArray *runs, guint i)
{
  return g_ptr_array_index (runs, i);
}

static gboolean
has_any (const SlMeasure *measure, const GPtrArray *runs)
{
  for (guint i = 0; i < runs->len; i++)
    if (isfinite (sl_measure_of (measure, run_at (runs, i))))
      return TRUE;
  return FALSE;
}

static void
layout_of (const SlStoreRun *run, SlLayout *layout)
{
  SlSettings settings;

  sl_store_run_settings (run, &settings);
  sl_layout_init (layout, run->lab, &settings);
}

/* The scores of a split: what follows the prefix of its name, or NULL. */
static const char *
score_of (const char *id, const char **split)
{
  static const char *const splits[][2]
    = { { "test.", SL_MARK ("test") }, { "valid.", SL_MARK ("validation") } };

  for (size_t i = 0; i < G_N_ELEMENTS (splits); i++)
    if (g_str_has_prefix (id, splits[i][0]))
      {
        *split = splits[i][1];
        return id + strlen (splits[i][0]);
      }
  return NULL;
}

/* What the lab calls a score, or NULL. */
static const SlScore *
find_score (const SlLab *lab, const char *id)
{
  for (const SlScore *score = lab->scores; score != NULL && score->id != NULL; score++)
    if (strcmp (score->id, id) == 0)
      return score;
  return NULL;
}

/* A score is called as its lab calls it, "CV of importance, test", else as the panel of its id. */
static void
name_score (SlMeasure *measure, const SlLab *lab, const char *id, const char *split)
{
  int            panel = sl_lab_panel (lab, id);
  const SlScore *score = find_score (lab, id);
  SlMessage      name = score != NULL ? sl_message_word (score->title)
                        : panel >= 0  ? sl_message_word (lab->panels[panel].title)
                                      : sl_message_verbatim (id);

  sl_message_print (measure->label, sizeof measure->label, "%s, %s", name.packed,
                    sl_message_word (split).packed);
  measure->unit = score != NULL ? sl_given (score->unit)
                  : panel >= 0  ? sl_given (sl_panel_axes (lab, &lab->panels[panel]).y.unit)
                                : "";
}

static void
name_channel (SlMeasure *measure, const SlLab *lab, const SlLayout *layout, int at)
{
  const SlChannel *channel = &layout->channel[at];
  const SlPanel   *panel = &lab->panels[channel->panel];
  const SlTrace   *trace = &panel->traces[channel->trace];

  sl_message_print (measure->label, sizeof measure->label, "%s: %s",
                    sl_message_word (panel->title).packed, sl_channel_title (lab, channel).packed);
  measure->unit = trace->unit != NULL ? trace->unit : sl_given (sl_panel_axes (lab, panel).y.unit);
}

static void
name_field (SlMeasure *measure, const SlLab *lab, const SlStoreRun *run)
{
  const SlParam       *param = sl_field_param (&measure->field);
  const char          *split = "", *score = score_of (measure->id, &split);
  g_autofree SlLayout *layout = g_new (SlLayout, 1);
  int                  channel;

  measure->unit = "";
  layout_of (run, layout);
  channel = sl_layout_find (layout, measure->id);
  if (param != NULL)
    {
      g_strlcpy (measure->label, sl_message_word (param->title).packed, sizeof measure->label);
      measure->unit = sl_given (param->unit);
    }
  else if (strcmp (measure->id, "step") == 0)
    g_strlcpy (measure->label, sl_message_word (SL_MARK ("Updates")).packed, sizeof measure->label);
  else if (strcmp (measure->id, "seconds") == 0)
    g_strlcpy (measure->label, sl_message_word (SL_MARK ("Seconds")).packed, sizeof measure->label);
  else if (score != NULL)
    name_score (measure, lab, score, split);
  else if (channel >= 0)
    name_channel (measure, lab, layout, channel);
  else
    g_strlcpy (measure->label, sl_message_verbatim (measure->id).packed, sizeof measure->label);
}

static void
name_axis (SlMeasure *measure, SlAxis axis)
{
  g_strlcpy (measure->label, sl_message_word (axis.label).packed, sizeof measure->label);
  measure->unit = sl_given (axis.unit);
}

gboolean
sl_measure_find (SlMeasure *measure, const char *id, const SlLab *lab, const GPtrArray *runs)
{
  int cost = sl_cost_find (id);

  *measure = (SlMeasure) { .id = g_intern_string (id), .unit = "" };
  if (runs->len == 0)
    return FALSE;
  if (cost >= 0)
    {
      measure->kind = SL_MEASURE_COST;
      measure->cost = (SlCost) cost;
      name_axis (measure, sl_cost_axis (lab, measure->cost));
    }
  else if (strcmp (id, "error") == 0)
    {
      measure->kind = SL_MEASURE_ERROR;
      name_axis (measure, sl_lab_error_axis (lab));
    }
  else
    {
      measure->kind = SL_MEASURE_FIELD;
      if (!sl_field_find (id, runs, &measure->field))
        return FALSE;
      name_field (measure, lab, run_at (runs, 0));
    }
  return has_any (measure, runs);
}

/* A list counts whose elements are all the same; a choice is no number. */
static double
param_of (const SlMeasure *measure, const SlStoreRun *run)
{
  int     param = sl_param_find (run->lab->params, run->lab->n_params, measure->field.id);
  SlValue value;

  if (param < 0 || run->lab->params[param].kind == SL_CHOICE)
    return (double) NAN;
  value = sl_store_run_value (run, (unsigned) param);
  for (unsigned i = 1; i < value.n; i++)
    if (value.v[i] != value.v[0])
      return (double) NAN;
  return value.v[0];
}

double
sl_measure_of (const SlMeasure *measure, const SlStoreRun *run)
{
  SlOutcome    outcome;
  SlFieldValue value;

  if (measure->kind == SL_MEASURE_FIELD && sl_field_param (&measure->field) != NULL)
    return param_of (measure, run);
  if (measure->kind == SL_MEASURE_FIELD)
    {
      sl_field_read (&measure->field, run, &value);
      return value.kind == SL_FIELD_NUMBER ? value.number : (double) NAN;
    }
  sl_store_run_outcome (run, &outcome);
  return measure->kind == SL_MEASURE_COST ? sl_cost_of (&outcome, measure->cost) : outcome.error;
}

/* ---- all ---- */

static void
offer (GPtrArray *names, const SlLab *lab, const GPtrArray *runs, const char *name)
{
  SlMeasure measure;

  if (sl_measure_find (&measure, name, lab, runs))
    g_ptr_array_add (names, (gpointer) measure.id);
}

/* The names of all figures that some run has, once each; of costs and errors there are better names. */
static GPtrArray *
figures_of (const GPtrArray *runs)
{
  enum { MOST = 1000 };                                        /* more than any lab has */
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* names are interned */
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < runs->len; i++)
    for (unsigned f = 0; f < run_at (runs, i)->n_figures && names->len < MOST; f++)
      {
        const char *name = run_at (runs, i)->figure[f].name;

        if (g_hash_table_add (seen, (gpointer) name) && !g_str_has_prefix (name, "outcome.")
            && !g_str_has_prefix (name, "scored."))
          g_ptr_array_add (names, (gpointer) name);
      }
  return names;
}

/* Channels that a run has measured; of others, as what chance alone gives, there is nothing to compare. */
static gboolean
is_measured (const SlLab *lab, const SlLayout *layout, const char *name)
{
  int              at = sl_layout_find (layout, name);
  const SlChannel *channel = at >= 0 ? &layout->channel[at] : NULL;

  return channel == NULL || lab->panels[channel->panel].traces[channel->trace].style == SL_MEASURED;
}

GPtrArray *
sl_measures (const SlLab *lab, const GPtrArray *runs, const unsigned *varies, unsigned n_varies)
{
  static const char *const facts[] = { "seconds", "step" };
  g_autoptr (GPtrArray) figures = figures_of (runs);
  g_autofree SlLayout *layout = g_new (SlLayout, 1);
  GPtrArray           *names = g_ptr_array_new ();
  const char          *split;

  if (runs->len == 0)
    return names;
  layout_of (run_at (runs, 0), layout);
  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    offer (names, lab, runs, sl_cost_id (cost));
  offer (names, lab, runs, "error");
  for (int scores = 1; scores >= 0; scores--)
    for (guint i = 0; i < figures->len; i++)
      {
        const char *name = g_ptr_array_index (figures, i);

        if ((score_of (name, &split) != NULL) == scores && is_measured (lab, layout, name))
          offer (names, lab, runs, name);
      }
  for (unsigned i = 0; i < n_varies; i++)
    offer (names, lab, runs, lab->params[varies[i]].id);
  for (size_t i = 0; i < G_N_ELEMENTS (facts); i++)
    offer (names, lab, runs, facts[i]);
  return names;
}
