/* SPDX-License-Identifier: MIT
 *
 * A tree of the lab `prefix-tree` with its bits: shape, memory and first weights.  */
#include "core/labs/prefix-tree/lab.h"

#include <string.h>

#include "core/nn/dense/init.h"
#include "core/nn/gater/units.h"

void
sl_prefix_layer_shape (SlPrefixLab *s, SlPrefixLayer *layer, size_t inputs)
{
  SlTreeShape shape = {
    .inputs = inputs,
    .units = sl_count_of (&s->base, P_UNITS),
    .k = (unsigned) sl_value_of (&s->base, P_K),
    .flat = sl_value_of (&s->base, P_TABLE) == TABLE_FLAT,
    .window = (SlTreeWindow) sl_value_of (&s->base, P_WINDOW),
    .most = MOST_BATCH,
  };

  sl_tree_shape (&layer->tree, &shape);
  layer->at_tree = s->n;
  layer->at_gates = layer->at_tree + layer->tree.n;
  layer->at_slopes = s->n_gradient;
  s->n = layer->at_gates + sl_prefix_gate_numbers (s, layer);
  s->n_gradient += sl_prefix_gate_numbers (s, layer);
}

void
sl_prefix_layer_carve (SlPrefixLab *s, SlPrefixLayer *layer)
{
  SlArena *kept = &s->base.kept, *scratch = &s->base.scratch;
  size_t   p = layer->tree.shape.inputs, q = layer->tree.shape.units, bits = layer->tree.bits;
  size_t   gains = layer->tree.windows * (layer->tree.shape.k + 1);

  layer->tau = sl_arena_reals (kept, bits);
  layer->over = sl_arena_reals (kept, bits);
  layer->under = sl_arena_reals (kept, bits);
  layer->visits = sl_arena_carve (kept, (size_t) 1 << layer->tree.shape.k, sizeof *layer->visits);
  layer->ones = sl_arena_carve (kept, bits, sizeof *layer->ones);
  sl_tree_carve (&layer->tree, kept, scratch);

  layer->reported
    = sl_arena_carve (scratch, (size_t) 1 << layer->tree.shape.k, sizeof *layer->reported);
  layer->bit = sl_arena_carve (scratch, MOST_BATCH * bits, 1);
  layer->baseline = sl_arena_reals (scratch, bits);
  if (!layer->raw)
    layer->x = sl_arena_reals (scratch, MOST_BATCH * p);
  layer->dx = sl_arena_reals (scratch, MOST_BATCH * p);
  layer->gating = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->uniform = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->probability = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->fired = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->deep = sl_arena_reals (scratch, MOST_BATCH * sl_prefix_gating (s, layer).hidden);
  layer->ddeep = sl_arena_reals (scratch, MOST_BATCH * sl_prefix_gating (s, layer).hidden);
  layer->worth = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->credit = sl_arena_reals (scratch, MOST_BATCH * bits);
  layer->gain = sl_arena_reals (scratch, MOST_BATCH * gains);
  layer->part = sl_arena_reals (scratch, MOST_BATCH * gains);
  layer->a = sl_arena_reals (scratch, MOST_BATCH * q);
  layer->delta = sl_arena_reals (scratch, MOST_BATCH * q);
}

void
sl_prefix_layer_bind (SlPrefixLab *s, SlPrefixLayer *layer)
{
  size_t l = (size_t) (layer - s->layer);

  layer->pre = l > 0 ? s->layer[l - 1].a : s->tape.x[s->body.layers];
  if (layer->raw)
    layer->x = s->tape.x[0];
  sl_tree_bind (&layer->tree, s->weights + layer->at_tree, s->m + layer->at_tree,
                s->v + layer->at_tree);
}

/* Without its root a new tree would give 0 for every input, and a rectifier at 0 learns nothing:
 * the two nodes below begin as the root does, in its place.  */
static void
init_without_root (SlPrefixLab *s, SlTree *tree)
{
  if (sl_is_on (&s->base, P_ROOT) || !sl_prefix_is_modulated (s) || tree->top > 0
      || tree->shape.k == 0)
    return;
  for (size_t node = 1; node <= 2; node++)
    memcpy (sl_tree_table (tree, tree->table, 0, node), tree->table,
            tree->shape.inputs * tree->shape.units * sizeof *tree->table);
}

void
sl_prefix_layer_init (SlPrefixLab *s, SlPrefixLayer *layer, SlRng *rng)
{
  sl_tree_init (&layer->tree, rng);
  init_without_root (s, &layer->tree);
  for (size_t i = 0; i < layer->tree.bits; i++)
    layer->over[i] = layer->under[i] = SL_GATER_START;
}

void
sl_prefix_fix_thresholds (SlPrefixLab *s)
{
  bool fixed = sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_FIXED;

  for (unsigned l = 0; fixed && l < s->layers; l++)
    for (size_t i = 0; i < s->layer[l].tree.bits; i++)
      s->layer[l].tau[i] = (sl_real) sl_value_of (&s->base, P_TAU);
}
