/* SPDX-License-Identifier: MIT */
#include "core/run/session/idle.h"

#include <string.h>

/* Room for all labs at their default sizes. */
static const size_t IDLE_BYTES = (size_t) 448 << 20;

/* Bytes of one run; data that a newer run uses, too, are counted there. */
static size_t
bytes_of (const SlIdle *idle, unsigned i)
{
  const SlRun *run = idle->run[i];
  size_t       bytes = sl_trainer_bytes (run->trainer) + run->first.bytes;

  for (unsigned newer = 0; newer < i; newer++)
    if (idle->run[newer]->data == run->data)
      return bytes;
  return bytes + sl_shared_data_bytes (run->data);
}

static void
drop (SlIdle *idle, unsigned i)
{
  sl_run_free (idle->run[i]);
  idle->n--;
  memmove (idle->run + i, idle->run + i + 1, (idle->n - i) * sizeof *idle->run);
}

/* The newest come first; trainers beyond IDLE_BYTES in all are freed. */
static void
drop_what_is_too_much (SlIdle *idle)
{
  size_t bytes = 0;

  for (unsigned i = 0; i < idle->n; i++)
    {
      size_t one = bytes_of (idle, i);

      if (bytes + one > IDLE_BYTES)
        drop (idle, i--);
      else
        bytes += one;
    }
}

static int
find (const SlIdle *idle, const SlLab *lab)
{
  for (unsigned i = 0; i < idle->n; i++)
    if (idle->run[i]->lab == lab)
      return (int) i;
  return -1;
}

void
sl_idle_put (SlIdle *idle, SlRun *run)
{
  int before = find (idle, run->lab);

  if (before >= 0)
    drop (idle, (unsigned) before);
  if (idle->n == SL_IDLE_MOST)
    drop (idle, SL_IDLE_MOST - 1);
  memmove (idle->run + 1, idle->run, idle->n * sizeof *idle->run);
  idle->run[0] = run;
  idle->n++;
  drop_what_is_too_much (idle);
}

SlRun *
sl_idle_take (SlIdle *idle, const SlRequest *request)
{
  int    i = find (idle, request->recipe.lab);
  SlRun *run = i >= 0 ? idle->run[i] : NULL;

  if (run == NULL || request->stored == NULL || request->stored->checkpoint.data == NULL
      || run->plan.seed != request->recipe.seed
      || (run->data != request->data && run->lab->data != SL_NEEDS_NOTHING))
    return NULL;
  idle->run[i] = NULL;
  drop (idle, (unsigned) i);
  return run;
}

SlSharedData *
sl_idle_data (const SlIdle *idle, const char *spec)
{
  for (unsigned i = 0; i < idle->n; i++)
    if (sl_shared_data_is (idle->run[i]->data, spec))
      return idle->run[i]->data;
  return NULL;
}

void
sl_idle_clear (SlIdle *idle)
{
  while (idle->n > 0)
    drop (idle, idle->n - 1);
}
