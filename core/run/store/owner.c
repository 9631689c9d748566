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

/* A name of this kind. */
typedef struct
{
  long               pid;
  unsigned long long ticks; /* when it began */
  char              *host;
} Owner;

/* FALSE for what is no such name.  Free the host with g_free(). */
static gboolean
read_owner (const char *name, Owner *owner)
{
  int n = 0;

  if (sscanf (name, "%ld %llu %n", &owner->pid, &owner->ticks, &n) != 2 || name[n] == '\0')
    return FALSE;
  owner->host = g_strndup (name + n, strcspn (name + n, "\t"));
  return TRUE;
}

char *
sl_store_owner_away (const char *owner)
{
  return g_strconcat (owner, strchr (owner, '\t') != NULL ? "" : "\t", NULL);
}

char *
sl_store_owner_host (const char *owner)
{
  Owner read;

  return read_owner (owner, &read) ? read.host : NULL;
}

gboolean
sl_store_owner_gone (const char *owner)
{
  Owner    read;
  gboolean gone;

  if (!read_owner (owner, &read))
    return TRUE;
  /* The processes of other computers are not known. */
  gone = strcmp (read.host, g_get_host_name ()) == 0 && sl_process_started (read.pid) != read.ticks;
  g_free (read.host);
  return gone;
}

gboolean
sl_store_owner_at_work (const char *owner, double touched)
{
  g_autofree char *own = sl_store_owner ();
  g_autofree char *host = NULL;

  if (strcmp (owner, own) == 0 || sl_store_owner_gone (owner))
    return FALSE;
  host = sl_store_owner_host (owner);
  return strcmp (host, g_get_host_name ()) == 0
         || (double) g_get_real_time () * 1e-6 - touched < SILENT_SECONDS;
}
