/* SPDX-License-Identifier: MIT
 *
 * The size of all text, for eyes and for rooms: what the user chose with Ctrl+plus, and the
 * larger type of windows that present.  Plots follow the text around them.  */
#pragma once

#include <gtk/gtk.h>

#include "plot/base/theme.h"
#include "ui/kit/prefs.h"

enum {
  SL_TYPE_SMALLEST = 50,
  SL_TYPE_USUAL = 100,
  SL_TYPE_LARGEST = 300,       /* % */
  SL_TYPE_PRESENTED = 170,     /* % of the usual size, in a window of the class "present" */
  SL_TYPE_PRESENTED_LOW = 145, /* that is also of the class "low" */
};

/* From now on all windows of the display follow the preference "type-size". */
void sl_type_size_follow (GdkDisplay *display, SlPrefs *prefs);

/* Sets the preference to the next size above (by 1) or below (by -1), or to the usual one (by 0). */
void sl_type_size_change (SlPrefs *prefs, int by);

/* How large the text of a widget is, 1 as usual (10 points at 96 dots per inch). */
double sl_type_size_of (GtkWidget *widget);

/* The same for what grows with text but must leave room for other things: widths of columns,
 * heights of plots.  */
double sl_type_size_room (GtkWidget *widget);

/* True inside a window that presents. */
gboolean sl_type_size_presented (GtkWidget *widget);

/* The theme of what a widget draws: light, dark or high contrast as the desktop says, a projector's in a window that
 * presents; its type is as large as the text around.  */
SlTheme sl_type_size_theme (GtkWidget *widget);
