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
  g_auto (GStrv) words = g_strsplit (hint->settings != NULL ? hint->settings : "", " ", -1);

  for (char **word = words; *word != NULL; word++)
    {
      char    *equals = strchr (*word, '=');
      SlStatus status;

      if (equals == NULL)
        continue;
      *equals = '\0';
      status = sl_settings_set (settings, lab->params, lab->n_params, *word, equals + 1);
      if (!sl_ok (&status))
        {
          g_propagate_error (error, sl_status_to_error (&status));
          return FALSE;
        }
    }
  sl_settings_settle (settings, lab->params, lab->n_params);
  return TRUE;
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
