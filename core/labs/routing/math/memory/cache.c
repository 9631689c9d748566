/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/memory/cache.h"

#include <string.h>

#include "core/labs/routing/math/memory/memory.h"
#include "core/nn/kernels/clones.h"

/* A stack of the experts for all sizes at once, what was used last on top: one at place p is found in every cache of more
 * than p places.  place (n) in it, from 0; n: never used.  */
typedef struct
{
  unsigned  n;
  uint16_t *place;
} Lru;

/* Moves down by one what is above a place of the stack. */
SL_CLONES static void
sink_above (unsigned n, uint16_t *place, uint16_t from)
{
  for (unsigned i = 0; i < n; i++)
    place[i] = (uint16_t) (place[i] + (place[i] < from));
}

/* Looks up the k experts of a token, and puts each on top; place (k) where they were before. */
static void
look_up (const Lru *lru, unsigned k, const uint16_t *row, uint16_t *place)
{
  for (unsigned s = 0; s < k; s++)
    place[s] = lru->place[row[s]];
  for (unsigned s = 0; s < k; s++)
    {
      sink_above (lru->n, lru->place, lru->place[row[s]]);
      lru->place[row[s]] = 0;
    }
}

uint64_t
sl_routes_lru (const SlRoutes *r, uint64_t *hits)
{
  uint16_t stack[SL_ROUTES_EXPERTS], row[SL_ROUTES_SLOTS], place[SL_ROUTES_SLOTS];
  Lru      lru = { .n = r->n, .place = stack };
  uint64_t first_uses = 0;

  memset (hits, 0, r->n * sizeof *hits);
  for (unsigned i = 0; i < r->n; i++)
    stack[i] = (uint16_t) r->n;
  for (size_t t = 0; t < r->tokens; t++)
    {
      unsigned k = sl_routes_row (r, t, row);

      look_up (&lru, k, row, place);
      for (unsigned s = 0; s < k; s++)
        ++*(place[s] < r->n ? &hits[place[s]] : &first_uses);
    }
  for (unsigned c = 1; c < r->n; c++)
    hits[c] += hits[c - 1];
  return first_uses;
}

/* ---- as the cache of one layer, token by token (memory.h) ---- */

static SlStatus
read_routes (void *data, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  const SlRoutes *r = data;

  (void) layer;
  for (size_t t = 0; t < n; t++)
    {
      unsigned k = sl_routes_row (r, first + t, ids + t * r->k);

      for (unsigned s = k; s < r->k; s++)
        ids[t * r->k + s] = UINT16_MAX;
    }
  return SL_SUCCESS;
}

static SlStatus
replay (const SlRoutes *r, unsigned                                                           size,
        SlStatus (*policy) (const SlTurns *turns, size_t places, SlTurnHits *hits), uint64_t *hits)
{
  static const unsigned layer = 0;
  SlTurnSource          source = { .read = read_routes,
                                   .data = (void *) r,
                                   .layer = &layer,
                                   .layers = 1,
                                   .n = r->n,
                                   .k = r->k,
                                   .tokens = r->tokens };
  SlTurnHits            of = { 0 };
  SlTurns               turns;
  SlStatus              status = sl_turns_read (&source, SIZE_MAX, NULL, NULL, &turns);

  if (sl_ok (&status))
    status = policy (&turns, size, &of);
  sl_turns_clear (&turns);
  *hits = of.of[SL_TURNS_ALL];
  return status;
}

SlStatus
sl_routes_lfu (const SlRoutes *r, unsigned size, uint64_t *hits)
{
  return replay (r, size, sl_turns_lfu, hits);
}

SlStatus
sl_routes_best (const SlRoutes *r, unsigned size, uint64_t *hits)
{
  return replay (r, size, sl_turns_best, hits);
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
