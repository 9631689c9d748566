/* SPDX-License-Identifier: MIT
 *
 * Points and rectangles on a page, in px of 1/96 inch, y downwards.  */
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct
{
  double x, y;
} SlXY;

typedef struct
{
  double x, y, w, h;
} SlRect;

/* True for a point inside the rectangle or on its left or upper edge. */
static inline bool
sl_rect_contains (const SlRect *rect, double x, double y)
{
  return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

/* Distance of a point from a straight line between two others. */
static inline double
sl_segment_distance (SlXY a, SlXY b, double x, double y)
{
  double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  double t = length > 0.0 ? ((x - a.x) * dx + (y - a.y) * dy) / length : 0.0;

  t = fmin (fmax (t, 0.0), 1.0);
  return hypot (x - a.x - t * dx, y - a.y - t * dy);
}
