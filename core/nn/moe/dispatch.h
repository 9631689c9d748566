/* SPDX-License-Identifier: MIT
 *
 * Which examples go to which experts: the sparse matrix of gate values, by expert for the products
 * and by example for what is summed over experts.  Sums always run in rising expert order, so a
 * result does not depend on the number of threads.
 *
 * An assignment is one (example, expert) pair; they are numbered by expert, then by example.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

typedef struct
{
  size_t    batch, experts; /* B <= most, n */
  size_t    total;          /* assignments, at most `room` */
  size_t    most, room;
  uint32_t *start;  /* (n + 1) those of expert i are start[i] … start[i + 1] - 1 */
  uint32_t *row;    /* (total) the example, rising within an expert */
  sl_real  *weight; /* (total) its gate value G */
  sl_real  *slope;  /* (total) dloss/dG, filled by sl_experts_backward() */
  uint32_t *first;  /* (B + 1) those of example e are slot[first[e]] … slot[first[e + 1] - 1] */
  uint32_t *slot;   /* (total) numbers of assignments, by example, experts rising */
} SlDispatch;

/* Cuts room for `most` examples and `room` assignments. */
void sl_dispatch_carve (SlDispatch *dispatch, size_t experts, size_t most, size_t room,
                        SlArena *scratch);

/* Begins anew with `batch` examples: count[i] is how many assignments expert i will get.  Then
 * sl_dispatch_add() for each pair, examples rising and within one the experts rising, then
 * sl_dispatch_end().  */
void sl_dispatch_begin (SlDispatch *dispatch, size_t batch, const uint32_t *count /* (n) */);
void sl_dispatch_add (SlDispatch *dispatch, uint32_t example, uint32_t expert, sl_real weight);
void sl_dispatch_end (SlDispatch *dispatch);
