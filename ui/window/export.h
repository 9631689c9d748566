/* SPDX-License-Identifier: MIT
 *
 * Plots of the window as files and on the clipboard: by the dialog, to a path, and once more as the
 * last time.  Actions: export, export-to, export-again, copy, open-folder.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_export (SlWindow *self);
void sl_window_drop_export (SlWindow *self);

/* A plot asks to be copied; for the dialog. */
void sl_window_copy_plot (SlWindow *self, guint panel);
void sl_window_export_plot (SlWindow *self, guint panel);
