/* SPDX-License-Identifier: MIT
 *
 * The square in which an input is seen, and drawn on or dragged, by pointer, finger and arrow keys.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/own/own.h"

#define SL_TYPE_INPUT_SQUARE (sl_input_square_get_type ())
G_DECLARE_FINAL_TYPE (SlInputSquare, sl_input_square, SL, INPUT_SQUARE, GtkWidget)

/* A reference is taken. */
SlInputSquare *sl_input_square_new (SlOwn *own);

/* The pen erases. */
void sl_input_square_set_erasing (SlInputSquare *self, gboolean erasing);

/* What is shown is another, or in other colours. */
void sl_input_square_refresh (SlInputSquare *self);
