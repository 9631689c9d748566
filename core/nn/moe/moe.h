/* SPDX-License-Identifier: MIT
 *
 * A sparsely-gated mixture of experts (Shazeer et al. 2017): a gate chooses k of n small
 * networks per example, y = Σ G_i E_i (x).  Its gates: noisy top-k (§2.1), and one that gives every
 * expert the same number of examples of a batch (appendix F), each flat or on two levels (appendix B); the
 * flat ones of chooser.h; and mixtures of examples in place of a choice, soft.h.  Beside any of them m shared experts
 * may work on all examples with weight 1 (Dai et al. 2024, DeepSeekMoE, 2401.06066): y = Σ G_i E_i (x) + Σ S_j (x).
 * And a flat noisy gate may choose among z zero-computation experts too (Jin et al. 2024, MoE++, 2410.07348), whose
 * numbers are n … n + z - 1: E (x) = x or 0.  A bias that they have in the choice alone follows how many of the n an
 * example has on average (LongCat-Flash 2025); losses, loads and the dispatch are of the n.
 * The mathematics with our rulings: gate.h, strict.h, chooser.h, soft.h, balance.h, experts.h; here they become a layer with forward and backward side by side.  Nothing allocates after init.
 *
 * Letters: B examples, D inputs, n experts, a groups of b = n / a each, H hidden units of an
 * expert, O outputs, m shared experts, z zero-computation ones, p slots of an expert.
 *
 * One layer holds the activations of one batch; a forward pass overwrites those of the last.  */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/nn/moe/chooser.h"
#include "core/nn/moe/dispatch.h"
#include "core/nn/moe/experts.h"
#include "core/nn/moe/gate.h"
#include "core/nn/moe/soft.h"
#include "core/nn/moe/strict.h"
#include "core/nn/optim/optim.h"

typedef enum {
  SL_MOE_NOISY,    /* noisy top-k */
  SL_MOE_BALANCED, /* strictly balanced */
  SL_MOE_DENSE,    /* of chooser.h, as are those after SL_MOE_SOFT, in their order */
  SL_MOE_SOFT,     /* soft.h */
  SL_MOE_BASE,
  SL_MOE_RELU,
  SL_MOE_EXPERT_CHOICE,
  SL_MOE_SWITCH,
  SL_MOE_BIAS,
  SL_MOE_TOP_P,
  SL_MOE_OWN, /* a program's */
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
  bool      first_layer;             /* dx is not needed, and has no memory */
  double    lambda;                  /* relu: of the first update */
  size_t    shared;                  /* m, beside the n */
  size_t    slots;                   /* p of each of the n; soft alone */
  size_t    zero;                    /* z; flat noisy gates alone */
  bool      identity;                /* those give x, which needs D = O; else 0 */
  SlOwnUse *own; /* a program's gate alone; borrowed for the life of the layer */
} SlMoeShape;

/* Is the number of experts of an example the gate's own decision, which no setting says? */
static inline bool
sl_moe_is_open (const SlMoeShape *shape)
{
  return shape->gate == SL_MOE_TOP_P || shape->gate == SL_MOE_OWN;
}

/* What may change between two steps. */
typedef struct
{
  size_t k; /* experts per example, with groups per chosen group; clamped to b */
  size_t
    k_groups; /* groups per example; clamped to a, or to choice.groups; not read without groups */
  bool    noise;     /* false: ε = 0 in training too; σ and P stay as they are */
  sl_real floor;     /* least σ */
  bool    threshold; /* the load's gradient goes through the threshold expert too (§5.2) */
  sl_real w_importance, w_load; /* balanced gates have no use for the latter */
  bool    skip_load;            /* the smooth load is not read: unless w_load needs it, it is not
                                 * computed, and is not-a-number in the balance */
  bool    recompute;            /* activations of the experts are made again in the backward pass */
  SlChooserSetting choice;      /* of the gates of chooser.h; its k and k_groups are not read */
  double           gate_rate;   /* of those and soft ones: times the rate of the optimiser */
  double           zero_target; /* experts of the n that an example is to have on average */
  double           zero_rate;   /* by which the bias of the others moves towards that */
} SlMoeSetting;

/* How the last forward pass spread its examples. */
typedef struct
{
  const sl_real  *importance;      /* (n) Σ over the batch of G */
  const sl_real  *load;            /* (n) smooth estimate; balanced gates: the hard one */
  const uint32_t *hard;            /* (n) assignments */
  const uint32_t *wanted;          /* (n) the same before a switch drops any */
  double          importance_loss; /* w CV², as in the objective */
  double          load_loss;
  double threshold_loss; /* L_batch of appendix F of all gates ÷ B, in training; 0 with others */
  double choice_loss, z_loss, l1_loss, entropy_loss; /* of the gates of chooser.h, in training */
  double noise;      /* mean σ; 0 with balanced gates, or when it was not needed */
  double expected;   /* Σ P ÷ B: experts per example that the gate's probabilities say */
  double agreement;  /* in training: share of (example, expert) that the gate would decide alike
                          * for each example alone; noisy ones: not-a-number */
  size_t empty;      /* examples that none of the n took: without others their output is 0 */
  size_t not_finite; /* logits that were not numbers and counted as -∞ */
  double
    executed; /* inputs of experts: assignments and B m; in training of a soft one n p for the former */
} SlMoeBalance;

typedef struct
{
  SlMoeShape shape;
  size_t     n;       /* trainable numbers: gates first, then the experts, then the shared ones */
  size_t     n_gates; /* of them, the gates' */
  sl_real   *weights, *gradient; /* (n), given by sl_moe_bind() */

  SlGate    *gates;   /* noisy ones.  Flat: 1.  Groups: the primary one, then one per group */
  SlStrict  *strict;  /* the same when balanced */
  SlChooser  chooser; /* the gate when it is one of chooser.h */
  SlSoft     soft;    /* what is in place of one */
  SlExperts  experts;
  SlExperts  shared;
  SlDispatch dispatch; /* of the last forward pass, of the n; soft: all of them with their shares */
  SlDispatch everybody; /* of the shared ones */
  SlMoeBalance balance;

  sl_real *m, *v;   /* (n_gates) the gates' moments */
  uint64_t updates; /* of the gates, for the bias correction; checkpoints of the lab need it */
  double
    *zero_bias; /* of the zero-computation experts, kept as the moments are; NULL without any */
  sl_real       *epsilon;        /* (most, n + z) noise of the experts, drawn or given */
  sl_real       *epsilon_groups; /* (most, a) noise of the groups */
  const sl_real *x;              /* (B, D) of the last forward pass, borrowed */
  size_t         batch;

  /* Work space.  Of the last forward pass with groups: reach[i most] and on are the examples that
   * reach group i, rising, as many as its gate has rows.  */
  uint32_t *reach, *cursor;              /* (a, most), (a) */
  sl_real  *x_group, *dx_group;          /* (most, D) of one group */
  sl_real  *importance, *load;           /* (n) */
  sl_real  *dimportance, *dload;         /* (n), (n + z) dloss of them */
  sl_real  *dload_groups, *dload_within; /* (a), (n) */
  uint32_t *hard;                        /* (n) */
  sl_real  *dg;                    /* (assignments, those to zero-computation experts too), example
                                          * by example */
  sl_real  *dg_groups, *dg_within; /* (most, a) of Gp, (assignments) group by group of G */
  sl_real  *y_shared, *dx_shared;  /* (most, O), (most, D) */
  uint32_t *hard_shared;           /* (m) */
} SlMoe;

/* Trainable numbers of a layer of this shape. */
size_t sl_moe_numbers (const SlMoeShape *shape);

/* Cuts what a checkpoint has to keep (moments, counts of updates) from `kept`, all else from
 * `scratch`.  Called once to measure and once for real.  */
void sl_moe_carve (SlMoe *moe, const SlMoeShape *shape, SlArena *kept, SlArena *scratch);

/* Where the layer's numbers and their gradient are; both (n). */
void sl_moe_bind (SlMoe *moe, sl_real *weights, sl_real *gradient);

/* Noisy gates to zero, the others as strict.h and chooser.h say; experts Glorot with zero biases; moments and
 * counts to zero.  */
void sl_moe_init (SlMoe *moe, SlRng *rng);

/* After the optimiser was changed: moments and counts to zero. */
void sl_moe_clear_moments (SlMoe *moe);

/* Draws ε for a batch: standard normals, all (B, n + z) and with groups (B, a), whatever k.  Balanced
 * gates draw nothing.  */
void sl_moe_draw (SlMoe *moe, size_t batch, SlRng *rng);

/* y (B, O) from x (B, D), which is borrowed until the backward pass.  After a failure of a program's gate shape.own has the
 * reason, and no example has an expert.  `training`: with the noise in
 * epsilon (or the batch-wise mask), and the activations are kept; else without noise (or by
 * thresholds, or each example alone).  Fills moe->dispatch and moe->balance.  `held`: the choices
 * are those that moe->dispatch already has; only values are computed anew (finite differences).  B
 * = 0 is fine.
 *
 * With groups (appendix B; Gp is the primary gate's, X^(i) are the examples that it sends to group
 * i, in which j counts): Importance_ij = Σ Gp_i G_ij, Load_ij = Loadp_i Load_i (X^(i))_j ÷ |X^(i)|,
 * a row of zeros when no example reaches the group.  The gate of a group only sees X^(i).  Balanced
 * gates with groups: in training the primary one takes ⌊k_groups B / a⌋ examples for each group,
 * and the gate of group i ⌊k |X^(i)| / b⌋ of those for each of its experts; the load is what they
 * get.  */
void sl_moe_forward (SlMoe *moe, const SlMoeSetting *setting, size_t batch, const sl_real *x,
                     bool training, bool frozen, sl_real *y);

/* After a forward pass in training, from dy (B, O) and the balance losses: the gradient of moe->n
 * numbers into moe->gradient (those of idle experts are zeros), and dx (B, D) unless NULL, from
 * experts and gate.  With `optim` the experts are updated one by one while their gradient is in the
 * cache and it is not written out; the gates are updated too.  What follows the counts of the batch
 * (sl_chooser_follow, the bias of zero-computation experts) moves after that.  An idle expert is then not touched at all, nor are its
 * moments; the same holds for the gate of a group that no example reached.  |X^(i)| is a count and
 * has no slope.  Afterwards dispatch->slope is dloss/dG with the importance loss, but for soft
 * ones, whose balance has no loss.
 *
 * False: the slopes of a program's gate failed, with the reason in shape.own, and nothing is updated.  Of a gate that gives
 * values, the updates wait until its slopes are there.  */
bool sl_moe_backward (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                      const SlOptimSetting *optim);

/* For the examples of the last forward pass: by how many σ expert `expert` < n + z is above the threshold
 * of being chosen, (c - t) / σ; below 0 it is left out without noise.  With groups, the smaller of
 * the group's and its own, the group's alone for examples that do not reach it.  Balanced gates:
 * Gσ - T; others as sl_chooser_margin_of() says.  Not-a-number where it is undefined: k >= n, or the pass had no use for σ.  margin
 * (B).  */
void sl_moe_margin (const SlMoe *moe, size_t expert, sl_real *margin);

/* Experts per example of a gate of chooser.h, as sl_chooser_k(). */
size_t sl_moe_choice_k (const SlMoeSetting *setting, size_t experts);

/* Multiply-adds of the gates for one example, with groups those of the `k_groups` chosen ones. */
double sl_moe_gate_macs (const SlMoe *moe, const SlMoeSetting *setting);
/* Multiply-adds of one example that only training does: of soft ones to mix examples and back, of
 * balanced assignment for its plan.  */
double sl_moe_batch_macs (const SlMoe *moe);
/* Multiply-adds of one expert for one example. */
double sl_moe_expert_macs (const SlMoe *moe);

/* Bytes that training one batch needs at the least under these settings: the gradient of the gates
 * and of one expert, moments of the optimiser, what gates keep of a batch, and hidden units, of all
 * assignments or with `recompute` those of one expert of a balanced batch.  Where examples have different numbers of
 * experts, their mean in the last pass counts.  */
typedef struct
{
  double weights, gradient, moments, activations;
} SlMoeMemory;

SlMoeMemory sl_moe_memory (const SlMoe *moe, const SlMoeSetting *setting, size_t batch,
                           SlOptimiser optimiser);
