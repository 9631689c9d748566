/* SPDX-License-Identifier: MIT
 *
 * What the lab `sign-estimator` measures as it trains: signs, costs, losses and errors.  */
#include "core/labs/sign-estimator/lab.h"

void
sl_sign_run (SlLabState *s, const SlNet *net, size_t first, size_t n, const SlEstimate *estimate)
{
  sl_dataset_range (s->dataset, first, n, s->tape.x[0], s->label);
  sl_net_forward (net, &s->tape, n, NULL, estimate);
}

size_t
sl_sign_run_validation (SlLabState *s, size_t most, const SlEstimate *estimate)
{
  SlSplit split = s->dataset->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  size_t  n = s->dataset->n[split] < most ? s->dataset->n[split] : most;

  sl_sign_run (s, &s->net, sl_dataset_first (s->dataset, split), n, estimate);
  return n;
}

/* Mean loss in nats and error in % of a network on `n` examples from `first` on. */
static void
evaluate (SlLabState *s, const SlNet *net, size_t first, size_t n, const SlEstimate *estimate,
          double *loss, double *error)
{
  double sum = 0.0, wrong = 0.0;

  for (size_t done = 0; done < n;)
    {
      size_t take = n - done < MOST_BATCH ? n - done : MOST_BATCH, errors;

      sl_sign_run (s, net, first + done, take, estimate);
      sum += sl_net_loss (net, &s->tape, take, s->label, false, &errors) * (double) take;
      wrong += (double) errors;
      done += take;
    }
  *loss = sum / (double) n;
  *error = 100.0 * wrong / (double) n;
}

double
sl_sign_expected (const SlLabState *s, const double *density)
{
  double dense = 0.0, gated = 0.0;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double inputs = (double) s->net.width[l], units = (double) s->net.width[l + 1];
      double flops = sl_signs_dense_flops (inputs, units);

      dense += flops;
      gated += l < s->hidden
                 ? sl_signs_gated_flops (inputs, units, (double) s->factors[l].rank, density[l])
                 : flops;
    }
  return gated / dense;
}

double
sl_sign_executed (const SlLabState *s, const double *density)
{
  double gated = 0.0;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double inputs = (double) s->net.width[l], units = (double) s->net.width[l + 1];

      gated += l < s->hidden
                 ? sl_signs_gated_macs (inputs, units, (double) s->factors[l].rank, density[l])
                 : inputs * units;
    }
  return gated / sl_net_macs (&s->net);
}

/* The traces per layer, on the same few validation examples every time and without dropout:
 * what a deployed network would meet, and free of the noise of changing batches.  */
void
sl_sign_report_signs (SlLabState *s, SlSink *sink)
{
  SlEstimate estimate = sl_sign_estimate (s);
  double     computed[MOST_HIDDEN], truth[MOST_HIDDEN];
  size_t     n;

  if (estimate.mode == SL_ESTIMATE_OFF)
    return;
  n = sl_sign_run_validation (s, WATCHED, &estimate);

  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlSigns signs = { 0 };

      sl_signs_count (n * s->net.width[l + 1], s->tape.pre[l], s->tape.est[l], &signs);
      computed[l] = sl_signs_density (&signs);
      truth[l] = sl_signs_truth (&signs);
      sl_sink_value (sink, V_AGREEMENT, T_AGREEMENT, l, 100.0 * sl_signs_agreement (&signs));
      sl_sink_value (sink, V_AGREEMENT, T_ALL_OFF, l, 100.0 * sl_signs_all_off (&signs));
      sl_sink_value (sink, V_RECALL, 0, l, 100.0 * sl_signs_recall (&signs));
      sl_sink_value (sink, V_FALSE_ALARM, 0, l, 100.0 * sl_signs_false_alarm (&signs));
      sl_sink_value (sink, V_LOST, 0, l, 100.0 * sl_signs_lost (&signs));
      sl_sink_value (sink, V_DENSITY, T_ALPHA, l, 100.0 * computed[l]);
      sl_sink_value (sink, V_DENSITY, T_TRUE_DENSITY, l, 100.0 * truth[l]);
      sl_sink_value (sink, V_DRIFT, 0, l,
                     100.0
                       * sl_signs_drift (s->net.width[l] * s->net.width[l + 1],
                                         sl_net_weight (&s->net, l), s->anchor[l]));
      sl_sink_value (sink, V_RANK, 0, l, (double) s->factors[l].rank);
    }
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * sl_sign_expected (s, truth));
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_sign_executed (s, computed));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
}

void
sl_sign_report_training (SlLabState *s, SlSink *sink)
{
  double seen = s->now.seen;

  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, s->now.loss / seen);
  if (s->has_twin)
    sl_sink_value (sink, V_LOSS, T_TWIN_LOSS, 0, s->now.twin_loss / seen);
  s->now.loss = s->now.errors = s->now.twin_loss = s->now.twin_errors = s->now.seen = 0.0;
}

void
sl_sign_report_validation (SlLabState *s, SlSink *sink)
{
  size_t     first = sl_dataset_first (s->dataset, SL_VALID), n = s->dataset->n[SL_VALID];
  SlEstimate estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  double     loss, error;

  if (n > value_of (s, P_EXAMPLES))
    n = (size_t) value_of (s, P_EXAMPLES);
  if (n == 0)
    return;
  if (estimate.mode == SL_ESTIMATE_GATE)
    {
      evaluate (s, &s->net, first, n, &none, &loss, &error);
      sl_sink_value (sink, V_ERROR, T_VALID_DENSE, 0, error);
    }
  evaluate (s, &s->net, first, n, &estimate, &loss, &error);
  sl_sink_value (sink, V_ERROR, T_VALID, 0, error);
  if (s->has_twin)
    {
      evaluate (s, &s->twin, first, n, &none, &loss, &error);
      sl_sink_value (sink, V_ERROR, T_TWIN, 0, error);
    }
}

SlStatus
sl_sign_score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  size_t     first = sl_dataset_first (s->dataset, split), count = s->dataset->n[split];
  SlEstimate estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  double     loss, error;

  *n = 0;
  if (count == 0)
    return SL_SUCCESS;
  evaluate (s, &s->net, first, count, &estimate, &loss, &error);
  scores[(*n)++] = (SlScore) { "error", "error", "%", error };
  scores[(*n)++] = (SlScore) { "loss", "cross entropy", "nats", loss };
  if (estimate.mode == SL_ESTIMATE_GATE)
    {
      evaluate (s, &s->net, first, count, &none, &loss, &error);
      scores[(*n)++]
        = (SlScore) { "error-dense", "error of the same weights without estimator", "%", error };
    }
  if (s->has_twin)
    {
      evaluate (s, &s->twin, first, count, &none, &loss, &error);
      scores[(*n)++] = (SlScore) { "error-twin", "error of the control network", "%", error };
    }
  return SL_SUCCESS;
}
