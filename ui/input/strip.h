/* SPDX-License-Identifier: MIT
 *
 * A strip of a few examples, small, of which one is chosen by pointer or arrow key.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/own/own.h"

#define SL_TYPE_INPUT_STRIP (sl_input_strip_get_type ())
G_DECLARE_FINAL_TYPE (SlInputStrip, sl_input_strip, SL, INPUT_STRIP, GtkWidget)

/* Examples of what it is about; a reference is taken. */
SlInputStrip *sl_input_strip_new (SlOwn *own);

/* Other examples, by chance: by what the first session that knows says to them. */
void sl_input_strip_shuffle (SlInputStrip *self);

/* Marks the one that is shown. */
void sl_input_strip_mark (SlInputStrip *self);

/* One of them is shown. */
gboolean sl_input_strip_is_chosen (SlInputStrip *self);

/* The same examples again, in other colours. */
void sl_input_strip_redraw (SlInputStrip *self);

void sl_input_strip_set_columns (SlInputStrip *self, unsigned columns);

/* What is to be said of the example that is shown: "Example 17: Sneaker, Experts is unsure"; free it. */
char *sl_input_strip_words (SlInputStrip *self);

unsigned   sl_input_strip_get_n (SlInputStrip *self);
unsigned   sl_input_strip_get_example (SlInputStrip *self, unsigned i); /* as SlSubject.example */
GtkWidget *sl_input_strip_get_button (SlInputStrip *self, unsigned i);
