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

Credit
sl_prefix_credit (const SlLabState *s)
{
  Credit credit = (Credit) value_of (s, P_CREDIT);
  bool   modulated = credit == CREDIT_SUPPRESS || credit == CREDIT_AMPLIFY;

  /* Bits by threshold leave nothing to chance; sampled ones belong to no unit that could
   * modulate.  */
  if (credit == CREDIT_REINFORCE ? !is_sampled (s) : modulated && is_sampled (s))
    return CREDIT_NONE;
  return credit;
}

bool
sl_prefix_is_modulated (const SlLabState *s)
{
  Credit credit = sl_prefix_credit (s);

  return credit == CREDIT_SUPPRESS || credit == CREDIT_AMPLIFY;
}

SlDecayClock
sl_prefix_clock (const SlLabState *s)
{
  return (SlDecayClock) { .kind = (SlDecayKind) value_of (s, P_DECAY_KIND), .now = s->now.clock };
}

/* The gating values and, unless they are held, the bits. */
static void
gate (SlLabState *s, size_t batch, Pass pass)
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
sl_prefix_route (SlLabState *s, size_t batch, Pass pass)
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
sl_prefix_finish (SlLabState *s, size_t batch, Pass pass)
{
  size_t         q = s->tree.shape.units;
  bool           modulated = sl_prefix_is_modulated (s);
  SlDecayClock   clock = sl_prefix_clock (s);
  const sl_real *head = s->weights + s->at_head;

  if (modulated)
    sl_tree_gain (&s->tree, sl_prefix_modulation (s), value_of (s, P_ROOT) != 0.0, s->x, s->gain);
  sl_tree_forward (&s->tree, s->x, modulated ? s->gain : NULL,
                   pass == PASS_EVALUATE ? &clock : NULL, s->a);
  sl_relu_forward (batch * q, s->a, s->h);
  sl_dense_forward (batch, q, s->outputs, s->h, head, head + q * s->outputs, s->logits);
}

void
sl_prefix_forward (SlLabState *s, size_t batch, Pass pass)
{
  sl_prefix_route (s, batch, pass);
  sl_prefix_finish (s, batch, pass);
}

static double
loss_of (const SlLabState *s, size_t batch, const sl_real *logits, const uint8_t *label,
         sl_real *dlogits, size_t *errors)
{
  if (s->outputs == 1)
    return sl_logistic_loss (batch, logits, label, dlogits, errors);
  return sl_softmax_loss (batch, s->outputs, logits, label, dlogits, errors);
}

double
sl_prefix_loss (SlLabState *s, size_t batch, size_t *errors, sl_real *each)
{
  for (size_t e = 0; each != NULL && e < batch; e++)
    each[e] = (sl_real) loss_of (s, 1, s->logits + e * s->outputs, s->label + e, NULL, NULL);
  return loss_of (s, batch, s->logits, s->label, s->dlogits, errors);
}

size_t
sl_prefix_route_validation (SlLabState *s)
{
  size_t n = s->dataset->n[SL_VALID] < PROBE ? s->dataset->n[SL_VALID] : PROBE;

  sl_dataset_range (s->dataset, sl_dataset_first (s->dataset, SL_VALID), n, s->tape.x[0], s->label);
  sl_prefix_route (s, n, PASS_EVALUATE);
  return n;
}

void
sl_prefix_evaluate (SlLabState *s, size_t first, size_t n, double *loss, double *error)
{
  double sum = 0.0, wrong = 0.0;

  for (size_t done = 0; done < n;)
    {
      size_t take = n - done < MOST_BATCH ? n - done : MOST_BATCH, errors;

      sl_dataset_range (s->dataset, first + done, take, s->tape.x[0], s->label);
      sl_prefix_forward (s, take, PASS_EVALUATE);
      sum += sl_prefix_loss (s, take, &errors, NULL) * (double) take;
      wrong += (double) errors;
      done += take;
    }
  *loss = sum / (double) n;
  *error = 100.0 * wrong / (double) n;
}

double
sl_prefix_dense_layer (const SlLabState *s)
{
  return (double) s->tree.shape.inputs * (double) s->tree.shape.units;
}

double
sl_prefix_dense_step (const SlLabState *s)
{
  double body = sl_net_macs (&s->body), head = (double) (s->tree.shape.units * s->outputs);

  /* Forward, and backward twice; the first layer's input needs no gradient. */
  return 3.0 * (body + sl_prefix_dense_layer (s) + head)
         - (double) (s->body.width[0] * s->body.width[1]);
}

/* What is known of one point after its batch has run. */
static void
fill_cell (SlLabState *s, size_t e, SlCell *cell)
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

      cell->active += on;
      if (certain < cell->confidence)
        cell->confidence = certain;
      if (on && i < SL_CELL_HASH)
        cell->pattern |= (uint64_t) 1 << i;
      else if (on)
        cell->pattern = (cell->pattern ^ i) * 0x9e3779b97f4a7c15U;
    }
  if (s->tree.bits >= SL_CELL_HASH)
    cell->pattern |= (uint64_t) 1 << SL_CELL_HASH;
  cell->label = sl_decide (s->outputs, s->logits + e * s->outputs, &cell->margin);
}

SlStatus
sl_prefix_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells)
{
  size_t features = s->body.width[0];

  for (size_t done = 0; done < n;)
    {
      size_t take = n - done < MOST_BATCH ? n - done : MOST_BATCH;

      memcpy (s->tape.x[0], points + done * features, take * features * sizeof *points);
      sl_prefix_forward (s, take, PASS_EVALUATE);
      for (size_t e = 0; e < take; e++)
        fill_cell (s, e, &cells[done + e]);
      done += take;
    }
  return SL_SUCCESS;
}
