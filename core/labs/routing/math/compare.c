/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/compare.h"

#include <assert.h>
#include <math.h>

/* 97.5 % of Student's t with 2 (blocks - 1) = 38 degrees of freedom, and of the normal. */
static const double t_38 = 2.0243941639119702, normal_95 = 1.959963984540054;

static double
divergence_from (double p, double middle)
{
  return p > 0.0 ? 0.5 * p * log2 (p / middle) : 0.0;
}

SlLoadComparison
sl_load_compare (unsigned n, const uint64_t *a, const uint64_t *b, double k_a, double k_b,
                 double *difference, double *binomial)
{
  double routings_a = (double) sl_load_sum (n, a), routings_b = (double) sl_load_sum (n, b);
  double tokens_a = routings_a / k_a, tokens_b = routings_b / k_b, tokens = tokens_a + tokens_b;
  double k = (routings_a + routings_b) / tokens, spread = 0.0;
  SlLoadComparison c = { 0 };

  for (unsigned i = 0; i < n; i++)
    {
      double p = (double) a[i] / routings_a, q = (double) b[i] / routings_b;
      double pool = ((double) a[i] + (double) b[i]) / tokens;
      double sd
        = sqrt (fmax (0.0, pool * (1.0 - fmin (pool, 1.0))) * (1.0 / tokens_a + 1.0 / tokens_b))
          / k;

      c.total_variation += fabs (p - q) / 2.0;
      c.jensen_shannon_bits += divergence_from (p, (p + q) / 2.0);
      c.jensen_shannon_bits += divergence_from (q, (p + q) / 2.0);
      spread += sd;
      if (difference != NULL)
        difference[i] = n * (p - q);
      if (binomial != NULL)
        binomial[i] = normal_95 * n * sd;
    }
  c.total_variation_by_chance = 0.5 * sqrt (2.0 / acos (-1.0)) * spread;
  return c;
}

/* The square of the standard error of expert i's even shares (n), from blocks. */
static void
measure_blocks (const SlRoutes *r, double *variance)
{
  double   mean[SL_ROUTES_EXPERTS] = { 0 };
  uint64_t load[SL_ROUTES_EXPERTS];

  for (unsigned i = 0; i < r->n; i++)
    variance[i] = 0.0;
  for (size_t b = 0; b < SL_COMPARE_BLOCKS; b++)
    {
      size_t   from = b * r->tokens / SL_COMPARE_BLOCKS;
      SlRoutes block = sl_routes_part (r, from, (b + 1) * r->tokens / SL_COMPARE_BLOCKS - from);
      double   sum;

      sl_routes_load (&block, load);
      sum = (double) sl_load_sum (r->n, load);
      for (unsigned i = 0; i < r->n; i++)
        {
          double x = (double) load[i] * r->n / sum, step = x - mean[i];

          mean[i] += step / (double) (b + 1); /* Welford's way, in one pass */
          variance[i] += step * (x - mean[i]);
        }
    }
  for (unsigned i = 0; i < r->n; i++)
    variance[i] /= (double) (SL_COMPARE_BLOCKS * (SL_COMPARE_BLOCKS - 1));
}

/* Fills half_width and counts what is beyond it. */
static void
compare_blocks (const SlRoutes *a, const SlRoutes *b, const double *difference, double *half_width,
                SlLoadComparison *c)
{
  double of_a[SL_ROUTES_EXPERTS], of_b[SL_ROUTES_EXPERTS];

  measure_blocks (a, of_a);
  measure_blocks (b, of_b);
  c->has_interval = true;
  for (unsigned i = 0; i < a->n; i++)
    {
      double half = t_38 * sqrt (of_a[i] + of_b[i]);

      c->has_interval = c->has_interval && !isnan (half);
      c->beyond += fabs (difference[i]) > half;
      if (half_width != NULL)
        half_width[i] = half;
    }
}

SlLoadComparison
sl_routes_compare (const SlRoutes *a, const SlRoutes *b, double *difference, double *binomial,
                   double *half_width)
{
  uint64_t         load_a[SL_ROUTES_EXPERTS], load_b[SL_ROUTES_EXPERTS];
  double           own[SL_ROUTES_EXPERTS];
  SlLoadComparison c;

  assert (a->n == b->n);
  difference = difference != NULL ? difference : own;
  sl_routes_load (a, load_a);
  sl_routes_load (b, load_b);
  c = sl_load_compare (a->n, load_a, load_b, sl_routes_slots (a), sl_routes_slots (b), difference,
                       binomial);
  if (a->tokens >= 2 * SL_COMPARE_BLOCKS && b->tokens >= 2 * SL_COMPARE_BLOCKS)
    compare_blocks (a, b, difference, half_width, &c);
  else
    for (unsigned i = 0; half_width != NULL && i < a->n; i++)
      half_width[i] = NAN;
  return c;
}

static unsigned
n_common (unsigned k, const uint16_t *a, unsigned l, const uint16_t *b)
{
  unsigned common = 0;

  for (unsigned i = 0; i < k; i++)
    for (unsigned j = 0; j < l; j++)
      common += a[i] == b[j];
  return common;
}

SlPairedRoutes
sl_routes_compare_paired (const SlRoutes *a, const SlRoutes *b)
{
  uint16_t x[SL_ROUTES_SLOTS], y[SL_ROUTES_SLOTS];
  uint64_t same = 0, total = 0, exact = 0, top = 0;

  assert (a->tokens == b->tokens);
  for (size_t t = 0; t < a->tokens; t++)
    {
      unsigned k = sl_routes_row (a, t, x), l = sl_routes_row (b, t, y);
      unsigned most = k > l ? k : l, common = n_common (k, x, l, y);

      same += common;
      total += most;
      exact += common == most;
      top += (k == 0 || l == 0) ? k == l : x[0] == y[0];
    }
  return (SlPairedRoutes) {
    .flip = 1.0 - (double) same / (double) total,
    .same_set = (double) exact / (double) a->tokens,
    .top1_flip = 1.0 - (double) top / (double) a->tokens,
  };
}
