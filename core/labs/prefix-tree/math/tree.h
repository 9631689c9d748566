/* SPDX-License-Identifier: MIT
 *
 * A layer whose weight matrix is chosen by k bits of its input (Cho and Bengio 2014): every prefix
 * of the bits is a node of a binary tree with a matrix of its own, and the layer uses the sum
 * along the path.  a = bias + Σ_j x_j Σ_l T[n_l][j], with n_0 = 0 and n_l = 2 n_{l-1} + 1 + b_l.
 * Flat tables have the leaves only, and no sum.
 *
 * Letters: B examples, p inputs, q units, k bits of a path, K bits in all.  A tree of k bits has
 * 2^(k+1) - 1 nodes (the paper prints 2^(k+1)).  The table of a node is T[n] (p, q), one row per
 * input, so that y = x T.
 *
 * Windows: in shared mode all inputs follow one path per example.  In sliding mode input j looks at
 * bits w … w + k - 1 with w = ⌊j/k⌋, so each run of k inputs has a path of its own, and there are
 * as many bits as that needs, K = ⌊(p - 1)/k⌋ + k.  In random mode each run of k inputs has k different
 * bits of those K, drawn once.  A cell is the part of a node's table that one
 * window uses; it is what is visited, decayed and updated.
 *
 * The examples of a window are sorted by leaf, so the examples of any node at any level are
 * neighbours: one product per occupied node, (k + 1) B p q multiply-adds in all, whatever 2^k.
 * Cells that no example of the batch reaches are not touched.  Nothing allocates after init.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/labs/prefix-tree/math/decay.h"
#include "core/nn/optim/optim.h"

/* Which bits an input looks at (S_j in §2). */
typedef enum {
  SL_TREE_SHARED,  /* all at the first k */
  SL_TREE_SLIDING, /* each run of k inputs at k neighbours */
  SL_TREE_RANDOM,  /* each run of k inputs at k drawn ones */
} SlTreeWindow;

/* What is fixed for a run. */
typedef struct
{
  size_t       inputs, units; /* p, q */
  unsigned     k;
  bool         flat; /* leaves only */
  SlTreeWindow window;
  size_t       most; /* examples in a batch */
} SlTreeShape;

typedef struct
{
  SlTreeShape shape;   /* k clamped to p: there is one gating unit per input at most */
  unsigned    windows; /* 1 where it is shared */
  unsigned    bits;    /* K */
  unsigned    top;     /* first level that has tables: 0, or k when flat */
  size_t      first;   /* node number of the first table */
  size_t      nodes;   /* tables */
  size_t      n;       /* trainable numbers: tables, then the bias */

  sl_real  *table, *bias; /* (nodes, p, q) and (q), given by sl_tree_bind() */
  sl_real  *m, *v;        /* (n) moments */
  double   *seen;         /* (windows, nodes) the clock when the cell was last decayed */
  uint64_t *touched;      /* (windows, nodes) the update that last reached it, 0: none */
  uint64_t *updates;      /* (windows, nodes) of the cell since its moments were cleared */

  uint32_t *source; /* (p) the inputs in an order whose first K decide the bits, π in the paper */
  uint32_t *chosen; /* (windows, k) the bits that a window looks at, b_1 first */

  size_t    batch; /* of the last route */
  uint32_t *leaf;  /* (windows, most) 0 … 2^k - 1, b_1 the highest bit */
  uint32_t *row;   /* (windows, most) the examples sorted by leaf */
  uint32_t *start; /* (windows, 2^k + 1) where the examples of a leaf begin in row */
  double    macs;  /* multiply-adds done so far; the caller may clear it */

  /* Scratch. */
  sl_real  *xs, *dxs, *as, *ds, *y, *fresh, *gradient;
  uint32_t *other_row, *other_start, *other_leaf;
  sl_real  *part, *other_part;
} SlTree;

/* Nodes of a tree of k bits. */
static inline size_t
sl_tree_nodes (unsigned k)
{
  return ((size_t) 2 << k) - 1;
}

/* Bits that a layer of p inputs and paths of k bits looks at. */
size_t sl_tree_bits_needed (size_t inputs, unsigned k, SlTreeWindow window);

/* First input of a window; that of `windows` is p. */
static inline size_t
sl_tree_window (const SlTree *tree, unsigned window)
{
  return window == tree->windows ? tree->shape.inputs : (size_t) window * tree->shape.k;
}

/* Number among the cells of node `node` (heap number) in a window. */
static inline size_t
sl_tree_cell (const SlTree *tree, unsigned window, size_t node)
{
  return (size_t) window * tree->nodes + node - tree->first;
}

/* The rows of a node's table that a window uses: ((inputs of the window), q). */
static inline sl_real *
sl_tree_table (const SlTree *tree, sl_real *base, unsigned window, size_t node)
{
  return base
         + ((node - tree->first) * tree->shape.inputs + sl_tree_window (tree, window))
             * tree->shape.units;
}

/* The node at `level` on the way to a leaf. */
static inline size_t
sl_tree_node (const SlTree *tree, uint32_t leaf, unsigned level)
{
  return ((size_t) 1 << level) - 1 + (leaf >> (tree->shape.k - level));
}

/* Works out everything but memory. */
void sl_tree_shape (SlTree *tree, const SlTreeShape *shape);

/* Bytes that a tree of this shape keeps: weights and two moments. */
double sl_tree_bytes (const SlTreeShape *shape);

/* Cuts what a checkpoint has to keep beside the weights from `kept`, all else from `scratch`.
 * Called once to measure and once for real.  */
void sl_tree_carve (SlTree *tree, SlArena *kept, SlArena *scratch);

/* Where the numbers and their moments are; (n) each. */
void sl_tree_bind (SlTree *tree, sl_real *weights, sl_real *m, sl_real *v);

/* The root Glorot and the other nodes zero, so that a node without visits corrects nothing.  Flat:
 * all leaves the same Glorot matrix, which is what such a tree computes.  Bias and moments 0.  */
void sl_tree_init (SlTree *tree, SlRng *rng);

/* Which inputs decide the bits, the first K or drawn ones, and which bits each window looks at.  Called
 * once, before the first route.  */
void sl_tree_choose (SlTree *tree, bool random_inputs, SlRng *rng);

/* Whether what sl_tree_choose() wrote can be: after it came from a file. */
bool sl_tree_is_sound (const SlTree *tree);

/* The input whose unit decides bit i of a window. */
static inline size_t
sl_tree_gating_input (const SlTree *tree, unsigned window, unsigned i)
{
  return tree->source[tree->chosen[window * tree->shape.k + i]];
}

/* After the optimiser was changed: moments and counts of updates to zero. */
void sl_tree_clear_moments (SlTree *tree);

/* Fixes the paths of a batch of up to `most` examples by their bits (B, K), 0 or 1. */
void sl_tree_route (SlTree *tree, size_t batch, const uint8_t *bits);

/* Decays the cells that the batch reaches up to the reading `until` of the clock. */
void sl_tree_refresh (SlTree *tree, SlDecayKind kind, double until);

/* The same for all cells: before the kind of decay is changed. */
void sl_tree_flush (SlTree *tree, const SlDecayClock *clock);

/* a (B, q) from x (B, p) along the paths of the last route.  `gain` (B, windows, k + 1), unless
 * NULL, multiplies the part of each level (bits.h).  With a clock, the weights are taken
 * as they would be if brought up to date, and stay as they are; NULL takes them as stored.  */
void sl_tree_forward (SlTree *tree, const sl_real *x, const sl_real *gain,
                      const SlDecayClock *clock, sl_real *a);

/* Adds to a (q) what one node adds to the first example in a window, times `gain`; x (p).  With a clock as above. */
void sl_tree_add_node (SlTree *tree, unsigned window, size_t node, const SlDecayClock *clock,
                       sl_real gain, const sl_real *x, sl_real *a);

typedef struct
{
  const SlOptimSetting *optim;   /* its decay is not read */
  SlDecayClock          clock;   /* with this step's tick: cells are brought to it, then updated */
  uint64_t              t;       /* number of this update */
  uint64_t              moments; /* updates since the moments were cleared, for the bias */
} SlTreeUpdate;

/* From delta (B, q) = dloss/da and the x and gain of the forward pass: dx (B, p), unless NULL, is written,
 * without what the bits or gains do with x.  `part` (B, windows, k + 1), needed with gain, gets
 * dloss/dgain.  With `update` each visited cell is decayed and updated while its gradient is in the
 * cache.  `gradient` (n), unless NULL, is written over: zeros for cells not reached.  */
void sl_tree_backward (SlTree *tree, const sl_real *x, const sl_real *delta, const sl_real *gain,
                       sl_real *part, sl_real *dx, const SlTreeUpdate *update, sl_real *gradient);

/* ‖T[n]‖ of a stored node (Frobenius), as it would be if brought up to date. */
double sl_tree_norm (SlTree *tree, size_t node, const SlDecayClock *clock);
