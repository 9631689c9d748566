/* SPDX-License-Identifier: MIT
 *
 * The experts of a mixture (Shazeer et al. 2017, §2 and appendix D), E (x) = relu (x A + a) C + c,
 * each computed only for the examples that were sent to it.
 *
 * Letters: B examples, D inputs, n experts, H hidden units of one, O outputs, m the examples of
 * one expert.
 *
 * Each pass reads the weights of a busy expert once and works on all its examples while they are
 * in the cache; an idle expert costs nothing.  The sums over the experts of an example run in
 * rising order, and no sum is split among threads: results are the same bytes for any number of
 * threads.
 *
 * Threads: one call at a time per SlExperts; calls use as many as sl_blas_set_threads() said on the
 * calling one.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/nn/moe/dispatch.h"
#include "core/nn/optim/optim.h"

/* Examples of one expert that a forward pass works on at a time. */
typedef struct
{
  uint32_t expert, from; /* from the `from`-th on */
} SlExpertPart;

/* What is fixed for a run. */
typedef struct
{
  size_t inputs, hidden, outputs, experts; /* D, H, O, n */
  size_t most, room;  /* examples of a batch, which make at most so many assignments */
  bool   factored;    /* second moments as in factored.h, and no first ones */
  bool   first_layer; /* dx is not needed, and has no memory */
} SlExpertsShape;

typedef struct
{
  size_t inputs, hidden, outputs; /* D, H, O */
  size_t experts, each;           /* n; numbers of one: A (D, H), a (H), C (H, O), c (O) */
  size_t most, room;              /* examples of a batch, assignments */
  bool   factored;                /* as in the shape */

  sl_real  *weights, *gradient; /* (n, each), given by sl_experts_bind() */
  size_t    second;             /* numbers of one expert's second moment */
  sl_real  *m, *v;              /* (n, each), NULL when factored; (n, second) */
  uint64_t *updates;            /* (n) of each, for Adam's bias correction: idle ones fall behind */

  size_t        keep; /* assignments that there is room for activations of, up to 1 GiB; a pass with
                          * more of them makes them again, whatever was wished */
  sl_real      *h;    /* (keep, H) activations that the last forward pass kept */
  sl_real      *part; /* (room, max (D, O)) what each assignment adds to its example; of a first
                          * layer (room, O) */
  uint32_t     *order;   /* (n) the experts of a pass, those with most examples first */
  SlExpertPart *piece;   /* of a forward pass */
  size_t        workers; /* threads that there is work space for */
  size_t        space;   /* numbers of it for one */
  sl_real      *work;    /* (workers, space) */
} SlExperts;

/* Trainable numbers of one expert. */
size_t sl_experts_each (size_t inputs, size_t hidden, size_t outputs);

/* Cuts moments and counts from `kept`, all else from `scratch`.  Called once to measure and once
 * for real.  Memory is only touched as far as passes need it.  */
void sl_experts_carve (SlExperts *experts, const SlExpertsShape *shape, SlArena *kept,
                       SlArena *scratch);

/* Where the numbers and their gradient are; both (n, each). */
void sl_experts_bind (SlExperts *experts, sl_real *weights, sl_real *gradient);

/* Glorot, with biases of zero; moments and counts to zero. */
void sl_experts_init (SlExperts *experts, SlRng *rng);

/* Moments and counts to zero. */
void sl_experts_clear_moments (SlExperts *experts);

/* y (B, O): y[e] = Σ G E_i (x[e]) over the assignments of `dispatch`; zeros for an example without
 * any.  x (B, D).  With `keep` the activations stay for a backward pass; without, that one has
 * to recompute.  */
void sl_experts_forward (SlExperts *experts, const SlDispatch *dispatch, const sl_real *x,
                         bool keep, sl_real *y);

/* After a forward pass with the same dispatch, x (B, D) and weights, from dy (B, O): the gradient
 * of all experts, zeros for idle ones; dispatch->slope = dy·E_i (x) of each assignment; dx (B, D)
 * from the experts alone unless NULL.  `recompute`: the activations are made again, to the same
 * bytes, rather than taken from the forward pass.
 *
 * With `optim` each busy expert is updated as soon as its gradient is there; that is not written
 * out, and experts->gradient is left alone.  Idle ones are not touched, nor their moments and
 * counts.  When factored the update is that of factored.h, whatever optim->kind.  */
void sl_experts_backward (SlExperts *experts, SlDispatch *dispatch, const sl_real *x,
                          const sl_real *dy, bool recompute, sl_real *dx,
                          const SlOptimSetting *optim);

/* After a backward pass without `optim`, the same update of the busy experts as with it. */
void sl_experts_update (SlExperts *experts, const SlDispatch *dispatch,
                        const SlOptimSetting *optim);
