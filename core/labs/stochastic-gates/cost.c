/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `stochastic-gates` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/stochastic-gates/lab.h"

enum { TIMED = 64 /* examples of a pass, as the lab's clock has them */ };

/* Share of the gates that are on, and between what, as a multiple of what is wished. */
typedef struct
{
  double on, least, most;
} Share;

/* A threshold in use is set to what is wished.  Few gates are above one half where on the average one of ten is to be
 * on, but more are where they are on with the root of a probability.  Only terms of the loss keep rectifiers and hard
 * concrete gates near it.  */
static Share
share_of (const SlGatesLab *s)
{
  static const Share of_use[] = {
    [USE_THRESHOLD] = { 1, 0.9, 1.1 },
    [USE_HALF] = { 0.2, 0.02, 1.2 },
    [USE_SAMPLED] = { 1, 0.7, 1.8 },
  };
  static const Share of_roots[] = {
    [USE_THRESHOLD] = { 1, 0.9, 1.1 },
    [USE_HALF] = { 1, 0.05, 4 },
    [USE_SAMPLED] = { 2, 1, 6 },
  };
  SlGaterKind kind = sl_gates_unit (s).kind;

  if (kind == SL_GATER_CONCRETE)
    return (Share) { 1, 0.3, 3 };
  if (!sl_gater_has_threshold (kind))
    return (Share) { 0.6, 0.05, 1.2 };
  return kind == SL_GATER_STS ? of_roots[sl_gates_use (s)] : of_use[sl_gates_use (s)];
}

/* The gater up to its logits. */
static void
add_gater (const SlGater *g, SlWorkload *work, size_t batch)
{
  sl_cost_add_layer (work, batch, g->inputs, g->hidden);
  sl_cost_add (work, SL_COST_TANH, 1, batch, g->hidden, 1);
  sl_cost_add_layer (work, batch, g->hidden, g->units);
}

/* All experts and what is above them. */
static void
add_experts (const SlGater *g, SlWorkload *work, size_t batch)
{
  sl_cost_add_layer (work, batch, g->inputs, g->units);
  sl_cost_add (work, SL_COST_DOWN, 1, batch, g->outputs, g->units);
}

static void
add_pass (const SlGatesLab *s, SlWorkload *work)
{
  const SlGater *g = &s->gater;
  SlGaterUnit    unit = sl_gates_unit (s);
  double         wished = sl_value_of (&s->base, P_DENSITY), scale;
  Share          share = share_of (s);
  bool           drawn = sl_gates_use (s) == USE_SAMPLED;

  sl_cost_begin (work, SL_COST_OF_PASS);
  add_gater (g, work, TIMED);
  sl_cost_add (work,
               unit.kind == SL_GATER_STS || unit.kind == SL_GATER_CONCRETE ? SL_COST_SIGMOID
                                                                           : SL_COST_RELU,
               1, TIMED, g->units, 1);
  if (drawn && sl_gater_has_term (unit.kind))
    sl_cost_add (work, SL_COST_DRAW, 1, TIMED, g->units, 1);
  if (drawn && sl_gates_noise (s, &scale) != SL_GATER_NO_NOISE)
    sl_cost_add (work, SL_COST_NORMAL, 1, TIMED, g->units, 1);
  sl_cost_add_gated (work, SL_COST_GATED, TIMED, g->units, g->inputs, fmin (wished * share.on, 1),
                     fmin (wished * share.least, 1), fmin (wished * share.most, 1));
}

/* The update of a layer's weights (rows, columns) from a batch. */
static void
add_descent (const SlGatesLab *s, SlWorkload *work, size_t batch, size_t rows, size_t columns)
{
  sl_cost_add (work, SL_COST_WEIGHTS, 1, rows, columns, batch);
  if (sl_value_of (&s->base, P_MOMENTUM) > 0)
    sl_cost_add (work, SL_COST_DESCENT, 1, rows, columns, 1);
  if (sl_value_of (&s->base, P_MAX_NORM) > 0)
    sl_cost_add (work, SL_COST_COPY, 1, rows, columns, 1);
}

static void
add_step (const SlGatesLab *s, SlWorkload *work)
{
  const SlGater *g = &s->gater;
  SlGaterUnit    unit = sl_gates_unit (s);
  size_t         batch = sl_count_of (&s->base, P_BATCH);
  double         scale;

  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 2, batch, g->inputs, 1);
  add_gater (g, work, batch);
  if (sl_gater_has_probability (unit.kind))
    sl_cost_add (work, SL_COST_SIGMOID, 2, batch, g->units, 1);
  if (sl_gater_is_binary (unit.kind))
    sl_cost_add (work, SL_COST_DRAW, 2, batch, g->units, 1);
  /* Draws, their logarithms, and what is made of them. */
  if (sl_gater_is_concrete (unit.kind))
    {
      sl_cost_add (work, SL_COST_DRAW, 1, batch, g->units, 1);
      sl_cost_add (work, SL_COST_SIGMOID, 2, batch, g->units, 1);
    }
  if (sl_gates_noise (s, &scale) != SL_GATER_NO_NOISE)
    sl_cost_add (work, SL_COST_NORMAL, 1, batch, g->units, 1);
  add_experts (g, work, batch);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, g->outputs, 1);
  /* What goes back to gates and experts, and through the gates. */
  sl_cost_add (work, SL_COST_FORWARD, 1, batch, g->units, g->outputs);
  sl_cost_add (work, SL_COST_RELU, 8, batch, g->units, 1);
  add_descent (s, work, batch, g->units, g->outputs);
  add_descent (s, work, batch, g->units, g->inputs);
  sl_cost_add (work, SL_COST_DOWN, 1, batch, g->hidden, g->units);
  add_descent (s, work, batch, g->units, g->hidden);
  add_descent (s, work, batch, g->hidden, g->inputs);
}

void
sl_gates_work (const SlLabState *state, SlWorkload *work)
{
  const SlGatesLab *s = (const SlGatesLab *) state;

  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  add_experts (&s->gater, work, TIMED);
  if (sl_gates_unit (s).kind == SL_GATER_SIGMOID)
    sl_cost_refuse (work, SL_COST_OF_PASS,
                    sl_message ("Sigmoid gates are never 0: there is nothing to leave out."));
  else if (sl_gates_has_l0 (s))
    sl_cost_refuse (work, SL_COST_OF_PASS,
                    sl_message ("How many gates are on follows from the weight of the L0 term."));
  else
    add_pass (s, work);
  add_step (s, work);
}
