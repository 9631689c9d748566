/* SPDX-License-Identifier: MIT
 *
 * What the parts of a drawing share.  draw-axes.c draws what stands around the data, draw.c curves,
 * draw-spread.c error bars and bands, draw-bars.c bars, draw-cells.c matrices, histories and the
 * colour bar, draw-shares.c shares, draw-graph.c circles, draw-parallel.c parallel coordinates,
 * draw-plane.c gating maps, remark.c notes.  */
#pragma once

#include "plot/draw/draw.h"

/* The middle of a device pixel, for a line as wide as one. */
double sl_draw_sharp (const SlDrawing *d, double at);

/* Width of axes and grid. */
double sl_draw_hair (const SlDrawing *d);

/* A group with the name of the figure before its own, and its end. */
void sl_draw_group (const SlDrawing *d, const char *name, const SlRect *clip, double opacity);
void sl_draw_end (const SlDrawing *d);

void sl_draw_segment (const SlDrawing *d, double x0, double y0, double x1, double y1, SlRgba colour,
                      double width, const double *dash);
void sl_draw_words (const SlDrawing *d, double x, double y, const char *string, double size,
                    bool bold, SlAnchor anchor, SlRgba colour);

/* A dash in multiples of the width as one in px; `out` has room for 8. */
const double *sl_draw_dash (const SlPen *pen, double out[8]);

SlRgba sl_draw_bar_colour (const SlDrawing *d, const SlPen *pen, SlStyle style);

/* The badges above the plot or, when there was no room, those inside it. */
void sl_draw_badges (const SlDrawing *d, bool inside);

/* The dashed line of a flag, on a clear line `halo` times as wide where it crosses colours. */
void sl_draw_marker_line (const SlDrawing *d, double x, double halo);

/* A red tick on the lower edge wherever a value was not finite. */
void sl_draw_holes (const SlDrawing *d, const SlCurve *curve);

void sl_draw_bars (const SlDrawing *d);

/* The names of the curves with a sample of each, on a plate when they lie inside of the plot. */
void sl_draw_legend (const SlDrawing *d);

/* The colour bar, its texts and its hatched field. */
void sl_draw_key (const SlDrawing *d);

/* The cells of a HEATMAP, IMAGE or HISTORY as an image, and the hatching of their zeros. */
void sl_draw_cells (const SlDrawing *d);

/* The names under the tiles of an IMAGE. */
void sl_draw_captions (const SlDrawing *d);

/* Numbers in the cells of a heat map, if all of them fit. */
void sl_draw_numbers (const SlDrawing *d);

/* The line around the chosen row. */
void sl_draw_picked (const SlDrawing *d);

/* Lines over the cells of a heat map and its mark; the knob on a mark that can be dragged. */
void sl_draw_over_heat (const SlDrawing *d);
void sl_draw_handle (const SlDrawing *d);

/* What the person wrote on the plot. */
void sl_draw_notes (const SlDrawing *d);

/* Everything of a GRAPH; of one that is parallel coordinates. */
void sl_draw_graph (const SlDrawing *d);
void sl_draw_parallel (const SlDrawing *d);

/* Error bars of few points, the band around many. */
void sl_draw_spread (const SlDrawing *d, const SlCurve *curve);

/* Colour of a point of a curve: of its tone, pale in a ghost. */
SlRgba sl_draw_point_colour (const SlDrawing *d, const SlCurve *curve, const SlPen *pen, size_t i);

/* The cells of a MAP; and what lies on them: borders, the edge of the decision, examples. */
void sl_draw_plane (const SlDrawing *d);
void sl_draw_plane_over (const SlDrawing *d);

/* The bands of SHARES. */
void sl_draw_shares (const SlDrawing *d);
