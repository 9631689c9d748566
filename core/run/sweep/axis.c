/* SPDX-License-Identifier: MIT
 *
 * What an axis of a sweep is about: a parameter, or the presets of the lab; see sweep.h.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/sweep/private.h"

static const char presets_id[] = "preset";

const char *
sl_sweep_axis_id (const SlLab *lab, unsigned param)
{
  return param < sl_lab_n_settings (lab) ? lab->params[param].id : presets_id;
}

const char *
sl_sweep_axis_title (const SlLab *lab, unsigned param)
{
  return param < sl_lab_n_settings (lab) ? lab->params[param].title : N_ ("Preset");
}

int
sl_sweep_axis_find (const SlLab *lab, const char *id)
{
  if (strcmp (id, presets_id) == 0 && sl_lab_n_named (lab) > 0)
    return (int) sl_lab_n_settings (lab);
  return sl_param_find (lab->params, sl_lab_n_settings (lab), id);
}

SlParam
sl_sweep_axis_param (const SlLab *lab, unsigned param, SlChoice **choices)
{
  unsigned n = sl_lab_n_named (lab);

  *choices = NULL;
  if (param < sl_lab_n_settings (lab))
    return lab->params[param];
  *choices = g_new0 (SlChoice, n + 1);
  for (unsigned i = 0; i < n; i++)
    (*choices)[i] = (SlChoice) { sl_lab_named (lab, i)->id, sl_lab_named (lab, i)->title };
  return (SlParam) { .id = presets_id, .kind = SL_CHOICE, .choices = *choices };
}

/* What presets of an axis change begins as by default, so that one leaves nothing to the next. */
static void
clear_for_presets (const SlLab *lab, const SlSweepAxis *axis, SlSettings *settings)
{
  SlSettings usual, preset;

  sl_settings_default (&usual, lab->params, lab->n_params);
  for (unsigned i = 0; i < axis->n; i++)
    {
      sl_preset_settings (lab, sl_lab_named (lab, (unsigned) axis->value[i].v[0]), &preset);
      for (unsigned p = 0; p < lab->n_params; p++)
        if (!sl_value_same (&preset.value[p], &usual.value[p]))
          settings->value[p] = usual.value[p];
    }
}

SlSettings
sl_sweep_settings (const SlSweep *sweep, const unsigned *at)
{
  const SlValue *value[SL_SWEEP_AXES_MAX];

  for (unsigned a = 0; a < sweep->n_axes; a++)
    value[a] = &sweep->axis[a].value[at[a]];
  return sl_sweep_settings_of (sweep, value);
}

SlSettings
sl_sweep_settings_of (const SlSweep *sweep, const SlValue *const *value)
{
  const SlLab *lab = sweep->lab;
  SlSettings   settings = sweep->settings;

  /* Presets first: what else varies is on top of them. */
  for (unsigned a = 0; a < sweep->n_axes; a++)
    if (sweep->axis[a].param == sl_lab_n_settings (lab))
      {
        clear_for_presets (lab, &sweep->axis[a], &settings);
        sl_settings_set_words (&settings, lab->params, lab->n_params,
                               sl_lab_named (lab, (unsigned) value[a]->v[0])->settings);
      }
  for (unsigned a = 0; a < sweep->n_axes; a++)
    if (sweep->axis[a].param < sl_lab_n_settings (lab))
      settings.value[sweep->axis[a].param] = *value[a];
  sl_settings_settle (&settings, lab->params, lab->n_params);
  return settings;
}
