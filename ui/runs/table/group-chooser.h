/* SPDX-License-Identifier: MIT
 *
 * By what the runs of a table are grouped: a button with a list of fields (core/run/query/field.h),
 * first what differs among them, and words that search in it.
 *
 * Actions: group.fold-all (b: folded).
 *
 * Signals:
 *   "changed"        another name is chosen
 *   "fold" (folded)  all groups are to be folded, or unfolded */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_RUN_GROUP_CHOOSER (sl_run_group_chooser_get_type ())
G_DECLARE_FINAL_TYPE (SlRunGroupChooser, sl_run_group_chooser, SL, RUN_GROUP_CHOOSER, GtkWidget)

/* The runs (of SlRunItem) whose differing fields come first; a reference is taken. */
void sl_run_group_chooser_set_runs (SlRunGroupChooser *self, GListModel *runs);

/* NULL: no groups; at first SL_FIELD_SETTING.  What nothing is called is no name. */
void        sl_run_group_chooser_set (SlRunGroupChooser *self, const char *name);
const char *sl_run_group_chooser_get (SlRunGroupChooser *self); /* borrowed, or NULL */
