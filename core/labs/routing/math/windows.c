/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
sl_routes_windows (const SlRoutes *r, size_t w, uint64_t *loads)
{
  for (size_t t = 0; t < r->tokens; t += w, loads += r->n)
    {
      SlRoutes part = sl_routes_part (r, t, r->tokens - t < w ? r->tokens - t : w);

      sl_routes_load (&part, loads);
    }
}

static int
compare_tokens (const void *a, const void *b)
{
  size_t x = *(const size_t *) a, y = *(const size_t *) b;

  return (x > y) - (x < y);
}

size_t
sl_median_tokens (size_t n, size_t *tokens)
{
  qsort (tokens, n, sizeof *tokens, compare_tokens);
  return (tokens[(n - 1) / 2] + tokens[n / 2]) / 2;
}

/* The load of m experts. */
static uint64_t
load_of (unsigned m, const uint16_t *experts, const uint64_t *load)
{
  uint64_t sum = 0;

  for (unsigned i = 0; i < m; i++)
    sum += load[experts[i]];
  return sum;
}

static unsigned
n_shared (unsigned m, const uint16_t *a, const uint16_t *b)
{
  unsigned char in_a[SL_ROUTES_EXPERTS] = { 0 };
  unsigned      shared = 0;

  for (unsigned i = 0; i < m; i++)
    in_a[a[i]] = 1;
  for (unsigned i = 0; i < m; i++)
    shared += in_a[b[i]];
  return shared;
}

SlRoutesHot
sl_routes_hot (unsigned n, unsigned m, const uint64_t *before, const uint64_t *after)
{
  uint16_t a[SL_ROUTES_EXPERTS], b[SL_ROUTES_EXPERTS];
  double   sum = (double) sl_load_sum (n, after);
  unsigned shared;

  sl_load_order (n, before, a);
  sl_load_order (n, after, b);
  shared = n_shared (m, a, b);
  return (SlRoutesHot) {
    .jaccard = (double) shared / (2 * m - shared),
    .carry = sum > 0.0 ? (double) load_of (m, a, after) / sum : NAN,
    .inside = sum > 0.0 ? (double) load_of (m, b, after) / sum : NAN,
  };
}

SlRoutesHot
sl_routes_hot_mean (unsigned n, unsigned m, size_t windows, const uint64_t *loads, double *jaccard)
{
  SlRoutesHot sum = { 0 };
  double      served = 0.0, pairs = windows > 1 ? (double) (windows - 1) : 0.0;

  for (size_t w = 1; w < windows; w++)
    {
      SlRoutesHot hot = sl_routes_hot (n, m, loads + (w - 1) * n, loads + w * n);

      sum.jaccard += hot.jaccard;
      if (jaccard != NULL)
        jaccard[w - 1] = hot.jaccard;
      if (isnan (hot.carry))
        continue;
      sum.carry += hot.carry;
      sum.inside += hot.inside;
      served += 1.0;
    }
  return (SlRoutesHot) { sum.jaccard / pairs, sum.carry / served, sum.inside / served };
}

double
sl_routes_jaccard_by_chance (unsigned n, unsigned m)
{
  return (double) m / (2 * n - m);
}

/* Different experts of all tokens of r. */
static unsigned
n_different (const SlRoutes *r)
{
  unsigned char seen[SL_ROUTES_EXPERTS] = { 0 };
  uint16_t      row[SL_ROUTES_SLOTS];
  unsigned      different = 0;

  for (size_t t = 0; t < r->tokens; t++)
    for (unsigned s = 0, k = sl_routes_row (r, t, row); s < k; s++)
      {
        different += !seen[row[s]];
        seen[row[s]] = 1;
      }
  return different;
}

double
sl_routes_touched (const SlRoutes *r, size_t b)
{
  size_t   groups = r->tokens / b;
  uint64_t sum = 0;

  for (size_t g = 0; g < groups; g++)
    {
      SlRoutes part = sl_routes_part (r, g * b, b);

      sum += n_different (&part);
    }
  return groups > 0 ? (double) sum / (double) groups : NAN;
}

double
sl_routes_touched_by_chance (unsigned n, unsigned k, size_t b)
{
  return n * (1.0 - pow (1.0 - (double) k / n, (double) b));
}

static int
compare_sizes (const void *a, const void *b)
{
  size_t x = ((const SlPassesTouched *) a)->size, y = ((const SlPassesTouched *) b)->size;

  return (x > y) - (x < y);
}

/* Joins those of one size, whose `mean` is a sum till then; returns how many are left. */
static size_t
join_sizes (size_t n, SlPassesTouched *touched)
{
  size_t kept = 0;

  qsort (touched, n, sizeof *touched, compare_sizes);
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && touched[kept - 1].size == touched[i].size)
      {
        touched[kept - 1].passes++;
        touched[kept - 1].mean += touched[i].mean;
      }
    else
      touched[kept++] = touched[i];
  for (size_t i = 0; i < kept; i++)
    touched[i].mean /= (double) touched[i].passes;
  return kept;
}

SlStatus
sl_routes_passes_touched (const SlRoutes *r, size_t passes, const uint32_t *tokens, size_t most,
                          SlPassesTouched *touched, size_t *n)
{
  SlPassesTouched *all = calloc (passes > 0 ? passes : 1, sizeof *all);
  size_t           first = 0;

  if (all == NULL)
    return sl_status_no_memory ("passes");
  for (size_t p = 0; p < passes; p++)
    {
      SlRoutes part = sl_routes_part (r, first, tokens[p]);

      all[p] = (SlPassesTouched) { tokens[p], 1, n_different (&part) };
      first += tokens[p];
    }
  *n = join_sizes (passes, all);
  *n = *n < most ? *n : most;
  memcpy (touched, all, *n * sizeof *touched);
  free (all);
  return SL_SUCCESS;
}
