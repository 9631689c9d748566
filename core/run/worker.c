/* SPDX-License-Identifier: MIT
 *
 * The training thread: read commands, make one update, look after surveys and checkpoints,
 * again.  An update of a small network takes microseconds, so the way from one to the next is
 * a few comparisons and one look at the clock.  */
#include "core/run/worker.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/base/latest.h"
#include "core/base/spsc.h"
#include "core/nn/mat.h"
#include "core/run/history.h"
#include "core/run/turns.h"

enum
{
  SAMPLES = 1 << 16,
  COMMANDS = 256,
  EVENTS = 64,
  NICENESS = 10,
  SURVEY_SHARE = 25, /* one part in so many of the worker's time may go into surveys */
};

/* A sample of this channel says: the next thing is an event. */
#define EVENT_CHANNEL UINT32_MAX

/* Seconds between two states, and between checkpoints at most; a checkpoint costs at most
 * one part in CHECKPOINT_SHARE.  */
static const double STATE_EVERY = 0.005, CHECKPOINT_EVERY = 5.0, CHECKPOINT_SHARE = 100.0;

/* Seconds after a change in which a running trainer makes no survey: the next change of a drag
 * must not wait for a picture.  */
static const double SURVEY_QUIET = 0.3;

typedef struct
{
  SlLatest   latest;
  SlSnapshot snapshot[3];
  bool       watched;
  bool       failed; /* its survey does not work; not tried again in this run */
  uint64_t   shown;  /* `version` of the last survey, 0: none */
  bool       coarse; /* MAP: made while running, so that pausing makes a finer one */
  double     due;    /* when the next one is wished for while running */
} Panel;

struct SlWorker
{
  SlSink sink; /* first: the lab's way back to us */

  /* The owner's side. */
  pthread_t thread;
  bool      started;
  SlTurn   *turn; /* NULL: it shares the cores with nobody */

  /* Both sides. */
  SlSpsc           samples, events, commands;
  SlLatest         latest;
  SlWorkerState    state[3];
  Panel            panel[SL_PANELS_MAX];
  _Atomic bool     stop, ended;
  _Atomic uint64_t settled;
  pthread_mutex_t  mutex;
  pthread_cond_t   wake;

  /* The thread's side. */
  SlRun       *run;
  SlWorkerMode mode;
  bool         step_once;
  uint64_t     number;  /* of the last command */
  uint64_t     version; /* of what surveys would show: goes up with every update and change */
  uint64_t     limit;
  uint64_t     waits;
  unsigned     next_change; /* of the plan */
  unsigned     next_panel;  /* to look at for a survey, in turn */
  double       seconds;     /* in updates */
  double       mark;        /* since when they are counted */
  double       published;   /* when the state was */
  double       survey_free, survey_first_free;
  SlMapView    view;        /* of the gating map; side 0: nobody chose one */
  double       checkpoint_due, checkpoint_wait; /* in `seconds` */
  SlHistory    history;
};

static double
seconds_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* ---- what goes out ---- */

/* The reader is behind: waits until there is room, in naps that grow from 0.1 to 3 ms.  Nothing
 * is dropped, so this ends with the reader's next look; it looks until we have ended.  */
static void
push_patiently (SlWorker *worker, SlSpsc *ring, const void *element)
{
  struct timespec nap = { .tv_nsec = 100000 };

  if (sl_spsc_push (ring, element))
    return;
  worker->waits++;
  if (worker->turn != NULL)
    sl_turn_pass (worker->turn);
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
  SlWorker   *worker = (SlWorker *) sink;
  SlSnapshot *snapshot = &worker->panel[panel].snapshot[worker->panel[panel].latest.back];

  if (!worker->panel[panel].watched)
    return NULL;
  sl_snapshot_reset (snapshot);
  snapshot->step = sink->step;
  snapshot->generation = sink->generation;
  snapshot->panel = panel;
  return snapshot;
}

static void
publish_panel (SlSink *sink, SlSnapshot *snapshot)
{
  SlWorker *worker = (SlWorker *) sink;

  sl_latest_publish (&worker->panel[snapshot->panel].latest);
}

static void
publish_state (SlWorker *worker, double now)
{
  SlWorkerState *state = &worker->state[worker->latest.back];

  *state = (SlWorkerState) { .generation = worker->run->generation,
                             .step = sl_trainer_steps (worker->run->trainer),
                             .seconds = worker->seconds,
                             .waits = worker->waits,
                             .checkpoints = worker->history.n };
  sl_trainer_progress (worker->run->trainer, &state->progress);
  sl_latest_publish (&worker->latest);
  worker->published = now;
}

/* The event first, then its mark among the samples, so that a reader of the mark finds it. */
static void
push_event (SlWorker *worker, SlEvent *event)
{
  SlSample mark = { .channel = EVENT_CHANNEL };

  event->number = worker->number;
  if (worker->run != NULL && event->kind != SL_EVENT_RETIRED)
    {
      event->generation = worker->run->generation;
      event->step = sl_trainer_steps (worker->run->trainer);
      publish_state (worker, seconds_now ());
    }
  push_patiently (worker, &worker->events, event);
  push_patiently (worker, &worker->samples, &mark);
}

static void
push_mode (SlWorker *worker, SlWorkerMode mode, const SlStatus *status)
{
  SlEvent event = { .kind = SL_EVENT_MODE, .mode = mode, .status = *status };

  worker->mode = mode;
  push_event (worker, &event);
}

/* ---- checkpoints ---- */

static void
save_checkpoint (SlWorker *worker)
{
  double   begin = seconds_now (), cost;
  SlStatus status = sl_history_save (&worker->history, worker->run->lab, worker->run->trainer);

  cost = seconds_now () - begin;
  worker->checkpoint_due
    = worker->seconds + fmax (worker->checkpoint_wait, CHECKPOINT_SHARE * cost);
  worker->checkpoint_wait = fmin (2.0 * worker->checkpoint_wait, CHECKPOINT_EVERY);
  if (!sl_ok (&status))
    worker->checkpoint_due = HUGE_VAL; /* too large for this machine; the run goes on without */
}

/* ---- surveys ---- */

static bool
wants_survey (const SlWorker *worker, unsigned p)
{
  const SlLab *lab = worker->run->lab;

  /* Of a run that diverged, the last picture from before is worth more. */
  return worker->panel[p].watched && !worker->panel[p].failed
         && (lab->survey != NULL || lab->panels[p].kind == SL_MAP)
         && !sl_panel_is_series (lab->panels[p].kind) && worker->mode != SL_WORKER_DIVERGED;
}

/* Somebody moved something: the step that uses it goes before any picture. */
static bool
hurry (SlSink *sink)
{
  return sl_spsc_fill (&((SlWorker *) sink)->commands) > 0;
}

static void
survey (SlWorker *worker, unsigned p, double now)
{
  Panel   *panel = &worker->panel[p];
  SlStatus status;
  double   end;

  worker->sink.idle = worker->mode != SL_WORKER_RUNNING;
  status = sl_trainer_survey (worker->run->trainer, p, &worker->sink);
  end = seconds_now ();

  if (status.code != SL_ECANCELLED)
    {
      panel->failed = !sl_ok (&status);
      panel->shown = worker->version;
      panel->coarse = worker->run->lab->panels[p].kind == SL_MAP && !worker->sink.idle;
      panel->due = end + worker->run->lab->panels[p].survey_seconds;
    }
  worker->survey_first_free = end + (end - now);
  worker->survey_free = end + (SURVEY_SHARE - 1) * (end - now);
  worker->next_panel = p + 1;
  worker->mark = end;
}

/* At most one survey: while running, one that is due, within the share of time that all of
 * them may take (the first of each panel may come sooner); while pausing, one that
 * does not show the present.  True when one was made.  */
static bool
survey_one (SlWorker *worker, double now)
{
  unsigned n = worker->run->lab->n_panels;
  bool     running = worker->mode == SL_WORKER_RUNNING;

  if (running && now < worker->survey_first_free)
    return false;
  for (unsigned i = 0; i < n; i++)
    {
      unsigned     p = (worker->next_panel + i) % n;
      const Panel *panel = &worker->panel[p];
      bool         due = panel->shown != worker->version || (panel->coarse && !running);

      if (running && panel->shown > 0)
        due = now >= panel->due && now >= worker->survey_free;
      if (due && wants_survey (worker, p))
        {
          survey (worker, p, now);
          return true;
        }
    }
  return false;
}

/* ---- updates ---- */

static void
changed (SlWorker *worker, unsigned param, const SlValue *value)
{
  SlEvent event = { .kind = SL_EVENT_SET, .param = param, .value = *value };

  event.status = sl_trainer_set (worker->run->trainer, param, value);
  worker->version++;
  push_event (worker, &event);
  worker->mark = seconds_now ();
  worker->survey_first_free = fmax (worker->survey_first_free, worker->mark + SURVEY_QUIET);
}

static bool
at_limit (const SlWorker *worker)
{
  return worker->limit > 0 && sl_trainer_steps (worker->run->trainer) >= worker->limit;
}

static void
follow_plan (SlWorker *worker)
{
  const GArray *plan = worker->run->plan.changes;
  uint64_t      step = sl_trainer_steps (worker->run->trainer);

  while (plan != NULL && worker->next_change < plan->len)
    {
      const SlChange *change = &g_array_index (plan, SlChange, worker->next_change);

      if (change->step > step)
        return;
      worker->next_change++;
      changed (worker, change->param, &change->value);
    }
}

static void
update (SlWorker *worker)
{
  SlStatus status;
  double   now;

  follow_plan (worker);
  status = sl_trainer_step (worker->run->trainer, &worker->sink);
  now = seconds_now ();
  worker->seconds += now - worker->mark;
  worker->mark = now;
  worker->version++;

  if (!sl_ok (&status))
    push_mode (worker, status.code == SL_EDIVERGED ? SL_WORKER_DIVERGED : SL_WORKER_PAUSED,
               &status);
  else if (at_limit (worker))
    push_mode (worker, SL_WORKER_FINISHED, &status);
  else if (worker->step_once)
    push_mode (worker, SL_WORKER_PAUSED, &status);
  worker->step_once = false;

  /* A checkpoint is always of before the changes that are made at its step. */
  if (sl_ok (&status) && worker->seconds >= worker->checkpoint_due)
    {
      save_checkpoint (worker);
      worker->mark = seconds_now ();
    }
  if (now - worker->published >= STATE_EVERY)
    publish_state (worker, now);
  if (worker->mode == SL_WORKER_RUNNING)
    survey_one (worker, now);
}

/* ---- commands ---- */

static void
retire (SlWorker *worker)
{
  SlEvent event = { .kind = SL_EVENT_RETIRED, .run = worker->run };

  if (worker->run == NULL)
    return;
  sl_trainer_free (worker->run->trainer);
  worker->run->trainer = NULL;
  worker->run = NULL;
  push_event (worker, &event);
}

/* Another view shows at once: each map counts as never made. */
static void
look (SlWorker *worker)
{
  if (worker->run == NULL || worker->view.side == 0)
    return;
  sl_trainer_look (worker->run->trainer, &worker->view);
  for (unsigned p = 0; p < worker->run->lab->n_panels; p++)
    if (worker->run->lab->panels[p].kind == SL_MAP)
      worker->panel[p].shown = 0;
}

static void
begin (SlWorker *worker, SlRun *run, bool let_go)
{
  retire (worker);
  worker->run = run;
  sl_blas_set_threads (run->plan.threads); /* OpenMP keeps the number per thread */
  worker->sink.layout = sl_trainer_layout (run->trainer);
  worker->sink.generation = run->generation;
  worker->version = 1;
  worker->waits = 0;
  worker->next_change = 0;
  worker->next_panel = 0;
  worker->seconds = 0.0;
  worker->survey_free = worker->survey_first_free = 0.0;
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    {
      worker->panel[p].failed = false;
      worker->panel[p].shown = 0;
    }
  look (worker);
  sl_history_clear (&worker->history);
  worker->checkpoint_wait = 0.25;
  save_checkpoint (worker);
  if (at_limit (worker))
    push_mode (worker, SL_WORKER_FINISHED, &SL_SUCCESS);
  else
    push_mode (worker, let_go ? SL_WORKER_RUNNING : SL_WORKER_PAUSED, &SL_SUCCESS);
}

static void
rescue (SlWorker *worker, uint64_t steps)
{
  uint64_t            step = sl_trainer_steps (worker->run->trainer);
  const SlCheckpoint *checkpoint = sl_history_rewind (&worker->history, step > steps ? step - steps : 0);
  SlEvent             event = { .kind = SL_EVENT_RESTORED };
  SlStatus            status;

  if (checkpoint == NULL)
    status = sl_status_new (SL_EINVAL, "run", "no checkpoint to go back to", NULL);
  else
    status = sl_trainer_restore (worker->run->trainer, checkpoint);
  if (sl_ok (&status))
    {
      /* From here on it is the person's run, not the recipe's. */
      g_clear_pointer (&worker->run->plan.changes, g_array_unref);
      worker->version++;
      worker->checkpoint_due = worker->seconds + worker->checkpoint_wait;
      push_event (worker, &event);
    }
  push_mode (worker, SL_WORKER_PAUSED, &status);
}

static void
score (SlWorker *worker, SlSplit split)
{
  SlEvent event = { .kind = SL_EVENT_SCORED, .split = split };

  event.status = sl_trainer_score (worker->run->trainer, split, event.score, &event.n_scores);
  push_event (worker, &event);
}

/* Running, pausing and stepping.  A diverged run stays where it is until it is rescued. */
static void
steer (SlWorker *worker, SlCommandKind kind)
{
  SlWorkerMode mode = worker->mode;

  if (mode != SL_WORKER_DIVERGED && kind == SL_COMMAND_STEP)
    {
      worker->step_once = true;
      mode = SL_WORKER_PAUSED;
    }
  else if (mode != SL_WORKER_DIVERGED && kind == SL_COMMAND_RUN)
    mode = at_limit (worker) ? SL_WORKER_FINISHED : SL_WORKER_RUNNING;
  else if (mode == SL_WORKER_RUNNING && kind == SL_COMMAND_PAUSE)
    mode = SL_WORKER_PAUSED;
  else if (kind == SL_COMMAND_LIMIT && mode == SL_WORKER_RUNNING && at_limit (worker))
    mode = SL_WORKER_FINISHED;
  else if (kind == SL_COMMAND_LIMIT && mode == SL_WORKER_FINISHED && !at_limit (worker))
    mode = SL_WORKER_PAUSED;
  if (worker->step_once)
    worker->mode = mode; /* reported after the update */
  else
    push_mode (worker, mode, &SL_SUCCESS);
}

static void
watch (SlWorker *worker, unsigned p, bool on)
{
  Panel *panel = &worker->panel[p];

  if (on && !panel->watched)
    panel->shown = 0;
  panel->watched = on;
}

static void
obey (SlWorker *worker, const SlCommand *command)
{
  if (command->kind == SL_COMMAND_BEGIN)
    begin (worker, command->run, command->on);
  else if (command->kind == SL_COMMAND_WATCH)
    watch (worker, command->panel, command->on);
  else if (command->kind == SL_COMMAND_LIMIT)
    worker->limit = command->step;
  else if (command->kind == SL_COMMAND_LOOK)
    {
      worker->view = command->view;
      look (worker);
    }
  if (worker->run == NULL)
    return;
  switch (command->kind)
    {
    case SL_COMMAND_RUN:
    case SL_COMMAND_PAUSE:
    case SL_COMMAND_STEP:
    case SL_COMMAND_LIMIT: steer (worker, command->kind); break;
    case SL_COMMAND_SET: changed (worker, command->param, &command->value); break;
    case SL_COMMAND_RESCUE: rescue (worker, command->step); break;
    case SL_COMMAND_SCORE: score (worker, command->split); break;
    case SL_COMMAND_BEGIN:
    case SL_COMMAND_LOOK:
    case SL_COMMAND_WATCH: break;
    }
  worker->mark = seconds_now ();
}

/* Carries out what is waiting, up to an update that is to be made first.  Of several values in a
 * row for one parameter (a slider being dragged) only the last counts.  */
static void
read_commands (SlWorker *worker)
{
  SlCommand command, next;
  bool      more = !worker->step_once && sl_spsc_pop (&worker->commands, &command);

  while (more)
    {
      worker->number = command.number;
      more = !(command.kind == SL_COMMAND_STEP && worker->run != NULL
               && worker->mode != SL_WORKER_DIVERGED)
             && sl_spsc_pop (&worker->commands, &next);
      if (!(more && command.kind == SL_COMMAND_SET && next.kind == SL_COMMAND_SET
            && next.param == command.param))
        obey (worker, &command);
      command = next;
    }
}

static void
sleep_until_wanted (SlWorker *worker)
{
  /* Whoever sees this number sees all that was published before it. */
  atomic_store_explicit (&worker->settled, worker->number, memory_order_release);
  pthread_mutex_lock (&worker->mutex);
  while (sl_spsc_fill (&worker->commands) == 0
         && !atomic_load_explicit (&worker->stop, memory_order_acquire))
    pthread_cond_wait (&worker->wake, &worker->mutex);
  pthread_mutex_unlock (&worker->mutex);
}

/* False when a command came instead of our turn. */
static bool
take_turn (SlWorker *worker)
{
  if (worker->turn == NULL)
    return true;
  if (!sl_turn_take (worker->turn))
    return false;
  worker->mark = seconds_now ();
  return true;
}

static void
rest (SlWorker *worker)
{
  if (worker->turn != NULL)
    sl_turn_rest (worker->turn);
}

static void
update_in_turn (SlWorker *worker)
{
  if (!take_turn (worker))
    return;
  update (worker);
  if (worker->turn != NULL)
    sl_turn_done (worker->turn);
}

static void *
work (void *data)
{
  SlWorker *worker = data;

  /* Before the first product, so that the threads of the BLAS inherit it.  The window then
   * stays smooth, and on an idle machine it costs nothing.  */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICENESS);
  if (worker->run != NULL)
    sl_blas_set_threads (worker->run->plan.threads);
  worker->mark = seconds_now ();
  while (!atomic_load_explicit (&worker->stop, memory_order_acquire))
    {
      read_commands (worker);
      if (worker->run != NULL && (worker->mode == SL_WORKER_RUNNING || worker->step_once))
        update_in_turn (worker);
      else
        {
          rest (worker);
          if (worker->run == NULL || !survey_one (worker, seconds_now ()))
            sleep_until_wanted (worker);
          worker->mark = seconds_now ();
        }
    }
  rest (worker);
  atomic_store_explicit (&worker->ended, true, memory_order_release);
  return NULL;
}

/* ---- the owner's side ---- */

SlWorker *
sl_worker_new (size_t checkpoint_bytes)
{
  /* The rings keep their indices on cache lines of their own. */
  size_t    size = (sizeof (SlWorker) + alignof (SlWorker) - 1) / alignof (SlWorker) * alignof (SlWorker);
  SlWorker *worker = aligned_alloc (alignof (SlWorker), size);
  SlStatus  status[3];

  if (worker == NULL)
    return NULL;
  memset (worker, 0, sizeof *worker);
  worker->sink
    = (SlSink) { .take = take, .open = open_panel, .publish = publish_panel, .hurry = hurry };
  worker->history.budget = checkpoint_bytes;
  sl_latest_init (&worker->latest);
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    sl_latest_init (&worker->panel[p].latest);
  atomic_init (&worker->stop, false);
  atomic_init (&worker->ended, false);
  atomic_init (&worker->settled, 0);
  pthread_mutex_init (&worker->mutex, NULL);
  pthread_cond_init (&worker->wake, NULL);
  status[0] = sl_spsc_init (&worker->samples, SAMPLES, sizeof (SlSample));
  status[1] = sl_spsc_init (&worker->events, EVENTS, sizeof (SlEvent));
  status[2] = sl_spsc_init (&worker->commands, COMMANDS, sizeof (SlCommand));
  if (!sl_ok (&status[0]) || !sl_ok (&status[1]) || !sl_ok (&status[2]))
    {
      sl_worker_free (worker);
      return NULL;
    }
  return worker;
}

void
sl_worker_free (SlWorker *worker)
{
  sl_spsc_clear (&worker->samples);
  sl_spsc_clear (&worker->events);
  sl_spsc_clear (&worker->commands);
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    for (unsigned i = 0; i < 3; i++)
      sl_snapshot_clear (&worker->panel[p].snapshot[i]);
  sl_history_clear (&worker->history);
  sl_turn_free (worker->turn);
  pthread_mutex_destroy (&worker->mutex);
  pthread_cond_destroy (&worker->wake);
  free (worker);
}

bool
sl_worker_set_turns (SlWorker *worker, SlTurns *turns)
{
  sl_turn_free (worker->turn);
  worker->turn = turns != NULL ? sl_turn_new (turns) : NULL;
  return turns == NULL || worker->turn != NULL;
}

bool
sl_worker_start (SlWorker *worker)
{
  if (worker->started)
    return true;
  atomic_store (&worker->stop, false);
  atomic_store (&worker->ended, false);
  worker->started = pthread_create (&worker->thread, NULL, work, worker) == 0;
  return worker->started;
}

static void
wake_up (SlWorker *worker)
{
  pthread_mutex_lock (&worker->mutex);
  pthread_cond_signal (&worker->wake);
  pthread_mutex_unlock (&worker->mutex);
  if (worker->turn != NULL)
    sl_turn_call (worker->turn);
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
  if (sample->channel != EVENT_CHANNEL)
    return SL_TOOK_SAMPLE;
  return sl_spsc_pop (&worker->events, event) ? SL_TOOK_EVENT : SL_TOOK_NOTHING;
}

size_t
sl_worker_waiting (SlWorker *worker)
{
  return sl_spsc_fill (&worker->samples);
}

size_t
sl_worker_capacity (SlWorker *worker)
{
  return worker->samples.capacity;
}

const SlSnapshot *
sl_worker_snapshot (SlWorker *worker, unsigned panel)
{
  Panel *p = &worker->panel[panel];

  return sl_latest_take (&p->latest) ? &p->snapshot[p->latest.front] : NULL;
}

const SlWorkerState *
sl_worker_state (SlWorker *worker)
{
  return sl_latest_take (&worker->latest) ? &worker->state[worker->latest.front] : NULL;
}

SlRun *
sl_worker_take_run (SlWorker *worker)
{
  SlRun    *run = worker->run;
  SlCommand command;

  worker->run = NULL;
  while (run == NULL && sl_spsc_pop (&worker->commands, &command))
    if (command.kind == SL_COMMAND_BEGIN)
      run = command.run;
  return run;
}
