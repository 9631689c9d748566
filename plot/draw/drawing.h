/* SPDX-License-Identifier: MIT
 *
 * A drawing under way, and what all kinds of figures draw with.  */
#pragma once

#include "plot/canvas/canvas.h"
#include "plot/layout/frame.h"

typedef struct SlDrawing
{
  SlCanvas       *canvas;
  const SlFigure *figure;
  const SlFrame  *frame;
  const SlTheme  *theme;
  double          device;  /* device pixels per px for hairlines that are to be sharp; 0: not */
  const char     *id;      /* beginning of the names of groups: "figure-1" */
  unsigned        figures; /* on the page; 0: one */
} SlDrawing;

/* How one curve looks. */
typedef struct
{
  SlRgba        colour;
  double        width; /* px */
  const double *dash;  /* multiples of the width, ended by 0 */
} SlPen;

SlPen sl_pen (const SlTheme *theme, unsigned slot, SlStyle style, bool ghost);
SlPen sl_curve_pen (const SlTheme *theme, const SlCurve *curve);
/* That of the raw values behind a smoothed curve. */
SlPen sl_raw_pen (const SlTheme *theme, const SlCurve *curve);

/* The colour of a bar or box of this pen. */
SlRgba sl_draw_bar_colour (const SlDrawing *d, const SlPen *pen, SlStyle style);

/* A value of a small cell, 0 … 1, as the canvas tells them apart. */
static inline double
sl_draw_shade (const SlDrawing *d, double value)
{
  unsigned n = d->canvas->shades;

  return n > 0 ? (double) (unsigned) (value * n + 0.5) / n : value;
}

/* The middle of a device pixel, for a line as wide as one. */
double sl_draw_sharp (const SlDrawing *d, double at);

/* Width of axes and grid. */
double sl_draw_hair (const SlDrawing *d);

/* A group named after the figure and itself; `clip` may be NULL. */
void sl_draw_group (const SlDrawing *d, const char *name, const SlRect *clip, double opacity);
void sl_draw_end (const SlDrawing *d);

/* Begins a group that may reach a little beyond the plot. */
void sl_draw_group_over (const SlDrawing *d, const char *name);

void sl_draw_segment (const SlDrawing *d, double x0, double y0, double x1, double y1, SlRgba colour,
                      double width, const double *dash);
void sl_draw_words (const SlDrawing *d, double x, double y, const char *string, double size,
                    bool bold, SlAnchor anchor, SlRgba colour);
void sl_draw_upright (const SlDrawing *d, double x, double y, const char *string, SlAnchor anchor,
                      SlRgba colour);

/* A red tick on the lower edge wherever a value of the curve is not finite. */
void sl_draw_holes (const SlDrawing *d, const SlCurve *curve);

/* Whether axes and what is in them are given to the canvas in units of the data, and the beginning of
 * such axes, which the canvas's end_axes() ends.  */
bool sl_draw_by_values (const SlDrawing *d);
void sl_draw_begin_values (const SlDrawing *d);
