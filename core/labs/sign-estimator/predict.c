/* SPDX-License-Identifier: MIT
 *
 * The predictors of the lab `sign-estimator`: which one is asked, with which thresholds, what it costs, and the
 * training of the one that learns.  */
#include "core/labs/sign-estimator/lab.h"

#include "core/nn/dense/glu.h"
#include "core/nn/dense/l1.h"

/* Steps in which the weight of the L1 term rises, four times as much in each. */
enum { L1_STAGES = 3 };

SlPredictorKind
sl_sign_kind (const SlSignLab *s)
{
  return sl_sign_has_gates (s) ? SL_PREDICTOR_MAGNITUDE
                               : (SlPredictorKind) sl_value_of (&s->base, P_PREDICTOR);
}

SlPredictorSetting
sl_sign_setting (const SlSignLab *s, SlPredictorKind kind)
{
  return (SlPredictorSetting) { .kind = kind,
                                .abstain = sl_value_of (&s->base, P_SIGNS) == SIGNS_TERNARY,
                                .caution = sl_value_of (&s->base, P_CAUTION) };
}

static SlAim
aim_of (const SlSignLab *s)
{
  return sl_sign_has_gates (s) ? SL_AIM_NONE : (SlAim) sl_value_of (&s->base, P_AIM);
}

static bool
aims_by_unit (const SlSignLab *s)
{
  return aim_of (s) != SL_AIM_NONE && sl_value_of (&s->base, P_AIM_BY) == AIM_BY_UNIT;
}

SlTheta
sl_sign_theta (const SlSignLab *s, unsigned layer)
{
  if (aims_by_unit (s) && s->now->aimed)
    return (SlTheta) { .each = s->each[layer] };
  if (sl_sign_has_gates (s) || (aim_of (s) != SL_AIM_NONE && s->now->aimed))
    return (SlTheta) { .one = s->now->theta[layer] };
  return (SlTheta) { .one = s->base.settings.value[P_THETA].v[layer] };
}

/* What meets the aim on scores of these examples; of single units, in `each`. */
static SlTheta
theta_for (const SlSignLab *s, unsigned layer, size_t batch, const sl_real *q, double *each)
{
  double        value = sl_value_of (&s->base, P_AIM_VALUE);
  const SlTape *tape = &s->tape;

  if (!aims_by_unit (s))
    return (SlTheta) { .one = sl_threshold_for (aim_of (s), value, batch * s->net.width[layer + 1],
                                                q, tape->pre[layer], tape->delta[0]) };
  sl_threshold_for_each (aim_of (s), value, batch * s->net.places[layer],
                         sl_net_units (&s->net, layer), q, tape->pre[layer], tape->delta[0],
                         tape->delta[1], each);
  return (SlTheta) { .each = each };
}

SlTheta
sl_sign_threshold (const SlSignLab *s, unsigned layer, SlPredictorKind kind, size_t batch,
                   const sl_real *q)
{
  if (kind == sl_sign_kind (s) || aim_of (s) == SL_AIM_NONE)
    return sl_sign_theta (s, layer);
  return theta_for (s, layer, batch, q, s->other);
}

void
sl_sign_decide (const SlSignLab *s, SlPredictorKind kind, SlTheta theta, unsigned layer,
                size_t batch, sl_real *q)
{
  SlPredictorSetting setting = sl_sign_setting (s, kind);

  sl_predictor_decide (&setting, theta, batch * s->net.places[layer], sl_net_units (&s->net, layer),
                       q);
}

const sl_real *
sl_sign_inputs (const SlSignLab *s, SlPredictorKind kind, unsigned layer)
{
  return s->tape.read[kind == SL_PREDICTOR_LEARNED && s->now->ahead[layer] ? layer - 1 : layer];
}

const sl_real *
sl_sign_bias (const SlSignLab *s, unsigned layer)
{
  return sl_is_on (&s->base, P_BIAS) ? sl_net_bias (&s->net, layer) : NULL;
}

void
sl_sign_scores (SlSignLab *s, SlPredictorKind kind, unsigned layer, size_t batch, sl_real *q)
{
  SlPredictorSetting setting = sl_sign_setting (s, kind);
  SlPredictorInput   in = { .batch = batch * s->net.places[layer],
                            .x = sl_sign_inputs (s, kind, layer),
                            .bias = sl_sign_bias (s, layer),
                            .pre = s->tape.pre[layer],
                            .low = s->tape.low };

  if (kind == SL_PREDICTOR_MAGNITUDE)
    sl_glu_magnitude (batch * s->net.width[layer + 1], s->tape.pre[layer], q);
  else
    sl_predictor_scores (&s->predictor[layer], &setting, &in, q);
}

static void
predict (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  SlSignLab *s = data;

  sl_sign_scores (s, sl_sign_kind (s), layer, batch, tape->est[layer]);
  sl_sign_decide (s, sl_sign_kind (s), sl_sign_theta (s, layer), layer, batch, tape->est[layer]);
}

/* The same with thresholds made from these scores, before the next layer is computed. */
static void
predict_to_aim (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  SlSignLab *s = data;
  SlTheta    theta;

  sl_sign_scores (s, sl_sign_kind (s), layer, batch, tape->est[layer]);
  theta = theta_for (s, layer, batch, tape->est[layer], s->each[layer]);
  s->now->theta[layer] = theta.one;
  sl_sign_decide (s, sl_sign_kind (s), theta, layer, batch, tape->est[layer]);
}

void
sl_sign_pack (SlSignLab *s)
{
  for (unsigned l = 0; l < s->hidden; l++)
    sl_sign_bits_pack (&s->predictor[l].bits, sl_net_weight (&s->net, l));
}

/* The learned predictors begin together. */
bool
sl_sign_has_learned (const SlSignLab *s)
{
  return s->hidden > 0 && s->predictor[0].learned.inputs > 0;
}

SlEstimate
sl_sign_estimate (SlSignLab *s)
{
  SlEstimate estimate = { .mode = (SlEstimateMode) sl_value_of (&s->base, P_ESTIMATOR),
                          .predict = predict,
                          .data = s };

  if (!sl_sign_can_gate (s) || !s->now->factored || s->hidden == 0
      || (sl_predictor_is_trained (sl_sign_kind (s)) && !sl_sign_has_learned (s)))
    estimate.mode = SL_ESTIMATE_OFF;
  if (estimate.mode != SL_ESTIMATE_OFF && sl_sign_kind (s) == SL_PREDICTOR_BITS)
    sl_sign_pack (s);
  return estimate;
}

SlEstimate
sl_sign_training_estimate (SlSignLab *s)
{
  SlEstimate      estimate = sl_sign_estimate (s);
  SlPredictorKind kind = sl_sign_kind (s);

  /* What learns or knows everything reads every unit's input. */
  estimate.skips = sl_is_on (&s->base, P_SKIP) && estimate.mode == SL_ESTIMATE_GATE
                   && (kind == SL_PREDICTOR_SVD || kind == SL_PREDICTOR_BITS)
                   && !sl_sign_has_learned (s);
  estimate.least_share = sl_value_of (&s->base, P_SKIP_SHARE);
  if (kind == SL_PREDICTOR_TASK && estimate.mode == SL_ESTIMATE_GATE)
    sl_sign_learn_by_task (&estimate);
  return estimate;
}

unsigned
sl_sign_rounds (const SlSignLab *s)
{
  return sl_value_of (&s->base, P_REFRESH_WHEN) == REFRESH_EPOCH ? 4 : 1;
}

double
sl_sign_refresh_examples (const SlSignLab *s)
{
  if (sl_value_of (&s->base, P_REFRESH_WHEN) == REFRESH_EPOCH)
    return (double) s->base.dataset->n[SL_TRAIN];
  return sl_value_of (&s->base, P_REFRESH) * sl_value_of (&s->base, P_BATCH);
}

double
sl_sign_refresh_macs (const SlSignLab *s)
{
  double macs = 0.0;

  for (unsigned l = 0; l < s->hidden; l++)
    macs += sl_lowrank_macs (&s->predictor[l].svd, sl_sign_rounds (s));
  return macs;
}

void
sl_sign_aim (SlSignLab *s)
{
  SlEstimate estimate = sl_sign_estimate (s);

  s->now->aimed = false;
  if (estimate.mode == SL_ESTIMATE_OFF || aim_of (s) == SL_AIM_NONE)
    return;
  estimate.predict = predict_to_aim;
  sl_sign_run_validation (s, AIMED, &estimate);
  s->now->aimed = true;
}

bool
sl_sign_can_look_ahead (const SlSignLab *s, unsigned layer)
{
  return layer > 0 && layer >= s->net.convolutions && s->net.places[layer - 1] == 1;
}

static bool
wants_learned (const SlSignLab *s)
{
  return sl_predictor_is_trained (sl_sign_kind (s)) || sl_is_on (&s->base, P_COMPARE);
}

static void
begin_learned (SlSignLab *s, unsigned l, bool ahead)
{
  SlPredictor *p = &s->predictor[l];

  if (ahead)
    sl_learned_begin_ahead (&p->learned, &p->svd, sl_net_bias (&s->net, l), s->net.inputs[l - 1],
                            sl_net_weight (&s->net, l - 1), sl_net_bias (&s->net, l - 1));
  else
    sl_learned_begin (&p->learned, &p->svd, sl_net_bias (&s->net, l));
  s->now->ahead[l] = ahead;
  s->now->learned_t[l] = 0;
}

void
sl_sign_begin_learned (SlSignLab *s)
{
  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlLearned *learned = &s->predictor[l].learned;
      size_t     rank = s->predictor[l].svd.rank;
      bool       ahead = sl_is_on (&s->base, P_LOOKAHEAD) && sl_sign_can_look_ahead (s, l)
                   && sl_sign_kind (s) != SL_PREDICTOR_TASK;

      if (!wants_learned (s))
        learned->inputs = learned->rank = 0;
      else if (learned->inputs == 0 || s->now->ahead[l] != ahead
               || learned->rank != (rank < learned->most ? rank : learned->most))
        begin_learned (s, l, ahead);
    }
}

void
sl_sign_forget_learned (SlSignLab *s)
{
  for (unsigned l = 0; l < s->hidden; l++)
    s->predictor[l].learned.inputs = s->predictor[l].learned.rank = 0;
}

void
sl_sign_train_learned (SlSignLab *s, size_t batch)
{
  SlLearnedWeight weight = (SlLearnedWeight) sl_value_of (&s->base, P_LEARN_WEIGHT);
  sl_real         rate = (sl_real) sl_value_of (&s->base, P_LEARN_RATE);

  if (sl_sign_kind (s) == SL_PREDICTOR_TASK)
    return;
  for (unsigned l = 0; sl_sign_has_learned (s) && l < s->hidden; l++)
    {
      SlLearned     *learned = &s->predictor[l].learned;
      const sl_real *x = sl_sign_inputs (s, SL_PREDICTOR_LEARNED, l);
      sl_real       *q = s->tape.delta[1];
      size_t         rows = batch * s->net.places[l];

      sl_learned_scores (learned, rows, x, s->tape.low, q);
      sl_learned_backward (learned, rows, x, s->tape.pre[l], s->net.cut, weight, s->tape.low, q,
                           NULL);
      sl_learned_update (learned, rate, ++s->now->learned_t[l]);
    }
}

double
sl_sign_learning_macs (const SlSignLab *s)
{
  double macs = 0.0;

  for (unsigned l = 0; l < s->hidden; l++)
    {
      const SlLearned *p = &s->predictor[l].learned;

      macs += (double) s->net.places[l] * (double) p->rank
              * (2.0 * (double) p->inputs + 3.0 * (double) p->units);
    }
  return macs;
}

double
sl_sign_predictor_macs (const SlSignLab *s, SlPredictorKind kind, unsigned layer)
{
  const SlPredictor *p = &s->predictor[layer];
  bool               learned = sl_predictor_is_trained (kind);
  size_t             inputs = learned ? p->learned.inputs : s->net.inputs[layer];

  return (double) s->net.places[layer]
         * sl_predictor_macs (kind, (double) inputs, (double) p->svd.units,
                              (double) (learned ? p->learned.rank : p->svd.rank));
}

double
sl_sign_layer_macs (const SlSignLab *s, unsigned layer, double density)
{
  double dense = sl_net_layer_macs (&s->net, layer);

  if (sl_sign_has_gates (s))
    return sl_sign_gated_macs (s, layer, density);
  if (sl_sign_kind (s) == SL_PREDICTOR_ORACLE)
    return dense;
  return sl_sign_predictor_macs (s, sl_sign_kind (s), layer) + density * dense;
}

double
sl_sign_l1 (const SlSignLab *s)
{
  return sl_l1_staged (L1_STAGES, sl_value_of (&s->base, P_L1),
                       sl_value_of (&s->base, P_L1_WARM_UP), sl_value_of (&s->base, P_L1_LENGTH),
                       (double) s->base.now.t);
}
