/* SPDX-License-Identifier: MIT
 *
 * Labs as JSON; see describe.h.  */
#include "app/cli/show/describe.h"

#include <json-glib/json-glib.h>

static void
add_text (JsonBuilder *json, const char *name, const char *text)
{
  json_builder_set_member_name (json, name);
  if (text != NULL)
    json_builder_add_string_value (json, text);
  else
    json_builder_add_null_value (json);
}

static void
add_number (JsonBuilder *json, const char *name, double value)
{
  json_builder_set_member_name (json, name);
  json_builder_add_double_value (json, value);
}

static void
add_param (JsonBuilder *json, const SlLab *lab, const SlSettings *defaults, unsigned index)
{
  static const char *const kinds[] = {
    [SL_REAL] = "real",    [SL_INTEGER] = "integer", [SL_CHOICE] = "choice",
    [SL_BOOLEAN] = "flag", [SL_LIST] = "list",
  };
  const SlParam *param = &lab->params[index];
  char           value[128];

  json_builder_begin_object (json);
  add_text (json, "id", param->id);
  add_text (json, "title", param->title);
  add_text (json, "unit", param->unit);
  add_text (json, "group", param->group);
  add_text (json, "help", param->help);
  add_text (json, "source", param->source);
  add_text (json, "kind", kinds[param->kind]);
  add_text (json, "default", sl_param_format (param, &defaults->value[index], value, sizeof value));
  if (param->kind != SL_CHOICE && param->kind != SL_BOOLEAN)
    {
      add_number (json, "lo", param->lo);
      add_number (json, "hi", param->hi);
      add_number (json, "step", param->step);
    }
  json_builder_set_member_name (json, "live");
  json_builder_add_boolean_value (json, param->effect == SL_LIVE);
  if (param->kind == SL_CHOICE)
    {
      json_builder_set_member_name (json, "choices");
      json_builder_begin_array (json);
      for (const SlChoice *choice = param->choices; choice->id != NULL; choice++)
        json_builder_add_string_value (json, choice->id);
      json_builder_end_array (json);
    }
  add_text (json, "each", param->each);
  add_text (json, "needs", param->needs);
  json_builder_end_object (json);
}

static void
add_axis (JsonBuilder *json, const char *name, const SlAxis *axis)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_object (json);
  add_text (json, "label", axis->label);
  add_text (json, "unit", axis->unit);
  json_builder_end_object (json);
}

static void
add_panel (JsonBuilder *json, const SlPanel *panel)
{
  static const char *const kinds[] = {
    [SL_SERIES] = "series",   [SL_PROFILE] = "profile", [SL_BARS] = "bars",
    [SL_HEATMAP] = "heatmap", [SL_IMAGE] = "image",     [SL_HISTORY] = "history",
    [SL_SHARES] = "shares",   [SL_GRAPH] = "graph",     [SL_MAP] = "map",
  };

  json_builder_begin_object (json);
  add_text (json, "id", panel->id);
  add_text (json, "title", panel->title);
  add_text (json, "help", panel->help);
  add_text (json, "source", panel->source);
  add_text (json, "kind", kinds[panel->kind]);
  add_axis (json, "x", &panel->x);
  add_axis (json, "y", &panel->y);
  json_builder_set_member_name (json, "traces");
  json_builder_begin_array (json);
  for (unsigned t = 0; t < panel->n_traces; t++)
    {
      const SlTrace *trace = &panel->traces[t];

      json_builder_begin_object (json);
      add_text (json, "id", trace->id);
      add_text (json, "title", trace->title);
      add_text (json, "unit", trace->unit);
      add_text (json, "help", trace->help);
      add_text (json, "style", sl_describe_style (trace->style));
      add_text (json, "each", trace->each);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
add_sweep (JsonBuilder *json, const SlSweepHint *hint)
{
  json_builder_begin_object (json);
  add_text (json, "id", hint->id);
  add_text (json, "title", hint->title);
  add_text (json, "help", hint->help);
  add_text (json, "axes", hint->axes);
  add_text (json, "settings", hint->settings);
  add_text (json, "seeds", hint->seeds);
  json_builder_set_member_name (json, "steps");
  json_builder_add_int_value (json, (gint64) hint->steps);
  json_builder_end_object (json);
}

static void
add_lab (JsonBuilder *json, const SlLab *lab)
{
  SlSettings defaults;

  sl_settings_default (&defaults, lab->params, lab->n_params);
  json_builder_begin_object (json);
  add_text (json, "id", lab->id);
  add_text (json, "title", lab->title);
  add_text (json, "summary", lab->summary);
  add_text (json, "reference", lab->reference);
  json_builder_set_member_name (json, "parameters");
  json_builder_begin_array (json);
  for (unsigned i = 0; i < lab->n_params; i++)
    add_param (json, lab, &defaults, i);
  json_builder_end_array (json);
  json_builder_set_member_name (json, "panels");
  json_builder_begin_array (json);
  for (unsigned p = 0; p < lab->n_panels; p++)
    add_panel (json, &lab->panels[p]);
  json_builder_end_array (json);
  json_builder_set_member_name (json, "sweeps");
  json_builder_begin_array (json);
  for (unsigned i = 0; i < lab->n_sweeps; i++)
    add_sweep (json, &lab->sweeps[i]);
  json_builder_end_array (json);
  json_builder_end_object (json);
}

/* json-glib 1.6 writes 1e-13 as 1e-13.0, which is no number to any reader, itself included. */
static char *
mend_exponents (const char *text)
{
  g_autoptr (GRegex) wrong = g_regex_new ("( : -?[0-9]+e[-+][0-9]+)\\.0(?=,?\\n)", 0, 0, NULL);

  return g_regex_replace (wrong, text, -1, 0, "\\1", 0, NULL);
}

char *
sl_describe_labs_json (const SlLab *const *labs)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_array (json);
  for (; *labs != NULL; labs++)
    add_lab (json, *labs);
  json_builder_end_array (json);
  root = json_builder_get_root (json);
  text = json_to_string (root, TRUE);
  return mend_exponents (text);
}
