/* SPDX-License-Identifier: MIT
 *
 * As many equal columns of plots as the width has good room for; a plot that is alone gets
 * everything.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_PLOT_LAYOUT (sl_plot_layout_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotLayout, sl_plot_layout, SL, PLOT_LAYOUT, GtkLayoutManager)
