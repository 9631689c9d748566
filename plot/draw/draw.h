/* SPDX-License-Identifier: MIT
 *
 * Drawing a laid-out figure on a canvas.  The screen takes the static layer and the overlay from
 * here and draws curves and matrices itself (raster.h); exports take all three.  */
#pragma once

#include "plot/draw/drawing.h"

/* The names of the curves with a sample of each, on a plate when they lie inside of the plot: a part of the
 * static layer or of the overlay.  */
void sl_draw_legend (const SlDrawing *drawing);

/* Paper, grid, axes, texts, legend, markers of changes, colour bar. */
void sl_draw_static (const SlDrawing *drawing);

/* What the kind of figure draws of its data (SlFigureKind.draw): curves as polylines of at most four points
 * per px, matrices and histories as images with their hatching as lines, shares as polygons.  */
void sl_draw_data (const SlDrawing *drawing);

/* What lies on top: bars, error bars, markers, ticks where values are not finite, numbers in
 * the cells of a heat map, the chosen row, notes.  */
void sl_draw_overlay (const SlDrawing *drawing);
