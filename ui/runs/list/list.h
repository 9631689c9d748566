/* SPDX-License-Identifier: MIT
 *
 * The runs of a store as a list model that follows the file.  Reading is done in a thread, page after page; runs
 * that were there keep their object.  Runs that were set up in a window and have not made an update are left out.  */
#pragma once

#include <gio/gio.h>

#include "ui/runs/list/item.h"

/* A GListModel of SlRunItem in the order of their making.
 * Signals:
 *   "loaded"            the list was brought up to date, for the first time or as something changed
 *   "failed" (sentence) the file could not be read; the list is as before  */
#define SL_TYPE_RUN_LIST (sl_run_list_get_type ())
G_DECLARE_FINAL_TYPE (SlRunList, sl_run_list, SL, RUN_LIST, GObject)

SlRunList *sl_run_list_new (SlStore *store); /* a reference is taken; nothing is read yet */

/* Whether the list is watched: only then the file is read, at once and whenever it changed. */
void sl_run_list_watch (SlRunList *self, gboolean watched);

SlStore   *sl_run_list_store (SlRunList *self);
SlRunItem *sl_run_list_find (SlRunList *self, const char *uuid); /* borrowed, or NULL */

/* What its sweeps vary; borrowed. */
const SlVaried *sl_run_list_varied (SlRunList *self);

/* Whether all runs were read at least once, or could not be. */
gboolean sl_run_list_is_loaded (SlRunList *self);

/* Whether further pages of a long list are to come, "loaded" with the last. */
gboolean sl_run_list_is_partial (SlRunList *self);

/* Reads all again, if the list is watched; "changed" of the store has it read what was written. */
void sl_run_list_reload (SlRunList *self);
