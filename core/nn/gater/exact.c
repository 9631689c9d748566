/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/gater/noise.h"

/* The gates as the enumeration needs them: probability of being on, and the value then. */
typedef struct
{
  double chance[SL_GATER_TOY_MOST], value[SL_GATER_TOY_MOST];
} Gates;

static bool
is_on (size_t state, size_t gate)
{
  return (state >> gate & 1) != 0;
}

static double
weight_of (const SlGaterToy *toy, const Gates *gates, size_t state)
{
  double weight = 1.0;

  for (size_t k = 0; k < toy->gates; k++)
    weight *= is_on (state, k) ? gates->chance[k] : 1.0 - gates->chance[k];
  return weight;
}

/* The loss with the gates h (K), and dloss/dh (K). */
static double
loss_with (const SlGaterToy *toy, const double *h, double *work, double *slope)
{
  double top = -HUGE_VAL, sum = 0.0, at_label;

  memcpy (work, toy->rest, toy->outputs * sizeof *work);
  for (size_t k = 0; k < toy->gates; k++)
    for (size_t c = 0; h[k] != 0.0 && c < toy->outputs; c++)
      work[c] += h[k] * toy->effect[k * toy->outputs + c];
  for (size_t c = 0; c < toy->outputs; c++)
    top = fmax (top, work[c]);
  at_label = work[toy->label];
  for (size_t c = 0; c < toy->outputs; c++)
    sum += work[c] = exp (work[c] - top);
  for (size_t k = 0; k < toy->gates; k++)
    {
      const double *effect = toy->effect + k * toy->outputs;

      slope[k] = -effect[toy->label];
      for (size_t c = 0; c < toy->outputs; c++)
        slope[k] += work[c] / sum * effect[c];
    }
  return log (sum) + top - at_label;
}

static double
loss_of (const SlGaterToy *toy, const Gates *gates, size_t state, double *work, double *slope)
{
  double h[SL_GATER_TOY_MOST];

  for (size_t k = 0; k < toy->gates; k++)
    h[k] = is_on (state, k) ? gates->value[k] : 0.0;
  return loss_with (toy, h, work, slope);
}

/* Adds what an estimate says in one state to its moments. */
static void
add_moments (SlGaterExact *exact, SlGaterEstimator estimator, size_t gates, double weight,
             const double *estimate)
{
  const double *truth = sl_gater_truth (exact, estimator);
  double        product = 0.0, norm = 0.0, true_norm = 0.0, cosine = 0.0;

  for (size_t k = 0; k < gates; k++)
    {
      exact->mean[estimator][k] += weight * estimate[k];
      exact->variance[estimator][k] += weight * estimate[k] * estimate[k];
      product += truth[k] * estimate[k];
      norm += estimate[k] * estimate[k];
      true_norm += truth[k] * truth[k];
    }
  if (norm > 0.0 && true_norm > 0.0)
    cosine = product / sqrt (norm * true_norm);
  exact->cosine[estimator] += weight * cosine;
  exact->spread[estimator] += weight * cosine * cosine;
}

/* The expected loss, its gradient and the baselines, which the estimates below need. */
static void
enumerate_losses (const SlGaterToy *toy, const Gates *gates, double *work, SlGaterExact *exact)
{
  double over[SL_GATER_TOY_MOST] = { 0 }, under[SL_GATER_TOY_MOST] = { 0 };
  double slope[SL_GATER_TOY_MOST];

  for (size_t state = 0; state < (size_t) 1 << toy->gates; state++)
    {
      double weight = weight_of (toy, gates, state);
      double loss = loss_of (toy, gates, state, work, slope);

      exact->loss += weight * loss;
      for (size_t k = 0; k < toy->gates; k++)
        {
          double miss = (double) is_on (state, k) - gates->chance[k];

          /* p (1 - p) (E[L | on] - E[L | off]), written as one mean. */
          exact->exact[k] += weight * miss * loss;
          over[k] += weight * miss * miss * loss;
          under[k] += weight * miss * miss;
        }
    }
  for (size_t k = 0; k < toy->gates; k++)
    exact->baseline[k] = under[k] > 0.0 ? over[k] / under[k] : exact->loss;
}

static void
enumerate_binary (const SlGaterToy *toy, double *work, SlGaterExact *exact)
{
  Gates  gates;
  double slope[SL_GATER_TOY_MOST], estimate[SL_GATER_SMOOTH][SL_GATER_TOY_MOST];

  for (size_t k = 0; k < toy->gates; k++)
    {
      gates.chance[k] = sl_gater_sigmoid (toy->a[k]);
      gates.value[k] = 1.0;
    }
  enumerate_losses (toy, &gates, work, exact);
  for (size_t state = 0; state < (size_t) 1 << toy->gates; state++)
    {
      double weight = weight_of (toy, &gates, state);
      double loss = loss_of (toy, &gates, state, work, slope);

      for (size_t k = 0; k < toy->gates; k++)
        {
          double p = gates.chance[k], miss = (double) is_on (state, k) - p;

          estimate[SL_GATER_BARE][k] = miss * loss;
          estimate[SL_GATER_MEAN_LOSS][k] = miss * (loss - exact->loss);
          estimate[SL_GATER_BEST][k] = miss * (loss - exact->baseline[k]);
          estimate[SL_GATER_STRAIGHT][k] = slope[k];
          estimate[SL_GATER_SLOPED][k] = slope[k] * p * (1.0 - p);
        }
      for (int i = 0; i < SL_GATER_SMOOTH; i++)
        add_moments (exact, (SlGaterEstimator) i, toy->gates, weight, estimate[i]);
    }
}

/* Gates that are √p with probability √p.  The gradient has two parts: a changes how often the gate
 * is on, and what it is then.  */
static void
enumerate_smooth (const SlGaterToy *toy, double *work, SlGaterExact *exact)
{
  Gates  gates;
  double slope[SL_GATER_TOY_MOST], rise[SL_GATER_TOY_MOST], estimate[SL_GATER_TOY_MOST];

  for (size_t k = 0; k < toy->gates; k++)
    {
      double p = sl_gater_sigmoid (toy->a[k]);

      gates.chance[k] = gates.value[k] = sqrt (p);
      rise[k] = 0.5 * sqrt (p) * (1.0 - p);
    }
  for (size_t state = 0; state < (size_t) 1 << toy->gates; state++)
    {
      double weight = weight_of (toy, &gates, state);
      double loss = loss_of (toy, &gates, state, work, slope);

      /* A state that never is adds nothing, and has no slope. */
      for (size_t k = 0; weight > 0.0 && k < toy->gates; k++)
        {
          double root = gates.chance[k], on = is_on (state, k);
          double turn = on != 0.0 ? 1.0 / root : -1.0 / (1.0 - root); /* d log P (state) / d√p */

          exact->exact_smooth[k] += weight * rise[k] * (turn * loss + on * slope[k]);
        }
    }
  for (size_t state = 0; state < (size_t) 1 << toy->gates; state++)
    {
      double weight = weight_of (toy, &gates, state);

      loss_of (toy, &gates, state, work, slope);
      for (size_t k = 0; k < toy->gates; k++)
        estimate[k] = is_on (state, k) ? slope[k] * rise[k] : 0.0;
      add_moments (exact, SL_GATER_SMOOTH, toy->gates, weight, estimate);
    }
}

/* From sums of squares to variances and deviations. */
static void
finish_moments (SlGaterExact *exact, int estimator, size_t gates)
{
  double cosine = exact->cosine[estimator];

  exact->spread[estimator] = sqrt (fmax (exact->spread[estimator] - cosine * cosine, 0.0));
  for (size_t k = 0; k < gates; k++)
    {
      double mean = exact->mean[estimator][k];

      exact->variance[estimator][k] = fmax (exact->variance[estimator][k] - mean * mean, 0.0);
    }
}

void
sl_gater_enumerate (const SlGaterToy *toy, double *work, SlGaterExact *exact)
{
  *exact = (SlGaterExact) { 0 };
  enumerate_binary (toy, work, exact);
  enumerate_smooth (toy, work, exact);
  for (int estimator = 0; estimator <= SL_GATER_SMOOTH; estimator++)
    finish_moments (exact, estimator, toy->gates);
}

/* The estimate with the noise (K). */
static void
estimate_once (const SlGaterToy *toy, const SlGaterUnit *unit, const sl_real *a,
               const sl_real *noise, double *work, double *estimate)
{
  sl_real soft[SL_GATER_TOY_MOST], p[SL_GATER_TOY_MOST], h[SL_GATER_TOY_MOST],
    dh[SL_GATER_TOY_MOST];
  double  value[SL_GATER_TOY_MOST], slope[SL_GATER_TOY_MOST];
  uint8_t on[SL_GATER_TOY_MOST];

  sl_concrete_fire (unit, toy->gates, a, noise, false, soft, p, on, h);
  for (size_t k = 0; k < toy->gates; k++)
    value[k] = (double) h[k];
  loss_with (toy, value, work, slope);
  for (size_t k = 0; k < toy->gates; k++)
    dh[k] = (sl_real) slope[k];
  sl_concrete_credit (unit, toy->gates, soft, h, dh, dh);
  for (size_t k = 0; k < toy->gates; k++)
    estimate[k] = (double) dh[k];
}

void
sl_gater_sample (const SlGaterToy *toy, const SlGaterUnit *unit, size_t draws, double *work,
                 SlGaterExact *exact)
{
  enum { CHUNK = 64 };
  SlGaterEstimator estimator = unit->kind == SL_GATER_CONCRETE ? SL_GATER_CLIPPED : SL_GATER_NOISED;
  sl_real          a[SL_GATER_TOY_MOST], noise[CHUNK * SL_GATER_TOY_MOST];
  double           estimate[SL_GATER_TOY_MOST];
  SlRng            rng;

  sl_rng_init (&rng, 1, "gate samples");
  for (size_t k = 0; k < toy->gates; k++)
    a[k] = (sl_real) toy->a[k];
  for (size_t done = 0; done < draws; done += CHUNK)
    {
      size_t take = draws - done < CHUNK ? draws - done : CHUNK;

      sl_gater_draw_uniform (&rng, take * toy->gates, noise);
      sl_concrete_noise (take * toy->gates, noise, noise);
      for (size_t i = 0; i < take; i++)
        {
          estimate_once (toy, unit, a, noise + i * toy->gates, work, estimate);
          add_moments (exact, estimator, toy->gates, 1.0 / (double) draws, estimate);
        }
    }
  finish_moments (exact, estimator, toy->gates);
}
