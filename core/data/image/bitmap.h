/* SPDX-License-Identifier: MIT
 *
 * Photographs and paintings: read from PNG and JPEG, brought to a size, handed over as numbers.
 *
 * Letters: H rows, W columns.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"
#include "core/base/status.h"

/* The longest side of a bitmap, and the most pixels: decoding takes at most 8 bytes for each,
 * which is SL_DATA_BUDGET (draft.h).  */
#define SL_BITMAP_SIDE ((size_t) 1 << 16)
#define SL_BITMAP_PIXELS ((size_t) 1 << 28)

typedef struct
{
  unsigned width, height;
  uint8_t *rgb; /* (H, W, 3), sRGB; owned */
} SlBitmap;

/* Room for a bitmap, not set to anything.  `subject` names the file in a failure.  SL_EFORMAT:
 * a side of 0 or above SL_BITMAP_SIDE; SL_ENOMEM, also above SL_BITMAP_PIXELS.  On failure
 * there is nothing to clear.  */
SlStatus sl_bitmap_init (SlBitmap *bitmap, const char *subject, size_t width, size_t height);

/* Frees the pixels; an empty bitmap, { 0 }, is fine. */
void sl_bitmap_clear (SlBitmap *bitmap);

/* Reads a PNG or JPEG file, whatever its name: any depth, grey, palette, CMYK; what is
 * transparent lies on white; upright, as its Exif orientation says.  Colour profiles are not
 * looked at.  SL_EIO; SL_EFORMAT: no bitmap, or a damaged one, at the byte; SL_ENOMEM, before
 * anything is allocated for a picture that is too large.  Blocks; any thread.  */
SlStatus sl_bitmap_read (const char *path, SlBitmap *bitmap);

/* The same from the `size` bytes of a file that is called `subject`. */
SlStatus sl_bitmap_decode (const uint8_t *bytes, size_t size, const char *subject,
                           SlBitmap *bitmap);

/* True when a file that begins with these bytes is PNG or JPEG. */
bool sl_bitmap_likely (const uint8_t *head, size_t size);

/* The largest part from the middle of `from` that has the shape of `width` by `height`, brought to
 * that size: Lanczos where it shrinks, a cubic where it grows, both in linear light.  SL_ENOMEM.
 * On failure there is nothing to clear.  */
SlStatus sl_bitmap_cover (const SlBitmap *from, unsigned width, unsigned height, SlBitmap *to);

/* The pixels as numbers from 0 to 1, sRGB as in the file: planes (3, H, W), red first. */
void sl_bitmap_planes (const SlBitmap *bitmap, sl_real *planes /* (3, H, W) */);

/* The way back, rounded; beyond 0 and 1 is cut off, not-a-number is black. */
void sl_bitmap_from_planes (const sl_real *planes /* (3, H, W) */, SlBitmap *bitmap);
