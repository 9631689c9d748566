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

/* Assignments of a batch as chance spreads them, or where everybody gets as many evenly. */
static Spread
spread_of (const SlMoeShape *shape, size_t k, size_t batch)
{
  double n = (double) shape->experts, all = (double) (batch * k);
  bool   even = shape->gate == SL_MOE_BALANCED || shape->gate == SL_MOE_EXPERT_CHOICE;
  Spread spread = { .busy = even ? n : n * (1 - pow (1 - 1 / n, all)), .all = batch * k };

  spread.each = (size_t) fmax (round (all / spread.busy), 1);
  return spread;
}

/* Experts that work on an example alone: of dense and soft mixtures all, of ReLU routing as many as it aims at. */
static size_t
chosen_of (const SlMoeShape *shape, size_t k)
{
  return shape->gate == SL_MOE_DENSE || shape->gate == SL_MOE_SOFT || k > shape->experts
           ? shape->experts
           : k;
}

/* Going through the weights of all of them. */
static void
add_weights (const SlMoeShape *shape, SlWorkload *work, const Spread *spread, double times)
{
  double numbers = spread->busy * (double) (shape->hidden * (shape->inputs + shape->outputs));

  sl_cost_add (work, SL_COST_READ, times, (size_t) numbers, 1, 1);
}

static void
add_experts (const SlMoeShape *shape, SlWorkload *work, const Spread *spread)
{
  sl_cost_add (work, SL_COST_COPY, 1, spread->all, shape->inputs, 1);
  sl_cost_add (work, SL_COST_FEW, spread->busy, spread->each, shape->hidden, shape->inputs);
  sl_cost_add (work, SL_COST_RELU, spread->busy, spread->each, shape->hidden, 1);
  sl_cost_add (work, SL_COST_FEW, spread->busy, spread->each, shape->outputs, shape->hidden);
  sl_cost_add (work, SL_COST_COPY, 1, spread->all, shape->outputs, 1);
  add_weights (shape, work, spread, 1);
}

/* Shared experts work on all examples. */
static Spread
shared_of (const SlMoeShape *shape, size_t batch)
{
  return (Spread) { (double) shape->shared, batch, batch * shape->shared };
}

/* What comes before the experts and after them; `drawn`: with noise. */
static void
add_gate (const SlMoeShape *shape, SlWorkload *work, size_t batch, bool training, bool drawn)
{
  bool   soft = shape->gate == SL_MOE_SOFT;
  size_t logits = (drawn ? 2 : soft ? shape->slots : 1) * shape->experts;

  sl_cost_add (work, SL_COST_DOWN, 1, batch, logits, shape->inputs);
  if (drawn)
    sl_cost_add (work, SL_COST_NORMAL, 1, batch, shape->experts, 1);
  if (drawn)
    sl_cost_add (work, SL_COST_SIGMOID, 3, batch, shape->experts, 1);
  else if (shape->gate != SL_MOE_NOISY)
    sl_cost_add (work, SL_COST_SIGMOID, soft && training ? 2 : 1, batch, logits, 1);
  if (shape->gate == SL_MOE_BASE && training)
    sl_cost_add (work, SL_COST_COPY, 2 * SL_CHOOSER_ROUNDS, batch, shape->experts, 1);
  if (!soft || !training)
    return;
  sl_cost_add (work, SL_COST_WEIGHTS, 1, logits, shape->inputs, batch);
  sl_cost_add (work, SL_COST_DOWN, 1, batch, shape->outputs, logits);
}

/* Inputs of the experts that are not shared. */
static Spread
worked_of (const SlMoeShape *shape, size_t k, size_t batch, bool training)
{
  if (shape->gate == SL_MOE_SOFT && training)
    return (Spread) { (double) shape->experts, shape->slots, shape->experts * shape->slots };
  return spread_of (shape, chosen_of (shape, k), batch);
}

/* Gates and experts forward. */
static void
add_forward (const SlMoeShape *shape, SlWorkload *work, size_t k, size_t batch, bool training,
             bool drawn)
{
  Spread spread = worked_of (shape, k, batch, training), shared = shared_of (shape, batch);

  add_gate (shape, work, batch, training, drawn);
  add_experts (shape, work, &spread);
  add_experts (shape, work, &shared);
}

static SlCostKind
optimiser (const SlExpertsLab *s)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };

  return of[(SlOptimiser) sl_value_of (&s->base, P_OPTIMISER)];
}

/* How often an update goes through the weights of its experts after the forward pass: for the gradient of
 * what is below, and to change them.  */
static const double passes = 4;

/* `below`: what is below the experts learns, or mixes for them. */
static void
add_experts_backward (const SlExpertsLab *s, SlWorkload *work, const Spread *spread, bool below)
{
  const SlMoeShape *shape = &s->shape;

  if (sl_is_on (&s->base, P_RECOMPUTE))
    sl_cost_add (work, SL_COST_FEW, spread->busy, spread->each, shape->hidden, shape->inputs);
  sl_cost_add (work, SL_COST_COPY, 1, spread->all, shape->inputs, 1);
  sl_cost_add (work, SL_COST_FEW_BACK, spread->busy, spread->each, shape->hidden, shape->outputs);
  sl_cost_add (work, SL_COST_FEW_OUTER, spread->busy, shape->hidden, shape->outputs, spread->each);
  if (below)
    sl_cost_add (work, SL_COST_FEW_BACK, spread->busy, spread->each, shape->inputs, shape->hidden);
  sl_cost_add (work, SL_COST_FEW_OUTER, spread->busy, shape->inputs, shape->hidden, spread->each);
  sl_cost_add (work, optimiser (s), spread->busy, shape->hidden, shape->inputs + shape->outputs, 1);
  add_weights (shape, work, spread, passes);
}

/* The gate, with its noise if there is any; the optimiser goes through the weights of that all the same. */
static void
add_gate_backward (const SlExpertsLab *s, SlWorkload *work, size_t batch)
{
  const SlMoeShape *shape = &s->shape;
  bool              noisy = shape->gate == SL_MOE_NOISY, soft = shape->gate == SL_MOE_SOFT;
  bool              drawn = noisy && sl_is_on (&s->base, P_NOISE);
  size_t            logits = (drawn ? 2 : soft ? shape->slots : 1) * shape->experts;
  size_t            numbers = noisy ? 2 * shape->experts : logits;

  if (soft)
    {
      sl_cost_add (work, SL_COST_FORWARD, 1, batch, logits, shape->outputs);
      sl_cost_add (work, SL_COST_WEIGHTS, 1, logits, shape->outputs, batch);
      sl_cost_add (work, SL_COST_FORWARD, 1, batch, logits, shape->inputs);
    }
  sl_cost_add (work, SL_COST_WEIGHTS, 1, shape->inputs, logits, batch);
  if (!shape->first_layer)
    sl_cost_add (work, SL_COST_FORWARD, soft ? 2 : 1, batch, shape->inputs, logits);
  if (drawn)
    sl_cost_add (work, SL_COST_SIGMOID, 2, batch, shape->experts, 1);
  else if (!noisy)
    sl_cost_add (work, SL_COST_COPY, soft ? 2 : 1, batch, logits, 1);
  sl_cost_add (work, optimiser (s), 1, shape->inputs, numbers, 1);
}

static void
add_backward (const SlExpertsLab *s, SlWorkload *work, size_t k, size_t batch)
{
  const SlMoeShape *shape = &s->shape;
  bool              below = !shape->first_layer;
  Spread            spread = worked_of (shape, k, batch, true), shared = shared_of (shape, batch);

  add_experts_backward (s, work, &spread, below || shape->gate == SL_MOE_SOFT);
  add_experts_backward (s, work, &shared, below);
  add_gate_backward (s, work, batch);
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
  bool   noise = s->shape.gate == SL_MOE_NOISY && sl_is_on (&s->base, P_NOISE);

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
  add_forward (&s->shape, work, k, batch, true, noise);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
  add_backward (s, work, k, batch);
}

static void
refuse_both (SlWorkload *work, SlMessage why)
{
  sl_cost_refuse (work, SL_COST_OF_PASS, why);
  sl_cost_refuse (work, SL_COST_OF_STEP, why);
}

void
sl_experts_work (const SlLabState *state, SlWorkload *work)
{
  const SlExpertsLab *s = (const SlExpertsLab *) state;
  const SlMoeShape   *shape = &s->shape;
  size_t              k = sl_experts_setting (s).k;
  size_t              units = (shape->experts + shape->shared) * shape->hidden;

  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add_layer (work, TIMED, shape->inputs, units);
  sl_cost_add (work, SL_COST_RELU, 1, TIMED, units, 1);
  sl_cost_add_layer (work, TIMED, units, shape->outputs);
  if (shape->groups > 1)
    {
      refuse_both (work, sl_message ("Gates with groups are not predicted."));
      return;
    }
  if (shape->gate == SL_MOE_RELU)
    {
      refuse_both (work,
                   sl_message ("How many experts ReLU routing switches on is learned, and not "
                               "known before."));
      return;
    }
  sl_cost_begin (work, SL_COST_OF_PASS);
  add_forward (shape, work, k, TIMED, false, false);
  if (sl_experts_learning (s) > 1)
    sl_cost_refuse (work, SL_COST_OF_STEP,
                    sl_message ("The dense baselines learn too, which is not predicted."));
  else if (shape->factored)
    sl_cost_refuse (work, SL_COST_OF_STEP, sl_message ("A factored optimiser is not predicted."));
  else
    add_step (s, work, k);
}
