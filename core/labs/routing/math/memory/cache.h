/* SPDX-License-Identifier: MIT
 *
 * Caches of experts, one a layer, for models that do not fit into memory.  All experts of a token are
 * looked up together, before any is loaded: a hit is one that was there before the token.  First
 * uses are misses.  */
#pragma once

#include "core/base/arena.h"
#include "core/labs/routing/math/routes.h"

/* Least recently used, for all sizes at once: a stack of the experts, what was used last on top.  One
 * at place p is found in every cache of more than p places.  */
typedef struct
{
  unsigned  n;
  uint16_t *place; /* (n) in the stack, from 0; n: never used */
} SlLru;

void sl_lru_carve (SlLru *lru, SlArena *arena, unsigned n);
void sl_lru_begin (SlLru *lru);

/* Looks up the k experts of a token, and puts each on top; place (k) where they were before. */
void sl_lru_token (SlLru *lru, unsigned k, const uint16_t *row, uint16_t *place);

/* Least frequently used, over the whole past; of equal ones, what was used last longest ago. */
typedef struct
{
  unsigned  n, size, held;
  uint64_t *use;    /* (n) count << 32 | time of the last use */
  uint64_t *cached; /* (n) the same of what is in the cache, else all ones */
  uint32_t  now;
} SlLfu;

void sl_lfu_carve (SlLfu *lfu, SlArena *arena, unsigned n);
void sl_lfu_begin (SlLfu *lfu, unsigned size);

/* From the next token on there are so many places; those too many are evicted. */
void sl_lfu_resize (SlLfu *lfu, unsigned size);

/* Hits of a token. */
unsigned sl_lfu_token (SlLfu *lfu, unsigned k, const uint16_t *row);

/* Hits of all tokens with 1, 2, … n places (n); returns the first uses. */
uint64_t sl_routes_lru (const SlRoutes *r, uint64_t *hits);

/* Hits with so many places.  The best possible cache evicts what is needed again last (Belady 1966);
 * of equal ones the higher number.  SL_ENOMEM.  */
uint64_t sl_routes_lfu (const SlRoutes *r, unsigned size);
SlStatus sl_routes_best (const SlRoutes *r, unsigned size, uint64_t *hits);

/* A fixed set: share of the second half's routings that the 1, 2, … n busiest of the first half
 * serve (n); zeros where it has none.  */
void sl_routes_static (const SlRoutes *r, double *served);

enum { SL_CACHE_SIZES = 5 };

/* Places of a cache: as asked, at most n; 0: a quarter of the experts, rounded up. */
unsigned sl_cache_places (unsigned asked, unsigned n);

/* Cache sizes to compare, rising and different: k, ⌈n/8⌉, ⌈n/4⌉, ⌈n/2⌉, ⌈3n/4⌉.  Returns how
 * many.  */
unsigned sl_cache_sizes (unsigned n, unsigned k, unsigned sizes[SL_CACHE_SIZES]);
