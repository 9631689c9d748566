/* SPDX-License-Identifier: MIT
 *
 * The way back through the network of the lab `prefix-tree`, and what its bits are credited with.  */
#include "core/labs/prefix-tree/lab.h"

#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/gater/units.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/tree/credit.h"

/* What a baseline keeps of its past (systems of the same authors, 2013). */
static const sl_real keep_baseline = (sl_real) 0.9;

/* The gradient of the gating values by the treatment in use, into s->credit (B, K); false when
 * they get none.  */
static bool
assign_credit (SlPrefixLab *s, size_t batch, const SlDecayClock *clock)
{
  Credit        credit = sl_prefix_credit (s);
  SlGaterUnit   unit = { .kind = credit == CREDIT_REINFORCE ? SL_GATER_SBN : SL_GATER_ST,
                         .slope = credit == CREDIT_THROUGH_SLOPE };
  SlGaterSignal signal = { .loss = s->loss, .baseline = s->baseline };
  size_t        bits = s->tree.bits;

  if (bits == 0
      || (credit != CREDIT_REINFORCE && credit != CREDIT_THROUGH && credit != CREDIT_THROUGH_SLOPE))
    return false;
  if (credit == CREDIT_REINFORCE)
    {
      sl_gater_baseline (bits, s->over, s->under, s->baseline);
      sl_gater_credit (&unit, batch, bits, s->probability, s->bit, s->fired, NULL, &signal,
                       s->credit);
      sl_gater_baseline_follow (batch, bits, s->probability, s->fired, s->loss, keep_baseline,
                                s->over, s->under);
      return true;
    }
  sl_tree_worth (&s->tree, s->x, s->delta, clock, s->worth);
  sl_sigmoid_forward (batch * bits, s->gating, s->probability);
  sl_gater_credit (&unit, batch, bits, s->probability, s->bit, s->fired, s->worth, &signal,
                   s->credit);
  return true;
}

/* Backward through the matrix of sampled bits: adds to dx, and updates it. */
static void
gates_backward (SlPrefixLab *s, size_t batch, const SlOptimSetting *optim)
{
  size_t   p = s->tree.shape.inputs, bits = s->tree.bits, n = sl_prefix_gate_numbers (s);
  sl_real *u = s->weights + s->at_gates, *du = s->gradient + s->body.n;

  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, p, bits, 1, s->credit, bits, u, bits, 1, s->dx, p);
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, p, bits, batch, 1, s->x, p, s->credit, bits, 0, du, bits);
  sl_optim_step (optim, s->now->moments, n, du, u, s->m + s->at_gates, s->v + s->at_gates);
}

void
sl_prefix_backward (SlPrefixLab *s, size_t batch, const SlTreeUpdate *update,
                    const SlDecayClock *clock, sl_real *gradient)
{
  size_t   p = s->tree.shape.inputs, q = s->tree.shape.units, bits = s->tree.bits;
  bool     modulated = sl_prefix_is_modulated (s), credited = false;
  sl_real *head = s->weights + s->at_head, *dpre = s->tape.delta[0];
  sl_real *dhead = s->gradient + s->body.n + sl_prefix_gate_numbers (s);

  sl_dense_backward (batch, q, s->outputs, s->h, head, s->dlogits, dhead, dhead + q * s->outputs,
                     s->delta);
  sl_relu_backward (batch * q, s->h, s->delta, s->delta);
  if (update != NULL)
    {
      credited = assign_credit (s, batch, clock);
      sl_optim_step (update->optim, s->now->moments, sl_prefix_head_numbers (s), dhead, head,
                     s->m + s->at_head, s->v + s->at_head);
    }
  sl_tree_backward (&s->tree, s->x, s->delta, modulated ? s->gain : NULL, s->part, s->dx, update,
                    gradient != NULL ? gradient + s->at_tree : NULL);
  if (modulated)
    sl_tree_gain_backward (&s->tree, sl_prefix_modulation (s), s->x, s->gain, s->part, s->dx);
  if (credited && is_sampled (s))
    gates_backward (s, batch, update->optim);
  sl_relu_backward (batch * p, s->x, s->dx, dpre);
  /* A threshold looks at the rectifier's input, so the credit does not pass the rectifier. */
  for (size_t e = 0; credited && !is_sampled (s) && e < batch; e++)
    for (size_t i = 0; i < bits; i++)
      dpre[e * p + i] += s->credit[e * bits + i];
  sl_net_backward (&s->body, &s->tape, batch, NULL, update != NULL ? update->optim : NULL,
                   s->now->moments);
  if (gradient != NULL)
    {
      memcpy (gradient, s->gradient, s->body.n * sizeof *gradient);
      memset (gradient + s->at_gates, 0, sl_prefix_gate_numbers (s) * sizeof *gradient);
      memcpy (gradient + s->at_head, dhead, sl_prefix_head_numbers (s) * sizeof *gradient);
    }
}
