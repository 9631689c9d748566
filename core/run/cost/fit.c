/* SPDX-License-Identifier: MIT */
#include "core/run/cost/fit.h"

#include <assert.h>
#include <math.h>

#include "core/base/clock.h"

enum { FEWEST = 3, SWEEPS = 200, USUAL_RUNS = 3 };

/* Of a lab too few runs of which could be timed. */
static const double unknown_error = 0.5;

/* What nine of ten logarithms of a lab's times are within, usually.  It counts as USUAL_RUNS runs: that a few agree may
 * be luck.  */
static const double usual_off = 0.26;

/* Of logarithms of times: what runs differ by anyhow. */
static const double noise = 0.08;

/* What a factor is before anything is timed, and by how much its logarithm may differ from that.  Processors read
 * ahead while they compute. */
static const SlCostTerms usual = { { 1, 1, 1, 0.4, 1, 5 } };
static const double      freedom[SL_N_COST_TERMS] = { 0.2, 0.3, 0.5, 1, 1, 0.5 };

void
sl_cost_learned_init (SlCostLearned *learned)
{
  *learned = (SlCostLearned) {
    .update = usual, .pass = usual, .update_error = unknown_error, .pass_error = unknown_error
  };
}

double
sl_cost_weigh (const SlCostTerms *terms, const SlCostTerms *factor)
{
  double sum = 0;

  for (unsigned i = 0; i < SL_N_COST_TERMS; i++)
    sum += terms->of[i] * factor->of[i];
  return sum;
}

/* One step of Newton's for the logarithm of one factor; runs that are unsure or far off weigh less, `without`
 * nothing. */
static void
improve (unsigned n, const SlCostTimed *run, unsigned without, unsigned term, SlCostTerms *factor)
{
  double held = 1 / (freedom[term] * freedom[term]);
  double slope = -held * log (factor->of[term] / usual.of[term]), curve = held;

  for (unsigned i = 0; i < n; i++)
    {
      double sum = sl_cost_weigh (&run[i].terms, factor), residual = log (run[i].seconds / sum);
      double share = run[i].terms.of[term] * factor->of[term] / sum;
      double spread = hypot (noise, run[i].unsure);
      double weight = 1 / (spread * fmax (spread, fabs (residual)));

      if (i == without)
        continue;
      slope += weight * share * residual;
      curve += weight * share * share;
    }
  factor->of[term] *= exp (fmin (fmax (slope / curve, -0.5), 0.5));
}

static SlCostTerms
fit_without (unsigned n, const SlCostTimed *run, unsigned without)
{
  SlCostTerms factor = usual;

  for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
    for (unsigned term = 0; term < SL_N_COST_TERMS; term++)
      improve (n, run, without, term, &factor);
  return factor;
}

/* By how much the logarithm of a time is off beyond what it is unsure by. */
static double
off_by (const SlCostTimed *run, const SlCostTerms *factor)
{
  double residual = log (run->seconds / sl_cost_weigh (&run->terms, factor));

  return sqrt (fmax (residual * residual - run->unsure * run->unsure, 0));
}

/* Another run is off by less than the r-th smallest of n with a chance of r ÷ (n + 1), whatever the distribution:
 * the r that is meant to hold for nine of ten.  */
static unsigned
rank_within (unsigned n)
{
  unsigned rank = (unsigned) ceil (0.9 * (n + 1));

  return rank < n ? rank : n;
}

/* What another run is within: `off` of n runs, in rising order, and what is usual. */
static double
error_of (unsigned n, const double *off)
{
  double here = off[rank_within (n) - 1], usual_square = USUAL_RUNS * usual_off * usual_off;

  return expm1 (sqrt ((n * here * here + usual_square) / (n + USUAL_RUNS)));
}

void
sl_cost_fit (unsigned n, const SlCostTimed *run, SlCostTerms *factor, double *error)
{
  double off[SL_COST_FIT_MOST];

  assert (n <= SL_COST_FIT_MOST);
  *factor = usual;
  *error = unknown_error;
  if (n < FEWEST)
    return;
  for (unsigned i = 0; i < n; i++)
    {
      SlCostTerms others = fit_without (n, run, i);

      off[i] = off_by (&run[i], &others);
    }
  *factor = fit_without (n, run, n);
  sl_median (off, n);
  *error = error_of (n, off);
}
