/* SPDX-License-Identifier: MIT
 *
 * The picture that a run makes, as a file: asked for, made between two updates, and encoded and
 * written in a thread of its own, with the recipe of the run in it.  Actions: save-picture,
 * save-picture-to.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_picture (SlWindow *self);
void sl_window_drop_picture (SlWindow *self);

/* Enables the actions where the run makes a picture. */
void sl_window_update_picture (SlWindow *self);

/* What was asked for came. */
void sl_window_pictured (SlWindow *self);
