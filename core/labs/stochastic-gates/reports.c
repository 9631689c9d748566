/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` measures on its way: densities, rates and costs.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>

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
  double active;  /* mean probability of being on */
  double decided; /* share of p above one half */
} Chances;

/* What the logit on the tape is without its noise. */
static double
bare_logit (const SlGatesLab *s, const SlGaterUnit *unit, size_t i)
{
  double z = (double) s->tape.z[i], noise = (double) s->tape.shift[i];

  return unit->times ? z / (1.0 + noise) : z - noise;
}

static Chances
chances (const SlGatesLab *s, size_t batch)
{
  SlGaterUnit  unit = sl_gates_unit (s);
  bool         smooth = sl_gater_has_probability (unit.kind);
  double       scale, active = 0.0, above = 0.0;
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  size_t       n = (batch < WATCHED ? batch : WATCHED) * s->gater.units;

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
      active += on;
      above += p > 0.5;
    }
  return (Chances) { .active = active / (double) n, .decided = above / (double) n };
}

/* How the followed rates of the units are spread.  Bins get wider with the rate, bin i of n from
 * (i / n)² on, since most rates are small.  */
static void
report_rates (SlGatesLab *s, SlSink *sink)
{
  size_t   units = s->gater.units;
  unsigned bins = (unsigned) sl_value_of (&s->base, P_BINS);
  double   count[SL_CHANNELS_MAX] = { 0 }, low = 0.0, high = 0.0;

  for (size_t i = 0; i < units; i++)
    {
      double   rate = (double) s->rate[i];
      unsigned bin = (unsigned) (sqrt (fmax (rate, 0.0)) * bins);

      count[bin < bins ? bin : bins - 1]++;
      low += rate < dead;
      high += rate > always_on;
    }
  for (unsigned b = 0; b < bins; b++)
    sl_sink_value (sink, V_RATES, 0, b, 100.0 * count[b] / (double) units);
  sl_sink_value (sink, V_DENSITY, T_DEAD, 0, 100.0 * low / (double) units);
  sl_sink_value (sink, V_DENSITY, T_ALWAYS_ON, 0, 100.0 * high / (double) units);
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
    }
  if (sl_gater_is_concrete (kind))
    sl_sink_value (sink, V_DENSITY, T_EXPECTED_DENSITY, 0, 100.0 * now.active);
  sl_sink_value (sink, V_DENSITY, T_TRAIN_DENSITY, 0, 100.0 * s->now->density / seen);
  sl_sink_value (sink, V_DECIDED, T_SHARE, 0, 100.0 * now.decided);
  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->base.now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, s->base.now.loss / seen);
  sl_sink_value (sink, V_LOSS, T_TERM, 0, s->now->term / seen);
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, sl_gates_cost (s, now.active, true));
  sl_sink_value (sink, V_COST, T_EXPECTED_BARE, 0, sl_gates_cost (s, now.active, false));
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
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, sl_gates_cost (s, figures.density, true));
  sl_sink_value (sink, V_COST, T_EXECUTED_BARE, 0, sl_gates_cost (s, figures.density, false));
}
