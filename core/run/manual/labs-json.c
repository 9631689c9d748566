/* SPDX-License-Identifier: MIT
 *
 * Labs as JSON; see labs-json.h.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/json.h"
#include "core/run/manual/labs-json.h"

const char *
sl_style_words (SlStyle style)
{
  static const char *const titles[] = {
    [SL_MEASURED] = N_ ("measured"),   [SL_TARGET] = N_ ("target"),
    [SL_THEORY] = N_ ("theory"),       [SL_REFERENCE] = N_ ("reference"),
    [SL_PUBLISHED] = N_ ("published"),
  };

  return titles[style];
}

/* With all digits, and a point in whole numbers too. */
static void
add_number (SlJsonWriter *w, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE + 2];

  g_ascii_dtostr (text, G_ASCII_DTOSTR_BUF_SIZE, value);
  if (strpbrk (text, ".e") == NULL)
    strcat (text, ".0");
  sl_json_add_json (w, name, text);
}

static void
open_array (SlJsonWriter *w, const char *name, unsigned n)
{
  sl_json_open (w, name, '[', n > 0 ? SL_JSON_LINES : SL_JSON_TIGHT);
}

static void
add_param (SlJsonWriter *w, const SlLab *lab, const SlSettings *defaults, unsigned index)
{
  static const char *const kinds[] = {
    [SL_REAL] = "real",    [SL_INTEGER] = "integer", [SL_CHOICE] = "choice",
    [SL_BOOLEAN] = "flag", [SL_LIST] = "list",
  };
  const SlParam *param = &lab->params[index];
  char           value[128];

  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", param->id);
  sl_json_add_text (w, "title", param->title);
  sl_json_add_text (w, "unit", sl_given (param->unit));
  sl_json_add_text (w, "group", param->group);
  sl_json_add_text (w, "help", param->help);
  sl_json_add_text (w, "source", sl_given (param->source));
  sl_json_add_text (w, "kind", kinds[param->kind]);
  sl_json_add_text (w, "default",
                    sl_param_format (param, &defaults->value[index], value, sizeof value));
  if (param->kind != SL_CHOICE && param->kind != SL_BOOLEAN)
    {
      add_number (w, "lo", param->lo);
      add_number (w, "hi", param->hi);
      add_number (w, "step", param->step);
    }
  sl_json_add_truth (w, "live", param->effect == SL_LIVE);
  if (param->kind == SL_CHOICE)
    {
      open_array (w, "choices", 1);
      for (unsigned i = 0; i < sl_param_offers (param); i++)
        sl_json_add_text (w, NULL, param->choices[i].id);
      sl_json_close (w);
    }
  sl_json_add_text (w, "each", param->each);
  sl_json_add_text (w, "needs", param->needs);
  sl_json_close (w);
}

static void
add_axis (SlJsonWriter *w, const char *name, const SlAxis *axis)
{
  sl_json_open (w, name, '{', SL_JSON_LINES);
  sl_json_add_text (w, "label", axis->label);
  sl_json_add_text (w, "unit", axis->unit);
  sl_json_close (w);
}

static void
add_trace (SlJsonWriter *w, const SlTrace *trace)
{
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", trace->id);
  sl_json_add_text (w, "title", trace->title);
  sl_json_add_text (w, "unit", trace->unit);
  sl_json_add_text (w, "help", trace->help);
  sl_json_add_text (w, "style", sl_style_words (trace->style));
  sl_json_add_text (w, "each", trace->each);
  sl_json_close (w);
}

static void
add_panel (SlJsonWriter *w, const SlLab *lab, const SlPanel *panel)
{
  static const char *const kinds[] = {
    [SL_SERIES] = "series",   [SL_PROFILE] = "profile", [SL_BARS] = "bars",
    [SL_HEATMAP] = "heatmap", [SL_IMAGE] = "image",     [SL_HISTORY] = "history",
    [SL_SHARES] = "shares",   [SL_MAP] = "map",         [SL_ALIVE] = "alive",
  };
  unsigned n_traces = sl_panel_n_traces (panel);
  SlAxes   axes = sl_panel_axes (lab, panel);

  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", panel->id);
  sl_json_add_text (w, "title", panel->title);
  sl_json_add_text (w, "group", sl_lab_group_title (lab, panel->group));
  sl_json_add_text (w, "help", panel->help);
  sl_json_add_text (w, "source", sl_given (panel->source));
  sl_json_add_text (w, "kind", kinds[panel->kind]);
  add_axis (w, "x", &axes.x);
  add_axis (w, "y", &axes.y);
  open_array (w, "traces", n_traces);
  for (unsigned t = 0; t < n_traces; t++)
    add_trace (w, &panel->traces[t]);
  sl_json_close (w);
  sl_json_close (w);
}

static void
add_sweep (SlJsonWriter *w, const SlSweepHint *hint)
{
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", hint->id);
  sl_json_add_text (w, "title", hint->title);
  sl_json_add_text (w, "help", hint->help);
  sl_json_add_text (w, "axes", hint->axes);
  sl_json_add_text (w, "settings", hint->settings);
  sl_json_add_text (w, "seeds", hint->seeds);
  sl_json_add_whole (w, "steps", hint->steps);
  sl_json_close (w);
}

static void
add_preset (SlJsonWriter *w, const SlPreset *preset)
{
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", preset->id);
  sl_json_add_text (w, "title", preset->title);
  sl_json_add_text (w, "help", preset->help);
  sl_json_add_text (w, "settings", preset->settings);
  if (preset->panels != NULL)
    sl_json_add_text (w, "panels", preset->panels);
  sl_json_close (w);
}

static void
add_lab (SlJsonWriter *w, const SlLab *lab)
{
  SlSettings defaults;

  sl_settings_default (&defaults, lab->params, lab->n_params);
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", lab->id);
  sl_json_add_text (w, "title", lab->title);
  sl_json_add_text (w, "summary", lab->summary);
  sl_json_add_text (w, "reference", lab->reference);
  open_array (w, "presets", sl_lab_n_presets (lab));
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    add_preset (w, &lab->presets[i]);
  sl_json_close (w);
  open_array (w, "parameters", sl_lab_n_settings (lab));
  for (unsigned i = 0; i < sl_lab_n_settings (lab); i++)
    add_param (w, lab, &defaults, i);
  sl_json_close (w);
  open_array (w, "view", lab->n_params - sl_lab_n_settings (lab));
  for (unsigned i = sl_lab_n_settings (lab); i < lab->n_params; i++)
    add_param (w, lab, &defaults, i);
  sl_json_close (w);
  open_array (w, "panels", lab->n_panels);
  for (unsigned p = 0; p < lab->n_panels; p++)
    add_panel (w, lab, &lab->panels[p]);
  sl_json_close (w);
  open_array (w, "sweeps", sl_lab_n_sweeps (lab));
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    add_sweep (w, &lab->sweeps[i]);
  sl_json_close (w);
  sl_json_close (w);
}

char *
sl_labs_json (const SlLab *const *labs)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  w.colon = " : ";
  open_array (&w, NULL, 1);
  for (; *labs != NULL; labs++)
    add_lab (&w, *labs);
  return sl_json_writer_end (&w, FALSE);
}
