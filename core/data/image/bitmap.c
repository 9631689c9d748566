/* SPDX-License-Identifier: MIT */
#include "core/data/image/bitmap.h"

#include <stdlib.h>

#include "core/data/image/bitmap-formats.h"
#include "core/data/text/bytes.h"

SlStatus
sl_bitmap_init (SlBitmap *bitmap, const char *subject, size_t width, size_t height)
{
  SlMessage found = sl_message ("%zu × %zu pixels", width, height);

  *bitmap = (SlBitmap) { 0 };
  if (width == 0 || height == 0 || width > SL_BITMAP_SIDE || height > SL_BITMAP_SIDE)
    return sl_status_new (SL_EFORMAT, subject, found,
                          sl_message ("sides from 1 to %zu", SL_BITMAP_SIDE));
  if (width > SL_BITMAP_PIXELS / height)
    return sl_status_new (SL_ENOMEM, subject, found,
                          sl_message ("at most %zu million pixels", SL_BITMAP_PIXELS / 1000000));
  bitmap->rgb = malloc (width * height * 3);
  if (bitmap->rgb == NULL)
    return sl_status_new (SL_ENOMEM, subject, found, SL_NO_MESSAGE);
  bitmap->width = (unsigned) width;
  bitmap->height = (unsigned) height;
  return SL_SUCCESS;
}

void
sl_bitmap_clear (SlBitmap *bitmap)
{
  free (bitmap->rgb);
  *bitmap = (SlBitmap) { 0 };
}

SlStatus
sl_bitmap_check (const char *subject, uint64_t position, size_t width, size_t height, size_t size,
                 size_t densest)
{
  size_t least = width * height / densest;

  /* Larger sides are for sl_bitmap_init() to refuse. */
  if (width > SL_BITMAP_SIDE || height > SL_BITMAP_SIDE || least <= size)
    return SL_SUCCESS;
  return sl_status_at (SL_EFORMAT, subject, SL_BYTE, position,
                       sl_message ("%zu × %zu pixels in %zu bytes", width, height, size),
                       sl_message ("at least %zu bytes", least));
}

bool
sl_bitmap_likely (const uint8_t *head, size_t size)
{
  return sl_png_likely (head, size) || sl_jpeg_likely (head, size);
}

SlStatus
sl_bitmap_decode (const uint8_t *bytes, size_t size, const char *subject, SlBitmap *bitmap)
{
  *bitmap = (SlBitmap) { 0 };
  if (sl_png_likely (bytes, size))
    return sl_png_decode (bytes, size, subject, bitmap);
  if (sl_jpeg_likely (bytes, size))
    return sl_jpeg_decode (bytes, size, subject, bitmap);
  return sl_status_new (SL_EFORMAT, subject,
                        size == 1  ? sl_message ("1 byte")
                        : size < 4 ? sl_message ("%zu bytes", size)
                                   : sl_message ("a file that begins with 0x%02x%02x%02x%02x",
                                                 bytes[0], bytes[1], bytes[2], bytes[3]),
                        sl_message ("a picture: PNG or JPEG"));
}

enum { FILE_BYTES = 1 << 30 }; /* of a picture's file, at most */

SlStatus
sl_bitmap_read (const char *path, SlBitmap *bitmap)
{
  uint8_t *content;
  size_t   size;
  SlStatus status = sl_bytes_file (path, FILE_BYTES, &content, &size);

  *bitmap = (SlBitmap) { 0 };
  if (sl_ok (&status))
    status = sl_bitmap_decode (content, size, path, bitmap);
  free (content);
  return status;
}

void
sl_bitmap_planes (const SlBitmap *bitmap, sl_real *planes)
{
  size_t n = (size_t) bitmap->width * bitmap->height;

  for (size_t c = 0; c < 3; c++)
    for (size_t i = 0; i < n; i++)
      planes[c * n + i] = (sl_real) bitmap->rgb[3 * i + c] / 255;
}

void
sl_bitmap_from_planes (const sl_real *planes, SlBitmap *bitmap)
{
  size_t n = (size_t) bitmap->width * bitmap->height;

  for (size_t c = 0; c < 3; c++)
    for (size_t i = 0; i < n; i++)
      {
        sl_real v = planes[c * n + i];

        bitmap->rgb[3 * i + c] = !(v > 0) ? 0 : v >= 1 ? 255 : (uint8_t) (v * 255 + (sl_real) 0.5);
      }
}
