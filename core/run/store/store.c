/* SPDX-License-Identifier: MIT
 *
 * The store as an object: the thread that writes, its queue, and edits.  A mutex and conditions
 * of the C library guard the queue, because the thread sanitizer understands those.  */
#include "core/run/store/annotation.h"
#include "core/run/store/owner.h"
#include "core/run/store/private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

enum {
  NEWS_CHANGED = 1 << 0,
  NEWS_TROUBLE = 1 << 1,
  NEWS_ELSEWHERE = 1 << 2,
};

enum { WATCH_NS = 500000000, NS_PER_S = 1000000000 };

enum {
  CHANGED,
  TROUBLE,
  ELSEWHERE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (SlStore, sl_store, G_TYPE_OBJECT)

/* ---- telling the main thread ---- */

static gboolean
tell (gpointer data)
{
  SlStore *self = data;
  guint    news;

  pthread_mutex_lock (&self->mutex);
  news = self->news;
  self->news = 0;
  pthread_mutex_unlock (&self->mutex);
  if (news & NEWS_TROUBLE)
    g_signal_emit (self, signals[TROUBLE], 0);
  if (news & NEWS_CHANGED)
    g_signal_emit (self, signals[CHANGED], 0);
  if (news & NEWS_ELSEWHERE)
    g_signal_emit (self, signals[ELSEWHERE], 0);
  return G_SOURCE_REMOVE;
}

/* Under the mutex.  The source holds a weak reference only: the writing thread must not keep its
 * own store alive.  */
static void
bring_news (SlStore *self, guint news)
{
  gboolean waiting = self->news != 0;
  GSource *source;

  self->news |= news;
  if (waiting || news == 0 || self->stop)
    return;
  if (self->bell != NULL)
    g_source_unref (self->bell);
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell, self, NULL);
  g_source_attach (source, self->context);
  self->bell = source;
}

/* ---- the thread that writes ---- */

/* Under the mutex. */
static void
take_trouble (SlStore *self, GError *error)
{
  if (self->trouble == NULL)
    self->trouble = g_error_copy (error);
  atomic_fetch_add (&self->epoch, 1);
  bring_news (self, NEWS_TROUBLE);
}

static gboolean
work_all (SlStore *self, SlStoreJob *jobs, GError **error)
{
  if (!sl_store_file_run (&self->writer, "BEGIN IMMEDIATE", error))
    return FALSE;
  for (SlStoreJob *job = jobs; job != NULL; job = job->next)
    if (!job->work (job, self, error))
      {
        sqlite3_exec (self->writer.db, "ROLLBACK", NULL, NULL, NULL);
        return FALSE;
      }
  if (sl_store_file_run (&self->writer, "COMMIT", error))
    return TRUE;
  sqlite3_exec (self->writer.db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

/* Under the mutex: what is waiting, up to a job that wants to be alone. */
static SlStoreJob *
take_batch (SlStore *self)
{
  SlStoreJob *jobs = self->first, **end = &self->first;

  if (jobs != NULL && jobs->alone)
    end = &jobs->next;
  else
    while (*end != NULL && !(*end)->alone)
      end = &(*end)->next;
  self->first = *end;
  if (self->first == NULL)
    self->last = &self->first;
  *end = NULL;
  return jobs;
}

/* A batch, in one transaction. */
static void
work_batch (SlStore *self, SlStoreJob *jobs, gboolean broken)
{
  g_autoptr (GError) error = NULL;
  gboolean fine = FALSE;
  uint64_t n = 0;

  if (!broken)
    fine = jobs->alone ? jobs->work (jobs, self, &error) : work_all (self, jobs, &error);
  while (jobs != NULL)
    {
      SlStoreJob *next = jobs->next;

      jobs->free (jobs);
      jobs = next;
      n++;
    }
  pthread_mutex_lock (&self->mutex);
  if (error != NULL)
    take_trouble (self, error);
  self->done += n;
  bring_news (self, fine ? NEWS_CHANGED : 0);
  pthread_cond_broadcast (&self->settled);
  pthread_mutex_unlock (&self->mutex);
}

/* Under the mutex, which it gives up meanwhile.  False: nothing is waiting. */
static gboolean
work_waiting (SlStore *self)
{
  SlStoreJob *jobs = take_batch (self);
  gboolean    broken = self->trouble != NULL;

  if (jobs == NULL)
    return FALSE;
  pthread_mutex_unlock (&self->mutex);
  work_batch (self, jobs, broken);
  pthread_mutex_lock (&self->mutex);
  return TRUE;
}

/* Under the mutex, which it gives up meanwhile: whether another program wrote since the last time.  Asking takes no
 * lock of the file.  */
static void
look_elsewhere (SlStore *self)
{
  gint64 version = 0, before = self->seen;

  pthread_mutex_unlock (&self->mutex);
  if (sl_store_number (&self->writer, &version, NULL, "PRAGMA data_version", "") <= 0)
    version = before;
  pthread_mutex_lock (&self->mutex);
  self->seen = version;
  if (before != 0 && version != before)
    bring_news (self, NEWS_ELSEWHERE);
}

/* Under the mutex: until something is asked for, or it is time to look what others wrote. */
static void
wait (SlStore *self)
{
  struct timespec until;

  if (self->watchers == 0)
    {
      pthread_cond_wait (&self->wake, &self->mutex);
      return;
    }
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += WATCH_NS;
  until.tv_sec += until.tv_nsec / NS_PER_S;
  until.tv_nsec %= NS_PER_S;
  if (pthread_cond_timedwait (&self->wake, &self->mutex, &until) == ETIMEDOUT && !self->stop)
    look_elsewhere (self);
}

/* As urgent as the main thread, though there is little to do: who quits waits for the batch it is at, for
 * seconds on a busy machine if that were nice.  What is waiting then is left to whoever told it to stop.  */
static void *
work (void *data)
{
  SlStore *self = data;

  pthread_mutex_lock (&self->mutex);
  while (!self->stop)
    if (!work_waiting (self))
      wait (self);
  pthread_mutex_unlock (&self->mutex);
  return NULL;
}

static void
end_thread (SlStore *self)
{
  pthread_mutex_lock (&self->mutex);
  self->stop = true;
  pthread_cond_signal (&self->wake);
  pthread_mutex_unlock (&self->mutex);
  pthread_join (self->thread, NULL);
  pthread_mutex_lock (&self->mutex);
  while (work_waiting (self))
    ;
  pthread_mutex_unlock (&self->mutex);
}

void
sl_store_watch (SlStore *store, gboolean watched)
{
  pthread_mutex_lock (&store->mutex);
  if (watched && store->watchers == 0)
    store->seen = 0;
  if (watched)
    store->watchers++;
  else if (store->watchers > 0)
    store->watchers--;
  pthread_cond_signal (&store->wake);
  pthread_mutex_unlock (&store->mutex);
}

void
sl_store_ask (SlStore *store, SlStoreJob *job)
{
  if (!store->threaded)
    {
      job->free (job);
      return;
    }
  job->next = NULL;
  pthread_mutex_lock (&store->mutex);
  *store->last = job;
  store->last = &job->next;
  store->asked++;
  pthread_cond_signal (&store->wake);
  pthread_mutex_unlock (&store->mutex);
}

/* ---- edits ---- */

typedef struct
{
  SlStoreJob  job;
  const char *sql;
  char       *uuid, *text;
  double      number;
  GBytes     *bytes;
} Edit;

static gboolean
edit (SlStoreJob *job, SlStore *store, GError **error)
{
  const Edit *self = (const Edit *) job;
  gsize       n = 0;
  const void *data = self->bytes != NULL ? g_bytes_get_data (self->bytes, &n) : NULL;

  return sl_store_do (&store->writer, error, self->sql, "ssdb", self->uuid, self->text,
                      self->number, data, n);
}

static void
edit_free (SlStoreJob *job)
{
  Edit *self = (Edit *) job;

  g_free (self->uuid);
  g_free (self->text);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

void
sl_store_ask_sql (SlStore *store, const char *sql, const char *uuid, const char *text,
                  double number, GBytes *bytes)
{
  Edit *self = g_new (Edit, 1);

  *self = (Edit) { .job = { .work = edit, .free = edit_free },
                   .sql = sql,
                   .uuid = g_strdup (uuid),
                   .text = g_strdup (text),
                   .number = number,
                   .bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL };
  sl_store_ask (store, &self->job);
}

void
sl_store_rename (SlStore *store, const char *uuid, const char *name)
{
  sl_store_ask_sql (store, "UPDATE run SET name = ?2 WHERE uuid = ?1", uuid, name, 0, NULL);
}

void
sl_store_set_colour (SlStore *store, const char *uuid, unsigned colour)
{
  sl_store_ask_sql (store, "UPDATE run SET colour = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid, "",
                    colour, NULL);
}

void
sl_store_set_pinned (SlStore *store, const char *uuid, gboolean pinned)
{
  sl_store_ask_sql (store, "UPDATE run SET pinned = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid, "",
                    pinned != FALSE, NULL);
}

void
sl_store_set_score (SlStore *store, const char *uuid, const char *name, double value)
{
  sl_store_ask_sql (
    store,
    "INSERT INTO figure (run, name, value) SELECT id, ?2, ?3 FROM run WHERE uuid = ?1"
    " ON CONFLICT DO UPDATE SET value = excluded.value",
    uuid, name, value, NULL);
}

void
sl_store_set_view (SlStore *store, const char *uuid, const char *json)
{
  sl_store_ask_sql (store, "UPDATE run SET view = ?2 WHERE uuid = ?1", uuid, json, 0, NULL);
}

void
sl_store_set_deleted (SlStore *store, const char *uuid, gboolean deleted)
{
  sl_store_ask_sql (store, "UPDATE run SET deleted = CAST (?3 AS INTEGER) WHERE uuid = ?1", uuid,
                    "", deleted != FALSE, NULL);
}

/* At most so many bytes of whole letters; free with g_free(). */
static char *
cut (const char *text, gsize most)
{
  char *valid = g_utf8_make_valid (text, -1);

  if (strlen (valid) > most)
    *g_utf8_find_prev_char (valid, valid + most + 1) = '\0';
  return valid;
}

void
sl_store_set_note (SlStore *store, const char *uuid, const char *note)
{
  g_autofree char *kept = cut (note, SL_NOTE_BYTES);

  sl_store_ask_sql (store,
                    "INSERT INTO annotation (run, note) SELECT id, ?2 FROM run WHERE uuid = ?1"
                    " ON CONFLICT DO UPDATE SET note = excluded.note",
                    uuid, kept, 0, NULL);
}

void
sl_store_set_tags (SlStore *store, const char *uuid, const char *tags)
{
  g_autofree char *kept = sl_tags_tidy (tags);

  sl_store_ask_sql (store,
                    "INSERT INTO annotation (run, tags) SELECT id, ?2 FROM run WHERE uuid = ?1"
                    " ON CONFLICT DO UPDATE SET tags = excluded.tags",
                    uuid, kept, 0, NULL);
}

/* ---- trouble ---- */

const GError *
sl_store_error (SlStore *store)
{
  pthread_mutex_lock (&store->mutex);
  g_clear_error (&store->shown);
  if (store->trouble != NULL)
    store->shown = g_error_copy (store->trouble);
  pthread_mutex_unlock (&store->mutex);
  return store->shown;
}

void
sl_store_retry (SlStore *store)
{
  pthread_mutex_lock (&store->mutex);
  if (store->trouble != NULL && store->writer.db != NULL)
    {
      g_clear_error (&store->trouble);
      bring_news (store, NEWS_TROUBLE);
    }
  pthread_mutex_unlock (&store->mutex);
}

gboolean
sl_store_flush (SlStore *store, GError **error)
{
  GError  *trouble = NULL;
  uint64_t until;

  pthread_mutex_lock (&store->mutex);
  until = store->asked;
  while (store->done < until)
    pthread_cond_wait (&store->settled, &store->mutex);
  if (store->trouble != NULL)
    trouble = g_error_copy (store->trouble);
  pthread_mutex_unlock (&store->mutex);
  if (trouble == NULL)
    return TRUE;
  g_propagate_error (error, trouble);
  return FALSE;
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
  return uri != NULL;
}

static gboolean
open_files (SlStore *self, GError **error)
{
  GError *trouble = NULL;

  if (make_folder (self->path, &trouble)
      && sl_store_file_open (&self->writer, self->path, self->path, TRUE, &trouble)
      && find_cut_off (self, &trouble)
      && sl_store_file_open (&self->reader, self->path, self->path, FALSE, &trouble))
    {
      self->owner = sl_store_owner ();
      self->threaded = pthread_create (&self->thread, NULL, work, self) == 0;
      return self->threaded
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

  if (self->threaded)
    end_thread (self);
  if (self->bell != NULL)
    {
      g_source_destroy (self->bell);
      g_source_unref (self->bell);
    }
  sqlite3_close (self->reader.db);
  sqlite3_close (self->writer.db);
  g_clear_error (&self->trouble);
  g_clear_error (&self->shown);
  g_clear_pointer (&self->context, g_main_context_unref);
  pthread_mutex_destroy (&self->mutex);
  pthread_mutex_destroy (&self->reading);
  pthread_cond_destroy (&self->wake);
  pthread_cond_destroy (&self->settled);
  g_free (self->owner);
  g_free (self->path);
  G_OBJECT_CLASS (sl_store_parent_class)->finalize (object);
}

static void
sl_store_class_init (SlStoreClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_store_finalize;
  signals[CHANGED]
    = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ELSEWHERE] = g_signal_new ("changed-elsewhere", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);
  signals[TROUBLE]
    = g_signal_new ("trouble", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}
