/* SPDX-License-Identifier: MIT
 *
 * Caches of experts, one a layer, for models that do not fit into memory.  All experts of a token are
 * looked up together, before any is loaded: a hit is one that was there before the token.  First
 * uses are misses.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* Hits of all tokens with 1, 2, … n places (n) of what was used last; returns the first uses. */
uint64_t sl_routes_lru (const SlRoutes *r, uint64_t *hits);

/* Hits with so many places, of LFU and of the best possible cache (memory.h).  SL_ENOMEM.  */
SlStatus sl_routes_lfu (const SlRoutes *r, unsigned size, uint64_t *hits);
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
