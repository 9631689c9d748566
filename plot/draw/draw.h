/* SPDX-License-Identifier: MIT
 *
 * Drawing a laid-out figure on a canvas.  The screen takes the static layer and the overlay from
 * here and draws curves and matrices itself (raster.h); exports take all three.  */
#pragma once

#include "plot/base/theme.h"
#include "plot/canvas/canvas.h"
#include "plot/figure/figure.h"
#include "plot/figure/reduce.h"
#include "plot/layout/frame.h"

typedef struct
{
  SlCanvas       *canvas;
  const SlFigure *figure;
  const SlFrame  *frame;
  const SlTheme  *theme;
  double          device; /* device pixels per px for hairlines that are to be sharp; 0: not */
  const char     *id;     /* beginning of the names of groups: "figure-1" */
} SlDrawing;

/* Paper, grid, axes, texts, legend, flags, colour bar. */
void sl_draw_static (const SlDrawing *drawing);

/* Curves as polylines of at most four points per px, matrices and histories as images with their
 * hatching as lines, shares as polygons.  */
void sl_draw_data (const SlDrawing *drawing);

/* What lies on top: bars, error bars, markers, ticks where values are not finite, numbers in
 * the cells of a heat map, the chosen row.  */
void sl_draw_overlay (const SlDrawing *drawing);

/* How one curve looks. */
typedef struct
{
  SlRgba        colour;
  double        width; /* px */
  const double *dash;  /* multiples of the width, ended by 0 */
} SlPen;

/* Opacity of raw values behind smoothed ones. */
#define SL_RAW_OPACITY 0.25

SlPen sl_pen (const SlTheme *theme, unsigned slot, SlStyle style, bool ghost);

/* Indices of the curves from the lowest to the topmost; returns how many are visible. */
unsigned sl_draw_order (const SlFigure *figure, unsigned order[SL_CURVES_MAX]);

/* The values of a curve that its line shows: smoothed ones if there are any.  *raw gets the raw
 * points to show pale behind, n = 0 for none.  */
SlPoints sl_draw_points (const SlFigure *figure, const SlCurve *curve, SlPoints *raw);
