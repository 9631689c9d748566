/* SPDX-License-Identifier: MIT
 *
 * One update, with the changes of the plan before it and a checkpoint after.  */
#include "core/run/session/worker-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/store/writer.h"

/* Seconds between two states, and between checkpoints at most; a checkpoint costs at most
 * one part in CHECKPOINT_SHARE.  */
static const double STATE_EVERY = 0.005, CHECKPOINT_EVERY = 5.0, CHECKPOINT_SHARE = 100.0;

/* At the end of the program an update that takes this many seconds is not waited for.  A spare copy
 * of the state before the next one costs at most one part in SPARE_SHARE.  */
static const double SLOW_UPDATE = 0.25, SPARE_SHARE = 20.0;

void
sl_worker_save_checkpoint (SlWorker *worker)
{
  double   begin = sl_clock_wall (), cost;
  SlStatus status = sl_history_save (&worker->history, worker->run->trainer);

  cost = sl_clock_wall () - begin;
  worker->keep.memory_due
    = sl_clock_wall () + fmax (worker->keep.memory_wait, CHECKPOINT_SHARE * cost);
  worker->keep.memory_wait = fmin (1.5 * worker->keep.memory_wait, CHECKPOINT_EVERY);
  if (!sl_ok (&status))
    worker->keep.memory_due = HUGE_VAL; /* too large for this machine; the run goes on without */
}

uint64_t
sl_worker_present_step (const SlWorker *worker)
{
  return worker->past.visiting ? worker->past.present.step
                               : sl_trainer_steps (worker->run->trainer);
}

/* True when the owner does not have the state of the present, and the run can go on from it. */
static bool
is_worth_keeping (const SlWorker *worker)
{
  return worker->keep.wanted && worker->run != NULL && worker->mode != SL_WORKER_DIVERGED
         && sl_worker_present_step (worker) != worker->keep.step;
}

static SlStatus
copy_present (SlWorker *worker, SlCheckpoint *copy)
{
  if (!worker->past.visiting)
    return sl_trainer_save (worker->run->trainer, copy);
  *copy = worker->past.present;
  copy->data = malloc (copy->bytes);
  if (copy->data == NULL)
    return sl_status_no_memory ("checkpoint");
  memcpy (copy->data, worker->past.present.data, copy->bytes);
  return SL_SUCCESS;
}

static SlStatus
copy_shown (SlWorker *worker, SlCheckpoint *copy)
{
  return sl_trainer_save (worker->run->trainer, copy);
}

/* For the owner, which frees it; NULL: too large for this machine. */
static SlCheckpoint *
new_copy (SlWorker *worker, SlStatus (*copy) (SlWorker *worker, SlCheckpoint *copy))
{
  SlCheckpoint *checkpoint = calloc (1, sizeof *checkpoint);
  SlStatus      status = checkpoint != NULL ? copy (worker, checkpoint) : SL_SUCCESS;

  if (checkpoint == NULL || sl_ok (&status))
    return checkpoint;
  sl_checkpoint_clear (checkpoint);
  free (checkpoint);
  return NULL;
}

static void
free_spare (SlEvent *spare)
{
  if (spare == NULL)
    return;
  sl_checkpoint_clear (spare->checkpoint);
  free (spare->checkpoint);
  free (spare);
}

void
sl_worker_drop_spare (SlWorker *worker)
{
  free_spare (sl_worker_take_spare (worker));
}

static SlEvent *
new_spare (void)
{
  SlEvent *spare = calloc (1, sizeof *spare);

  if (spare == NULL)
    return NULL;
  spare->kind = SL_EVENT_KEPT;
  spare->checkpoint = calloc (1, sizeof *spare->checkpoint);
  if (spare->checkpoint != NULL)
    return spare;
  free (spare);
  return NULL;
}

/* Saves the spare copy; while it is filled, only this thread has it, so that the owner takes all of
 * it or nothing.  */
static void
save_spare (SlWorker *worker)
{
  double   begin = sl_clock_wall ();
  SlEvent *spare = sl_worker_take_spare (worker);
  SlStatus status;

  if (spare == NULL)
    spare = new_spare ();
  if (spare == NULL)
    return;
  spare->generation = worker->run->generation;
  spare->number = worker->number;
  spare->seconds = worker->seconds;
  status = sl_trainer_save (worker->run->trainer, spare->checkpoint);
  if (!sl_ok (&status))
    {
      free_spare (spare);
      return;
    }
  spare->step = spare->checkpoint->step;
  atomic_store_explicit (&worker->keep.spare, spare, memory_order_release);
  worker->keep.spare_due = worker->seconds + SPARE_SHARE * (sl_clock_wall () - begin);
}

void
sl_worker_keep_checkpoint (SlWorker *worker)
{
  SlEvent event = { .kind = SL_EVENT_KEPT };
  double  begin = sl_clock_wall ();

  if (!is_worth_keeping (worker))
    return;
  event.checkpoint = new_copy (worker, copy_present);
  if (event.checkpoint == NULL)
    {
      worker->keep.due = HUGE_VAL; /* the run goes on without */
      return;
    }
  worker->keep.step = event.checkpoint->step;
  worker->keep.due = worker->seconds
                     + fmax (sl_writer_checkpoint_seconds (event.checkpoint->bytes),
                             CHECKPOINT_SHARE * (sl_clock_wall () - begin));
  sl_worker_drop_spare (worker);
  sl_worker_push_event (worker, &event);
}

void
sl_worker_keep_visited (SlWorker *worker)
{
  SlEvent event = { .kind = SL_EVENT_VISITED };

  if (!worker->past.visiting)
    worker->keep.visited = UINT64_MAX;
  if (!worker->past.visiting || !worker->keep.wanted
      || sl_trainer_steps (worker->run->trainer) == worker->keep.visited)
    return;
  event.checkpoint = new_copy (worker, copy_shown);
  if (event.checkpoint == NULL)
    return;
  worker->keep.visited = event.checkpoint->step;
  sl_worker_push_event (worker, &event);
}

void
sl_worker_changed (SlWorker *worker, unsigned param, const SlValue *value, uint64_t drag)
{
  SlEvent event = { .kind = SL_EVENT_SET, .param = param, .value = *value, .drag = drag };

  event.status = sl_trainer_set (worker->run->trainer, param, value);
  worker->version++;
  sl_worker_push_event (worker, &event);
  if (!sl_lab_only_looks (worker->run->lab, param))
    sl_worker_clock_reset (worker);
  worker->mark = sl_clock_wall ();
  worker->probe.first_free = fmax (worker->probe.first_free, worker->mark + SL_PROBE_QUIET);
  sl_worker_expire (worker, SL_ALIVE);
}

bool
sl_worker_at_limit (const SlWorker *worker)
{
  return (worker->limit > 0 && sl_trainer_steps (worker->run->trainer) >= worker->limit)
         || sl_trainer_ended (worker->run->trainer, NULL);
}

void
sl_worker_push_finished (SlWorker *worker)
{
  SlStatus status = SL_SUCCESS;

  sl_trainer_ended (worker->run->trainer, &status.found);
  sl_worker_push_mode (worker, SL_WORKER_FINISHED, &status);
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
      sl_worker_changed (worker, change->param, &change->value, 0);
    }
}

void
sl_worker_update (SlWorker *worker)
{
  SlStatus status;
  double   now;

  if (worker->mode == SL_WORKER_RUNNING && sl_worker_clock_due (worker, sl_clock_wall ()))
    sl_worker_clock_go (worker);
  if (worker->mode == SL_WORKER_RUNNING && worker->took > 0.0)
    sl_worker_probe_some (worker);
  follow_plan (worker);
  status = sl_trainer_step (worker->run->trainer, &worker->sink);
  now = sl_clock_wall ();
  worker->took = now - worker->mark;
  worker->seconds += worker->took;
  worker->mark = now;
  worker->version++;

  if (!sl_ok (&status))
    sl_worker_push_mode (
      worker, status.code == SL_EDIVERGED ? SL_WORKER_DIVERGED : SL_WORKER_PAUSED, &status);
  else if (sl_worker_at_limit (worker))
    sl_worker_push_finished (worker);
  else if (worker->step_once)
    sl_worker_push_mode (worker, SL_WORKER_PAUSED, &status);
  worker->step_once = false;

  /* A checkpoint is always of before the changes that are made at its step. */
  if (sl_ok (&status) && now >= worker->keep.memory_due)
    {
      sl_worker_save_checkpoint (worker);
      worker->mark = sl_clock_wall ();
    }
  if (sl_ok (&status) && worker->keep.wanted && worker->seconds >= worker->keep.due)
    {
      sl_worker_keep_checkpoint (worker);
      worker->mark = sl_clock_wall ();
    }
  if (sl_ok (&status) && worker->took > SLOW_UPDATE && worker->seconds >= worker->keep.spare_due
      && is_worth_keeping (worker))
    {
      save_spare (worker);
      worker->mark = sl_clock_wall ();
    }
  if (now - worker->published >= STATE_EVERY)
    sl_worker_publish_state (worker, now);
}
