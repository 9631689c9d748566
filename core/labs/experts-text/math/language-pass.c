/* SPDX-License-Identifier: MIT
 *
 * The passes of the language model; see language.h.  */
#include <string.h>

#include "core/labs/experts-text/math/language.h"
#include "core/labs/experts-text/math/softmax.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/kernels/vector.h"

/* The rate of dropout in this pass. */
static double
rate_of (const SlLanguagePass *pass)
{
  return pass->training ? pass->dropout : 0.0;
}

void
sl_language_draw (SlLanguage *model, SlLanguageRun *run, size_t steps, const SlLanguagePass *pass,
                  SlRng *dropout, SlRng *noise)
{
  size_t rows = steps * run->batch;

  for (unsigned l = 0; l <= model->layers && rate_of (pass) > 0.0; l++)
    sl_dropout_draw (dropout, rate_of (pass), rows * model->shape.units, run->mask[l]);
  if (model->shape.middle == SL_MIDDLE_EXPERTS && pass->experts.noise)
    sl_moe_draw (&model->moe, rows, noise);
}

/* x_0 = δ (E[w]) */
static void
embed (const SlLanguage *model, SlLanguageRun *run, size_t rows, const uint16_t *symbol,
       double rate)
{
  size_t d = model->shape.units;

  for (size_t row = 0; row < rows; row++)
    memcpy (run->x[0] + row * d, model->weights + symbol[row] * d, d * sizeof (sl_real));
  if (rate > 0.0)
    sl_dropout_apply (rows * d, rate, run->mask[0], run->x[0], run->x[0]);
}

/* f_l (x_l); returns where it is. */
static const sl_real *
layer_forward (SlLanguage *model, SlLanguageRun *run, unsigned l, size_t steps,
               const SlLanguagePass *pass)
{
  const sl_real *w = model->weights + model->at[l];
  size_t         rows = steps * run->batch, n = rows * model->shape.units;

  if (sl_language_recurs (model, l))
    {
      sl_lstm_pack (&model->lstm, w, &model->packed[l]);
      sl_lstm_forward (&model->lstm, w, &model->packed[l], &run->tape[l], steps, run->x[l]);
      return sl_lstm_output (&model->lstm, &run->tape[l]);
    }
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    sl_moe_forward (&model->moe, &pass->experts, rows, run->x[l], pass->training, pass->held,
                    run->y);
  else
    sl_stack_forward (&model->stack, w, &run->stack, rows, run->x[l], run->y);
  if (model->shape.sigmoid)
    sl_sigmoid_forward (n, run->y, run->y);
  return run->y;
}

void
sl_language_forward (SlLanguage *model, SlLanguageRun *run, size_t steps, const uint16_t *symbol,
                     const SlLanguagePass *pass)
{
  size_t rows = steps * run->batch, d = model->shape.units, n = rows * d;
  double rate = rate_of (pass);

  embed (model, run, rows, symbol, rate);
  for (unsigned l = 0; l < model->layers; l++)
    {
      const sl_real *f = layer_forward (model, run, l, steps, pass);
      sl_real       *next = run->x[l + 1];

      if (rate > 0.0)
        sl_dropout_apply (n, rate, run->mask[l + 1], f, next);
      else
        memcpy (next, f, n * sizeof *next);
      if (model->shape.residual)
        sl_vector_add (n, run->x[l], next);
    }
  sl_dense_forward (rows, d, model->shape.kinds, run->x[model->layers],
                    model->weights + model->at_out, model->weights + model->at_bias, run->logits);
}

double
sl_language_loss (const SlLanguage *model, SlLanguageRun *run, size_t steps, const uint16_t *label,
                  bool slope, size_t *errors)
{
  size_t rows = steps * run->batch;
  double sum = 0.0;

  sl_vocabulary_loss (rows, model->shape.kinds, run->logits, label, slope ? 1 / (sl_real) rows : 0,
                      run->loss, run->wrong);
  *errors = 0;
  for (size_t row = 0; row < rows; row++)
    {
      sum += (double) run->loss[row];
      *errors += run->wrong[row];
    }
  return sum / (double) rows;
}

/* From the slope of f_l in run->inner that of x_l through it into run->below. */
static void
layer_backward (SlLanguage *model, SlLanguageRun *run, unsigned l, size_t steps,
                const SlLanguagePass *pass, const SlOptimSetting *optim)
{
  const sl_real *w = model->weights + model->at[l];
  sl_real       *dw = model->gradient + model->at[l];
  size_t         rows = steps * run->batch, n = rows * model->shape.units;

  if (sl_language_recurs (model, l))
    {
      sl_lstm_backward (&model->lstm, w, &model->packed[l], &run->tape[l], steps, run->x[l],
                        run->inner, dw, run->below);
      return;
    }
  for (size_t i = 0; model->shape.sigmoid && i < n; i++)
    run->inner[i] *= run->y[i] * (1 - run->y[i]);
  if (model->shape.middle == SL_MIDDLE_EXPERTS)
    sl_moe_backward (&model->moe, &pass->experts, run->inner, run->below, optim);
  else
    sl_stack_backward (&model->stack, w, &run->stack, rows, run->x[l], run->inner, dw, run->below);
}

/* The slope of x_0 in run->slope to that of the rows of E that were read. */
static void
embed_backward (SlLanguage *model, SlLanguageRun *run, size_t rows, const uint16_t *symbol,
                double rate)
{
  size_t d = model->shape.units;

  if (rate > 0.0)
    sl_dropout_apply (rows * d, rate, run->mask[0], run->slope, run->slope);
  memset (model->gradient, 0, model->shape.kinds * d * sizeof *model->gradient);
  for (size_t row = 0; row < rows; row++)
    sl_vector_add (d, run->slope + row * d, model->gradient + symbol[row] * d);
}

/* Updates all but the experts, which lie in the middle of the block and did so themselves. */
static void
update (SlLanguage *model, const SlOptimSetting *optim, uint64_t t)
{
  bool   mixed = model->shape.middle == SL_MIDDLE_EXPERTS;
  size_t before = mixed ? model->at[1] : model->n, behind = mixed ? model->at[2] : model->n;

  sl_optim_step (optim, t, before, model->gradient, model->weights, model->m, model->v);
  sl_optim_step (optim, t, model->n - behind, model->gradient + behind, model->weights + behind,
                 model->m + before, model->v + before);
}

void
sl_language_backward (SlLanguage *model, SlLanguageRun *run, size_t steps, const uint16_t *symbol,
                      const SlLanguagePass *pass, const SlOptimSetting *optim, uint64_t t)
{
  size_t rows = steps * run->batch, d = model->shape.units, n = rows * d;
  double rate = rate_of (pass);

  sl_dense_backward (rows, d, model->shape.kinds, run->x[model->layers],
                     model->weights + model->at_out, run->logits, model->gradient + model->at_out,
                     model->gradient + model->at_bias, run->slope);
  for (unsigned l = model->layers; l-- > 0;)
    {
      if (rate > 0.0)
        sl_dropout_apply (n, rate, run->mask[l + 1], run->slope, run->inner);
      else
        memcpy (run->inner, run->slope, n * sizeof *run->inner);
      layer_backward (model, run, l, steps, pass, optim);
      if (model->shape.residual)
        sl_vector_add (n, run->below, run->slope);
      else
        memcpy (run->slope, run->below, n * sizeof *run->slope);
    }
  embed_backward (model, run, rows, symbol, rate);
  if (optim != NULL)
    update (model, optim, t);
}
