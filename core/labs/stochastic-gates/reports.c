/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` measures on its way: densities, rates, entropies and costs.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/gater/sparsity.h"
#include "core/nn/kernels/vector.h"

/* Followed rates below and above which a unit counts as dead or always on. */
static const double dead = 0.001, always_on = 0.999;

double
sl_gates_cost (const SlGatesLab *s, double density, bool gated)
{
  double cost = sl_gater_expert_macs (&s->gater, density);

  if (gated)
    cost += sl_gater_macs (&s->gater);
  return 100.0 * cost / sl_gater_expert_macs (&s->gater, 1.0);
}

/* The probabilities of a few examples of the batch on the tape. */
typedef struct
{
  double active;        /* mean probability of being on */
  double decided;       /* share of p above one half */
  double spread;        /* standard deviation of p */
  double between, full; /* share of gates between 0 and 1, and of those that are 1 */
  double entropy;       /* mean of the entropy of a gate given its input, in bits */
  double unit_entropy;  /* and of a gate on whatever input of these */
} Chances;

/* Of a gate that is on with probability p. */
static double
bits_of (double p)
{
  return p > 0.0 && p < 1.0 ? -p * log2 (p) - (1.0 - p) * log2 (1.0 - p) : 0.0;
}

/* The mean entropy of the units from the sums of their probabilities over so many examples. */
static double
unit_bits (const SlGatesLab *s, size_t examples)
{
  double sum = 0.0;

  for (size_t i = 0; i < s->gater.units; i++)
    sum += bits_of ((double) s->mean[i] / (double) examples);
  return sum / (double) s->gater.units;
}

/* What the logit on the tape is without its noise. */
static double
bare_logit (const SlGatesLab *s, const SlGaterUnit *unit, size_t i)
{
  double z = (double) s->tape.z[i], noise = (double) s->tape.shift[i];

  return unit->times ? z / (1.0 + noise) : z - noise;
}

/* Uses s->mean. */
static Chances
chances (const SlGatesLab *s, size_t batch)
{
  SlGaterUnit  unit = sl_gates_unit (s);
  bool         smooth = sl_gater_has_probability (unit.kind);
  double       scale, sum = 0.0, squares = 0.0, active = 0.0, above = 0.0;
  double       between = 0.0, full = 0.0, entropy = 0.0;
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  size_t       n = (batch < WATCHED ? batch : WATCHED) * s->gater.units;

  memset (s->mean, 0, s->gater.units * sizeof *s->mean);
  for (size_t i = 0; i < n; i++)
    {
      double p, on;

      if (smooth)
        {
          p = (double) s->tape.p[i];
          on = unit.kind == SL_GATER_SIGMOID             ? 1.0
               : unit.kind == SL_GATER_STS && !unit.thin ? sqrt (p)
                                                         : p;
        }
      else
        p = on = sl_gater_active (&unit, noise, scale,
                                  noise != SL_GATER_NO_NOISE ? bare_logit (s, &unit, i)
                                                             : (double) s->tape.z[i]);
      sum += p;
      squares += p * p;
      active += on;
      entropy += bits_of (on);
      s->mean[i % s->gater.units] += (sl_real) on;
      above += p > 0.5;
      between += s->tape.h[i] > 0 && s->tape.h[i] < 1;
      full += s->tape.h[i] == 1;
    }
  sum /= (double) n;
  return (Chances) { .active = active / (double) n,
                     .decided = above / (double) n,
                     .between = between / (double) n,
                     .full = full / (double) n,
                     .entropy = entropy / (double) n,
                     .unit_entropy = unit_bits (s, n / s->gater.units),
                     .spread = sqrt (fmax (squares / (double) n - sum * sum, 0.0)) };
}

/* How the followed rates of the units are spread.  Bins get wider with the rate, bin i of n from
 * (i / n)² on, since most rates are small.  */
static void
report_rates (SlGatesLab *s, SlSink *sink)
{
  size_t   units = s->gater.units;
  unsigned bins = (unsigned) sl_value_of (&s->base, P_BINS);
  double   count[SL_CHANNELS_MAX] = { 0 }, low = 0.0, high = 0.0, sum = 0.0, squares = 0.0;

  for (size_t i = 0; i < units; i++)
    {
      double   rate = (double) s->rate[i];
      unsigned bin = (unsigned) (sqrt (fmax (rate, 0.0)) * bins);

      count[bin < bins ? bin : bins - 1]++;
      low += rate < dead;
      high += rate > always_on;
      sum += rate;
      squares += rate * rate;
    }
  sum /= (double) units;
  for (unsigned b = 0; b < bins; b++)
    sl_sink_value (sink, V_RATES, 0, b, 100.0 * count[b] / (double) units);
  sl_sink_value (sink, V_DEAD, T_DEAD, 0, 100.0 * low / (double) units);
  sl_sink_value (sink, V_DEAD, T_ALWAYS_ON, 0, 100.0 * high / (double) units);
  sl_sink_value (sink, V_SPREAD, T_SPREAD_RATE, 0,
                 sqrt (fmax (squares / (double) units - sum * sum, 0.0)));
}

/* The rate that a share of the units has at most. */
static double
rate_at (SlGatesLab *s, double share)
{
  size_t units = s->gater.units;

  memcpy (s->pull, s->rate, units * sizeof *s->pull);
  return 100.0
         * (double) sl_vector_select (units, s->pull, (size_t) (share * (double) (units - 1)));
}

static void
report_band (SlGatesLab *s, SlSink *sink)
{
  sl_sink_value (sink, V_BAND, T_BAND_LOW, 0, rate_at (s, 0.1));
  sl_sink_value (sink, V_BAND, T_BAND_MIDDLE, 0, rate_at (s, 0.5));
  sl_sink_value (sink, V_BAND, T_BAND_HIGH, 0, rate_at (s, 0.9));
}

static void
report_baseline (SlGatesLab *s, SlSink *sink)
{
  double low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0;

  sl_gater_baseline (s->gater.units, s->over, s->under, s->baseline);
  for (size_t i = 0; i < s->gater.units; i++)
    {
      double value = (double) s->baseline[i];

      sum += value;
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  sl_sink_value (sink, V_BASELINE, T_BASELINE, 0, sum / (double) s->gater.units);
  sl_sink_value (sink, V_BASELINE, T_BASELINE_LOW, 0, low);
  sl_sink_value (sink, V_BASELINE, T_BASELINE_HIGH, 0, high);
  sl_sink_value (sink, V_BASELINE, T_BASELINE_LOSS, 0, s->base.now.loss / s->base.now.seen);
}

void
sl_gates_report (SlGatesLab *s, size_t batch, SlSink *sink)
{
  SlGaterKind kind = sl_gates_unit (s).kind;
  Chances     now = chances (s, batch);
  double      wished = 100.0 * sl_value_of (&s->base, P_DENSITY), seen = s->base.now.seen;

  if (kind != SL_GATER_SIGMOID)
    {
      sl_sink_value (sink, V_DENSITY, T_TARGET, 0, wished);
      sl_sink_value (sink, V_DECIDED, T_SHARE_TARGET, 0, wished);
      sl_sink_value (sink, V_LAMBDA, 0, 0,
                     sl_gater_has_term (kind) ? sl_gates_weight (s) : s->now->lambda);
    }
  if (sl_gater_is_concrete (kind))
    sl_sink_value (sink, V_DENSITY, T_EXPECTED_DENSITY, 0, 100.0 * now.active);
  if (kind == SL_GATER_GUMBEL)
    sl_sink_value (sink, V_TEMPERATURE, 0, 0, (double) sl_gates_unit (s).temperature);
  if (kind == SL_GATER_CONCRETE)
    {
      sl_sink_value (sink, V_BETWEEN, T_BETWEEN, 0, 100.0 * now.between);
      sl_sink_value (sink, V_BETWEEN, T_FULL, 0, 100.0 * now.full);
    }
  sl_sink_value (sink, V_DENSITY, T_TRAIN_DENSITY, 0, 100.0 * s->now->density / seen);
  sl_sink_value (sink, V_DECIDED, T_SHARE, 0, 100.0 * now.decided);
  sl_sink_value (sink, V_SPREAD, T_SPREAD_P, 0, now.spread);
  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, s->base.now.loss / seen);
  sl_sink_value (sink, V_LOSS, T_TERM, 0, s->now->term / seen);
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, sl_gates_cost (s, now.active, true));
  sl_sink_value (sink, V_COST, T_EXPECTED_BARE, 0, sl_gates_cost (s, now.active, false));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
  sl_sink_value (sink, V_ENTROPY, T_ENTROPY_GATE, 0, now.entropy);
  sl_sink_value (sink, V_ENTROPY, T_ENTROPY_UNIT, 0, now.unit_entropy);
  report_rates (s, sink);
  report_band (s, sink);
  if (kind == SL_GATER_SBN)
    report_baseline (s, sink);
  s->base.now.loss = s->base.now.errors = s->base.now.seen = s->now->term = s->now->density = 0.0;
}

void
sl_gates_report_validation (SlGatesLab *s, SlSink *sink)
{
  size_t            first = sl_dataset_first (s->base.dataset, SL_VALID);
  size_t            n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlGatesEvaluation figures;

  if (n == 0)
    return;
  figures = sl_gates_evaluate (s, first, n);
  sl_sink_value (sink, V_ERROR, T_VALID, 0, figures.error);
  sl_sink_value (sink, V_DENSITY, T_VALID_DENSITY, 0, 100.0 * figures.density);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, sl_gates_cost (s, figures.density, true));
  if (sl_gates_unit (s).kind == SL_GATER_CONCRETE)
    {
      sl_sink_value (sink, V_BETWEEN, T_BETWEEN_USE, 0, 100.0 * figures.between);
      sl_sink_value (sink, V_BETWEEN, T_FULL_USE, 0, 100.0 * figures.full);
    }
  sl_sink_value (sink, V_COST, T_EXECUTED_BARE, 0, sl_gates_cost (s, figures.density, false));
}
