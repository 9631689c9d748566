/* SPDX-License-Identifier: MIT */
#include "core/labs/prefix-tree/math/credit.h"

#include <string.h>

#include "core/labs/prefix-tree/math/paths.h"
#include "core/nn/kernels/mat.h"

/* part (B, k + 1) gets delta · x T[n_l] for the levels from `from` on, along these
 * paths.  */
static void
weigh_levels (SlTree *tree, unsigned window, unsigned from, const SlTreePaths *paths,
              const sl_real *x, const sl_real *delta, const SlDecayClock *clock, sl_real *part)
{
  size_t q = tree->shape.units, inputs = sl_tree_window_inputs (tree, window);
  size_t levels = tree->shape.k + 1;

  sl_tree_gather (tree, window, paths->row, x, tree->xs);
  for (unsigned level = from > tree->top ? from : tree->top; level <= tree->shape.k; level++)
    for (SlTreeGroup g = { 0 }; sl_tree_next (tree, paths, level, &g);)
      {
        tree->macs += (double) g.n * (double) inputs * (double) q;
        sl_mat_mul (SL_PLAIN, SL_PLAIN, g.n, q, inputs, 1, tree->xs + g.begin * inputs, inputs,
                    sl_tree_current (tree, window, g.node, clock), q, 0, tree->y, q);
        for (size_t r = 0; r < g.n; r++)
          {
            size_t         e = paths->row[g.begin + r];
            const sl_real *d = delta + e * q, *y = tree->y + r * q;
            sl_real        sum = 0;

            for (size_t i = 0; i < q; i++)
              sum += d[i] * y[i];
            part[e * levels + level] = sum;
          }
      }
}

void
sl_tree_worth (SlTree *tree, const sl_real *x, const sl_real *delta, const SlDecayClock *clock,
               sl_real *worth)
{
  unsigned k = tree->shape.k;
  size_t   levels = k + 1;

  memset (worth, 0, tree->batch * tree->bits * sizeof *worth);
  for (unsigned w = 0; w < tree->windows && k > 0; w++)
    {
      SlTreePaths paths = sl_tree_paths (tree, w);
      SlTreePaths other = { tree->other_leaf, tree->other_row, tree->other_start };

      weigh_levels (tree, w, 1, &paths, x, delta, clock, tree->part);
      for (unsigned i = 0; i < k; i++)
        {
          unsigned from = i + 1 > tree->top ? i + 1 : tree->top;
          uint32_t turned = (uint32_t) 1 << (k - 1 - i);

          for (size_t e = 0; e < tree->batch; e++)
            tree->other_leaf[e] = paths.leaf[e] ^ turned;
          sl_tree_sort (tree, tree->other_leaf, tree->other_row, tree->other_start);
          weigh_levels (tree, w, i + 1, &other, x, delta, clock, tree->other_part);
          for (size_t e = 0; e < tree->batch; e++)
            {
              sl_real change = 0;

              for (unsigned level = from; level <= k; level++)
                change += tree->part[e * levels + level] - tree->other_part[e * levels + level];
              worth[e * tree->bits + tree->chosen[w * k + i]]
                += paths.leaf[e] & turned ? change : -change;
            }
        }
    }
}
