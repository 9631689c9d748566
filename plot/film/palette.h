/* SPDX-License-Identifier: MIT
 *
 * One palette for all frames of a film: exact where they have few enough colours; else the flat colours that cover most,
 * exact, and then those that bring the worst of the others closest, so that lines and letters keep their colours.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SL_FILM_COLOURS = 255 /* one of the 256 is for what did not change */ };

typedef struct SlFilmPalette SlFilmPalette;

/* Without colours.  NULL: no memory. */
SlFilmPalette *sl_film_palette_new (void);
void           sl_film_palette_free (SlFilmPalette *palette);

/* Takes note of the colours of a frame (height, stride) of 0xXXrrggbb.  False: no memory. */
bool sl_film_palette_count (SlFilmPalette *palette, const uint32_t *pixels, size_t stride,
                            unsigned width, unsigned height);

/* Chooses from what was counted.  False: no memory. */
bool sl_film_palette_choose (SlFilmPalette *palette);

/* The colours that were chosen, 0xrrggbb. */
unsigned sl_film_palette_colours (const SlFilmPalette *palette, uint32_t colours[SL_FILM_COLOURS]);

/* The nearest colours in the palette of n counted pixels, by number. */
void sl_film_palette_find (const SlFilmPalette *palette, const uint32_t *pixels, size_t n,
                           uint8_t *to);
