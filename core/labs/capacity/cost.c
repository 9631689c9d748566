/* SPDX-License-Identifier: MIT
 *
 * What an update of the lab `capacity` is made of: another random network, gradients in one more, and an update of
 * a third.  */
#include "core/lab/kit/cost.h"

#include <math.h>

#include "core/labs/capacity/lab.h"

/* Numbers of a loop that moving what a tap reads takes: few, as all channels move at once. */
static const double each_tap = 3;

/* A residual layer (core/nn/capacity/residual.h) forward or backward. */
static void
add_layer (SlWorkload *work, const SlResidual *layer, double times, bool backward)
{
  size_t rows = layer->rows, c = layer->channels, wide = layer->taps * c;
  bool   curved = layer->activation == SL_SHATTER_SINE || layer->activation == SL_SHATTER_TANH;

  if (backward)
    sl_cost_add (work, SL_COST_FORWARD, times, rows, wide, c);
  else
    sl_cost_add (work, SL_COST_DOWN, times, rows, c, wide);
  if (layer->taps > 1)
    sl_cost_add (work, SL_COST_COPY, times, rows, wide, 1);
  if (curved && !backward)
    sl_cost_add (work, SL_COST_TANH, 2 * times, rows, c, 1);
  sl_cost_add (work, SL_COST_RELU, 4 * times, rows, c, 1);
  sl_cost_add (work, SL_COST_LOOP, times * each_tap, rows, layer->taps, 1);
}

/* A random network and its probe; weights are drawn for both ways. */
static void
add_field (const SlCapacityLab *s, SlWorkload *work)
{
  Design     d;
  SlResidual layer;
  size_t     c = sl_count_of (&s->base, P_CHANNELS);
  double     layers, often, draws;

  sl_capacity_design_at (s, sl_count_of (&s->base, P_LAYERS), sl_value_of (&s->base, P_EXPONENT),
                         &d);
  layer = (SlResidual) { .activation = d.activation,
                         .rows = sl_count_of (&s->base, P_POSITIONS),
                         .channels = c,
                         .taps = d.kernel.n };
  layers = (double) d.layers;
  often = sl_value_of (&s->base, P_DILATION) != DILATION_NONE ? 2 * layers : 1;
  draws = sl_is_on (&s->base, P_TIED) ? 1 : 2 * layers;
  sl_cost_add (work, SL_COST_NORMAL, draws, layer.taps, c * c, 1);
  sl_cost_add (work, SL_COST_LOOP, 3 * draws, layer.taps, c * c, 1);
  if (d.law.leak + d.law.bias > 0)
    {
      sl_cost_add (work, SL_COST_NORMAL, layers, layer.rows, c, 1);
      sl_cost_add (work, SL_COST_LOOP, layers, layer.rows, c, 1);
    }
  add_layer (work, &layer, layers, false);
  add_layer (work, &layer, sl_is_on (&s->base, P_ALL_LAYERS) ? 2 * layers : layers, true);
  /* The power at each depth, and where the taps are. */
  sl_cost_add (work, SL_COST_DOT, layers, layer.rows, c, 1);
  sl_cost_add (work, SL_COST_LOOP, 6 * layers, layer.rows, 1, 1);
  sl_cost_add (work, SL_COST_LOOP, 4 * often, layer.rows, layer.taps, 1);
}

/* A random network over images. */
static void
add_images (const SlCapacityLab *s, SlWorkload *work)
{
  double     radius = sl_value_of (&s->base, P_RADIUS), layers = sl_value_of (&s->base, P_LAYERS);
  bool       centre = sl_value_of (&s->base, P_KERNEL) == KERNEL_WITH_CENTRE;
  SlResidual layer = { .activation = (SlShatter) sl_value_of (&s->base, P_ACTIVATION),
                       .rows = IMAGE * IMAGE,
                       .channels = IMAGE_CHANNELS };

  if (!sl_capacity_images_can (s))
    return;
  layer.taps = (size_t) pow (2.0 * radius + 1.0, 2.0) - (centre ? 0 : 1);
  sl_cost_add (work, SL_COST_LOOP, each_tap, layer.rows, layer.taps, 1);
  sl_cost_add (work, SL_COST_NORMAL, 2 * layers, layer.taps, IMAGE_CHANNELS * IMAGE_CHANNELS, 1);
  sl_cost_add (work, SL_COST_RELU, 2 * layers, layer.taps, IMAGE_CHANNELS * IMAGE_CHANNELS, 1);
  add_layer (work, &layer, layers, false);
  add_layer (work, &layer, layers, true);
}

static void
add_gradients (const SlCapacityLab *s, SlWorkload *work)
{
  size_t     n = sl_count_of (&s->base, P_WIDTH);
  double     layers = sl_value_of (&s->base, P_LAYERS);
  SlResidual layer = { .activation = (SlShatter) sl_value_of (&s->base, P_ACTIVATION),
                       .rows = CIRCLE,
                       .channels = n,
                       .taps = 1 };

  if (layers > MOST_GRADIENT)
    return;
  sl_cost_add (work, SL_COST_NORMAL, 2 * layers, n, n, 1);
  sl_cost_add (work, SL_COST_RELU, 2 * layers, n, n, 1);
  add_layer (work, &layer, layers, false);
  add_layer (work, &layer, layers, true);
  sl_cost_add (work, SL_COST_RELU, 2 * layers, CIRCLE, n, 1);
  sl_cost_add (work, SL_COST_FORWARD, 1, CIRCLE, CIRCLE, n);
  sl_cost_add (work, SL_COST_LOOP, 4, CIRCLE, n, 1);
  sl_cost_add (work, SL_COST_LOOP, 8, CIRCLE, CIRCLE, 1);
}

/* An update at the depth that all begin with; a recurrent network has one layer of weights, and inputs of its own at
 * every step.  */
static void
add_transfer (const SlCapacityLab *s, SlWorkload *work)
{
  const SlResidual *layer = &sl_capacity_transfer_layer;
  size_t            c = layer->channels, wide = layer->taps * c;
  double            layers = (double) sl_capacity_transfer_layers (0);
  bool              recurrent = sl_value_of (&s->base, P_TASK) == TASK_RECALL;

  sl_cost_add (work, SL_COST_NORMAL, recurrent ? 1 + layers : 1, layer->rows, 1, 1);
  sl_cost_add (work, SL_COST_RELU, recurrent ? 2 * layers : 0, layer->rows, c, 1);
  add_layer (work, layer, layers, false);
  add_layer (work, layer, layers, true);
  sl_cost_add (work, SL_COST_WEIGHTS, layers, wide, c, layer->rows);
  sl_cost_add (work, SL_COST_COPY, layers, layer->rows, wide, 1);
  sl_cost_add (work, SL_COST_RELU, 3 * layers, wide, c, 1);
  sl_cost_add (work, SL_COST_LOOP, 3, layer->rows, c, 1);
  sl_cost_add (work, SL_COST_ADAM, recurrent ? 1 : layers, wide, c, 1);
}

/* Whether the first networks explode within an update or two, after which deeper ones take their turn: by the power
 * that their layers gain, and what the first step of the readout makes of it.  */
static bool
explodes (const SlCapacityLab *s)
{
  double beta = sl_value_of (&s->base, P_STRENGTH);
  double layers = (double) sl_capacity_transfer_layers (0);

  return !sl_is_on (&s->base, P_BALANCED)
         && sl_value_of (&s->base, P_LEARNING_RATE) * pow (1 + beta * beta, layers / 2) > 1;
}

void
sl_capacity_count_work (const SlLabState *state, SlWorkload *work)
{
  const SlCapacityLab *s = (const SlCapacityLab *) state;
  SlMessage            passes
    = sl_message ("Nothing is skipped in this lab: there are no two passes to compare.");

  sl_cost_refuse_passes (work, passes);
  sl_cost_begin (work, SL_COST_OF_STEP);
  add_field (s, work);
  if (sl_is_on (state, P_IMAGES))
    add_images (s, work);
  if (sl_is_on (state, P_GRADIENTS))
    add_gradients (s, work);
  if (!sl_is_on (state, P_TRAIN))
    return;
  add_transfer (s, work);
  if (explodes (s))
    sl_cost_refuse (
      work, SL_COST_OF_STEP,
      sl_message ("The networks that learn explode, so the depth of the next ones is unknown."));
}
