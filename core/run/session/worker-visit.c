/* SPDX-License-Identifier: MIT
 *
 * Looking back: the trainer goes to an earlier checkpoint and to the present again.  Where the run goes on
 * from the past, what came after is left to the owner.  */
#include "core/run/session/worker-private.h"

void
sl_worker_visit (SlWorker *worker, uint64_t step)
{
  SlTrainer          *trainer = worker->run->trainer;
  const SlCheckpoint *checkpoint = NULL;
  SlStatus            status = SL_SUCCESS;

  if (worker->mode == SL_WORKER_DIVERGED)
    return;
  if (!worker->past.visiting)
    status = sl_trainer_save (trainer, &worker->past.present);
  if (sl_ok (&status))
    {
      checkpoint = step >= worker->past.present.step ? &worker->past.present
                                                     : sl_history_find (&worker->history, step);
      if (checkpoint == NULL)
        status = sl_status_new (SL_EINVAL, "run", sl_message ("no checkpoint to go back to"),
                                SL_NO_MESSAGE);
      else
        status = sl_trainer_restore (trainer, checkpoint);
    }
  if (sl_ok (&status))
    {
      worker->past.visiting = checkpoint != &worker->past.present;
      worker->version++;
      sl_worker_clock_reset (worker);
    }
  sl_worker_push_mode (worker, SL_WORKER_PAUSED, &status);
}

void
sl_worker_visit_stored (SlWorker *worker, SlCheckpoint *visited)
{
  SlStatus status;

  if (visited->data == NULL)
    return;
  status = sl_trainer_save (worker->run->trainer, &worker->past.present);
  if (sl_ok (&status))
    status = sl_trainer_restore (worker->run->trainer, visited);
  worker->past.visiting = sl_ok (&status);
  if (worker->past.visiting)
    worker->keep.visited = visited->step;
  sl_checkpoint_clear (visited);
}

/* Everything after the state that the trainer is at is taken back. */
static void
forget (SlWorker *worker)
{
  sl_worker_drop_spare (worker);
  sl_history_rewind (&worker->history, sl_trainer_steps (worker->run->trainer));
  /* From here on it is the user's run, not the recipe's. */
  g_clear_pointer (&worker->run->plan.changes, g_array_unref);
  worker->past.visiting = false;
  worker->past.course++;
  worker->version++;
  worker->keep.step = UINT64_MAX;
  worker->keep.memory_due = sl_clock_wall () + worker->keep.memory_wait;
}

/* The run goes on from where the trainer is.  What there was after that stays a run of its own where the
 * owner has its last state.  */
static void
go_on_from_here (SlWorker *worker, uint64_t last)
{
  bool branches = worker->keep.wanted && worker->keep.step == last
                  && last > sl_trainer_steps (worker->run->trainer);
  SlEvent event = { .kind = branches ? SL_EVENT_BRANCHED : SL_EVENT_RESTORED };

  forget (worker);
  sl_worker_push_event (worker, &event);
  sl_worker_keep_checkpoint (worker);
}

void
sl_worker_settle (SlWorker *worker)
{
  if (!worker->past.visiting)
    return;
  sl_worker_keep_checkpoint (worker);
  go_on_from_here (worker, worker->past.present.step);
}

SlStatus
sl_worker_go_back (SlWorker *worker, uint64_t step)
{
  const SlCheckpoint *checkpoint = sl_history_find (&worker->history, step);
  uint64_t            last = sl_worker_present_step (worker);
  SlStatus            status;

  if (checkpoint == NULL)
    return sl_status_new (SL_EINVAL, "run", sl_message ("no checkpoint to go back to"),
                          SL_NO_MESSAGE);
  sl_worker_keep_checkpoint (worker);
  status = sl_trainer_restore (worker->run->trainer, checkpoint);
  if (!sl_ok (&status))
    return status;
  sl_worker_clock_reset (worker);
  go_on_from_here (worker, last);
  return status;
}
