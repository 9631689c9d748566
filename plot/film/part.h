/* SPDX-License-Identifier: MIT
 *
 * What of a frame changed since the one before.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  unsigned x, y, w, h; /* pixels */
} SlFilmPart;

/* The smallest part outside of which two frames (height, stride bytes) with `pixel` bytes a pixel are the same; one pixel
 * where nothing changed; all where `before` is NULL.  */
SlFilmPart sl_film_changed (const uint8_t *now, const uint8_t *before, size_t pixel, size_t stride,
                            unsigned width, unsigned height);
