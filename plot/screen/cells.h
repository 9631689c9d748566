/* SPDX-License-Identifier: MIT
 *
 * Coloured cells pixel by pixel, for the kinds of figures that have some; over steps, the mean of what a
 * pixel column covers.  */
#pragma once

#include <math.h>

#include "plot/figure/reduce.h"
#include "plot/screen/raster.h"

enum { SL_SHADES = 512 };

/* The colours of a figure's values. */
typedef struct
{
  uint32_t  shade[SL_SHADES], missing;
  uint32_t *hatch; /* (width + height) zero at row + column i; NULL: plain */
} SlShades;

/* Whole pixels of a rectangle, inside the image. */
typedef struct
{
  int x0, x1, y0, y1;
} SlBox;

void sl_shades_init (SlShades *shades, const SlScreen *screen);
void sl_shades_clear (SlShades *shades);

static inline uint32_t
sl_shade (const SlShades *shades, const SlTint *tint, double value)
{
  double t = sl_scale_map (&tint->scale, value);

  return shades->shade[(int) (CLAMP (t, 0.0, 1.0) * (SL_SHADES - 1) + 0.5)];
}

SlBox sl_pixels_box (const SlPixels *pixels, const SlRect *r);

static inline uint32_t *
sl_pixels_line (const SlPixels *pixels, int y)
{
  return pixels->data + (size_t) y * (size_t) pixels->stride;
}

/* Copies the pixels [x0, x1) of line `from` to those below, up to before `to`. */
void sl_pixels_repeat (const SlPixels *pixels, int x0, int x1, int from, int to);

/* A tile of the matrix, each pixel by its nearest cell. */
void sl_raster_tile (const SlScreen *screen, const SlShades *shades, unsigned tile,
                     const SlRect *place);

/* Means of all rows, (n_rows, columns), which may be none; free with g_free(). */
SlCellMean *sl_raster_means (const SlScreen *screen, unsigned columns);
