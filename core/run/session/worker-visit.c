/* SPDX-License-Identifier: MIT
 *
 * Looking back: the trainer goes to an earlier checkpoint and to the present again, and nothing is
 * lost until the run goes on from there.  */
#include "core/run/session/worker-private.h"

void
sl_worker_visit (SlWorker *worker, uint64_t step)
{
  SlTrainer          *trainer = worker->run->trainer;
  const SlCheckpoint *checkpoint = NULL;
  SlStatus            status = SL_SUCCESS;

  if (worker->mode == SL_WORKER_DIVERGED)
    return;
  if (!worker->visiting)
    status = sl_trainer_save (trainer, &worker->present);
  if (sl_ok (&status))
    {
      checkpoint = step >= worker->present.step ? &worker->present
                                                : sl_history_find (&worker->history, step);
      if (checkpoint == NULL)
        status = sl_status_new (SL_EINVAL, "run", sl_message ("no checkpoint to go back to"),
                                SL_NO_MESSAGE);
      else
        status = sl_trainer_restore (trainer, checkpoint);
    }
  if (sl_ok (&status))
    {
      worker->visiting = checkpoint != &worker->present;
      worker->version++;
    }
  sl_worker_push_mode (worker, SL_WORKER_PAUSED, &status);
}

void
sl_worker_settle (SlWorker *worker)
{
  SlEvent event = { .kind = SL_EVENT_RESTORED };

  if (!worker->visiting)
    return;
  worker->visiting = false;
  sl_worker_forget (worker, sl_trainer_steps (worker->run->trainer));
  sl_worker_push_event (worker, &event);
}

void
sl_worker_forget (SlWorker *worker, uint64_t step)
{
  sl_history_rewind (&worker->history, step);
  /* From here on it is the person's run, not the recipe's. */
  g_clear_pointer (&worker->run->plan.changes, g_array_unref);
  worker->version++;
  worker->keep.step = UINT64_MAX;
  worker->checkpoint.due = worker->seconds + worker->checkpoint.wait;
}
