/* SPDX-License-Identifier: MIT
 *
 * The store that every run of the window goes into, the present run saved into a file of its own, and
 * stored runs opened, from the store or from such a file.  Disks are waited for in threads.
 * Actions: save, save-as, save-to, open, restore, resume, store-retry.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_save (SlWindow *self);
void sl_window_drop_save (SlWindow *self);

/* Goes on with the run of a file that was at work last. */
void sl_window_open_runs (SlWindow *self, const char *path);

/* Shows a stored run, which does not go on; one without a checkpoint is made again. */
void sl_window_open_run (SlWindow *self, const char *uuid);
