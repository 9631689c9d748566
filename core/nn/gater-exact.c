/* SPDX-License-Identifier: MIT
 *
 * Estimates against the exact gradient; see gater-exact.h.  */
#include "core/nn/gater-exact.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The gates as the enumeration needs them: probability of being on, and the value then. */
typedef struct
{
  double chance[SL_GATER_TOY_MOST], value[SL_GATER_TOY_MOST];
} Gates;

static double
sigma (double a)
{
  double small = exp (-fabs (a));

  return (a > 0 ? 1.0 : small) / (1.0 + small);
}

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

/* The loss of a state, and dloss/dh (K). */
static double
loss_of (const SlGaterToy *toy, const Gates *gates, size_t state, double *work, double *slope)
{
  double top = -HUGE_VAL, sum = 0.0, at_label;

  memcpy (work, toy->rest, toy->outputs * sizeof *work);
  for (size_t k = 0; k < toy->gates; k++)
    for (size_t c = 0; is_on (state, k) && c < toy->outputs; c++)
      work[c] += gates->value[k] * toy->effect[k * toy->outputs + c];
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

/* Mean and mean square of an estimate, state by state. */
static void
tally (SlGaterExact *exact, SlGaterEstimator estimator, size_t k, double weight, double value)
{
  exact->mean[estimator][k] += weight * value;
  exact->variance[estimator][k] += weight * value * value;
}

/* The expected loss and the baselines, which the estimates below need. */
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
  double slope[SL_GATER_TOY_MOST];

  for (size_t k = 0; k < toy->gates; k++)
    {
      gates.chance[k] = sigma (toy->a[k]);
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

          /* p (1 - p) (E[L | on] - E[L | off]), written as one mean. */
          exact->exact[k] += weight * miss * loss;
          tally (exact, SL_GATER_BARE, k, weight, miss * loss);
          tally (exact, SL_GATER_MEAN_LOSS, k, weight, miss * (loss - exact->loss));
          tally (exact, SL_GATER_BEST, k, weight, miss * (loss - exact->baseline[k]));
          tally (exact, SL_GATER_STRAIGHT, k, weight, slope[k]);
          tally (exact, SL_GATER_SLOPED, k, weight, slope[k] * p * (1.0 - p));
        }
    }
}

/* Gates that are √p with probability √p.  The gradient has two parts: a changes how often the gate is
 * on, and what it is then.  */
static void
enumerate_smooth (const SlGaterToy *toy, double *work, SlGaterExact *exact)
{
  Gates  gates;
  double slope[SL_GATER_TOY_MOST];

  for (size_t k = 0; k < toy->gates; k++)
    gates.chance[k] = gates.value[k] = sqrt (sigma (toy->a[k]));
  for (size_t state = 0; state < (size_t) 1 << toy->gates; state++)
    {
      double weight = weight_of (toy, &gates, state);
      double loss = loss_of (toy, &gates, state, work, slope);

      for (size_t k = 0; k < toy->gates; k++)
        {
          double root = gates.chance[k], on = is_on (state, k);
          double rise = 0.5 * root * (1.0 - root * root);
          /* d log P (state) / d√p; a gate that is never off adds nothing there. */
          double turn = on != 0.0 ? 1.0 / root : (root < 1.0 ? -1.0 / (1.0 - root) : 0.0);

          exact->exact_smooth[k] += weight * rise * (turn * loss + on * slope[k]);
          tally (exact, SL_GATER_SMOOTH, k, weight, on * slope[k] * rise);
        }
    }
}

void
sl_gater_enumerate (const SlGaterToy *toy, double *work, SlGaterExact *exact)
{
  *exact = (SlGaterExact) { 0 };
  enumerate_binary (toy, work, exact);
  enumerate_smooth (toy, work, exact);
  for (int estimator = 0; estimator < SL_GATER_ESTIMATORS; estimator++)
    for (size_t k = 0; k < toy->gates; k++)
      {
        double mean = exact->mean[estimator][k];

        exact->variance[estimator][k] = fmax (exact->variance[estimator][k] - mean * mean, 0.0);
      }
}
