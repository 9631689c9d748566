/* SPDX-License-Identifier: MIT
 *
 * Numbers for the patterns of a picture; see palette.h.  */
#include "core/lab/map/palette.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
sl_palette_clear (SlPalette *palette)
{
  free (palette->number);
  free (palette->at);
  free (palette->slot);
  *palette = (SlPalette) { 0 };
}

static bool
make_room (SlPalette *palette, size_t cells)
{
  size_t    slots = 64;
  uint8_t  *number;
  uint32_t *at;
  SlPatch  *slot;

  if (cells <= palette->capacity)
    return true;
  while (slots < 2 * cells)
    slots *= 2;
  number = realloc (palette->number, cells);
  palette->number = number != NULL ? number : palette->number;
  at = realloc (palette->at, cells * sizeof *at);
  palette->at = at != NULL ? at : palette->at;
  slot = realloc (palette->slot, slots * sizeof *slot);
  palette->slot = slot != NULL ? slot : palette->slot;
  if (number == NULL || at == NULL || slot == NULL)
    return false;
  palette->capacity = cells;
  palette->slots = slots;
  return true;
}

/* The slot of a pattern, taken if it is new. */
static uint32_t
find_slot (SlPalette *palette, uint64_t pattern)
{
  size_t i = (size_t) ((pattern * 0x9e3779b97f4a7c15U) >> 20) & (palette->slots - 1);

  while (palette->slot[i].cells > 0 && palette->slot[i].pattern != pattern)
    i = (i + 1) & (palette->slots - 1);
  palette->slot[i].pattern = pattern;
  return (uint32_t) i;
}

/* The number of a pattern in the last picture; SL_MAP_COLOURS: it had none. */
static unsigned
number_of (const SlPalette *palette, uint64_t pattern)
{
  unsigned c = 0;

  while (c < SL_MAP_COLOURS && !(palette->used[c] && palette->pattern[c] == pattern))
    c++;
  return c;
}

static bool
larger (const SlPatch *a, const SlPatch *b)
{
  return a->cells > b->cells || (a->cells == b->cells && a->pattern < b->pattern);
}

/* The slots of the largest patterns, largest first; ties in the order of the pattern. */
static unsigned
choose_patterns (SlPalette *palette, size_t cells, uint32_t chosen[SL_MAP_COLOURS])
{
  unsigned n = 0;

  for (size_t i = 0; i < cells; i++)
    {
      SlPatch *patch = &palette->slot[palette->at[i]];
      unsigned place;

      /* Each pattern is looked at once, at the first cell that shows it. */
      if (patch->rank != 0)
        continue;
      patch->rank = UINT32_MAX;
      if (n == SL_MAP_COLOURS && !larger (patch, &palette->slot[chosen[n - 1]]))
        continue;
      place = n < SL_MAP_COLOURS ? n++ : n - 1;
      for (; place > 0 && larger (patch, &palette->slot[chosen[place - 1]]); place--)
        chosen[place] = chosen[place - 1];
      chosen[place] = palette->at[i];
    }
  return n;
}

/* Gives each chosen pattern the number that it had in the last picture, or one that is free. */
static void
hand_out (SlPalette *palette, unsigned n, const uint32_t *chosen, uint8_t *given)
{
  bool taken[SL_MAP_COLOURS] = { false };

  for (unsigned i = 0; i < n; i++)
    {
      given[i] = (uint8_t) number_of (palette, palette->slot[chosen[i]].pattern);
      if (given[i] < SL_MAP_COLOURS)
        taken[given[i]] = true;
    }
  for (unsigned i = 0, free = 0; i < n; i++)
    {
      if (given[i] < SL_MAP_COLOURS)
        continue;
      while (taken[free])
        free++;
      given[i] = (uint8_t) free;
      taken[free] = true;
    }
  memcpy (palette->used, taken, sizeof taken);
  for (unsigned i = 0; i < n; i++)
    palette->pattern[given[i]] = palette->slot[chosen[i]].pattern;
}

SlStatus
sl_palette_match (SlPalette *palette, unsigned side, const SlCell *cells, const uint8_t **number)
{
  size_t   n = (size_t) side * side;
  unsigned n_chosen;
  uint32_t chosen[SL_MAP_COLOURS];
  uint8_t  given[SL_MAP_COLOURS];

  if (!make_room (palette, n))
    return sl_status_no_memory ("map");
  memset (palette->slot, 0, palette->slots * sizeof *palette->slot);
  for (size_t i = 0; i < n; i++)
    {
      palette->at[i] = find_slot (palette, cells[i].pattern);
      palette->slot[palette->at[i]].cells++;
    }
  n_chosen = choose_patterns (palette, n, chosen);
  for (unsigned i = 0; i < n_chosen; i++)
    palette->slot[chosen[i]].rank = i + 1;
  hand_out (palette, n_chosen, chosen, given);
  for (size_t i = 0; i < n; i++)
    {
      uint32_t rank = palette->slot[palette->at[i]].rank;

      palette->number[i] = rank <= n_chosen ? given[rank - 1] : SL_MAP_COLOURS;
    }
  *number = palette->number;
  return SL_SUCCESS;
}

void
sl_palette_names (const SlPalette *palette, SlSnapshot *snapshot)
{
  for (unsigned c = 0; c < SL_MAP_COLOURS; c++)
    {
      char text[24] = "";

      if (palette->used[c])
        snprintf (text, sizeof text, "#%" PRIx64, palette->pattern[c]);
      sl_snapshot_name (snapshot, text);
    }
}
