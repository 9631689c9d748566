/* SPDX-License-Identifier: MIT */
#include "core/labs/prefix-tree/math/tree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/labs/prefix-tree/math/paths.h"
#include "core/nn/dense/init.h"

/* Never 0: gcc 14 takes the division of a sliding tree out of the condition that k is not 0. */
static size_t
divisor (unsigned k)
{
  return k > 0 ? k : 1;
}

size_t
sl_tree_bits_needed (size_t inputs, unsigned k, SlTreeWindow window)
{
  return window != SL_TREE_SHARED && k > 0 ? (inputs - 1) / divisor (k) + k : k;
}

void
sl_tree_shape (SlTree *tree, const SlTreeShape *shape)
{
  SlTreeShape s = *shape;

  if (s.k > s.inputs)
    s.k = (unsigned) s.inputs;
  /* Without bits there is nothing to slide over. */
  if (s.k == 0)
    s.window = SL_TREE_SHARED;
  *tree = (SlTree) { .shape = s };
  tree->windows = s.window != SL_TREE_SHARED ? (unsigned) ((s.inputs - 1) / divisor (s.k) + 1) : 1;
  tree->bits = (unsigned) sl_tree_bits_needed (s.inputs, s.k, s.window);
  tree->top = s.flat ? s.k : 0;
  tree->first = s.flat ? ((size_t) 1 << s.k) - 1 : 0;
  tree->nodes = sl_tree_nodes (s.k) - tree->first;
  tree->n = tree->nodes * s.inputs * s.units + s.units;
}

double
sl_tree_bytes (const SlTreeShape *shape)
{
  SlTree tree;

  sl_tree_shape (&tree, shape);
  return 3.0 * (double) tree.n * sizeof (sl_real);
}

void
sl_tree_carve (SlTree *tree, SlArena *kept, SlArena *scratch)
{
  size_t p = tree->shape.inputs, q = tree->shape.units, most = tree->shape.most;
  size_t cells = tree->windows * tree->nodes, leaves = (size_t) 1 << tree->shape.k;
  size_t levels = tree->shape.k + 1;

  tree->seen = sl_arena_carve (kept, cells, sizeof *tree->seen);
  tree->touched = sl_arena_carve (kept, cells, sizeof *tree->touched);
  tree->updates = sl_arena_carve (kept, cells, sizeof *tree->updates);
  tree->source = sl_arena_carve (kept, p, sizeof *tree->source);
  tree->chosen = sl_arena_carve (kept, tree->windows * tree->shape.k, sizeof *tree->chosen);

  tree->leaf = sl_arena_carve (scratch, tree->windows * most, sizeof *tree->leaf);
  tree->row = sl_arena_carve (scratch, tree->windows * most, sizeof *tree->row);
  tree->start = sl_arena_carve (scratch, tree->windows * (leaves + 1), sizeof *tree->start);
  tree->other_leaf = sl_arena_carve (scratch, most, sizeof *tree->other_leaf);
  tree->other_row = sl_arena_carve (scratch, most, sizeof *tree->other_row);
  tree->other_start = sl_arena_carve (scratch, leaves + 1, sizeof *tree->other_start);
  tree->xs = sl_arena_reals (scratch, most * p);
  tree->dxs = sl_arena_reals (scratch, most * p);
  tree->as = sl_arena_reals (scratch, most * q);
  tree->ds = sl_arena_reals (scratch, most * q);
  tree->y = sl_arena_reals (scratch, most * (p > q ? p : q));
  tree->fresh = sl_arena_reals (scratch, p * q);
  tree->gradient = sl_arena_reals (scratch, p * q > q ? p * q : q);
  tree->part = sl_arena_reals (scratch, most * levels);
  tree->other_part = sl_arena_reals (scratch, most * levels);
}

void
sl_tree_bind (SlTree *tree, sl_real *weights, sl_real *m, sl_real *v)
{
  tree->table = weights;
  tree->bias = weights + tree->n - tree->shape.units;
  tree->m = m;
  tree->v = v;
}

void
sl_tree_clear_moments (SlTree *tree)
{
  memset (tree->m, 0, tree->n * sizeof *tree->m);
  memset (tree->v, 0, tree->n * sizeof *tree->v);
  memset (tree->updates, 0, tree->windows * tree->nodes * sizeof *tree->updates);
}

void
sl_tree_init (SlTree *tree, SlRng *rng)
{
  size_t p = tree->shape.inputs, q = tree->shape.units, cells = tree->windows * tree->nodes;

  memset (tree->table, 0, tree->n * sizeof *tree->table);
  sl_init_glorot (rng, p, q, p * q, tree->table);
  if (tree->shape.flat)
    for (size_t node = 1; node < tree->nodes; node++)
      memcpy (tree->table + node * p * q, tree->table, p * q * sizeof *tree->table);
  memset (tree->seen, 0, cells * sizeof *tree->seen);
  memset (tree->touched, 0, cells * sizeof *tree->touched);
  sl_tree_clear_moments (tree);
}

/* Whether bit b is among the first n of these. */
static bool
is_among (const uint32_t *bits, unsigned n, uint32_t b)
{
  for (unsigned i = 0; i < n; i++)
    if (bits[i] == b)
      return true;
  return false;
}

void
sl_tree_choose (SlTree *tree, bool random_inputs, SlRng *rng)
{
  size_t   p = tree->shape.inputs;
  unsigned k = tree->shape.k;

  for (size_t j = 0; j < p; j++)
    tree->source[j] = (uint32_t) j;
  for (size_t j = 0; random_inputs && j < tree->bits; j++)
    {
      size_t   other = j + sl_rng_below (rng, p - j);
      uint32_t kept = tree->source[j];

      tree->source[j] = tree->source[other];
      tree->source[other] = kept;
    }
  for (unsigned w = 0; w < tree->windows; w++)
    for (unsigned i = 0; i < k; i++)
      {
        uint32_t *chosen = tree->chosen + w * k;

        chosen[i] = w + i;
        if (tree->shape.window == SL_TREE_RANDOM)
          do
            chosen[i] = (uint32_t) sl_rng_below (rng, tree->bits);
          while (is_among (chosen, i, chosen[i]));
      }
}

bool
sl_tree_is_sound (const SlTree *tree)
{
  bool sound = true;

  for (size_t j = 0; j < tree->shape.inputs; j++)
    sound = sound && tree->source[j] < tree->shape.inputs;
  for (size_t i = 0; i < (size_t) tree->windows * tree->shape.k; i++)
    sound = sound && tree->chosen[i] < tree->bits;
  return sound;
}

void
sl_tree_sort (const SlTree *tree, const uint32_t *leaf, uint32_t *row, uint32_t *start)
{
  size_t leaves = (size_t) 1 << tree->shape.k;

  memset (start, 0, (leaves + 1) * sizeof *start);
  for (size_t e = 0; e < tree->batch; e++)
    start[leaf[e] + 1]++;
  for (size_t i = 0; i < leaves; i++)
    start[i + 1] += start[i];
  /* Filling moves each beginning to the next leaf's; afterwards they are moved back. */
  for (size_t e = 0; e < tree->batch; e++)
    row[start[leaf[e]]++] = (uint32_t) e;
  memmove (start + 1, start, leaves * sizeof *start);
  start[0] = 0;
}

void
sl_tree_route (SlTree *tree, size_t batch, const uint8_t *bits)
{
  size_t leaves = (size_t) 1 << tree->shape.k;

  assert (batch <= tree->shape.most);
  tree->batch = batch;
  for (unsigned w = 0; w < tree->windows; w++)
    {
      uint32_t *leaf = tree->leaf + w * tree->shape.most;

      for (size_t e = 0; e < batch; e++)
        {
          const uint8_t  *b = bits + e * tree->bits;
          const uint32_t *chosen = tree->chosen + w * tree->shape.k;

          leaf[e] = 0;
          for (unsigned i = 0; i < tree->shape.k; i++)
            leaf[e] = leaf[e] << 1 | b[chosen[i]];
        }
      sl_tree_sort (tree, leaf, tree->row + w * tree->shape.most, tree->start + w * (leaves + 1));
    }
}

/* Decays one cell up to `until`. */
static void
refresh_cell (SlTree *tree, unsigned window, size_t node, SlDecayKind kind, double until)
{
  size_t   inputs = sl_tree_window_inputs (tree, window);
  double  *seen = &tree->seen[sl_tree_cell (tree, window, node)];
  sl_real *w = sl_tree_table (tree, tree->table, window, node);

  sl_decay_apply (kind, until - *seen, inputs * tree->shape.units, w, w);
  *seen = until;
}

void
sl_tree_refresh (SlTree *tree, SlDecayKind kind, double until)
{
  for (unsigned w = 0; w < tree->windows; w++)
    {
      SlTreePaths paths = sl_tree_paths (tree, w);

      for (unsigned level = tree->top; level <= tree->shape.k; level++)
        for (SlTreeGroup g = { 0 }; sl_tree_next (tree, &paths, level, &g);)
          refresh_cell (tree, w, g.node, kind, until);
    }
}

void
sl_tree_flush (SlTree *tree, const SlDecayClock *clock)
{
  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t node = 0; node < tree->nodes; node++)
      refresh_cell (tree, w, tree->first + node, clock->kind, clock->now);
}

const sl_real *
sl_tree_current (SlTree *tree, unsigned window, size_t node, const SlDecayClock *clock)
{
  const sl_real *stored = sl_tree_table (tree, tree->table, window, node);
  double by = clock != NULL ? clock->now - tree->seen[sl_tree_cell (tree, window, node)] : 0.0;

  if (by == 0.0)
    return stored;
  sl_decay_apply (clock->kind, by, sl_tree_window_inputs (tree, window) * tree->shape.units, stored,
                  tree->fresh);
  return tree->fresh;
}

double
sl_tree_norm (SlTree *tree, size_t node, const SlDecayClock *clock)
{
  double sum = 0.0;

  for (unsigned w = 0; w < tree->windows; w++)
    {
      size_t         n = sl_tree_window_inputs (tree, w) * tree->shape.units;
      const sl_real *t = sl_tree_current (tree, w, node, clock);

      for (size_t i = 0; i < n; i++)
        sum += (double) t[i] * (double) t[i];
    }
  return sqrt (sum);
}
