/* SPDX-License-Identifier: MIT
 *
 * The language model's memory, first weights and costs; pass.c has the passes.  */
#include "core/labs/experts-text/math/language.h"

#include <string.h>

#include "core/nn/dense/init.h"

/* Numbers of the middle layer that is no LSTM. */
static size_t
middle_numbers (const SlLanguage *model)
{
  return model->shape.middle == SL_MIDDLE_EXPERTS ? sl_moe_numbers (&model->shape.experts)
                                                  : model->stack.n;
}

void
sl_language_shape (SlLanguage *model, const SlLanguageShape *shape)
{
  size_t d = shape->units, hidden = shape->experts.hidden;

  *model = (SlLanguage) { .shape = *shape, .layers = 3 };
  sl_lstm_shape (&model->lstm, d, d);
  if (shape->middle == SL_MIDDLE_WIDE)
    sl_stack_wide (&model->stack, d, d, shape->matched, hidden);
  else if (shape->middle == SL_MIDDLE_DEEP)
    sl_stack_deep (&model->stack, d, d, shape->matched, hidden);
  else if (shape->middle == SL_MIDDLE_LSTMS)
    model->layers = SL_LANGUAGE_LAYERS;
  model->n = shape->kinds * d;
  for (unsigned l = 0; l < model->layers; l++)
    {
      model->at[l] = model->n;
      model->n += sl_language_recurs (model, l) ? model->lstm.n : middle_numbers (model);
    }
  model->at_out = model->n;
  model->at_bias = model->at_out + shape->kinds * d;
  model->n = model->at_bias + shape->kinds;
}

/* Numbers that the experts update themselves. */
static size_t
own_numbers (const SlLanguage *model)
{
  return model->shape.middle == SL_MIDDLE_EXPERTS ? middle_numbers (model) : 0;
}

void
sl_language_carve (SlLanguage *model, SlArena *kept, SlArena *scratch)
{
  size_t others = model->n - own_numbers (model);

  model->weights = sl_arena_reals (kept, model->n);
  model->m = sl_arena_reals (kept, others);
  model->v = sl_arena_reals (kept, others);
  model->gradient = sl_arena_reals (scratch, model->n);
  for (unsigned l = 0; l < model->layers; l++)
    if (sl_language_recurs (model, l))
      sl_lstm_pack_carve (&model->packed[l], &model->lstm, true, scratch);
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    sl_moe_carve (&model->moe, &model->shape.experts, kept, scratch);
}

void
sl_language_clear_moments (SlLanguage *model)
{
  size_t others = model->n - own_numbers (model);

  memset (model->m, 0, others * sizeof *model->m);
  memset (model->v, 0, others * sizeof *model->v);
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    sl_moe_clear_moments (&model->moe);
}

void
sl_language_init (SlLanguage *model, SlRng *rng)
{
  size_t d = model->shape.units, kinds = model->shape.kinds;

  memset (model->weights, 0, model->n * sizeof *model->weights);
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    sl_moe_bind (&model->moe, model->weights + model->at[1], model->gradient + model->at[1]);
  sl_init_glorot (rng, d, d, kinds * d, model->weights); /* as wide as what reads it */
  for (unsigned l = 0; l < model->layers; l++)
    {
      sl_real *w = model->weights + model->at[l];

      if (sl_language_recurs (model, l))
        sl_lstm_init (&model->lstm, 1, rng, w);
      else if (model->shape.middle == SL_MIDDLE_EXPERTS)
        sl_moe_init (&model->moe, rng);
      else
        sl_stack_init (&model->stack, rng, w);
    }
  sl_init_glorot (rng, d, kinds, kinds * d, model->weights + model->at_out);
  sl_language_clear_moments (model);
}

void
sl_language_run_carve (SlLanguageRun *run, const SlLanguage *model, size_t batch, size_t steps,
                       bool backward, SlArena *scratch)
{
  size_t rows = batch * steps, n = rows * model->shape.units;

  *run = (SlLanguageRun) { .batch = batch, .steps = steps };
  for (unsigned l = 0; l <= model->layers; l++)
    {
      run->x[l] = sl_arena_reals (scratch, n);
      if (backward)
        run->mask[l] = sl_arena_carve (scratch, n, 1);
      if (l < model->layers && sl_language_recurs (model, l))
        sl_lstm_tape_carve (&run->tape[l], &model->lstm, batch, steps, backward, scratch);
    }
  if (model->stack.n > 0)
    sl_stack_tape_carve (&run->stack, &model->stack, rows, backward, scratch);
  if (backward)
    {
      run->slope = sl_arena_reals (scratch, n);
      run->inner = sl_arena_reals (scratch, n);
      run->below = sl_arena_reals (scratch, n);
    }
  run->y = sl_arena_reals (scratch, n);
  run->logits = sl_arena_reals (scratch, rows * model->shape.kinds);
  run->loss = sl_arena_reals (scratch, rows);
  run->wrong = sl_arena_carve (scratch, rows, 1);
}

void
sl_language_carry (const SlLanguage *model, SlLanguageRun *run, size_t steps)
{
  for (unsigned l = 0; l < model->layers; l++)
    if (sl_language_recurs (model, l))
      sl_lstm_carry (&model->lstm, &run->tape[l], steps);
}

void
sl_language_rest (const SlLanguage *model, SlLanguageRun *run, size_t first, size_t count)
{
  for (unsigned l = 0; l < model->layers; l++)
    if (sl_language_recurs (model, l))
      sl_lstm_rest (&model->lstm, &run->tape[l], first, count);
}

SlLanguageRun
sl_language_run_of_one (const SlLanguage *model, const SlLanguageRun *run)
{
  SlLanguageRun one = *run;

  one.batch = 1;
  for (unsigned l = 0; l < model->layers; l++)
    one.tape[l].batch = 1;
  sl_language_rest (model, &one, 0, 1);
  return one;
}

double
sl_language_balance_loss (const SlLanguage *model)
{
  const SlMoeBalance *balance = &model->moe.balance;

  return model->shape.middle == SL_MIDDLE_EXPERTS
           ? balance->importance_loss + balance->load_loss + balance->threshold_loss
           : 0.0;
}

static unsigned
recurrent_layers (const SlLanguage *model)
{
  return model->shape.middle == SL_MIDDLE_LSTMS ? model->layers : model->layers - 1;
}

double
sl_language_recurrent_macs (const SlLanguage *model)
{
  return recurrent_layers (model) * sl_lstm_macs (&model->lstm);
}

size_t
sl_language_recurrent_numbers (const SlLanguage *model)
{
  return recurrent_layers (model) * model->lstm.n;
}

double
sl_language_middle_macs (const SlLanguage *model, const SlMoeSetting *setting, double chosen)
{
  if (model->shape.middle == SL_MIDDLE_LSTMS)
    return 0.0;
  return model->shape.middle == SL_MIDDLE_EXPERTS
           ? sl_moe_gate_macs (&model->moe, setting) + chosen * sl_moe_expert_macs (&model->moe)
           : sl_stack_macs (&model->stack);
}

double
sl_language_softmax_macs (const SlLanguage *model)
{
  return (double) model->shape.kinds * (double) model->shape.units;
}

size_t
sl_language_inner_numbers (const SlLanguage *model)
{
  return model->at_out - model->at[0];
}
