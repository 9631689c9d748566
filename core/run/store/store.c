/* SPDX-License-Identifier: MIT
 *
 * The store as an object: how it opens its files and closes them.  */
#include "core/run/store/naming.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (SlStore, sl_store, G_TYPE_OBJECT)

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

static gboolean
make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_mkdir_with_parents (folder, 0700) == 0
         || sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
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

  self->path = g_strdup (path);
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

char *
sl_store_default_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "sluice", "runs.sluice", NULL);
}

const char *
sl_store_path (SlStore *store)
{
  return store->path;
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
  pthread_mutex_init (&self->reading, NULL);
  pthread_cond_init (&self->wake, NULL);
  pthread_cond_init (&self->settled, NULL);
  atomic_init (&self->epoch, 0);
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
  g_clear_pointer (&self->context, g_main_context_unref);
  pthread_mutex_destroy (&self->mutex);
  pthread_mutex_destroy (&self->reading);
  pthread_cond_destroy (&self->wake);
  pthread_cond_destroy (&self->settled);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_hash_table_unref (self->written);
  g_free (self->owner);
  g_free (self->path);
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
