/* SPDX-License-Identifier: MIT
 *
 * The overview, which is the start page, and the session that is shown beside it.  Actions: glance,
 * closer, role.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_overview (SlWindow *self);
void sl_window_drop_overview (SlWindow *self);

/* Whether the window's own session goes on when it is shown again. */
void sl_window_hold_own (SlWindow *self, gboolean held);

/* The seed that a lab chosen now begins with. */
guint64 sl_window_seed (SlWindow *self);
