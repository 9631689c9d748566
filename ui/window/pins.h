/* SPDX-License-Identifier: MIT
 *
 * Curves of earlier runs that stay behind those of the present one.  Actions: pin, unpin.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_pins (SlWindow *self);
void sl_window_drop_pins (SlWindow *self);

/* Shows them again where other curves were behind those of the run. */
void sl_window_show_pins (SlWindow *self);
