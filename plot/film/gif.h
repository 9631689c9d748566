/* SPDX-License-Identifier: MIT
 *
 * Animated GIF in memory: one palette, frames cut to what changed, for ever.  The same frames give the same bytes.  */
#pragma once

#include <glib.h>

#include "plot/film/palette.h"

/* Comments that a GIF of ours has: whose it is, and behind the second the run's recipe in base64 (recipe.h). */
#define SL_GIF_SOFTWARE "Sluice"
#define SL_GIF_RECIPE "sluice-recipe:"

typedef struct SlGif SlGif;

/* `recipe`: JSON, or NULL.  The palette is borrowed.  NULL: no memory. */
SlGif *sl_gif_new (const SlFilmPalette *palette, unsigned width, unsigned height,
                   const char *recipe);

/* Adds a frame of counted pixels (height, stride) of 0xXXrrggbb, shown for so many seconds. */
void sl_gif_frame (SlGif *gif, const uint32_t *pixels, size_t stride, double seconds);

/* The file; frees the rest.  NULL: no memory. */
GBytes *sl_gif_finish (SlGif *gif);
