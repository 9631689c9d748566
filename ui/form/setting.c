/* SPDX-License-Identifier: MIT */
#include "ui/form/setting.h"

gboolean
sl_setting_edit (SlSession *session, const SlLab *shown, const char *id, const SlValue *value,
                 gboolean final, GError **error)
{
  const SlLab *lab = session != NULL ? sl_session_lab (session) : NULL;
  /* The last signal of a slider may come when another run is shown already. */
  int i = lab != NULL && lab == shown ? sl_param_find (lab->params, lab->n_params, id) : -1;

  if (i < 0)
    return TRUE;
  /* Parameters that restart the run are set when the slider is released, not for each pixel of a
   * drag.  A live value was already set by the move that was not final, and the run that loads when
   * the slider is released may be another one.  */
  if (lab->params[i].effect == SL_RESTART
        ? !final
        : sl_value_same (value, &sl_session_settings (session)->value[i]))
    return TRUE;
  return sl_session_set (session, id, value, error);
}
