/* SPDX-License-Identifier: MIT */
#include "core/data/image/pen.h"

#include <math.h>

/* Pixels farther from a stroke than this get no ink from the thickest pen. */
#define REACH 3.0f

/* Without errno after sqrt() and floating-point exceptions, neither of which is read here, the
 * loops over pixels become vector code; the results are the same.  */
#if defined(__GNUC__) && !defined(__clang__)
#define VECTOR __attribute__ ((optimize ("no-math-errno", "no-trapping-math")))
#else
#define VECTOR
#endif

void
sl_sheet_clear (SlSheet *sheet)
{
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    sheet->square[i] = 1e6f;
}

static int
pixel_from (float at)
{
  return at <= 0.0f ? 0 : at >= SL_SHEET_SIDE ? SL_SHEET_SIDE : (int) at;
}

VECTOR void
sl_sheet_line (SlSheet *sheet, const float a[2], const float b[2])
{
  float dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  float share = length > 0.0f ? 1.0f / length : 0.0f;
  /* Whole groups of four pixels suit the vector unit. */
  int x0 = pixel_from (fminf (a[0], b[0]) - REACH + 1.0f) / 4 * 4;
  int x1 = (pixel_from (fmaxf (a[0], b[0]) + REACH + 1.0f) + 3) / 4 * 4;
  int y0 = pixel_from (fminf (a[1], b[1]) - REACH + 1.0f);
  int y1 = pixel_from (fmaxf (a[1], b[1]) + REACH + 1.0f);

  for (int y = y0; y < y1; y++)
    {
      float *row = sheet->square + y * SL_SHEET_SIDE;
      float  py = (float) y - a[1], along = py * dy;

      for (int x = x0; x < x1; x++)
        {
          float px = (float) x - a[0], t = (px * dx + along) * share, ex, ey, square;

          t = t < 0.0f ? 0.0f : t;
          t = t > 1.0f ? 1.0f : t;
          ex = px - t * dx;
          ey = py - t * dy;
          square = ex * ex + ey * ey;
          row[x] = square < row[x] ? square : row[x];
        }
    }
}

VECTOR void
sl_sheet_ink (const SlSheet *sheet, float radius, float *ink)
{
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    {
      float cover = radius + 0.5f - sqrtf (sheet->square[i]);

      ink[i] = cover < 0.0f ? 0.0f : cover > 1.0f ? 1.0f : cover;
    }
}
