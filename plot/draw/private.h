/* SPDX-License-Identifier: MIT
 *
 * What the files of a drawing share: draw.c (which part is drawn when), axes.c (what is drawn
 * around the data), curves.c with spread.c, values.c (curves for canvases that have axes of their
 * own), cells.c (colours and their bar), note.c (notes).  */
#pragma once

#include "plot/draw/drawing.h"
#include "plot/figure/reduce.h"

/* The grid. */
void sl_draw_grid (const SlDrawing *d);
/* Titles and notes above the plot. */
void sl_draw_head (const SlDrawing *d);
/* The axes. */
void sl_draw_axes (const SlDrawing *d);

/* The badges above the plot or, when there was no room, those inside it. */
void sl_draw_badges (const SlDrawing *d, bool inside);

/* A dash in multiples of the width as one in px; `out` has room for 8. */
const double *sl_draw_dash (const SlPen *pen, double out[8]);

/* The colour bar, its texts and its hatched field. */
void sl_draw_key (const SlDrawing *d);

/* Points of a polyline in px: exact where there are few samples, at most two in each of so many columns
 * of the plot where there are many.  The caller unrefs the array of SlXY.  */
GArray *sl_draw_path (const SlDrawing *d, const SlPoints *points, unsigned columns);

/* Whether a curve that has markers has one at each of its points. */
bool sl_draw_marks_all (const SlDrawing *d, const SlCurve *curve, const SlPoints *points);

/* Curves given to the canvas in units of the data: values.c. */
void sl_draw_values (const SlDrawing *d);

/* A part of the curves, enlarged on a plate (inset.c). */
void sl_draw_inset (const SlDrawing *d);

/* The user's notes. */
void sl_draw_notes (const SlDrawing *d);

/* Error bars of few points, the band around many: which of them a curve has, and both as shapes. */
bool sl_draw_is_band (const SlCurve *curve);
bool sl_draw_has_bars (const SlCurve *curve);
void sl_draw_spread (const SlDrawing *d, const SlCurve *curve);

/* The band of a curve, if it has one, given to the canvas in units of the data, thinned to so many columns. */
void sl_draw_band_values (const SlDrawing *d, const SlCurve *curve, unsigned columns);

/* Error bars: their colour, the width of their lines in those of the curve, half of the stroke at their ends in sizes
 * of a marker.  */
#define SL_SPREAD_WIDTH 0.7
#define SL_SPREAD_CAP 0.45
SlRgba sl_draw_spread_colour (const SlDrawing *d, const SlCurve *curve, const SlPen *pen);

/* Markers: their size, where a curve has so many, and the rim that stands them off.  A ring around a point has this
 * radius and line in their size; the colours of ghosts have this much of the plot's in them.  */
#define SL_RING_RADIUS 0.9
#define SL_RING_LINE 0.15
#define SL_GHOST_PALE 0.6
double sl_draw_marker_size (const SlDrawing *d, const SlCurve *curve, size_t n);
SlRgba sl_draw_marker_rim (const SlDrawing *d, const SlCurve *curve);

/* Colour of a point of a curve: of its tone, pale in a ghost. */
SlRgba sl_draw_point_colour (const SlDrawing *d, const SlCurve *curve, const SlPen *pen, size_t i);
