/* SPDX-License-Identifier: MIT
 *
 * What goes out of the worker: samples, pictures, events and the newest state.  */
#include "core/run/session/worker-private.h"

#include <time.h>

/* The reader is behind: waits until there is room, in naps that grow from 0.1 to 3 ms.  Nothing
 * is dropped, so this ends with the reader's next look; it looks until we have ended.  */
static void
push_patiently (SlWorker *worker, SlSpsc *ring, const void *element)
{
  struct timespec nap = { .tv_nsec = 100000 };

  if (sl_spsc_push (ring, element))
    return;
  worker->waits++;
  if (worker->slice != NULL)
    sl_time_slice_pass (worker->slice);
  while (!sl_spsc_push (ring, element))
    {
      nanosleep (&nap, NULL);
      if (nap.tv_nsec < 3000000)
        nap.tv_nsec *= 2;
    }
}

static void
take (SlSink *sink, const SlSample *sample)
{
  SlWorker *worker = (SlWorker *) sink;

  push_patiently (worker, &worker->samples, sample);
}

static SlSnapshot *
open_panel (SlSink *sink, unsigned panel)
{
  SlWorker        *worker = (SlWorker *) sink;
  const SlSubject *subject = sink->subject;
  SlSnapshot      *snapshot = &worker->panel[panel].snapshot[worker->panel[panel].latest.back];

  if (!worker->panel[panel].watched)
    return NULL;
  sl_snapshot_reset (snapshot);
  snapshot->step = sink->step;
  snapshot->generation = sink->generation;
  snapshot->panel = panel;
  snapshot->touched = subject != NULL && (subject->n_own > 0 || subject->n_closed > 0);
  return snapshot;
}

static void
publish_panel (SlSink *sink, SlSnapshot *snapshot)
{
  SlWorker *worker = (SlWorker *) sink;

  sl_latest_publish (&worker->panel[snapshot->panel].latest);
}

void
sl_worker_publish_state (SlWorker *worker, double now)
{
  SlWorkerState *state = &worker->state.of[worker->state.latest.back];

  *state = (SlWorkerState) { .generation = worker->run->generation,
                             .step = sl_trainer_steps (worker->run->trainer),
                             .seconds = worker->seconds,
                             .waits = worker->waits,
                             .visiting = worker->past.visiting,
                             .course = worker->past.course,
                             .checkpoints = worker->history.n };
  state->present = worker->past.visiting ? worker->past.present.step : state->step;
  for (unsigned i = 0; i < worker->history.n; i++)
    state->checkpoint[i] = worker->history.checkpoint[i].step;
  sl_trainer_progress (worker->run->trainer, &state->progress);
  sl_latest_publish (&worker->state.latest);
  worker->published = now;
}

/* The event first, then its mark among the samples, so that a reader of the mark finds it. */
void
sl_worker_push_event (SlWorker *worker, SlEvent *event)
{
  SlSample mark = { .channel = SL_EVENT_CHANNEL };

  event->number = worker->number;
  if (worker->run != NULL && event->kind != SL_EVENT_RETIRED)
    {
      event->generation = worker->run->generation;
      event->step = sl_trainer_steps (worker->run->trainer);
      event->seconds = worker->seconds;
      event->visiting = worker->past.visiting;
      event->course = worker->past.course;
      sl_worker_publish_state (worker, sl_clock_wall ());
    }
  push_patiently (worker, &worker->events, event);
  push_patiently (worker, &worker->samples, &mark);
}

/* True when a command waits, whose step goes before any picture, or when the thread is to end. */
static bool
hurry (SlSink *sink)
{
  SlWorker *worker = (SlWorker *) sink;

  return sl_spsc_fill (&worker->commands) > 0 || sl_worker_stops (worker);
}

void
sl_worker_push_mode (SlWorker *worker, SlWorkerMode mode, const SlStatus *status)
{
  SlEvent event = { .kind = SL_EVENT_MODE, .mode = mode, .status = *status };

  worker->mode = mode;
  if (mode == SL_WORKER_PAUSED || mode == SL_WORKER_FINISHED)
    {
      sl_worker_keep_checkpoint (worker);
      if (!hurry (&worker->sink)) /* what comes next may show something else */
        sl_worker_keep_visited (worker);
    }
  sl_worker_push_event (worker, &event);
}

void
sl_worker_init_sink (SlWorker *worker)
{
  worker->sink
    = (SlSink) { .take = take, .open = open_panel, .publish = publish_panel, .hurry = hurry };
}
