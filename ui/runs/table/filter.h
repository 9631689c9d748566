/* SPDX-License-Identifier: MIT
 *
 * The line that chooses runs (core/run/query/query.h): an entry that completes names and values, and a menu of
 * lines that were kept.  While a line cannot be read, the one before counts.
 *
 * Keys in the entry: Down and Up choose a completion, Tab and Return take it, Escape closes the list.
 *
 * Signals:
 *   "changed"  another line counts, or its mistake is another one  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/query/query.h"
#include "ui/runs/list/list.h"

#define SL_TYPE_RUN_FILTER (sl_run_filter_get_type ())
G_DECLARE_FINAL_TYPE (SlRunFilter, sl_run_filter, SL, RUN_FILTER, GtkWidget)

/* The runs whose scores and tags can be named; a reference is taken.  NULL: none. */
void sl_run_filter_set_list (SlRunFilter *self, SlRunList *list);

/* Whether a run passes. */
gboolean sl_run_filter_passes (SlRunFilter *self, SlRunItem *item);

/* Whether there is a line, and taking it away. */
gboolean sl_run_filter_is_set (SlRunFilter *self);
void     sl_run_filter_clear (SlRunFilter *self);

/* What is wrong with the line, or NULL; borrowed. */
const char *sl_run_filter_mistake (SlRunFilter *self);
