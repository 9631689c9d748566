/* SPDX-License-Identifier: MIT
 *
 * Asks for the line of text that a run begins from (core/run/state), and hands it to the action win.state of
 * the window.  */
#pragma once

#include <gtk/gtk.h>

void sl_state_dialog_show (GtkWindow *window);
