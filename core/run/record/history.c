/* SPDX-License-Identifier: MIT
 *
 * Checkpoints to go back to.  */
#include "core/run/record/history.h"

#include <math.h>
#include <string.h>

void
sl_history_clear (SlHistory *history)
{
  for (unsigned i = 0; i < history->n; i++)
    sl_checkpoint_clear (&history->checkpoint[i]);
  history->n = 0;
}

unsigned
sl_history_dispensable (const uint64_t *step, unsigned n, uint64_t now)
{
  unsigned best = 0;
  double   least = HUGE_VAL;

  for (unsigned i = 1; i + 1 < n; i++)
    {
      double gap = (double) (step[i + 1] - step[i - 1]);
      double age = (double) (now - step[i - 1]) + 1.0;

      if (gap / age < least)
        {
          least = gap / age;
          best = i;
        }
    }
  return best;
}

static bool
is_finite (SlTrainer *trainer)
{
  SlSpan weights = sl_trainer_weights (trainer);

  for (unsigned long i = 0; i < weights.n; i++)
    if (!isfinite (weights.data[i]))
      return false;
  return true;
}

SlStatus
sl_history_save (SlHistory *history, SlTrainer *trainer)
{
  SlCheckpoint checkpoint = { 0 };
  size_t       one = history->n > 0 ? history->checkpoint[0].bytes : 0;
  SlStatus     status;

  if (history->budget == 0 || !is_finite (trainer))
    return SL_SUCCESS;
  if (history->n == SL_HISTORY_MAX || (history->n + 1) * one > history->budget)
    {
      uint64_t step[SL_HISTORY_MAX];
      unsigned out;

      for (unsigned i = 0; i < history->n; i++)
        step[i] = history->checkpoint[i].step;
      out = sl_history_dispensable (step, history->n, sl_trainer_steps (trainer));

      /* The new checkpoint takes over the memory of the one that is dropped. */
      checkpoint = history->checkpoint[out];
      history->n--;
      for (unsigned i = out; i < history->n; i++)
        history->checkpoint[i] = history->checkpoint[i + 1];
    }
  status = sl_trainer_save (trainer, &checkpoint);
  if (sl_ok (&status) && checkpoint.bytes > history->budget)
    status = sl_status_new (SL_ENOMEM, "checkpoint",
                            sl_message ("more than the memory reserved for it"), SL_NO_MESSAGE);
  if (sl_ok (&status))
    history->checkpoint[history->n++] = checkpoint;
  else
    sl_checkpoint_clear (&checkpoint);
  return status;
}

const SlCheckpoint *
sl_history_find (const SlHistory *history, uint64_t step)
{
  unsigned i = history->n;

  while (i > 1 && history->checkpoint[i - 1].step > step)
    i--;
  return i > 0 ? &history->checkpoint[i - 1] : NULL;
}

const SlCheckpoint *
sl_history_rewind (SlHistory *history, uint64_t step)
{
  const SlCheckpoint *found = sl_history_find (history, step);

  while (found != NULL && found != &history->checkpoint[history->n - 1])
    sl_checkpoint_clear (&history->checkpoint[--history->n]);
  return found;
}

void
sl_history_take (SlHistory *history, SlHistory *from)
{
  size_t sum = 0;

  sl_history_clear (history);
  /* The newest first: what there is no room for is long ago. */
  for (unsigned i = from->n; i-- > 0 && sum + from->checkpoint[i].bytes <= history->budget;)
    {
      sum += from->checkpoint[i].bytes;
      memmove (history->checkpoint + 1, history->checkpoint,
               history->n * sizeof *history->checkpoint);
      history->checkpoint[0] = from->checkpoint[i];
      history->n++;
      from->n = i;
    }
  sl_history_clear (from);
}
