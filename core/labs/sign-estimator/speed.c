/* SPDX-License-Identifier: MIT
 *
 * Times of the lab `sign-estimator`: passes as one would deploy them, dense and with a predictor, and each
 * predictor alone.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/clock.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/glu.h"
#include "core/nn/kernels/gather.h"

enum {
  TIMED = 64,   /* the larger batch of the timings */
  DEPLOYED = 3, /* predictors that could be deployed: all but the oracle */
};

void
sl_sign_pass_dense (void *data)
{
  const SlSignPass *pass = data;
  SlSignLab        *s = pass->s;
  const SlNet      *net = &s->net;

  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t   n = pass->batch * net->width[l + 1];
      sl_real *y = s->tape.x[l + 1];

      sl_net_read (net, &s->tape, l, pass->batch);
      sl_probe_dense (pass->batch * net->places[l], net->inputs[l], sl_net_units (net, l),
                      s->tape.read[l], sl_net_weight (net, l), sl_net_bias (net, l),
                      sl_net_is_gated (net, l) ? s->tape.pre[l] : y);
      if (sl_net_is_gated (net, l))
        {
          sl_probe_dense (pass->batch, net->inputs[l], sl_net_units (net, l), s->tape.read[l],
                          sl_net_up_weight (net, l), sl_net_up_bias (net, l), s->tape.up[l]);
          sl_glu_forward (n, s->tape.pre[l], s->tape.up[l], NULL, y);
        }
      else if (l < s->hidden)
        sl_net_activate (net, l, n, y);
    }
}

static bool
is_one (const SlSignPass *pass, unsigned l)
{
  return pass->batch == 1 && pass->s->net.places[l] == 1;
}

/* The units of one example that are on. */
static size_t
rows_of (const SlSignPass *pass, unsigned l)
{
  SlSignLab         *s = pass->s;
  SlPredictorSetting setting = sl_sign_setting (s, pass->kind);
  SlPredictorInput   in = { .batch = 1,
                            .x = sl_sign_inputs (s, pass->kind, l),
                            .bias = sl_sign_bias (s, l),
                            .low = s->tape.low };

  return sl_predictor_rows (&s->predictor[l], &setting, &in, pass->theta[pass->kind][l],
                            s->tape.est[l], s->rows);
}

/* Estimates of a batch. */
static void
decide (const SlSignPass *pass, unsigned l)
{
  SlSignLab *s = pass->s;

  sl_sign_scores (s, pass->kind, l, pass->batch, s->tape.est[l]);
  sl_sign_decide (s, pass->kind, pass->theta[pass->kind][l], l, pass->batch, s->tape.est[l]);
}

/* A fully connected hidden layer of one example, only the units that are on. */
static void
run_one (const SlSignPass *pass, unsigned l)
{
  SlSignLab   *s = pass->s;
  const SlNet *net = &s->net;
  size_t       units = net->width[l + 1];
  sl_real     *y = s->tape.x[l + 1];
  size_t       n = rows_of (pass, l);

  memset (y, 0, units * sizeof *y);
  sl_gather_vec (net->inputs[l], sl_net_weight (net, l), sl_net_bias (net, l), s->tape.x[l],
                 s->rows, n, y);
  sl_net_activate (net, l, units, y);
}

/* The same of a batch, or of the places of a convolution. */
static void
run_many (const SlSignPass *pass, unsigned l)
{
  SlSignLab   *s = pass->s;
  const SlNet *net = &s->net;
  size_t       n = pass->batch * net->width[l + 1];

  decide (pass, l);
  for (size_t i = 0; i < n; i++)
    s->gate[i] = s->tape.est[l][i] > 0;
  sl_gather_masked (pass->batch * net->places[l], net->inputs[l], sl_net_units (net, l),
                    sl_net_weight (net, l), sl_net_bias (net, l), s->tape.read[l], s->gate,
                    s->tape.x[l + 1]);
  sl_net_activate (net, l, n, s->tape.x[l + 1]);
}

/* Estimates first, and then only the units that they switch on.  The oracle computes everything. */
void
sl_sign_pass_conditional (void *data)
{
  const SlSignPass *pass = data;
  SlSignLab        *s = pass->s;
  const SlNet      *net = &s->net;

  if (pass->kind == SL_PREDICTOR_ORACLE)
    {
      sl_sign_pass_dense (data);
      return;
    }
  if (pass->kind == SL_PREDICTOR_MAGNITUDE)
    {
      sl_sign_pass_gates (pass);
      return;
    }
  for (unsigned l = 0; l < s->hidden; l++)
    {
      sl_net_read (net, &s->tape, l, pass->batch);
      if (is_one (pass, l))
        run_one (pass, l);
      else
        run_many (pass, l);
    }
  sl_dense_forward (pass->batch, net->inputs[s->hidden], net->width[net->layers],
                    s->tape.x[s->hidden], sl_net_weight (net, s->hidden),
                    sl_net_bias (net, s->hidden), s->tape.x[net->layers]);
}

/* Predicting alone. */
static void
pass_predict (void *data)
{
  const SlSignPass *pass = data;

  for (unsigned l = 0; l < pass->s->hidden; l++)
    if (is_one (pass, l))
      rows_of (pass, l);
    else
      decide (pass, l);
}

/* Nothing where no estimate can gate, or none is made before the first update. */
static size_t
clock_begin (SlPasses *passes)
{
  SlSignLab  *s = sl_sign_lab (passes->probe.state);
  SlEstimate  gated = sl_sign_estimate (s);
  SlSignPass *pass;

  if (gated.mode == SL_ESTIMATE_OFF)
    return 0;
  pass = sl_probe_room (&passes->probe, 1, sizeof *pass);
  if (pass == NULL)
    return 0;
  pass->s = s;
  pass->kind = sl_sign_kind (s);
  if (!sl_sign_turn_outputs (&passes->probe, pass))
    return 0;
  for (unsigned l = 0; l < s->hidden; l++)
    pass->theta[pass->kind][l] = sl_sign_theta (s, l);
  gated.mode = SL_ESTIMATE_GATE;
  passes->own = pass;
  return sl_sign_run_validation (s, sl_count_of (&s->base, P_BATCH), &gated);
}

static void
clock_dense (SlPasses *passes)
{
  SlSignPass *pass = passes->own;

  pass->batch = passes->batch;
  sl_sign_pass_dense (pass);
}

static void
clock_conditional (SlPasses *passes)
{
  SlSignPass *pass = passes->own;

  pass->batch = passes->batch;
  sl_sign_pass_conditional (pass);
}

const SlClock sl_sign_passes = { .channel = "speed.speed-up",
                                 .bar = 2,
                                 .speed_up = true,
                                 .begin = clock_begin,
                                 .dense = clock_dense,
                                 .conditional = clock_conditional };

void
sl_sign_probe_speed (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate gated;
  double     computed[MOST_HIDDEN], truth[MOST_HIDDEN];
  SlMeasured bars[4] = { [2] = sl_counted (NAN), [3] = sl_counted (NAN) };
  size_t     n;

  if (!sl_sign_probe_estimate (p, &gated))
    return;
  n = sl_sign_run_validation (s, TIMED, &gated);
  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlSigns signs = { 0 };

      sl_signs_count (n * s->net.width[l + 1], s->tape.pre[l], s->tape.est[l], &signs);
      computed[l] = sl_signs_density (&signs);
      truth[l] = sl_signs_truth (&signs);
    }
  bars[0] = sl_counted (
    1.0 / (sl_sign_has_gates (s) ? sl_sign_gates_expected (s) : sl_sign_expected (s, truth)));
  bars[1] = sl_counted (1.0 / sl_sign_executed (s, computed));
  sl_probe_bars (p, 0, 4, bars);
  sl_probe_note (p, "Kernel %s; weights after update %llu", sl_probe_kernel (p),
                 (unsigned long long) s->base.now.t);
}

/* Thresholds of the predictors that could be deployed, on what is on the tape. */
static void
take_thresholds (SlProbe *p, SlSignPass *pass, size_t n)
{
  SlSignLab *s = pass->s;

  for (unsigned l = 0; l < s->hidden; l++)
    for (unsigned k = 0; k < DEPLOYED; k++)
      {
        size_t   units = sl_net_units (&s->net, l);
        double  *each = sl_probe_room (p, units, sizeof *each);
        SlTheta *theta = &pass->theta[k][l];

        sl_sign_scores (s, (SlPredictorKind) k, l, n, s->tape.est[l]);
        *theta = sl_sign_threshold (s, l, (SlPredictorKind) k, n, s->tape.est[l]);
        if (theta->each == NULL || each == NULL)
          continue;
        memcpy (each, theta->each, units * sizeof *each);
        theta->each = each;
      }
}

void
sl_sign_probe_times (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate gated;
  SlMeasured counted[DEPLOYED], one[DEPLOYED], many[DEPLOYED];
  SlSignPass pass = { .s = s };
  size_t     n;

  if (!sl_sign_probe_compares (p, &gated))
    return;
  n = sl_sign_run_validation (s, TIMED, &gated);
  take_thresholds (p, &pass, n);
  if (!sl_ok (&p->status))
    return;
  for (unsigned k = 0; k < DEPLOYED; k++)
    {
      double macs = 0.0;

      pass.kind = (SlPredictorKind) k;
      for (unsigned l = 0; l < s->hidden; l++)
        macs += sl_sign_predictor_macs (s, pass.kind, l);
      counted[k] = sl_counted (100.0 * macs / sl_net_macs (&s->net));
      pass.batch = 1;
      one[k] = sl_probe_time_ratio (p, pass_predict, sl_sign_pass_dense, &pass);
      pass.batch = n;
      many[k] = sl_probe_time_ratio (p, pass_predict, sl_sign_pass_dense, &pass);
      one[k].value *= 100.0;
      one[k].spread *= 100.0;
      many[k].value *= 100.0;
      many[k].spread *= 100.0;
    }
  sl_probe_bars (p, T_TIME_COUNTED, DEPLOYED, counted);
  sl_probe_bars (p, T_TIME_ONE, DEPLOYED, one);
  sl_probe_bars (p, T_TIME_MANY, DEPLOYED, many);
  sl_probe_note (p, "Kernel %s; weights after update %llu", sl_probe_kernel (p),
                 (unsigned long long) s->base.now.t);
}
