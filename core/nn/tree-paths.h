/* SPDX-License-Identifier: MIT
 *
 * What the files of the tree share: examples sorted by leaf, and the occupied nodes of a level as
 * runs of them.  Nobody else includes this.  */
#pragma once

#include "core/nn/tree.h"

/* The occupied node that comes next at a level; its examples are row[begin] and the n - 1 after. */
typedef struct
{
  size_t node;     /* heap number */
  size_t begin, n;
  size_t next;     /* among the nodes of the level; 0 to begin with */
} SlTreeGroup;

/* Finds the next occupied node of a level; false when there is none.  start as below. */
static inline bool
sl_tree_next (const SlTree *tree, const uint32_t *start, unsigned level, SlTreeGroup *group)
{
  unsigned below = tree->shape.k - level;

  while (group->next < (size_t) 1 << level)
    {
      size_t i = group->next++;

      group->begin = start[i << below];
      group->n = start[(i + 1) << below] - group->begin;
      if (group->n > 0)
        {
          group->node = ((size_t) 1 << level) - 1 + i;
          return true;
        }
    }
  return false;
}

/* Sorts the batch by leaf (B): row (B) and start (2^k + 1). */
void sl_tree_sort (const SlTree *tree, const uint32_t *leaf, uint32_t *row, uint32_t *start);

/* Copies the columns of a window from x (B, p) into xs (B, inputs of the window), in the order of
 * `row`; and all q of delta into ds.  */
void sl_tree_gather (const SlTree *tree, unsigned window, const uint32_t *row, const sl_real *x,
                     sl_real *xs);
void sl_tree_gather_units (const SlTree *tree, const uint32_t *row, const sl_real *delta,
                           sl_real *ds);

/* The weights of a cell as the clock says they are by now; in tree->fresh when that differs from
 * what is stored.  NULL: as stored.  */
const sl_real *sl_tree_current (SlTree *tree, unsigned window, size_t node,
                                const SlDecayClock *clock);

static inline size_t
sl_tree_window_inputs (const SlTree *tree, unsigned window)
{
  return sl_tree_window (tree, window + 1) - sl_tree_window (tree, window);
}

static inline const uint32_t *
sl_tree_rows (const SlTree *tree, unsigned window)
{
  return tree->row + window * tree->shape.most;
}

static inline const uint32_t *
sl_tree_starts (const SlTree *tree, unsigned window)
{
  return tree->start + window * (((size_t) 1 << tree->shape.k) + 1);
}
