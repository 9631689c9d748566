/* SPDX-License-Identifier: MIT
 *
 * Mini-batches of the training split in a new random order each epoch.  A batch that
 * meets the end of an epoch is filled from the next one, so all have the size asked
 * for.  */
#pragma once

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/data/set/dataset.h"

typedef struct
{
  SlRng     rng;
  uint64_t  cursor; /* position in the order */
  uint32_t *order;  /* (n) */
  uint32_t  n;      /* training examples */
} SlBatches;

/* Cuts the order from `kept`; with a block, also makes the first one from the stream
 * "shuffle".  */
void sl_batches_init (SlBatches *batches, const SlDataset *dataset, uint64_t seed, SlArena *kept);

/* Takes a place in the stream and in the order, which a checkpoint has filled.  SL_EFORMAT when there
 * is no such place or no such example.  */
SlStatus sl_batches_restore (SlBatches *batches, const SlRng *rng, uint64_t cursor);

/* The next batch: x (batch, D), label (batch). */
void sl_batches_next (SlBatches *batches, const SlDataset *dataset, size_t batch, sl_real *x,
                      uint8_t *label);
