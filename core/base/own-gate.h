/* SPDX-License-Identifier: MIT
 *
 * A gate that a program brings along.  Letters: B rows, n experts.  */
#pragma once

#include <stdbool.h>

#include "core/base/real.h"
#include "core/base/status.h"

/* One batch.  The memory is the caller's and holds for the call. */
typedef struct
{
  size_t         rows, experts;
  bool           training; /* false: the network is looked at */
  const sl_real *logits;   /* (B, n), finite */
  uint8_t
    *mask; /* (B, n) zeros, set to 1 where an expert is to work on a row; a row may have none */
  sl_real
      *weights;  /* (B, n) zeros: gate values where `weighted` is set, not read outside the mask */
  bool weighted; /* false: they are the softmax over the chosen logits, whose gradient is known */
} SlOwnBatch;

/* Called outside of parallel regions on the thread that trains, times or looks at the network; false: it failed. */
typedef struct
{
  /* Chooses, once a batch. */
  bool (*choose) (void *data, SlOwnBatch *batch);

  /* dloss/dlogits (B, n), which are zeros, of the last batch in training from dloss/dweights (B, n), zeros outside the
   * mask.  Needed where `weighted` is set, else NULL.  */
  bool (*slopes) (void *data, size_t rows, size_t experts, const sl_real *dweights,
                  sl_real *dlogits);

  void *data;
} SlOwnGate;

/* How a network uses one. */
typedef struct
{
  const SlOwnGate *gate; /* borrowed; NULL: none was brought */
  bool             used; /* by the shape that was made of the settings */
  SlStatus
    failure; /* the first, SL_EGATE, until it is taken; meanwhile the gate is not called again */
} SlOwnUse;

/* Takes the failure, SL_OK where there was none. */
static inline SlStatus
sl_own_take (SlOwnUse *use)
{
  SlStatus status = use->failure;

  use->failure = SL_SUCCESS;
  return status;
}
