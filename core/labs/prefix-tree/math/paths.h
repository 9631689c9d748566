/* SPDX-License-Identifier: MIT
 *
 * What the files of the tree share: examples sorted by leaf, and the occupied nodes of a level as
 * runs of them.  Private to this folder.  */
#pragma once

#include "core/labs/prefix-tree/math/tree.h"

/* The paths of a batch through one window. */
typedef struct
{
  const uint32_t *leaf;  /* (B) */
  const uint32_t *row;   /* (B) the examples, sorted by leaf */
  const uint32_t *start; /* (2^k + 1) where those of a leaf begin in row */
} SlTreePaths;

/* The examples of an occupied node: row[begin] and the n - 1 after. */
typedef struct
{
  size_t node; /* heap number */
  size_t begin, n;
} SlTreeGroup;

/* Moves from a group (zeros to begin with) to the next one of the level; false after the last.
 * Nodes without examples are not even looked at.  */
static inline bool
sl_tree_next (const SlTree *tree, const SlTreePaths *paths, unsigned level, SlTreeGroup *group)
{
  unsigned below = tree->shape.k - level;
  size_t   i;

  group->begin += group->n;
  if (group->begin == tree->batch)
    return false;
  i = paths->leaf[paths->row[group->begin]] >> below;
  group->n = paths->start[(i + 1) << below] - group->begin;
  group->node = ((size_t) 1 << level) - 1 + i;
  return true;
}

/* Sorts the batch by leaf (B): row (B) and start (2^k + 1). */
void sl_tree_sort (const SlTree *tree, const uint32_t *leaf, uint32_t *row, uint32_t *start);

/* Copies the columns of a window from x (B, p) into xs (B, inputs of the window), in the order of
 * `row`.  */
void sl_tree_gather (const SlTree *tree, unsigned window, const uint32_t *row, const sl_real *x,
                     sl_real *xs);

/* The weights of a cell as the clock says they are by now; in tree->fresh when that differs from
 * what is stored.  NULL: as stored.  */
const sl_real *sl_tree_current (SlTree *tree, unsigned window, size_t node,
                                const SlDecayClock *clock);

static inline size_t
sl_tree_window_inputs (const SlTree *tree, unsigned window)
{
  return sl_tree_window (tree, window + 1) - sl_tree_window (tree, window);
}

/* The paths of the last route. */
static inline SlTreePaths
sl_tree_paths (const SlTree *tree, unsigned window)
{
  return (SlTreePaths) { .leaf = tree->leaf + window * tree->shape.most,
                         .row = tree->row + window * tree->shape.most,
                         .start = tree->start + window * (((size_t) 1 << tree->shape.k) + 1) };
}
