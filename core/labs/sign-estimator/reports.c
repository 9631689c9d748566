/* SPDX-License-Identifier: MIT
 *
 * What the lab `sign-estimator` measures as it trains: signs, costs, losses and errors.  */
#include "core/labs/sign-estimator/lab.h"

void
sl_sign_run (SlSignLab *s, const SlNet *net, size_t first, size_t n, const SlEstimate *estimate)
{
  sl_dataset_range (s->base.dataset, first, n, s->tape.x[0], s->label);
  sl_net_forward (net, &s->tape, n, NULL, estimate);
}

size_t
sl_sign_run_validation (SlSignLab *s, size_t most, const SlEstimate *estimate)
{
  size_t first, n = sl_watched (&s->base, (double) most, &first);

  sl_sign_run (s, &s->net, first, n, estimate);
  return n;
}

/* What is evaluated. */
typedef struct
{
  const SlNet      *net;
  const SlEstimate *estimate;
} Subject;

static double
evaluate_batch (SlLabState *state, size_t first, size_t n, size_t *errors, void *data)
{
  SlSignLab     *s = sl_sign_lab (state);
  const Subject *subject = data;

  sl_sign_run (s, subject->net, first, n, subject->estimate);
  return sl_net_loss (subject->net, &s->tape, n, s->label, false, errors);
}

SlEvaluation
sl_sign_evaluate (SlSignLab *s, const SlNet *net, size_t first, size_t n,
                  const SlEstimate *estimate)
{
  return sl_evaluate (&s->base, first, n, MOST_BATCH, evaluate_batch, &(Subject) { net, estimate });
}

/* Multiply-adds of the layer that nothing predicts. */
static double
output_macs (const SlSignLab *s)
{
  return sl_net_layer_macs (&s->net, s->hidden);
}

/* By eq. 3.8 where a product of two thin matrices predicts; it counts operations. */
static double
expected_macs (const SlSignLab *s, unsigned l, double density)
{
  SlPredictorKind kind = sl_sign_kind (s);
  double          inputs = (double) s->net.inputs[l], units = (double) sl_net_units (&s->net, l);
  bool            svd = kind == SL_PREDICTOR_SVD, learned = sl_predictor_is_trained (kind);
  double          rank = (double) (svd ? s->predictor[l].svd.rank : s->predictor[l].learned.rank);

  if (svd || (learned && s->predictor[l].learned.inputs == s->net.inputs[l]))
    return 0.5 * (double) s->net.places[l] * sl_signs_gated_flops (inputs, units, rank, density);
  return sl_sign_layer_macs (s, l, density);
}

double
sl_sign_expected (const SlSignLab *s, const double *density)
{
  double macs = output_macs (s);

  for (unsigned l = 0; l < s->hidden; l++)
    macs += expected_macs (s, l, density[l]);
  return macs / sl_net_macs (&s->net);
}

double
sl_sign_executed (const SlSignLab *s, const double *density)
{
  double macs = output_macs (s);

  for (unsigned l = 0; l < s->hidden; l++)
    macs += sl_sign_layer_macs (s, l, density[l]);
  return macs / sl_net_macs (&s->net);
}

double
sl_sign_free (const SlSignLab *s, const double *density)
{
  double macs = output_macs (s);

  for (unsigned l = 0; l < s->hidden; l++)
    macs += density[l] * sl_net_layer_macs (&s->net, l);
  return macs / sl_net_macs (&s->net);
}

static size_t
rank_in_use (const SlSignLab *s, unsigned l)
{
  if (sl_predictor_is_trained (sl_sign_kind (s)))
    return s->predictor[l].learned.rank;
  return s->predictor[l].svd.rank;
}

/* The traces per layer, on the same few validation examples every time and without dropout:
 * what a deployed network would meet, and free of the noise of changing batches.  */
void
sl_sign_report_signs (SlSignLab *s, SlSink *sink)
{
  SlEstimate estimate = sl_sign_estimate (s);
  double     computed[MOST_HIDDEN], truth[MOST_HIDDEN];
  SlSigns    all = { 0 };
  size_t     n;

  if (estimate.mode == SL_ESTIMATE_OFF)
    return;
  if (sl_sign_has_gates (s))
    {
      sl_sign_report_gates (s, sink);
      return;
    }
  n = sl_sign_run_validation (s, WATCHED, &estimate);

  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlSigns signs = { 0 };

      sl_signs_count (n * s->net.width[l + 1], s->tape.pre[l], s->tape.est[l], &signs);
      computed[l] = sl_signs_density (&signs);
      truth[l] = sl_signs_truth (&signs);
      sl_sink_value (sink, V_AGREEMENT, T_AGREEMENT, l, 100.0 * sl_signs_agreement (&signs));
      sl_sink_value (sink, V_AGREEMENT, T_ALL_OFF, l, 100.0 * sl_signs_all_off (&signs));
      sl_sink_value (sink, V_RECALL, T_RECALL, l, 100.0 * sl_signs_recall (&signs));
      all.both += signs.both;
      all.only_estimate += signs.only_estimate;
      sl_sink_value (sink, V_LOST, 0, l, 100.0 * sl_signs_lost (&signs));
      sl_sink_value (sink, V_DENSITY, T_ALPHA, l, 100.0 * computed[l]);
      sl_sink_value (sink, V_DENSITY, T_TRUE_DENSITY, l, 100.0 * truth[l]);
      sl_sink_value (sink, V_DRIFT, 0, l,
                     100.0
                       * sl_signs_drift (sl_net_in_layer (&s->net, l), sl_net_weight (&s->net, l),
                                         s->anchor[l]));
      sl_sink_value (sink, V_RANK, 0, l, (double) rank_in_use (s, l));
    }
  sl_sink_value (sink, V_RECALL, T_PRECISION, 0, 100.0 * sl_signs_precision (&all));
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * sl_sign_expected (s, truth));
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_sign_executed (s, computed));
  sl_sink_value (
    sink, V_COST, T_REFRESHED, 0,
    100.0
      * (sl_sign_executed (s, computed)
         + sl_sign_refresh_macs (s) / sl_sign_refresh_examples (s) / sl_net_macs (&s->net)));
  sl_sink_value (sink, V_COST, T_FREE, 0, 100.0 * sl_sign_free (s, truth));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
}

void
sl_sign_report_training (SlSignLab *s, SlSink *sink)
{
  SlCounters *now = &s->base.now;

  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * now->errors / now->seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, now->loss / now->seen);
  if (sl_value_of (&s->base, P_L1) > 0)
    sl_sink_value (sink, V_L1, 0, 0, (double) s->net.l1);
  if (s->has_twin)
    sl_sink_value (sink, V_LOSS, T_TWIN_LOSS, 0, s->now->twin_loss / now->seen);
  now->loss = now->errors = now->seen = s->now->twin_loss = 0.0;
}

void
sl_sign_report_work (SlSignLab *s, size_t batch, SlSink *sink)
{
  double forward = (double) batch * sl_net_macs (&s->net);
  double backward = (double) batch * sl_net_backward_macs (&s->net);

  sl_sink_value (sink, V_TRAINING_WORK, T_FORWARD, 0, 100.0 * s->tape.macs[0] / forward);
  sl_sink_value (sink, V_TRAINING_WORK, T_BACKWARD, 0, 100.0 * s->tape.macs[1] / backward);
}

void
sl_sign_report_validation (SlSignLab *s, SlSink *sink)
{
  size_t     first = sl_dataset_first (s->base.dataset, SL_VALID);
  size_t     n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlEstimate estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };

  if (n == 0)
    return;
  if (estimate.mode == SL_ESTIMATE_GATE)
    sl_sink_value (sink, V_ERROR, T_VALID_DENSE, 0,
                   sl_sign_evaluate (s, &s->net, first, n, &none).error);
  sl_sink_value (sink, V_ERROR, T_VALID, 0,
                 sl_sign_evaluate (s, &s->net, first, n, &estimate).error);
  if (s->has_twin)
    sl_sink_value (sink, V_ERROR, T_TWIN, 0, sl_sign_evaluate (s, &s->twin, first, n, &none).error);
}

/* What score() tells. */
const SlScore sl_sign_score_names[] = {
  { "error", SL_MARK ("error"), "%", 0 },
  { "loss", SL_MARK ("cross entropy"), "nats", 0 },
  { "error-dense", SL_MARK ("error of the same weights without estimator"), "%", 0 },
  { "error-twin", SL_MARK ("error of the control network"), "%", 0 },
  { 0 },
};

void
sl_sign_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlSignLab   *s = sl_sign_lab (state);
  size_t       first = sl_dataset_first (state->dataset, split), count = state->dataset->n[split];
  SlEstimate   estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  SlEvaluation own = sl_sign_evaluate (s, &s->net, first, count, &estimate);

  scores[(*n)++] = sl_score (sl_sign_score_names, "error", own.error);
  scores[(*n)++] = sl_score (sl_sign_score_names, "loss", own.loss);
  if (estimate.mode == SL_ESTIMATE_GATE)
    scores[(*n)++] = sl_score (sl_sign_score_names, "error-dense",
                               sl_sign_evaluate (s, &s->net, first, count, &none).error);
  if (s->has_twin)
    scores[(*n)++] = sl_score (sl_sign_score_names, "error-twin",
                               sl_sign_evaluate (s, &s->twin, first, count, &none).error);
}
