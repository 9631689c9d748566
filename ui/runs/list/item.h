/* SPDX-License-Identifier: MIT
 *
 * One run of the store as an object of a list.  */
#pragma once

#include <glib-object.h>

#include "core/run/query/setting.h"
#include "core/run/record/outcome.h"

#define SL_TYPE_RUN_ITEM (sl_run_item_get_type ())
G_DECLARE_FINAL_TYPE (SlRunItem, sl_run_item, SL, RUN_ITEM, GObject)

/* Signals:
 *   "changed"  the run is another than before (renamed, further, finished)
 *   "edit"     its name is to be edited, wherever it is shown  */

/* `run` is taken.  `number`, from 1, is its place among those that the list has had. */
SlRunItem *sl_run_item_new (SlStoreRun *run, unsigned number);

/* Replaces the run (taken) by how it is now. */
void sl_run_item_renew (SlRunItem *self, SlStoreRun *run);

/* What its sweep varies is known from here on; a reference is taken. */
void sl_run_item_set_varied (SlRunItem *self, SlVaried *varied);

const SlStoreRun *sl_run_item_run (SlRunItem *self);
const SlOutcome  *sl_run_item_outcome (SlRunItem *self);
unsigned          sl_run_item_number (SlRunItem *self);
unsigned          sl_run_item_slot (SlRunItem *self); /* colour of its curves, from 0 */
const char       *sl_run_item_name (SlRunItem *self);

/* For the list that has it: the last reading of all runs that found this one. */
unsigned sl_run_item_get_mark (SlRunItem *self);
void     sl_run_item_set_mark (SlRunItem *self, unsigned mark);

/* "interrupted", in the user's language; static. */
const char *sl_run_status_title (SlRunStatus status);

/* What the costs of its lab are counted in: "%" of dense, or a unit of its own. */
const char *sl_run_item_cost_unit (SlRunItem *self);

/* Emits "edit". */
void sl_run_item_edit (SlRunItem *self);

/* "rank 8 · depth 3": what its sweep varies, then what differs from the lab's defaults. */
const char *sl_run_item_settings (SlRunItem *self);
