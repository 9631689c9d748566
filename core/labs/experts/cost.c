/* SPDX-License-Identifier: MIT
 *
 * What passes and updates of the lab `experts` are made of.  */
#include <math.h>
#include <stdlib.h>

#include "core/lab/mixture/work.h"
#include "core/labs/experts/lab.h"

enum {
  TIMED = 64, /* examples of a pass, as the lab's clock has them */
  LOOKED = 32 /* training examples that tell how large inputs are */
};

static SlCostKind
optimiser (const SlExpertsLab *s)
{
  static const SlCostKind of[]
    = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM }; /* in the order of the choices */

  return of[sl_count_of (&s->base, P_OPTIMISER)];
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
add_step (const SlExpertsLab *s, SlWorkload *work, const SlMixtureWork *mixture)
{
  size_t batch = sl_count_of (&s->base, P_BATCH);

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
  sl_mixture_work_forward (mixture, work, batch, true);
  sl_cost_add (work, SL_COST_SOFTMAX, 1, batch, s->outputs, 1);
  sl_mixture_work_backward (mixture, work, batch);
}

/* Σ |x| of an input of the gate, as a mean over a few examples.  Behind an embedding it is far smaller, and changes
 * with it: 0, as without memory.  */
static double
input_size (const SlExpertsLab *s)
{
  const SlDataset *data = s->base.dataset;
  size_t           n = data->n[SL_TRAIN] < LOOKED ? data->n[SL_TRAIN] : LOOKED;
  sl_real         *x = s->width > 0 ? NULL : calloc (n * s->inputs, sizeof *x);
  uint8_t          label[LOOKED];
  double           sum = 0;

  if (x == NULL)
    return 0;
  sl_dataset_range (data, sl_dataset_first (data, SL_TRAIN), n, x, label);
  for (size_t i = 0; i < n * s->inputs; i++)
    sum += fabs ((double) x[i]);
  free (x);
  return sum / (double) n;
}

void
sl_experts_work (const SlLabState *state, SlWorkload *work)
{
  const SlExpertsLab *s = (const SlExpertsLab *) state;
  const SlMoeShape   *shape = &s->shape;
  size_t              units = (shape->experts + shape->shared) * shape->hidden;
  SlMixtureWork       mixture
    = { .shape = shape, .setting = sl_experts_setting (s), .optimiser = optimiser (s) };
  SlOptimSetting first = sl_experts_optim (s);

  work->batch = TIMED;
  sl_cost_begin (work, SL_COST_OF_DENSE);
  sl_cost_add_layer (work, TIMED, shape->inputs, units);
  sl_cost_add (work, SL_COST_RELU, 1, TIMED, units, 1);
  sl_cost_add_layer (work, TIMED, units, shape->outputs);
  if (sl_mixture_work_refuse (&mixture, work))
    return;
  mixture.lost = sl_mixture_lost (shape, &mixture.setting, &first, input_size (s));
  sl_cost_begin (work, SL_COST_OF_PASS);
  sl_mixture_work_forward (&mixture, work, TIMED, false);
  if (sl_experts_learning (s) > 1)
    sl_cost_refuse (work, SL_COST_OF_STEP,
                    sl_message ("The dense baselines learn too, which is not predicted."));
  else if (shape->factored)
    sl_cost_refuse (work, SL_COST_OF_STEP, sl_message ("A factored optimiser is not predicted."));
  else
    add_step (s, work, &mixture);
}
