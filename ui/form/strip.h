/* SPDX-License-Identifier: MIT
 *
 * A layout of rows side by side, in columns of one width, in as many lines as they need: below the plots
 * of a presentation.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_STRIP_LAYOUT (sl_strip_layout_get_type ())
G_DECLARE_FINAL_TYPE (SlStripLayout, sl_strip_layout, SL, STRIP_LAYOUT, GtkLayoutManager)

GtkLayoutManager *sl_strip_layout_new (void);
