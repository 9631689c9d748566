/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/load.h"

#include <math.h>
#include <stdlib.h>

double
sl_load_cv (unsigned n, const uint64_t *load)
{
  double mean = (double) sl_load_sum (n, load) / n, deviations = 0.0;

  if (!(mean > 0.0))
    return 0.0;
  for (unsigned i = 0; i < n; i++)
    deviations += ((double) load[i] - mean) * ((double) load[i] - mean);
  return sqrt (deviations / n) / mean;
}

static double
gini_of (unsigned n, const uint64_t *load, const uint16_t *order, uint64_t routings)
{
  long double sum = 0;

  /* The order falls. */
  for (unsigned i = 0; i < n; i++)
    sum += ((long double) n - 1 - 2 * (long double) i) * (long double) load[order[i]];
  return routings > 0 ? (double) sum / ((double) n * (double) routings) : 0.0;
}

static void
measure_entropy (unsigned n, const uint64_t *load, SlRoutesBalance *b)
{
  double bits = 0.0, nats = 0.0;

  for (unsigned i = 0; i < n; i++)
    if (load[i] > 0)
      {
        double p = (double) load[i] / (double) b->routings;

        bits -= p * log2 (p);
        nats -= p * log (p);
      }
  b->entropy_bits = bits;
  b->effective = b->routings > 0 ? exp (nats) : 0.0;
}

/* Sets `serve` to m where the m busiest are the first to have `percent` of the routings. */
static void
note_share (unsigned m, uint64_t covered, uint64_t routings, unsigned percent, unsigned *serve)
{
  if (*serve == 0 && covered * 100 >= percent * routings)
    *serve = m;
}

static void
measure_coverage (unsigned n, const uint64_t *load, SlRoutesBalance *b, double *coverage)
{
  uint16_t order[SL_ROUTES_EXPERTS];
  uint64_t covered = 0;

  sl_load_order (n, load, order);
  b->gini = gini_of (n, load, order, b->routings);
  for (unsigned m = 1; m <= n; m++)
    {
      covered += load[order[m - 1]];
      if (coverage != NULL)
        coverage[m - 1] = b->routings > 0 ? (double) covered / (double) b->routings : 0.0;
      if (b->routings == 0)
        continue;
      note_share (m, covered, b->routings, 50, &b->serve_50);
      note_share (m, covered, b->routings, 80, &b->serve_80);
      note_share (m, covered, b->routings, 90, &b->serve_90);
    }
}

SlRoutesBalance
sl_load_balance (unsigned n, const uint64_t *load, double slots, double *coverage)
{
  SlRoutesBalance b = { .routings = sl_load_sum (n, load), .peak = 1.0 };
  uint64_t        most = 0;

  for (unsigned i = 0; i < n; i++)
    {
      most = load[i] > most ? load[i] : most;
      b.dead += load[i] == 0;
    }
  if (b.routings > 0)
    b.peak = (double) most * n / (double) b.routings;
  b.maxvio = b.peak - 1.0;
  b.cv = sl_load_cv (n, load);
  b.chance = sl_routes_chance (n, (double) b.routings, slots);
  b.cv_excess
    = isnan (slots) ? NAN : sqrt (fmax (0.0, b.cv * b.cv - b.chance.floor * b.chance.floor));
  measure_entropy (n, load, &b);
  measure_coverage (n, load, &b, coverage);
  return b;
}

static int
compare_values (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

void
sl_quartiles (size_t n, double *values, double quartiles[5])
{
  qsort (values, n, sizeof *values, compare_values);
  for (size_t q = 0; q < 5; q++)
    {
      size_t below = (n - 1) * q / 4, above = below + 1 < n ? below + 1 : below;
      double part = (double) ((n - 1) * q % 4) / 4.0;

      quartiles[q] = values[below] + part * (values[above] - values[below]);
    }
}
