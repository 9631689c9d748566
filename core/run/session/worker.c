/* SPDX-License-Identifier: MIT
 *
 * The training thread: read commands, make one update, look after probes and checkpoints,
 * again.  An update of a small network takes microseconds, so the way from one to the next is
 * a few comparisons and one look at the clock.  */
#include "core/run/session/worker-private.h"

#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <time.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"

enum {
  SAMPLES = 1 << 16,
  COMMANDS = 256,
  EVENTS = 64,
};

/* False when a command came instead of our turn. */
static bool
take_turn (SlWorker *worker)
{
  if (worker->slice == NULL)
    return true;
  sl_time_slice_at (worker->slice, sl_trainer_steps (worker->run->trainer));
  if (!sl_time_slice_take (worker->slice))
    return false;
  worker->mark = sl_clock_wall ();
  return true;
}

/* Gives up the slot; a run that is over does not hold back those that stay level with it. */
static void
rest (SlWorker *worker)
{
  if (worker->slice != NULL)
    sl_time_slice_rest (worker->slice,
                        worker->mode == SL_WORKER_FINISHED || worker->mode == SL_WORKER_DIVERGED);
}

/* Updates a second that the user chose; 0: as many as can be made. */
static double
pace_of (const SlWorker *worker)
{
  const SlLab *lab = worker->run->lab;
  int param = lab->pace != NULL ? sl_param_find (lab->params, lab->n_params, lab->pace) : -1;

  return param < 0 ? worker->pace.updates
                   : sl_trainer_settings (worker->run->trainer)->value[param].v[0];
}

/* Sleeps until a time on the clock, a command or the end, whichever comes first. */
static void
sleep_until (SlWorker *worker, double when)
{
  double          left = when - sl_clock_wall ();
  struct timespec end;

  if (left <= 0.0)
    return;
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_nsec += (long) ((left - floor (left)) * 1e9);
  end.tv_sec += (time_t) left + end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  pthread_mutex_lock (&worker->mutex);
  if (sl_spsc_fill (&worker->commands) == 0 && !sl_worker_stops (worker))
    pthread_cond_timedwait (&worker->wake, &worker->mutex, &end);
  pthread_mutex_unlock (&worker->mutex);
}

/* Until a command comes, or a forward pass is to be timed. */
static void
sleep_until_wanted (SlWorker *worker)
{
  double next = worker->run != NULL ? sl_worker_clock_next (worker) : HUGE_VAL;

  if (isfinite (next))
    {
      sleep_until (worker, next);
      return;
    }
  /* A thread that sees this number sees all that was published before it. */
  atomic_store_explicit (&worker->settled, worker->number, memory_order_release);
  pthread_mutex_lock (&worker->mutex);
  while (sl_spsc_fill (&worker->commands) == 0 && !sl_worker_stops (worker))
    pthread_cond_wait (&worker->wake, &worker->mutex);
  pthread_mutex_unlock (&worker->mutex);
}

/* False when the next update is not to be made yet; then time has passed, with probes if any are due. */
static bool
keep_pace (SlWorker *worker)
{
  double pace = pace_of (worker), now = sl_clock_wall ();

  if (!(pace > 0.0) || worker->step_once)
    return true;
  worker->pace.next = fmin (worker->pace.next, now + 1.0 / pace); /* after a change of pace */
  if (now >= worker->pace.next)
    {
      worker->mark = now;
      return true;
    }
  if (sl_worker_clock_due (worker, now))
    sl_worker_clock_go (worker);
  else if (!sl_worker_probe_one (worker, now))
    {
      sl_worker_publish_state (worker, now);
      rest (worker); /* others may have its slot meanwhile */
      sleep_until (worker, worker->pace.next);
    }
  worker->mark = sl_clock_wall ();
  return false;
}

static void
update_in_turn (SlWorker *worker)
{
  /* A single update does not wait for runs to stay level with: they may be paused. */
  bool   alone = worker->step_once;
  double pace = pace_of (worker);

  if (!alone && !take_turn (worker))
    return;
  if (pace > 0.0)
    worker->pace.next = sl_clock_wall () + 1.0 / pace;
  sl_worker_update (worker);
  if (worker->slice != NULL && !alone)
    sl_time_slice_done (worker->slice);
}

static void *
work (void *data)
{
  SlWorker *worker = data;

  /* Before the first product, so that the threads of the BLAS inherit it. */
  if (worker->unseen)
    sl_cpu_be_nice (SL_NICE_UNSEEN);
  if (worker->run != NULL)
    sl_blas_set_threads (worker->run->plan.threads);
  worker->mark = sl_clock_wall ();
  while (!sl_worker_stops (worker))
    {
      sl_worker_read_commands (worker);
      if (worker->run != NULL && (worker->mode == SL_WORKER_RUNNING || worker->step_once))
        {
          if (keep_pace (worker))
            update_in_turn (worker);
        }
      else
        {
          rest (worker);
          if (worker->run != NULL && sl_worker_clock_due (worker, sl_clock_wall ()))
            sl_worker_clock_go (worker);
          else if (worker->run == NULL || !sl_worker_probe_one (worker, sl_clock_wall ()))
            sleep_until_wanted (worker);
          worker->mark = sl_clock_wall ();
        }
    }
  sl_worker_read_last_commands (worker);
  sl_worker_keep_checkpoint (worker);
  sl_worker_keep_visited (worker);
  if (worker->run != NULL)
    sl_worker_publish_state (worker, sl_clock_wall ()); /* its state until the next start */
  rest (worker);
  atomic_store_explicit (&worker->ended, true, memory_order_release);
  return NULL;
}

/* ---- the owner's side ---- */

SlWorker *
sl_worker_new (size_t checkpoint_bytes)
{
  /* The rings keep their indices on cache lines of their own. */
  SlWorker *worker = g_aligned_alloc0 (1, sizeof (SlWorker), alignof (SlWorker));

  sl_worker_init_sink (worker);
  worker->history.budget = checkpoint_bytes;
  sl_latest_init (&worker->state.latest);
  sl_latest_init (&worker->subject.latest);
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    sl_latest_init (&worker->panel[p].latest);
  atomic_init (&worker->stop, false);
  atomic_init (&worker->ended, false);
  atomic_init (&worker->settled, 0);
  atomic_init (&worker->keep.spare, NULL);
  pthread_mutex_init (&worker->mutex, NULL);
  pthread_cond_init (&worker->wake, NULL);
  return worker;
}

void
sl_worker_free (SlWorker *worker)
{
  sl_worker_drop_spare (worker);
  sl_spsc_clear (&worker->samples);
  sl_spsc_clear (&worker->events);
  sl_spsc_clear (&worker->commands);
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    for (unsigned i = 0; i < 3; i++)
      sl_snapshot_clear (&worker->panel[p].snapshot[i]);
  sl_history_clear (&worker->history);
  sl_checkpoint_clear (&worker->past.present);
  sl_time_slice_free (worker->slice);
  pthread_mutex_destroy (&worker->mutex);
  pthread_cond_destroy (&worker->wake);
  g_aligned_free (worker);
}

bool
sl_worker_set_scheduler (SlWorker *worker, SlScheduler *scheduler)
{
  sl_time_slice_free (worker->slice);
  worker->slice = scheduler != NULL ? sl_time_slice_new (scheduler) : NULL;
  return scheduler == NULL || worker->slice != NULL;
}

void
sl_worker_set_unseen (SlWorker *worker)
{
  worker->unseen = true;
}

/* The queues between the threads: until the first start they are empty and take nothing. */
static SlStatus
make_rings (SlWorker *worker)
{
  SlStatus status = SL_SUCCESS;

  if (worker->samples.slots == NULL)
    status = sl_spsc_init (&worker->samples, SAMPLES, sizeof (SlSample));
  if (sl_ok (&status) && worker->events.slots == NULL)
    status = sl_spsc_init (&worker->events, EVENTS, sizeof (SlEvent));
  if (sl_ok (&status) && worker->commands.slots == NULL)
    status = sl_spsc_init (&worker->commands, COMMANDS, sizeof (SlCommand));
  return status;
}

SlStatus
sl_worker_start (SlWorker *worker)
{
  SlStatus status = SL_SUCCESS;

  if (worker->started)
    return status;
  status = make_rings (worker);
  if (!sl_ok (&status))
    return status;
  atomic_store (&worker->stop, false);
  atomic_store (&worker->ended, false);
  worker->started = pthread_create (&worker->thread, NULL, work, worker) == 0;
  return worker->started ? status
                         : sl_status_new (SL_ENOMEM, "run",
                                          sl_message ("no thread could be created"), SL_NO_MESSAGE);
}

static void
wake_up (SlWorker *worker)
{
  pthread_mutex_lock (&worker->mutex);
  pthread_cond_signal (&worker->wake);
  pthread_mutex_unlock (&worker->mutex);
  if (worker->slice != NULL)
    sl_time_slice_call (worker->slice);
}

void
sl_worker_set_subject (SlWorker *worker, const SlSubject *subject)
{
  worker->subject.of[worker->subject.latest.back] = *subject;
  sl_latest_publish (&worker->subject.latest);
}

bool
sl_worker_stops (SlWorker *worker)
{
  return atomic_load_explicit (&worker->stop, memory_order_acquire);
}

void
sl_worker_ask_to_stop (SlWorker *worker)
{
  atomic_store_explicit (&worker->stop, true, memory_order_release);
  wake_up (worker);
}

bool
sl_worker_ended (SlWorker *worker)
{
  return !worker->started || atomic_load_explicit (&worker->ended, memory_order_acquire);
}

void
sl_worker_join (SlWorker *worker)
{
  if (worker->started)
    pthread_join (worker->thread, NULL);
  worker->started = false;
}

SlEvent *
sl_worker_take_spare (SlWorker *worker)
{
  return atomic_exchange_explicit (&worker->keep.spare, NULL, memory_order_acq_rel);
}

bool
sl_worker_send (SlWorker *worker, const SlCommand *command)
{
  if (!sl_spsc_push (&worker->commands, command))
    return false;
  wake_up (worker);
  return true;
}

uint64_t
sl_worker_settled (SlWorker *worker)
{
  return atomic_load_explicit (&worker->settled, memory_order_acquire);
}

SlTaken
sl_worker_take (SlWorker *worker, SlSample *sample, SlEvent *event)
{
  if (!sl_spsc_pop (&worker->samples, sample))
    return SL_TOOK_NOTHING;
  if (sample->channel != SL_EVENT_CHANNEL)
    return SL_TOOK_SAMPLE;
  return sl_spsc_pop (&worker->events, event) ? SL_TOOK_EVENT : SL_TOOK_NOTHING;
}

double
sl_worker_waiting (SlWorker *worker)
{
  uint64_t n = sl_spsc_fill (&worker->samples);

  return n > 0 ? (double) n / (double) worker->samples.capacity : 0.0;
}

const SlSnapshot *
sl_worker_snapshot (SlWorker *worker, unsigned panel)
{
  SlWorkerPanel *p = &worker->panel[panel];

  return sl_latest_take (&p->latest) ? &p->snapshot[p->latest.front] : NULL;
}

const SlWorkerState *
sl_worker_state (SlWorker *worker)
{
  return sl_latest_take (&worker->state.latest) ? &worker->state.of[worker->state.latest.front]
                                                : NULL;
}

SlRun *
sl_worker_take_run (SlWorker *worker)
{
  SlRun    *run = worker->run;
  SlCommand command;

  worker->run = NULL;
  while (run == NULL && sl_spsc_pop (&worker->commands, &command))
    if (command.kind == SL_COMMAND_BEGIN || command.kind == SL_COMMAND_RENEW)
      run = command.run;
  return run;
}
