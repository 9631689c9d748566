/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/prune.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/vector.h"
#include "core/nn/moe/private.h"

bool
sl_prune_is_possible (const SlMoeShape *shape)
{
  return sl_moe_is_choice (shape)
         || (shape->gate == SL_MOE_NOISY && shape->groups == 1 && shape->zero == 0);
}

/* Where the gate has the logits of row r. */
static sl_real *
logits_of (const SlMoe *moe, size_t r)
{
  size_t n = moe->shape.experts;

  return sl_moe_is_choice (&moe->shape) ? moe->chooser.logits + r * n
                                        : moe->gates[0].logits + r * 2 * n;
}

/* All examples of the batch for one expert. */
static void
compute_alone (SlPrune *prune, size_t expert)
{
  SlMoe      *moe = prune->moe;
  SlDispatch *dispatch = &moe->dispatch;
  size_t      n = moe->shape.experts, batch = prune->batch;

  memset (moe->hard, 0, n * sizeof *moe->hard);
  moe->hard[expert] = (uint32_t) batch;
  sl_dispatch_begin (dispatch, batch, moe->hard);
  for (size_t e = 0; e < batch; e++)
    sl_dispatch_add (dispatch, (uint32_t) e, (uint32_t) expert, 1);
  sl_dispatch_end (dispatch);
  sl_experts_forward (&moe->experts, dispatch, moe->x, false,
                      prune->outputs + expert * batch * moe->shape.outputs);
}

void
sl_prune_begin (SlPrune *prune, SlMoe *moe, const SlMoeSetting *setting, sl_real *logits,
                sl_real *outputs)
{
  size_t n = moe->shape.experts;

  *prune = (SlPrune) { moe, setting, moe->batch, logits, outputs };
  for (size_t r = 0; r < prune->batch; r++)
    memcpy (logits + r * n, logits_of (moe, r), n * sizeof *logits);
  for (size_t i = 0; i < n; i++)
    compute_alone (prune, i);
}

/* A logit that is no number is that of an expert that is not there. */
static void
choose (SlPrune *prune, const bool *removed)
{
  SlMoe *moe = prune->moe;
  size_t n = moe->shape.experts, batch = prune->batch;

  for (size_t r = 0; r < batch; r++)
    {
      sl_real *logits = logits_of (moe, r);

      memcpy (logits, prune->logits + r * n, n * sizeof *logits);
      for (size_t i = 0; removed != NULL && i < n; i++)
        logits[i] = removed[i] ? (sl_real) NAN : logits[i];
    }
  if (sl_moe_is_choice (&moe->shape))
    {
      SlChooserSetting choice = sl_moe_choice_setting (prune->setting);

      sl_chooser_decide (&moe->chooser, &choice, batch, false, false);
    }
  else
    sl_gate_decide (&moe->gates[0], prune->setting->k, batch);
  sl_moe_dispatch (moe);
}

void
sl_prune_forward (SlPrune *prune, const bool *removed, sl_real *y)
{
  const SlMoe      *moe = prune->moe;
  const SlDispatch *dispatch = &moe->dispatch;
  size_t            outputs = moe->shape.outputs, all = prune->batch * outputs;

  choose (prune, removed);
  memset (y, 0, all * sizeof *y);
  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      sl_vector_add_scaled (outputs, dispatch->weight[a],
                            prune->outputs + i * all + dispatch->row[a] * outputs,
                            y + dispatch->row[a] * outputs);
  if (moe->shape.shared > 0)
    sl_vector_add (all, moe->y_shared, y);
}

void
sl_prune_measure (const SlPrune *prune, double *count, double *saliency, double *norm)
{
  const SlDispatch *dispatch = &prune->moe->dispatch;
  size_t            outputs = prune->moe->shape.outputs;

  for (size_t i = 0; i < dispatch->experts; i++)
    {
      const sl_real *of = prune->outputs + i * prune->batch * outputs;

      count[i] = (double) (dispatch->start[i + 1] - dispatch->start[i]);
      saliency[i] = norm[i] = 0.0;
      for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
        {
          double length = 0.0;

          for (size_t o = dispatch->row[a] * outputs; o < (dispatch->row[a] + 1) * outputs; o++)
            length += (double) of[o] * (double) of[o];
          length = sqrt (length) / count[i];
          norm[i] += length;
          saliency[i] += (double) dispatch->weight[a] * length;
        }
    }
}

void
sl_prune_order (size_t n, const double *value, uint32_t *order)
{
  for (size_t i = 0; i < n; i++)
    {
      size_t at = i;

      for (; at > 0 && value[order[at - 1]] > value[i]; at--)
        order[at] = order[at - 1];
      order[at] = (uint32_t) i;
    }
}
