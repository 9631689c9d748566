/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on what fits: caches of experts, and the capacity of an expert.  */
#include <math.h>

#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/probes.h"

enum { FACTORS = 21, MOST_FOR_BEST = 10000000 };

/* ---- Caches ---- */

/* Hits of all sizes do not change in a run. */
static void
measure_lru (SlRoutingLab *s, double routings)
{
  uint64_t hits[SL_ROUTES_EXPERTS];

  if (s->lru_done)
    return;
  sl_routes_lru (&s->routes, hits);
  for (unsigned c = 0; c < s->n; c++)
    s->lru_share[c] = 100.0 * (double) hits[c] / routings;
  s->lru_done = true;
}

/* The few sizes worth a look and the one that is set, rising. */
static unsigned
choose_sizes (const SlRoutingLab *s, unsigned sizes[SL_CACHE_SIZES + 1])
{
  unsigned n = sl_cache_sizes (s->n, s->k, sizes), places = sl_routing_places (s), at = 0;

  while (at < n && sizes[at] < places)
    at++;
  if (at < n && sizes[at] == places)
    return n;
  for (unsigned i = n; i > at; i--)
    sizes[i] = sizes[i - 1];
  sizes[at] = places;
  return n + 1;
}

/* Hits of the best cache at a size in %, NaN where that takes too long. */
static double
best_share (SlProbe *p, const SlRoutingLab *s, unsigned size, double routings)
{
  uint64_t hits;

  if (routings > MOST_FOR_BEST || sl_probe_cancelled (p)
      || !sl_probe_ok (p, sl_routes_best (&s->routes, size, &hits)))
    return NAN;
  return 100.0 * (double) hits / routings;
}

/* Fixed sets: in hindsight, and chosen in the first half for the second. */
static void
add_fixed (SlProbe *p, const SlRoutingLab *s)
{
  double *share = sl_probe_room (p, 3 * (size_t) s->n, sizeof *share);

  if (share == NULL)
    return;
  sl_routing_balance (s, s->layer, share);
  sl_routes_static (&s->routes, share + s->n);
  for (unsigned c = 0; c < s->n; c++)
    {
      share[c] *= 100.0;
      share[s->n + c] *= 100.0;
      share[2 * s->n + c] = 100.0 * (c + 1) / s->n;
    }
  sl_probe_values (p, T_HINDSIGHT, 0, 1, s->n, share);
  sl_probe_values (p, T_HELD_OUT, 0, 1, s->n, share + s->n);
  sl_probe_values (p, T_ANY, 0, 1, s->n, share + 2 * s->n);
}

static void
say_cache (SlProbe *p, const SlRoutingLab *s, double best)
{
  unsigned places = sl_routing_places (s);
  double   lru = s->lru_share[places - 1], any = 100.0 * places / s->n;

  if (lru > any)
    sl_probe_note (p, "LRU with %u of %u hits %.1f %%; any %u: %.1f %%", places, s->n, lru, places,
                   any);
  else
    sl_probe_note (p, "LRU with %u of %u hits %.1f %%, no more than any %u: %.1f %%", places, s->n,
                   lru, places, any);
  if (isfinite (best))
    sl_probe_note (p, "; best possible: %.1f %%.", best);
  else
    sl_probe_note (p, ".");
}

void
sl_routing_probe_cache (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  unsigned      sizes[SL_CACHE_SIZES + 1], n, places = sl_routing_places (s), with_best = 0;
  double        x[SL_CACHE_SIZES + 1], lfu[SL_CACHE_SIZES + 1], best[SL_CACHE_SIZES + 1];
  double        routings = (double) sl_load_sum (s->n, s->load), chosen = NAN;

  if (!sl_routing_has_tokens (p, s))
    return;
  measure_lru (s, routings);
  n = choose_sizes (s, sizes);
  for (unsigned i = 0; i < n; i++)
    {
      x[i] = sizes[i];
      lfu[i] = 100.0 * (double) sl_routes_lfu (&s->routes, sizes[i]) / routings;
      best[i] = best_share (p, s, sizes[i], routings);
      with_best += isfinite (best[i]);
      chosen = sizes[i] == places ? best[i] : chosen;
    }
  if (!sl_ok (&p->status))
    return;
  sl_probe_values (p, T_LRU, 0, 1, s->n, s->lru_share);
  sl_probe_points (p, T_LFU, 0, n, x, lfu);
  sl_probe_points (p, T_BEST, 0, with_best == n ? n : 0, x, best);
  add_fixed (p, s);
  p->snapshot->mark = places;
  say_cache (p, s, chosen);
}

/* ---- Capacity ---- */

static double
dropped_at (const SlRoutingLab *s, double factor, double *hurt)
{
  SlDropped d;

  *hurt = NAN;
  if (!s->has_tokens)
    return 100.0 * sl_loads_dropped (s->n, s->k, s->windows, s->loads, s->tokens, factor);
  d = sl_routes_dropped_in (&s->routes, s->windows, s->first, factor);
  *hurt = 100.0 * d.hurt;
  return 100.0 * d.dropped;
}

void
sl_routing_probe_capacity (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  double        x[FACTORS], dropped[FACTORS], hurt[FACTORS], factor, here, tokens;

  if (s->windows == 0)
    {
      sl_routing_has_tokens (p, s);
      return;
    }
  for (unsigned i = 0; i < FACTORS; i++)
    {
      if (sl_probe_cancelled (p))
        return;
      x[i] = 0.25 * exp2 (5.0 * i / (FACTORS - 1)); /* 0.25 … 8 */
      dropped[i] = dropped_at (s, x[i], &hurt[i]);
    }
  sl_probe_points (p, T_DROPPED, 0, FACTORS, x, dropped);
  sl_probe_points (p, T_HURT, 0, s->has_tokens ? FACTORS : 0, x, hurt);
  factor = sl_value_of (&s->base, P_CAPACITY);
  p->snapshot->mark = factor;
  here = dropped_at (s, factor, &tokens);
  if (here > 0.0 && s->has_tokens)
    sl_probe_note (
      p, "At factor %.2f %.1f %% of the routings are dropped, and %.1f %% of the tokens lose one.",
      factor, here, tokens);
  else if (here > 0.0)
    sl_probe_note (p, "At factor %.2f %.1f %% of the routings are dropped.", factor, here);
  else
    sl_probe_note (p, "At factor %.2f nothing is dropped.", factor);
}
