/* SPDX-License-Identifier: MIT
 *
 * The seed of a run, and where it stops.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_RUN_GROUP (sl_run_group_get_type ())
G_DECLARE_FINAL_TYPE (SlRunGroup, sl_run_group, SL, RUN_GROUP, GtkWidget)

/* Signals:
 *   "seeded" (guint64 seed)    a seed was typed or diced
 *   "limited" (guint64 step)   the step to stop at was typed, 0: never
 *   "refused" (char *sentence) what was typed is no seed or step  */

/* Shows what a run uses, without a signal. */
void sl_run_group_show (SlRunGroup *self, uint64_t seed, uint64_t limit);
