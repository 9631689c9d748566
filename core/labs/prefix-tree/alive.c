/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `prefix-tree`: the bits of one example, the path that they choose, and how often each subtree
 * was visited before the last report.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>

#include "core/lab/kit/alive.h"
#include "core/nn/kernels/blocks.h"

enum { SLOT = 0, MOST_BITS = 16 /* that are shown */ };

/* One example behind a forward pass. */
typedef struct
{
  SlPrefixLab   *s;
  SlPrefixLayer *layer;
  const SlProbe *probe;
  size_t         nodes, computed; /* nodes: with tables */
  double         products;        /* of inputs and nodes, in those of one matrix */
  uint32_t      *slot; /* (nodes of the tree) from 1 of those that are computed, 0 of the others */
  double        *size; /* (nodes of the tree) of what a node adds to the layer */
  double         most; /* the largest of them */
  double        *visits; /* (nodes of the tree) share of the training examples */
  SlAliveWriter  w;
} Picture;

/* Nodes above the first with a table have nothing that could be switched off. */
static bool
is_closed (const Picture *v, size_t node)
{
  return node >= v->layer->tree.first && sl_alive_closes (v->probe, 0, node);
}

/* A node without weights adds nothing. */
static void
forward (Picture *v, SlProbe *p)
{
  SlTree      *tree = &v->layer->tree;
  SlAliveAside aside[SL_SUBJECT_CLOSED];
  unsigned     n = 0;

  for (size_t node = tree->first; node < sl_tree_nodes (tree->shape.k); node++)
    if (n < SL_SUBJECT_CLOSED && is_closed (v, node))
      n += sl_alive_set_aside (&aside[n], p, sl_tree_table (tree, tree->table, 0, node),
                               tree->shape.inputs * tree->shape.units, 1, 0);
  sl_prefix_forward (v->s, 1, PASS_EVALUATE, NULL);
  while (n > 0)
    sl_alive_put_back (&aside[--n]);
}

/* What the nodes on the paths of all windows add, each alone: `part` has room for the q numbers of as many as there can
 * be.  */
static void
add_parts (Picture *v, sl_real *part)
{
  SlTree      *tree = &v->layer->tree;
  unsigned     levels = tree->shape.k + 1;
  size_t       q = tree->shape.units;
  SlDecayClock clock = sl_prefix_clock (v->s);

  for (unsigned w = 0; w < tree->windows; w++)
    for (unsigned l = tree->top; l < levels; l++)
      {
        size_t  inputs = sl_tree_window (tree, w + 1) - sl_tree_window (tree, w);
        size_t  node = sl_tree_node (tree, tree->leaf[(size_t) w * tree->shape.most], l);
        sl_real gain = sl_prefix_is_modulated (v->s) ? v->layer->gain[(size_t) w * levels + l] : 1;

        if (is_closed (v, node))
          continue;
        v->products += (double) inputs / (double) tree->shape.inputs;
        if (v->slot[node] == 0)
          v->slot[node] = (uint32_t) ++v->computed;
        sl_tree_add_node (tree, w, node, &clock, gain, v->layer->x, part + (v->slot[node] - 1) * q);
      }
}

static void
find_sizes (Picture *v, SlProbe *p)
{
  const SlTree *tree = &v->layer->tree;
  size_t        nodes = sl_tree_nodes (tree->shape.k), q = tree->shape.units;
  size_t        most = sl_least (tree->windows * (tree->shape.k + (size_t) 1), nodes);
  sl_real      *part = sl_probe_room (p, most * q, sizeof *part);

  if (part == NULL)
    return;
  add_parts (v, part);
  for (size_t n = 0; n < nodes; n++)
    {
      const sl_real *own = part + (v->slot[n] - (size_t) 1) * q;

      for (size_t i = 0; v->slot[n] > 0 && i < q; i++)
        v->size[n] += (double) (own[i] * own[i]);
      v->size[n] = sqrt (v->size[n]);
      v->most = fmax (v->most, v->size[n]);
    }
}

static void
find_visits (Picture *v)
{
  const SlPrefixLayer *layer = v->layer;
  size_t               leaves = (size_t) 1 << layer->tree.shape.k;
  double               all = 0.0;

  for (size_t i = 0; i < leaves; i++)
    all += layer->reported[i];
  for (size_t i = 0; i < leaves && all > 0.0; i++)
    v->visits[leaves - 1 + i] = layer->reported[i] / all;
  for (size_t node = leaves - 1; node-- > 0;)
    v->visits[node] = v->visits[2 * node + 1] + v->visits[2 * node + 2];
}

/* How far each unit is from its threshold; one half is there. */
static void
add_bits (Picture *v)
{
  const SlPrefixLayer *layer = v->layer;
  size_t               bits = layer->tree.bits, shown = sl_least (bits, MOST_BITS);
  double               most = 0.0;

  if (bits == 0)
    return;
  for (size_t i = 0; i < bits; i++)
    most = fmax (most, fabs ((double) layer->gating[i]));
  sl_alive_group (&v->w, SL_ALIVE_BITS, bits, SLOT,
                  shown < bits ? sl_message ("bits: %zu of %zu", shown, bits)
                               : sl_message ("bits"));
  for (size_t i = 0; i < shown; i++)
    sl_alive_cell (&v->w, SL_ALIVE_USED,
                   0.5 + (most > 0.0 ? 0.5 * (double) layer->gating[i] / most : 0.0), 0.0, i);
}

static void
add_tree (Picture *v)
{
  size_t nodes = sl_tree_nodes (v->layer->tree.shape.k);

  sl_alive_group (
    &v->w, SL_ALIVE_TREE, nodes, SLOT,
    sl_message ("tree (darker: more visits): %zu of %zu nodes", v->computed, v->nodes));
  for (size_t n = 0; n < nodes; n++)
    sl_alive_cell (&v->w,
                   is_closed (v, n) ? SL_ALIVE_CLOSED
                   : v->slot[n] > 0 ? SL_ALIVE_USED
                                    : SL_ALIVE_SKIPPED,
                   v->most > 0.0 ? v->size[n] / v->most : 0.0, v->visits[n], n);
}

static void
add_sentence (const Picture *v, SlProbe *p)
{
  if (v->s->layers > 1)
    sl_probe_note (p, "Tree %u of %u. ", (unsigned) (v->layer - v->s->layer) + 1, v->s->layers);
  sl_probe_note (p,
                 "%zu of %zu nodes computed: %.0f %% of the multiplications of the whole tree, "
                 "%.0f times those of one matrix.",
                 v->computed, v->nodes, 100.0 * v->products / (double) v->nodes, v->products);
}

void
sl_prefix_probe_alive (SlProbe *p)
{
  SlPrefixLab   *s = sl_prefix_lab (p->state);
  SlPrefixLayer *layer = sl_prefix_shown (s);
  size_t         nodes = sl_tree_nodes (layer->tree.shape.k);
  Picture        v = { .s = s, .layer = layer, .probe = p, .nodes = layer->tree.nodes };

  v.slot = sl_probe_room (p, nodes, sizeof *v.slot);
  v.size = sl_probe_room (p, nodes, sizeof *v.size);
  v.visits = sl_probe_room (p, nodes, sizeof *v.visits);
  if (!sl_ok (&p->status) || !sl_alive_begin (&v.w, p))
    return;
  sl_alive_take (p, s->tape.x[0], s->label);
  forward (&v, p);
  find_sizes (&v, p);
  find_visits (&v);
  if (!sl_ok (&p->status))
    return;
  sl_alive_input (&v.w, s->tape.x[0], 1U << SL_ALIVE_USED | 1U << SL_ALIVE_SKIPPED);
  add_bits (&v);
  add_tree (&v);
  add_sentence (&v, p);
  sl_alive_output (&v.w, s->outputs, s->logits, s->label[0]);
  sl_alive_end (&v.w);
}
