/* SPDX-License-Identifier: MIT
 *
 * Runs as rows of a table: as another list has them or, grouped by the value of a field, a row for
 * each group with its runs beneath, in the order that they have in the list, unless the group is
 * folded, as they are at first when there are many runs.  Groups are in the order of their values;
 * runs that have none are the last.  Where a sorter orders, groups are in its order of their rows.
 *
 * Grouped by setting (SL_FIELD_SETTING), a run that is the only one of its setting has no row of a group; groups are
 * where the first run of their sweep is in the list, in the order of the sweep.
 *
 * Of very many runs the groups are as before until sl_run_grouped_update() when some come or go.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/list/group-row.h"

G_BEGIN_DECLS

/* A GListModel of SlRunItem and SlRunGroupRow. */
#define SL_TYPE_RUN_GROUPED (sl_run_grouped_get_type ())
G_DECLARE_FINAL_TYPE (SlRunGrouped, sl_run_grouped, SL, RUN_GROUPED, GObject)

/* `runs` of SlRunItem, which `sorter` (NULL: nothing) orders too; references are taken. */
SlRunGrouped *sl_run_grouped_new (GListModel *runs, GtkSorter *sorter);

/* By what they are grouped, a name of core/run/query/field.h; NULL, or what nothing is called: not at all. */
void sl_run_grouped_set (SlRunGrouped *self, const char *name);

/* The same, or NULL; borrowed. */
const SlField *sl_run_grouped_field (SlRunGrouped *self);

/* Whether there are rows of groups. */
gboolean sl_run_grouped_has_groups (SlRunGrouped *self);

/* Whether runs came, went or changed places since their groups were made. */
gboolean sl_run_grouped_is_stale (SlRunGrouped *self);

/* Some runs have other values than before, or all have come. */
void sl_run_grouped_update (SlRunGrouped *self);

/* Folds or unfolds groups (of SlRunGroupRow); NULL: all there are. */
void sl_run_grouped_fold (SlRunGrouped *self, GPtrArray *groups, gboolean folded);

G_END_DECLS
