/* SPDX-License-Identifier: MIT
 *
 * The front page of a lab: its picture, the settings beside it, and a few plots below.  Other children have no
 * place.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_FRONT_LAYOUT (sl_front_layout_get_type ())
G_DECLARE_FINAL_TYPE (SlFrontLayout, sl_front_layout, SL, FRONT_LAYOUT, GtkLayoutManager)

enum { SL_FRONT_CARDS = 5 };

/* The picture and the plots (n), and what stands beside the picture while it is visible; children of the widget that is
 * laid out, and borrowed until the next call.  */
void sl_front_layout_set_cards (SlFrontLayout *self, GtkWidget *const cards[], unsigned n,
                                GtkWidget *aside);
