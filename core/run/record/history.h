/* SPDX-License-Identifier: MIT
 *
 * The last few checkpoints of a run, in memory, within a budget: dense near the present,
 * sparse far back; the first one is kept where three or more have room.  Plain data, one thread.  */
#pragma once

#include <stdbool.h>

#include "core/train/trainer.h"

enum { SL_HISTORY_MAX = 8 };

typedef struct
{
  SlCheckpoint checkpoint[SL_HISTORY_MAX]; /* (n) by step */
  unsigned     n;
  size_t       budget; /* bytes of all together; 0: none are kept */
} SlHistory;

/* Frees all checkpoints; keeps the budget. */
void sl_history_clear (SlHistory *history);

/* Adds the state of a trainer of `lab`, in the place of the most dispensable one when there is no room.
 * Keeps none whose weights are not finite.  SL_ENOMEM also when a single one is over budget;
 * then there are none.  */
SlStatus sl_history_save (SlHistory *history, SlTrainer *trainer);

/* Of `n` checkpoints made at these steps, rising, the one that is missed least: whose neighbours are
 * closest together compared with how long ago they are.  The first and the last are spared;
 * of two, the first goes.  */
unsigned sl_history_dispensable (const uint64_t *step, unsigned n, uint64_t now);

/* The latest checkpoint at or before `step`, or the first of all; NULL when there is none. */
const SlCheckpoint *sl_history_find (const SlHistory *history, uint64_t step);
/* The same, and forgets the checkpoints after it. */
const SlCheckpoint *sl_history_rewind (SlHistory *history, uint64_t step);

/* Takes over the checkpoints of another one, as far as the budget goes, instead of its own; the
 * other one is then empty.  */
void sl_history_take (SlHistory *history, SlHistory *from);
