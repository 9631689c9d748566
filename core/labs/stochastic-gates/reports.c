/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` measures on its way: densities, rates and costs.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>

/* Followed rates below and above which a unit counts as dead or always on. */
static const double dead = 0.001, always_on = 0.999;

double
sl_gates_expert_macs (const SlGatesLab *s, const double *density)
{
  double macs = 0.0;

  for (unsigned k = 0; k < s->layers; k++)
    macs += sl_gater_expert_macs (&s->layer[k].gater, density[k]);
  return macs;
}

double
sl_gates_gater_macs (const SlGatesLab *s)
{
  double macs = 0.0;

  for (unsigned k = 0; k < s->layers; k++)
    macs += sl_gater_macs (&s->layer[k].gater);
  return macs;
}

double
sl_gates_cost (const SlGatesLab *s, const double *density, bool gated)
{
  static const double all[MOST_LAYERS] = { 1.0, 1.0, 1.0 };
  double              cost = sl_gates_expert_macs (s, density);

  if (gated)
    cost += sl_gates_gater_macs (s);
  return 100.0 * cost / sl_gates_expert_macs (s, all);
}

/* The probabilities of a few examples of the batch on the tapes. */
typedef struct
{
  double active;             /* mean probability of being on */
  double layer[MOST_LAYERS]; /* the same of each layer */
  double decided;            /* share of p above one half */
} Chances;

/* What the logit on the tape is without its noise. */
static double
bare_logit (const SlGaterTape *tape, const SlGaterUnit *unit, size_t i)
{
  double z = (double) tape->z[i], noise = (double) tape->shift[i];

  return unit->times ? z / (1.0 + noise) : z - noise;
}

/* Adds those of a layer: a mean over the layers. */
static void
add_chances (const SlGatesLab *s, unsigned layer, size_t batch, Chances *chances)
{
  SlGaterUnit  unit = sl_gates_unit (s);
  bool         smooth = sl_gater_has_probability (unit.kind);
  double       scale, active = 0.0, above = 0.0;
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  size_t       n = (batch < WATCHED ? batch : WATCHED) * s->top->gater.units;

  const SlGaterTape *tape = &s->layer[layer].tape;

  for (size_t i = 0; i < n; i++)
    {
      double p, on;

      if (smooth)
        {
          p = (double) tape->p[i];
          on = unit.kind == SL_GATER_SIGMOID             ? 1.0
               : unit.kind == SL_GATER_STS && !unit.thin ? sqrt (p)
                                                         : p;
        }
      else
        p = on = sl_gater_active (&unit, noise, scale,
                                  noise != SL_GATER_NO_NOISE ? bare_logit (tape, &unit, i)
                                                             : (double) tape->z[i]);
      active += on;
      above += p > 0.5;
    }
  chances->layer[layer] = active / (double) n;
  chances->active += chances->layer[layer] / s->layers;
  chances->decided += above / (double) n / s->layers;
}

/* How the followed rates of the units of all layers are spread.  Bins get wider with the rate, bin i of n from
 * (i / n)² on, since most rates are small.  */
static void
report_rates (SlGatesLab *s, SlSink *sink)
{
  size_t   units = s->top->gater.units, all = s->layers * units;
  unsigned bins = (unsigned) sl_value_of (&s->base, P_BINS);
  double   count[SL_CHANNELS_MAX] = { 0 }, low = 0.0, high = 0.0;

  for (size_t i = 0; i < all; i++)
    {
      double   rate = (double) s->layer[i / units].rate[i % units];
      unsigned bin = (unsigned) (sqrt (fmax (rate, 0.0)) * bins);

      count[bin < bins ? bin : bins - 1]++;
      low += rate < dead;
      high += rate > always_on;
    }
  for (unsigned b = 0; b < bins; b++)
    sl_sink_value (sink, V_RATES, 0, b, 100.0 * count[b] / (double) all);
  sl_sink_value (sink, V_DENSITY, T_DEAD, 0, 100.0 * low / (double) all);
  sl_sink_value (sink, V_DENSITY, T_ALWAYS_ON, 0, 100.0 * high / (double) all);
}

void
sl_gates_report (SlGatesLab *s, size_t batch, SlSink *sink)
{
  SlGaterKind kind = sl_gates_unit (s).kind;
  Chances     now = { 0 };
  double      wished = 100.0 * sl_value_of (&s->base, P_DENSITY), seen = s->base.now.seen;

  for (unsigned k = 0; k < s->layers; k++)
    add_chances (s, k, batch, &now);
  if (kind != SL_GATER_SIGMOID)
    {
      sl_sink_value (sink, V_DENSITY, T_TARGET, 0, wished);
      sl_sink_value (sink, V_DECIDED, T_SHARE_TARGET, 0, wished);
    }
  if (sl_gater_is_concrete (kind))
    sl_sink_value (sink, V_DENSITY, T_EXPECTED_DENSITY, 0, 100.0 * now.active);
  sl_sink_value (sink, V_DENSITY, T_TRAIN_DENSITY, 0, 100.0 * s->now->density / seen);
  sl_sink_value (sink, V_DECIDED, T_SHARE, 0, 100.0 * now.decided);
  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, s->base.now.loss / seen);
  sl_sink_value (sink, V_LOSS, T_TERM, 0, s->now->term / seen);
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, sl_gates_cost (s, now.layer, true));
  sl_sink_value (sink, V_COST, T_EXPECTED_BARE, 0, sl_gates_cost (s, now.layer, false));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
  report_rates (s, sink);
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
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, sl_gates_cost (s, figures.layer, true));
  sl_sink_value (sink, V_COST, T_EXECUTED_BARE, 0, sl_gates_cost (s, figures.layer, false));
}
