/* SPDX-License-Identifier: MIT
 *
 * A mixture of experts: its memory, first weights and costs.  forward.c and
 * backward.c have the passes.  */
#include "core/nn/moe/moe.h"

#include <assert.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/moe/private.h"

static size_t
gate_numbers (const SlMoeShape *shape)
{
  size_t      a = shape->groups;
  SlSoftShape soft = sl_moe_soft_shape (shape);

  if (sl_moe_is_soft (shape))
    return sl_soft_numbers (&soft);
  if (a <= 1)
    return sl_moe_gate_numbers (shape, sl_moe_columns (shape));
  return sl_moe_gate_numbers (shape, a) + a * sl_moe_gate_numbers (shape, shape->experts / a);
}

size_t
sl_moe_numbers (const SlMoeShape *shape)
{
  return gate_numbers (shape)
         + (shape->experts + shape->shared)
             * sl_experts_each (shape->inputs, shape->hidden, shape->outputs);
}

/* Cuts gate number `at`; while measuring there is no place for it yet. */
static void
cut_gate (SlMoe *moe, size_t at, size_t experts, SlArena *scratch)
{
  SlGate   measured;
  SlStrict measured_strict;

  if (moe->shape.gate == SL_MOE_BALANCED)
    sl_strict_carve (moe->strict != NULL ? &moe->strict[at] : &measured_strict, moe->shape.inputs,
                     experts, moe->shape.most, scratch);
  else
    sl_gate_carve (moe->gates != NULL ? &moe->gates[at] : &measured, moe->shape.inputs, experts,
                   moe->shape.most, scratch);
}

static void
cut_gates (SlMoe *moe, SlArena *scratch)
{
  const SlMoeShape *shape = &moe->shape;
  size_t            n = shape->experts, most = shape->most, a = sl_moe_groups (moe);

  if (sl_moe_is_choice (shape) || sl_moe_is_soft (shape))
    return;
  if (shape->gate == SL_MOE_BALANCED)
    moe->strict = sl_arena_carve (scratch, sl_moe_gates (moe), sizeof *moe->strict);
  else
    {
      moe->epsilon = sl_arena_reals (scratch, most * sl_moe_columns (shape));
      moe->gates = sl_arena_carve (scratch, sl_moe_gates (moe), sizeof *moe->gates);
    }
  cut_gate (moe, 0, a > 1 ? a : sl_moe_columns (shape), scratch);
  if (a == 1)
    return;
  for (size_t i = 0; i < a; i++)
    cut_gate (moe, 1 + i, n / a, scratch);
  if (shape->gate == SL_MOE_NOISY)
    moe->epsilon_groups = sl_arena_reals (scratch, most * a);
  moe->reach = sl_arena_carve (scratch, a * most, sizeof *moe->reach);
  moe->cursor = sl_arena_carve (scratch, a, sizeof *moe->cursor);
  moe->x_group = sl_arena_reals (scratch, most * shape->inputs);
  moe->dx_group = sl_arena_reals (scratch, most * shape->inputs);
  moe->dload_groups = sl_arena_reals (scratch, a);
  moe->dload_within = sl_arena_reals (scratch, n);
  moe->dg_groups = sl_arena_reals (scratch, most * a);
  moe->dg_within = sl_arena_reals (scratch, most * n);
}

/* `most` examples that make `room` assignments; `first`: without room for what goes back to the inputs. */
static void
carve_experts (SlExperts *experts, const SlMoeShape *shape, size_t n, size_t most, size_t room,
               bool first, SlArena *kept, SlArena *scratch)
{
  sl_experts_carve (experts,
                    &(SlExpertsShape) { .inputs = shape->inputs,
                                        .hidden = shape->hidden,
                                        .outputs = shape->outputs,
                                        .experts = n,
                                        .most = most,
                                        .room = room,
                                        .factored = shape->factored,
                                        .first_layer = first },
                    kept, scratch);
}

static void
carve_shared (SlMoe *moe, SlArena *kept, SlArena *scratch)
{
  const SlMoeShape *shape = &moe->shape;
  size_t            room = shape->most * shape->shared;

  if (shape->shared == 0)
    return;
  sl_dispatch_carve (&moe->everybody, shape->shared, shape->most, room, scratch);
  carve_experts (&moe->shared, shape, shape->shared, shape->most, room, shape->first_layer, kept,
                 scratch);
  moe->hard_shared = sl_arena_carve (scratch, shape->shared, sizeof *moe->hard_shared);
  moe->y_shared = sl_arena_reals (scratch, shape->most * shape->outputs);
  if (!shape->first_layer)
    moe->dx_shared = sl_arena_reals (scratch, shape->most * shape->inputs);
}

void
sl_moe_carve (SlMoe *moe, const SlMoeShape *shape, SlArena *kept, SlArena *scratch)
{
  size_t      n = shape->experts, room = shape->most * n;
  SlSoftShape mixing = sl_moe_soft_shape (shape);
  bool        soft = sl_moe_is_soft (shape);

  *moe = (SlMoe) {
    .shape = *shape,
    .n = sl_moe_numbers (shape),
    .n_gates = gate_numbers (shape),
  };
  moe->m = sl_arena_reals (kept, moe->n_gates);
  moe->v = sl_arena_reals (kept, moe->n_gates);
  if (shape->zero > 0)
    moe->zero_bias = sl_arena_carve (kept, 1, sizeof *moe->zero_bias);
  if (sl_moe_is_choice (shape))
    sl_chooser_carve (&moe->chooser, sl_moe_rule (shape->gate), shape->inputs, n, shape->most, kept,
                      scratch);
  moe->chooser.own = shape->own;
  if (soft)
    sl_soft_carve (&moe->soft, &mixing, scratch);
  cut_gates (moe, scratch);
  sl_dispatch_carve (&moe->dispatch, n, shape->most, room, scratch);
  carve_experts (&moe->experts, shape, n, soft ? sl_most (shape->most, shape->slots) : shape->most,
                 soft ? sl_most (room, n * shape->slots) : room, shape->first_layer && !soft, kept,
                 scratch);
  carve_shared (moe, kept, scratch);
  moe->importance = sl_arena_reals (scratch, n);
  moe->load = sl_arena_reals (scratch, n);
  moe->dimportance = sl_arena_reals (scratch, n);
  moe->dload = sl_arena_reals (scratch, sl_moe_columns (shape));
  moe->hard = sl_arena_carve (scratch, n, sizeof *moe->hard);
  moe->dg = sl_arena_reals (scratch, shape->most * sl_moe_columns (shape));
  moe->balance = (SlMoeBalance) {
    .importance = moe->importance,
    .load = moe->load,
    .hard = moe->hard,
  };
}

void
sl_moe_bind (SlMoe *moe, sl_real *weights, sl_real *gradient)
{
  bool   grouped = sl_moe_grouped (moe);
  size_t size = sl_moe_group_size (moe), experts = moe->shape.experts * moe->experts.each;

  moe->weights = weights;
  moe->gradient = gradient;
  sl_experts_bind (&moe->experts, weights + moe->n_gates, gradient + moe->n_gates);
  if (moe->shape.shared > 0)
    sl_experts_bind (&moe->shared, weights + moe->n_gates + experts,
                     gradient + moe->n_gates + experts);
  if (sl_moe_is_soft (&moe->shape))
    {
      sl_soft_bind (&moe->soft, weights, gradient);
      return;
    }
  if (sl_moe_is_choice (&moe->shape))
    {
      sl_chooser_bind (&moe->chooser, weights, gradient);
      return;
    }
  for (size_t i = 0, at = 0; i < sl_moe_gates (moe); i++)
    {
      if (moe->shape.gate == SL_MOE_BALANCED)
        sl_strict_bind (&moe->strict[i], weights + at, gradient + at);
      else
        sl_gate_bind (&moe->gates[i], weights + at, gradient + at);
      at += sl_moe_gate_numbers (&moe->shape, grouped && i == 0 ? moe->shape.groups : size);
    }
}

void
sl_moe_init (SlMoe *moe, SlRng *rng)
{
  if (sl_moe_is_choice (&moe->shape))
    sl_chooser_init (&moe->chooser, moe->shape.lambda, rng);
  else if (sl_moe_is_soft (&moe->shape))
    sl_soft_init (&moe->soft, rng);
  else if (moe->shape.gate == SL_MOE_BALANCED)
    for (size_t i = 0; i < sl_moe_gates (moe); i++)
      sl_strict_init (&moe->strict[i], rng);
  else
    memset (moe->weights, 0, moe->n_gates * sizeof *moe->weights);
  if (moe->shape.zero > 0)
    *moe->zero_bias = 0.0;
  sl_experts_init (&moe->experts, rng);
  if (moe->shape.shared > 0)
    sl_experts_init (&moe->shared, rng);
  sl_moe_clear_moments (moe);
}

void
sl_moe_clear_moments (SlMoe *moe)
{
  memset (moe->m, 0, moe->n_gates * sizeof *moe->m);
  memset (moe->v, 0, moe->n_gates * sizeof *moe->v);
  moe->updates = 0;
  sl_experts_clear_moments (&moe->experts);
  if (moe->shape.shared > 0)
    sl_experts_clear_moments (&moe->shared);
}

void
sl_moe_draw (SlMoe *moe, size_t batch, SlRng *rng)
{
  assert (batch <= moe->shape.most);
  if (moe->shape.gate != SL_MOE_NOISY)
    return;
  sl_normal_fill (rng, batch * sl_moe_columns (&moe->shape), moe->epsilon);
  if (sl_moe_grouped (moe))
    sl_normal_fill (rng, batch * moe->shape.groups, moe->epsilon_groups);
}

void
sl_moe_collect (SlMoe *moe, size_t group, size_t rows)
{
  const uint32_t *reach = moe->reach + group * moe->shape.most;
  size_t          d = moe->shape.inputs;

  for (size_t r = 0; r < rows; r++)
    memcpy (moe->x_group + r * d, moe->x + reach[r] * d, d * sizeof *moe->x);
}

size_t
sl_moe_reached (const SlMoe *moe, size_t group)
{
  return moe->shape.gate == SL_MOE_BALANCED ? moe->strict[1 + group].rows
                                            : moe->gates[1 + group].input.rows;
}

/* The margin by gate number `at`. */
static sl_real
margin_of (const SlMoe *moe, size_t at, size_t expert, size_t r)
{
  if (sl_moe_is_soft (&moe->shape))
    return (sl_real) NAN;
  if (sl_moe_is_choice (&moe->shape))
    return sl_chooser_margin_of (&moe->chooser, expert, r);
  return moe->shape.gate == SL_MOE_BALANCED ? sl_strict_margin_of (&moe->strict[at], expert, r)
                                            : sl_gate_margin_of (&moe->gates[at], expert, r);
}

void
sl_moe_margin (const SlMoe *moe, size_t expert, sl_real *margin)
{
  size_t size = sl_moe_group_size (moe), group = expert / size;
  bool   grouped = sl_moe_grouped (moe);

  assert (expert < sl_moe_columns (&moe->shape));
  for (size_t e = 0; e < moe->batch; e++)
    margin[e] = margin_of (moe, 0, grouped ? group : expert, e);
  if (!grouped)
    return;

  const uint32_t *reach = moe->reach + group * moe->shape.most;

  for (size_t r = 0; r < sl_moe_reached (moe, group); r++)
    {
      /* fmin() prefers a number to none, which is what an undefined margin should give. */
      sl_real own = margin_of (moe, 1 + group, expert % size, r);

      margin[reach[r]] = fmin (own, margin[reach[r]]);
    }
}

size_t
sl_moe_choice_k (const SlMoeSetting *setting, size_t experts)
{
  SlChooserSetting choice = sl_moe_choice_setting (setting);

  return sl_chooser_k (&choice, experts);
}

double
sl_moe_gate_macs (const SlMoe *moe, const SlMoeSetting *setting)
{
  double d = (double) moe->shape.inputs, n = (double) moe->shape.experts;
  double a = (double) sl_moe_groups (moe);
  double logits = moe->shape.gate == SL_MOE_NOISY ? 2 : 1; /* with those of the noise */

  if (sl_moe_is_soft (&moe->shape))
    return d * n * (double) moe->shape.slots;
  if (a == 1)
    return d * logits * (double) sl_moe_columns (&moe->shape);
  return d * logits * (a + fmin (fmax ((double) setting->k_groups, 1), a) * n / a);
}

double
sl_moe_batch_macs (const SlMoe *moe)
{
  const SlMoeShape *shape = &moe->shape;

  if (shape->gate == SL_MOE_BASE)
    return 2.0 * SL_CHOOSER_ROUNDS * (double) shape->experts;
  if (!sl_moe_is_soft (shape))
    return 0.0;
  return (double) (shape->inputs + shape->outputs) * (double) shape->experts
         * (double) shape->slots;
}

double
sl_moe_expert_macs (const SlMoe *moe)
{
  return (double) moe->shape.hidden * (double) (moe->shape.inputs + moe->shape.outputs);
}

SlMoeMemory
sl_moe_memory (const SlMoe *moe, const SlMoeSetting *setting, size_t batch, SlOptimiser optimiser)
{
  const SlMoeShape *shape = &moe->shape;
  double n = (double) shape->experts, size = (double) sl_moe_group_size (moe), a = n / size;
  double each = (double) moe->experts.each, gates = (double) moe->n_gates, rows = (double) batch;
  double chosen_groups = fmin (fmax ((double) setting->k_groups, 1), a);
  double moments = (double) sl_optim_moments (optimiser);
  double second = shape->factored ? (double) moe->experts.second : moments * each;
  double assignments = rows * chosen_groups * fmin (fmax ((double) setting->k, 1), size);
  /* Noisy gates keep both logits, ε and σ, the others logits, scores and G. */
  double cells = (shape->gate == SL_MOE_NOISY ? 4 : 3)
                 * (chosen_groups * size + (a > 1 ? a : (double) shape->zero));
  double shared = (double) shape->shared, slots = 0.0;
  double hidden;

  if (shape->gate == SL_MOE_SOFT)
    {
      slots = n * (double) shape->slots;
      assignments = slots;
      cells = 4 * slots; /* K, Δ and their slopes */
    }
  else if (shape->gate == SL_MOE_DENSE || (shape->gate == SL_MOE_OWN && moe->batch == 0))
    assignments = rows * n;
  else if (moe->batch > 0 && (sl_moe_is_open (shape) || shape->zero > 0))
    assignments = rows * (double) moe->dispatch.total / (double) moe->batch;
  else if (sl_moe_is_choice (shape))
    assignments = rows * (double) sl_moe_choice_k (setting, shape->experts);
  hidden = ((setting->recompute ? ceil (assignments / n) : assignments) + shared * rows)
           * (double) shape->hidden;

  return (SlMoeMemory) {
    .weights = (double) moe->n * sizeof (sl_real),
    .gradient = (gates + each) * sizeof (sl_real),
    .moments = (moments > 0 ? moments * gates + (n + shared) * second : 0) * sizeof (sl_real),
    .activations = (rows * cells + hidden + 2 * slots * (double) (shape->inputs + shape->outputs))
                   * sizeof (sl_real),
  };
}
