/* SPDX-License-Identifier: MIT
 *
 * Which process a run belongs to: one at a time writes it.  */
#include "core/run/store/owner.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/base/temporary.h"
#include "core/run/store/query.h"

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

gboolean
sl_store_check_owner (const SlStoreFile *file, const char *uuid, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (
    file, error, "SELECT owner, touched FROM run WHERE uuid = ? AND status = 'running'", "s", uuid);
  int              found = row != NULL ? sl_store_step (file, row, error) : -1;
  const char      *owner;
  char             who[96];
  g_autofree char *host = NULL;

  if (found <= 0)
    return found == 0;
  owner = sl_store_text (row, 0);
  if (!sl_store_owner_at_work (owner, sqlite3_column_double (row, 1)))
    return TRUE;
  host = sl_store_owner_host (owner);
  g_snprintf (who, sizeof who, _ ("process %ld on %s is training it"), atol (owner), host);
  return sl_fail (error, SL_EINVAL, uuid, who, _ ("a run that no other program trains"));
}

gboolean
sl_store_is_free (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);

  return reading != NULL && sl_store_check_owner (sl_store_reader (reading), uuid, error);
}

int
sl_store_at_work (SlStore *store, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  int n = 0, more = -1;

  if (reading != NULL)
    row = sl_store_prepare (
      sl_store_reader (reading), error,
      "SELECT owner, touched FROM run WHERE status = 'running' AND deleted = 0", "");
  while (row != NULL && (more = sl_store_step (sl_store_reader (reading), row, error)) > 0)
    n += sl_store_owner_at_work (sl_store_text (row, 0), sqlite3_column_double (row, 1));
  return more == 0 ? n : -1;
}
