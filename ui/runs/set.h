/* SPDX-License-Identifier: MIT
 *
 * What several runs have in common and what was varied between them, and from there to charts.  */
#pragma once

#include "core/run/query/field.h"
#include "core/run/tradeoff/cost.h"
#include "plot/charts/front.h"
#include "plot/layout/parallel.h"
#include "ui/runs/data-sets.h"

typedef struct
{
  const SlLab *lab;    /* NULL: no runs */
  GPtrArray   *items;  /* of SlRunItem, references: those of that lab that have an error to show or
                       * curves; at most one lab at a time */
  guint        newest; /* place of the run whose data a front is about: the last that began */
  SlDataSets   data;
  unsigned     varied[SL_PARAMS_MAX], n_varied; /* parameters with more than one value */
  int          tone, shape;                     /* parameters that give colour and marker, or -1 */
  gboolean     grouped;
  SlField      field; /* what they are grouped by */
} SlRunSet;

/* Takes the runs of `items` (of SlRunItem) that belong to `lab`, or, where there are none, to the lab of the last of
 * them; a front is about `data`, if some of them run on it.  Both may be NULL.  */
void sl_run_set_init (SlRunSet *set, GPtrArray *items, const SlLab *lab, const char *data);
void sl_run_set_clear (SlRunSet *set);

/* Groups the runs by a field, in place of those of one setting; NULL: of one setting again. */
void sl_run_set_group (SlRunSet *set, const SlField *field);

/* The newest runs, `most` of them at most, in the order of the set.  Free with g_ptr_array_unref(). */
GPtrArray *sl_run_set_newest (const SlRunSet *set, guint most);

/* The channels of the first of some items, which there is.  Free with g_free(). */
SlLayout *sl_run_set_layout (GPtrArray *items);

/* The same for all runs of one setting, whatever their seeds, or of one group. */
guint64 sl_run_set_key (const SlRunSet *set, SlRunItem *item);

/* "rank 8, gate noisy": the values of what was varied, or the title of the run when nothing was;
 * "8, noisy" unless `named`.  Where the runs
 * are on several data sets, the name of the data follows.  Of groups what the group is called, "k = 4".  Free with
 * g_free().  */
char *sl_run_set_title (const SlRunSet *set, SlRunItem *item, gboolean named);

/* The title of one run of the set, with the name of its data where there are several.  Free with g_free(). */
char *sl_run_set_run_title (const SlRunSet *set, SlRunItem *item);

/* Axes and points of the trade-off. */
void sl_run_set_front (const SlRunSet *set, SlCost cost, SlFront *front, SlFigure *figure);

/* The error against one of the varied parameters.  `names` (ended by NULL, freed by the caller with
 * g_free()) are those of a choice's values, which the figure borrows; NULL for numbers.  */
void sl_run_set_multiple (const SlRunSet *set, unsigned varied, SlFront *front, SlFigure *figure,
                          const char ***names);

/* Axes and lines, in the order of the items; brushes of axes with the same title stay.  Several data sets have an axis,
 * which borrows their names from the set.  */
void sl_run_set_parallel (const SlRunSet *set, SlParallel *parallel);
