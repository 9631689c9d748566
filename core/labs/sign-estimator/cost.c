/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `sign-estimator` are made of.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/sign-estimator/lab.h"

enum { TIMED = 64 /* examples of a pass, as the lab's clock has them */ };

/* Rounds of a refresh beyond those asked for (core/nn/dense/lowrank.h): the best factors in what they leave. */
static const double extraction = 1;

static size_t
rank_of (const SlSignLab *s, unsigned l)
{
  size_t rank = (size_t) s->base.settings.value[P_RANK].v[l], most = s->net.inputs[l];

  if (sl_net_units (&s->net, l) < most)
    most = sl_net_units (&s->net, l);
  if (sl_sign_kind (s) == SL_PREDICTOR_LEARNED && most > MOST_LEARNED)
    most = MOST_LEARNED;
  return rank < most ? rank : most;
}

/* Gathering the patches of a convolution. */
static void
add_patches (const SlSignLab *s, SlWorkload *work, size_t batch, unsigned l)
{
  if (l < s->net.convolutions)
    sl_cost_add (work, SL_COST_COPY, 1, batch * s->net.places[l], s->net.inputs[l], 1);
}

static void
add_estimates (const SlSignLab *s, SlWorkload *work, size_t batch, unsigned l)
{
  size_t inputs = s->net.inputs[l], units = sl_net_units (&s->net, l), rank = rank_of (s, l);
  size_t rows = batch * s->net.places[l];

  sl_cost_add (work, SL_COST_DOWN, 1, rows, rank, inputs);
  sl_cost_add (work, SL_COST_FORWARD, 1, rows, units, rank);
}

static void
add_dense (const SlSignLab *s, SlWorkload *work)
{
  sl_cost_begin (work, SL_COST_OF_DENSE);
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      add_patches (s, work, TIMED, l);
      sl_cost_add_layer (work, TIMED * s->net.places[l], s->net.inputs[l],
                         sl_net_units (&s->net, l));
      if (l < s->hidden)
        sl_cost_add (work, SL_COST_RELU, 1, TIMED, s->net.width[l + 1], 1);
    }
}

static void
add_pass (const SlSignLab *s, SlWorkload *work)
{
  SlSignShare share = sl_sign_share (s);

  sl_cost_begin (work, SL_COST_OF_PASS);
  for (unsigned l = 0; l < s->hidden; l++)
    {
      add_patches (s, work, TIMED, l);
      add_estimates (s, work, TIMED, l);
      /* Deciding, and packing what was decided. */
      sl_cost_add (work, SL_COST_COPY, 2, TIMED, s->net.width[l + 1], 1);
      sl_cost_add (work, SL_COST_RELU, 1, TIMED, s->net.width[l + 1], 1);
      sl_cost_add_gated (work, SL_COST_PICKED, TIMED * s->net.places[l], sl_net_units (&s->net, l),
                         s->net.inputs[l], share.on, share.least, share.most);
    }
  sl_cost_add_layer (work, TIMED, s->net.inputs[s->hidden], s->net.width[s->hidden + 1]);
}

static SlCostKind
optimiser (const SlSignLab *s)
{
  static const SlCostKind of[] = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM };

  return of[(SlOptimiser) sl_value_of (&s->base, P_OPTIMISER)];
}

/* One network's update on a batch that has been drawn. */
static void
add_network (const SlSignLab *s, SlWorkload *work, size_t batch, bool estimates)
{
  const SlNet *net = &s->net;
  SlCostKind   act
    = net->activation == SL_TANH || net->activation == SL_ELU ? SL_COST_TANH : SL_COST_RELU;
  bool drops = sl_value_of (&s->base, P_HIDDEN_DROPOUT) > 0;

  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t inputs = net->inputs[l], units = sl_net_units (net, l), rows = batch * net->places[l];

      add_patches (s, work, batch, l);
      if (l > 0)
        add_patches (s, work, batch, l);
      if (estimates && l < s->hidden)
        add_estimates (s, work, batch, l);
      sl_cost_add_layer (work, rows, inputs, units);
      sl_cost_add_layer_backward (work, rows, inputs, units, l > 0);
      sl_cost_add (work, optimiser (s), 1, inputs + 1, units, 1);
      if (l == s->hidden)
        continue;
      sl_cost_add (work, act, 1, rows, units, 1);
      sl_cost_add (work, net->activation == SL_ELU ? SL_COST_TANH : SL_COST_RELU, 1, rows, units,
                   1);
      if (drops)
        sl_cost_add (work, SL_COST_COPY, 2, rows, units, 1);
    }
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, net->width[net->layers], 1);
}

static void
add_refresh (const SlSignLab *s, SlWorkload *work)
{
  double every = sl_sign_refresh_examples (s) / sl_value_of (&s->base, P_BATCH);
  double rounds = sl_sign_rounds (s) + extraction;

  for (unsigned l = 0; l < s->hidden; l++)
    {
      size_t inputs = s->net.inputs[l], units = sl_net_units (&s->net, l), rank = rank_of (s, l);

      sl_cost_add (work, SL_COST_DOWN, rounds / every, units, rank, inputs);
      sl_cost_add (work, SL_COST_WEIGHTS, rounds / every, inputs, rank, units);
      sl_cost_add (work, SL_COST_WEIGHTS, 3 / every, rank, rank, inputs);
      sl_cost_add (work, SL_COST_COPY, 1 / every, inputs, units, 1);
    }
}

/* Training of the learned predictors. */
static void
add_learning (const SlSignLab *s, SlWorkload *work, size_t batch)
{
  for (unsigned l = 0; l < s->hidden; l++)
    {
      bool   ahead = sl_is_on (&s->base, P_LOOKAHEAD) && sl_sign_can_look_ahead (s, l);
      size_t inputs = s->net.inputs[ahead ? l - 1 : l], units = sl_net_units (&s->net, l);
      size_t rows = batch * s->net.places[l];
      size_t rank = rank_of (s, l) < MOST_LEARNED ? rank_of (s, l) : MOST_LEARNED;

      sl_cost_add (work, SL_COST_DOWN, 1, rows, rank, inputs);
      sl_cost_add (work, SL_COST_DOWN, 1, rows, units, rank);
      sl_cost_add (work, SL_COST_SIGMOID, 1, rows, units, 1);
      sl_cost_add (work, SL_COST_WEIGHTS, 1, rank, units, rows);
      sl_cost_add (work, SL_COST_FORWARD, 1, rows, rank, units);
      sl_cost_add (work, SL_COST_WEIGHTS, 1, inputs, rank, rows);
      sl_cost_add (work, SL_COST_ADAM, 1, inputs + units, rank, 1);
    }
}

static void
add_step (const SlSignLab *s, SlWorkload *work, bool factored)
{
  size_t batch = sl_count_of (&s->base, P_BATCH);
  bool   gates = factored && sl_value_of (&s->base, P_ESTIMATOR) == SL_ESTIMATE_GATE
               && sl_sign_kind (s) != SL_PREDICTOR_ORACLE;

  sl_cost_begin (work, SL_COST_OF_STEP);
  sl_cost_add (work, SL_COST_COPY, 1, batch, s->net.width[0], 1);
  for (unsigned l = 0; l < s->net.layers; l++)
    if (sl_value_of (&s->base, l == 0 ? P_INPUT_DROPOUT : P_HIDDEN_DROPOUT) > 0)
      sl_cost_add (work, SL_COST_DRAW, 1, batch, s->net.width[l], 1);
  add_network (s, work, batch, gates);
  if (s->has_twin)
    add_network (s, work, batch, false);
  if (factored)
    add_refresh (s, work);
  if (factored && (sl_sign_kind (s) == SL_PREDICTOR_LEARNED || sl_is_on (&s->base, P_COMPARE)))
    add_learning (s, work, batch);
}

/* What says that a pass or an update cannot be predicted, or nothing. */
static void
refuse_kinds (const SlSignLab *s, SlWorkload *work)
{
  SlMessage votes = sl_message ("The time of votes of signs is not predicted.");

  if (sl_sign_kind (s) == SL_PREDICTOR_ORACLE)
    sl_cost_refuse (work, SL_COST_OF_PASS, sl_message ("The oracle computes everything."));
  if (sl_is_on (&s->base, P_SKIP) && sl_value_of (&s->base, P_ESTIMATOR) == SL_ESTIMATE_GATE)
    sl_cost_refuse (work, SL_COST_OF_STEP,
                    sl_message ("The time of an update that skips is not predicted."));
  if (sl_sign_kind (s) != SL_PREDICTOR_BITS)
    return;
  sl_cost_refuse (work, SL_COST_OF_PASS, votes);
  if (sl_value_of (&s->base, P_ESTIMATOR) == SL_ESTIMATE_GATE)
    sl_cost_refuse (work, SL_COST_OF_STEP, votes);
}

void
sl_sign_work (const SlLabState *state, SlWorkload *work)
{
  const SlSignLab *s = (const SlSignLab *) state;
  bool             factored = sl_activation_has_sign (s->net.activation)
                  && sl_value_of (state, P_ESTIMATOR) != SL_ESTIMATE_OFF && s->hidden > 0;
  bool energy = sl_is_on (state, P_RANK_MODE);

  work->batch = TIMED;
  add_dense (s, work);
  if (!factored)
    sl_cost_refuse (work, SL_COST_OF_PASS, sl_message ("The estimator is off."));
  else if (energy)
    for (unsigned part = SL_COST_OF_PASS; part <= SL_COST_OF_STEP; part++)
      sl_cost_refuse (work, (SlCostPart) part,
                      sl_message ("The ranks follow the energy, which is not known before."));
  else if (sl_sign_kind (s) != SL_PREDICTOR_BITS && sl_sign_kind (s) != SL_PREDICTOR_ORACLE)
    add_pass (s, work);
  if (factored)
    refuse_kinds (s, work);
  add_step (s, work, factored);
}
