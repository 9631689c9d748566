/* SPDX-License-Identifier: MIT
 *
 * Animated GIF in memory: one palette, frames cut to what changed, for ever.  The same frames give the same bytes.  */
#pragma once

#include <glib.h>

#include "plot/film/palette.h"

typedef struct SlGif SlGif;

/* `recipe`: JSON, or NULL, goes into a comment, as base64 behind "sluice-recipe:" (recipe.h).  The palette is borrowed.  NULL: no memory. */
SlGif *sl_gif_new (const SlFilmPalette *palette, unsigned width, unsigned height,
                   const char *recipe);

/* Adds a frame of counted pixels (height, stride) of 0xXXrrggbb, shown for so many seconds. */
void sl_gif_frame (SlGif *gif, const uint32_t *pixels, size_t stride, double seconds);

/* The file; frees the rest.  NULL: no memory. */
GBytes *sl_gif_finish (SlGif *gif);
