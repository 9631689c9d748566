/* SPDX-License-Identifier: MIT */
#include "core/data/image/canvas.h"

#include <math.h>

static double
clamp_unit (double t)
{
  return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
}

SlColour
sl_colour (uint32_t rgb)
{
  return (SlColour) { (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0 };
}

SlColour
sl_colour_mix (SlColour a, SlColour b, double t)
{
  t = clamp_unit (t);
  return (SlColour) { a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b) };
}

SlColour
sl_colour_shade (SlColour a, double k)
{
  return (SlColour) { a.r * k, a.g * k, a.b * k };
}

SlColour
sl_colour_run (const uint32_t *rgb, unsigned n, double t)
{
  double   at = clamp_unit (t) * (n - 1);
  unsigned i = at < n - 2 ? (unsigned) at : n - 2;

  return sl_colour_mix (sl_colour (rgb[i]), sl_colour (rgb[i + 1]), at - i);
}

double
sl_smooth (double low, double high, double x)
{
  double t = clamp_unit ((x - low) / (high - low));

  return t * t * (3.0 - 2.0 * t);
}

/* The finaliser of SplitMix64 over a cell and a seed. */
static uint64_t
cell_bits (uint64_t seed, int x, int y)
{
  uint64_t z = seed * 0x9e3779b97f4a7c15 + (uint64_t) (uint32_t) x * 0xd1342543de82ef95
               + (uint64_t) (uint32_t) y * 0xaf251af3b0f025b5;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double
sl_cell_random (uint64_t seed, int x, int y)
{
  return (double) (cell_bits (seed, x, y) >> 11) * 0x1p-53;
}

/* The slope at a corner of the grid, along one of eight directions. */
static double
corner_slope (uint64_t seed, int x, int y, double dx, double dy)
{
  static const double way[8][2] = { { 1, 0 },
                                    { -1, 0 },
                                    { 0, 1 },
                                    { 0, -1 },
                                    { M_SQRT1_2, M_SQRT1_2 },
                                    { -M_SQRT1_2, M_SQRT1_2 },
                                    { M_SQRT1_2, -M_SQRT1_2 },
                                    { -M_SQRT1_2, -M_SQRT1_2 } };
  const double       *to = way[cell_bits (seed, x, y) >> 61];

  return to[0] * dx + to[1] * dy;
}

static double
fade_curve (double t)
{
  return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

double
sl_noise (uint64_t seed, double x, double y)
{
  double fx = floor (x), fy = floor (y), dx = x - fx, dy = y - fy, u = fade_curve (dx), top, bottom;
  int    ix = (int) fx, iy = (int) fy;

  top = corner_slope (seed, ix, iy, dx, dy);
  top += u * (corner_slope (seed, ix + 1, iy, dx - 1.0, dy) - top);
  bottom = corner_slope (seed, ix, iy + 1, dx, dy - 1.0);
  bottom += u * (corner_slope (seed, ix + 1, iy + 1, dx - 1.0, dy - 1.0) - bottom);
  return M_SQRT2 * (top + fade_curve (dy) * (bottom - top));
}

double
sl_clouds (uint64_t seed, double x, double y, int octaves)
{
  double sum = 0.0, height = 0.5;

  for (int i = 0; i < octaves; i++, height /= 2.0)
    {
      sum += height * sl_noise (seed + (uint64_t) i, x, y);
      x = 2.03 * x + 3.7;
      y = 2.03 * y + 1.3;
    }
  return sum;
}

/* Means are taken of squares, which is near enough to taking them of light. */
static void
paint_pixel (SlPaint paint, uint64_t seed, double x, double y, double step, int side, uint8_t *rgb)
{
  double sum[3] = { 0 };

  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++)
      {
        SlColour c = paint (seed, (x + (i + 0.5) / side) * step, (y + (j + 0.5) / side) * step);
        double   v[3] = { clamp_unit (c.r), clamp_unit (c.g), clamp_unit (c.b) };

        for (int k = 0; k < 3; k++)
          sum[k] += v[k] * v[k];
      }
  for (int k = 0; k < 3; k++)
    rgb[k] = (uint8_t) (255.0 * sqrt (sum[k] / (side * side)) + 0.5);
}

void
sl_canvas_paint (SlBitmap *bitmap, SlPaint paint, uint64_t seed)
{
  double step = 1.0 / bitmap->height;
  int    side = bitmap->height <= 256 ? 3 : 2;

#pragma omp parallel for schedule(dynamic, 4)
  for (unsigned y = 0; y < bitmap->height; y++)
    for (unsigned x = 0; x < bitmap->width; x++)
      paint_pixel (paint, seed, x, y, step, side,
                   bitmap->rgb + 3 * ((size_t) y * bitmap->width + x));
}
