/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/memory/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static SlStatus
no_memory (void)
{
  return sl_status_no_memory ("uses of experts");
}

/* Adds one to a count of all phases and to that of a phase that is known. */
static void
add_one (uint64_t of[SL_N_TURN_PHASES], unsigned phase)
{
  of[SL_TURNS_ALL]++;
  if (phase != SL_TURNS_ALL)
    of[phase]++;
}

SlStatus
sl_turns_count (const SlTurns *turns, SlTurnCounts *counts)
{
  uint8_t *used = calloc (sl_turns_items (turns), 1);

  *counts = (SlTurnCounts) { 0 };
  if (used == NULL)
    return no_memory ();
  for (size_t g = 0; g < turns->groups; g++)
    {
      counts->tokens[SL_TURNS_ALL] += turns->tokens[g];
      if (turns->phase[g] != SL_TURNS_ALL)
        counts->tokens[turns->phase[g]] += turns->tokens[g];
    }
  for (size_t t = 0; t < turns->turns; t++)
    for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
      {
        unsigned phase = turns->phase[turns->group[t]];

        add_one (counts->lookups, phase);
        if (!used[turns->item[j]])
          add_one (counts->first_uses, phase);
        used[turns->item[j]] = 1;
      }
  free (used);
  return SL_SUCCESS;
}

/* ---- LRU of all sizes: how many different items were used since the last use of an item ---- */

/* A Fenwick tree over moments, with a one where an item was used last. */
typedef struct
{
  uint32_t  moments, now;
  uint32_t *tree; /* (moments + 1) sums */
  uint32_t *item; /* (moments + 1) used last at that moment */
  uint32_t *last; /* (N) moment of the last use; 0: none */
  uint32_t  used; /* items so far */
} Recency;

static void
add_moment (Recency *r, uint32_t moment, uint32_t what)
{
  for (; moment <= r->moments; moment += moment & -moment)
    r->tree[moment] += what;
}

static uint32_t
count_until (const Recency *r, uint32_t moment)
{
  uint32_t sum = 0;

  for (; moment > 0; moment -= moment & -moment)
    sum += r->tree[moment];
  return sum;
}

/* Numbers the moments that still count from 1 on. */
static void
renumber_moments (Recency *r)
{
  uint32_t kept = 0;

  for (uint32_t m = 1; m <= r->moments; m++)
    if (m <= r->now && r->last[r->item[m]] == m)
      {
        r->item[++kept] = r->item[m];
        r->last[r->item[kept]] = kept;
      }
  r->now = kept;
  memset (r->tree, 0, (r->moments + 1) * sizeof *r->tree);
  for (uint32_t m = 1; m <= kept; m++)
    add_moment (r, m, 1);
}

static void
use_item (Recency *r, uint32_t item)
{
  if (r->now == r->moments)
    renumber_moments (r);
  if (r->last[item] > 0)
    add_moment (r, r->last[item], UINT32_MAX); /* less one */
  else
    r->used++;
  r->last[item] = ++r->now;
  r->item[r->now] = item;
  add_moment (r, r->now, 1);
}

/* The first of the sizes that has more places than `before` items. */
static size_t
find_size (size_t n, const size_t *places, size_t before)
{
  size_t low = 0, high = n;

  while (low < high)
    {
      size_t middle = (low + high) / 2;

      if (places[middle] > before)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
replay_lru (const SlTurns *turns, Recency *r, size_t n, const size_t *places, SlTurnHits *hits)
{
  for (size_t t = 0; t < turns->turns; t++)
    {
      unsigned phase = turns->phase[turns->group[t]];

      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        {
          uint32_t last = r->last[turns->item[j]];
          size_t   size = last > 0 ? find_size (n, places, r->used - count_until (r, last)) : n;

          if (size < n)
            add_one (hits[size].of, phase);
        }
      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        use_item (r, turns->item[j]);
    }
  for (size_t i = 1; i < n; i++)
    for (unsigned phase = 0; phase < SL_N_TURN_PHASES; phase++)
      hits[i].of[phase] += hits[i - 1].of[phase];
}

SlStatus
sl_turns_lru (const SlTurns *turns, size_t n, const size_t *places, SlTurnHits *hits)
{
  size_t   items = sl_turns_items (turns);
  Recency  r = { .moments = (uint32_t) (2 * items + 1) };
  SlStatus status = SL_SUCCESS;

  memset (hits, 0, n * sizeof *hits);
  r.tree = calloc (r.moments + 1U, sizeof *r.tree);
  r.item = calloc (r.moments + 1U, sizeof *r.item);
  r.last = calloc (items, sizeof *r.last);
  if (r.tree != NULL && r.item != NULL && r.last != NULL)
    replay_lru (turns, &r, n, places, hits);
  else
    status = no_memory ();
  free (r.tree);
  free (r.item);
  free (r.last);
  return status;
}

/* ---- LFU and the best possible: what has the smallest key goes ---- */

/* A heap of what is held, but for the items of the turn that is on; the smallest key first. */
typedef struct
{
  uint32_t  n;
  uint32_t *heap;  /* (N) */
  uint32_t *place; /* (N) in the heap, of those that are in it */
  uint64_t *key;   /* (N) */
} Heap;

static void
put_item (Heap *h, uint32_t place, uint32_t item)
{
  h->heap[place] = item;
  h->place[item] = place;
}

static void
rise (Heap *h, uint32_t place)
{
  uint32_t item = h->heap[place];

  for (; place > 0 && h->key[h->heap[(place - 1) / 2]] > h->key[item]; place = (place - 1) / 2)
    put_item (h, place, h->heap[(place - 1) / 2]);
  put_item (h, place, item);
}

static void
sink (Heap *h, uint32_t place)
{
  uint32_t item = h->heap[place], below;

  while ((below = 2 * place + 1) < h->n)
    {
      if (below + 1 < h->n && h->key[h->heap[below + 1]] < h->key[h->heap[below]])
        below++;
      if (h->key[h->heap[below]] > h->key[item])
        break;
      put_item (h, place, h->heap[below]);
      place = below;
    }
  put_item (h, place, item);
}

static void
push (Heap *h, uint32_t item)
{
  put_item (h, h->n, item);
  rise (h, h->n++);
}

static void
take_out (Heap *h, uint32_t item)
{
  uint32_t place = h->place[item], moved;

  if (place == --h->n)
    return;
  moved = h->heap[h->n];
  put_item (h, place, moved);
  rise (h, place);
  sink (h, h->place[moved]);
}

/* A cache with so many places, in which what has the smallest key goes. */
typedef struct
{
  const SlTurns *turns;
  Heap           heap;
  size_t         places, count;
  uint8_t       *held; /* (N) */
  const uint32_t
    *after; /* (lookups) the next turn that has the item, UINT32_MAX: none; NULL: LFU */
} Replay;

/* The key of an item after its lookup j.  LFU: uses << 32 | time of the last one.  The best one: what is needed again
 * last, and of equal ones the higher item, has the smallest.  */
static uint64_t
key_after (const Replay *r, size_t j)
{
  uint32_t item = r->turns->item[j];

  if (r->after != NULL)
    return UINT64_MAX - ((uint64_t) r->after[j] << 32 | item);
  return ((r->heap.key[item] >> 32) + 1) << 32 | (uint32_t) j;
}

/* An item comes in, if there is room or another one can go: not one of this turn. */
static void
let_in (Replay *r, uint32_t item)
{
  if (r->count == r->places)
    {
      uint32_t out = r->heap.heap[0];

      if (r->heap.n == 0)
        return;
      take_out (&r->heap, out);
      r->held[out] = 0;
    }
  else
    r->count++;
  r->held[item] = 1;
}

/* Returns the hits of a turn. */
static unsigned
replay_turn (Replay *r, size_t turn)
{
  const uint32_t *item = r->turns->item;
  size_t          first = r->turns->first[turn], end = r->turns->first[turn + 1];
  unsigned        hits = 0;

  for (size_t j = first; j < end; j++)
    {
      hits += r->held[item[j]];
      if (r->held[item[j]])
        take_out (&r->heap, item[j]);
      r->heap.key[item[j]] = key_after (r, j);
    }
  for (size_t j = first; j < end; j++)
    if (!r->held[item[j]])
      let_in (r, item[j]);
  for (size_t j = first; j < end; j++)
    if (r->held[item[j]])
      push (&r->heap, item[j]);
  return hits;
}

static SlStatus
replay (const SlTurns *turns, size_t places, const uint32_t *after, SlTurnHits *hits)
{
  size_t   items = sl_turns_items (turns);
  Replay   r = { .turns = turns, .places = places, .after = after };
  SlStatus status = SL_SUCCESS;

  *hits = (SlTurnHits) { 0 };
  r.heap.heap = calloc (items, sizeof *r.heap.heap);
  r.heap.place = calloc (items, sizeof *r.heap.place);
  r.heap.key = calloc (items, sizeof *r.heap.key);
  r.held = calloc (items, 1);
  if (r.heap.heap == NULL || r.heap.place == NULL || r.heap.key == NULL || r.held == NULL)
    status = no_memory ();
  for (size_t t = 0; t < turns->turns && sl_ok (&status); t++)
    {
      unsigned phase = turns->phase[turns->group[t]], n = replay_turn (&r, t);

      hits->of[SL_TURNS_ALL] += n;
      if (phase != SL_TURNS_ALL)
        hits->of[phase] += n;
    }
  free (r.heap.heap);
  free (r.heap.place);
  free (r.heap.key);
  free (r.held);
  return status;
}

SlStatus
sl_turns_lfu (const SlTurns *turns, size_t places, SlTurnHits *hits)
{
  return replay (turns, places, NULL, hits);
}

SlStatus
sl_turns_best (const SlTurns *turns, size_t places, SlTurnHits *hits)
{
  size_t    items = sl_turns_items (turns);
  uint32_t *after = malloc ((sl_turns_lookups (turns) + 1) * sizeof *after);
  uint32_t *upcoming = malloc (items * sizeof *upcoming);
  SlStatus  status = after != NULL && upcoming != NULL ? SL_SUCCESS : no_memory ();

  if (sl_ok (&status))
    {
      memset (upcoming, 0xff, items * sizeof *upcoming);
      for (size_t t = turns->turns; t-- > 0;)
        for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
          {
            after[j] = upcoming[turns->item[j]];
            upcoming[turns->item[j]] = (uint32_t) t;
          }
      status = replay (turns, places, after, hits);
    }
  free (upcoming);
  free (after);
  return status;
}

/* ---- a fixed set ---- */

/* How often each item is looked up in groups from `first` to before `end`. */
static void
count_items (const SlTurns *turns, size_t first, size_t end, uint32_t *count)
{
  memset (count, 0, sl_turns_items (turns) * sizeof *count);
  for (size_t t = 0; t < turns->turns; t++)
    if (turns->group[t] >= first && turns->group[t] < end)
      for (size_t j = turns->first[t]; j < turns->first[t + 1]; j++)
        count[turns->item[j]]++;
}

static int
by_key (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

/* Shares of the second half, as `order` lists the items by what the first half showed. */
static void
judge_pinned (size_t items, const uint64_t *order, const uint32_t *count, size_t n,
              const size_t *places, double *share)
{
  uint64_t all = 0, served = 0;
  size_t   at = 0;

  for (size_t i = 0; i < items; i++)
    all += count[i];
  for (size_t i = 0; i < n; i++)
    {
      for (; at < places[i] && at < items; at++)
        served += count[(uint32_t) order[at]];
      share[i] = all > 0 ? (double) served / (double) all : NAN;
    }
}

SlStatus
sl_turns_pinned (const SlTurns *turns, size_t n, const size_t *places, double *share)
{
  size_t    items = sl_turns_items (turns), half = turns->groups / 2;
  uint32_t *count = malloc (items * sizeof *count);
  uint64_t *order = malloc (items * sizeof *order);
  SlStatus  status = count != NULL && order != NULL ? SL_SUCCESS : no_memory ();

  if (sl_ok (&status))
    {
      count_items (turns, 0, half, count);
      for (size_t i = 0; i < items; i++)
        order[i] = (uint64_t) (UINT32_MAX - count[i]) << 32 | i;
      qsort (order, items, sizeof *order, by_key);
      count_items (turns, half, turns->groups, count);
      judge_pinned (items, order, count, n, places, share);
    }
  free (order);
  free (count);
  return status;
}

/* ---- sizes and speed ---- */

size_t
sl_memory_places (double gib, double bytes, size_t items)
{
  double places = floor (gib * 0x1p30 / bytes);

  return places < 1.0 ? 1 : places < (double) items ? (size_t) places : items;
}

unsigned
sl_memory_sizes (size_t items, size_t chosen, size_t places[SL_MEMORY_SIZES])
{
  static const unsigned sixteenths[] = { 1, 2, 4, 8, 12, 16 };
  unsigned              n = 0;

  for (size_t i = 0; i < sizeof sixteenths / sizeof *sixteenths; i++)
    {
      size_t next = (items * sixteenths[i] + 15) / 16;

      if (chosen > 0 && chosen < next && (n == 0 || chosen > places[n - 1]))
        places[n++] = chosen;
      if (n == 0 || next > places[n - 1])
        places[n++] = next;
    }
  return n;
}

double
sl_memory_traffic (const SlTurnCounts *counts, const SlTurnHits *hits, SlTurnPhase phase,
                   double bytes)
{
  return counts->tokens[phase] > 0
           ? (double) (counts->lookups[phase] - counts->first_uses[phase] - hits->of[phase]) * bytes
               / (double) counts->tokens[phase]
           : NAN;
}

double
sl_three_digits (double x)
{
  double unit = pow (10.0, floor (log10 (x)) - 2.0);

  return round (x / unit) * unit;
}
