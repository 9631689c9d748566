/* SPDX-License-Identifier: MIT */
#include "plot/film/part.h"

#include <string.h>

SlFilmPart
sl_film_changed (const uint8_t *now, const uint8_t *before, size_t pixel, size_t stride,
                 unsigned width, unsigned height)
{
  size_t   row = pixel * width, left = row, right = 0;
  unsigned top = height, bottom = 0;

  if (before == NULL)
    return (SlFilmPart) { 0, 0, width, height };
  for (unsigned y = 0; y < height; y++)
    {
      const uint8_t *a = now + y * stride, *b = before + y * stride;
      size_t         first = 0, last = row;

      if (memcmp (a, b, row) == 0)
        continue;
      while (a[first] == b[first])
        first++;
      while (a[last - 1] == b[last - 1])
        last--;
      left = first < left ? first : left;
      right = last > right ? last : right;
      top = y < top ? y : top;
      bottom = y + 1;
    }
  if (bottom == 0)
    return (SlFilmPart) { 0, 0, 1, 1 };
  left /= pixel;
  right = (right + pixel - 1) / pixel;
  return (SlFilmPart) { (unsigned) left, top, (unsigned) (right - left), bottom - top };
}
