/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/drop.h"

#include <math.h>
#include <string.h>

uint64_t
sl_expert_capacity (double factor, size_t tokens, double k, unsigned n)
{
  return (uint64_t) fmax (0.0, ceil (factor * (double) tokens * k / n - 1e-9));
}

uint64_t
sl_load_beyond (unsigned n, const uint64_t *load, uint64_t capacity)
{
  uint64_t beyond = 0;

  for (unsigned i = 0; i < n; i++)
    beyond += load[i] > capacity ? load[i] - capacity : 0;
  return beyond;
}

double
sl_loads_dropped (unsigned n, double k, size_t windows, const uint64_t *loads, const size_t *tokens,
                  double factor)
{
  uint64_t lost = 0, all = 0;

  for (size_t w = 0; w < windows; w++, loads += n)
    {
      lost += sl_load_beyond (n, loads, sl_expert_capacity (factor, tokens[w], k, n));
      all += sl_load_sum (n, loads);
    }
  return all > 0 ? (double) lost / (double) all : 0.0;
}

/* Counts of what is dropped so far. */
typedef struct
{
  uint64_t routings, lost, hurt, stranded;
} Losses;

static void
serve_window (const SlRoutes *window, uint64_t capacity, Losses *losses)
{
  uint64_t used[SL_ROUTES_EXPERTS];
  uint16_t row[SL_ROUTES_SLOTS];

  memset (used, 0, window->n * sizeof *used);
  for (size_t t = 0; t < window->tokens; t++)
    {
      unsigned k = sl_routes_row (window, t, row), lost = 0;

      for (unsigned s = 0; s < k; s++)
        lost += ++used[row[s]] > capacity;
      losses->routings += k;
      losses->lost += lost;
      losses->hurt += lost > 0;
      losses->stranded += lost > 0 && lost == k;
    }
}

static SlDropped
shares_of (const Losses *losses, size_t tokens)
{
  if (losses->routings == 0)
    return (SlDropped) { 0 };
  return (SlDropped) {
    .dropped = (double) losses->lost / (double) losses->routings,
    .hurt = (double) losses->hurt / (double) tokens,
    .stranded = (double) losses->stranded / (double) tokens,
  };
}

SlDropped
sl_routes_dropped_in (const SlRoutes *r, size_t windows, const size_t *first, double factor)
{
  Losses losses = { 0 };

  for (size_t w = 0; w < windows; w++)
    {
      SlRoutes window = sl_routes_part (r, first[w], first[w + 1] - first[w]);

      serve_window (&window, sl_expert_capacity (factor, window.tokens, r->k, r->n), &losses);
    }
  return shares_of (&losses, r->tokens);
}

SlDropped
sl_routes_dropped (const SlRoutes *r, size_t w, double factor)
{
  Losses losses = { 0 };

  for (size_t t = 0; t < r->tokens; t += w)
    {
      SlRoutes window = sl_routes_part (r, t, r->tokens - t < w ? r->tokens - t : w);

      serve_window (&window, sl_expert_capacity (factor, window.tokens, r->k, r->n), &losses);
    }
  return shares_of (&losses, r->tokens);
}
