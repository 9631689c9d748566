/* SPDX-License-Identifier: MIT
 *
 * The way back through the network of the lab `prefix-tree`, and what its bits are credited with.  */
#include "core/labs/prefix-tree/lab.h"

#include <string.h>

#include "core/labs/prefix-tree/math/credit.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/gater/units.h"

/* What a baseline keeps of its past (systems of the same authors, 2013). */
static const sl_real keep_baseline = (sl_real) 0.9;

/* The gradient of the gating values by the treatment in use, into layer->credit (B, K); false when
 * they get none.  */
static bool
assign_credit (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch, const SlDecayClock *clock)
{
  Credit        credit = sl_prefix_credit (s);
  SlGaterUnit   unit = { .kind = credit == CREDIT_REINFORCE ? SL_GATER_SBN : SL_GATER_ST,
                         .slope = credit == CREDIT_THROUGH_SLOPE };
  SlGaterSignal signal = { .loss = s->loss, .baseline = layer->baseline };
  size_t        bits = layer->tree.bits;

  if (bits == 0
      || (credit != CREDIT_REINFORCE && credit != CREDIT_THROUGH && credit != CREDIT_THROUGH_SLOPE))
    return false;
  if (credit == CREDIT_REINFORCE)
    {
      sl_gater_baseline (bits, layer->over, layer->under, layer->baseline);
      sl_gater_credit (&unit, batch, bits, layer->probability, layer->bit, layer->fired, NULL,
                       &signal, layer->credit);
      sl_gater_baseline_follow (batch, bits, layer->probability, layer->fired, s->loss,
                                keep_baseline, layer->over, layer->under);
      return true;
    }
  sl_tree_worth (&layer->tree, layer->x, layer->delta, clock, layer->worth);
  sl_sigmoid_forward (batch * bits, layer->gating, layer->probability);
  sl_gater_credit (&unit, batch, bits, layer->probability, layer->bit, layer->fired, layer->worth,
                   &signal, layer->credit);
  return true;
}

/* Backward through what sampled bits are drawn from: adds to dx, and updates it. */
static void
gates_backward (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch, const SlOptimSetting *optim)
{
  SlGating gating = sl_prefix_gating (s, layer);
  sl_real *w = s->weights + layer->at_gates, *dw = s->gradient + layer->at_slopes;

  sl_gating_backward (&gating, batch, layer->x, w, layer->deep, layer->credit, layer->ddeep, dw,
                      layer->raw ? NULL : layer->dx);
  sl_optim_step (optim, s->now->moments, sl_gating_numbers (&gating), dw, w, s->m + layer->at_gates,
                 s->v + layer->at_gates);
}

/* From layer->delta to the gradient of what is below its rectifier, in `below` (B, p). */
static void
layer_backward (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch, const SlTreeUpdate *update,
                const SlDecayClock *clock, sl_real *gradient, sl_real *below)
{
  SlTree *tree = &layer->tree;
  size_t  p = tree->shape.inputs, bits = tree->bits;
  bool    modulated = sl_prefix_is_modulated (s);
  bool    credited = update != NULL && assign_credit (s, layer, batch, clock);

  sl_tree_backward (tree, layer->x, layer->delta, modulated ? layer->gain : NULL, layer->part,
                    sl_prefix_passes_down (s, layer) ? layer->dx : NULL, update,
                    gradient != NULL ? gradient + layer->at_tree : NULL);
  if (modulated)
    sl_tree_gain_backward (tree, sl_prefix_modulation (s), layer->x, layer->gain, layer->part,
                           layer->dx);
  if (credited && is_sampled (s))
    gates_backward (s, layer, batch, update->optim);
  if (layer->raw)
    return;
  sl_relu_backward (batch * p, layer->x, layer->dx, below);
  /* A threshold looks at the rectifier's input, so the credit does not pass the rectifier. */
  for (size_t e = 0; credited && !is_sampled (s) && e < batch; e++)
    for (size_t i = 0; i < bits; i++)
      below[e * p + tree->source[i]] += layer->credit[e * bits + i];
}

/* The gradient of all but the trees from where the layers left it. */
static void
copy_gradient (const SlPrefixLab *s, sl_real *gradient)
{
  size_t head = sl_prefix_head_numbers (s);

  memcpy (gradient, s->gradient, s->body.n * sizeof *gradient);
  for (unsigned l = 0; l < s->layers; l++)
    memset (gradient + s->layer[l].at_gates, 0,
            sl_prefix_gate_numbers (s, &s->layer[l]) * sizeof *gradient);
  memcpy (gradient + s->at_head, s->gradient + s->n_gradient - head, head * sizeof *gradient);
}

void
sl_prefix_backward (SlPrefixLab *s, size_t batch, const SlTreeUpdate *update,
                    const SlDecayClock *clock, sl_real *gradient)
{
  SlPrefixLayer *last = sl_prefix_last (s);
  size_t         q = last->tree.shape.units, numbers = sl_prefix_head_numbers (s);
  sl_real       *head = s->weights + s->at_head, *dhead = s->gradient + s->n_gradient - numbers;

  sl_dense_backward (batch, q, s->outputs, s->h, head, s->dlogits, dhead, dhead + q * s->outputs,
                     last->delta);
  sl_relu_backward (batch * q, s->h, last->delta, last->delta);
  if (update != NULL)
    sl_optim_step (update->optim, s->now->moments, numbers, dhead, head, s->m + s->at_head,
                   s->v + s->at_head);
  for (unsigned l = s->layers; l-- > 0;)
    layer_backward (s, &s->layer[l], batch, update, clock, gradient,
                    l > 0 ? s->layer[l - 1].delta : s->tape.delta[0]);
  if (s->body.layers > 0)
    sl_net_backward (&s->body, &s->tape, batch, NULL, update != NULL ? update->optim : NULL,
                     s->now->moments);
  if (gradient != NULL)
    copy_gradient (s, gradient);
}
