/* SPDX-License-Identifier: MIT
 *
 * Which way up a camera was held (Exif 2.32, §4.6.4, tag 0x0112), and turning a picture back.  */
#include <string.h>

#include "core/data/image/bitmap-formats.h"
#include "core/data/text/bytes.h"

enum { ORIENTATION = 0x0112, ENTRY = 12 };

static size_t
read_number (const uint8_t *at, size_t size, bool big)
{
  return (size_t) (big ? sl_big_endian (at, size) : sl_little_endian (at, size));
}

unsigned
sl_exif_orientation (const uint8_t *exif, size_t size)
{
  bool   big = size >= 8 && exif[0] == 'M';
  size_t directory, n;

  if (size < 8 || (memcmp (exif, "MM\0*", 4) != 0 && memcmp (exif, "II*\0", 4) != 0))
    return 1;
  directory = read_number (exif + 4, 4, big);
  if (directory > size - 2)
    return 1;
  n = read_number (exif + directory, 2, big);
  for (size_t i = 0; i < n && directory + 2 + (i + 1) * ENTRY <= size; i++)
    {
      const uint8_t *entry = exif + directory + 2 + i * ENTRY;
      size_t         value = read_number (entry + 8, 2, big);

      if (read_number (entry, 2, big) == ORIENTATION)
        return value >= 1 && value <= 8 ? (unsigned) value : 1;
    }
  return 1;
}

SlStatus
sl_bitmap_turn (SlBitmap *bitmap, const char *subject, unsigned orientation)
{
  bool     across = orientation >= 5; /* rows become columns */
  size_t   w = bitmap->width, h = bitmap->height;
  SlBitmap turned;
  SlStatus status;

  if (orientation < 2 || orientation > 8)
    return SL_SUCCESS;
  status = sl_bitmap_init (&turned, subject, across ? h : w, across ? w : h);
  if (!sl_ok (&status))
    return status;
  for (size_t y = 0; y < turned.height; y++)
    for (size_t x = 0; x < turned.width; x++)
      {
        size_t from_x = across ? y : x, from_y = across ? x : y;

        /* Row 0 and column 0 of the file are, by number: 1 top left, 2 top right, 3 bottom right,
         * 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left bottom.  */
        if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
          from_x = w - 1 - from_x;
        if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7)
          from_y = h - 1 - from_y;
        memcpy (turned.rgb + 3 * (y * turned.width + x), bitmap->rgb + 3 * (from_y * w + from_x),
                3);
      }
  sl_bitmap_clear (bitmap);
  *bitmap = turned;
  return SL_SUCCESS;
}
