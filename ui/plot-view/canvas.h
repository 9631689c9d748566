/* SPDX-License-Identifier: MIT
 *
 * A figure on the screen and nothing else: no pointer, no keys, no overlay.  The
 * curves live in a cached image; a frame that does not refresh it costs a copy of pixels.  */
#pragma once

#include <gtk/gtk.h>

#include "plot/screen/render.h"

#define SL_TYPE_PLOT_CANVAS (sl_plot_canvas_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotCanvas, sl_plot_canvas, SL, PLOT_CANVAS, GtkWidget)

/* Signals:
 *   "prepare"  the image is about to be drawn: the figure's last chance to follow its data
 *   "painted"  the image was brought up to date  */

/* The figure to draw; borrowed until the next call. */
void sl_plot_canvas_set_figure (SlPlotCanvas *self, SlFigure *figure);

/* Draws the figure anew with the next frame. */
void sl_plot_canvas_refresh (SlPlotCanvas *self);

/* Where things are in the image; all zero before the first draw. */
const SlFrame *sl_plot_canvas_get_frame (SlPlotCanvas *self);

/* The theme in use: light, dark or high contrast as the desktop says, a projector's in a window of
 * the style class "present"; its type follows the size of the text around.  */
const SlTheme *sl_plot_canvas_get_theme (SlPlotCanvas *self);
