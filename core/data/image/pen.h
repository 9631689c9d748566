/* SPDX-License-Identifier: MIT
 *
 * Anti-aliased strokes on a small grey picture.  A sheet holds each pixel's squared
 * distance to the nearest stroke; a round pen of some radius then makes it ink.  */
#pragma once

#include <stdint.h>

enum {
  SL_SHEET_SIDE = 28,
  SL_SHEET_PIXELS = SL_SHEET_SIDE * SL_SHEET_SIDE,
};

typedef struct
{
  float square[SL_SHEET_PIXELS]; /* (28, 28) squared distance in pixels */
} SlSheet;

/* An empty sheet. */
void sl_sheet_clear (SlSheet *sheet);

/* A straight stroke from a to b, in pixels (pixel centres at whole numbers); may leave the
 * sheet.  */
void sl_sheet_line (SlSheet *sheet, const float a[2], const float b[2]);

/* The ink of a pen of `radius` pixels, at most 2.5: 1 inside, 0 outside, in between over the
 * width of one pixel.  */
void sl_sheet_ink (const SlSheet *sheet, float radius, float *ink /* (28, 28) */);
