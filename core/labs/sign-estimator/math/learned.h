/* SPDX-License-Identifier: MIT
 *
 * A predictor that learns which units are on (Deja Vu, arXiv 2310.17157): q = (x A) B + c, or with a
 * rectifier between, trained by cross entropy against 1[pre > cut].  Inputs, pre and the weights of
 * the network are constants for it.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/optim/optim.h"

typedef struct
{
  size_t   units, most_inputs, most; /* H, and room for inputs and ranks */
  size_t   inputs, rank;             /* D and R of now */
  bool     rectifies;                /* a rectifier between A and B */
  sl_real *weights;                  /* A (D, R), B (R, H), c (H) */
  sl_real *m, *v, *gradient;         /* the same */
} SlLearned;

/* How a miss weighs against a false alarm. */
typedef enum {
  SL_LEARNED_PLAIN,
  SL_LEARNED_BALANCED, /* units that are off weigh as much as the share that is on, + 0.005 */
  SL_LEARNED_ENERGY,   /* no cross entropy: what gating would lose of relu (pre)², and a price */
} SlLearnedWeight;

static inline size_t
sl_learned_numbers (const SlLearned *p)
{
  return p->rank * (p->inputs + p->units) + p->units;
}

static inline sl_real *
sl_learned_b (const SlLearned *p)
{
  return p->weights + p->inputs * p->rank;
}

static inline sl_real *
sl_learned_c (const SlLearned *p)
{
  return p->weights + p->rank * (p->inputs + p->units);
}

/* Cuts room for up to these inputs and ranks. */
void sl_learned_init (SlLearned *p, size_t units, size_t most_inputs, size_t most, SlArena *kept,
                      SlArena *scratch);

/* Begins as the factors of this moment and the bias of their layer, so that q is their estimate; moments
 * are cleared.  Of a higher rank than there is room for, the first directions are taken.  */
void sl_learned_begin (SlLearned *p, const SlLowRank *svd, const sl_real *bias);

/* Begins as the factors behind a layer W (I, E), bias (I), that is taken for linear: a predictor that
 * reads the inputs of the layer before its own.  */
void sl_learned_begin_ahead (SlLearned *p, const SlLowRank *svd, const sl_real *bias,
                             size_t earlier_inputs, const sl_real *w, const sl_real *earlier_bias);

/* q (B, H) of x (B, D); low (B, R) keeps what is between. */
void sl_learned_scores (const SlLearned *p, size_t batch, const sl_real *x, sl_real *low,
                        sl_real *q);

/* What SL_LEARNED_ENERGY minimises (Davis 2016, §3.2.3: ‖σ(aW) - σ(aW) S‖), with σ(q) for the mask S, which
 * has no slope: the mean of r (1 - σ(q))² + SL_LEARNED_PRICE σ(q), r being relu (pre)² over its mean.  Without
 * the price everything would be on.  */
#define SL_LEARNED_PRICE 0.25

/* From q and low of these x, writes the gradient; q becomes dloss/dq, and low is overwritten.  With
 * `loss` it gets the mean loss.  */
void sl_learned_backward (SlLearned *p, size_t batch, const sl_real *x, const sl_real *pre,
                          sl_real cut, SlLearnedWeight weight, sl_real *low, sl_real *q,
                          double *loss);

/* From dloss/dq (B, H) and low of these x, writes the gradient; low is overwritten. */
void sl_learned_credit (SlLearned *p, size_t batch, const sl_real *x, const sl_real *dq,
                        sl_real *low);

/* One update of Adam, number t. */
void sl_learned_update (SlLearned *p, sl_real rate, uint64_t t);
