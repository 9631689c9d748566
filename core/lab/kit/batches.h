/* SPDX-License-Identifier: MIT
 *
 * Mini-batches of the training split in a new random order each epoch.  A batch that meets the end
 * of an epoch is filled from the next one, so all have the requested size.  */
#pragma once

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/data/set/dataset.h"

typedef struct
{
  SlRng    rng;
  uint64_t cursor; /* position in the order */
} SlBatchesPlace;

typedef struct
{
  SlBatchesPlace *place;
  uint32_t       *order; /* (n) */
  uint32_t        n;     /* training examples */
} SlBatches;

/* Carves place and order from `kept`. */
void sl_batches_carve (SlBatches *batches, const SlDataset *dataset, SlArena *kept);

/* Makes the first order, from the stream "shuffle". */
void sl_batches_begin (SlBatches *batches, uint64_t seed);

/* False when place and order, which a checkpoint has filled, are not those of such batches: the order
 * has every example once. */
bool sl_batches_check (const SlBatches *batches);

/* Copies as much of a place and order as drawing a batch of this size from there changes, both carved for the same data:
 * before the draw, and back again, so that the next one is the same.  */
void sl_batches_copy (const SlBatches *from, size_t batch, SlBatches *to);

/* The next batch: x (batch, D), label (batch). */
void sl_batches_next (SlBatches *batches, const SlDataset *dataset, size_t batch, sl_real *x,
                      uint8_t *label);
