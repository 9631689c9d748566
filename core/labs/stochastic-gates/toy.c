/* SPDX-License-Identifier: MIT
 *
 * Estimates of the gradient against the exact one, live: a few gates of real inputs, with the
 * weights of this moment, and all their states.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>

#include "core/lab/kit/probe.h"
#include "core/nn/gater/exact.h"

enum {
  PROBES = 16, /* inputs that the bars are means over */
  DRAWS = 2000 /* of the gates that cannot be enumerated */
};

/* Room for one toy; classes are below 257. */
typedef struct
{
  double     a[SL_GATER_TOY_MOST], rest[256], effect[SL_GATER_TOY_MOST * 256], work[256];
  size_t     gate[SL_GATER_TOY_MOST]; /* which units they are, rising */
  SlGaterToy toy;
} Toy;

/* The `count` units whose logits are nearest to 0, in rising order; ties go to the lowest. */
static void
least_decided (size_t units, const sl_real *z, size_t count, size_t *gate)
{
  size_t n = 0;

  for (size_t i = 0; i < units; i++)
    {
      double distance = fabs ((double) z[i]);
      size_t at = n < count ? n : count;

      /* `gate` is sorted by distance until all are found. */
      while (at > 0 && distance < fabs ((double) z[gate[at - 1]]))
        {
          if (at < count)
            gate[at] = gate[at - 1];
          at--;
        }
      if (at < count)
        gate[at] = i;
      n += n < count;
    }
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j > 0 && gate[j] < gate[j - 1]; j--)
      {
        size_t t = gate[j];

        gate[j] = gate[j - 1];
        gate[j - 1] = t;
      }
}

/* The output of one unit's expert for the input x. */
static double
expert (const SlGater *g, size_t unit, const sl_real *x)
{
  const sl_real *w = sl_gater_weight (g, SL_GATER_EXPERTS) + unit * g->inputs;
  double         sum = (double) sl_gater_bias (g, SL_GATER_EXPERTS)[unit];

  for (size_t j = 0; j < g->inputs; j++)
    sum += (double) w[j] * (double) x[j];
  return sum;
}

/* Makes the toy of example `e` of the batch on the tape; the gates that are not in it stay as they
 * are in use.  */
static void
make_toy (const SlGatesLab *s, size_t e, Toy *toy)
{
  const SlGater     *g = &s->top->gater;
  const SlGaterTape *tape = &s->top->tape;
  const sl_real     *z = tape->z + e * g->units, *h = tape->h + e * g->units;
  size_t             count = sl_count_of (&s->base, P_TOY), classes = g->outputs;

  count = count < g->units ? count : g->units;
  least_decided (g->units, z, count, toy->gate);
  for (size_t c = 0; c < classes; c++)
    toy->rest[c] = (double) tape->o[e * classes + c];
  for (size_t k = 0; k < count; k++)
    {
      size_t         unit = toy->gate[k];
      const sl_real *row = sl_gater_weight (g, SL_GATER_OUTPUT) + unit * classes;
      double         value = expert (g, unit, tape->x + e * g->inputs);

      toy->a[k] = (double) z[unit];
      for (size_t c = 0; c < classes; c++)
        {
          toy->effect[k * classes + c] = value * (double) row[c];
          toy->rest[c] -= (double) h[unit] * toy->effect[k * classes + c];
        }
    }
  toy->toy = (SlGaterToy) { .gates = count,
                            .outputs = classes,
                            .a = toy->a,
                            .rest = toy->rest,
                            .effect = toy->effect,
                            .label = s->label[e] };
}

/* All estimates of a toy. */
static void
compare_estimates (const SlGatesLab *s, Toy *toy, SlGaterExact *exact)
{
  SlGaterUnit gumbel = sl_gates_unit_of (s, SL_GATER_GUMBEL);
  SlGaterUnit concrete = sl_gates_unit_of (s, SL_GATER_CONCRETE);

  sl_gater_enumerate (&toy->toy, toy->work, exact);
  sl_gater_sample (&toy->toy, &gumbel, DRAWS, toy->work, exact);
  sl_gater_sample (&toy->toy, &concrete, DRAWS, toy->work, exact);
}

/* How an estimate does for one input; false where the exact gradient is 0. */
static bool
judge (const SlGaterExact *exact, SlGaterEstimator estimator, size_t gates, double *cosine,
       double *bias, double *deviation)
{
  const double *truth = sl_gater_truth (exact, estimator), *mean = exact->mean[estimator];
  double        norm = 0.0, mean_norm = 0.0, product = 0.0, wrong = 0.0, variance = 0.0;

  for (size_t k = 0; k < gates; k++)
    {
      norm += truth[k] * truth[k];
      mean_norm += mean[k] * mean[k];
      product += truth[k] * mean[k];
      wrong += (mean[k] - truth[k]) * (mean[k] - truth[k]);
      variance += exact->variance[estimator][k];
    }
  if (!(norm > 0.0 && mean_norm > 0.0))
    return false;
  *cosine = product / sqrt (norm * mean_norm);
  *bias = sqrt (wrong / norm);
  *deviation = sqrt (variance / norm);
  return true;
}

/* A mean with its standard deviation, one value at a time. */
typedef struct
{
  double n, sum, squares;
} Mean;

static void
mean_add (Mean *mean, double value)
{
  mean->n++;
  mean->sum += value;
  mean->squares += value * value;
}

static void
add_bars (SlProbe *p, unsigned trace, const Mean *mean)
{
  double *bars = sl_probe_curve (p, trace, 0, SL_GATER_ESTIMATORS, true);

  for (int i = 0; bars != NULL && i < SL_GATER_ESTIMATORS; i++)
    {
      double value = mean[i].n > 0.0 ? mean[i].sum / mean[i].n : 0.0;

      bars[i] = i;
      bars[SL_GATER_ESTIMATORS + i] = value;
      bars[2 * SL_GATER_ESTIMATORS + i]
        = mean[i].n > 0.0 ? sqrt (fmax (mean[i].squares / mean[i].n - value * value, 0.0)) : 0.0;
    }
}

void
sl_gates_probe_estimators (SlProbe *p)
{
  SlGatesLab  *s = sl_gates_lab (p->state);
  bool         direction = p->snapshot->panel == V_DIRECTION;
  Mean         cosine[SL_GATER_ESTIMATORS] = { 0 }, bias[SL_GATER_ESTIMATORS] = { 0 };
  Mean         deviation[SL_GATER_ESTIMATORS] = { 0 }, draw[SL_GATER_ESTIMATORS] = { 0 };
  size_t       first, n = sl_watched (&s->base, PROBES, &first);
  Toy          toy;
  SlGaterExact exact;

  sl_gates_run (s, USE_THRESHOLD, first, n);
  for (size_t e = 0; e < n; e++)
    {
      if (sl_probe_cancelled (p))
        return;
      make_toy (s, e, &toy);
      compare_estimates (s, &toy, &exact);
      for (int i = 0; i < SL_GATER_ESTIMATORS; i++)
        {
          double c, b, d;

          if (!judge (&exact, (SlGaterEstimator) i, toy.toy.gates, &c, &b, &d))
            continue;
          mean_add (&cosine[i], c);
          mean_add (&bias[i], b);
          mean_add (&deviation[i], d);
          mean_add (&draw[i], exact.cosine[i]);
        }
    }
  sl_gates_note_layer (s, p);
  sl_probe_note (p, "%zu gates of each of %zu examples; lines: deviation over them", toy.toy.gates,
                 n);
  if (!direction && deviation[SL_GATER_NOISED].n > 0.0)
    sl_probe_note (p, "; error of means: %.2g Gumbel, %.2g hard concrete",
                   deviation[SL_GATER_NOISED].sum / deviation[SL_GATER_NOISED].n / sqrt (DRAWS),
                   deviation[SL_GATER_CLIPPED].sum / fmax (deviation[SL_GATER_CLIPPED].n, 1.0)
                     / sqrt (DRAWS));
  add_bars (p, 0, direction ? cosine : bias);
  add_bars (p, 1, direction ? draw : deviation);
}

static void
add_gates (SlProbe *p, unsigned trace, size_t n, const double *mean, const double *variance)
{
  double *curve = sl_probe_curve (p, trace, 0, n, variance != NULL);

  for (size_t k = 0; curve != NULL && k < n; k++)
    {
      curve[k] = (double) (k + 1);
      curve[n + k] = mean[k];
      if (variance != NULL)
        curve[2 * n + k] = sqrt (variance[k]);
    }
}

void
sl_gates_probe_toy (SlProbe *p)
{
  static const SlGaterEstimator shown[]
    = { SL_GATER_BEST, SL_GATER_STRAIGHT, SL_GATER_SLOPED, SL_GATER_NOISED, SL_GATER_CLIPPED };
  SlGatesLab  *s = sl_gates_lab (p->state);
  size_t       first;
  Toy          toy;
  SlGaterExact exact;

  sl_watched (&s->base, 1.0, &first);
  sl_gates_run (s, USE_THRESHOLD, first, 1);
  make_toy (s, 0, &toy);
  compare_estimates (s, &toy, &exact);
  add_gates (p, 0, toy.toy.gates, exact.exact, NULL);
  for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++)
    add_gates (p, 1 + i, toy.toy.gates, exact.mean[shown[i]], exact.variance[shown[i]]);
  sl_gates_note_layer (s, p);
  sl_probe_note (p, "The first validation example; expected loss %.3g nats over %u states",
                 exact.loss, 1U << toy.toy.gates);
}
