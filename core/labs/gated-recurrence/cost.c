/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `gated-recurrence` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/gated-recurrence/lab.h"

enum { TIMED = 64 };

/* A layer over a number of streams, and the share of its groups that are on. */
typedef struct
{
  const SlGru *gru;
  size_t       batch;
  double       share;
} Layer;

static double
normal_above (double x)
{
  return 0.5 * erfc (x / sqrt (2));
}

/* Share of the groups that are on where what is normalised was drawn from a normal distribution, or from a
 * rectified one, whose mean and deviation are 1 ÷ √2π and √(1/2 - 1/2π).  */
static double
share_of (const SlRecurrenceLab *s, const SlGru *gru)
{
  double offset = sl_value_of (&s->base, P_OFFSET), mean = 1 / sqrt (2 * M_PI);

  if (sl_gru_is_dense (gru))
    return 1;
  if (gru->gating == SL_GRU_UNITS)
    return 1 - pow (1 - normal_above (-offset), (double) gru->group);
  if (!gru->rectify)
    return normal_above (-offset);
  return mean - offset * sqrt (0.5 - mean * mean) < 0
           ? 1
           : normal_above (mean - offset * sqrt (0.5 - mean * mean));
}

/* Rows of a group of the layer in `steps` steps, at least 1, and pairs of row and unit. */
static size_t
rows_of (const Layer *layer, size_t steps)
{
  return (size_t) fmax (1, round (layer->share * (double) (layer->batch * steps)));
}

static size_t
pairs_of (const Layer *layer)
{
  return rows_of (layer, 1) * layer->gru->units;
}

static bool
mixes_gates (const SlGru *gru)
{
  return gru->gating == SL_GRU_UNITS || gru->gating == SL_GRU_MIXED;
}

/* Numbers that a loop of its own takes for every pair of row and unit on the way back. */
static const double loops = 10;

/* All strips go by in every step, from wherever they are. */
static void
add_strips (SlWorkload *work, const SlGru *gru, double steps)
{
  size_t below = gru->one_hot ? 0 : gru->inputs;

  sl_cost_add (work, SL_COST_READ, steps, gru->units, gru->wide + gru->units + below, 1);
}

static void
add_gates (SlWorkload *work, const Layer *layer, double times)
{
  const SlGru *gru = layer->gru;
  size_t       batch = layer->batch;

  sl_cost_add (work, SL_COST_STRIPS, times, batch, gru->gates, gru->wide);
  if (sl_gru_is_dense (gru))
    {
      sl_cost_add (work, SL_COST_SIGMOID, times, batch, gru->gates, 1);
      return;
    }
  sl_cost_add (work, SL_COST_RELU, times, batch, gru->gates, 1);
  if (mixes_gates (gru))
    sl_cost_add (work, SL_COST_DOWN, times, batch, gru->units, gru->gates);
  if (gru->gating == SL_GRU_MIXED)
    sl_cost_add (work, SL_COST_SIGMOID, times, batch, gru->units, 1);
  sl_cost_add (work, SL_COST_RELU, 3 * times, batch, gru->columns, 1);
  sl_cost_add (work, SL_COST_TANH, times, batch, gru->columns, 1);
}

/* Steps of a layer forward, one after the other. */
static void
add_forward (SlWorkload *work, const Layer *layer, double steps)
{
  const SlGru *gru = layer->gru;
  size_t       rows = rows_of (layer, 1), n = gru->group;
  double       calls = steps * (double) gru->groups;

  add_gates (work, layer, steps);
  add_strips (work, gru, steps);
  sl_cost_add (work, SL_COST_COPY, steps, layer->batch, gru->units, 1);
  sl_cost_add (work, SL_COST_STRIPS, calls, rows, n, gru->wide);
  sl_cost_add (work, SL_COST_STRIPS, calls, rows, n, gru->units);
  if (!gru->one_hot)
    sl_cost_add (work, SL_COST_STRIPS, calls, rows, n, gru->inputs);
  sl_cost_add (work, SL_COST_SIGMOID, steps, pairs_of (layer), 1, 1);
  sl_cost_add (work, SL_COST_TANH, steps, pairs_of (layer), 1, 1);
  sl_cost_add (work, SL_COST_RELU, 5 * steps, pairs_of (layer), 1, 1);
}

static void
add_backward (SlWorkload *work, const Layer *layer, size_t length)
{
  const SlGru *gru = layer->gru;
  size_t       rows = rows_of (layer, 1), all = rows_of (layer, length), n = gru->group;
  size_t       below = gru->one_hot ? 0 : gru->inputs, every = layer->batch * length;
  double       steps = (double) length, calls = steps * (double) gru->groups;
  double       groups = (double) gru->groups;

  sl_cost_add (work, SL_COST_LOOP, loops * steps, pairs_of (layer), 1, 1);
  add_strips (work, gru, steps);
  sl_cost_add (work, SL_COST_STRIPS, steps, layer->batch, gru->wide, gru->gates);
  sl_cost_add (work, SL_COST_STRIPS, calls, rows, gru->wide, n);
  sl_cost_add (work, SL_COST_STRIPS, calls, rows, gru->units, n);
  sl_cost_add (work, SL_COST_STRIPS, calls, rows, below, n);
  sl_cost_add (work, SL_COST_STRIPS_OUTER, groups, n, gru->wide, all);
  sl_cost_add (work, SL_COST_STRIPS_OUTER, groups, n, gru->units, all);
  sl_cost_add (work, SL_COST_STRIPS_OUTER, groups, n, below, all);
  sl_cost_add (work, SL_COST_WEIGHTS, 1, gru->gates, gru->wide, every);
  if (!mixes_gates (gru))
    return;
  sl_cost_add (work, SL_COST_FORWARD, steps, layer->batch, gru->gates, gru->units);
  sl_cost_add (work, SL_COST_WEIGHTS, 1, gru->gates, gru->units, every);
}

static Layer
layer_of (const SlRecurrenceLab *s, const SlGruNet *net, unsigned l, size_t batch)
{
  return (Layer) { &net->gru[l], batch, share_of (s, &net->gru[l]) };
}

/* One letter of each text. */
static void
add_pass (const SlRecurrenceLab *s, SlWorkload *work, SlCostPart part, const SlGruNet *net)
{
  sl_cost_begin (work, part);
  for (unsigned l = 0; l < net->layers; l++)
    {
      Layer layer = layer_of (s, net, l, TIMED);

      add_forward (work, &layer, 1);
    }
  sl_cost_add (work, SL_COST_FORWARD, 1, TIMED, net->symbols, net->gru[0].units);
}

static void
add_update (const SlRecurrenceLab *s, SlWorkload *work, const SlGruNet *net)
{
  size_t rows = s->batch * s->length, h = net->gru[0].units;

  for (unsigned l = 0; l < net->layers; l++)
    {
      Layer layer = layer_of (s, net, l, s->batch);

      add_forward (work, &layer, (double) s->length);
      add_backward (work, &layer, s->length);
    }
  sl_cost_add (work, SL_COST_FORWARD, 1, rows, net->symbols, h);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, rows, net->symbols, 1);
  sl_cost_add (work, SL_COST_WEIGHTS, 1, net->symbols, h, rows);
  sl_cost_add (work, SL_COST_DOWN, 1, rows, h, net->symbols);
  /* The weights are packed, and the gradient's length is limited. */
  sl_cost_add (work, SL_COST_LOOP, 2, net->n, 1, 1);
  sl_cost_add (work, SL_COST_COPY, 2, net->n, 1, 1);
  sl_cost_add (work, SL_COST_ADAM, 1, net->n, 1, 1);
}

void
sl_recurrence_work (const SlLabState *state, SlWorkload *work)
{
  const SlRecurrenceLab *s = (const SlRecurrenceLab *) state;

  work->batch = TIMED;
  add_pass (s, work, SL_COST_OF_DENSE, &s->twin);
  add_pass (s, work, SL_COST_OF_PASS, &s->net);
  sl_cost_begin (work, SL_COST_OF_STEP);
  add_update (s, work, &s->net);
  if (s->has_twin)
    add_update (s, work, &s->twin);
}
