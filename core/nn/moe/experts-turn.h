/* SPDX-License-Identifier: MIT
 *
 * What the passes of experts.h share, for core/nn/experts*.c alone: the turn of one expert.  */
#pragma once

#include "core/nn/moe/experts.h"

enum { SL_EXPERT_BATCH_ROWS = 128 }; /* examples of a piece of work where an expert has more */

/* Some or all examples of one expert, its numbers, and room to work in. */
typedef struct
{
  size_t          index, m, first; /* m examples; number of the first assignment */
  const uint32_t *row;             /* (m) which */
  sl_real        *a, *a_bias, *c, *c_bias;
  sl_real        *x, *h, *dh;    /* (m, D), (m, H), (m, H) */
  sl_real        *dy, *weighted; /* (m, O): dy, and times the gate value */
  sl_real        *gradient;      /* (each) */
  sl_real        *roots;         /* (max (H, O)), of sl_factored_step() */
} SlExpertBatch;

/* All examples of expert `index`, in the work space of this thread. */
SlExpertBatch sl_expert_batch_whole (const SlExperts *experts, const SlDispatch *dispatch,
                                     size_t index);

/* At most SL_EXPERT_BATCH_ROWS of them, from the `from`-th on. */
SlExpertBatch sl_expert_batch_part (const SlExperts *experts, const SlExpertBatch *whole,
                                    size_t from);

/* Fills experts->order and returns how many experts are busy: those with most examples first, equal
 * ones in their order; the idle ones follow.  */
size_t sl_expert_batch_order (SlExperts *experts, const SlDispatch *dispatch);

/* Threads that pay for the work of a pass. */
int sl_expert_batch_threads (const SlExperts *experts, const SlDispatch *dispatch);

/* to (m, columns) = the examples' rows of `from`. */
void sl_expert_batch_gather (const SlExpertBatch *batch, size_t columns, const sl_real *from,
                             sl_real *to);

/* h (m, H) from turn->x. */
void sl_expert_batch_activate (const SlExperts *experts, const SlExpertBatch *batch, sl_real *h);

/* to (B, columns) = Σ weight experts->part over each example's assignments; weight NULL is 1. */
void sl_expert_batch_add (const SlExperts *experts, const SlDispatch *dispatch, size_t columns,
                          const sl_real *weight, sl_real *to);
