/* SPDX-License-Identifier: MIT
 *
 * Which pattern of a gating map has which colour, from one picture to the next.  */
#pragma once

#include "core/lab/map/map.h"

/* A pattern of the picture being made and how many cells show it; no cells: a free slot. */
typedef struct
{
  uint64_t pattern;
  uint32_t cells;
  uint32_t rank; /* from 1 among those that may get a colour; 0: too small for one */
} SlPatch;

typedef struct
{
  unsigned  side;            /* of the last picture, 0: none */
  uint8_t  *colour, *before; /* (side, side) of this one and of the last; SL_MAP_COLOURS: other */
  uint32_t *at;              /* (side, side) slot of each cell */
  size_t    capacity;        /* cells that there is room for */
  SlPatch  *slot;            /* (slots) a hash table, at most half full */
  size_t    slots;           /* a power of two */
  bool      used[SL_MAP_COLOURS];
  uint64_t  pattern[SL_MAP_COLOURS]; /* where used */
} SlPalette;

/* A palette of zeros is one without a picture. */
void sl_palette_clear (SlPalette *palette);

/* Gives the patterns of a picture of cells (side, side) their colours; *colour (side, side) stays
 * the palette's.  The SL_MAP_COLOURS largest patterns get one; one that had a colour before counts
 * half as much again, so that small ones do not take turns.  SL_ENOMEM.  */
SlStatus sl_palette_match (SlPalette *palette, unsigned side, const SlCell *cells,
                           const uint8_t **colour);

/* One line per colour: "3, 5" for the units that are on, "" for a free colour.  Returns the
 * bytes written without the terminator.  */
void sl_palette_names (const SlPalette *palette, SlSnapshot *snapshot);
