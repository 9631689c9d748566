/* SPDX-License-Identifier: MIT
 *
 * Which patterns of a gating map are told apart, and their numbers.  */
#pragma once

#include "core/lab/map/map.h"

/* A pattern of the picture being made and how many cells show it; no cells: a free slot. */
typedef struct
{
  uint64_t pattern;
  uint32_t cells;
  uint32_t rank; /* from 1 among those that may get a number; 0: too small for one */
} SlPatch;

typedef struct
{
  uint8_t  *number;   /* (side, side) of the picture; SL_MAP_COLOURS: other */
  uint32_t *at;       /* (side, side) slot of each cell */
  size_t    capacity; /* cells that there is room for */
  SlPatch  *slot;     /* (slots) a hash table, at most half full */
  size_t    slots;    /* a power of two */
  bool      used[SL_MAP_COLOURS];
  uint64_t  pattern[SL_MAP_COLOURS]; /* where used */
} SlPalette;

/* A palette of zeros is one without a picture. */
void sl_palette_clear (SlPalette *palette);

/* Gives the SL_MAP_COLOURS largest patterns of a picture of cells (side, side) their numbers, by which
 * one that stays in the picture keeps being chosen; how it looks follows from the pattern itself.
 * *number (side, side) stays the palette's.  SL_ENOMEM.  */
SlStatus sl_palette_match (SlPalette *palette, unsigned side, const SlCell *cells,
                           const uint8_t **number);

/* One line per number: "#14" for the pattern 0x14, "" for a free one. */
void sl_palette_names (const SlPalette *palette, SlSnapshot *snapshot);
