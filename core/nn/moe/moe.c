/* SPDX-License-Identifier: MIT
 *
 * A mixture of experts: its memory, first weights and costs.  forward.c and
 * backward.c have the passes.  */
#include "core/nn/moe/moe.h"

#include <assert.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/normal.h"
#include "core/nn/moe/private.h"

static size_t
gate_numbers (const SlMoeShape *shape)
{
  size_t a = shape->groups;

  if (a <= 1)
    return sl_moe_gate_numbers (shape, shape->experts);
  return sl_moe_gate_numbers (shape, a) + a * sl_moe_gate_numbers (shape, shape->experts / a);
}

size_t
sl_moe_numbers (const SlMoeShape *shape)
{
  return gate_numbers (shape)
         + shape->experts * sl_experts_each (shape->inputs, shape->hidden, shape->outputs);
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

  if (sl_moe_is_choice (shape))
    return;
  if (shape->gate == SL_MOE_BALANCED)
    moe->strict = sl_arena_carve (scratch, sl_moe_gates (moe), sizeof *moe->strict);
  else
    {
      moe->epsilon = sl_arena_reals (scratch, most * n);
      moe->gates = sl_arena_carve (scratch, sl_moe_gates (moe), sizeof *moe->gates);
    }
  cut_gate (moe, 0, a > 1 ? a : n, scratch);
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

void
sl_moe_carve (SlMoe *moe, const SlMoeShape *shape, SlArena *kept, SlArena *scratch)
{
  size_t n = shape->experts, room = shape->most * n;

  *moe = (SlMoe) {
    .shape = *shape,
    .n = sl_moe_numbers (shape),
    .n_gates = gate_numbers (shape),
  };
  moe->m = sl_arena_reals (kept, moe->n_gates);
  moe->v = sl_arena_reals (kept, moe->n_gates);
  if (sl_moe_is_choice (shape))
    sl_chooser_carve (&moe->chooser, (SlChooserRule) (shape->gate - SL_MOE_DENSE), shape->inputs, n,
                      shape->most, kept, scratch);
  cut_gates (moe, scratch);
  sl_dispatch_carve (&moe->dispatch, n, shape->most, room, scratch);
  sl_experts_carve (&moe->experts,
                    &(SlExpertsShape) { .inputs = shape->inputs,
                                        .hidden = shape->hidden,
                                        .outputs = shape->outputs,
                                        .experts = n,
                                        .most = shape->most,
                                        .room = room,
                                        .factored = shape->factored,
                                        .first_layer = shape->first_layer },
                    kept, scratch);
  moe->importance = sl_arena_reals (scratch, n);
  moe->load = sl_arena_reals (scratch, n);
  moe->dimportance = sl_arena_reals (scratch, n);
  moe->dload = sl_arena_reals (scratch, n);
  moe->hard = sl_arena_carve (scratch, n, sizeof *moe->hard);
  moe->dg = sl_arena_reals (scratch, room);
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
  size_t size = sl_moe_group_size (moe);

  moe->weights = weights;
  moe->gradient = gradient;
  sl_experts_bind (&moe->experts, weights + moe->n_gates, gradient + moe->n_gates);
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
  else if (moe->shape.gate == SL_MOE_BALANCED)
    for (size_t i = 0; i < sl_moe_gates (moe); i++)
      sl_strict_init (&moe->strict[i], rng);
  else
    memset (moe->weights, 0, moe->n_gates * sizeof *moe->weights);
  sl_experts_init (&moe->experts, rng);
  sl_moe_clear_moments (moe);
}

void
sl_moe_clear_moments (SlMoe *moe)
{
  memset (moe->m, 0, moe->n_gates * sizeof *moe->m);
  memset (moe->v, 0, moe->n_gates * sizeof *moe->v);
  moe->updates = 0;
  sl_experts_clear_moments (&moe->experts);
}

void
sl_moe_draw (SlMoe *moe, size_t batch, SlRng *rng)
{
  assert (batch <= moe->shape.most);
  if (moe->shape.gate != SL_MOE_NOISY)
    return;
  sl_normal_fill (rng, batch * moe->shape.experts, moe->epsilon);
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

/* Of gate number `at`. */
static sl_real
margin_of (const SlMoe *moe, size_t at, size_t expert, size_t r)
{
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

  assert (expert < moe->shape.experts);
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

double
sl_moe_gate_macs (const SlMoe *moe, const SlMoeSetting *setting)
{
  double d = (double) moe->shape.inputs, n = (double) moe->shape.experts;
  double a = (double) sl_moe_groups (moe);
  double logits = moe->shape.gate == SL_MOE_NOISY ? 2 : 1; /* with those of the noise */

  if (a == 1)
    return d * logits * n;
  return d * logits * (a + fmin (fmax ((double) setting->k_groups, 1), a) * n / a);
}

double
sl_moe_expert_macs (const SlMoe *moe)
{
  return (double) moe->shape.hidden * (double) (moe->shape.inputs + moe->shape.outputs);
}

SlMoeMemory
sl_moe_memory (const SlMoe *moe, const SlMoeSetting *setting, size_t batch, bool adam)
{
  const SlMoeShape *shape = &moe->shape;
  double n = (double) shape->experts, size = (double) sl_moe_group_size (moe), a = n / size;
  double each = (double) moe->experts.each, gates = (double) moe->n_gates, rows = (double) batch;
  double chosen_groups = fmin (fmax ((double) setting->k_groups, 1), a);
  double second = shape->factored ? (double) moe->experts.second : 2 * each;
  double assignments = rows * chosen_groups * fmin (fmax ((double) setting->k, 1), size);
  /* Noisy gates keep both logits, ε and σ, the others logits, scores and G. */
  double cells = (shape->gate == SL_MOE_NOISY ? 4 : 3) * (chosen_groups * size + (a > 1 ? a : 0));
  double hidden
    = (setting->recompute ? ceil (assignments / n) : assignments) * (double) shape->hidden;

  return (SlMoeMemory) {
    .weights = (double) moe->n * sizeof (sl_real),
    .gradient = (gates + each) * sizeof (sl_real),
    .moments = (adam ? 2 * gates + n * second : 0) * sizeof (sl_real),
    .activations = (rows * cells + hidden) * sizeof (sl_real),
  };
}
