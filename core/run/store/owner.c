/* SPDX-License-Identifier: MIT
 *
 * Which process a run belongs to: one at a time writes it.  */
#include "core/run/store/owner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/run/base/temporary.h"

/* A process of another computer that has written nothing for so long is taken for gone: one that
 * trains writes every second.  */
enum { SILENT_SECONDS = 600 };

char *
sl_store_owner (void)
{
  return g_strdup_printf ("%ld %llu %s", (long) getpid (), sl_process_started (getpid ()),
                          g_get_host_name ());
}

/* The computer of a process in these words, NULL when they are no such words. */
static const char *
read_owner (const char *owner, long *pid, unsigned long long *ticks)
{
  int n = 0;

  return sscanf (owner, "%ld %llu %n", pid, ticks, &n) == 2 && owner[n] != '\0' ? owner + n : NULL;
}

const char *
sl_store_owner_host (const char *owner)
{
  unsigned long long ticks;
  long               pid;

  return read_owner (owner, &pid, &ticks);
}

gboolean
sl_store_owner_gone (const char *owner)
{
  unsigned long long ticks;
  long               pid;
  const char        *host = read_owner (owner, &pid, &ticks);

  /* Of other computers we cannot know. */
  return host == NULL
         || (strcmp (host, g_get_host_name ()) == 0 && sl_process_started (pid) != ticks);
}

gboolean
sl_store_owner_at_work (const char *owner, double touched)
{
  g_autofree char *own = sl_store_owner ();

  if (strcmp (owner, own) == 0 || sl_store_owner_gone (owner))
    return FALSE;
  return strcmp (sl_store_owner_host (owner), g_get_host_name ()) == 0
         || (double) g_get_real_time () * 1e-6 - touched < SILENT_SECONDS;
}
