/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/labs/routing/math/memory/memory.h"

/* Places of SlRecent.at. */
enum { PLACES, COUNT, LAST };

void
sl_recent_carve (SlRecent *r, SlArena *arena, uint32_t items)
{
  r->items = items;
  r->next = sl_arena_carve (arena, items + 1U, sizeof *r->next);
  r->before = sl_arena_carve (arena, items + 1U, sizeof *r->before);
  r->held = sl_arena_carve (arena, items, sizeof *r->held);
  r->at = sl_arena_carve (arena, 3, sizeof *r->at);
}

void
sl_recent_begin (SlRecent *r, uint32_t places)
{
  for (uint32_t i = 0; i <= r->items; i++)
    r->next[i] = r->before[i] = i; /* a ring of its own: not used yet */
  memset (r->held, 0, r->items);
  r->at[PLACES] = places;
  r->at[COUNT] = 0;
  r->at[LAST] = r->items;
}

/* The one that was used longest ago goes. */
static void
drop_last (SlRecent *r)
{
  r->held[r->at[LAST]] = 0;
  r->at[LAST] = r->before[r->at[LAST]];
  r->at[COUNT]--;
}

void
sl_recent_resize (SlRecent *r, uint32_t places)
{
  r->at[PLACES] = places;
  while (r->at[COUNT] > places)
    drop_last (r);
  while (r->at[COUNT] < places && r->next[r->at[LAST]] != r->items)
    {
      r->at[LAST] = r->next[r->at[LAST]];
      r->held[r->at[LAST]] = 1;
      r->at[COUNT]++;
    }
}

static void
move_to_front (SlRecent *r, uint32_t item)
{
  uint32_t head = r->items;

  r->next[r->before[item]] = r->next[item];
  r->before[r->next[item]] = r->before[item];
  r->next[item] = r->next[head];
  r->before[item] = head;
  r->before[r->next[head]] = item;
  r->next[head] = item;
}

static void
use_item (SlRecent *r, uint32_t item)
{
  if (r->held[item] && r->at[LAST] == item && r->at[COUNT] > 1)
    r->at[LAST] = r->before[item];
  move_to_front (r, item);
  if (r->held[item])
    return;
  r->held[item] = 1;
  if (r->at[COUNT]++ == 0)
    r->at[LAST] = item;
  if (r->at[COUNT] > r->at[PLACES])
    drop_last (r);
}

unsigned
sl_recent_turn (SlRecent *r, const uint32_t *item, unsigned k)
{
  unsigned hits = 0;

  for (unsigned i = 0; i < k; i++)
    hits += r->held[item[i]];
  for (unsigned i = 0; i < k; i++)
    use_item (r, item[i]);
  return hits;
}

bool
sl_recent_is_sound (const SlRecent *r)
{
  uint32_t at = r->items, held = 0, seen = 0;

  for (uint32_t i = 0; i <= r->items; i++)
    if (r->next[i] > r->items || r->before[i] > r->items || r->before[r->next[i]] != i
        || r->next[r->before[i]] != i)
      return false;
  for (uint32_t i = 0; i < r->items; i++)
    held += r->held[i] != 0;
  if (held != r->at[COUNT] || held > r->at[PLACES] || r->at[PLACES] < 1 || r->at[PLACES] > r->items)
    return false;
  /* The first ones of the ring are those that are held. */
  while (seen < held && (at = r->next[at]) != r->items && r->held[at] == 1)
    seen++;
  return seen == held && r->at[LAST] == at;
}
