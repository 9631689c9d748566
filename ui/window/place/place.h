/* SPDX-License-Identifier: MIT
 *
 * What is shown, and the run that each lab and each part of the overview has, go into the store whenever they
 * change, and come back at the next start.  */
#pragma once

#include "ui/window/services/services.h"

/* ---- workspace.c ---- */

void sl_window_add_workspace (SlWindow *self);
void sl_window_drop_workspace (SlWindow *self);

/* Writes the workspace if it has changed. */
void sl_window_keep_workspace (SlWindow *self);
/* From now on the workspace keeps the runs that train now as training. */
void sl_window_hold_workspace (SlWindow *self);

/* ---- restore.c ---- */

/* From now on the store has what this window shows and which runs its labs have (one window of a program at
 * most).  `workspace` is what it had from the last one, or NULL: labs have their runs again; with `show`
 * the same page is shown with the same run, and what was going on goes on unless `paused`.  FALSE: nothing
 * of it can be shown.  After sl_window_set_store().  */
gboolean sl_window_restore (SlWindow *self, const char *workspace, gboolean show, gboolean paused);
