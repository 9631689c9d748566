/* SPDX-License-Identifier: MIT
 *
 * The formats behind bitmap.h.  Each decodes a whole file that is in memory.  */
#pragma once

#include "core/data/image/bitmap.h"

/* Whether the first bytes are those of the format. */
bool sl_png_likely (const uint8_t *head, size_t size);
bool sl_jpeg_likely (const uint8_t *head, size_t size);

/* As sl_bitmap_decode(). */
SlStatus sl_png_decode (const uint8_t *bytes, size_t size, const char *subject, SlBitmap *bitmap);
SlStatus sl_jpeg_decode (const uint8_t *bytes, size_t size, const char *subject, SlBitmap *bitmap);

/* Refuses, at a byte, more pixels than a file of `size` bytes can hold when one byte encodes at
 * most `densest` of them, before memory for them is allocated.  */
SlStatus sl_bitmap_check (const char *subject, uint64_t position, size_t width, size_t height,
                          size_t size, size_t densest);

/* Turns and mirrors as an Exif orientation says, 1 (nothing) to 8.  SL_ENOMEM. */
SlStatus sl_bitmap_turn (SlBitmap *bitmap, const char *subject, unsigned orientation);

/* The orientation in the `size` bytes of an Exif block, after its "Exif\0\0"; 1 where there is
 * none or it makes no sense.  */
unsigned sl_exif_orientation (const uint8_t *exif, size_t size);
