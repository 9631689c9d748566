/* SPDX-License-Identifier: MIT
 *
 * Keys that act wherever the focus is.  Single letters are not among them: they belong to the window's
 * own controller (ui/window/window.ui) and to plots (ui/plot-view/commands.c), as an entry needs them for text.
 * All of them are listed in ui/kit/shortcuts.ui, and a test compares.  */
#pragma once

#include <gtk/gtk.h>

/* Gives the application's and the windows' actions their keys. */
void sl_accels_set (GtkApplication *application);
