/* SPDX-License-Identifier: MIT
 *
 * What the lab `stochastic-gates` measures on its way: the network as one would use it, densities,
 * rates and costs, and the cells of the gating map.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/loss.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/gater/sparsity.h"

enum { PASS = 256 /* examples of an evaluation at a time */ };

/* Followed rates below and above which a unit counts as dead or always on. */
static const double dead = 0.001, always_on = 0.999;

void
sl_gates_rescale (SlGatesLab *s, size_t n)
{
  const SlDataset *d = s->base.dataset;
  sl_real          scale;

  if (d->bytes == NULL)
    return;
  scale = 1 / (255 * d->scale);
  for (size_t i = 0; i < n * s->gater.inputs; i++)
    s->tape.x[i] = (s->tape.x[i] - d->offset) * scale;
}

size_t
sl_gates_run_validation (SlGatesLab *s, size_t most)
{
  size_t first, n = sl_watched (&s->base, (double) most, &first);

  sl_dataset_range (s->base.dataset, first, n, s->tape.x, s->label);
  sl_gates_rescale (s, n);
  sl_gater_logits (&s->gater, (sl_real) sl_gates_shift (s), &s->tape, n);
  return n;
}

sl_real
sl_gates_threshold (SlGatesLab *s)
{
  SlGaterUnit unit;
  size_t      n;

  if (s->has_threshold)
    return s->threshold;
  unit = sl_gates_unit (s);
  s->threshold = unit.kind == SL_GATER_CONCRETE ? (sl_real) sl_concrete_cut (&unit) : 0;
  if (sl_gater_has_threshold (unit.kind))
    {
      n = sl_gates_run_validation (s, MOST_BATCH) * s->gater.units;
      memcpy (s->values, s->tape.z, n * sizeof *s->values);
      s->threshold = sl_gater_threshold (n, s->values, sl_value_of (&s->base, P_DENSITY));
    }
  s->has_threshold = true;
  return s->threshold;
}

void
sl_gates_run_tape (SlGatesLab *s, size_t n)
{
  SlGaterUnit unit = sl_gates_unit (s);

  sl_gater_deploy (&s->gater, &unit, (sl_real) sl_gates_shift (s), s->threshold, &s->tape, n);
}

void
sl_gates_run (SlGatesLab *s, size_t first, size_t n)
{
  sl_gates_threshold (s);
  sl_dataset_range (s->base.dataset, first, n, s->tape.x, s->label);
  sl_gates_rescale (s, n);
  sl_gates_run_tape (s, n);
}

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlGatesLab        *s = sl_gates_lab (state);
  SlGatesEvaluation *sum = data;
  double             loss;

  sl_gates_run (s, first, n);
  loss = sl_gater_loss (&s->gater, &s->tape, n, s->label, errors);
  sum->error += (double) *errors;
  sum->density += sl_gater_rates (n, s->gater.units, s->tape.h, s->mean) * (double) n;
  for (size_t i = 0; i < n * s->gater.units; i++)
    {
      sum->between += s->tape.h[i] > 0 && s->tape.h[i] < 1;
      sum->full += s->tape.h[i] == 1;
    }
  return loss;
}

SlGatesEvaluation
sl_gates_evaluate (SlGatesLab *s, size_t first, size_t n)
{
  SlGatesEvaluation sum = { 0 };

  sum.loss = sl_evaluate (&s->base, first, n, PASS, evaluate_batch, &sum).loss;
  sum.error *= 100.0 / (double) n;
  sum.density /= (double) n;
  sum.between /= (double) (n * s->gater.units);
  sum.full /= (double) (n * s->gater.units);
  return sum;
}

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
} Chances;

static Chances
chances (const SlGatesLab *s, size_t batch)
{
  SlGaterUnit  unit = sl_gates_unit (s);
  bool         smooth = sl_gater_has_probability (unit.kind);
  double       scale, sum = 0.0, squares = 0.0, active = 0.0, above = 0.0;
  double       between = 0.0, full = 0.0;
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  size_t       n = (batch < WATCHED ? batch : WATCHED) * s->gater.units;

  for (size_t i = 0; i < n; i++)
    {
      double z = (double) s->tape.z[i], p, on;

      if (noise != SL_GATER_NO_NOISE)
        z -= (double) s->tape.shift[i];
      if (smooth)
        {
          p = (double) s->tape.p[i];
          on = unit.kind == SL_GATER_SIGMOID             ? 1.0
               : unit.kind == SL_GATER_STS && !unit.thin ? sqrt (p)
                                                         : p;
        }
      else
        p = on = sl_gater_active (&unit, noise, scale, z);
      sum += p;
      squares += p * p;
      active += on;
      above += p > 0.5;
      between += s->tape.h[i] > 0 && s->tape.h[i] < 1;
      full += s->tape.h[i] == 1;
    }
  sum /= (double) n;
  return (Chances) { .active = active / (double) n,
                     .decided = above / (double) n,
                     .between = between / (double) n,
                     .full = full / (double) n,
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
  report_rates (s, sink);
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

/* What the gates of one example say. */
static void
fill_cell (const SlGatesLab *s, size_t e, SlCell *cell)
{
  size_t         units = s->gater.units;
  const sl_real *z = s->tape.z + e * units, *h = s->tape.h + e * units;
  sl_real        strongest = -(sl_real) HUGE_VAL, sum = 0;

  for (size_t i = 0; i < units; i++)
    {
      sl_real distance = z[i] > s->threshold ? z[i] - s->threshold : s->threshold - z[i];

      sum += distance / (distance + 1);
      if (h[i] == 0)
        continue;
      sl_cell_add (cell, i);
      if (z[i] > strongest)
        {
          strongest = z[i];
          cell->top = (uint32_t) i;
        }
    }
  sl_cell_finish (cell, units);
  cell->confidence = sum / (sl_real) units;
  cell->label = sl_decide (s->gater.outputs, s->tape.o + e * s->gater.outputs, &cell->margin);
  cell->cost = (sl_real) (sl_gater_macs (&s->gater)
                          + sl_gater_expert_macs (&s->gater, cell->active / (double) units));
}

void
sl_gates_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlGatesLab *s = sl_gates_lab (state);
  size_t      inputs = s->gater.inputs;

  sl_gates_threshold (s);
  for (size_t done = 0; done < n; done += PASS)
    {
      size_t take = n - done < PASS ? n - done : PASS;

      memcpy (s->tape.x, points + done * inputs, take * inputs * sizeof *points);
      sl_gates_rescale (s, take);
      sl_gates_run_tape (s, take);
      for (size_t e = 0; e < take; e++)
        fill_cell (s, e, &cells[done + e]);
    }
}
