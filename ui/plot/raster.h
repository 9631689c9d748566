/* SPDX-License-Identifier: MIT
 *
 * Curves and matrices written straight into pixels, for the screen.  A stroked curve is, in every
 * pixel column, one run from its lowest to its highest point, thickened by the pen; what it
 * costs follows the pixels it covers, however many samples and crossings there are, where a
 * stroker for paths takes 10 to 50 times as long.  Edges are anti-aliased.  */
#pragma once

#include <stdint.h>

#include "ui/plot/figure.h"
#include "ui/plot/frame.h"
#include "ui/plot/theme.h"

/* Opaque pixels in cairo's ARGB32 and RGB24 order. */
typedef struct
{
  uint32_t *data;   /* (height, stride) */
  int       width, height, stride; /* in pixels */
  double    scale;  /* pixels per px */
} SlPixels;

/* Memory that is kept from one drawing to the next. */
typedef struct SlRaster SlRaster;

SlRaster *sl_raster_new (void);
void      sl_raster_free (SlRaster *raster);

/* Draws the visible curves of a figure, SERIES and PROFILE, inside the plot rectangle. */
void sl_raster_curves (SlRaster *raster, const SlPixels *pixels, const SlFigure *figure,
                       const SlFrame *frame, const SlTheme *theme);

/* Draws the cells of a HEATMAP or IMAGE. */
void sl_raster_matrix (const SlPixels *pixels, const SlFigure *figure, const SlFrame *frame,
                       const SlTheme *theme);
