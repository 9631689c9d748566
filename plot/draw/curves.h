/* SPDX-License-Identifier: MIT
 *
 * Curves on a drawing: SERIES and PROFILE.  */
#pragma once

#include "plot/draw/drawing.h"
#include "plot/figure/reduce.h"

/* Opacity of raw values behind smoothed ones. */
#define SL_RAW_OPACITY 0.25

/* Indices of the curves from the lowest to the topmost; returns how many are visible. */
unsigned sl_draw_order (const SlFigure *figure, unsigned order[SL_CURVES_MAX]);

/* The values of a curve that its line shows: smoothed ones if there are any.  *raw gets the raw
 * points to show pale behind, n = 0 for none.  */
SlPoints sl_draw_points (const SlFigure *figure, const SlCurve *curve, SlPoints *raw);

/* Curves of one run have one marker, and differ in their dashes. */
SlMarker sl_draw_marker (const SlCurve *curve);

/* The lines. */
void sl_draw_curves (const SlDrawing *d);
/* Markers, error bars and bands, ticks where values are not finite. */
void sl_draw_curves_over (const SlDrawing *d);
