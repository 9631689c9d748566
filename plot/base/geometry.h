/* SPDX-License-Identifier: MIT
 *
 * Points and rectangles on a page, in px of 1/96 inch, y downwards.  */
#pragma once

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
