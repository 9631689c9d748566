/* SPDX-License-Identifier: MIT
 *
 * The ground of a gating map, painted: its regions with smooth edges, or its values.  */
#pragma once

#include "plot/draw/drawing.h"

/* Fills the rectangle from the origin on. */
void sl_paint_plane (cairo_t *cr, const SlFigure *figure, const SlTheme *theme, double w, double h);

/* The same on a canvas, over the plot. */
void sl_draw_plane (const SlDrawing *d);

/* A field of one ground. */
void sl_draw_ground (const SlDrawing *d, const SlRect *box, const SlGround *ground);
