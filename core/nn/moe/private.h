/* SPDX-License-Identifier: MIT
 *
 * What the files of the mixture share; see moe.h.  Private to moe*.c.  */
#pragma once

#include "core/nn/moe/moe.h"

/* Gates on two levels? */
static inline bool
sl_moe_grouped (const SlMoe *moe)
{
  return moe->shape.groups > 1;
}

/* Is the gate one of chooser.h? */
static inline bool
sl_moe_is_choice (const SlMoeShape *shape)
{
  return shape->gate >= SL_MOE_DENSE && shape->gate != SL_MOE_SOFT;
}

/* Does k say how many experts such a gate chooses for an example? */
static inline bool
sl_moe_has_k (const SlMoeShape *shape)
{
  return shape->gate != SL_MOE_DENSE && !sl_moe_is_open (shape);
}

/* The rule of such a gate. */
static inline SlChooserRule
sl_moe_rule (SlMoeGate gate)
{
  return gate == SL_MOE_DENSE ? SL_CHOOSER_DENSE
                              : (SlChooserRule) (SL_CHOOSER_BASE + (gate - SL_MOE_BASE));
}

/* Whether examples are mixed rather than sent to experts. */
static inline bool
sl_moe_is_soft (const SlMoeShape *shape)
{
  return shape->gate == SL_MOE_SOFT;
}

static inline SlSoftShape
sl_moe_soft_shape (const SlMoeShape *shape)
{
  return (SlSoftShape) { shape->inputs, shape->outputs, shape->experts, shape->slots, shape->most };
}

/* How it is to be run. */
static inline SlChooserSetting
sl_moe_choice_setting (const SlMoeSetting *setting)
{
  SlChooserSetting choice = setting->choice;

  choice.k = setting->k;
  choice.k_groups = setting->k_groups;
  return choice;
}

/* Trainable numbers of a gate over so many groups or experts. */
static inline size_t
sl_moe_gate_numbers (const SlMoeShape *shape, size_t experts)
{
  return sl_moe_is_choice (shape)         ? sl_chooser_numbers (shape->inputs, experts)
         : shape->gate == SL_MOE_BALANCED ? sl_strict_numbers (shape->inputs, experts)
                                          : sl_gate_numbers (shape->inputs, experts);
}

/* Columns of a flat gate: the experts, and those that compute nothing. */
static inline size_t
sl_moe_columns (const SlMoeShape *shape)
{
  return shape->experts + shape->zero;
}

/* Gates in all. */
static inline size_t
sl_moe_gates (const SlMoe *moe)
{
  return sl_moe_grouped (moe) ? 1 + moe->shape.groups : 1;
}

/* Gates on the lower level, and experts of each: with one gate, that is itself. */
static inline size_t
sl_moe_groups (const SlMoe *moe)
{
  return sl_moe_grouped (moe) ? moe->shape.groups : 1;
}

static inline size_t
sl_moe_group_size (const SlMoe *moe)
{
  return moe->shape.experts / sl_moe_groups (moe);
}

/* Is the smooth load wanted? */
static inline bool
sl_moe_wants_load (const SlMoeSetting *setting)
{
  return !setting->skip_load || setting->w_load > 0;
}

/* How noisy gates are to be run: the primary one and those of the groups differ in k alone. */
static inline SlGateSetting
sl_moe_gate_setting (const SlMoeSetting *setting, size_t k, bool frozen)
{
  return (SlGateSetting) {
    .k = k,
    .floor = setting->floor,
    .load = sl_moe_wants_load (setting),
    .frozen = frozen,
    .threshold = setting->threshold,
  };
}

/* Lists what the gates have decided as moe->dispatch, counted in moe->hard. */
void sl_moe_dispatch (SlMoe *moe);
/* What zero-computation experts give is added to y (B, O), and what they hand back to dx (B, D). */
void sl_moe_add_zero (const SlMoe *moe, sl_real *y);
void sl_moe_add_zero_slope (const SlMoe *moe, const sl_real *dy, sl_real *dx);

/* From the slopes of the dispatch and dy (B, O): those of all that the gate has chosen, into moe->dg. */
void sl_moe_collect_zero (SlMoe *moe, const sl_real *dy);

/* Moves their bias by what the last batch had of the others. */
void sl_moe_follow_zero (SlMoe *moe, const SlMoeSetting *setting);

/* Copies the inputs of the examples that reach a group to moe->x_group. */
void sl_moe_collect (SlMoe *moe, size_t group, size_t rows);

/* Examples of the last forward pass that reach a group. */
size_t sl_moe_reached (const SlMoe *moe, size_t group);
