/* SPDX-License-Identifier: MIT
 *
 * How many nodes of the trees of the lab `prefix-tree` a batch reaches before anything is trained; what passes and
 * updates cost hangs on it.  */
#pragma once

#include "core/labs/prefix-tree/lab.h"

enum { SL_PREFIX_CLASSES = 21 /* two for each power of two up to MOST_BATCH */ };

/* The nodes that examples of a batch come to, all windows together, by how many come to one. */
typedef struct
{
  double nodes[SL_PREFIX_CLASSES], examples[SL_PREFIX_CLASSES];
} SlPrefixLevel;

typedef struct
{
  SlPrefixLevel level[MOST_K + 1]; /* from the tree's first with tables on */
} SlPrefixSpread;

/* Sends training examples through a network with first weights: how a pass over so many spreads over the
 * first tree, and a batch of an update over every one.  Of a lab that was shaped and has a data set.  False without
 * memory.  Any thread.  */
bool sl_prefix_spread (const SlPrefixLab *s, size_t examples, SlPrefixSpread *pass,
                       SlPrefixSpread step[MOST_TREES]);
