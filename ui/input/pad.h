/* SPDX-License-Identifier: MIT
 *
 * A pad to choose or make the input of one or more networks: a square to draw on, or with a point to drag, by pointer,
 * finger and arrow keys (Delete clears), a strip of eight examples, and what is shown in words.  All sessions show the
 * same input, no more than once a frame while one draws.  From 150 × 220 px on.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/own/own.h"

#define SL_TYPE_INPUT_PAD (sl_input_pad_get_type ())
G_DECLARE_FINAL_TYPE (SlInputPad, sl_input_pad, SL, INPUT_PAD, GtkWidget)

GtkWidget *sl_input_pad_new (void);

/* References are taken.  They learn from the same data, which may still be loading; those without data are left as
 * they are.  n = 0: none.  */
void sl_input_pad_set_sessions (SlInputPad *self, SlSession **sessions, unsigned n);

/* What is drawn; the pad's. */
SlOwn *sl_input_pad_get_own (SlInputPad *self);

/* What is shown, in words; the pad's. */
const char *sl_input_pad_get_words (SlInputPad *self);
