/* SPDX-License-Identifier: MIT
 *
 * The rows of a table as a list that follows another one.  A column view makes and drops the
 * widgets of 200 rows at once, most of which are out of sight: when much changes, only the first
 * rows follow at once, the others a few at a time in idle moments.  Until then rows behind the
 * first may be old ones, and appear twice.  */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define SL_TYPE_RUN_ROWS (sl_run_rows_get_type ())
G_DECLARE_FINAL_TYPE (SlRunRows, sl_run_rows, SL, RUN_ROWS, GObject)

SlRunRows *sl_run_rows_new (GType type);

/* What a view shows; borrowed. */
GListModel *sl_run_rows_list (SlRunRows *self);

/* `from` changed as its signal says; `first` rows follow at once, G_MAXUINT: all. */
void sl_run_rows_follow (SlRunRows *self, GListModel *from, guint position, guint removed,
                         guint added, guint first);

G_END_DECLS
