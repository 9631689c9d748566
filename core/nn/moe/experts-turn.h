/* SPDX-License-Identifier: MIT
 *
 * What the passes of experts.h share, for core/nn/experts*.c alone: the turn of one expert.  */
#pragma once

#include "core/nn/moe/experts.h"

enum { SL_TURN_ROWS = 128 }; /* examples of a piece of work where an expert has more */

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
} SlTurn;

/* All examples of expert `index`, in the work space of this thread. */
SlTurn sl_turn_whole (const SlExperts *experts, const SlDispatch *dispatch, size_t index);

/* At most SL_TURN_ROWS of them, from the `from`-th on. */
SlTurn sl_turn_part (const SlExperts *experts, const SlTurn *whole, size_t from);

/* Fills experts->order and returns how many experts are busy: those with most examples first, equal
 * ones in their order; the idle ones follow.  */
size_t sl_turn_order (SlExperts *experts, const SlDispatch *dispatch);

/* Threads that a pass is worth. */
int sl_turn_threads (const SlExperts *experts, const SlDispatch *dispatch);

/* to (m, columns) = the examples' rows of `from`. */
void sl_turn_gather (const SlTurn *turn, size_t columns, const sl_real *from, sl_real *to);

/* h (m, H) from turn->x. */
void sl_turn_activate (const SlExperts *experts, const SlTurn *turn, sl_real *h);

/* to (B, columns) = Σ weight experts->part over each example's assignments; weight NULL is 1. */
void sl_turn_add (const SlExperts *experts, const SlDispatch *dispatch, size_t columns,
                  const sl_real *weight, sl_real *to);
