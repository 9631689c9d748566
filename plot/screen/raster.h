/* SPDX-License-Identifier: MIT
 *
 * Curves and matrices written straight into pixels, for the screen.  A stroked curve is, in every
 * pixel column, one run from its lowest to its highest point, thickened by the pen; what it
 * costs follows the pixels it covers, however many samples and crossings there are, where a
 * stroker for paths takes 10 to 50 times as long.  Edges are anti-aliased.  */
#pragma once

#include <stdint.h>

#include "plot/base/theme.h"
#include "plot/figure/figure.h"
#include "plot/layout/frame.h"

/* Opaque pixels in cairo's ARGB32 and RGB24 order. */
typedef struct
{
  uint32_t *data;                  /* (height, stride) */
  int       width, height, stride; /* in pixels */
  double    scale;                 /* pixels per px */
} SlPixels;

/* Memory that is kept from one drawing to the next. */
typedef struct SlRaster SlRaster;

SlRaster *sl_raster_new (void);
void      sl_raster_free (SlRaster *raster);

/* A figure on its way to the pixels. */
typedef struct SlScreen
{
  SlRaster       *raster;
  const SlPixels *pixels;
  const SlFigure *figure;
  const SlFrame  *frame;
  const SlTheme  *theme;
} SlScreen;

/* Draws the visible curves of a figure inside the plot rectangle. */
void sl_raster_curves (const SlScreen *screen);

/* `under` with `over` at an opacity of 0..256; both opaque. */
static inline uint32_t
sl_blend (uint32_t under, uint32_t over, uint32_t opacity)
{
  uint32_t rb = under & 0xff00ff, g = under & 0xff00;

  rb += ((((over & 0xff00ff) - rb) * opacity) >> 8);
  g += ((((over & 0xff00) - g) * opacity) >> 8);
  return 0xff000000U | (rb & 0xff00ff) | (g & 0xff00);
}
