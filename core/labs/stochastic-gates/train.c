/* SPDX-License-Identifier: MIT
 *
 * How the layers of the lab `stochastic-gates` run and learn.  Each has gates of the same kind and its own term,
 * whose sum is added to the loss; an upper layer gives the one below the gradient of what it got.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/gater/concrete.h"
#include "core/nn/gater/sparsity.h"

/* Weights of the past in the means that follow the batches. */
static const double keep_rate = 0.99, keep_baseline = 0.9;

/* A unit is nudged when it is on less often than this share of what is wished. */
static const double starving = 0.1;

double
sl_gates_draw_and_run (SlGatesLab *s, size_t batch, size_t *errors)
{
  SlGaterUnit unit = sl_gates_unit (s);

  sl_batches_next (&s->base.batches, s->base.dataset, batch, s->layer[0].tape.x, s->label);
  sl_gates_rescale (s, batch);
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      bool shifted = sl_gates_draw (s, l, &unit, batch, &s->now->draws);

      sl_gater_forward (&l->gater, &unit, &l->tape, batch, shifted, false);
    }
  return sl_gater_loss (&s->top->gater, &s->top->tape, batch, s->label, errors);
}

/* The sparsity term of the batch on the tape of a layer, and what the estimators need. */
static double
prepare_layer (SlGatesLab *s, SlGatesLayer *l, const SlGaterUnit *unit, size_t batch)
{
  size_t units = l->gater.units;

  if (unit->kind == SL_GATER_SBN)
    sl_gater_baseline (units, l->over, l->under, l->baseline);
  if (sl_gater_has_term (unit->kind))
    l->signal.pull = l->pull;
  if (sl_gates_has_l0 (s))
    return sl_concrete_l0 (batch, units, l->tape.p, sl_gates_weight (s), s->mean, l->pull);
  if (sl_gater_has_term (unit->kind))
    return sl_gater_kl (unit, batch, units, l->tape.p, sl_value_of (&s->base, P_DENSITY),
                        sl_gates_weight (s), s->mean, l->pull);
  if (unit->kind == SL_GATER_SIGMOID)
    return 0.0;
  l->signal.l1 = (sl_real) *l->lambda;
  return sl_gater_l1 (batch * units, l->tape.h, *l->lambda);
}

/* The same of all layers; `loss` (B) of each example.  Returns the sum of the terms. */
static double
prepare (SlGatesLab *s, size_t batch, const sl_real *loss)
{
  SlGaterUnit unit = sl_gates_unit (s);
  double      term = 0.0;

  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      l->signal = (SlGaterSignal) { .loss = loss, .baseline = l->baseline, .soft = l->tape.soft };
      term += prepare_layer (s, l, &unit, batch);
    }
  return term;
}

static void
go_back (SlGatesLab *s, size_t batch, const SlGaterLearning *learning)
{
  SlGaterUnit unit = sl_gates_unit (s);

  for (unsigned k = s->layers; k-- > 0;)
    sl_gater_backward (&s->layer[k].gater, &unit, &s->layer[k].tape, batch, &s->layer[k].signal,
                       learning);
}

double
sl_gates_learn (SlGatesLab *s, size_t batch, const SlGaterLearning *learning)
{
  double term = prepare (s, batch, s->top->tape.loss);

  go_back (s, batch, learning);
  return term;
}

/* Returns the density of the layer. */
static double
follow_layer (SlGatesLab *s, SlGatesLayer *l, const SlGaterUnit *unit, size_t batch)
{
  size_t units = l->gater.units;
  double wished = sl_value_of (&s->base, P_DENSITY), nudge = sl_value_of (&s->base, P_NUDGE),
         density;
  sl_real keep = s->base.now.t == 1 ? 0 : (sl_real) keep_rate, *bias;

  if (unit->kind == SL_GATER_SBN)
    sl_gater_baseline_follow (batch, units, l->tape.p, l->tape.h, s->top->tape.loss,
                              (sl_real) keep_baseline, l->over, l->under);
  density = sl_gater_rates (batch, units, l->tape.h, s->mean);
  for (size_t i = 0; i < units; i++)
    l->rate[i] = keep * l->rate[i] + (1 - keep) * s->mean[i];
  if (!sl_gater_has_probability (unit->kind))
    *l->lambda = sl_gater_lambda (*l->lambda, density, wished, sl_value_of (&s->base, P_KAPPA));
  bias = sl_gater_bias (&l->gater, SL_GATER_LOGITS);
  for (size_t i = 0; nudge > 0.0 && i < units; i++)
    if (l->rate[i] < starving * wished)
      bias[i] += (sl_real) (nudge * (wished - (double) l->rate[i]));
  return density;
}

void
sl_gates_follow (SlGatesLab *s, size_t batch)
{
  SlGaterUnit unit = sl_gates_unit (s);
  double      density = 0.0;

  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    density += follow_layer (s, l, &unit, batch);
  s->now->density += density / s->layers * (double) batch;
}

/* A step computes everything: forward, the gradients of the weights, and those of what lies below the output,
 * the logits and, of upper layers, the experts and the gater's hidden units.  */
double
sl_gates_step_macs (const SlGatesLab *s, size_t batch)
{
  double macs = 0.0;

  for (const SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      const SlGater *g = &l->gater;
      double         forward = sl_gater_macs (g) + sl_gater_expert_macs (g, 1.0);
      double         below = (double) g->units * (double) (g->hidden + g->outputs);

      if (l > s->layer)
        below += (double) g->inputs * (double) (g->hidden + g->units);
      macs += 2.0 * forward + below;
    }
  return macs * (double) batch;
}

void
sl_gates_freeze (SlLabState *state)
{
  SlGatesLab *s = sl_gates_lab (state);
  size_t      batch = sl_count_of (state, P_BATCH), n = batch * s->top->gater.units, errors;

  sl_gates_draw_and_run (s, batch, &errors);
  memcpy (s->held_loss, s->top->tape.loss, batch * sizeof *s->held_loss);
  /* What an upper layer gives to the one below stays. */
  sl_gates_learn (s, batch, NULL);
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      sl_gater_feedback (&l->gater, &l->tape, batch);
      memcpy (l->frozen, l->tape.dh, n * sizeof *l->frozen);
    }
}

/* log P (on) of a binary gate with logit z. */
static double
log_chance (double z, bool on)
{
  double towards = on ? z : -z;

  return fmin (towards, 0.0) - log1p (exp (-fabs (z)));
}

/* A function whose gradient is what an estimator says where that is not the gradient of the loss
 * itself: the held signal times what the signal is credited to.  */
static double
surrogate (const SlGatesLab *s, const SlGatesLayer *l, const SlGaterUnit *unit, size_t batch)
{
  size_t units = l->gater.units;
  double sum = 0.0;

  if (unit->kind == SL_GATER_ST)
    for (size_t i = 0; i < batch * units; i++)
      sum += (double) l->frozen[i] * (double) (unit->slope ? l->tape.p[i] : l->tape.z[i]);
  if (unit->kind == SL_GATER_GUMBEL && unit->hard)
    for (size_t i = 0; i < batch * units; i++)
      sum += (double) l->frozen[i] * (double) l->tape.soft[i];
  if (unit->kind == SL_GATER_SBN)
    for (size_t i = 0; i < batch * units; i++)
      sum += log_chance ((double) l->tape.z[i], l->tape.on[i] != 0)
             * (double) (s->held_loss[i / units] - l->baseline[i % units]) / (double) batch;
  return sum;
}

double
sl_gates_objective (SlLabState *state, sl_real *gradient)
{
  SlGatesLab *s = sl_gates_lab (state);
  SlGaterUnit unit = sl_gates_unit (s);
  size_t      batch = sl_count_of (state, P_BATCH), errors;
  double      loss;

  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    sl_gater_forward (&l->gater, &unit, &l->tape, batch, sl_gates_is_noisy (s), true);
  loss = sl_gater_loss (&s->top->gater, &s->top->tape, batch, s->label, &errors);
  loss += prepare (s, batch, s->held_loss);
  for (const SlGatesLayer *l = s->layer; l <= s->top; l++)
    loss += surrogate (s, l, &unit, batch);
  if (gradient != NULL)
    {
      go_back (s, batch, NULL);
      memcpy (gradient, s->all.gradient, s->all.n * sizeof *gradient);
    }
  return loss;
}
