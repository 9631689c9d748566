/* SPDX-License-Identifier: MIT
 *
 * How the plots of a run are looked at goes into the store with it, and comes back with it.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_view (SlWindow *self);
void sl_window_drop_view (SlWindow *self);

/* Writes what the plots have now, if it is not there yet. */
void sl_window_keep_view (SlWindow *self);

/* From now on the plots have the view of no stored run; of the run that is shown. */
void sl_window_view_forget (SlWindow *self);
void sl_window_view_follow (SlWindow *self);

/* The run on its way brings this view; that run is there, in the plots too. */
void sl_window_view_expect (SlWindow *self, const char *view);
void sl_window_view_restarted (SlWindow *self);
