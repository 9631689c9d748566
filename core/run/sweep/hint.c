/* SPDX-License-Identifier: MIT
 *
 * The sweeps that a lab suggests; see sweep.h.  */
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/sweep/sweep.h"

const SlSweepHint *
sl_sweep_hint (const SlLab *lab, const char *id)
{
  for (unsigned i = 0; i < lab->n_sweeps; i++)
    if (strcmp (lab->sweeps[i].id, id) == 0)
      return &lab->sweeps[i];
  return NULL;
}

gboolean
sl_sweep_hint_settings (const SlSweepHint *hint, const SlLab *lab, SlSettings *settings,
                        GError **error)
{
  SlStatus status = sl_settings_set_words (settings, lab->params, lab->n_params, hint->settings);

  sl_settings_settle (settings, lab->params, lab->n_params);
  return sl_status_good (&status, error);
}

gboolean
sl_sweep_suggest (SlSweep *sweep, const SlSweepHint *hint, GError **error)
{
  g_auto (GStrv) axes = g_strsplit (hint->axes, " ", -1);

  for (char **axis = axes; *axis != NULL; axis++)
    if (!sl_sweep_add_axis (sweep, *axis, error))
      return FALSE;
  sweep->budget = (SlBudget) { .steps = hint->steps };
  return sl_sweep_hint_settings (hint, sweep->lab, &sweep->settings, error)
         && sl_sweep_set_seeds (sweep, hint->seeds, error);
}
