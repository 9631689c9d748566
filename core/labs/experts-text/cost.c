/* SPDX-License-Identifier: MIT
 *
 * What an update of the lab `experts-text` is made of.  */
#include "core/lab/mixture/work.h"
#include "core/labs/experts-text/lab.h"

static SlCostKind
optimiser (const SlExpertsTextLab *s)
{
  static const SlCostKind of[]
    = { SL_COST_DESCENT, SL_COST_MOMENTUM, SL_COST_ADAM }; /* in the order of the choices */

  return of[sl_count_of (&s->base, P_OPTIMISER)];
}

/* Numbers of a loop that the calls for a row of a recurrent layer, and those for a step, take. */
static const double each_row = 20, each_step = 100;

/* A recurrent layer over all steps: the inputs' part in one product, the states' step by step. */
static void
add_lstm_forward (const SlExpertsTextLab *s, const SlLstm *lstm, SlWorkload *work)
{
  size_t h = lstm->units, rows = s->batch * s->length;
  double steps = (double) s->length;

  sl_cost_add (work, SL_COST_COPY, 1, 4 * h, h, 1);
  sl_cost_add (work, SL_COST_LOOP, 2, 4 * h, h, 1);
  sl_cost_add (work, SL_COST_COPY, 1, rows, 4 * h, 1);
  sl_cost_add (work, SL_COST_DOWN, 1, rows, 4 * h, lstm->inputs);
  sl_cost_add (work, SL_COST_STRIPS, steps, s->batch, 4 * h, h);
  sl_cost_add (work, SL_COST_READ, steps, 4 * h, h, 1);
  sl_cost_add (work, SL_COST_SIGMOID, 1, rows, 3 * h, 1);
  sl_cost_add (work, SL_COST_TANH, 2, rows, h, 1);
  sl_cost_add (work, SL_COST_RELU, 3, rows, h, 1);
  sl_cost_add (work, SL_COST_LOOP, each_row, rows, 1, 1);
  sl_cost_add (work, SL_COST_LOOP, each_step, s->length, 1, 1);
}

static void
add_lstm_backward (const SlExpertsTextLab *s, const SlLstm *lstm, SlWorkload *work)
{
  size_t h = lstm->units, rows = s->batch * s->length;
  double steps = (double) s->length;

  sl_cost_add (work, SL_COST_RELU, 12, rows, h, 1);
  sl_cost_add (work, SL_COST_LOOP, each_row, rows, 1, 1);
  sl_cost_add (work, SL_COST_LOOP, each_step, s->length, 1, 1);
  sl_cost_add (work, SL_COST_STRIPS, steps, s->batch, h, 4 * h);
  sl_cost_add (work, SL_COST_READ, steps, 4 * h, h, 1);
  sl_cost_add (work, SL_COST_WEIGHTS, 1, lstm->inputs, 4 * h, rows);
  sl_cost_add (work, SL_COST_WEIGHTS, 1, h, 4 * h, rows);
  sl_cost_add (work, SL_COST_COPY, 1, rows, 4 * h, 1);
  sl_cost_add (work, SL_COST_FORWARD, 1, rows, lstm->inputs, 4 * h);
}

/* The dense layers in the place of the experts, forward and backward. */
static void
add_stack (const SlStack *stack, SlWorkload *work, size_t rows)
{
  for (unsigned l = 0; l < stack->layers; l++)
    {
      sl_cost_add_layer (work, rows, stack->width[l], stack->width[l + 1]);
      sl_cost_add_layer_backward (work, rows, stack->width[l], stack->width[l + 1], true);
      sl_cost_add (work, SL_COST_RELU, 2, rows, stack->width[l + 1], 1);
    }
}

/* The embedding, what joins the layers, and the softmax over the vocabulary. */
static void
add_ends (const SlExpertsTextLab *s, const SlLanguage *model, SlWorkload *work)
{
  size_t rows = s->batch * s->length, d = model->shape.units, kinds = model->shape.kinds;
  double joins = model->layers + 1;
  bool   drops = sl_value_of (&s->base, P_DROPOUT) > 0;

  sl_cost_add (work, SL_COST_COPY, 3 * joins, rows, d, 1);
  sl_cost_add (work, SL_COST_COPY, 1, kinds, d, 1);
  if (drops)
    sl_cost_add (work, SL_COST_DRAW, joins, rows, d, 1);
  if (drops)
    sl_cost_add (work, SL_COST_RELU, 2 * joins, rows, d, 1);
  if (model->shape.residual)
    sl_cost_add (work, SL_COST_RELU, 2 * joins, rows, d, 1);
  sl_cost_add_layer (work, rows, d, kinds);
  sl_cost_add_layer_backward (work, rows, d, kinds, true);
  sl_cost_add (work, SL_COST_SIGMOID, 1, rows, kinds, 1);
  sl_cost_add (work, SL_COST_RELU, 3, rows, kinds, 1);
}

static SlMixtureWork
mixture_of (const SlExpertsTextLab *s, const SlLanguage *model)
{
  return (SlMixtureWork) { .shape = &model->shape.experts,
                           .setting = sl_experts_text_pass (s, true).experts,
                           .optimiser = optimiser (s) };
}

static void
add_middle (const SlExpertsTextLab *s, const SlLanguage *model, SlWorkload *work)
{
  size_t        rows = s->batch * s->length;
  SlMixtureWork mixture = mixture_of (s, model);

  if (model->shape.sigmoid)
    {
      sl_cost_add (work, SL_COST_SIGMOID, 1, rows, model->shape.units, 1);
      sl_cost_add (work, SL_COST_RELU, 1, rows, model->shape.units, 1);
    }
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    {
      sl_mixture_work_forward (&mixture, work, rows, true);
      sl_mixture_work_backward (&mixture, work, rows);
    }
  else
    add_stack (&model->stack, work, rows);
}

/* The experts update their own numbers. */
static void
add_model (const SlExpertsTextLab *s, const SlLanguage *model, SlWorkload *work)
{
  size_t others = model->n;

  for (unsigned l = 0; l < model->layers; l++)
    if (sl_language_recurs (model, l))
      {
        add_lstm_forward (s, &model->lstm, work);
        add_lstm_backward (s, &model->lstm, work);
      }
    else
      add_middle (s, model, work);
  add_ends (s, model, work);
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    others -= model->at[2] - model->at[1];
  sl_cost_add (work, optimiser (s), 1, others, 1, 1);
}

void
sl_experts_text_work (const SlLabState *state, SlWorkload *work)
{
  const SlExpertsTextLab *s = (const SlExpertsTextLab *) state;
  const SlMixtureWork     mixture = mixture_of (s, &s->net.model);
  SlMessage passes = sl_message ("This lab times no passes: its models are compared by what they "
                                 "multiply.");

  work->batch = s->batch * s->length;
  sl_cost_refuse_passes (work, passes);
  sl_cost_begin (work, SL_COST_OF_STEP);
  add_model (s, &s->net.model, work);
  if (s->has_baseline)
    add_model (s, &s->baseline.model, work);
  if (!sl_experts_text_mixes (s))
    return;
  if (mixture.shape->factored)
    sl_cost_refuse (work, SL_COST_OF_STEP, sl_message ("A factored optimiser is not predicted."));
  else
    sl_mixture_work_refuse (&mixture, work);
}
