/* SPDX-License-Identifier: MIT
 *
 * The thread of a store that writes, its queue, and what it tells the main thread.  A mutex and conditions
 * of the C library guard the queue, because the thread sanitizer understands those.  */
#include <errno.h>

#include "core/run/store/private.h"

enum {
  NEWS_CHANGED = 1 << 0,
  NEWS_TROUBLE = 1 << 1,
  NEWS_ELSEWHERE = 1 << 2,
};

enum { WATCH_NS = 500000000, NS_PER_S = 1000000000 };

/* Runs that are told one by one. */
enum { WRITTEN_MOST = 1000 };

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
    g_signal_emit_by_name (self, "trouble");
  if (news & NEWS_CHANGED)
    g_signal_emit_by_name (self, "changed");
  if (news & NEWS_ELSEWHERE)
    g_signal_emit_by_name (self, "changed-elsewhere");
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

/* Under the mutex: the waiting jobs, up to one that must run alone. */
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

/* Under the mutex: remembers which runs they wrote. */
static void
note_written (SlStore *self, const SlStoreJob *jobs)
{
  for (; jobs != NULL && !self->any_written; jobs = jobs->next)
    if (jobs->uuid == NULL || g_hash_table_size (self->written) >= WRITTEN_MOST)
      self->any_written = true;
    else if (!g_hash_table_contains (self->written, jobs->uuid))
      g_hash_table_add (self->written, g_strdup (jobs->uuid));
}

char **
sl_store_take_written (SlStore *store)
{
  char **uuids = NULL;

  pthread_mutex_lock (&store->mutex);
  if (!store->any_written)
    {
      uuids = (char **) g_hash_table_get_keys_as_array (store->written, NULL);
      g_hash_table_steal_all (store->written);
    }
  g_hash_table_remove_all (store->written);
  store->any_written = false;
  pthread_mutex_unlock (&store->mutex);
  return uuids;
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
  if (fine)
    {
      pthread_mutex_lock (&self->mutex);
      note_written (self, jobs);
      pthread_mutex_unlock (&self->mutex);
    }
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

/* Under the mutex: until there is a job, or it is time to read what other programs wrote. */
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

/* Runs at the priority of the main thread, though it has little to do: a program that quits waits
 * for the batch in progress, which at a lower priority takes seconds on a busy machine.  Jobs that
 * still wait when the thread stops are left to sl_store_end_thread().  */
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

gboolean
sl_store_begin_thread (SlStore *self)
{
  self->threaded = pthread_create (&self->thread, NULL, work, self) == 0;
  return self->threaded;
}

void
sl_store_end_thread (SlStore *self)
{
  if (!self->threaded)
    return;
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
