/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/memory/cache.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/nn/kernels/clones.h"

void
sl_lru_carve (SlLru *lru, SlArena *arena, unsigned n)
{
  lru->n = n;
  lru->place = sl_arena_carve (arena, n, sizeof *lru->place);
}

void
sl_lru_begin (SlLru *lru)
{
  for (unsigned i = 0; i < lru->n; i++)
    lru->place[i] = (uint16_t) lru->n;
}

/* Moves down by one what is above a place of the stack. */
SL_CLONES static void
sink_above (unsigned n, uint16_t *place, uint16_t from)
{
  for (unsigned i = 0; i < n; i++)
    place[i] = (uint16_t) (place[i] + (place[i] < from));
}

void
sl_lru_token (SlLru *lru, unsigned k, const uint16_t *row, uint16_t *place)
{
  for (unsigned s = 0; s < k; s++)
    place[s] = lru->place[row[s]];
  for (unsigned s = 0; s < k; s++)
    {
      sink_above (lru->n, lru->place, lru->place[row[s]]);
      lru->place[row[s]] = 0;
    }
}

void
sl_lfu_carve (SlLfu *lfu, SlArena *arena, unsigned n)
{
  lfu->n = n;
  lfu->use = sl_arena_carve (arena, n, sizeof *lfu->use);
  lfu->cached = sl_arena_carve (arena, n, sizeof *lfu->cached);
}

void
sl_lfu_begin (SlLfu *lfu, unsigned size)
{
  lfu->size = size;
  lfu->held = lfu->now = 0;
  memset (lfu->use, 0, lfu->n * sizeof *lfu->use);
  memset (lfu->cached, 0xff, lfu->n * sizeof *lfu->cached);
}

/* The expert with the smallest key, n where all are all ones. */
static unsigned
least_key (unsigned n, const uint64_t *key)
{
  unsigned least = n;
  uint64_t smallest = UINT64_MAX;

  for (unsigned i = 0; i < n; i++)
    if (key[i] < smallest)
      {
        smallest = key[i];
        least = i;
      }
  return least;
}

void
sl_lfu_resize (SlLfu *lfu, unsigned size)
{
  lfu->size = size;
  for (; lfu->held > size; lfu->held--)
    lfu->cached[least_key (lfu->n, lfu->cached)] = UINT64_MAX;
}

/* Lets the missing experts of a token in, in the order of slots; those of the token stay. */
static void
admit_row (SlLfu *lfu, unsigned k, const uint16_t *row, uint64_t missing)
{
  unsigned out;

  for (unsigned s = 0; s < k; s++)
    lfu->cached[row[s]] = UINT64_MAX; /* not to be chosen */
  for (unsigned s = 0; s < k; s++)
    if (missing >> s & 1)
      {
        if (lfu->held == lfu->size)
          {
            if ((out = least_key (lfu->n, lfu->cached)) == lfu->n)
              continue;
            lfu->cached[out] = UINT64_MAX;
          }
        else
          lfu->held++;
        missing &= ~(UINT64_C (1) << s);
      }
  for (unsigned s = 0; s < k; s++)
    if (!(missing >> s & 1))
      lfu->cached[row[s]] = lfu->use[row[s]];
}

unsigned
sl_lfu_token (SlLfu *lfu, unsigned k, const uint16_t *row)
{
  unsigned hits = 0;
  uint64_t missing = 0;

  for (unsigned s = 0; s < k; s++)
    {
      uint64_t *use = &lfu->use[row[s]];

      if (lfu->cached[row[s]] == UINT64_MAX)
        missing |= UINT64_C (1) << s;
      else
        hits++;
      *use = ((*use >> 32) + 1) << 32 | lfu->now++;
    }
  admit_row (lfu, k, row, missing);
  return hits;
}

uint64_t
sl_routes_lru (const SlRoutes *r, uint64_t *hits)
{
  uint16_t stack[SL_ROUTES_EXPERTS], row[SL_ROUTES_SLOTS], place[SL_ROUTES_SLOTS];
  SlLru    lru = { .n = r->n, .place = stack };
  uint64_t first_uses = 0;

  memset (hits, 0, r->n * sizeof *hits);
  sl_lru_begin (&lru);
  for (size_t t = 0; t < r->tokens; t++)
    {
      unsigned k = sl_routes_row (r, t, row);

      sl_lru_token (&lru, k, row, place);
      for (unsigned s = 0; s < k; s++)
        ++*(place[s] < r->n ? &hits[place[s]] : &first_uses);
    }
  for (unsigned c = 1; c < r->n; c++)
    hits[c] += hits[c - 1];
  return first_uses;
}

uint64_t
sl_routes_lfu (const SlRoutes *r, unsigned size)
{
  uint64_t use[SL_ROUTES_EXPERTS], cached[SL_ROUTES_EXPERTS];
  SlLfu    lfu = { .n = r->n, .use = use, .cached = cached };
  uint16_t row[SL_ROUTES_SLOTS];
  uint64_t hits = 0;

  sl_lfu_begin (&lfu, size);
  for (size_t t = 0; t < r->tokens; t++)
    hits += sl_lfu_token (&lfu, sl_routes_row (r, t, row), row);
  return hits;
}

/* The best possible cache: what of it is known while tokens pass. */
typedef struct
{
  unsigned  n, size, held;
  uint32_t *after;                  /* (T, k) the token that needs the same expert next; T: none */
  uint32_t  use[SL_ROUTES_EXPERTS]; /* of what is in the cache: 1 + the next token that needs it */
} Belady;

/* Fills `after`, the experts of a token without empty slots. */
static void
look_ahead (const SlRoutes *r, uint32_t *after)
{
  uint32_t upcoming[SL_ROUTES_EXPERTS];
  uint16_t row[SL_ROUTES_SLOTS];

  for (unsigned i = 0; i < r->n; i++)
    upcoming[i] = (uint32_t) r->tokens;
  for (size_t t = r->tokens; t-- > 0;)
    {
      unsigned k = sl_routes_row (r, t, row);

      for (unsigned s = 0; s < k; s++)
        after[t * r->k + s] = upcoming[row[s]];
      for (unsigned s = 0; s < k; s++)
        upcoming[row[s]] = (uint32_t) t;
    }
}

/* What is needed again last, the higher number of equal ones; n where nothing can go. */
static unsigned
furthest_use (unsigned n, const uint32_t *use)
{
  unsigned furthest = n;
  uint32_t latest = 1;

  for (unsigned i = 0; i < n; i++)
    if (use[i] >= latest)
      {
        latest = use[i];
        furthest = i;
      }
  return furthest;
}

static unsigned
belady_token (Belady *b, unsigned k, const uint16_t *row, const uint32_t *after)
{
  bool     missing[SL_ROUTES_SLOTS];
  unsigned hits = 0, out;

  for (unsigned s = 0; s < k; s++)
    {
      missing[s] = b->use[row[s]] == 0;
      hits += !missing[s];
      b->use[row[s]] = 0; /* not to be chosen */
    }
  for (unsigned s = 0; s < k; s++)
    {
      if (!missing[s])
        continue;
      if (b->held == b->size)
        {
          if ((out = furthest_use (b->n, b->use)) == b->n)
            continue;
          b->use[out] = 0;
        }
      else
        b->held++;
      missing[s] = false;
    }
  for (unsigned s = 0; s < k; s++)
    b->use[row[s]] = missing[s] ? 0 : after[s] + 1;
  return hits;
}

SlStatus
sl_routes_best (const SlRoutes *r, unsigned size, uint64_t *hits)
{
  Belady   b = { .n = r->n, .size = size };
  uint16_t row[SL_ROUTES_SLOTS];

  *hits = 0;
  b.after = malloc ((r->tokens * r->k + 1) * sizeof *b.after);
  if (b.after == NULL)
    return sl_status_no_memory ("uses of experts");
  look_ahead (r, b.after);
  for (size_t t = 0; t < r->tokens; t++)
    *hits += belady_token (&b, sl_routes_row (r, t, row), row, b.after + t * r->k);
  free (b.after);
  return SL_SUCCESS;
}

void
sl_routes_static (const SlRoutes *r, double *served)
{
  size_t   half = r->tokens / 2;
  SlRoutes learn = sl_routes_part (r, 0, half), judge = sl_routes_part (r, half, r->tokens - half);
  uint16_t order[SL_ROUTES_EXPERTS];
  uint64_t load[SL_ROUTES_EXPERTS], sum = 0, all;

  sl_routes_load (&learn, load);
  sl_load_order (r->n, load, order);
  sl_routes_load (&judge, load);
  all = sl_load_sum (r->n, load);
  for (unsigned c = 0; c < r->n; c++)
    {
      sum += load[order[c]];
      served[c] = all > 0 ? (double) sum / (double) all : 0.0;
    }
}

unsigned
sl_cache_places (unsigned asked, unsigned n)
{
  if (asked == 0)
    return (n + 3) / 4;
  return asked < n ? asked : n;
}

unsigned
sl_cache_sizes (unsigned n, unsigned k, unsigned sizes[SL_CACHE_SIZES])
{
  unsigned wanted[SL_CACHE_SIZES] = { k, (n + 7) / 8, (n + 3) / 4, (n + 1) / 2, (3 * n + 3) / 4 };
  unsigned found = 0, last = 0;

  for (unsigned round = 0; round < SL_CACHE_SIZES; round++)
    {
      unsigned next = n + 1;

      for (unsigned i = 0; i < SL_CACHE_SIZES; i++)
        {
          unsigned size = wanted[i] < n ? wanted[i] : n;

          if (size > last && size < next)
            next = size;
        }
      if (next > n)
        break;
      sizes[found++] = last = next;
    }
  return found;
}
