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

/* What a threshold keeps of itself when it moves to a batch's median. */
static const sl_real keep_threshold = (sl_real) 0.9;

/* The gating values and the bits. */
static void
gate (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch, Pass pass)
{
  static const SlGaterUnit binary = { .kind = SL_GATER_SBN };
  SlGating                 gating = sl_prefix_gating (s, layer);
  size_t                   n = batch * layer->tree.bits;

  if (!is_sampled (s))
    {
      /* For τ >= 0, the rectifier's input exceeds it where its output does; below, only the input
       * still tells examples apart.  */
      sl_tree_threshold (&layer->tree, batch, layer->pre, layer->tau, layer->gating, layer->bit);
      return;
    }
  sl_gating_forward (&gating, batch, layer->x, s->weights + layer->at_gates, layer->deep,
                     layer->gating);
  if (pass == PASS_TRAIN)
    sl_gater_fire (&binary, n, layer->gating, layer->uniform, layer->probability, layer->bit,
                   layer->fired);
  else
    for (size_t i = 0; i < n; i++)
      layer->bit[i] = layer->gating[i] > 0;
}

/* Moves the thresholds towards the medians of the batch just gated, so that each bit is 1 for
 * half of the examples.  */
static void
follow_medians (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch)
{
  size_t bits = layer->tree.bits;

  if (is_sampled (s) || sl_value_of (&s->base, P_THRESHOLD) != THRESHOLD_MEDIAN)
    return;
  for (size_t i = 0; i < bits; i++)
    {
      sl_real above = sl_tree_median (batch, layer->gating + i, bits, s->work);

      layer->tau[i] += (s->base.now.t == 0 ? 1 : 1 - keep_threshold) * above;
    }
}

/* A tree from what is below it to its pre-activations. */
static void
run_layer (SlPrefixLab *s, SlPrefixLayer *layer, size_t batch, Pass pass,
           const SlPrefixUpkeep *upkeep)
{
  bool         modulated = sl_prefix_is_modulated (s);
  SlDecayClock clock = sl_prefix_clock (s);

  if (!layer->raw)
    sl_relu_forward (batch * layer->tree.shape.inputs, layer->pre, layer->x);
  if (pass != PASS_HELD)
    {
      gate (s, layer, batch, pass);
      sl_tree_route (&layer->tree, batch, layer->bit);
    }
  if (upkeep != NULL)
    follow_medians (s, layer, batch);
  if (upkeep != NULL && upkeep->decays)
    sl_tree_refresh (&layer->tree, upkeep->kind, upkeep->until);
  if (modulated)
    sl_tree_gain (&layer->tree, sl_prefix_modulation (s), sl_is_on (&s->base, P_ROOT), layer->x,
                  layer->gain);
  sl_tree_forward (&layer->tree, layer->x, modulated ? layer->gain : NULL,
                   pass == PASS_EVALUATE ? &clock : NULL, layer->a);
}

void
sl_prefix_forward (SlPrefixLab *s, size_t batch, Pass pass, const SlPrefixUpkeep *upkeep)
{
  SlEstimate     none = { .mode = SL_ESTIMATE_OFF };
  SlPrefixLayer *last = sl_prefix_last (s);
  size_t         q = last->tree.shape.units;
  const sl_real *head = s->weights + s->at_head;

  if (s->body.layers > 0)
    sl_net_forward (&s->body, &s->tape, batch, NULL, &none);
  for (unsigned l = 0; l < s->layers; l++)
    run_layer (s, &s->layer[l], batch, pass, upkeep);
  sl_relu_forward (batch * q, last->a, s->h);
  sl_dense_forward (batch, q, s->outputs, s->h, head, head + q * s->outputs, s->logits);
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
  sl_prefix_forward (s, n, PASS_EVALUATE, NULL);
  return n;
}

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlPrefixLab *s = sl_prefix_lab (state);

  sl_dataset_range (state->dataset, first, n, s->tape.x[0], s->label);
  sl_prefix_forward (s, n, PASS_EVALUATE, NULL);
  return sl_prefix_loss (s, n, errors, NULL);
}

SlEvaluation
sl_prefix_evaluate (SlPrefixLab *s, size_t first, size_t n)
{
  return sl_evaluate (&s->base, first, n, MOST_BATCH, evaluate_batch, NULL);
}

double
sl_prefix_dense_layer (const SlPrefixLayer *layer)
{
  return (double) layer->tree.shape.inputs * (double) layer->tree.shape.units;
}

/* Forward, and backward twice; the first layer's input needs no gradient. */
static double
step_of_body_and_head (const SlPrefixLab *s)
{
  double head = (double) (s->layer[s->layers - 1].tree.shape.units * s->outputs);
  double first = s->body.layers > 0 ? (double) (s->body.width[0] * s->body.width[1]) : 0.0;

  return 3.0 * (sl_net_macs (&s->body) + head) - first;
}

static double
macs_of_gates (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  SlGating gating = sl_prefix_gating (s, layer);

  return sl_gating_macs (&gating);
}

/* Those of its gradient to the inputs. */
static double
macs_to_inputs (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  SlGating gating = sl_prefix_gating (s, layer);

  return (double) (gating.inputs * (gating.hidden > 0 ? gating.hidden : gating.bits));
}

double
sl_prefix_other_step (const SlPrefixLab *s)
{
  double macs = step_of_body_and_head (s);

  for (unsigned l = 0; l < s->layers; l++)
    macs += 3.0 * macs_of_gates (s, &s->layer[l])
            - (s->layer[l].raw ? macs_to_inputs (s, &s->layer[l]) : 0.0);
  return macs;
}

double
sl_prefix_dense_step (const SlPrefixLab *s)
{
  double macs = step_of_body_and_head (s);

  for (unsigned l = 0; l < s->layers; l++)
    macs += (s->layer[l].raw ? 2.0 : 3.0) * sl_prefix_dense_layer (&s->layer[l]);
  return macs;
}

/* Multiplications of one input. */
static double
macs_of_pass (const SlPrefixLab *s)
{
  double macs
    = sl_net_macs (&s->body) + (double) (s->layer[s->layers - 1].tree.shape.units * s->outputs);

  for (unsigned l = 0; l < s->layers; l++)
    {
      const SlPrefixLayer *layer = &s->layer[l];
      double               levels = layer->tree.shape.flat ? 1.0 : layer->tree.shape.k + 1.0;

      macs += levels * sl_prefix_dense_layer (layer) + macs_of_gates (s, layer);
    }
  return macs;
}

/* What is known of one point after its batch has run. */
static void
fill_cell (SlPrefixLab *s, size_t e, SlCell *cell)
{
  const SlPrefixLayer *shown = sl_prefix_shown (s);
  size_t               bits = shown->tree.bits;

  *cell = (SlCell) { .top = shown->tree.leaf[e], .confidence = bits > 0 ? 1 : 0 };
  cell->cost = (sl_real) macs_of_pass (s);
  for (size_t i = 0; i < bits; i++)
    {
      sl_real certain = tanh (fabs (shown->gating[e * bits + i]) / 2); /* |2 σ (v) - 1| */

      if (certain < cell->confidence)
        cell->confidence = certain;
      if (shown->bit[e * bits + i] != 0)
        sl_cell_add (cell, i);
    }
  sl_cell_finish (cell, bits);
  cell->label = sl_decide (s->outputs, s->logits + e * s->outputs, &cell->margin);
}

void
sl_prefix_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlPrefixLab *s = sl_prefix_lab (state);

  memcpy (s->tape.x[0], points, n * s->body.width[0] * sizeof *points);
  sl_prefix_forward (s, n, PASS_EVALUATE, NULL);
  for (size_t e = 0; e < n; e++)
    fill_cell (s, e, &cells[e]);
}
