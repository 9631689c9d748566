/* SPDX-License-Identifier: MIT
 *
 * The runs that the page shows, compared (core/run/compare/trade.h), and from there to charts.  */
#pragma once

#include "core/run/compare/trade.h"
#include "plot/layout/parallel.h"
#include "ui/runs/list/item.h"

typedef struct
{
  const SlLab *lab;   /* NULL: no runs */
  GPtrArray   *items; /* of SlRunItem, references: those of that lab, one lab at a time */
  SlTrade      trade; /* of their runs; tags are places in `items` */
} SlRunSet;

/* Takes the runs of `items` (of SlRunItem) that belong to `lab`, or, where there are none, to the lab of the last of them,
 * and compares them.  `lab` and `view` may be NULL.  */
void sl_run_set_init (SlRunSet *set, GPtrArray *items, const SlLab *lab, const SlTradeView *view);
void sl_run_set_clear (SlRunSet *set);

/* The item of run number i of the trade; borrowed. */
SlRunItem *sl_run_set_item (const SlRunSet *set, guint i);

/* The channels of the first of some items, which there is.  Free with g_free(). */
SlLayout *sl_run_set_layout (GPtrArray *items);

/* Axes and lines, in the order of the items; brushes of axes with the same title stay.  Several data sets have an axis,
 * which borrows their names from the set.  */
void sl_run_set_parallel (const SlRunSet *set, SlParallel *parallel);
