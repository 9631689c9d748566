/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/routes.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

SlRoutes
sl_routes_part (const SlRoutes *r, size_t first, size_t tokens)
{
  SlRoutes part = *r;

  assert (first <= r->tokens && tokens <= r->tokens - first);
  part.tokens = tokens;
  part.ids = (const uint8_t *) r->ids + first * r->k * r->bytes;
  return part;
}

void
sl_routes_load (const SlRoutes *r, uint64_t *load)
{
  uint16_t row[SL_ROUTES_SLOTS];

  memset (load, 0, r->n * sizeof *load);
  for (size_t t = 0; t < r->tokens; t++)
    for (unsigned s = 0, k = sl_routes_row (r, t, row); s < k; s++)
      load[row[s]]++;
}

double
sl_routes_slots (const SlRoutes *r)
{
  uint16_t row[SL_ROUTES_SLOTS];
  uint64_t sum = 0, squares = 0;

  for (size_t t = 0; t < r->tokens; t++)
    {
      uint64_t k = sl_routes_row (r, t, row);

      sum += k;
      squares += k * k;
    }
  return sum > 0 ? (double) squares / (double) sum : 0.0;
}

uint64_t
sl_load_sum (unsigned n, const uint64_t *load)
{
  uint64_t sum = 0;

  for (unsigned i = 0; i < n; i++)
    sum += load[i];
  return sum;
}

/* Whether a comes behind b. */
static bool
is_behind (const double *weight, uint16_t a, uint16_t b)
{
  return weight[a] < weight[b] || (weight[a] == weight[b] && a > b);
}

/* Lets the number at `from` sink in a heap of n whose first is the one that comes last. */
static void
sink_into_heap (unsigned n, const double *weight, uint16_t *heap, unsigned from)
{
  uint16_t moved = heap[from];
  unsigned below;

  while ((below = 2 * from + 1) < n)
    {
      if (below + 1 < n && is_behind (weight, heap[below + 1], heap[below]))
        below++;
      if (!is_behind (weight, heap[below], moved))
        break;
      heap[from] = heap[below];
      from = below;
    }
  heap[from] = moved;
}

void
sl_order_falling (unsigned n, const double *weight, uint16_t *order)
{
  for (unsigned i = 0; i < n; i++)
    order[i] = (uint16_t) i;
  for (unsigned i = n / 2; i-- > 0;)
    sink_into_heap (n, weight, order, i);
  for (unsigned left = n; left-- > 1;)
    {
      uint16_t last = order[0];

      order[0] = order[left];
      order[left] = last;
      sink_into_heap (left, weight, order, 0);
    }
}

void
sl_load_order (unsigned n, const uint64_t *load, uint16_t *order)
{
  double weight[SL_ROUTES_EXPERTS];

  for (unsigned i = 0; i < n; i++)
    weight[i] = (double) load[i];
  sl_order_falling (n, weight, order);
}

unsigned
sl_load_hot (unsigned n, double percent)
{
  double m = ceil ((double) n * percent / 100.0 - 1e-9);

  return m < 1.0 ? 1 : m < (double) n ? (unsigned) m : n;
}
