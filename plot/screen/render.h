/* SPDX-License-Identifier: MIT
 *
 * A figure on the screen: an image that is kept up to date cheaply.  The static layer (paper,
 * grid, axes, texts, legend) is redrawn only when it would look different; the curves are
 * written straight into the pixels.  Main thread; no GTK.
 *
 *   cairo_surface_t *image = sl_render_draw (render, figure, &theme, &parts, w, h, scale, now);
 *   cairo_set_source_surface (cr, image, 0, 0), operator SOURCE, filter NEAREST, paint
 *   const SlFrame *frame = sl_render_frame (render);     for hit tests and overlays
 *
 * The crosshair, selection box and focus ring are the widget's, on top.  */
#pragma once

#include <cairo.h>

#include "plot/base/theme.h"
#include "plot/figure/figure.h"
#include "plot/layout/frame.h"

typedef struct SlRender SlRender;

SlRender *sl_render_new (void);
void      sl_render_free (SlRender *render);

/* Brings the image up to date: refits, lays out, redraws what changed.  Width and height in px,
 * `scale` device pixels per px (1, 2, 1.5).  The image is owned by `render`, with the device scale set,
 * and good until the next call.  Returns NULL when memory ran out or a side is below 1. `now` as in
 * sl_figure_fit().  */
cairo_surface_t *sl_render_draw (SlRender *render, SlFigure *figure, const SlTheme *theme,
                                 const SlParts *parts, int width, int height, double scale,
                                 double now);

/* Of the last draw; all zero before the first. */
const SlFrame *sl_render_frame (const SlRender *render);

/* How often the static layer was drawn, for tests and benches. */
unsigned sl_render_static_draws (const SlRender *render);
