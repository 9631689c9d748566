/* SPDX-License-Identifier: MIT */
#include "core/run/store/naming.h"

#include "core/run/store/name.h"

/* Names under way: those of a file that is written are in the file. */
typedef struct
{
  const SlStoreFile *file;
  GHashTable        *names; /* row -> SlRunNaming, or NULL: the file is written */
  GHashTable *taken; /* names that runs have, with `names`: such a file may have no index of them */
} Naming;

/* 1, 0, or -1 with a sentence. */
static int
is_taken (const Naming *self, const char *name, GError **error)
{
  gint64 id;

  if (self->taken != NULL)
    return g_hash_table_contains (self->taken, name);
  return sl_store_number (self->file, &id, error, "SELECT id FROM run WHERE name = ? LIMIT 1", "s",
                          name);
}

/* Free with g_free(); NULL with a sentence. */
static char *
free_name (const Naming *self, const char *uuid, GError **error)
{
  g_autofree char *words = sl_run_words (uuid);

  for (unsigned number = sl_run_number (uuid);; number++)
    {
      g_autofree char *name = g_strdup_printf ("%s %u", words, number);
      int              taken = is_taken (self, name, error);

      if (taken <= 0)
        return taken == 0 ? g_steal_pointer (&name) : NULL;
    }
}

/* Bits of the colours that the runs just before a row have. */
static gboolean
colours_before (const Naming *self, gint64 id, unsigned *taken, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (
    self->file, error, "SELECT id, colour FROM run WHERE id < ?1 ORDER BY id DESC LIMIT ?2", "ii",
    id, (gint64) SL_RUN_COLOURS - 1);
  int more = -1;

  *taken = 0;
  while (row != NULL && (more = sl_store_step (self->file, row, error)) > 0)
    {
      gint64             before = sqlite3_column_int64 (row, 0);
      const SlRunNaming *naming
        = self->names != NULL ? g_hash_table_lookup (self->names, &before) : NULL;
      int colour = naming != NULL ? (int) naming->colour : sqlite3_column_int (row, 1);

      if (colour >= 1 && colour <= SL_RUN_COLOURS)
        *taken |= 1u << colour;
    }
  return more == 0;
}

/* Its own, or the next one that is free: there is one more than runs are looked at. */
static unsigned
free_colour (const char *uuid, unsigned taken)
{
  unsigned colour = sl_run_colour (uuid);

  while ((taken & 1u << colour) != 0)
    colour = colour % SL_RUN_COLOURS + 1;
  return colour;
}

static void
naming_free (gpointer data)
{
  SlRunNaming *naming = data;

  g_free (naming->name);
  g_free (naming);
}

static gboolean
keep (Naming *self, gint64 id, SlRunNaming *naming, GError **error)
{
  gboolean kept;

  if (self->names != NULL)
    {
      g_hash_table_add (self->taken, g_strdup (naming->name));
      return g_hash_table_insert (self->names, g_memdup2 (&id, sizeof id), naming);
    }
  kept = sl_store_do (self->file, error, "UPDATE run SET name = ?, colour = ? WHERE id = ?", "sii",
                      naming->name, (gint64) naming->colour, id);
  naming_free (naming);
  return kept;
}

static gboolean
name_run (Naming *self, gint64 id, const char *uuid, unsigned colour, GError **error)
{
  char    *name = free_name (self, uuid, error);
  unsigned taken;

  if (name == NULL)
    return FALSE;
  if (colour == 0 && !colours_before (self, id, &taken, error))
    {
      g_free (name);
      return FALSE;
    }
  SlRunNaming naming = { name, colour != 0 ? colour : free_colour (uuid, taken) };

  return keep (self, id, g_memdup2 (&naming, sizeof naming), error);
}

/* One at a time: what a statement goes through should not change. */
static gboolean
name_all (Naming *self, GError **error)
{
  gint64 id = 0;

  for (;;)
    {
      g_autoptr (sqlite3_stmt) row
        = sl_store_prepare (self->file, error,
                            "SELECT id, uuid, colour FROM run WHERE name = '' AND id > ?"
                            " ORDER BY id LIMIT 1",
                            "i", id);
      int more = row != NULL ? sl_store_step (self->file, row, error) : -1;

      if (more <= 0)
        return more == 0;
      id = sqlite3_column_int64 (row, 0);
      if (!name_run (self, id, sl_store_text (row, 1), (unsigned) sqlite3_column_int (row, 2),
                     error))
        return FALSE;
    }
}

gboolean
sl_store_name_runs (const SlStoreFile *file, GError **error)
{
  return name_all (&(Naming) { .file = file }, error);
}

static gboolean
read_taken (const SlStoreFile *file, GHashTable *taken, GError **error)
{
  g_autoptr (sqlite3_stmt) row
    = sl_store_prepare (file, error, "SELECT name FROM run WHERE name <> ''", "");
  int more = -1;

  while (row != NULL && (more = sl_store_step (file, row, error)) > 0)
    g_hash_table_add (taken, g_strdup (sl_store_text (row, 0)));
  return more == 0;
}

gboolean
sl_store_list_names (const SlStoreFile *file, GHashTable **names, GError **error)
{
  g_autoptr (GHashTable) table
    = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, naming_free);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *names = NULL;
  if (!read_taken (file, taken, error) || !name_all (&(Naming) { file, table, taken }, error))
    return FALSE;
  if (g_hash_table_size (table) > 0)
    *names = g_steal_pointer (&table);
  return TRUE;
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
