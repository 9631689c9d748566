/* SPDX-License-Identifier: MIT
 *
 * What the bits of a path are worth (Cho and Bengio 2014, §4).  A table look-up has no slope in its
 * bits, but it can be looked up again: the layer is multilinear in them, and the exact slope
 * towards bit i is what changes when this bit alone is turned.  gater/units.h makes a gradient of
 * the gating values from it (straight-through), or from the loss alone (REINFORCE).  */
#pragma once

#include "core/labs/prefix-tree/math/tree.h"

/* For the batch of the last route: worth (B, K) = delta · (a with bit i 1 - a with bit i 0), all
 * other bits as they are; x (B, p) without gains, delta (B, q) = dloss/da.  Windows that do not
 * look at a bit contribute nothing.  `clock` as in sl_tree_forward(): the turned paths lead to
 * cells that the batch did not visit.  At most k (k + 3) / 2 B p q multiply-adds.  */
void sl_tree_worth (SlTree *tree, const sl_real *x, const sl_real *delta, const SlDecayClock *clock,
                    sl_real *worth);
