/* SPDX-License-Identifier: MIT
 *
 * Pictures made up on the spot: a function says which colour there is at a point, and a bitmap is
 * painted with it.  The same seed gives the same picture at every size.
 *
 * Points: x from 0 to SL_CANVAS_WIDE, left to right, y from 0 to 1 from the top down.  */
#pragma once

#include <stdint.h>

#include "core/data/image/bitmap.h"

#define SL_CANVAS_WIDE (4.0 / 3.0)

typedef struct
{
  double r, g, b; /* sRGB, 0 to 1; what is beyond is cut off */
} SlColour;

/* The colour at a point.  Any thread. */
typedef SlColour (*SlPaint) (uint64_t seed, double x, double y);

/* Paints all of a bitmap, whose shape should be SL_CANVAS_WIDE; nine points make a pixel, of large
 * bitmaps four.  */
void sl_canvas_paint (SlBitmap *bitmap, SlPaint paint, uint64_t seed);

/* Scenes with things in them. */
enum { SL_SCENE_HILLS, SL_SCENE_BALLS, SL_SCENE_CANAL, SL_N_SCENES };
extern const SlPaint sl_scenes[SL_N_SCENES];

/* Surfaces that look the same everywhere. */
enum {
  SL_SURFACE_SWIRLS,
  SL_SURFACE_MOSAIC,
  SL_SURFACE_MARBLE,
  SL_SURFACE_WEAVE,
  SL_SURFACE_DOTS,
  SL_SURFACE_WAVES,
  SL_N_SURFACES,
};
extern const SlPaint sl_surfaces[SL_N_SURFACES];

/* 0xrrggbb. */
SlColour sl_colour (uint32_t rgb);

/* From a (t = 0) to b (t = 1); t is cut off. */
SlColour sl_colour_mix (SlColour a, SlColour b, double t);

/* Lighter (k > 1) or darker. */
SlColour sl_colour_shade (SlColour a, double k);

/* The colour at t in 0..1 of a run of `n` >= 2 colours. */
SlColour sl_colour_run (const uint32_t *rgb, unsigned n, double t);

/* From 0 at `low` to 1 at `high` without a corner; low > high turns it round. */
double sl_smooth (double low, double high, double x);

/* A number in [0, 1) for a cell of a grid, as good as random. */
double sl_cell_random (uint64_t seed, int x, int y);

/* Smooth noise about 0, within -1..1, with detail of size 1 (Perlin 2002). */
double sl_noise (uint64_t seed, double x, double y);

/* The same with finer and finer detail of less and less height, `octaves` of them. */
double sl_clouds (uint64_t seed, double x, double y, int octaves);
