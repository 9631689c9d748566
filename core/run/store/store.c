/* SPDX-License-Identifier: MIT
 *
 * The store as an object: how it opens its files, whether they are still where its path says, and what becomes of it
 * when they are not.  SQLite writes on into files without a name, and reads from them all that was stored: from
 * there the store can be made again.  */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/run/base/temporary.h"
#include "core/run/store/naming.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"

#define LOG_END "-wal"
#define INDEX_END "-shm"

G_DEFINE_FINAL_TYPE (SlStore, sl_store, G_TYPE_OBJECT)

static gboolean
make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_mkdir_with_parents (folder, 0700) == 0
         || sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
}

/* ---- which files ---- */

static SlStoreIdentity
identify (const char *path, const char *end, gint64 *bytes)
{
  g_autofree char *name = g_strconcat (path, end, NULL);
  struct stat      about = { 0 };

  if (stat (name, &about) != 0)
    return (SlStoreIdentity) { 0 };
  *bytes = about.st_size;
  return (SlStoreIdentity) { .device = about.st_dev, .number = about.st_ino };
}

static bool
is_same (SlStoreIdentity a, SlStoreIdentity b)
{
  return a.number == b.number && a.device == b.device;
}

/* Under `writing`, or before there is a thread. */
static void
note_files (SlStore *store)
{
  gint64 unused = 0;

  store->file = identify (store->path, "", &unused);
  store->log = identify (store->path, LOG_END, &unused);
  store->index = identify (store->path, INDEX_END, &unused);
  store->index_bytes = unused;
}

/* Zeros are an index that SQLite makes anew from the log, unless it is amid a transaction.  Opening the file would
 * end this process' locks on it.  */
static void
mend_index (SlStore *self)
{
  g_autofree char *name = g_strconcat (self->path, INDEX_END, NULL);
  gint64           bytes = 0;
  SlStoreIdentity  now = identify (self->path, INDEX_END, &bytes);

  if (self->index.number == 0 || !is_same (now, self->index))
    return;
  if (bytes >= self->index_bytes)
    self->index_bytes = bytes;
  else if (truncate (name, self->index_bytes) != 0)
    g_debug ("store: %s: %s", name, g_strerror (errno));
}

void
sl_store_mend_index (SlStore *store)
{
  gint64 bytes = G_MAXINT64;

  identify (store->path, INDEX_END, &bytes);
  if (bytes >= store->index_bytes)
    return;
  pthread_mutex_lock (&store->writing);
  mend_index (store);
  pthread_mutex_unlock (&store->writing);
}

/* ---- another file ---- */

/* The old connection must not tidy up under names that are of other files now. */
static void
close_untidily (sqlite3 *db)
{
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_close_v2 (db);
}

/* Goes on with the file that is at a path now. */
static gboolean
reopen (SlStore *self, const char *path, GError **error)
{
  SlStoreFile writer, reader;

  if (!sl_store_file_open (&writer, path, path, TRUE, error))
    return FALSE;
  if (!sl_store_add_naming (&writer, error)
      || !sl_store_file_open (&reader, path, path, FALSE, error))
    {
      sqlite3_close (writer.db);
      return FALSE;
    }
  pthread_mutex_lock (&self->reading);
  close_untidily (self->reader.db);
  close_untidily (self->writer.db);
  self->reader = reader;
  self->writer = writer;
  self->path = path;
  pthread_mutex_unlock (&self->reading);
  self->rolled_back++;
  self->seen = 0;
  note_files (self);
  g_debug ("store: goes on in %s", path);
  return TRUE;
}

static gboolean
sync_file (const char *path)
{
  int  file = open (path, O_RDONLY | O_CLOEXEC);
  bool fine = file >= 0 && fsync (file) == 0;

  if (file >= 0)
    close (file);
  return fine;
}

/* Gives a file a name that nothing has.  Not all file systems know both ways. */
static bool
name_new (const char *from, const char *to)
{
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return true;
  return errno == EINVAL && link (from, to) == 0 && unlink (from) == 0;
}

/* What is beside a name that no database has belongs to none, and would be taken for the new one's. */
static void
remove_beside (const char *path)
{
  static const char *const ends[] = { "-journal", LOG_END, INDEX_END };

  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *name = g_strconcat (path, ends[i], NULL);

      g_unlink (name);
    }
}

static gboolean
put_in_place (const char *temporary, const char *path, bool replaces, GError **error)
{
  sl_store_file_remove_log (path);
  if (replaces && sl_store_is_open (path))
    return sl_fail (error, SL_EIO, path, _ ("another program has this store open"), NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    remove_beside (path);
  return (sync_file (temporary)
          && (replaces ? g_rename (temporary, path) == 0 : name_new (temporary, path)))
         || sl_fail (error, SL_EIO, path, g_strerror (errno), NULL);
}

/* Writes all that the store has to another path, and goes on there. */
static gboolean
move_to (SlStore *self, const char *path, bool replaces, GError **error)
{
  g_autofree char *temporary = NULL;
  gboolean         fine;

  if (!make_folder (path, error))
    return FALSE;
  temporary = sl_temporary_name (path);
  fine = sl_store_do (&self->writer, error, "VACUUM INTO ?", "s", temporary)
         && put_in_place (temporary, path, replaces, error);
  g_unlink (temporary);
  return fine && reopen (self, path, error);
}

/* ---- where it is ---- */

/* The log of a file that is in its place was removed: what it had goes into the file. */
static gboolean
renew_log (SlStore *self, GError **error)
{
  gint64 busy;

  if (sl_store_number (&self->writer, &busy, error, "PRAGMA wal_checkpoint (TRUNCATE)", "") < 0)
    return FALSE;
  if (busy != 0)
    return sl_fail (error, SL_EIO, self->path, _ ("another program keeps it locked"), NULL);
  return reopen (self, self->path, error);
}

static SlStorePlace
look (SlStore *self)
{
  struct stat about;

  if (stat (self->path, &about) != 0)
    return errno == ENOENT || errno == ENOTDIR ? SL_STORE_GONE : SL_STORE_THERE;
  return is_same ((SlStoreIdentity) { about.st_dev, about.st_ino }, self->file) ? SL_STORE_THERE
                                                                                : SL_STORE_REPLACED;
}

/* Log and index of a file that is in its place. */
static gboolean
look_beside (SlStore *self, GError **error)
{
  gint64          unused = 0;
  SlStoreIdentity log = identify (self->path, LOG_END, &unused);
  SlStoreIdentity index = identify (self->path, INDEX_END, &unused);

  mend_index (self);
  if (self->log.number == 0 || (is_same (log, self->log) && is_same (index, self->index)))
    return TRUE;
  if (is_same (log, self->log))
    return reopen (self, self->path, error);
  return log.number == 0 ? renew_log (self, error)
                         : sl_fail (error, SL_EIO, self->path,
                                    _ ("another program replaced its log while it was open"), NULL);
}

static void
remove_own (const char *path, const char *end, SlStoreIdentity own)
{
  g_autofree char *name = g_strconcat (path, end, NULL);
  gint64           unused;

  if (own.number != 0 && is_same (identify (path, end, &unused), own))
    g_unlink (name);
}

/* Log and index beside another file are still this store's, and would be read into that one. */
static void
part_from_other (SlStore *self)
{
  remove_own (self->path, LOG_END, self->log);
  remove_own (self->path, INDEX_END, self->index);
}

/* A name beside a path that no file has: runs-2.sluice. */
static const char *
name_beside (const char *path)
{
  const char      *end = g_str_has_suffix (path, ".sluice") ? ".sluice" : "";
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (end)), *name = NULL;

  for (unsigned i = 2; name == NULL || g_file_test (name, G_FILE_TEST_EXISTS); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u%s", stem, i, end);
    }
  return g_intern_string (name);
}

/* The end of a store in whose place another file is. */
static gboolean
keep_beside (SlStore *self, GError **error)
{
  const char      *was = self->path, *now = name_beside (was);
  g_autofree char *sentence = NULL;

  if (!move_to (self, now, false, error))
    return FALSE;
  sentence = g_strdup_printf (_ ("another file took its place; the runs are in %s"), now);
  pthread_mutex_lock (&self->mutex);
  g_clear_error (&self->refused);
  sl_fail (&self->refused, SL_EIO, was, sentence, NULL);
  pthread_mutex_unlock (&self->mutex);
  return TRUE;
}

static gboolean
follow (SlStore *self, SlStorePlace place, const char *wanted, GError **error)
{
  bool remake, ending;

  pthread_mutex_lock (&self->mutex);
  ending = self->ending;
  remake = self->remake || ending;
  pthread_mutex_unlock (&self->mutex);
  if (place == SL_STORE_REPLACED)
    part_from_other (self);
  if (wanted != NULL)
    return move_to (self, wanted, true, error);
  if (place == SL_STORE_THERE)
    return look_beside (self, error);
  if (place == SL_STORE_GONE)
    return remake ? move_to (self, self->path, false, error)
                  : sl_fail (error, SL_EIO, self->path,
                             _ ("it was deleted or moved while it was open"), NULL);
  return ending ? keep_beside (self, error)
                : sl_fail (error, SL_EIO, self->path,
                           _ ("another file took its place while it was open"), NULL);
}

gboolean
sl_store_find_place (SlStore *store, GError **error)
{
  SlStorePlace place = look (store);
  const char  *wanted;
  gboolean     fine;

  pthread_mutex_lock (&store->mutex);
  wanted = store->wanted;
  pthread_mutex_unlock (&store->mutex);
  fine = follow (store, place, wanted, error);
  pthread_mutex_lock (&store->mutex);
  store->place = fine ? SL_STORE_THERE : place;
  if (fine && store->wanted == wanted)
    store->wanted = NULL;
  pthread_mutex_unlock (&store->mutex);
  return fine;
}

/* ---- opening ---- */

static const char CUT_OFF[]
  = "UPDATE run SET status = 'cut-off', owner = '' WHERE status = 'running' AND owner = ?";

/* Runs whose program is gone were cut off. */
static gboolean
find_cut_off (SlStore *self, GError **error)
{
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (sqlite3_stmt) owner = sl_store_prepare (
    &self->writer, error, "SELECT DISTINCT owner FROM run WHERE status = 'running'", "");
  int row = -1;

  while (owner != NULL && (row = sl_store_step (&self->writer, owner, error)) > 0)
    if (sl_store_owner_gone (sl_store_text (owner, 0)))
      g_ptr_array_add (gone, g_strdup (sl_store_text (owner, 0)));
  for (guint i = 0; row == 0 && i < gone->len; i++)
    if (!sl_store_do (&self->writer, error, CUT_OFF, "s", g_ptr_array_index (gone, i)))
      return FALSE;
  return row == 0;
}

/* What an earlier version wrote, or writes at the same time, has no names. */
static gboolean
name_runs (SlStore *self, GError **error)
{
  gint64 id;
  int    unnamed = sl_store_add_naming (&self->writer, error) ? sl_store_number (
                     &self->writer, &id, error, "SELECT id FROM run WHERE name = '' LIMIT 1", "")
                                                              : -1;

  if (unnamed <= 0)
    return unnamed == 0;
  if (sl_store_file_run (&self->writer, "BEGIN IMMEDIATE", error)
      && sl_store_name_runs (&self->writer, error)
      && sl_store_file_run (&self->writer, "COMMIT", error))
    return TRUE;
  sqlite3_exec (self->writer.db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

/* A file that can be read but not written is a store in trouble. */
static gboolean
open_to_read (SlStore *self, GError *trouble, GError **error)
{
  g_autofree char *uri = sl_store_file_open_to_read (&self->reader, self->path, error);

  self->trouble = trouble;
  return uri != NULL && sl_store_list_names (&self->reader, &self->names, error);
}

static gboolean
open_files (SlStore *self, GError **error)
{
  GError *trouble = NULL;

  if (make_folder (self->path, &trouble)
      && sl_store_file_open (&self->writer, self->path, self->path, TRUE, &trouble)
      && find_cut_off (self, &trouble) && name_runs (self, &trouble)
      && sl_store_file_open (&self->reader, self->path, self->path, FALSE, &trouble))
    {
      self->owner = sl_store_owner ();
      note_files (self);
      return sl_store_begin_thread (self)
             || sl_fail (error, SL_ENOMEM, self->path, _ ("no thread could be created"), NULL);
    }
  if (g_error_matches (trouble, SL_ERROR, SL_EIO) && sl_store_is_store (self->path))
    {
      g_clear_pointer (&self->writer.db, sqlite3_close);
      return open_to_read (self, trouble, error);
    }
  g_propagate_error (error, trouble);
  return FALSE;
}

static SlStore *
open_store (const char *path, gboolean to_read, GError **error)
{
  SlStatus looked_at
    = sl_status_new (SL_EIO, path, sl_message ("it is open for reading only"), SL_NO_MESSAGE);
  g_autoptr (SlStore) self = g_object_new (SL_TYPE_STORE, NULL);

  self->path = g_intern_string (path);
  self->alone = to_read && !sl_store_is_open (path);
  self->context = g_main_context_ref_thread_default ();
  if (to_read ? !open_to_read (self, sl_status_to_error (&looked_at), error)
              : !open_files (self, error))
    return NULL;
  g_debug ("store: %s, version %d%s", path, SL_STORE_VERSION, to_read ? ", to read" : "");
  return g_steal_pointer (&self);
}

SlStore *
sl_store_open (const char *path, GError **error)
{
  return open_store (path, FALSE, error);
}

SlStore *
sl_store_open_to_read (const char *path, GError **error)
{
  return open_store (path, TRUE, error);
}

const char *
sl_store_path (SlStore *store)
{
  return store->path;
}

void
sl_store_set_drops_looks (SlStore *store, gboolean drops)
{
  store->drops_looks = drops;
}

gboolean
sl_store_drops_looks (SlStore *store)
{
  return store->drops_looks;
}

void
sl_store_new_uuid (char uuid[SL_UUID])
{
  g_autofree char *text = g_uuid_string_random ();

  g_strlcpy (uuid, text, SL_UUID);
}

static void
sl_store_init (SlStore *self)
{
  self->last = &self->first;
  self->written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->any_written = true;
  pthread_mutex_init (&self->mutex, NULL);
  pthread_mutex_init (&self->writing, NULL);
  pthread_mutex_init (&self->reading, NULL);
  pthread_cond_init (&self->wake, NULL);
  pthread_cond_init (&self->settled, NULL);
  atomic_init (&self->budget, G_MAXUINT64);
}

static void
sl_store_finalize (GObject *object)
{
  SlStore *self = SL_STORE (object);

  sl_store_end_thread (self);
  if (self->bell != NULL)
    {
      g_source_destroy (self->bell);
      g_source_unref (self->bell);
    }
  sqlite3_close (self->reader.db);
  sqlite3_close (self->writer.db);
  if (self->alone)
    sl_store_file_remove_log (self->path);
  g_clear_error (&self->trouble);
  g_clear_error (&self->shown);
  g_clear_error (&self->refused);
  g_clear_pointer (&self->context, g_main_context_unref);
  pthread_mutex_destroy (&self->mutex);
  pthread_mutex_destroy (&self->writing);
  pthread_mutex_destroy (&self->reading);
  pthread_cond_destroy (&self->wake);
  pthread_cond_destroy (&self->settled);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_hash_table_unref (self->written);
  g_free (self->owner);
  G_OBJECT_CLASS (sl_store_parent_class)->finalize (object);
}

static void
sl_store_class_init (SlStoreClass *klass)
{
  static const char *const signals[] = { "changed", "changed-elsewhere", "trouble" };
  GType                    type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_store_finalize;
  for (unsigned s = 0; s < G_N_ELEMENTS (signals); s++)
    g_signal_new (signals[s], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
