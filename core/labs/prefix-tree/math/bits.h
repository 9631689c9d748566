/* SPDX-License-Identifier: MIT
 *
 * The bits that choose a path through a tree of tables, and the gains that gating units give to
 * its levels (Cho and Bengio 2014, §2 and §4.3).  Sampled bits are the stochastic binary units of
 * gater/units.h.
 *
 * Letters as in tree.h; v (B, K) are the gating values whose sign is the bit.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/labs/prefix-tree/math/tree.h"

/* Bits by threshold: v (B, K) = the gating columns of x (B, p) minus tau (K), bits = v > 0. */
void sl_tree_threshold (const SlTree *tree, size_t batch, const sl_real *x, const sl_real *tau,
                        sl_real *v, uint8_t *bit);

/* The median of n >= 1 numbers `stride` apart, between the middle two of an even n; `work` (n). */
sl_real sl_tree_median (size_t n, const sl_real *x, size_t stride, sl_real *work);

typedef enum {
  SL_MODULATE_SUPPRESS, /* as printed: 1 - tanh x for every bit, which turns active branches off */
  SL_MODULATE_AMPLIFY,  /* ours: tanh x for a bit that is 1, 1 - tanh x for one that is 0 */
} SlModulate;

/* Gains G_l = (Π_{i <= l} f_i)^(1/l) into gain (B, windows, k + 1) for the last route, f_i as above
 * with x the gating unit of bit i in x (B, p).  G_0 is 1 with `root`, and 0 without it, as printed
 * (the sum begins at l = 1 and the root is lost).  A negative x counts as 0, since 1 - tanh x
 * would exceed 1.  The derivative of f^(1/l) is infinite at f = 0, where an amplified unit
 * begins: f stays at 0.01 below that.  */
void sl_tree_gain (const SlTree *tree, SlModulate kind, bool root, const sl_real *x, sl_real *gain);

/* Adds to dx (B, p) what the gains do with x, from part (B, windows, k + 1) = dloss/dgain. */
void sl_tree_gain_backward (const SlTree *tree, SlModulate kind, const sl_real *x,
                            const sl_real *gain, const sl_real *part, sl_real *dx);
