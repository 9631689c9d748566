/* SPDX-License-Identifier: MIT
 *
 * How the lab `prefix-tree` runs its network, and the gating map made of it.  */
#include "core/labs/prefix-tree/lab.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/loss.h"
#include "core/nn/gater/units.h"
#include "core/nn/kernels/mat.h"

bool
sl_prefix_is_modulated (const SlPrefixLab *s)
{
  Credit credit = sl_prefix_credit (s);

  return credit == CREDIT_SUPPRESS || credit == CREDIT_AMPLIFY;
}

SlDecayClock
sl_prefix_clock (const SlPrefixLab *s)
{
  return (SlDecayClock) { .kind = (SlDecayKind) sl_value_of (&s->base, P_DECAY_KIND),
                          .now = s->now->clock };
}

/* The gating values and, unless they are held, the bits. */
static void
gate (SlPrefixLab *s, size_t batch, Pass pass)
{
  static const SlGaterUnit binary = { .kind = SL_GATER_SBN };
  size_t                   p = s->tree.shape.inputs, bits = s->tree.bits, n = batch * bits;

  if (!is_sampled (s))
    {
      /* For τ >= 0, the rectifier's input exceeds it where its output does; below, only the input
       * still tells examples apart.  */
      sl_tree_threshold (batch, bits, s->tape.x[s->body.layers], p, s->tau, s->gating, s->bit);
      return;
    }
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, bits, p, 1, s->x, p, s->weights + s->at_gates, bits, 0,
              s->gating, bits);
  if (pass == PASS_TRAIN)
    sl_gater_fire (&binary, n, s->gating, s->uniform, s->probability, s->bit, s->fired);
  else
    for (size_t i = 0; i < n; i++)
      s->bit[i] = s->gating[i] > 0;
}

void
sl_prefix_route (SlPrefixLab *s, size_t batch, Pass pass)
{
  SlEstimate none = { .mode = SL_ESTIMATE_OFF };

  sl_net_forward (&s->body, &s->tape, batch, NULL, &none);
  sl_relu_forward (batch * s->tree.shape.inputs, s->tape.x[s->body.layers], s->x);
  if (pass != PASS_HELD)
    {
      gate (s, batch, pass);
      sl_tree_route (&s->tree, batch, s->bit);
    }
}

void
sl_prefix_finish (SlPrefixLab *s, size_t batch, Pass pass)
{
  size_t         q = s->tree.shape.units;
  bool           modulated = sl_prefix_is_modulated (s);
  SlDecayClock   clock = sl_prefix_clock (s);
  const sl_real *head = s->weights + s->at_head;

  if (modulated)
    sl_tree_gain (&s->tree, sl_prefix_modulation (s), sl_is_on (&s->base, P_ROOT), s->x, s->gain);
  sl_tree_forward (&s->tree, s->x, modulated ? s->gain : NULL,
                   pass == PASS_EVALUATE ? &clock : NULL, s->a);
  sl_relu_forward (batch * q, s->a, s->h);
  sl_dense_forward (batch, q, s->outputs, s->h, head, head + q * s->outputs, s->logits);
}

void
sl_prefix_forward (SlPrefixLab *s, size_t batch, Pass pass)
{
  sl_prefix_route (s, batch, pass);
  sl_prefix_finish (s, batch, pass);
}

static double
loss_of (const SlPrefixLab *s, size_t batch, const sl_real *logits, const uint8_t *label,
         sl_real *dlogits, size_t *errors)
{
  if (s->outputs == 1)
    return sl_logistic_loss (batch, logits, label, dlogits, errors);
  return sl_softmax_loss (batch, s->outputs, logits, label, dlogits, errors);
}

double
sl_prefix_loss (SlPrefixLab *s, size_t batch, size_t *errors, sl_real *each)
{
  for (size_t e = 0; each != NULL && e < batch; e++)
    each[e] = (sl_real) loss_of (s, 1, s->logits + e * s->outputs, s->label + e, NULL, NULL);
  return loss_of (s, batch, s->logits, s->label, s->dlogits, errors);
}

size_t
sl_prefix_route_validation (SlPrefixLab *s)
{
  size_t n = sl_examples (&s->base, SL_VALID, PROBE);

  sl_dataset_range (s->base.dataset, sl_dataset_first (s->base.dataset, SL_VALID), n, s->tape.x[0],
                    s->label);
  sl_prefix_route (s, n, PASS_EVALUATE);
  return n;
}

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlPrefixLab *s = sl_prefix_lab (state);

  sl_dataset_range (state->dataset, first, n, s->tape.x[0], s->label);
  sl_prefix_forward (s, n, PASS_EVALUATE);
  return sl_prefix_loss (s, n, errors, NULL);
}

SlEvaluation
sl_prefix_evaluate (SlPrefixLab *s, size_t first, size_t n)
{
  return sl_evaluate (&s->base, first, n, MOST_BATCH, evaluate_batch, NULL);
}

double
sl_prefix_dense_layer (const SlPrefixLab *s)
{
  return (double) s->tree.shape.inputs * (double) s->tree.shape.units;
}

double
sl_prefix_dense_step (const SlPrefixLab *s)
{
  double body = sl_net_macs (&s->body), head = (double) (s->tree.shape.units * s->outputs);

  /* Forward, and backward twice; the first layer's input needs no gradient. */
  return 3.0 * (body + sl_prefix_dense_layer (s) + head)
         - (double) (s->body.width[0] * s->body.width[1]);
}

/* What is known of one point after its batch has run. */
static void
fill_cell (SlPrefixLab *s, size_t e, SlCell *cell)
{
  double levels = s->tree.shape.flat ? 1.0 : s->tree.shape.k + 1.0;
  double head = (double) (s->tree.shape.units * s->outputs);
  double gates = is_sampled (s) ? (double) (s->tree.shape.inputs * s->tree.bits) : 0.0;

  *cell = (SlCell) { .top = s->tree.leaf[e], .confidence = s->tree.bits > 0 ? 1 : 0 };
  cell->cost
    = (sl_real) (sl_net_macs (&s->body) + gates + levels * sl_prefix_dense_layer (s) + head);
  for (size_t i = 0; i < s->tree.bits; i++)
    {
      bool    on = s->bit[e * s->tree.bits + i] != 0;
      sl_real certain = tanh (fabs (s->gating[e * s->tree.bits + i]) / 2); /* |2 σ (v) - 1| */

      if (certain < cell->confidence)
        cell->confidence = certain;
      if (on)
        sl_cell_add (cell, i);
    }
  sl_cell_finish (cell, s->tree.bits);
  cell->label = sl_decide (s->outputs, s->logits + e * s->outputs, &cell->margin);
}

void
sl_prefix_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlPrefixLab *s = sl_prefix_lab (state);

  memcpy (s->tape.x[0], points, n * s->body.width[0] * sizeof *points);
  sl_prefix_forward (s, n, PASS_EVALUATE);
  for (size_t e = 0; e < n; e++)
    fill_cell (s, e, &cells[e]);
}
