/* SPDX-License-Identifier: MIT
 *
 * A sparsely-gated mixture of experts (Shazeer et al. 2017): a gate chooses k of n small
 * networks per example, y = Σ G_i E_i (x).  Three gates: noisy top-k (§2.1), two levels of it
 * (appendix B), and one that gives every expert the same number of examples of a batch
 * (appendix F).  The mathematics with our rulings: gate.h, strict.h, balance.h, experts.h; here
 * they become a layer with forward and backward side by side.  Nothing allocates after init.
 *
 * Letters: B examples, D inputs, n experts, a groups of b = n / a each, H hidden units of an
 * expert, O outputs.
 *
 * One layer holds the activations of one batch; a forward pass overwrites those of the last.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/nn/dispatch.h"
#include "core/nn/experts.h"
#include "core/nn/gate.h"
#include "core/nn/optim.h"
#include "core/nn/strict.h"

typedef enum
{
  SL_MOE_NOISY,    /* noisy top-k */
  SL_MOE_BALANCED, /* strictly balanced; always flat */
} SlMoeGate;

/* What is fixed for a run. */
typedef struct
{
  SlMoeGate gate;
  size_t    inputs, hidden, outputs; /* D, H, O */
  size_t    experts;                 /* n, in all groups together */
  size_t    groups;                  /* a, divides n; 1: one flat gate */
  size_t    most;                    /* examples in a batch */
  bool      factored;                /* optimiser state of the experts as row and column means */
} SlMoeShape;

/* What may change between two steps. */
typedef struct
{
  size_t  k;             /* experts per example, with groups per chosen group; clamped to b */
  size_t  k_groups;      /* groups per example; clamped to a; not read when flat */
  bool    noise;         /* false: ε = 0 in training too; σ and P stay as they are */
  sl_real floor;         /* least σ */
  bool    threshold;     /* the load's gradient goes through the threshold expert too (§5.2) */
  sl_real w_importance, w_load;
  bool    recompute;     /* activations of the experts are made again in the backward pass */
} SlMoeSetting;

/* How the last forward pass spread its examples. */
typedef struct
{
  const sl_real  *importance;  /* (n) Σ over the batch of G */
  const sl_real  *load;        /* (n) smooth estimate; balanced gates: the hard one */
  const uint32_t *hard;        /* (n) assignments */
  double importance_loss;      /* w CV², as in the objective */
  double load_loss;
  double threshold_loss;       /* L_batch of appendix F; 0 with other gates */
  double noise;                /* mean σ; 0 with balanced gates */
  double entropy;              /* of G, mean over the examples, in bits: 0 … log2 of those chosen */
  double expected;             /* Σ P ÷ B: experts per example that the gate's probabilities say */
  double agreement;            /* balanced gates: share of (example, expert) on which both masks agree */
  size_t empty;                /* examples that no expert took: their output is 0 */
  size_t not_finite;           /* logits that were not numbers and counted as -∞ */
} SlMoeBalance;

typedef struct
{
  SlMoeShape shape;
  size_t     n;        /* trainable numbers: gates first, then the experts */
  size_t     n_gates;  /* of them, the gates' */
  sl_real   *weights, *gradient; /* (n), given by sl_moe_bind() */

  SlGate    *gates;    /* flat: 1.  Groups: the primary one, then one per group */
  SlStrict   strict;   /* the gate when balanced */
  SlExperts  experts;
  SlDispatch dispatch; /* of the last forward pass */
  SlMoeBalance balance;

  sl_real   *m, *v;    /* (n_gates) the gates' moments */
  uint64_t   updates;  /* of the gates, for the bias correction; travels with checkpoints of the lab */
  sl_real   *epsilon;  /* (most, n) noise of the experts, drawn or given */
  sl_real   *epsilon_groups; /* (most, a) noise of the groups */
  const sl_real *x;    /* (B, D) of the last forward pass, borrowed */
  size_t     batch;
} SlMoe;

/* Trainable numbers of a layer of this shape. */
size_t sl_moe_numbers (const SlMoeShape *shape);

/* Cuts what a checkpoint has to keep (moments, counts of updates) from `kept`, the rest from
 * `scratch`.  Called once to measure and once for real.  */
void sl_moe_cut (SlMoe *moe, const SlMoeShape *shape, SlArena *kept, SlArena *scratch);

/* Where the layer's numbers and their gradient are; both (n). */
void sl_moe_bind (SlMoe *moe, sl_real *weights, sl_real *gradient);

/* Gates to zero, experts Glorot with zero biases, moments to zero. */
void sl_moe_init (SlMoe *moe, SlRng *rng);

/* After the optimiser was changed: moments and counts to zero. */
void sl_moe_clear_moments (SlMoe *moe);

/* Draws ε for a batch: standard normals, all (B, n) and (B, a) whatever k. */
void sl_moe_draw (SlMoe *moe, size_t batch, SlRng *rng);

/* y (B, O) from x (B, D), which is borrowed until the backward pass.  `training`: with the noise in
 * epsilon (or the batch-wise mask), and the activations are kept; else without noise (or by
 * thresholds).  Fills moe->dispatch and moe->balance.  `held`: the choices are those that
 * moe->dispatch already has; only values are computed anew (finite differences).  */
void sl_moe_forward (SlMoe *moe, const SlMoeSetting *setting, size_t batch, const sl_real *x,
                     bool training, bool held, sl_real *y);

/* After a forward pass in training, from dy (B, O) and the balance losses: the gradient of
 * moe->n numbers into moe->gradient (those of idle experts are zeros), and dx (B, D) unless NULL,
 * from experts and gate.  With `optim` the experts are updated one by one while their gradient is
 * in the cache and it is not written out; the gates are updated too.  An idle expert is then not
 * touched at all, nor are its moments.  */
void sl_moe_backward (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                      const SlOptimSetting *optim);

/* For the examples of the last forward pass: by how many σ expert `expert` is above the threshold
 * of being chosen, (c - t) / σ; below 0 it is left out without noise.  With groups, the smaller of
 * the group's and its own.  Balanced gates: Gσ - T.  Not-a-number where it is undefined (k >= n).
 * margin (B).  */
void sl_moe_margin (const SlMoe *moe, size_t expert, sl_real *margin);

/* Multiply-adds of one example: of the gates, with groups those of `k_groups` chosen ones; and of
 * one expert.  */
double sl_moe_gate_macs (const SlMoe *moe, const SlMoeSetting *setting);
double sl_moe_expert_macs (const SlMoe *moe);

/* Bytes that training one batch needs at the least under these settings. */
typedef struct
{
  double weights, gradient, moments, activations;
} SlMoeMemory;

SlMoeMemory sl_moe_memory (const SlMoe *moe, const SlMoeSetting *setting, size_t batch,
                           bool adam);
