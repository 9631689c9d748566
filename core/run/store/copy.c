/* SPDX-License-Identifier: MIT
 *
 * Runs from file to file: merging and exporting.  What changes the
 * store is done by the thread that writes.  */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/run/base/temporary.h"
#include "core/run/store/naming.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"
#include "core/run/store/room.h"

/* Columns of `run` but its id, which is another one in another file. */
#define RUN                                                                                        \
  "uuid, name, colour, lab, recipe, data, data_hash, seed, kernel, threads, version, status,"      \
  " problem, owner, step, seconds, created, touched, sweep, cell, pinned, deleted, view"

/* Copies the runs of temp.chosen (uuid) from one schema to another, in the place of those that have
 * the same name there.  */
static gboolean
copy_chosen (const SlStoreFile *file, const char *from, const char *to, GError **error)
{
  static const struct
  {
    const char *table, *columns;
    bool        late; /* files that were written long ago may not have it */
  } parts[] = {
    { "channel", "number, name, n, last" },
    { "block", "channel, position, n, first, stride, data, sum" },
    { "flag", "number, step, text" },
    { "figure", "name, value" },
    { "checkpoint", "step, changes, flags, seconds, bytes, data, sum" },
    { "picture", "data", true },
    { "edits", "text", true },
    { "visit", "step, present, data, sum", true },
    { "moments", "step, data", true },
    { "annotation", "note, tags", true },
  };
  g_autofree char *runs
    = g_strdup_printf ("DELETE FROM %s.run WHERE uuid IN (SELECT uuid FROM temp.chosen);"
                       "INSERT INTO %s.run (" RUN ") SELECT " RUN " FROM %s.run"
                       " WHERE uuid IN (SELECT uuid FROM temp.chosen) ORDER BY id;"
                       "CREATE TEMP TABLE pair AS SELECT a.id AS was, b.id AS is_now"
                       " FROM %s.run AS a JOIN %s.run AS b USING (uuid)"
                       " WHERE uuid IN (SELECT uuid FROM temp.chosen)",
                       to, to, from, from, to);

  if (!sl_store_file_run (file, runs, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *sql = g_strdup_printf (
        "INSERT INTO %s.%s (run, %s) SELECT is_now, %s FROM temp.pair"
        " JOIN %s.%s ON run = was",
        to, parts[i].table, parts[i].columns, parts[i].columns, from, parts[i].table);

      if (parts[i].late
          && sqlite3_table_column_metadata (file->db, from, parts[i].table, NULL, NULL, NULL, NULL,
                                            NULL, NULL)
               != SQLITE_OK)
        continue;
      if (!sl_store_file_run (file, sql, error))
        return FALSE;
    }
  return sl_store_file_run (file, "DROP TABLE temp.pair", error);
}

/* Attaches a store as `other`. */
static gboolean
attach (const SlStoreFile *file, const char *path, GError **error)
{
  SlStoreFile      probe;
  g_autofree char *name = sl_store_file_open_to_read (&probe, path, error);

  sqlite3_close (probe.db);
  return name != NULL && sl_store_do (file, error, "ATTACH ? AS other", "s", name);
}

static void
detach (const SlStoreFile *file)
{
  sqlite3_exec (file->db, "ROLLBACK; ", NULL, NULL, NULL);
  sqlite3_exec (file->db, "DROP TABLE IF EXISTS temp.chosen; DROP TABLE IF EXISTS temp.pair", NULL,
                NULL, NULL);
  sqlite3_exec (file->db, "DETACH other", NULL, NULL, NULL);
}

/* ---- a file of its own ---- */

static gboolean
choose (const SlStoreFile *file, const char *const *uuids, GError **error)
{
  if (!sl_store_file_run (file, "CREATE TEMP TABLE chosen (uuid TEXT PRIMARY KEY)", error))
    return FALSE;
  if (uuids == NULL)
    return sl_store_file_run (
      file, "INSERT INTO temp.chosen SELECT uuid FROM other.run WHERE deleted = 0", error);
  for (; *uuids != NULL; uuids++)
    if (!sl_store_do (file, error, "INSERT OR IGNORE INTO temp.chosen VALUES (?)", "s", *uuids))
      return FALSE;
  return TRUE;
}

/* Into a file that is called `temporary` until it has its name, `path`. */
static gboolean
write_copy (SlStore *store, const char *const *uuids, const char *temporary, const char *path,
            GError **error)
{
  static const char ALONE[] = "UPDATE run SET owner = '', status = CASE status"
                              " WHEN 'running' THEN 'paused' ELSE status END; COMMIT;"
                              "PRAGMA main.journal_mode = DELETE";
  SlStoreFile       file;
  gboolean          fine;

  if (!sl_store_file_open (&file, temporary, path, TRUE, error))
    return FALSE;
  fine = attach (&file, store->path, error) && choose (&file, uuids, error)
         && sl_store_file_run (&file, "BEGIN", error)
         && copy_chosen (&file, "other", "main", error);
  if (fine && uuids != NULL)
    {
      g_autoptr (sqlite3_stmt) statement = sl_store_prepare (
        &file, error, "SELECT uuid FROM temp.chosen WHERE uuid NOT IN (SELECT uuid FROM main.run)",
        "");

      fine = statement != NULL;
      if (fine && sqlite3_step (statement) == SQLITE_ROW)
        fine = sl_fail (error, SL_EINVAL, sl_store_text (statement, 0),
                        _ ("no run of this name in the store"), NULL);
    }
  fine = fine && sl_store_file_run (&file, ALONE, error);
  detach (&file);
  if (sqlite3_close (file.db) != SQLITE_OK && fine)
    fine = sl_fail (error, SL_EIO, path, _ ("it could not be closed"), NULL);
  return fine;
}

/* To the disk, and then in the place of what had the name. */
static gboolean
put_in_place (const char *temporary, const char *path, GError **error)
{
  int      file = open (temporary, O_RDONLY | O_CLOEXEC);
  gboolean fine = file >= 0 && fsync (file) == 0;

  if (file >= 0)
    close (file);
  return (fine && g_rename (temporary, path) == 0)
         || sl_fail (error, SL_EIO, path, g_strerror (errno), NULL);
}

/* A database, unless it has its name by now, with what SQLite keeps beside it when it cannot close it or
 * remove that.  */
static void
remove_all (const char *path)
{
  static const char *const ends[] = { "", "-journal", "-wal", "-shm" };

  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strconcat (path, ends[i], NULL);

      g_unlink (name);
    }
}

gboolean
sl_store_is_at (SlStore *store, const char *path)
{
  struct stat own, other;

  return stat (store->path, &own) == 0 && stat (path, &other) == 0 && own.st_dev == other.st_dev
         && own.st_ino == other.st_ino;
}

/* A log that stays beside the file that is replaced would be taken for one of the new file. */
static gboolean
remove_log (const char *path, GError **error)
{
  sl_store_file_remove_log (path);
  return !sl_store_is_open (path)
         || sl_fail (error, SL_EIO, path, _ ("another program has this store open"), NULL);
}

gboolean
sl_store_export (SlStore *store, const char *const *uuids, const char *path, GError **error)
{
  g_autofree char *temporary = NULL;
  gboolean         fine;

  if (sl_store_is_at (store, path))
    return sl_fail (error, SL_EINVAL, path, _ ("the store that the runs are in"),
                    _ ("another file"));
  if ((store->threaded && !sl_store_flush (store, error)) || !remove_log (path, error))
    return FALSE;
  temporary = sl_temporary_name (path);
  fine = write_copy (store, uuids, temporary, path, error) && put_in_place (temporary, path, error);
  remove_all (temporary);
  return fine;
}

/* ---- merging ---- */

typedef struct
{
  SlStoreJob  job;
  const char *path;
  unsigned   *added;
  GError    **error;
  gboolean    fine;
} Merge;

/* Which runs the other file has that this one lacks, or has more of; of one that is trained there
 * (the tab in its owner, see owner.h) also its end.  */
static const char WANTED[] = "CREATE TEMP TABLE chosen AS SELECT other.run.uuid FROM other.run"
                             " LEFT JOIN main.run AS ours ON ours.uuid = other.run.uuid"
                             " WHERE other.run.deleted = 0 AND (ours.id IS NULL OR"
                             " ((ours.status <> 'running' OR instr (ours.owner, char (9)) > 0) AND"
                             " ((other.run.status = 'finished' AND ours.status <> 'finished') OR"
                             " ((other.run.status = 'finished') = (ours.status = 'finished') AND "
                             "other.run.step > ours.step) OR"
                             " (ours.status = 'running' AND other.run.status <> 'running' AND "
                             "other.run.step = ours.step))))";

/* Chosen runs that a process trains in the other file stay its own, and are marked as trained there; others that
 * were running were cut off.  */
static gboolean
settle_owner (const SlStoreFile *file, const char *owner, gboolean at_work, GError **error)
{
  g_autofree char *away = at_work ? sl_store_owner_away (owner) : g_strdup ("");

  return sl_store_do (
    file, error,
    "UPDATE main.run SET owner = ?, status = ? WHERE owner = ? AND status = 'running'"
    " AND uuid IN (SELECT uuid FROM temp.chosen)",
    "sss", away, at_work ? "running" : "cut-off", owner);
}

static gboolean
settle_owners (const SlStoreFile *file, GError **error)
{
  g_autoptr (sqlite3_stmt) row
    = sl_store_prepare (file, error,
                        "SELECT owner, max (touched) FROM main.run WHERE status = 'running'"
                        " AND uuid IN (SELECT uuid FROM temp.chosen) GROUP BY owner",
                        "");
  g_autoptr (GHashTable) at_work = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer       owner, works;
  int            more = -1;
  gboolean       fine;

  while (row != NULL && (more = sl_store_step (file, row, error)) > 0)
    {
      const char *name = sl_store_text (row, 0);

      works = GINT_TO_POINTER (sl_store_owner_at_work (name, sqlite3_column_double (row, 1)));
      g_hash_table_insert (at_work, g_strdup (name), works);
    }
  fine = more == 0
         && sl_store_file_run (file,
                               "UPDATE main.run SET owner = '' WHERE status <> 'running'"
                               " AND uuid IN (SELECT uuid FROM temp.chosen)",
                               error);
  g_hash_table_iter_init (&iter, at_work);
  while (fine && g_hash_table_iter_next (&iter, &owner, &works))
    fine = settle_owner (file, owner, GPOINTER_TO_INT (works), error);
  return fine;
}

/* A run that is called as another one here was gets another number; what the user calls runs stays. */
static const char UNNAME[]
  = "UPDATE main.run SET name = '' WHERE uuid IN (SELECT uuid FROM temp.chosen)"
    " AND is_own_name (uuid, name) AND EXISTS (SELECT 1 FROM main.run AS other"
    " WHERE other.name = main.run.name AND other.uuid NOT IN (SELECT uuid FROM temp.chosen))";

static gboolean
merge_all (SlStore *store, Merge *self)
{
  const SlStoreFile *file = &store->writer, other = { file->db, self->path };
  gint64             added;

  if (!attach (file, self->path, self->error)
      || !sl_store_file_run (file, "BEGIN IMMEDIATE", self->error)
      || !sl_store_file_run (&other, WANTED, self->error)
      || !copy_chosen (&other, "other", "main", self->error) || !settle_owners (file, self->error)
      || !sl_store_file_run (file, UNNAME, self->error) || !sl_store_name_runs (file, self->error)
      || sl_store_number (file, &added, self->error, "SELECT count(*) FROM temp.chosen", "") < 0)
    return FALSE;
  *self->added = (unsigned) added;
  return sl_store_make_room (store, self->error) && sl_store_file_run (file, "COMMIT", self->error);
}

static gboolean
merge (SlStoreJob *job, SlStore *store, GError **error)
{
  Merge *self = (Merge *) job;

  self->fine = merge_all (store, self);
  detach (&store->writer);
  return TRUE;
}

/* The job is on the caller's stack. */
static void
merge_free (SlStoreJob *job)
{
}

gboolean
sl_store_merge (SlStore *store, const char *path, unsigned *added, GError **error)
{
  unsigned n = 0;
  g_autoptr (GError) trouble = NULL;
  Merge self = { .job = { .work = merge, .free = merge_free, .alone = true },
                 .path = path,
                 .added = &n,
                 .error = &trouble };

  if (!sl_store_flush (store, error))
    return FALSE;
  sl_store_ask (store, &self.job);
  if (!sl_store_flush (store, error))
    return FALSE;
  if (!self.fine)
    g_propagate_error (error, g_steal_pointer (&trouble));
  if (added != NULL)
    *added = n;
  return self.fine;
}
