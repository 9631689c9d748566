/* SPDX-License-Identifier: MIT
 *
 * How wide the columns of the table of runs are: larger letters take more room, and no column is narrower than its
 * title.  */
#pragma once

#include <gtk/gtk.h>

/* The width of a column that takes `width` pixels beside letters of the usual size. */
void sl_column_width_set (GtkColumnView *view, GtkColumnViewColumn *column, int width);

/* No column is narrower than its title, which another language or larger letters make longer. */
void sl_column_width_fit_titles (GtkColumnView *view);

/* After the letters went from one size to another, 1 as usual: columns keep their shares, also those that were dragged. */
void sl_column_width_follow (GtkColumnView *view, double before, double now);
