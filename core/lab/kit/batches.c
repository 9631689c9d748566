/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/batches.h"

#include <string.h>

static const uint32_t MET = UINT32_C (1) << 31; /* no split has as many examples */

void
sl_batches_carve (SlBatches *batches, const SlDataset *dataset, SlArena *kept)
{
  batches->n = (uint32_t) dataset->n[SL_TRAIN];
  batches->place = sl_arena_carve (kept, 1, sizeof *batches->place);
  batches->order = sl_arena_carve (kept, batches->n, sizeof *batches->order);
}

void
sl_batches_begin (SlBatches *batches, uint64_t seed)
{
  for (uint32_t i = 0; i < batches->n; i++)
    batches->order[i] = i;
  sl_rng_init (&batches->place->rng, seed, "shuffle");
  sl_rng_shuffle (&batches->place->rng, batches->order, batches->n);
}

bool
sl_batches_check (const SlBatches *batches)
{
  uint32_t *order = batches->order;
  bool      fine = batches->n == 0 || batches->place->cursor <= batches->n;

  for (uint32_t i = 0; i < batches->n; i++)
    fine = fine && order[i] < batches->n;
  if (!fine)
    return false;
  /* An example that was met is marked in the order itself, as restoring allocates nothing. */
  for (uint32_t i = 0; i < batches->n; i++)
    {
      uint32_t *seen = order + (order[i] & ~MET);

      fine = fine && (*seen & MET) == 0;
      *seen |= MET;
    }
  for (uint32_t i = 0; i < batches->n; i++)
    order[i] &= ~MET;
  return fine;
}

void
sl_batches_copy (const SlBatches *from, size_t batch, SlBatches *to)
{
  *to->place = *from->place;
  if (from->place->cursor + batch >= from->n) /* the epoch ends, with a new order */
    memcpy (to->order, from->order, from->n * sizeof *to->order);
}

void
sl_batches_next (SlBatches *batches, const SlDataset *dataset, size_t batch, sl_real *x,
                 uint8_t *label)
{
  SlBatchesPlace *place = batches->place;

  for (size_t done = 0; done < batch;)
    {
      size_t left = batches->n - place->cursor, take = batch - done < left ? batch - done : left;

      sl_dataset_gather (dataset, batches->order + place->cursor, take,
                         x + done * dataset->features, label + done);
      done += take;
      place->cursor += take;
      if (place->cursor == batches->n)
        {
          place->cursor = 0;
          sl_rng_shuffle (&place->rng, batches->order, batches->n);
        }
    }
}
