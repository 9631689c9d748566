/* SPDX-License-Identifier: MIT
 *
 * Carries out the owner's commands, between two updates.  */
#include "core/run/session/worker-private.h"

#include <stdlib.h>

#include "core/nn/kernels/mat.h"
#include "core/run/store/writer.h"

/* Takes the checkpoint at step 0 out of the history: a store need not have it. */
static void
take_first (SlWorker *worker, SlCheckpoint *first)
{
  if (worker->history.n == 0 || worker->history.checkpoint[0].step > 0)
    return;
  *first = worker->history.checkpoint[0];
  worker->history.checkpoint[0] = (SlCheckpoint) { 0 };
}

static void
retire (SlWorker *worker, bool idle)
{
  SlEvent event = { .kind = SL_EVENT_RETIRED, .run = worker->run };

  if (worker->run == NULL)
    return;
  sl_worker_keep_checkpoint (worker); /* so that it can be gone back to */
  sl_worker_keep_visited (worker);
  sl_worker_drop_spare (worker);
  if (idle)
    take_first (worker, &worker->run->first);
  else
    {
      sl_trainer_free (worker->run->trainer);
      worker->run->trainer = NULL;
    }
  worker->run = NULL;
  sl_worker_push_event (worker, &event);
}

/* Gives the trainer another view. */
static void
look (SlWorker *worker)
{
  if (worker->run == NULL || worker->view.side == 0)
    return;
  sl_trainer_set_view (worker->run->trainer, &worker->view);
  sl_worker_expire (worker, SL_MAP);
}

static void
choose (SlWorker *worker)
{
  if (sl_latest_take (&worker->subject.latest))
    worker->sink.subject = &worker->subject.of[worker->subject.latest.front];
  sl_worker_expire (worker, SL_ALIVE);
}

/* Whether the run goes on with a change that was made at its step; a checkpoint holds the state
 * before such changes.  */
static bool
is_changed_here (const SlRun *run)
{
  return run->done > 0
         && g_array_index (run->plan.changes, SlChange, run->done - 1).step
              >= sl_trainer_steps (run->trainer);
}

static void
begin (SlWorker *worker, SlRun *run, bool let_go, bool idle)
{
  retire (worker, idle);
  worker->run = run;
  sl_blas_set_threads (run->plan.threads); /* OpenMP keeps the number per thread */
  worker->sink.layout = sl_trainer_layout (run->trainer);
  worker->sink.generation = run->generation;
  worker->version = 1;
  worker->waits = 0;
  worker->next_change = run->done;
  worker->past.visiting = false;
  worker->past.course = 0;
  worker->seconds = run->seconds;
  worker->keep.spare_due = 0.0;
  worker->keep.step = sl_trainer_steps (run->trainer);
  worker->keep.visited = UINT64_MAX;
  worker->keep.due = run->seconds + sl_writer_checkpoint_seconds (0);
  worker->keep.memory_due = 0.0;
  worker->probe.last = worker->probe.cost = worker->probe.first_free = worker->took
    = worker->pace.next = 0.0;
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    {
      worker->panel[p].failed = false;
      worker->panel[p].shown = 0;
    }
  look (worker);
  worker->clock.known = false;
  sl_worker_clock_reset (worker);
  sl_history_take (&worker->history, &run->earlier);
  worker->keep.memory_wait = 0.25;
  if (!is_changed_here (run))
    sl_worker_save_checkpoint (worker);
  if (!let_go)
    sl_worker_visit_stored (worker, &run->visited);
  if (sl_worker_at_limit (worker))
    sl_worker_push_finished (worker);
  else
    sl_worker_push_mode (worker, let_go ? SL_WORKER_RUNNING : SL_WORKER_PAUSED, &SL_SUCCESS);
}

/* Swaps the trainer and its data for others that go on where it is. */
static SlStatus
take_over (SlWorker *worker, SlRun *run)
{
  SlRun        *own = worker->run;
  SlTrainer    *trainer = own->trainer;
  SlSharedData *data = own->data;
  SlCheckpoint  now = { 0 };
  SlStatus      status = sl_trainer_save (trainer, &now);

  if (sl_ok (&status))
    status = sl_trainer_restore (run->trainer, &now);
  sl_checkpoint_clear (&now);
  if (!sl_ok (&status))
    return status;
  own->trainer = run->trainer;
  own->data = run->data;
  run->trainer = trainer;
  run->data = data;
  worker->sink.layout = sl_trainer_layout (own->trainer);
  worker->version++;
  for (unsigned p = 0; p < SL_PANELS_MAX; p++)
    worker->panel[p].shown = 0;
  look (worker);
  sl_worker_clock_reset (worker);
  return status;
}

/* The run goes on beyond what was its end. */
static void
renew (SlWorker *worker, SlRun *run)
{
  SlEvent event = { .kind = SL_EVENT_RENEWED, .run = run };

  event.status = worker->run != NULL && worker->run->generation == run->generation
                   ? take_over (worker, run)
                   : sl_status_new (SL_EUNSUPPORTED, "run", SL_NO_MESSAGE, SL_NO_MESSAGE);
  sl_worker_push_event (worker, &event);
  if (sl_ok (&event.status) && worker->mode == SL_WORKER_FINISHED && !sl_worker_at_limit (worker))
    sl_worker_push_mode (worker, SL_WORKER_RUNNING, &SL_SUCCESS);
}

static void
rewind_to (SlWorker *worker, uint64_t step)
{
  SlStatus status = sl_worker_go_back (worker, step);

  sl_worker_push_mode (worker, SL_WORKER_PAUSED, &status);
}

/* Back to before a change.  The checkpoint there may be of a time when the parameter had been
 * changed already and not yet changed back: it gets the value that it had before either way.  */
static void
undo (SlWorker *worker, const SlCommand *command)
{
  SlTrainer *trainer = worker->run->trainer;

  rewind_to (worker, command->step);
  if (!sl_value_same (&sl_trainer_settings (trainer)->value[command->param], &command->value))
    sl_worker_changed (worker, command->param, &command->value, 0);
}

static void
score (SlWorker *worker, SlSplit split)
{
  SlEvent event = { .kind = SL_EVENT_SCORED, .split = split };

  event.status = sl_trainer_score (worker->run->trainer, split, event.score, &event.n_scores);
  sl_worker_push_event (worker, &event);
}

static void
picture (SlWorker *worker)
{
  SlEvent event = { .kind = SL_EVENT_PICTURED, .picture = calloc (1, sizeof *event.picture) };

  if (event.picture == NULL)
    event.status = sl_status_no_memory ("picture");
  else
    event.status = sl_trainer_picture (worker->run->trainer, event.picture);
  if (!sl_ok (&event.status))
    {
      free (event.picture);
      event.picture = NULL;
    }
  sl_worker_push_event (worker, &event);
}

static void
predict (SlWorker *worker)
{
  SlEvent event
    = { .kind = SL_EVENT_PREDICTED, .predictions = calloc (1, sizeof *event.predictions) };

  if (event.predictions != NULL)
    event.status = sl_trainer_predict (worker->run->trainer, event.predictions);
  sl_worker_push_event (worker, &event);
}

/* Running, pausing and stepping.  A diverged run stays where it is until it is rescued. */
static void
steer (SlWorker *worker, SlCommandKind kind)
{
  SlWorkerMode mode = worker->mode;

  if (kind == SL_COMMAND_STEP && sl_trainer_ended (worker->run->trainer, NULL))
    mode = SL_WORKER_FINISHED;
  else if (mode != SL_WORKER_DIVERGED && kind == SL_COMMAND_STEP)
    {
      worker->step_once = true;
      mode = SL_WORKER_PAUSED;
    }
  else if (mode != SL_WORKER_DIVERGED && kind == SL_COMMAND_RUN)
    mode = sl_worker_at_limit (worker) ? SL_WORKER_FINISHED : SL_WORKER_RUNNING;
  else if (mode == SL_WORKER_RUNNING && kind == SL_COMMAND_PAUSE)
    mode = SL_WORKER_PAUSED;
  else if (kind == SL_COMMAND_LIMIT && mode == SL_WORKER_RUNNING && sl_worker_at_limit (worker))
    mode = SL_WORKER_FINISHED;
  else if (kind == SL_COMMAND_LIMIT && mode == SL_WORKER_FINISHED && !sl_worker_at_limit (worker))
    mode = SL_WORKER_PAUSED;
  if (worker->step_once)
    worker->mode = mode; /* reported after the update */
  else if (mode == SL_WORKER_FINISHED)
    sl_worker_push_finished (worker);
  else
    sl_worker_push_mode (worker, mode, &SL_SUCCESS);
}

static void
watch (SlWorker *worker, unsigned p, bool on)
{
  SlWorkerPanel *panel = &worker->panel[p];

  if (on && !panel->watched)
    panel->shown = 0;
  panel->watched = on;
}

static void
obey (SlWorker *worker, const SlCommand *command)
{
  if (command->kind == SL_COMMAND_BEGIN)
    begin (worker, command->run, command->on, command->idle);
  else if (command->kind == SL_COMMAND_RENEW)
    renew (worker, command->run);
  else if (command->kind == SL_COMMAND_WATCH)
    watch (worker, command->panel, command->on);
  else if (command->kind == SL_COMMAND_LIMIT)
    worker->limit = command->step;
  else if (command->kind == SL_COMMAND_KEEP)
    {
      worker->keep.wanted = command->on;
      worker->keep.step = worker->keep.visited = UINT64_MAX;
      sl_worker_keep_checkpoint (worker);
      sl_worker_keep_visited (worker);
    }
  else if (command->kind == SL_COMMAND_VIEW)
    {
      worker->view = command->view;
      look (worker);
    }
  else if (command->kind == SL_COMMAND_SUBJECT)
    choose (worker);
  else if (command->kind == SL_COMMAND_PACE)
    worker->pace.updates = command->pace;
  if (worker->run == NULL)
    return;
  if (command->kind == SL_COMMAND_RUN || command->kind == SL_COMMAND_STEP
      || command->kind == SL_COMMAND_SET)
    sl_worker_settle (worker);
  switch (command->kind)
    {
    case SL_COMMAND_RUN:
    case SL_COMMAND_PAUSE:
    case SL_COMMAND_STEP:
    case SL_COMMAND_LIMIT: steer (worker, command->kind); break;
    case SL_COMMAND_SET:
      sl_worker_changed (worker, command->param, &command->value, command->drag);
      break;
    case SL_COMMAND_RESCUE: rewind_to (worker, command->step); break;
    case SL_COMMAND_REWIND: undo (worker, command); break;
    case SL_COMMAND_VISIT: sl_worker_visit (worker, command->step); break;
    case SL_COMMAND_SCORE:
      if (!sl_worker_stops (worker))
        score (worker, command->split);
      break;
    case SL_COMMAND_PICTURE:
      if (!sl_worker_stops (worker))
        picture (worker);
      break;
    case SL_COMMAND_PREDICT:
      if (!sl_worker_stops (worker))
        predict (worker);
      break;
    case SL_COMMAND_BEGIN:
    case SL_COMMAND_RENEW:
    case SL_COMMAND_KEEP:
    case SL_COMMAND_VIEW:
    case SL_COMMAND_SUBJECT:
    case SL_COMMAND_PACE:
    case SL_COMMAND_WATCH: break;
    }
  worker->mark = sl_clock_wall ();
}

/* Carries out what is waiting, up to an update that is to be made first.  Of several values in a
 * row for one parameter (a slider being dragged) only the last counts.  */
void
sl_worker_read_commands (SlWorker *worker)
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

/* Commands given before the end are carried out, most of all a parameter that was set; but no
 * update, score or picture is made.  */
void
sl_worker_read_last_commands (SlWorker *worker)
{
  do
    {
      worker->step_once = false;
      sl_worker_read_commands (worker);
    }
  while (worker->step_once);
}
