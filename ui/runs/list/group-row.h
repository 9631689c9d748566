/* SPDX-License-Identifier: MIT
 *
 * A group of runs as an object of a list: the row above its runs.  */
#pragma once

#include "core/run/query/group.h"
#include "ui/runs/list/item.h"

#define SL_TYPE_RUN_GROUP_ROW (sl_run_group_row_get_type ())
G_DECLARE_FINAL_TYPE (SlRunGroupRow, sl_run_group_row, SL, RUN_GROUP_ROW, GObject)

/* Signals:
 *   "changed"  its means, the number of its runs, or whether it is folded
 *   "toggle"   it is to be folded or unfolded  */

/* `title` NULL: of runs of one setting, called by their number. */
SlRunGroupRow *sl_run_group_row_new (const char *title);
gboolean       sl_run_group_row_is_setting (SlRunGroupRow *self);

/* What it is: the runs (of SlRunItem, taken), and their means. */
void sl_run_group_row_take (SlRunGroupRow *self, GPtrArray *items, const SlRunGroup *means);

const char *sl_run_group_row_title (SlRunGroupRow *self); /* "k = 4", "no k", "3 runs" */
GPtrArray  *sl_run_group_row_items (SlRunGroupRow *self); /* borrowed */

void     sl_run_group_row_set_folded (SlRunGroupRow *self, gboolean folded);
gboolean sl_run_group_row_is_folded (SlRunGroupRow *self);
void     sl_run_group_row_toggle (SlRunGroupRow *self); /* emits "toggle" */

/* Means over its runs.  Errors, or costs, of labs that count them in different units have none (n = 0). */
const SlRunGroup *sl_run_group_row_means (SlRunGroupRow *self);

/* What a group is called by a value of the field: "k = 4", "no k"; of a lab or a state its own name.  Free with
 * g_free().  */
char *sl_run_group_title (const SlField *field, const SlFieldValue *value);
