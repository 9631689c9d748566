/* SPDX-License-Identifier: MIT
 *
 * Statuses as errors.  */
#include "core/run/base/error.h"

#include "core/run/base/language.h"

G_DEFINE_QUARK (sl - error - quark, sl_error)

GError *
sl_status_to_error (const SlStatus *status)
{
  g_autofree char *sentence = sl_status_sentence (status);

  return g_error_new_literal (SL_ERROR, (int) status->code, sentence);
}

gboolean
sl_status_good (const SlStatus *status, GError **error)
{
  if (!sl_ok (status))
    g_propagate_error (error, sl_status_to_error (status));
  return sl_ok (status);
}

gboolean
sl_fail (GError **error, SlCode code, const char *subject, const char *found, const char *expected)
{
  SlStatus status
    = sl_status_new (code, subject, sl_message_verbatim (found), sl_message_verbatim (expected));

  if (error != NULL)
    *error = sl_status_to_error (&status);
  return FALSE;
}
