/* SPDX-License-Identifier: MIT
 *
 * Which process a run belongs to: one at a time writes it.  */
#include "core/run/store/owner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A process of another computer that has written nothing for so long is taken for gone: one that
 * trains writes every second.  */
enum { SILENT_SECONDS = 600 };

/* When a process began, in ticks since the computer did; 0: there is none. */
static unsigned long long
started (long pid)
{
  g_autofree char   *name = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char   *text = NULL;
  unsigned long long ticks = 0;
  const char        *field;

  if (!g_file_get_contents (name, &text, NULL, NULL))
    return 0;
  field = strrchr (text, ')'); /* field 2, which may hold anything; the time is field 22 */
  for (int i = 2; field != NULL && i < 22; i++)
    field = strchr (field + 1, ' ');
  if (field != NULL)
    sscanf (field, "%llu", &ticks);
  return ticks;
}

char *
sl_store_owner (void)
{
  return g_strdup_printf ("%ld %llu %s", (long) getpid (), started (getpid ()), g_get_host_name ());
}

char *
sl_store_maker (void)
{
  return g_strdup_printf ("%ld-%llu", (long) getpid (), started (getpid ()));
}

gboolean
sl_store_maker_gone (const char *name)
{
  long               pid;
  unsigned long long ticks;
  char               after;

  return sscanf (name, "%ld-%llu%c", &pid, &ticks, &after) == 3 && after == '.'
         && started (pid) != ticks;
}

gboolean
sl_store_owner_gone (const char *owner)
{
  long               pid;
  unsigned long long ticks;
  int                n = 0;

  if (sscanf (owner, "%ld %llu %n", &pid, &ticks, &n) < 2 || n == 0)
    return TRUE;
  /* Of other computers we cannot know. */
  return strcmp (owner + n, g_get_host_name ()) == 0 && started (pid) != ticks;
}

gboolean
sl_store_owner_at_work (const char *owner, double touched)
{
  g_autofree char *own = sl_store_owner ();

  if (*owner == '\0' || strcmp (owner, own) == 0 || sl_store_owner_gone (owner))
    return FALSE;
  return strcmp (strrchr (owner, ' ') + 1, g_get_host_name ()) == 0
         || (double) g_get_real_time () * 1e-6 - touched < SILENT_SECONDS;
}
