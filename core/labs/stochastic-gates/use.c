/* SPDX-License-Identifier: MIT
 *
 * The network of the lab `stochastic-gates` in use: with a threshold on its gates, with gates that are on
 * above one half, or drawn as in training (Bengio, Léonard and Courville 2013, supplement A.3).  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/probe.h"
#include "core/nn/dense/loss.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/gater/sparsity.h"

enum { PASS = 256 /* examples of an evaluation at a time */ };

void
sl_gates_rescale (SlGatesLab *s, size_t n)
{
  const SlDataset *d = s->base.dataset;
  sl_real          scale, *x = s->layer[0].tape.x;

  if (d->bytes == NULL)
    return;
  scale = 1 / (255 * d->scale);
  for (size_t i = 0; i < n * d->features; i++)
    x[i] = (x[i] - d->offset) * scale;
}

/* Puts examples on the lowest tape. */
static void
load_examples (SlGatesLab *s, size_t first, size_t n)
{
  sl_dataset_range (s->base.dataset, first, n, s->layer[0].tape.x, s->label);
  sl_gates_rescale (s, n);
}

/* Inputs of which the layers below let nothing through have the same logits.  A cut among equal logits (n),
 * where rounding would decide, goes above them: midway to the next.  */
static sl_real
clear_of_ties (size_t n, const sl_real *z, sl_real cut)
{
  static const double near = 1e-4;
  sl_real limit = cut + (sl_real) (near * (1.0 + fabs ((double) cut))), next = (sl_real) HUGE_VAL;
  sl_real last = -(sl_real) HUGE_VAL;

  for (size_t i = 0; i < n; i++)
    if (z[i] > limit)
      next = z[i] < next ? z[i] : next;
    else
      last = z[i] > last ? z[i] : last;
  return next < (sl_real) HUGE_VAL ? (last + next) / 2 : last + 1;
}

/* From the lowest layer on, so that each has the inputs that those below let through. */
static void
find_shares (SlGatesLab *s, const SlGaterUnit *unit)
{
  size_t first, n = sl_watched (&s->base, MOST_BATCH, &first);

  load_examples (s, first, n);
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      size_t gates = n * l->gater.units;

      sl_gater_logits (&l->gater, (sl_real) sl_gates_shift (s), &l->tape, n);
      memcpy (s->values, l->tape.z, gates * sizeof *s->values);
      l->threshold = sl_gater_threshold (gates, s->values, sl_value_of (&s->base, P_DENSITY));
      if (l > s->layer)
        l->threshold = clear_of_ties (gates, l->tape.z, l->threshold);
      if (l == s->top)
        break;
      sl_gater_settle (unit, l->threshold, gates, l->tape.z, l->tape.h);
      sl_gater_run (&l->gater, unit, &l->tape, n);
    }
}

void
sl_gates_find_thresholds (SlGatesLab *s)
{
  SlGaterUnit unit = sl_gates_unit (s);

  if (s->has_threshold)
    return;
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    l->threshold = unit.kind == SL_GATER_CONCRETE ? (sl_real) sl_concrete_cut (&unit) : 0;
  if (sl_gater_has_threshold (unit.kind))
    find_shares (s, &unit);
  s->has_threshold = true;
}

SlGatesUse
sl_gates_use (const SlGatesLab *s)
{
  return sl_gater_has_threshold (sl_gates_unit (s).kind)
           ? (SlGatesUse) sl_value_of (&s->base, P_USE)
           : USE_THRESHOLD;
}

sl_real
sl_gates_cut (SlGatesLab *s, const SlGatesLayer *layer, SlGatesUse use)
{
  if (use == USE_HALF)
    return 0;
  sl_gates_find_thresholds (s);
  return layer->threshold;
}

SlGaterTape
sl_gates_tape_from (const SlGatesLayer *layer, size_t from)
{
  const SlGater *g = &layer->gater;
  SlGaterTape    tape = layer->tape;

  tape.x += from * g->inputs;
  tape.u += from * g->hidden;
  tape.z += from * g->units;
  tape.h += from * g->units;
  tape.e += from * g->units;
  tape.g += from * g->units;
  tape.o += from * g->outputs;
  return tape;
}

void
sl_gates_run_tapes (SlGatesLab *s, SlGatesUse use, size_t from, size_t n, SlGatesDraws *draws)
{
  SlGaterUnit unit = sl_gates_unit (s);

  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      SlGaterTape tape = sl_gates_tape_from (l, from);

      if (use == USE_SAMPLED)
        {
          bool noisy = sl_gates_draw (s, l, &unit, n, draws);

          sl_gater_decide (&l->gater, &unit, &tape, n, noisy, false);
          sl_gater_run (&l->gater, &unit, &tape, n);
        }
      else
        sl_gater_deploy (&l->gater, &unit, (sl_real) sl_gates_shift (s), sl_gates_cut (s, l, use),
                         &tape, n);
    }
}

void
sl_gates_run (SlGatesLab *s, SlGatesUse use, size_t first, size_t n)
{
  SlGatesDraws draws = s->now->draws;

  sl_gates_find_thresholds (s);
  load_examples (s, first, n);
  sl_gates_run_tapes (s, use, 0, n, &draws);
}

/* An evaluation under way. */
typedef struct
{
  SlGatesUse        use;
  SlGatesDraws      draws;
  SlGatesEvaluation sum;
} Evaluation;

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlGatesLab        *s = sl_gates_lab (state);
  Evaluation        *evaluation = data;
  SlGatesEvaluation *sum = &evaluation->sum;
  double             loss;

  load_examples (s, first, n);
  sl_gates_run_tapes (s, evaluation->use, 0, n, &evaluation->draws);
  loss = sl_gater_loss (&s->top->gater, &s->top->tape, n, s->label, errors);
  sum->error += (double) *errors;
  for (unsigned k = 0; k < s->layers; k++)
    sum->layer[k]
      += sl_gater_rates (n, s->layer[k].gater.units, s->layer[k].tape.h, s->mean) * (double) n;
  return loss;
}

SlGatesEvaluation
sl_gates_evaluate_as (SlGatesLab *s, SlGatesUse use, size_t first, size_t n)
{
  Evaluation         evaluation = { .use = use, .draws = s->now->draws };
  SlGatesEvaluation *sum = &evaluation.sum;

  sl_gates_find_thresholds (s);
  sum->loss = sl_evaluate (&s->base, first, n, PASS, evaluate_batch, &evaluation).loss;
  sum->error *= 100.0 / (double) n;
  for (unsigned k = 0; k < s->layers; k++)
    {
      sum->layer[k] /= (double) n;
      sum->density += sum->layer[k] / s->layers;
    }
  return *sum;
}

SlGatesEvaluation
sl_gates_evaluate (SlGatesLab *s, size_t first, size_t n)
{
  return sl_gates_evaluate_as (s, sl_gates_use (s), first, n);
}

void
sl_gates_probe_uses (SlProbe *p)
{
  SlGatesLab *s = sl_gates_lab (p->state);
  size_t      first, n = sl_watched (&s->base, sl_value_of (&s->base, P_EXAMPLES), &first);
  double      error[N_USES], density[N_USES];

  if (!sl_gater_has_threshold (sl_gates_unit (s).kind))
    {
      sl_probe_note (p, "These gates have no threshold.");
      return;
    }
  for (unsigned use = 0; use < N_USES; use++)
    {
      SlGatesEvaluation all = sl_gates_evaluate_as (s, (SlGatesUse) use, first, n);

      if (sl_probe_cancelled (p))
        return;
      error[use] = all.error;
      density[use] = 100.0 * all.density;
    }
  sl_probe_values (p, T_USE_ERROR, 0, 0, N_USES, error);
  sl_probe_values (p, T_USE_DENSITY, 0, 0, N_USES, density);
  sl_probe_note (p, "%zu examples; the optimised threshold is at p = %.2g, for %.3g %% on", n,
                 sl_gater_sigmoid ((double) sl_gates_cut (s, s->top, USE_THRESHOLD)),
                 100.0 * sl_value_of (&s->base, P_DENSITY));
  if (s->layers > 1)
    sl_probe_note (p, "; this is that of the top layer");
}

void
sl_gates_densities (const SlGatesLab *s, size_t e, double density[MOST_LAYERS])
{
  for (unsigned k = 0; k < s->layers; k++)
    {
      size_t         units = s->layer[k].gater.units, on = 0;
      const sl_real *h = s->layer[k].tape.h + e * units;

      for (size_t i = 0; i < units; i++)
        on += h[i] != 0;
      density[k] = (double) on / (double) units;
    }
}

/* What the gates of one example say. */
static void
fill_cell (const SlGatesLab *s, sl_real cut, size_t e, SlCell *cell)
{
  const SlGater *g = &s->top->gater;
  size_t         units = g->units;
  const sl_real *z = s->top->tape.z + e * units, *h = s->top->tape.h + e * units;
  double         density[MOST_LAYERS];
  sl_real        strongest = -(sl_real) HUGE_VAL, sum = 0;

  for (size_t i = 0; i < units; i++)
    {
      sl_real distance = z[i] > cut ? z[i] - cut : cut - z[i];

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
  cell->label = sl_decide (g->outputs, s->top->tape.o + e * g->outputs, &cell->margin);
  sl_gates_densities (s, e, density);
  cell->cost = (sl_real) (sl_gates_gater_macs (s) + sl_gates_expert_macs (s, density));
}

void
sl_gates_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlGatesLab *s = sl_gates_lab (state);
  /* A map of what is drawn would be another one each time. */
  SlGatesUse use = sl_gates_use (s) == USE_HALF ? USE_HALF : USE_THRESHOLD;
  size_t     inputs = s->layer[0].gater.inputs;
  sl_real    cut = sl_gates_cut (s, s->top, use);

  for (size_t done = 0; done < n; done += PASS)
    {
      size_t take = n - done < PASS ? n - done : PASS;

      memcpy (s->layer[0].tape.x, points + done * inputs, take * inputs * sizeof *points);
      sl_gates_rescale (s, take);
      sl_gates_run_tapes (s, use, 0, take, NULL);
      for (size_t e = 0; e < take; e++)
        fill_cell (s, cut, e, &cells[done + e]);
    }
}
