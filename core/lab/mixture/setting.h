/* SPDX-License-Identifier: MIT
 *
 * The live settings of a sparsely-gated mixture of experts, as the parameters of a lab have them.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/nn/moe/moe.h"
#include "core/nn/optim/optim.h"

enum {
  SL_MIXTURE_EXPERTS = 1024, /* the most experts of a mixture in a lab */
  SL_MIXTURE_ZERO = 64,      /* and zero-computation ones beside them */
};

/* Numbers of the lab's parameters (params.h). */
typedef struct
{
  unsigned k, k_groups, w_importance, w_load, noise, noise_floor, threshold, recompute;
} SlMixtureParams;

SlMoeSetting sl_mixture_setting (const SlLabState *state, const SlMixtureParams *params);

/* Numbers of the lab's parameters: SGD or Adam, and a rate that may warm up and fall. */
typedef struct
{
  unsigned optimiser, rate, schedule, warm_up, flat;
} SlMixtureOptimParams;

/* How the next update is made. */
SlOptimSetting sl_mixture_optim (const SlLabState *state, const SlMixtureOptimParams *params);

/* Whether the layer draws noise in training. */
static inline bool
sl_mixture_is_noisy (const SlMoe *moe, const SlMoeSetting *setting)
{
  return setting->noise && moe->shape.gate == SL_MOE_NOISY;
}

/* Does the number of experts differ from example to example, with a mean that no setting says: top-p, a program's gate, or
 * with zero-computation experts.  */
static inline bool
sl_mixture_adapts (const SlMoe *moe)
{
  return sl_moe_is_open (&moe->shape) || moe->shape.zero > 0;
}

/* Experts per example, as clamped to what there is; what ReLU routing aims at.  Of those that adapt, the mean of the
 * last pass, and before the first what they aim at or begin with.  */
double sl_mixture_chosen (const SlMoe *moe, const SlMoeSetting *setting);

/* SL_EINVAL where the groups cannot share the experts evenly. */
SlStatus sl_mixture_check_groups (size_t experts, size_t groups);

/* SL_EINVAL where the groups cannot share the experts evenly or the gate has none, SL_ENOMEM where numbers and moments of
 * the layer need more than so many MiB.  */
SlStatus sl_mixture_check (const SlMoeShape *shape, double budget);

/* What the balance added to the objective in the last forward pass. */
double sl_mixture_loss (const SlMoe *moe);

/* Of a step in which the last forward pass had logits that are not finite. */
SlStatus sl_mixture_not_finite (size_t logits);

/* The set of experts of each example of the last pass, set (batch): bit i for expert i as long as there
 * are fewer than SL_CELL_HASH of them, else a hash with that bit set.  */
void sl_mixture_sets (const SlDispatch *dispatch, size_t batch, uint64_t *set);
