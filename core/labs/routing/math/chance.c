/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/chance.h"

#include <math.h>

double
sl_normal_quantile (double p)
{
  double low = -40.0, high = 40.0;

  for (int i = 0; i < 64; i++)
    {
      double middle = (low + high) / 2.0;

      if (0.5 * erfc (-middle / sqrt (2.0)) < p)
        low = middle;
      else
        high = middle;
    }
  return (low + high) / 2.0;
}

/* Γ (n/2) ÷ Γ ((n - 1)/2), n >= 2. */
static double
gamma_ratio (unsigned n)
{
  double ratio = 1.0 / sqrt (acos (-1.0));

  for (unsigned i = 2; i < n; i++)
    ratio = (i - 1) / 2.0 / ratio;
  return ratio;
}

SlRoutesChance
sl_routes_chance (unsigned n, double routings, double slots)
{
  SlRoutesChance c = { .peak = 1.0, .effective = n };
  double         v = n - 1.0, h;

  if (isnan (slots))
    return (SlRoutesChance) { .floor = NAN,
                              .floor_mean = NAN,
                              .floor_95 = NAN,
                              .peak = NAN,
                              .effective = NAN,
                              .gini = NAN,
                              .dead = NAN };
  if (n < 2 || !(routings > 0.0))
    return c;
  h = 2.0 / (9.0 * v);
  c.floor = sqrt (fmax (0.0, (n - slots) / routings));
  c.floor_mean = sqrt (2.0 / v) * gamma_ratio (n) * c.floor;
  c.floor_95 = c.floor * pow (1.0 - h + 1.6448536269514722 * sqrt (h), 1.5);
  c.peak = 1.0 + c.floor * sqrt (n / v) * sl_normal_quantile ((n - 0.375) / (n + 0.25));
  c.effective = n * exp (-(n - slots) / (2.0 * routings));
  c.gini = c.floor * sqrt (v / n) / sqrt (acos (-1.0));
  c.dead = n * exp (routings / slots * log1p (-fmin (slots / n, 1.0)));
  return c;
}

double
sl_routes_dead_by_chance (const SlRoutes *r)
{
  uint16_t row[SL_ROUTES_SLOTS];
  uint64_t tokens[SL_ROUTES_SLOTS + 1] = { 0 }; /* with so many experts */
  double   log_share = 0.0;

  for (size_t t = 0; t < r->tokens; t++)
    tokens[sl_routes_row (r, t, row)]++;
  for (unsigned k = 1; k <= r->k; k++)
    if (tokens[k] > 0)
      log_share += (double) tokens[k] * log1p (-(double) k / r->n);
  return r->n * exp (log_share);
}
