/* SPDX-License-Identifier: MIT
 *
 * What the parts of a plot view ask of the whole.  */
#pragma once

#include "ui/plot-view/view.h"

/* Brings the figure up to the record without drawing it; TRUE when there was news. */
gboolean sl_plot_view_catch_up (SlPlotView *self);

/* Notifies all properties of the view, which may have changed. */
void sl_plot_view_notify_all (SlPlotView *self);

/* The input of its picture can be drawn on. */
gboolean sl_plot_view_is_drawable (SlPlotView *self);

/* Shows marks, readout and description as they are now. */
void sl_plot_reading_show (SlPlotView *self);

/* Puts the readout where it hides least; for size_allocate(). */
void sl_plot_reading_place (SlPlotView *self);

/* TRUE while there is a crosshair or a readout. */
gboolean sl_plot_reading_is_shown (SlPlotView *self);

/* The next sl_plot_reading_show() sets the description, however short ago it was set before. */
void sl_plot_reading_expire (SlPlotView *self);

/* Adds a line of plain text to the markup of a readout. */
void sl_plot_reading_add_line (GString *markup, const char *text);
