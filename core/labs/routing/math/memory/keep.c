/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/memory/keep.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const uint64_t *
first_of (const SlKeepLoads *loads, unsigned layer)
{
  return loads->first + (size_t) layer * loads->n;
}

static bool
has_loads (const SlKeepLoads *loads, unsigned layer)
{
  return sl_load_sum (loads->n, first_of (loads, layer)) > 0;
}

void
sl_keep_order (const SlKeepLoads *loads, uint16_t *order)
{
  for (unsigned l = 0; l < loads->layers; l++)
    sl_load_order (loads->n, first_of (loads, l), order + (size_t) l * loads->n);
}

/* Mean over layers of the share of their routings that is kept, and the least one; NaN: no layer has any. */
static double
cover (const SlKeepLoads *loads, const uint64_t *load, const uint16_t *order, const unsigned *count,
       double *least)
{
  double   sum = 0.0;
  unsigned layers = 0;

  *least = NAN;
  for (unsigned l = 0; l < loads->layers; l++)
    {
      const uint64_t *here = load + (size_t) l * loads->n;
      uint64_t        all = sl_load_sum (loads->n, here), kept = 0;
      double          share;

      if (all == 0 || !has_loads (loads, l))
        continue;
      for (unsigned i = 0; i < count[l]; i++)
        kept += here[order[(size_t) l * loads->n + i]];
      share = (double) kept / (double) all;
      sum += share;
      *least = layers++ == 0 || share < *least ? share : *least;
    }
  return layers > 0 ? sum / layers : NAN;
}

/* Counts what is kept and judges it. */
static void
judge (const SlKeepLoads *loads, const uint16_t *order, SlKept *kept)
{
  double least;

  kept->experts = 0;
  for (unsigned l = 0; l < loads->layers; l++)
    kept->experts += kept->count[l];
  kept->coverage = cover (loads, loads->first, order, kept->count, &least);
  kept->judged = loads->second != NULL
                   ? cover (loads, loads->second, order, kept->count, &kept->judged_least)
                   : NAN;
  if (loads->second == NULL)
    kept->judged_least = NAN;
}

/* So many of each layer, of which one without loads keeps all. */
static void
count_equal (const SlKeepLoads *loads, unsigned per_layer, unsigned *count)
{
  for (unsigned l = 0; l < loads->layers; l++)
    count[l] = has_loads (loads, l) ? per_layer : loads->n;
}

void
sl_keep_equal (const SlKeepLoads *loads, const uint16_t *order, unsigned per_layer, SlKept *kept)
{
  count_equal (loads, per_layer > loads->least ? per_layer : loads->least, kept->count);
  judge (loads, order, kept);
}

unsigned
sl_keep_equal_for (const SlKeepLoads *loads, const uint16_t *order, double target, SlKept *kept)
{
  unsigned low = loads->least, high = loads->n;
  double   least;

  while (low < high)
    {
      unsigned middle = (low + high) / 2;

      count_equal (loads, middle, kept->count);
      if (cover (loads, loads->first, order, kept->count, &least) < target)
        low = middle + 1;
      else
        high = middle;
    }
  sl_keep_equal (loads, order, low, kept);
  return low;
}

static int
by_share (const void *a, const void *b)
{
  const SlKeepRank *x = a, *y = b;

  if (x->share != y->share)
    return x->share < y->share ? 1 : -1;
  return (x->item > y->item) - (x->item < y->item);
}

void
sl_keep_rank (const SlKeepLoads *loads, SlKeepRank *ranking)
{
  for (unsigned l = 0; l < loads->layers; l++)
    {
      const uint64_t *load = first_of (loads, l);
      uint64_t        all = sl_load_sum (loads->n, load);

      for (unsigned e = 0; e < loads->n; e++)
        ranking[l * loads->n + e]
          = (SlKeepRank) { all > 0 ? (double) load[e] / (double) all : -1.0, l * loads->n + e };
    }
  qsort (ranking, (size_t) loads->layers * loads->n, sizeof *ranking, by_share);
}

/* The least of each layer, and so many of the others. */
static void
count_free (const SlKeepLoads *loads, const SlKeepRank *ranking, size_t others, unsigned *count)
{
  unsigned seen[SL_KEEP_LAYERS] = { 0 };

  count_equal (loads, loads->least, count);
  for (size_t i = 0; others > 0 && i < (size_t) loads->layers * loads->n; i++)
    {
      unsigned layer = ranking[i].item / loads->n;

      if (ranking[i].share >= 0.0 && seen[layer]++ >= loads->least)
        {
          count[layer]++;
          others--;
        }
    }
}

/* Experts that layers keep in any case, and all there are. */
static void
count_bounds (const SlKeepLoads *loads, size_t *least, size_t *all)
{
  *least = 0;
  *all = (size_t) loads->layers * loads->n;
  for (unsigned l = 0; l < loads->layers; l++)
    *least += has_loads (loads, l) ? loads->least : loads->n;
}

void
sl_keep_free (const SlKeepLoads *loads, const uint16_t *order, const SlKeepRank *ranking,
              size_t experts, SlKept *kept)
{
  size_t least, all;

  count_bounds (loads, &least, &all);
  count_free (loads, ranking, experts > least ? experts - least : 0, kept->count);
  judge (loads, order, kept);
}

void
sl_keep_free_for (const SlKeepLoads *loads, const uint16_t *order, const SlKeepRank *ranking,
                  double target, SlKept *kept)
{
  size_t low = 0, high, least;
  double smallest;

  count_bounds (loads, &least, &high);
  for (high -= least; low < high;)
    {
      size_t middle = (low + high) / 2;

      count_free (loads, ranking, middle, kept->count);
      if (cover (loads, loads->first, order, kept->count, &smallest) < target)
        low = middle + 1;
      else
        high = middle;
    }
  count_free (loads, ranking, low, kept->count);
  judge (loads, order, kept);
}
