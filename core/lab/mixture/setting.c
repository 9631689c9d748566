/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/setting.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/schedule.h"

SlMoeSetting
sl_mixture_setting (const SlLabState *state, const SlMixtureParams *params)
{
  return (SlMoeSetting) {
    .k = sl_count_of (state, params->k),
    .k_groups = sl_count_of (state, params->k_groups),
    .noise = sl_is_on (state, params->noise),
    .floor = (sl_real) sl_value_of (state, params->noise_floor),
    .threshold = sl_is_on (state, params->threshold),
    .w_importance = (sl_real) sl_value_of (state, params->w_importance),
    .w_load = (sl_real) sl_value_of (state, params->w_load),
    .recompute = sl_is_on (state, params->recompute),
  };
}

SlOptimSetting
sl_mixture_optim (const SlLabState *state, const SlMixtureOptimParams *params)
{
  SlOptimSetting optim = sl_optim_default ();
  double         factor = 1.0;

  if (sl_is_on (state, params->schedule))
    factor
      = sl_schedule_inverse_root (sl_value_of (state, params->warm_up),
                                  sl_value_of (state, params->flat), (double) state->now.t + 1.0);
  optim.kind = (SlOptimiser) sl_count_of (state, params->optimiser);
  optim.rate = (sl_real) (sl_value_of (state, params->rate) * factor);
  return optim;
}

double
sl_mixture_chosen (const SlMoe *moe, const SlMoeSetting *setting)
{
  size_t groups = moe->shape.groups, each = moe->shape.experts / groups;
  double k = (double) (setting->k < each ? setting->k : each);

  if (sl_mixture_adapts (moe) && moe->batch > 0)
    return (double) moe->dispatch.total / (double) moe->batch;
  if (moe->shape.zero > 0)
    return fmin (setting->zero_target, k);
  if (moe->shape.gate == SL_MOE_TOP_P)
    return ceil (fmin (setting->choice.p, 1.0) * (double) each);
  if (moe->shape.gate == SL_MOE_DENSE || moe->shape.gate == SL_MOE_SOFT
      || moe->shape.gate == SL_MOE_OWN)
    return (double) each;
  if (setting->choice.groups > 1)
    return (double) sl_moe_choice_k (setting, each);
  return k * (double) (setting->k_groups < groups ? setting->k_groups : groups);
}

/* What numbers and moments of the layer need, and of a soft one its mixtures, in MiB. */
static double
need_of (const SlMoeShape *shape)
{
  SlArena     kept = { 0 }, scratch = { 0 }, mixtures = { 0 }; /* they only measure */
  SlSoftShape mixing = { shape->inputs, shape->outputs, shape->experts, shape->slots, shape->most };
  SlMoe       moe;
  SlSoft      soft;

  sl_moe_carve (&moe, shape, &kept, &scratch);
  if (shape->gate == SL_MOE_SOFT)
    sl_soft_carve (&soft, &mixing, &mixtures);
  return (double) (kept.used + mixtures.used + moe.n * sizeof (sl_real)) / 1048576.0;
}

/* Of a soft mixture, whose slots are more where its experts are fewer. */
static SlStatus
refuse_slots (const SlMoeShape *shape, double budget)
{
  return sl_status_new (SL_ENOMEM, "experts",
                        sl_message ("%zu slots of %zu experts: %.0f MiB with their mixtures",
                                    shape->experts * shape->slots, shape->experts, need_of (shape)),
                        sl_message ("at most %.0f MiB, as set", budget));
}

static SlStatus
refuse_size (const SlMoeShape *shape, double budget)
{
  SlMoeShape smaller = *shape;
  SlMessage  fits;
  SlMessage  found
    = sl_message ("%zu experts of %zu-%zu-%zu: %.0f MiB with their moments", shape->experts,
                  shape->inputs, shape->hidden, shape->outputs, need_of (shape));

  while (smaller.experts > shape->groups && need_of (&smaller) > budget)
    smaller.experts -= shape->groups;
  if (need_of (&smaller) > budget)
    fits = sl_message ("at most %.0f MiB, which does not hold even one", budget);
  else
    fits = sl_message ("at most %.0f MiB, as set: %zu experts", budget, smaller.experts);
  return sl_status_new (SL_ENOMEM, "experts", found, fits);
}

SlStatus
sl_mixture_check_groups (size_t experts, size_t groups)
{
  if (experts % groups == 0)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, "groups",
                        sl_message ("%zu groups for %zu experts", groups, experts),
                        sl_message ("a number of groups that divides the experts"));
}

SlStatus
sl_mixture_check (const SlMoeShape *shape, double budget)
{
  SlStatus status = sl_mixture_check_groups (shape->experts, shape->groups);

  if (!sl_ok (&status))
    return status;
  if (shape->groups > 1 && shape->gate != SL_MOE_NOISY && shape->gate != SL_MOE_BALANCED)
    return sl_status_new (SL_EINVAL, "groups", sl_message ("%zu groups", shape->groups),
                          sl_message ("1: only noisy and strictly balanced gates have more"));
  if (need_of (shape) <= budget)
    return SL_SUCCESS;
  return shape->gate == SL_MOE_SOFT ? refuse_slots (shape, budget) : refuse_size (shape, budget);
}

double
sl_mixture_loss (const SlMoe *moe)
{
  const SlMoeBalance *balance = &moe->balance;

  return balance->importance_loss + balance->load_loss + balance->threshold_loss
         + balance->choice_loss + balance->z_loss + balance->l1_loss + balance->entropy_loss;
}

SlStatus
sl_mixture_not_finite (size_t logits)
{
  return sl_status_new (SL_EDIVERGED, "training",
                        sl_message ("%zu logits of the gate that are not numbers", logits),
                        sl_message ("finite ones"));
}

/* Well-mixed bits of a number (the finaliser of SplitMix64); sums of them tell sets apart. */
static uint64_t
mixed_bits (uint64_t i)
{
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15U;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

void
sl_mixture_sets (const SlDispatch *dispatch, size_t batch, uint64_t *set)
{
  bool hashed = dispatch->experts >= SL_CELL_HASH;

  memset (set, 0, batch * sizeof *set);
  for (size_t i = 0; i < dispatch->experts; i++)
    {
      uint64_t own = hashed ? mixed_bits (i) : (uint64_t) 1 << i;

      for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
        set[dispatch->row[a]] += own;
    }
  for (size_t e = 0; hashed && e < batch; e++)
    set[e] |= (uint64_t) 1 << SL_CELL_HASH;
}
