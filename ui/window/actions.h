/* SPDX-License-Identifier: MIT
 *
 * Actions of the window that have no state of their own: running, settings, data, opening files, the
 * look, the help.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_actions (SlWindow *self);

/* Enables what can be done now. */
void sl_window_update_actions (SlWindow *self);

/* Whether what is shown runs: the group of the overview, or the session. */
gboolean sl_window_is_running (SlWindow *self);

/* A plot asks: a row was clicked, a mark was moved; the parameter that the panel names follows. */
void sl_window_pick (SlWindow *self, guint panel, guint number);
void sl_window_drag (SlWindow *self, guint panel, double value);
