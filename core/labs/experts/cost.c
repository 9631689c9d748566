/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `experts` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/experts/lab.h"

enum { TIMED = 64 /* examples of a pass, as the lab's clock has them */ };

typedef struct
{
  double busy; /* experts that get an example */
  size_t each; /* examples of one of them */
  size_t all;  /* assignments */
} Spread;

/* Assignments of a batch as chance spreads them. */
static Spread
spread_of (const SlMoeShape *shape, size_t k, size_t batch)
{
  double n = (double) shape->experts, all = (double) (batch * k);
  Spread spread = { .busy = n * (1 - pow (1 - 1 / n, all)), .all = batch * k };

  spread.each = (size_t) fmax (round (all / spread.busy), 1);
  return spread;
}

/* Gates and experts forward; `drawn`: with noise. */
static void
add_forward (const SlMoeShape *shape, SlWorkload *work, size_t k, size_t batch, bool drawn)
{
  Spread spread = spread_of (shape, k, batch);

  sl_cost_add (work, SL_COST_DOWN, 1, batch, (drawn ? 2 : 1) * shape->experts, shape->inputs);
  if (drawn)
    {
      sl_cost_add (work, SL_COST_NORMAL, 1, batch, shape->experts, 1);
      sl_cost_add (work, SL_COST_SIGMOID, 3, batch, shape->experts, 1);
    }
  sl_cost_add (work, SL_COST_COPY, 1, spread.all, shape->inputs, 1);
  sl_cost_add (work, SL_COST_FEW, spread.busy, spread.each, shape->hidden, shape->inputs);
  sl_cost_add (work, SL_COST_RELU, spread.busy, spread.each, shape->hidden, 1);
  sl_cost_add (work, SL_COST_FEW, spread.busy, spread.each, shape->outputs, shape->hidden);
  sl_cost_add (work, SL_COST_COPY, 1, spread.all, shape->outputs, 1);
}

static SlCostKind
optimiser (const SlExpertsLab *s)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };

  return of[(SlOptimiser) sl_value_of (&s->base, P_OPTIMISER)];
}

static void
add_backward (const SlExpertsLab *s, SlWorkload *work, size_t k, size_t batch)
{
  const SlMoeShape *shape = &s->shape;
  Spread            spread = spread_of (shape, k, batch);
  size_t            gates = (sl_is_on (&s->base, P_NOISE) ? 2 : 1) * shape->experts;

  if (sl_is_on (&s->base, P_RECOMPUTE))
    sl_cost_add (work, SL_COST_FEW, spread.busy, spread.each, shape->hidden, shape->inputs);
  sl_cost_add (work, SL_COST_COPY, 1, spread.all, shape->inputs, 1);
  sl_cost_add (work, SL_COST_FEW_BACK, spread.busy, spread.each, shape->hidden, shape->outputs);
  sl_cost_add (work, SL_COST_FEW_OUTER, spread.busy, shape->hidden, shape->outputs, spread.each);
  if (!shape->first_layer)
    sl_cost_add (work, SL_COST_FEW_BACK, spread.busy, spread.each, shape->inputs, shape->hidden);
  sl_cost_add (work, SL_COST_FEW_OUTER, spread.busy, shape->inputs, shape->hidden, spread.each);
  sl_cost_add (work, optimiser (s), spread.busy, shape->hidden, shape->inputs + shape->outputs, 1);
  /* The gates, with their noise if there is any; the optimiser goes through its weights all the same. */
  sl_cost_add (work, SL_COST_WEIGHTS, 1, shape->inputs, gates, batch);
  if (!shape->first_layer)
    sl_cost_add (work, SL_COST_FORWARD, 1, batch, shape->inputs, gates);
  if (sl_is_on (&s->base, P_NOISE))
    sl_cost_add (work, SL_COST_SIGMOID, 2, batch, shape->experts, 1);
  sl_cost_add (work, optimiser (s), 1, shape->inputs, 2 * shape->experts, 1);
}

/* A dense layer of the network around the mixture, with its update. */
static void
add_layer (const SlExpertsLab *s, SlWorkload *work, size_t batch, size_t inputs, size_t units,
           bool below)
{
  sl_cost_add_layer (work, batch, inputs, units);
  sl_cost_add_layer_backward (work, batch, inputs, units, below);
  sl_cost_add (work, optimiser (s), 1, inputs + 1, units, 1);
}

static void
add_step (const SlExpertsLab *s, SlWorkload *work, size_t k)
{
  size_t batch = sl_count_of (&s->base, P_BATCH);
  bool   noise = sl_is_on (&s->base, P_NOISE);

  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 1, batch, s->inputs, 1);
  if (s->width > 0)
    {
      add_layer (s, work, batch, s->inputs, s->width, false);
      add_layer (s, work, batch, s->width, s->outputs, true);
      sl_cost_add (work, SL_COST_RELU, 6, batch, s->width, 1);
      if (sl_is_on (&s->base, P_SIGMOID))
        sl_cost_add (work, SL_COST_SIGMOID, 1, batch, s->width, 1);
    }
  add_forward (&s->shape, work, k, batch, noise);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
  add_backward (s, work, k, batch);
}

void
sl_experts_work (const SlLabState *state, SlWorkload *work)
{
  const SlExpertsLab *s = (const SlExpertsLab *) state;
  const SlMoeShape   *shape = &s->shape;
  size_t              k = (size_t) sl_value_of (state, P_K);

  k = k < shape->experts ? k : shape->experts;
  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add_layer (work, TIMED, shape->inputs, shape->experts * shape->hidden);
  sl_cost_add (work, SL_COST_RELU, 1, TIMED, shape->experts * shape->hidden, 1);
  sl_cost_add_layer (work, TIMED, shape->experts * shape->hidden, shape->outputs);
  if (shape->gate != SL_MOE_NOISY || shape->groups > 1)
    {
      for (unsigned part = SL_COST_OF_PASS; part <= SL_COST_OF_STEP; part++)
        sl_cost_refuse (work, (SlCostPart) part,
                        sl_message ("Only noisy top-k gates without groups are predicted."));
      return;
    }
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_forward (shape, work, k, TIMED, false);
  if (sl_experts_learning (s) > 1)
    sl_cost_refuse (work, SL_COST_OF_STEP,
                    sl_message ("The dense baselines learn too, which is not predicted."));
  else if (shape->factored)
    sl_cost_refuse (work, SL_COST_OF_STEP, sl_message ("A factored optimiser is not predicted."));
  else
    add_step (s, work, k);
}
