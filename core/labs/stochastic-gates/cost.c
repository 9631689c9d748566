/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `stochastic-gates` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/stochastic-gates/lab.h"

enum { TIMED = 64 /* examples of a pass, as the lab's clock has them */ };

/* How far the share of gates that are on is from what is wished, as a factor. */
static const double away = 1.5;

/* The same of hard concrete gates, which have no threshold in use. */
static const double farther = 3;

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
  double         wished = sl_value_of (&s->base, P_DENSITY);
  double         far = unit.kind == SL_GATER_CONCRETE ? farther : away;

  sl_cost_begin (work, SL_COST_OF_PASS);
  add_gater (g, work, TIMED);
  sl_cost_add (work,
               unit.kind == SL_GATER_STS || unit.kind == SL_GATER_CONCRETE ? SL_COST_SIGMOID
                                                                           : SL_COST_RELU,
               1, TIMED, g->units, 1);
  sl_cost_add_gated (work, SL_COST_GATED, TIMED, g->units, g->inputs, wished, wished / far,
                     fmin (wished * far, 1));
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
