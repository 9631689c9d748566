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

SlGatesUse
sl_gates_use (const SlGatesLab *s)
{
  return sl_gater_has_threshold (sl_gates_unit (s).kind)
           ? (SlGatesUse) sl_value_of (&s->base, P_USE)
           : USE_THRESHOLD;
}

sl_real
sl_gates_cut (SlGatesLab *s, SlGatesUse use)
{
  return use == USE_HALF ? 0 : sl_gates_threshold (s);
}

void
sl_gates_run_tape (SlGatesLab *s, SlGatesUse use, SlGaterTape *tape, size_t n, SlGatesDraws *draws)
{
  SlGaterUnit unit = sl_gates_unit (s);

  if (use == USE_SAMPLED)
    {
      bool noisy = sl_gates_draw (s, &unit, n, draws);

      sl_gater_decide (&s->gater, &unit, tape, n, noisy, false);
      sl_gater_run (&s->gater, &unit, tape, n);
    }
  else
    sl_gater_deploy (&s->gater, &unit, (sl_real) sl_gates_shift (s), sl_gates_cut (s, use), tape,
                     n);
}

/* Puts examples on the tape. */
static void
load_examples (SlGatesLab *s, size_t first, size_t n)
{
  sl_dataset_range (s->base.dataset, first, n, s->tape.x, s->label);
  sl_gates_rescale (s, n);
}

void
sl_gates_run (SlGatesLab *s, SlGatesUse use, size_t first, size_t n)
{
  SlGatesDraws draws = s->now->draws;

  sl_gates_threshold (s);
  load_examples (s, first, n);
  sl_gates_run_tape (s, use, &s->tape, n, &draws);
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
  sl_gates_run_tape (s, evaluation->use, &s->tape, n, &evaluation->draws);
  loss = sl_gater_loss (&s->gater, &s->tape, n, s->label, errors);
  sum->error += (double) *errors;
  sum->density += sl_gater_rates (n, s->gater.units, s->tape.h, s->mean) * (double) n;
  return loss;
}

SlGatesEvaluation
sl_gates_evaluate_as (SlGatesLab *s, SlGatesUse use, size_t first, size_t n)
{
  Evaluation         evaluation = { .use = use, .draws = s->now->draws };
  SlGatesEvaluation *sum = &evaluation.sum;

  sl_gates_threshold (s);
  sum->loss = sl_evaluate (&s->base, first, n, PASS, evaluate_batch, &evaluation).loss;
  sum->error *= 100.0 / (double) n;
  sum->density /= (double) n;
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
      sl_probe_note (p, "These gates have no threshold: there is one way to use them.");
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
                 sl_gater_sigmoid ((double) sl_gates_threshold (s)),
                 100.0 * sl_value_of (&s->base, P_DENSITY));
}

/* What the gates of one example say. */
static void
fill_cell (const SlGatesLab *s, sl_real cut, size_t e, SlCell *cell)
{
  size_t         units = s->gater.units;
  const sl_real *z = s->tape.z + e * units, *h = s->tape.h + e * units;
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
  cell->label = sl_decide (s->gater.outputs, s->tape.o + e * s->gater.outputs, &cell->margin);
  cell->cost = (sl_real) (sl_gater_macs (&s->gater)
                          + sl_gater_expert_macs (&s->gater, cell->active / (double) units));
}

void
sl_gates_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlGatesLab *s = sl_gates_lab (state);
  /* A map of what is drawn would be another one each time. */
  SlGatesUse use = sl_gates_use (s) == USE_HALF ? USE_HALF : USE_THRESHOLD;
  size_t     inputs = s->gater.inputs;
  sl_real    cut = sl_gates_cut (s, use);

  for (size_t done = 0; done < n; done += PASS)
    {
      size_t take = n - done < PASS ? n - done : PASS;

      memcpy (s->tape.x, points + done * inputs, take * inputs * sizeof *points);
      sl_gates_rescale (s, take);
      sl_gates_run_tape (s, use, &s->tape, take, NULL);
      for (size_t e = 0; e < take; e++)
        fill_cell (s, cut, e, &cells[done + e]);
    }
}
