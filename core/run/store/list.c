/* SPDX-License-Identifier: MIT
 *
 * Lists of the runs in a store, and which process trains one.  */
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/store/naming.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"

GPtrArray *
sl_store_list (SlStore *store, const char *sweep, gboolean with_deleted, GError **error)
{
  if (sweep != NULL)
    return sl_store_read_runs (store,
                               with_deleted ? "WHERE sweep = ? ORDER BY id"
                                            : "WHERE sweep = ? AND deleted = 0 ORDER BY id",
                               sweep, 0, error);
  return sl_store_read_runs (store, with_deleted ? "ORDER BY id" : "WHERE deleted = 0 ORDER BY id",
                             NULL, 0, error);
}

GPtrArray *
sl_store_list_since (SlStore *store, double touched, GError **error)
{
  return sl_store_read_runs (store, "WHERE deleted = 0 AND touched > ?2 ORDER BY id", NULL, touched,
                             error);
}

GPtrArray *
sl_store_list_page (SlStore *store, const char *after, unsigned most, GError **error)
{
  g_autofree char *where = g_strdup_printf ("WHERE deleted = 0 AND id > ifnull ((SELECT id FROM "
                                            "run WHERE uuid = ?1), 0) ORDER BY id LIMIT %u",
                                            most);

  return sl_store_read_runs (store, where, after, 0, error);
}

GPtrArray *
sl_store_list_these (SlStore *store, const char *const *uuids, GError **error)
{
  g_autofree char *all = g_strjoinv ("\",\"", (char **) uuids);
  g_autofree char *json = g_strconcat ("[\"", all, "\"]", NULL);

  return sl_store_read_runs (
    store, "WHERE deleted = 0 AND uuid IN (SELECT value FROM json_each (?1)) ORDER BY id", json, 0,
    error);
}

/* The only run of a list, which is freed; NULL where it has another number of them. */
static SlStoreRun *
take_only (GPtrArray *runs, guint *n)
{
  SlStoreRun *run = runs->len == 1 ? g_ptr_array_steal_index (runs, 0) : NULL;

  *n = runs->len;
  g_ptr_array_unref (runs);
  return run;
}

/* In a file that is only read, names may not be in it. */
static GPtrArray *
list_called (SlStore *store, const char *name, GError **error)
{
  static const char CALLED[] = "WHERE name IN (?1, replace (?1, '-', ' '))";
  GHashTableIter    iter;
  gpointer          id, naming;
  g_autofree char  *spaced = g_strdelimit (g_strdup (name), "-", ' '), *where = NULL;

  if (store->names != NULL)
    {
      g_hash_table_iter_init (&iter, store->names);
      while (where == NULL && g_hash_table_iter_next (&iter, &id, &naming))
        if (g_str_equal (((SlRunNaming *) naming)->name, spaced))
          where = g_strdup_printf ("WHERE id = %" G_GINT64_FORMAT, *(gint64 *) id);
    }
  return sl_store_read_runs (store, where != NULL ? where : CALLED, name, 0, error);
}

SlStoreRun *
sl_store_find (SlStore *store, const char *name, GError **error)
{
  GPtrArray *runs = sl_store_read_runs (
    store, "WHERE uuid BETWEEN ?1 AND ?1 || '~' AND length (?1) >= 1", name, 0, error);
  SlStoreRun *run;
  guint       n;

  if (runs != NULL && runs->len == 0)
    {
      g_ptr_array_unref (runs);
      runs = list_called (store, name, error);
    }
  if (runs == NULL)
    return NULL;
  run = take_only (runs, &n);
  if (run == NULL)
    sl_fail (error, SL_EINVAL, name, n == 0 ? _ ("no run of this name") : _ ("several runs"),
             _ ("a name or the beginning of an id that one run has"));
  return run;
}

char *
sl_store_recipe (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  int more = -1;

  if (reading != NULL)
    row = sl_store_prepare (&store->reader, error, "SELECT recipe FROM run WHERE uuid = ?", "s",
                            uuid);
  if (row != NULL)
    more = sl_store_step (&store->reader, row, error);
  if (more == 0)
    sl_fail (error, SL_EINVAL, uuid, _ ("no run of this name"), NULL);
  return more > 0 ? g_utf8_make_valid (sl_store_text (row, 0), -1) : NULL;
}

gboolean
sl_store_uses_data (SlStore *store, const char *text)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, NULL);
  gint64 id;

  /* What cannot be read may be used. */
  return reading == NULL
         || sl_store_number (&store->reader, &id, NULL,
                             "SELECT id FROM run WHERE instr (data, ?) > 0 LIMIT 1", "s", text)
              != 0;
}

char *
sl_store_last_open (SlStore *store)
{
  static const char SQL[]
    = "SELECT uuid FROM run WHERE deleted = 0 AND sweep = '' AND cell = 0 AND status IN"
      " ('cut-off', 'paused', 'finished', 'diverged') ORDER BY touched DESC LIMIT 1";
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, NULL);
  g_autoptr (sqlite3_stmt) row = NULL;

  if (reading != NULL)
    row = sl_store_prepare (&store->reader, NULL, SQL, "");
  return row != NULL && sl_store_step (&store->reader, row, NULL) > 0
           ? g_strdup (sl_store_text (row, 0))
           : NULL;
}

/* ---- which process trains it ---- */

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

  return reading != NULL && sl_store_check_owner (&store->reader, uuid, error);
}

int
sl_store_at_work (SlStore *store, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  int n = 0, more = -1;

  if (reading != NULL)
    row = sl_store_prepare (
      &store->reader, error,
      "SELECT owner, touched FROM run WHERE status = 'running' AND deleted = 0", "");
  while (row != NULL && (more = sl_store_step (&store->reader, row, error)) > 0)
    n += sl_store_owner_at_work (sl_store_text (row, 0), sqlite3_column_double (row, 1));
  return more == 0 ? n : -1;
}
