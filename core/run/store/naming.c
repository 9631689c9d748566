/* SPDX-License-Identifier: MIT */
#include "core/run/store/naming.h"

#include <stdlib.h>

#include "core/run/record/name.h"

static const char NAME[] = "UPDATE run SET name = ?, colour = ? WHERE id = ?";

/* More unnamed runs than this are named in memory. */
enum { FEW = 16 };

/* Free with g_free(). */
static char *
numbered (const char *words, unsigned number)
{
  return g_strdup_printf ("%s %u", words, number);
}

/* Its own, or the next one whose bit is not set: there is one more than runs are looked at. */
static unsigned
free_colour (const char *uuid, unsigned taken)
{
  unsigned colour = sl_run_colour (uuid);

  while ((taken & 1u << colour) != 0)
    colour = colour % SL_RUN_COLOURS + 1;
  return colour;
}

/* ---- a few, by the file's index of names ---- */

/* Free with g_free(); NULL with a sentence. */
static char *
free_name (const SlStoreFile *file, const char *uuid, GError **error)
{
  g_autofree char *words = sl_run_words (uuid);

  for (unsigned number = sl_run_number (uuid);; number++)
    {
      g_autofree char *name = numbered (words, number);
      gint64           id;
      int taken = sl_store_number (file, &id, error, "SELECT id FROM run WHERE name = ? LIMIT 1",
                                   "s", name);

      if (taken <= 0)
        return taken == 0 ? g_steal_pointer (&name) : NULL;
    }
}

/* Bits of the colours that the runs just before a row have. */
static gboolean
colours_before (const SlStoreFile *file, gint64 id, unsigned *taken, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (
    file, error, "SELECT colour FROM run WHERE id < ?1 ORDER BY id DESC LIMIT ?2", "ii", id,
    (gint64) SL_RUN_COLOURS - 1);
  int more = -1;

  *taken = 0;
  while (row != NULL && (more = sl_store_step (file, row, error)) > 0)
    *taken |= 1u << CLAMP (sqlite3_column_int (row, 0), 0, SL_RUN_COLOURS);
  return more == 0;
}

static gboolean
name_run (const SlStoreFile *file, gint64 id, const char *uuid, unsigned colour, GError **error)
{
  g_autofree char *name = free_name (file, uuid, error);
  unsigned         taken;

  if (name == NULL || (colour == 0 && !colours_before (file, id, &taken, error)))
    return FALSE;
  return sl_store_do (file, error, NAME, "sii", name,
                      (gint64) (colour != 0 ? colour : free_colour (uuid, taken)), id);
}

/* One at a time: what a statement goes through should not change. */
static gboolean
name_few (const SlStoreFile *file, GError **error)
{
  for (;;)
    {
      g_autoptr (sqlite3_stmt) row = sl_store_prepare (
        file, error, "SELECT id, uuid, colour FROM run WHERE name = '' ORDER BY id LIMIT 1", "");
      int more = row != NULL ? sl_store_step (file, row, error) : -1;

      if (more <= 0)
        return more == 0;
      if (!name_run (file, sqlite3_column_int64 (row, 0), sl_store_text (row, 1),
                     (unsigned) sqlite3_column_int (row, 2), error))
        return FALSE;
    }
}

/* ---- many, in memory ---- */

static void
naming_free (gpointer data)
{
  SlRunNaming *naming = data;

  g_free (naming->name);
  g_free (naming);
}

/* Names that runs have; free with g_hash_table_unref().  NULL with a sentence. */
static GHashTable *
read_taken (const SlStoreFile *file, GError **error)
{
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (sqlite3_stmt) row
    = sl_store_prepare (file, error, "SELECT name FROM run WHERE name <> ''", "");
  int more = -1;

  while (row != NULL && (more = sl_store_step (file, row, error)) > 0)
    g_hash_table_add (taken, g_strdup (sl_store_text (row, 0)));
  return more == 0 ? g_steal_pointer (&taken) : NULL;
}

static SlRunNaming *
make_naming (const char *uuid, unsigned colour, GHashTable *taken)
{
  g_autofree char *words = sl_run_words (uuid);
  SlRunNaming     *naming = g_new (SlRunNaming, 1);
  unsigned         number = sl_run_number (uuid);

  naming->name = numbered (words, number);
  while (g_hash_table_contains (taken, naming->name))
    {
      g_free (naming->name);
      naming->name = numbered (words, ++number);
    }
  naming->colour = colour;
  g_hash_table_add (taken, g_strdup (naming->name));
  return naming;
}

gboolean
sl_store_list_names (const SlStoreFile *file, GHashTable **names, GError **error)
{
  g_autoptr (GHashTable) table
    = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, naming_free);
  g_autoptr (GHashTable) taken = read_taken (file, error);
  g_autoptr (sqlite3_stmt) row = NULL;
  unsigned before[SL_RUN_COLOURS - 1] = { 0 }; /* colours of the runs just before, in turn */
  int      more = -1;

  if (taken != NULL)
    row = sl_store_prepare (file, error, "SELECT id, uuid, colour, name FROM run ORDER BY id", "");
  for (guint i = 0; row != NULL && (more = sl_store_step (file, row, error)) > 0; i++)
    {
      gint64      id = sqlite3_column_int64 (row, 0);
      const char *uuid = sl_store_text (row, 1);
      unsigned colour = (unsigned) CLAMP (sqlite3_column_int (row, 2), 0, SL_RUN_COLOURS), bits = 0;
      gboolean unnamed = sl_store_text (row, 3)[0] == '\0';

      for (guint k = 0; k < G_N_ELEMENTS (before); k++)
        bits |= 1u << before[k];
      if (unnamed && colour == 0)
        colour = free_colour (uuid, bits);
      if (unnamed)
        g_hash_table_insert (table, g_memdup2 (&id, sizeof id), make_naming (uuid, colour, taken));
      before[i % G_N_ELEMENTS (before)] = colour;
    }
  *names = more == 0 && g_hash_table_size (table) > 0 ? g_steal_pointer (&table) : NULL;
  return more == 0;
}

static int
by_id (gconstpointer a, gconstpointer b)
{
  gint64 m = **(const gint64 *const *) a, n = **(const gint64 *const *) b;

  return (m > n) - (m < n);
}

/* In the order of the rows, which are then near each other in the file. */
static gboolean
name_many (const SlStoreFile *file, GError **error)
{
  g_autoptr (GHashTable) names = NULL;
  g_autofree gint64 **ids = NULL;
  g_autoptr (sqlite3_stmt) put = NULL;
  guint    n = 0;
  gboolean fine = sl_store_list_names (file, &names, error);

  if (fine)
    put = sl_store_prepare (file, error, NAME, "");
  fine = put != NULL;
  if (names != NULL)
    ids = (gint64 **) g_hash_table_get_keys_as_array (names, &n);
  if (n > 0)
    qsort (ids, n, sizeof *ids, by_id);
  for (guint i = 0; i < n && fine; i++)
    {
      const SlRunNaming *naming = g_hash_table_lookup (names, ids[i]);

      sqlite3_bind_text (put, 1, naming->name, -1, SQLITE_STATIC);
      sqlite3_bind_int64 (put, 2, naming->colour);
      sqlite3_bind_int64 (put, 3, *ids[i]);
      fine = sl_store_step (file, put, error) == 0;
      sqlite3_reset (put);
    }
  return fine;
}

gboolean
sl_store_name_runs (const SlStoreFile *file, GError **error)
{
  gint64 n;

  if (sl_store_number (file, &n, error,
                       "SELECT count (*) FROM (SELECT 1 FROM run WHERE name = '' LIMIT ?)", "i",
                       (gint64) FEW + 1)
      < 0)
    return FALSE;
  return n > FEW ? name_many (file, error) : name_few (file, error);
}

static void
is_own_name (sqlite3_context *context, int n, sqlite3_value **value)
{
  const char *uuid = (const char *) sqlite3_value_text (value[0]);
  const char *name = (const char *) sqlite3_value_text (value[1]);

  sqlite3_result_int (context, uuid != NULL && name != NULL && sl_run_name_is_own (uuid, name));
}

gboolean
sl_store_add_naming (const SlStoreFile *file, GError **error)
{
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;

  return sqlite3_create_function (file->db, "is_own_name", 2, flags, NULL, is_own_name, NULL, NULL)
           == SQLITE_OK
         || sl_store_file_fail (file, error);
}
