/* SPDX-License-Identifier: MIT
 *
 * Samples, pictures and events on their way out of the worker, from one timeout.  */
#include <stdlib.h>

#include "core/run/session/private.h"

enum {
  DRAIN_BATCH = 4096, /* samples between two looks at the clock */
  DRAIN_MAX_US = 8000,
  LEFT_MS = 100, /* between two looks at a thread that was left behind */
};

/* ---- what comes out ---- */

static void
out_of_memory (SlSession *self)
{
  SlStatus status
    = sl_status_new (SL_ENOMEM, "record", sl_message ("no room for more samples"), SL_NO_MESSAGE);

  if (self->error == NULL)
    sl_session_fail (self, &status);
  if (self->state == SL_RUNNING)
    {
      sl_session_send_mode (self, SL_COMMAND_PAUSE);
      sl_session_set_state (self, SL_PAUSED);
    }
}

/* Takes up to DRAIN_BATCH samples and events.  FALSE when there were no more. */
static gboolean
take_batch (SlSession *self)
{
  SlSample sample;
  SlEvent  event;
  bool     stored = true;

  for (unsigned i = 0; i < DRAIN_BATCH; i++)
    switch (sl_worker_take (self->worker, &sample, &event))
      {
      case SL_TOOK_NOTHING: return FALSE;
      case SL_TOOK_EVENT: sl_session_on_event (self, &event); break;
      case SL_TOOK_SAMPLE:
        stored = sl_record_take (&self->record, &sample) && stored;
        sl_session_keep_sample (self, &sample);
        self->notices |= SL_NOTICE_SAMPLES;
        break;
      }
  if (!stored)
    out_of_memory (self);
  return TRUE;
}

static void
measure_rate (SlSession *self)
{
  SlSessionInfo     *info = &self->info;
  const SlRatePoint *first;
  SlRatePoint        now = { info->seconds, info->progress.multiplications, info->step };
  unsigned           old = 0;

  /* A run that was taken back begins a new count. */
  if (self->rate.n > 0 && now.step < self->rate.point[self->rate.n - 1].step)
    self->rate.n = 0;
  if (self->rate.n == SL_SESSION_RATE_POINTS)
    old = 1;
  while (old + 1 < self->rate.n && self->rate.point[old + 1].seconds < now.seconds - 1.0)
    old++;
  self->rate.n -= old;
  memmove (self->rate.point, self->rate.point + old, self->rate.n * sizeof *self->rate.point);
  self->rate.point[self->rate.n++] = now;

  first = &self->rate.point[0];
  if (now.seconds > first->seconds)
    {
      double seconds = now.seconds - first->seconds;

      info->steps_per_second = (double) (now.step - first->step) / seconds;
      info->gflops = 2e-9 * (now.multiplications - first->multiplications) / seconds;
    }
}

/* The newest state that belongs to the events so far: where updates were taken back, the run shows
 * that state when all that follows from it is known, and not before.  */
static const SlWorkerState *
newest_state (SlSession *self)
{
  const SlWorkerState *state = sl_worker_state (self->worker);

  if (state == NULL)
    state = self->early;
  self->early = NULL;
  if (state == NULL || state->generation != self->generation)
    return NULL;
  if (state->course == self->commands.course)
    return state;
  self->early = state;
  return NULL;
}

void
sl_session_take_state (SlSession *self)
{
  const SlWorkerState *state = newest_state (self);

  if (state == NULL)
    return;
  self->info.step = state->step;
  self->info.progress = state->progress;
  self->info.seconds = state->seconds;
  self->info.waits = state->waits;
  self->past.n = state->checkpoints;
  memcpy (self->past.step, state->checkpoint, sizeof self->past.step);
  self->past.visiting = state->visiting;
  self->past.present = state->present;
  self->notices |= SL_NOTICE_PROGRESS;
  measure_rate (self);
}

static void
take_snapshots (SlSession *self)
{
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    {
      const SlSnapshot *snapshot = sl_worker_snapshot (self->worker, p);

      if (snapshot == NULL)
        continue;
      if (!sl_record_show (&self->record, snapshot))
        out_of_memory (self);
      self->notices |= SL_NOTICE_SAMPLES;
    }
}

/* A past that is looked at is no moment of the run. */
static void
offer_moment (SlSession *self)
{
  if (!self->past.visiting)
    sl_kept_moments_offer (&self->shown.moments, &self->record, self->info.step);
}

/* ---- the drain ---- */

gboolean
sl_session_drain (gpointer data)
{
  SlSession *self = data;
  uint64_t   settled = sl_worker_settled (self->worker); /* before looking at what came */
  gint64     end = g_get_monotonic_time () + DRAIN_MAX_US;
  gboolean   loading = self->loading.loader != NULL && !self->loading.given_up;

  self->drain.timer = 0;
  sl_session_flush (self);
  while (take_batch (self) && g_get_monotonic_time () < end)
    ;
  take_snapshots (self);
  sl_session_take_state (self);
  offer_moment (self);
  if (self->state != SL_RUNNING)
    sl_kept_moments_write (&self->shown.moments, self->stored.store, sl_session_uuid (self));
  sl_session_keep_up (self);
  if (loading && sl_loader_done (self->loading.loader))
    {
      sl_session_finish_loading (self);
      loading = self->loading.loader != NULL;
    }
  if (self->loading.renewal != NULL && sl_loader_done (self->loading.renewal))
    sl_session_finish_renewal (self, TRUE);
  if (loading || self->loading.renewal != NULL || sl_worker_waiting (self->worker) > 0
      || (self->threaded && settled != self->commands.sent))
    sl_session_schedule (self);
  sl_session_notify (self);
  return G_SOURCE_REMOVE;
}

/* ---- the end ---- */

/* The order matters.  Ask first: the thread ends after its update.  Keep draining until it
 * has: it may be waiting for room in the queue.  Join; drain what it left.  Nothing is lost and
 * nothing is touched by two threads.  */
void
sl_session_end_threads (SlSession *self)
{
  SlRequest *loaded;
  SlRun     *run;

  g_clear_handle_id (&self->drain.timer, g_source_remove);
  if (self->threaded)
    {
      sl_worker_ask_to_stop (self->worker);
      while (!sl_worker_ended (self->worker))
        if (!take_batch (self))
          g_usleep (200);
      sl_worker_join (self->worker);
      self->threaded = FALSE;
      while (take_batch (self))
        ;
      take_snapshots (self);
      sl_session_take_state (self);
      offer_moment (self);
      sl_kept_moments_write (&self->shown.moments, self->stored.store, sl_session_uuid (self));
      sl_session_keep_end (self);
    }
  if (self->loading.loader != NULL)
    {
      sl_loader_finish (self->loading.loader, &loaded, &run);
      sl_run_free (run);
      sl_request_free (loaded);
      self->loading.loader = NULL;
    }
  if (self->loading.renewal != NULL)
    sl_session_finish_renewal (self, FALSE);
  self->loading.given_up = false;
  g_clear_pointer (&self->loading.wanted, sl_request_free);
  /* Whatever the end brought, nothing is scheduled any more. */
  g_clear_handle_id (&self->drain.timer, g_source_remove);
}

/* ---- an end that waits no longer than it may ---- */

static GSList *left_behind; /* of SlSession, with a reference: their threads are still at work */

gboolean
sl_session_has_stopped (SlSession *session)
{
  return (!session->threaded || sl_worker_ended (session->worker))
         && (session->loading.loader == NULL || sl_loader_done (session->loading.loader))
         && (session->loading.renewal == NULL || sl_loader_done (session->loading.renewal));
}

/* What was set and has not come to the thread's notice is set after the last thing that came from there:
 * the update that the thread is at is made again, before it or after it.  */
static void
set_the_unread (SlSession *self)
{
  const GArray *changes = self->recipe.changes;
  SlEvent       event = { .kind = SL_EVENT_SET, .generation = self->generation };

  event.step = MAX (sl_session_present (self), sl_session_keep_steps (self));
  if (changes->len > 0)
    event.step = MAX (event.step, g_array_index (changes, SlChange, changes->len - 1).step);
  for (unsigned p = 0; p < self->record.lab->n_params; p++)
    if (!sl_value_same (&self->settings.value[p], &self->effective->value[p]))
      {
        event.param = p;
        event.value = self->settings.value[p];
        event.number = self->commands.set_sent[p];
        sl_session_on_event (self, &event);
      }
}

/* What the thread still says has no place any more, but it may be waiting for room to say it. */
static void
discard (SlSession *self)
{
  SlSample sample;
  SlEvent  event;
  SlTaken  taken;

  while ((taken = sl_worker_take (self->worker, &sample, &event)) != SL_TOOK_NOTHING)
    if (taken == SL_TOOK_EVENT)
      sl_session_free_event (&event);
}

static gboolean
look_after_left (gpointer data)
{
  SlSession *self = data;

  sl_session_keep_nothing (self);
  discard (self);
  if (!sl_session_has_stopped (self))
    return G_SOURCE_CONTINUE;
  left_behind = g_slist_remove (left_behind, self);
  g_object_unref (self);
  return G_SOURCE_REMOVE;
}

/* All that came before the spare state is there once that is; what came after may have taken it back. */
static void
leave_behind (SlSession *self)
{
  SlEvent *spare = sl_worker_take_spare (self->worker);

  while (take_batch (self))
    ;
  sl_session_take_state (self);
  if (self->record.lab != NULL)
    set_the_unread (self);
  if (spare != NULL && spare->number >= self->commands.restored)
    sl_session_keep_spare (self, spare);
  if (spare != NULL)
    sl_session_free_event (spare);
  free (spare);
  sl_session_keep_end (self);
  g_clear_handle_id (&self->drain.timer, g_source_remove);
  left_behind = g_slist_prepend (left_behind, g_object_ref (self));
  g_timeout_add (LEFT_MS, look_after_left, self);
}

void
sl_session_leave (SlSession *session, gint64 deadline)
{
  sl_session_ask_to_stop (session);
  while (!sl_session_has_stopped (session) && g_get_monotonic_time () < deadline)
    if (!take_batch (session))
      g_usleep (200);
  if (sl_session_has_stopped (session))
    sl_session_stop (session);
  else if (g_slist_find (left_behind, session) == NULL)
    leave_behind (session);
}

unsigned
sl_session_close_left (void)
{
  for (GSList *l = left_behind; l != NULL; l = l->next)
    sl_session_keep_nothing (l->data);
  return g_slist_length (left_behind);
}
