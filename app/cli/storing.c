/* SPDX-License-Identifier: MIT
 *
 * See storing.h.  */
#include "app/cli/storing.h"

#include <glib/gi18n.h>

static void
say (SlStoring *self, const char *trouble)
{
  switch (sl_store_place (self->store))
    {
    case SL_STORE_THERE:
      sl_cli_report (_ ("%s. Training goes on in memory. Storing is tried again at least once a "
                        "minute; then everything is stored"),
                     trouble);
      break;
    case SL_STORE_GONE:
      sl_cli_report (_ ("%s. It is made again there with all runs"), trouble);
      sl_store_retry (self->store);
      break;
    case SL_STORE_REPLACED:
      sl_cli_report (
        _ ("%s. That file stays as it is. Training goes on in memory; at the end all runs go "
           "into a new file beside it"),
        trouble);
      break;
    }
}

void
sl_storing_look (SlStoring *storing)
{
  const GError *error = storing->store != NULL ? sl_store_error (storing->store) : NULL;
  const char   *now = error != NULL ? error->message : NULL;

  if (g_strcmp0 (now, storing->said) == 0)
    return;
  if (now != NULL)
    say (storing, now);
  else
    sl_cli_report (_ ("%s: storing works again, and nothing is missing"),
                   sl_store_path (storing->store));
  g_free (storing->said);
  storing->said = g_strdup (now);
}

SlExit
sl_storing_end (SlStoring *storing, SlExit code)
{
  GError *error = NULL;

  if (storing->store == NULL)
    return code;
  if (sl_store_settle (storing->store, &error))
    sl_storing_look (storing);
  else
    {
      if (sl_store_error (storing->store) != NULL)
        sl_cli_report (_ ("%s. What was not stored is lost"), error->message);
      else
        sl_cli_report ("%s", error->message);
      g_error_free (error);
      code = code == SL_EXIT_FINE || code == SL_EXIT_STOPPED ? SL_EXIT_FAILED : code;
    }
  g_clear_pointer (&storing->said, g_free);
  return code;
}
