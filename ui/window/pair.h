/* SPDX-License-Identifier: MIT
 *
 * Two runs side by side.  Actions: twin, twin-side.  */
#pragma once

#include "core/run/group/pair.h"
#include "ui/window/window.h"

void sl_window_add_pair (SlWindow *self);
void sl_window_drop_pair (SlWindow *self);

/* The two runs, borrowed, or NULL. */
SlPair *sl_window_get_pair (SlWindow *self);

/* Ends the pair, unless `shown`, the session to be shown next (or NULL), is one of it. */
void sl_window_pair_left (SlWindow *self, SlSession *shown);

/* The session that is shown changed. */
void sl_window_pair_changed (SlWindow *self);
