/* SPDX-License-Identifier: MIT
 *
 * Runs as rows of a table: as another list has them or, grouped by the value of a field, a row for
 * each group with its runs beneath, in the order that they have in the list, unless the group is
 * folded.  Groups are in the order of their values; runs that have none are the last.  */
#pragma once

#include <gio/gio.h>

#include "ui/runs/list/group-row.h"

G_BEGIN_DECLS

/* A GListModel of SlRunItem and SlRunGroupRow. */
#define SL_TYPE_RUN_GROUPED (sl_run_grouped_get_type ())
G_DECLARE_FINAL_TYPE (SlRunGrouped, sl_run_grouped, SL, RUN_GROUPED, GObject)

SlRunGrouped *sl_run_grouped_new (GListModel *runs); /* of SlRunItem; a reference is taken */

/* By what they are grouped, a name of core/run/query/field.h; NULL, or what nothing is called: not at all. */
void sl_run_grouped_set (SlRunGrouped *self, const char *name);

/* The same, or NULL; borrowed. */
const SlField *sl_run_grouped_field (SlRunGrouped *self);

/* Some runs have other values than before. */
void sl_run_grouped_update (SlRunGrouped *self);

/* Folds or unfolds groups (of SlRunGroupRow); NULL: all there are. */
void sl_run_grouped_fold (SlRunGrouped *self, GPtrArray *groups, gboolean folded);

G_END_DECLS
