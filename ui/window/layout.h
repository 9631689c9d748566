/* SPDX-License-Identifier: MIT
 *
 * The room that the window has: what a narrow one leaves out, how large its type is, and the window
 * before an audience, with large type, thick lines, the sliders that matter, on all of a screen.
 * Actions: sidebar, present, present-second, type-larger, type-smaller, type-usual.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_layout (SlWindow *self);
void sl_window_watch_layout (SlWindow *self); /* with the template there */
void sl_window_drop_layout (SlWindow *self);

/* Begins or ends a presentation on a screen, or with NULL on the one that the window is on. */
gboolean sl_window_is_presenting (SlWindow *self);
void     sl_window_set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor);

/* The window has another width; its type has another size. */
void sl_window_fit_width (SlWindow *self, int width);
void sl_window_fit_type (SlWindow *self);

/* Shows or hides the sidebar as width, preference and presentation would have it. */
void sl_window_fold (SlWindow *self);

/* The preferences get the size that the next window is to have. */
void sl_window_remember_size (SlWindow *self);
