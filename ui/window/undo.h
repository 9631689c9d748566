/* SPDX-License-Identifier: MIT
 *
 * Going back: changes, notes and strokes of the brush taken back and made again, and the timeline.
 * Actions: undo, undo-rewind, redo, timeline, visit, present-state.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_undo (SlWindow *self);

/* What can be undone, and the strip of checkpoints, follow the session. */
void sl_window_update_timeline (SlWindow *self);

/* The notes on a plot changed. */
void sl_window_noted (SlWindow *self);
