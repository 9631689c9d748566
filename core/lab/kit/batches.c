/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/batches.h"

#include "core/lab/kit/common.h"

void
sl_batches_init (SlBatches *batches, const SlDataset *dataset, uint64_t seed, SlArena *kept)
{
  *batches = (SlBatches) { .n = (uint32_t) dataset->n[SL_TRAIN] };
  batches->order = sl_arena_carve (kept, batches->n, sizeof *batches->order);
  if (batches->order == NULL)
    return;
  for (uint32_t i = 0; i < batches->n; i++)
    batches->order[i] = i;
  sl_rng_init (&batches->rng, seed, "shuffle");
  sl_rng_shuffle (&batches->rng, batches->order, batches->n);
}

SlStatus
sl_batches_restore (SlBatches *batches, const SlRng *rng, uint64_t cursor)
{
  bool fine = cursor <= batches->n;

  for (uint32_t i = 0; i < batches->n; i++)
    fine = fine && batches->order[i] < batches->n;
  if (!fine)
    return sl_out_of_range ();
  batches->rng = *rng;
  batches->cursor = cursor;
  return SL_SUCCESS;
}

void
sl_batches_next (SlBatches *batches, const SlDataset *dataset, size_t batch, sl_real *x,
                 uint8_t *label)
{
  for (size_t done = 0; done < batch;)
    {
      size_t left = batches->n - batches->cursor, take = batch - done < left ? batch - done : left;

      sl_dataset_gather (dataset, batches->order + batches->cursor, take,
                         x + done * dataset->features, label + done);
      done += take;
      batches->cursor += take;
      if (batches->cursor == batches->n)
        {
          batches->cursor = 0;
          sl_rng_shuffle (&batches->rng, batches->order, batches->n);
        }
    }
}
