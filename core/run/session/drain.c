/* SPDX-License-Identifier: MIT
 *
 * Samples, pictures and events on their way out of the worker, from one timeout.  */
#include "core/run/session/private.h"

enum {
  DRAIN_MS = 33,      /* between two drains */
  DRAIN_FAST_MS = 10, /* at the start of a run, while loading, and when much is waiting */
  DRAIN_BATCH = 4096, /* samples between two looks at the clock */
  DRAIN_MAX_US = 8000,
};

static gboolean drain (gpointer data);

void
sl_session_schedule (SlSession *self)
{
  gboolean fast = self->loading.loader != NULL || g_get_monotonic_time () < self->drain.fast_until
                  || sl_worker_waiting (self->worker) > 0.25;

  if (self->drain.timer == 0)
    self->drain.timer = g_timeout_add (fast ? DRAIN_FAST_MS : DRAIN_MS, drain, self);
}

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

void
sl_session_take_state (SlSession *self)
{
  const SlWorkerState *state = sl_worker_state (self->worker);

  if (state == NULL || state->generation != self->generation)
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

/* ---- the drain ---- */

static gboolean
drain (gpointer data)
{
  SlSession *self = data;
  uint64_t   settled = sl_worker_settled (self->worker); /* before looking at what came */
  gint64     end = g_get_monotonic_time () + DRAIN_MAX_US;

  self->drain.timer = 0;
  sl_session_flush (self);
  while (take_batch (self) && g_get_monotonic_time () < end)
    ;
  take_snapshots (self);
  sl_session_take_state (self);
  sl_session_keep_up (self);
  if (self->loading.loader != NULL && sl_loader_done (self->loading.loader))
    sl_session_finish_loading (self);
  if (self->loading.loader != NULL || sl_worker_waiting (self->worker) > 0
      || (self->threaded && settled != self->commands.sent))
    sl_session_schedule (self);
  sl_session_notify (self);
  return G_SOURCE_REMOVE;
}

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
      sl_session_keep_end (self);
    }
  if (self->loading.loader != NULL)
    {
      sl_loader_finish (self->loading.loader, &loaded, &run);
      sl_run_free (run);
      sl_request_free (loaded);
      self->loading.loader = NULL;
    }
  g_clear_pointer (&self->loading.wanted, sl_request_free);
  /* Whatever the end brought, nothing is scheduled any more. */
  g_clear_handle_id (&self->drain.timer, g_source_remove);
}
