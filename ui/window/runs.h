/* SPDX-License-Identifier: MIT
 *
 * The page of runs and trade-offs in the window: coming and going, what sweeps vary around, and stored
 * runs that are made again.  Actions: runs, undelete, begin-anew, sweep.  */
#pragma once

#include "core/run/record/recipe.h"
#include "ui/runs/page.h"
#include "ui/window/window.h"

void sl_window_add_runs (SlWindow *self);
void sl_window_drop_runs (SlWindow *self);

/* The session that is shown changed; another run of the window's own session is there. */
void sl_window_runs_changed (SlWindow *self);
void sl_window_runs_restarted (SlWindow *self);

/* Makes a run again in the window's own session, up to where its recipe ends. */
void sl_window_remake_run (SlWindow *self, const SlRecipe *recipe);

/* The page asks: to open a run, to make room for a sweep, to offer the way back from a deletion. */
void sl_window_runs_open (SlWindow *self, SlRunItem *item);
void sl_window_runs_sweeping (SlWindow *self);
void sl_window_runs_deleted (SlWindow *self, const char *sentence);
