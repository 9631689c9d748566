/* SPDX-License-Identifier: MIT
 *
 * Units of the lab `sign-estimator` that are skipped in any share: gated ones by the magnitude of their gates
 * (CATS, arXiv 2404.08763; TEAL, arXiv 2408.14690), others by the threshold of their estimate; what it costs, and
 * error and time against that share.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/glu.h"
#include "core/nn/kernels/gather.h"

/* Thresholds that skip a share of a layer's units, and how many are on under them. */
typedef struct
{
  SlSignLab *s;
  double     skipped;
  bool       takes; /* thresholds from the scores of this pass, which needs delta[0] */
  double     theta[MOST_HIDDEN];
  double     on[MOST_HIDDEN], of[MOST_HIDDEN];
} Cut;

static double
threshold_of (const Cut *cut, unsigned layer, size_t n, const sl_real *q)
{
  const SlTape *tape = &cut->s->tape;

  if (!sl_sign_has_gates (cut->s))
    return sl_threshold_for (SL_AIM_DENSITY, 1.0 - cut->skipped, n, q, tape->pre[layer],
                             tape->delta[0]);
  memcpy (tape->delta[0], q, n * sizeof *q);
  return sl_glu_threshold (cut->skipped, n, tape->delta[0]);
}

static void
predict_cut (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  Cut               *cut = data;
  SlSignLab         *s = cut->s;
  SlPredictorSetting setting = sl_sign_setting (s, sl_sign_kind (s));
  size_t             units = s->net.width[layer + 1], n = batch * units, on = 0;
  sl_real           *est = tape->est[layer];

  sl_sign_scores (s, setting.kind, layer, batch, est);
  if (cut->takes)
    cut->theta[layer] = threshold_of (cut, layer, n, est);
  sl_predictor_decide (&setting, (SlTheta) { .one = cut->theta[layer] }, batch, units, est);
  for (size_t i = 0; i < n; i++)
    on += est[i] > 0;
  cut->on[layer] += (double) on;
  cut->of[layer] += (double) n;
}

/* Makes the thresholds of gated units on training examples, those of other predictors as an aim does. */
static void
take_cut (Cut *cut, SlEstimateMode mode)
{
  SlSignLab *s = cut->s;
  SlEstimate estimate = { .mode = mode, .predict = predict_cut, .data = cut };

  cut->takes = true;
  if (sl_sign_has_gates (s))
    sl_sign_run (s, &s->net, sl_dataset_first (s->base.dataset, SL_TRAIN),
                 sl_examples (&s->base, SL_TRAIN, CALIBRATED), &estimate);
  else
    sl_sign_run_validation (s, AIMED, &estimate);
  cut->takes = false;
  memset (cut->on, 0, sizeof cut->on);
  memset (cut->of, 0, sizeof cut->of);
}

void
sl_sign_calibrate (SlSignLab *s)
{
  Cut            cut = { .s = s, .skipped = sl_value_of (&s->base, P_SPARSITY) };
  SlEstimateMode mode = (SlEstimateMode) sl_value_of (&s->base, P_ESTIMATOR);

  take_cut (&cut, mode == SL_ESTIMATE_GATE ? mode : SL_ESTIMATE_WATCH);
  for (unsigned l = 0; l < s->hidden; l++)
    {
      s->now->theta[l] = cut.theta[l];
      memcpy (s->anchor[l], sl_net_weight (&s->net, l),
              sl_net_in_layer (&s->net, l) * sizeof *s->anchor[l]);
    }
}

double
sl_sign_gates_expected (const SlSignLab *s)
{
  double density[MOST_HIDDEN];

  for (unsigned l = 0; l < s->hidden; l++)
    density[l] = 1.0 - sl_value_of (&s->base, P_SPARSITY);
  return sl_sign_executed (s, density);
}

double
sl_sign_gated_macs (const SlSignLab *s, unsigned layer, double density)
{
  double gate = (double) sl_net_in_layer (&s->net, layer), macs = gate + density * gate;

  if (layer + 1 == s->hidden)
    macs -= (1.0 - density) * sl_net_layer_macs (&s->net, s->hidden);
  return macs;
}

/* Share of the energy of what gated units would give that is skipped. */
static double
lost_of (SlSignLab *s, unsigned l, size_t n)
{
  SlTape  *tape = &s->tape;
  sl_real *y = tape->delta[0];
  SlSigns  signs = { 0 };

  sl_glu_forward (n, tape->pre[l], tape->up[l], NULL, y);
  for (size_t i = 0; i < n; i++)
    y[i] = y[i] < 0 ? -y[i] : y[i];
  sl_signs_count (n, y, tape->est[l], &signs);
  return sl_signs_lost (&signs);
}

void
sl_sign_report_gates (SlSignLab *s, SlSink *sink)
{
  SlEstimate estimate = sl_sign_estimate (s);
  size_t     n = sl_sign_run_validation (s, WATCHED, &estimate);
  double     density[MOST_HIDDEN];

  for (unsigned l = 0; l < s->hidden; l++)
    {
      size_t  all = n * s->net.width[l + 1];
      SlSigns signs = { 0 };

      sl_signs_count (all, s->tape.pre[l], s->tape.est[l], &signs);
      density[l] = sl_signs_density (&signs);
      sl_sink_value (sink, V_DENSITY, T_ALPHA, l, 100.0 * density[l]);
      sl_sink_value (sink, V_LOST, 0, l, 100.0 * lost_of (s, l, all));
      sl_sink_value (sink, V_DRIFT, 0, l,
                     100.0
                       * sl_signs_drift (sl_net_in_layer (&s->net, l), sl_net_weight (&s->net, l),
                                         s->anchor[l]));
    }
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_sign_executed (s, density));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
}

/* ---- Times ---- */

bool
sl_sign_turn_outputs (SlProbe *p, SlSignPass *pass)
{
  const SlNet   *net = &pass->s->net;
  unsigned       last = pass->s->hidden;
  size_t         inputs = net->inputs[last], outputs = net->width[last + 1];
  const sl_real *w = sl_net_weight (net, last);

  if (!sl_sign_has_gates (pass->s))
    return true;
  pass->turned = sl_probe_room (p, inputs * outputs, sizeof *pass->turned);
  if (pass->turned == NULL)
    return false;
  for (size_t k = 0; k < outputs; k++)
    for (size_t i = 0; i < inputs; i++)
      pass->turned[i * outputs + k] = w[k * inputs + i];
  return true;
}

/* What the units of a hidden layer but the last give. */
static void
multiply_gates (const SlSignPass *pass, unsigned l)
{
  SlSignLab     *s = pass->s;
  const SlNet   *net = &s->net;
  size_t         n = pass->batch * net->width[l + 1];
  const sl_real *gate = s->tape.est[l], *up = s->tape.up[l];
  sl_real       *y = s->tape.x[l + 1];

  for (size_t i = 0; i < n; i++)
    s->gate[i] = gate[i] != 0;
  sl_gather_masked (pass->batch, net->inputs[l], net->width[l + 1], sl_net_up_weight (net, l),
                    sl_net_up_bias (net, l), s->tape.x[l], s->gate, s->tape.up[l]);
  for (size_t i = 0; i < n; i++)
    y[i] = gate[i] * up[i];
}

void
sl_sign_pass_gates (const SlSignPass *pass)
{
  SlSignLab   *s = pass->s;
  const SlNet *net = &s->net;
  SlTape      *tape = &s->tape;
  unsigned     last = s->hidden - 1;

  for (unsigned l = 0; l < s->hidden; l++)
    {
      sl_probe_dense (pass->batch, net->inputs[l], net->width[l + 1], tape->x[l],
                      sl_net_weight (net, l), sl_net_bias (net, l), tape->pre[l]);
      sl_glu_keep (pass->batch * net->width[l + 1], tape->pre[l],
                   (sl_real) pass->theta[SL_PREDICTOR_MAGNITUDE][l].one, tape->est[l]);
      if (l < last)
        multiply_gates (pass, l);
    }
  sl_gather_gated (pass->batch, net->inputs[last], net->width[last + 1], net->width[net->layers],
                   sl_net_up_weight (net, last), sl_net_up_bias (net, last), tape->x[last],
                   tape->est[last], pass->turned, sl_net_bias (net, s->hidden),
                   tape->x[net->layers]);
}

/* ---- The panel ---- */

/* Shares that are asked for. */
static const double shares[] = { 0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95 };
enum { SHARES = sizeof shares / sizeof *shares, TIMED = 64 };

typedef struct
{
  double skipped[SHARES], error[SHARES], counted[SHARES], one[SHARES], many[SHARES];
} Sweep;

/* Validation error under the thresholds, and what is skipped and executed for it. */
static void
measure_share (Cut *cut, Sweep *sweep, unsigned i)
{
  SlSignLab *s = cut->s;
  SlEstimate gate = { .mode = SL_ESTIMATE_GATE, .predict = predict_cut, .data = cut };
  size_t     first, n = sl_watched (&s->base, sl_value_of (&s->base, P_EXAMPLES), &first);
  double     density[MOST_HIDDEN], on = 0.0, of = 0.0;

  sweep->error[i] = sl_sign_evaluate (s, &s->net, first, n, &gate).error;
  for (unsigned l = 0; l < s->hidden; l++)
    {
      density[l] = cut->on[l] / cut->of[l];
      on += cut->on[l];
      of += cut->of[l];
    }
  sweep->skipped[i] = 100.0 * (1.0 - on / of);
  sweep->counted[i] = 100.0 * sl_sign_executed (s, density);
}

/* In % of the dense pass. */
static double
time_of (SlProbe *p, SlSignPass *pass, size_t batch)
{
  pass->batch = batch;
  return 100.0 * sl_probe_time_ratio (p, sl_sign_pass_conditional, sl_sign_pass_dense, pass).value;
}

/* The times of every second share. */
static void
time_share (SlProbe *p, SlSignPass *pass, const Cut *cut, Sweep *sweep, unsigned i)
{
  SlSignLab *s = cut->s;
  SlEstimate none = { .mode = SL_ESTIMATE_OFF };
  size_t     n;

  sweep->one[i] = sweep->many[i] = NAN;
  if (i % 2 != 0)
    return;
  for (unsigned l = 0; l < s->hidden; l++)
    pass->theta[pass->kind][l] = (SlTheta) { .one = cut->theta[l] };
  n = sl_sign_run_validation (s, TIMED, &none);
  sweep->one[i] = time_of (p, pass, 1);
  sweep->many[i] = time_of (p, pass, n);
}

/* A curve over the shares, without times that are missing. */
static void
draw_curve (SlProbe *p, unsigned trace, unsigned n, const Sweep *sweep, const double *y)
{
  double   x_there[SHARES], y_there[SHARES];
  unsigned there = 0;

  for (unsigned i = 0; i < n; i++)
    if (isfinite (y[i]))
      {
        x_there[there] = sweep->skipped[i];
        y_there[there++] = y[i];
      }
  sl_probe_points (p, trace, 0, there, x_there, y_there);
}

void
sl_sign_probe_magnitude (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlSignPass pass = { .s = s, .kind = sl_sign_kind (s) };
  SlEstimate gated;
  Sweep      sweep;
  unsigned   done = 0;

  if (!sl_sign_probe_estimate (p, &gated) || !sl_sign_turn_outputs (p, &pass))
    return;
  if (pass.kind == SL_PREDICTOR_ORACLE)
    {
      sl_probe_note (p, "The oracle has no threshold.");
      return;
    }
  for (; done < SHARES && !sl_probe_cancelled (p); done++)
    {
      Cut cut = { .s = s, .skipped = shares[done] };

      take_cut (&cut, SL_ESTIMATE_GATE);
      measure_share (&cut, &sweep, done);
      time_share (p, &pass, &cut, &sweep, done);
    }
  draw_curve (p, T_SHARE_ERROR, done, &sweep, sweep.error);
  draw_curve (p, T_SHARE_COUNTED, done, &sweep, sweep.counted);
  draw_curve (p, T_SHARE_ONE, done, &sweep, sweep.one);
  draw_curve (p, T_SHARE_MANY, done, &sweep, sweep.many);
  sl_probe_note (p, "Kernel %s; weights after update %llu", sl_probe_kernel (p),
                 (unsigned long long) s->base.now.t);
}
