/* SPDX-License-Identifier: MIT
 *
 * Inputs as pictures: ink, colours, or a point among others.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/own/own.h"

/* What is shown, at about so many pixels a side; NULL: there is nothing to be seen. */
GdkTexture *sl_input_texture (SlOwn *own, unsigned side);

/* An example, numbered as SlSubject.example. */
GdkTexture *sl_input_example_texture (SlOwn *own, unsigned example, unsigned side);
