/* SPDX-License-Identifier: MIT
 *
 * Forward and backward through a tree of tables, level by level; see tree.h.  */
#include <string.h>

#include "core/labs/prefix-tree/math/paths.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/vector.h"

void
sl_tree_gather (const SlTree *tree, unsigned window, const uint32_t *row, const sl_real *x,
                sl_real *xs)
{
  size_t         p = tree->shape.inputs, inputs = sl_tree_window_inputs (tree, window);
  const sl_real *from = x + sl_tree_window (tree, window);

  for (size_t r = 0; r < tree->batch; r++)
    memcpy (xs + r * inputs, from + row[r] * p, inputs * sizeof *xs);
}

/* Where the gains of a window's examples begin, and how far apart those of two examples are. */
static const sl_real *
gains_of (const SlTree *tree, const sl_real *gain, unsigned window)
{
  return gain != NULL ? gain + window * (tree->shape.k + 1) : NULL;
}

static size_t
gain_stride (const SlTree *tree)
{
  return (size_t) tree->windows * (tree->shape.k + 1);
}

void
sl_tree_add_node (SlTree *tree, unsigned window, size_t node, const SlDecayClock *clock,
                  sl_real gain, const sl_real *x, sl_real *a)
{
  const sl_real *t = sl_tree_current (tree, window, node, clock);
  const sl_real *own = x + sl_tree_window (tree, window);
  size_t         q = tree->shape.units, inputs = sl_tree_window_inputs (tree, window);

  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < q; i++)
      a[i] += gain * own[j] * t[j * q + i];
}

/* The sorted sums of a window: as (B, q) = Σ_l G_l xs T[n_l]. */
static void
sum_levels (SlTree *tree, unsigned window, const sl_real *gain, const SlDecayClock *clock)
{
  size_t         q = tree->shape.units, inputs = sl_tree_window_inputs (tree, window);
  SlTreePaths    paths = sl_tree_paths (tree, window);
  const sl_real *gains = gains_of (tree, gain, window);

  if (gains != NULL)
    memset (tree->as, 0, tree->batch * q * sizeof *tree->as);
  for (unsigned level = tree->top; level <= tree->shape.k; level++)
    for (SlTreeGroup g = { 0 }; sl_tree_next (tree, &paths, level, &g);)
      {
        const sl_real *t = sl_tree_current (tree, window, g.node, clock);
        const sl_real *xs = tree->xs + g.begin * inputs;
        sl_real       *as = tree->as + g.begin * q;

        tree->macs += (double) g.n * (double) inputs * (double) q;
        if (gains == NULL)
          {
            sl_mat_mul (SL_PLAIN, SL_PLAIN, g.n, q, inputs, 1, xs, inputs, t, q,
                        level == tree->top ? 0 : 1, as, q);
            continue;
          }
        sl_mat_mul (SL_PLAIN, SL_PLAIN, g.n, q, inputs, 1, xs, inputs, t, q, 0, tree->y, q);
        for (size_t r = 0; r < g.n; r++)
          {
            size_t at = paths.row[g.begin + r] * gain_stride (tree) + level;

            sl_vector_add_scaled (q, gains[at], tree->y + r * q, as + r * q);
          }
      }
}

void
sl_tree_forward (SlTree *tree, const sl_real *x, const sl_real *gain, const SlDecayClock *clock,
                 sl_real *a)
{
  size_t q = tree->shape.units;

  for (size_t e = 0; e < tree->batch; e++)
    memcpy (a + e * q, tree->bias, q * sizeof *a);
  for (unsigned w = 0; w < tree->windows; w++)
    {
      SlTreePaths paths = sl_tree_paths (tree, w);

      sl_tree_gather (tree, w, paths.row, x, tree->xs);
      sum_levels (tree, w, gain, clock);
      for (size_t r = 0; r < tree->batch; r++)
        sl_vector_add (q, tree->as + r * q, a + paths.row[r] * q);
    }
}

/* From the examples of a node: dxs += G ds T', and where there are gains dloss/dgain. */
static void
node_inputs (SlTree *tree, unsigned window, unsigned level, const SlTreeGroup *g,
             const sl_real *gains, sl_real *parts)
{
  size_t          q = tree->shape.units, inputs = sl_tree_window_inputs (tree, window);
  const uint32_t *row = sl_tree_paths (tree, window).row + g->begin;
  const sl_real  *t = sl_tree_table (tree, tree->table, window, g->node);
  const sl_real  *ds = tree->ds + g->begin * q, *xs = tree->xs + g->begin * inputs;
  sl_real        *dxs = tree->dxs + g->begin * inputs;

  tree->macs += (double) g->n * (double) inputs * (double) q;
  if (gains == NULL)
    {
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, g->n, inputs, q, 1, ds, q, t, q,
                  level == tree->top ? 0 : 1, dxs, inputs);
      return;
    }
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, g->n, inputs, q, 1, ds, q, t, q, 0, tree->y, inputs);
  for (size_t r = 0; r < g->n; r++)
    {
      size_t at = row[r] * gain_stride (tree) + level;

      parts[at] = sl_vector_dot (inputs, xs + r * inputs, tree->y + r * inputs);
      sl_vector_add_scaled (inputs, gains[at], tree->y + r * inputs, dxs + r * inputs);
    }
}

/* The gradient of a cell, ((inputs of the window), q). */
static void
node_gradient (SlTree *tree, unsigned window, unsigned level, const SlTreeGroup *g,
               const sl_real *gains, sl_real *gradient)
{
  size_t          q = tree->shape.units, inputs = sl_tree_window_inputs (tree, window);
  const uint32_t *row = sl_tree_paths (tree, window).row + g->begin;
  const sl_real  *ds = tree->ds + g->begin * q;

  tree->macs += (double) g->n * (double) inputs * (double) q;
  if (gains != NULL)
    {
      for (size_t r = 0; r < g->n; r++)
        sl_vector_scale (q, gains[row[r] * gain_stride (tree) + level], ds + r * q,
                         tree->y + r * q);
      ds = tree->y;
    }
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, inputs, q, g->n, 1, tree->xs + g->begin * inputs, inputs, ds,
              q, 0, gradient, q);
}

/* Decays a cell to the reading of the clock and makes its update. */
static void
update_cell (SlTree *tree, unsigned window, size_t node, const SlTreeUpdate *update,
             const sl_real *gradient)
{
  size_t         n = sl_tree_window_inputs (tree, window) * tree->shape.units;
  size_t         cell = sl_tree_cell (tree, window, node);
  sl_real       *w = sl_tree_table (tree, tree->table, window, node);
  SlOptimSetting optim = *update->optim;

  optim.decay = 0;
  sl_decay_apply (update->clock.kind, update->clock.now - tree->seen[cell], n, w, w);
  tree->seen[cell] = update->clock.now;
  tree->touched[cell] = update->t;
  tree->updates[cell]++;
  sl_optim_step (&optim, tree->updates[cell], n, gradient, w,
                 sl_tree_table (tree, tree->m, window, node),
                 sl_tree_table (tree, tree->v, window, node));
}

static void
bias_gradient (SlTree *tree, const sl_real *delta, const SlTreeUpdate *update, sl_real *gradient)
{
  size_t   q = tree->shape.units, at = tree->n - q;
  sl_real *db = gradient != NULL ? gradient + at : tree->gradient;

  sl_dense_bias_backward (tree->batch, q, delta, db);
  if (update != NULL)
    {
      SlOptimSetting optim = *update->optim;

      optim.decay = 0;
      sl_optim_step (&optim, update->moments, q, db, tree->bias, tree->m + at, tree->v + at);
    }
}

void
sl_tree_backward (SlTree *tree, const sl_real *x, const sl_real *delta, const sl_real *gain,
                  sl_real *part, sl_real *dx, const SlTreeUpdate *update, sl_real *gradient)
{
  size_t p = tree->shape.inputs, q = tree->shape.units;

  if (gradient != NULL)
    memset (gradient, 0, tree->n * sizeof *gradient);
  if (gain != NULL)
    memset (part, 0, tree->batch * gain_stride (tree) * sizeof *part);
  for (unsigned w = 0; w < tree->windows; w++)
    {
      size_t         inputs = sl_tree_window_inputs (tree, w);
      SlTreePaths    paths = sl_tree_paths (tree, w);
      const sl_real *gains = gains_of (tree, gain, w);
      sl_real       *parts = gain != NULL ? part + w * (tree->shape.k + 1) : NULL;

      sl_tree_gather (tree, w, paths.row, x, tree->xs);
      for (size_t r = 0; r < tree->batch; r++)
        memcpy (tree->ds + r * q, delta + paths.row[r] * q, q * sizeof *delta);
      if (gain != NULL)
        memset (tree->dxs, 0, tree->batch * inputs * sizeof *tree->dxs);
      for (unsigned level = tree->top; level <= tree->shape.k; level++)
        for (SlTreeGroup g = { 0 }; sl_tree_next (tree, &paths, level, &g);)
          {
            sl_real *dt
              = gradient != NULL ? sl_tree_table (tree, gradient, w, g.node) : tree->gradient;

            if (dx != NULL || gains != NULL)
              node_inputs (tree, w, level, &g, gains, parts);
            node_gradient (tree, w, level, &g, gains, dt);
            if (update != NULL)
              update_cell (tree, w, g.node, update, dt);
          }
      for (size_t r = 0; dx != NULL && r < tree->batch; r++)
        memcpy (dx + paths.row[r] * p + sl_tree_window (tree, w), tree->dxs + r * inputs,
                inputs * sizeof *dx);
    }
  bias_gradient (tree, delta, update, gradient);
}
