/* SPDX-License-Identifier: MIT
 *
 * Colours that do not flicker; see palette.h.  */
#include "core/lab/map/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
sl_palette_clear (SlPalette *palette)
{
  free (palette->colour);
  free (palette->before);
  free (palette->at);
  free (palette->slot);
  *palette = (SlPalette) { 0 };
}

static bool
make_room (SlPalette *palette, size_t cells)
{
  size_t    slots = 64;
  uint8_t  *colour, *before;
  uint32_t *at;
  SlPatch  *slot;

  if (cells <= palette->capacity)
    return true;
  while (slots < 2 * cells)
    slots *= 2;
  colour = realloc (palette->colour, cells);
  palette->colour = colour != NULL ? colour : palette->colour;
  before = realloc (palette->before, cells);
  palette->before = before != NULL ? before : palette->before;
  at = realloc (palette->at, cells * sizeof *at);
  palette->at = at != NULL ? at : palette->at;
  slot = realloc (palette->slot, slots * sizeof *slot);
  palette->slot = slot != NULL ? slot : palette->slot;
  if (colour == NULL || before == NULL || at == NULL || slot == NULL)
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

/* The colour of a pattern; SL_MAP_COLOURS: it has none. */
static unsigned
colour_of (const SlPalette *palette, uint64_t pattern)
{
  unsigned c = 0;

  while (c < SL_MAP_COLOURS && !(palette->used[c] && palette->pattern[c] == pattern))
    c++;
  return c;
}

/* The slots of the largest patterns, largest first; ties in the order of the pattern. */
static unsigned
choose_patterns (SlPalette *palette, size_t cells, uint32_t chosen[SL_MAP_COLOURS])
{
  double   weight[SL_MAP_COLOURS];
  unsigned n = 0;

  for (size_t i = 0; i < cells; i++)
    {
      SlPatch *patch = &palette->slot[palette->at[i]];
      double   w;
      unsigned place;

      /* Each pattern is looked at once, at the first cell that shows it. */
      if (patch->rank != 0)
        continue;
      patch->rank = UINT32_MAX;
      w = patch->cells;
      if (colour_of (palette, patch->pattern) < SL_MAP_COLOURS)
        w *= 1.5;
      if (n == SL_MAP_COLOURS && !(w > weight[n - 1]))
        continue;
      place = n < SL_MAP_COLOURS ? n++ : n - 1;
      for (; place > 0
             && (w > weight[place - 1]
                 || (w == weight[place - 1]
                     && patch->pattern < palette->slot[chosen[place - 1]].pattern));
           place--)
        {
          weight[place] = weight[place - 1];
          chosen[place] = chosen[place - 1];
        }
      weight[place] = w;
      chosen[place] = palette->at[i];
    }
  return n;
}

/* How many cells of each chosen pattern had each colour in the last picture. */
static void
count_overlap (const SlPalette *palette, unsigned side, unsigned before_side,
               uint32_t overlap[SL_MAP_COLOURS][SL_MAP_COLOURS])
{
  memset (overlap, 0, sizeof (uint32_t[SL_MAP_COLOURS][SL_MAP_COLOURS]));
  for (unsigned r = 0; before_side > 0 && r < side; r++)
    for (unsigned c = 0; c < side; c++)
      {
        uint32_t rank = palette->slot[palette->at[(size_t) r * side + c]].rank;
        size_t   row = (size_t) r * before_side / side, column = (size_t) c * before_side / side;
        uint8_t  was = palette->before[row * before_side + column];

        if (rank > 0 && rank <= SL_MAP_COLOURS && was < SL_MAP_COLOURS)
          overlap[rank - 1][was]++;
      }
}

/* The colour of a pattern where nothing else has it, so that it is the same in every run and however many
 * patterns there are, in whatever order: that of its unit where one alone is on.  */
static unsigned
home_of (uint64_t pattern)
{
  if (pattern == 0)
    return SL_MAP_COLOURS - 1;
  if (__builtin_popcountll (pattern) == 1)
    return (unsigned) __builtin_ctzll (pattern) % SL_MAP_COLOURS;
  if (pattern < SL_MAP_COLOURS)
    return (unsigned) pattern;
  return (unsigned) ((pattern * 0x9e3779b97f4a7c15U) >> 40) % SL_MAP_COLOURS;
}

/* Hands out the colours: first to the patterns that have one, then along the largest overlaps with what
 * is gone, then to those whose own is free, then what is free.  */
static void
hand_out (SlPalette *palette, unsigned n, const uint32_t chosen[SL_MAP_COLOURS],
          uint32_t overlap[SL_MAP_COLOURS][SL_MAP_COLOURS], uint8_t given[SL_MAP_COLOURS])
{
  bool taken[SL_MAP_COLOURS] = { false };

  for (unsigned i = 0; i < n; i++)
    {
      given[i] = (uint8_t) colour_of (palette, palette->slot[chosen[i]].pattern);
      if (given[i] < SL_MAP_COLOURS)
        taken[given[i]] = true;
    }
  for (;;)
    {
      uint32_t most = 0;
      unsigned pattern = 0, colour = 0;

      for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < SL_MAP_COLOURS; c++)
          if (given[i] == SL_MAP_COLOURS && !taken[c] && overlap[i][c] > most)
            {
              most = overlap[i][c];
              pattern = i;
              colour = c;
            }
      if (most == 0)
        break;
      given[pattern] = (uint8_t) colour;
      taken[colour] = true;
    }
  for (unsigned i = 0; i < n; i++)
    {
      unsigned home = home_of (palette->slot[chosen[i]].pattern);

      if (given[i] == SL_MAP_COLOURS && !taken[home])
        {
          given[i] = (uint8_t) home;
          taken[home] = true;
        }
    }
  for (unsigned i = 0, c = 0; i < n; i++)
    {
      if (given[i] < SL_MAP_COLOURS)
        continue;
      while (taken[c])
        c++;
      given[i] = (uint8_t) c;
      taken[c] = true;
    }
  memcpy (palette->used, taken, sizeof taken);
  for (unsigned i = 0; i < n; i++)
    palette->pattern[given[i]] = palette->slot[chosen[i]].pattern;
}

SlStatus
sl_palette_match (SlPalette *palette, unsigned side, const SlCell *cells, const uint8_t **colour)
{
  size_t   n = (size_t) side * side;
  unsigned before_side = palette->side, n_chosen;
  uint32_t chosen[SL_MAP_COLOURS], overlap[SL_MAP_COLOURS][SL_MAP_COLOURS];
  uint8_t  given[SL_MAP_COLOURS], *swap;

  if (!make_room (palette, n))
    return sl_status_no_memory ("map");
  swap = palette->before;
  palette->before = palette->colour;
  palette->colour = swap;
  memset (palette->slot, 0, palette->slots * sizeof *palette->slot);
  for (size_t i = 0; i < n; i++)
    {
      palette->at[i] = find_slot (palette, cells[i].pattern);
      palette->slot[palette->at[i]].cells++;
    }
  n_chosen = choose_patterns (palette, n, chosen);
  for (unsigned i = 0; i < n_chosen; i++)
    palette->slot[chosen[i]].rank = i + 1;
  count_overlap (palette, side, before_side, overlap);
  hand_out (palette, n_chosen, chosen, overlap, given);
  for (size_t i = 0; i < n; i++)
    {
      uint32_t rank = palette->slot[palette->at[i]].rank;

      palette->colour[i] = rank <= n_chosen ? given[rank - 1] : SL_MAP_COLOURS;
    }
  palette->side = side;
  *colour = palette->colour;
  return SL_SUCCESS;
}

/* "3, 5"; "14 on" where the numbers would be too long; "pattern" for a hash. */
static SlMessage
name_pattern (uint64_t pattern)
{
  char     text[24] = "";
  size_t   at = 0;
  unsigned on = (unsigned) __builtin_popcountll (pattern);

  if (pattern >> SL_CELL_HASH)
    return sl_message ("pattern");
  if (on == 0)
    return sl_message ("none");
  if (on > 5)
    return sl_message ("%u on", on);
  for (unsigned i = 0; i < SL_CELL_HASH && at < sizeof text; i++)
    if (pattern >> i & 1)
      at += (size_t) snprintf (text + at, sizeof text - at, "%s%u", at > 0 ? ", " : "", i + 1);
  return sl_message_verbatim (text);
}

void
sl_palette_names (const SlPalette *palette, SlSnapshot *snapshot)
{
  for (unsigned c = 0; c < SL_MAP_COLOURS; c++)
    sl_snapshot_name (snapshot, palette->used[c] ? name_pattern (palette->pattern[c]).packed : "");
}
