/* SPDX-License-Identifier: MIT
 *
 * The thread of a store that writes, its queue, and what it tells the main thread.  A mutex and conditions
 * of the C library guard the queue, because the thread sanitizer understands those.  */
#include <errno.h>
#include <string.h>

#include "core/run/store/private.h"
#include "core/run/store/room.h"

enum {
  NEWS_CHANGED = 1 << 0,
  NEWS_TROUBLE = 1 << 1,
  NEWS_ELSEWHERE = 1 << 2,
};

enum {
  WATCH_US = 500000,
  PAUSE_US = 5000000, /* between a try that failed and the next, at first, */
  LONGEST_PAUSE_US = 60000000,
  BATCH = 256, /* jobs: of much that waited, what there is room for gets stored */
  LAST_BUSY_MS = 2000,
  IDLE_WAITS = 4, /* before free pages of the file are given back */
  IDLE_OVER,      /* there are none */
  SHRINK_AT_END
  = 16, /* times, which take a tenth of a second; the rest goes in the next idle time */
};

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

/* Under the mutex: what is done, or never will be. */
static void
drop (SlStore *self, SlStoreJob *job)
{
  job->free (job);
  self->done++;
}

/* Under the mutex: takes out of what waits the jobs that run alone, or those of a key. */
static void
drop_waiting (SlStore *self, gconstpointer key)
{
  SlStoreJob **at = &self->first;

  while (*at != NULL)
    {
      SlStoreJob *job = *at;

      if (key != NULL ? job->key != key : !job->alone)
        {
          at = &job->next;
          continue;
        }
      *at = job->next;
      drop (self, job);
    }
  self->last = at;
}

/* Under the mutex.  A caller waits for jobs that run alone. */
static void
take_trouble (SlStore *self, const GError *error)
{
  if (self->trouble == NULL || strcmp (self->trouble->message, error->message) != 0)
    {
      g_clear_error (&self->trouble);
      self->trouble = g_error_copy (error);
      bring_news (self, NEWS_TROUBLE);
    }
  self->pause = CLAMP (2 * self->pause, PAUSE_US, LONGEST_PAUSE_US);
  self->due = g_get_monotonic_time () + self->pause;
  drop_waiting (self, NULL);
}

/* Under the mutex: the try of this number succeeded. */
static void
end_trouble (SlStore *self, uint64_t number)
{
  self->due = 0;
  if (self->first != NULL || self->trouble == NULL)
    return;
  g_clear_error (&self->trouble);
  self->pause = 0;
  self->tried = number;
  self->remake = false;
  bring_news (self, NEWS_TROUBLE);
}

/* What the file refused for another reason than its disk is not tried again. */
static void
refuse (SlStore *self, SlStoreJob *job, const GError *error)
{
  job->refused = true;
  pthread_mutex_lock (&self->mutex);
  g_clear_error (&self->refused);
  self->refused = g_error_copy (error);
  pthread_mutex_unlock (&self->mutex);
}

static gboolean
work_each (SlStore *self, SlStoreJob *jobs, GError **error)
{
  for (SlStoreJob *job = jobs; job != NULL; job = job->next)
    if (!job->refused && !job->work (job, self, error))
      {
        if (!sl_store_file_is_ill (&self->writer))
          refuse (self, job, *error);
        return FALSE;
      }
  return TRUE;
}

static gboolean
work_all (SlStore *self, SlStoreJob *jobs, GError **error)
{
  if (!sl_store_file_run (&self->writer, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (work_each (self, jobs, error) && sl_store_file_run (&self->writer, "COMMIT", error))
    return TRUE;
  sqlite3_exec (self->writer.db, "ROLLBACK", NULL, NULL, NULL);
  self->rolled_back++;
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
    for (unsigned n = 0; *end != NULL && !(*end)->alone && n < BATCH; n++)
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

/* Under the mutex: the jobs wait on, before all others. */
static void
put_back (SlStore *self, SlStoreJob *jobs)
{
  SlStoreJob **end = &jobs->next;

  while (*end != NULL)
    end = &(*end)->next;
  *end = self->first;
  if (self->first == NULL)
    self->last = end;
  self->first = jobs;
}

static void
free_batch (SlStore *self, SlStoreJob *jobs)
{
  while (jobs != NULL)
    {
      SlStoreJob *next = jobs->next;

      drop (self, jobs);
      jobs = next;
    }
}

/* A batch, in one transaction, as the try of this number. */
static void
work_batch (SlStore *self, SlStoreJob *jobs, uint64_t number)
{
  g_autoptr (GError) error = NULL;
  gboolean fine;

  pthread_mutex_lock (&self->writing);
  fine = sl_store_find_place (self, &error)
         && (jobs->alone ? jobs->work (jobs, self, &error) : work_all (self, jobs, &error));
  pthread_mutex_unlock (&self->writing);
  pthread_mutex_lock (&self->mutex);
  if (fine)
    note_written (self, jobs);
  if (fine || jobs->alone)
    free_batch (self, jobs);
  else
    put_back (self, jobs);
  if (fine)
    end_trouble (self, number);
  else
    take_trouble (self, error);
  if (!fine)
    self->tried = number;
  bring_news (self, fine ? NEWS_CHANGED : 0);
  pthread_cond_broadcast (&self->settled);
  pthread_mutex_unlock (&self->mutex);
}

/* Under the mutex: in trouble now and then, and when that was asked for. */
static bool
may_try (const SlStore *self)
{
  return self->trouble == NULL || self->tries != self->tried
         || g_get_monotonic_time () >= self->due;
}

/* Under the mutex, which it gives up meanwhile.  False: nothing is to be done now. */
static gboolean
work_waiting (SlStore *self)
{
  uint64_t    number = self->tries;
  SlStoreJob *jobs = may_try (self) ? take_batch (self) : NULL;

  if (jobs == NULL)
    {
      if (self->first == NULL)
        end_trouble (self, number);
      return FALSE;
    }
  self->idle = 0;
  pthread_mutex_unlock (&self->mutex);
  work_batch (self, jobs, number);
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
  sl_store_mend_index (self);
  if (sl_store_number (&self->writer, &version, NULL, "PRAGMA data_version", "") <= 0)
    version = before;
  pthread_mutex_lock (&self->mutex);
  self->seen = version;
  if (before != 0 && version != before)
    bring_news (self, NEWS_ELSEWHERE);
}

/* Under the mutex, which it gives up meanwhile: what there is to do without a job. */
static void
use_idle_time (SlStore *self)
{
  bool more = false;

  if (self->watchers > 0)
    look_elsewhere (self);
  if (++self->idle < IDLE_WAITS)
    return;
  if (self->trouble == NULL)
    {
      pthread_mutex_unlock (&self->mutex);
      pthread_mutex_lock (&self->writing);
      more = sl_store_shrink (self);
      pthread_mutex_unlock (&self->writing);
      pthread_mutex_lock (&self->mutex);
    }
  self->idle = more ? IDLE_WAITS - 1 : IDLE_OVER;
}

/* Under the mutex: until there is a job, it is time to try again, or something can be done without a job. */
static void
wait (SlStore *self)
{
  gint64          pause = self->watchers > 0 || self->idle < IDLE_OVER ? WATCH_US : G_MAXINT64, end;
  struct timespec until;

  if (self->trouble != NULL)
    pause = CLAMP (self->due - g_get_monotonic_time (), 0, pause);
  if (pause == G_MAXINT64)
    {
      pthread_cond_wait (&self->wake, &self->mutex);
      return;
    }
  end = g_get_real_time () + pause;
  until.tv_sec = end / G_USEC_PER_SEC;
  until.tv_nsec = end % G_USEC_PER_SEC * 1000;
  if (pthread_cond_timedwait (&self->wake, &self->mutex, &until) == ETIMEDOUT && !self->stop)
    use_idle_time (self);
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
  self->ending = true;
  if (self->trouble != NULL)
    sqlite3_busy_timeout (self->writer.db, LAST_BUSY_MS);
  for (int attempt = 0; attempt < 2; attempt++, self->tries++)
    while (work_waiting (self))
      ;
  free_batch (self, g_steal_pointer (&self->first));
  pthread_mutex_unlock (&self->mutex);
  for (unsigned i = 0; i < SHRINK_AT_END && self->trouble == NULL && sl_store_shrink (self); i++)
    ;
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

const SlStoreFile *
sl_store_writer (SlStore *store)
{
  return &store->writer;
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
  if (store->trouble != NULL && job->key != NULL)
    drop_waiting (store, job->key);
  *store->last = job;
  store->last = &job->next;
  store->asked++;
  if (store->trouble != NULL && job->alone)
    drop_waiting (store, NULL);
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

SlStorePlace
sl_store_place (SlStore *store)
{
  SlStorePlace place;

  pthread_mutex_lock (&store->mutex);
  place = store->place;
  pthread_mutex_unlock (&store->mutex);
  return place;
}

/* Under the mutex. */
static void
ask_for_try (SlStore *self)
{
  self->remake = true;
  self->tries++;
  pthread_cond_signal (&self->wake);
}

gboolean
sl_store_writes (SlStore *store)
{
  return store->threaded;
}

void
sl_store_retry (SlStore *store)
{
  pthread_mutex_lock (&store->mutex);
  if (store->trouble != NULL && store->threaded)
    ask_for_try (store);
  g_clear_error (&store->refused);
  pthread_mutex_unlock (&store->mutex);
}

void
sl_store_move (SlStore *store, const char *path)
{
  pthread_mutex_lock (&store->mutex);
  store->wanted = g_intern_string (path);
  ask_for_try (store);
  pthread_mutex_unlock (&store->mutex);
}

/* Under the mutex: until the jobs up to a number are done, or the tries that were asked for were in vain. */
static void
wait_for (SlStore *self, uint64_t until)
{
  while (self->done < until
         && (self->trouble == NULL || (self->threaded && self->tried != self->tries)))
    pthread_cond_wait (&self->settled, &self->mutex);
}

/* Under the mutex. */
static gboolean
answer (const GError *trouble, GError **error)
{
  if (trouble != NULL)
    g_propagate_error (error, g_error_copy (trouble));
  return trouble == NULL;
}

gboolean
sl_store_flush (SlStore *store, GError **error)
{
  gboolean fine;

  pthread_mutex_lock (&store->mutex);
  wait_for (store, store->asked);
  fine = answer (store->trouble, error);
  pthread_mutex_unlock (&store->mutex);
  return fine;
}

gboolean
sl_store_settle (SlStore *store, GError **error)
{
  gboolean fine;

  pthread_mutex_lock (&store->mutex);
  wait_for (store, store->asked);
  store->ending = true;
  if (store->trouble != NULL)
    ask_for_try (store);
  wait_for (store, store->asked);
  fine = answer (store->trouble != NULL ? store->trouble : store->refused, error);
  pthread_mutex_unlock (&store->mutex);
  return fine;
}
