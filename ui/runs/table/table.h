/* SPDX-License-Identifier: MIT
 *
 * The runs as a table: sorted by any column, filtered by words, and what can be done with those
 * that are selected.  Edits go to the store, and come back through the list.
 *
 * Actions: table.open, table.rename, table.colour (u: of the palette from 1, 0: its own),
 * table.pin, table.delete, table.undelete (the last deletion), table.filter (focus the words),
 * table.group (s: what runs are grouped by, a name of core/run/query/field.h; "": nothing), table.unselect, table.clear-filter.
 *
 * While the row of a group is selected, all its runs are.  Left and Right fold and unfold it, and
 * so does its activation.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/query/field.h"
#include "ui/runs/list/group-row.h"
#include "ui/runs/list/list.h"

/* Signals:
 *   "open" (SlRunItem)    a row was activated
 *   "deleted" (guint n)   so many runs were deleted; table.undelete brings them back
 *   "selected"            the selection, the filter or the order changed
 *   "grouped"             runs are grouped by something else  */
#define SL_TYPE_RUN_TABLE (sl_run_table_get_type ())
G_DECLARE_FINAL_TYPE (SlRunTable, sl_run_table, SL, RUN_TABLE, GtkWidget)

/* What to show; a reference is taken.  NULL: nothing. */
void sl_run_table_set_list (SlRunTable *self, SlRunList *list);

/* Shows only runs of one sweep, and only those of these names (a reference is taken); NULL: all. */
void sl_run_table_set_scope (SlRunTable *self, const char *sweep, GHashTable *names);

/* Says beside the number of rows that charts have only the n runs of one lab; NULL: they have all. */
void sl_run_table_set_charted (SlRunTable *self, const SlLab *lab, guint n);

/* Shows of those only the runs that are in this set, of their names (a reference is taken); NULL:
 * all.  */
void sl_run_table_set_meant (SlRunTable *self, GHashTable *names);

/* Whether runs were deleted that table.undelete would bring back. */
gboolean sl_run_table_can_undelete (SlRunTable *self);

/* What runs are grouped by, or NULL; at first SL_FIELD_SETTING.  The field is NULL too where runs of one setting are
 * together, as they are in charts without a field.  Borrowed.  */
const char    *sl_run_table_get_group (SlRunTable *self);
const SlField *sl_run_table_get_field (SlRunTable *self);

/* The groups (SlRunGroupRow) whose rows are selected, in the order of the table; free with g_ptr_array_unref(). */
GPtrArray *sl_run_table_get_groups (SlRunTable *self);

/* Takes the selection away; FALSE: nothing was selected. */
gboolean sl_run_table_unselect (SlRunTable *self);

/* Whether a line chooses runs; table.clear-filter takes it away. */
gboolean sl_run_table_is_filtered (SlRunTable *self);

/* The runs that are shown, folded away or not, and those of them that are selected; free with g_ptr_array_unref(). */
GPtrArray *sl_run_table_get_shown (SlRunTable *self);
GPtrArray *sl_run_table_get_selected (SlRunTable *self);

/* The place in `items` (of SlRunItem) of one whose row, or whose group's row, stands highest; 0 where none is shown. */
guint sl_run_table_highest (SlRunTable *self, GPtrArray *items);

/* Those that would be shown if all were meant, in the order of their making. */
GPtrArray *sl_run_table_get_wanted (SlRunTable *self);
