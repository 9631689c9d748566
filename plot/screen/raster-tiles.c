/* SPDX-License-Identifier: MIT
 *
 * Tiles at any size: a pixel has the mean of what it covers, so that large pictures do not
 * glitter when they are shown small, and small ones keep their square cells.  */
#include <math.h>

#include "plot/screen/raster.h"

/* A tile and where it goes, in pixels that need not be whole. */
typedef struct
{
  const SlFigure *figure;
  unsigned        tile;
  double          left, top, across, down; /* cells per pixel */
} Tile;

/* Adds the cells of [c0, c1) × [r0, r1) to `sum` by what is covered of each; returns the sum of
 * these weights.  Cells with a number missing in any plane do not count.  */
static double
add_cells (const Tile *tile, double c0, double c1, double r0, double r1, double sum[3])
{
  const SlFigure *figure = tile->figure;
  double          weight = 0.0;

  for (unsigned r = (unsigned) r0; r < figure->rows && r < r1; r++)
    for (unsigned c = (unsigned) c0; c < figure->columns && c < c1; c++)
      {
        double part = (fmin (r + 1.0, r1) - fmax (r, r0)) * (fmin (c + 1.0, c1) - fmax (c, c0));
        double value[3];
        bool   whole = true;

        for (unsigned plane = 0; plane < figure->depth; plane++)
          {
            value[plane] = sl_figure_cell (figure, tile->tile, plane, r, c);
            whole = whole && isfinite (value[plane]);
          }
        for (unsigned plane = 0; whole && plane < figure->depth; plane++)
          sum[plane] += part * value[plane];
        weight += whole ? part : 0.0;
      }
  return weight;
}

static uint32_t
colour_of (const double sum[3], double weight)
{
  uint32_t pixel = 0xff;

  for (unsigned plane = 0; plane < 3; plane++)
    pixel = pixel << 8 | (uint32_t) lround (255.0 * fmin (fmax (sum[plane] / weight, 0.0), 1.0));
  return pixel;
}

void
sl_raster_tile (const SlPixels *pixels, const SlFigure *figure, unsigned tile, const SlRect *place,
                uint32_t (*shade) (const void *data, double value), const void *data)
{
  double scale = pixels->scale;
  int    x0 = (int) fmax (lround (place->x * scale), 0),
      y0 = (int) fmax (lround (place->y * scale), 0);
  int  x1 = (int) fmin (lround ((place->x + place->w) * scale), pixels->width);
  int  y1 = (int) fmin (lround ((place->y + place->h) * scale), pixels->height);
  Tile job = { figure,
               tile,
               place->x * scale,
               place->y * scale,
               figure->columns / (place->w * scale),
               figure->rows / (place->h * scale) };

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        uint32_t *pixel = pixels->data + (size_t) y * (size_t) pixels->stride + x;
        double    c0 = fmax ((x - job.left) * job.across, 0.0),
               r0 = fmax ((y - job.top) * job.down, 0.0);
        double sum[3] = { 0.0, 0.0, 0.0 };
        double c1 = (x + 1 - job.left) * job.across, r1 = (y + 1 - job.top) * job.down;
        double weight = add_cells (&job, c0, c1, r0, r1, sum);

        if (figure->depth == 1)
          *pixel = shade (data, weight > 0.0 ? sum[0] / weight : (double) NAN);
        else if (weight > 0.0)
          *pixel
            = sl_blend (*pixel, colour_of (sum, weight),
                        (uint32_t) lround (256.0 * fmin (weight / ((c1 - c0) * (r1 - r0)), 1.0)));
      }
}
