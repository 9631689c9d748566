/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `capacity` that compare: depths, where capacity went, memory, depth
 * transfer, linear models.  */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/labs/capacity/lab.h"
#include "core/nn/capacity/linear.h"

enum { FAN = 21 }; /* depths of a fan: 1 … 1024, two per doubling */

static bool
fan (const SlLabState *s, SlSnapshot *snapshot, SlSink *sink, unsigned trace, double a)
{
  double x[FAN], y[FAN], *xy;
  size_t n = 0;

  for (int i = 0; i < FAN; i++)
    {
      size_t layers = (size_t) lrint (exp2 (0.5 * i));
      Design d;

      sl_capacity_design_at (s, layers, a, &d);
      y[n] = sl_capacity_std (&d);
      x[n] = (double) layers;
      /* Rule M has no answer for a network too shallow; the fan begins later. */
      n += isfinite (y[n]) && (n == 0 || x[n] > x[n - 1]);
    }
  if (n == 0 || x[0] > 1.0)
    snprintf (snapshot->note, sizeof snapshot->note,
              "P = I + A/L has no answer for networks as shallow as where fans are missing.");
  if (n == 0)
    return true;
  xy = sl_capacity_curve (snapshot, sink, trace, n, false);
  if (xy == NULL)
    return false;
  memcpy (xy, x, n * sizeof *x);
  memcpy (xy + n, y, n * sizeof *y);
  return true;
}

static SlStatus
probe_spread (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const Field *field = &s->now->field;
  double       a = value_of (s, P_EXPONENT), layers = value_of (s, P_LAYERS);
  bool good = fan (s, snapshot, sink, T_FAN_NONE, 0.0) && fan (s, snapshot, sink, T_FAN_HALF, 0.5)
              && fan (s, snapshot, sink, T_FAN_ONE, 1.0);

  if (a != 0.0 && a != 0.5 && a != 1.0)
    good = good && fan (s, snapshot, sink, T_FAN_SET, a);
  good = good
         && sl_capacity_dots (snapshot, sink, T_FAN_DOTS,
                              &(SlCapacityDots) { .sum = &field->width[(size_t) layers],
                                                  .networks = field->networks,
                                                  .n = 1,
                                                  .x0 = layers,
                                                  .factor = 1.0,
                                                  .root = true });
  snapshot->mark = layers;
  if (value_of (s, P_ACTIVATION) == SL_SHATTER_TANH && snapshot->note[0] == '\0')
    snprintf (snapshot->note, sizeof snapshot->note,
              "The fans are without the slopes of tanh, which damp it.");
  return good ? SL_SUCCESS : sl_probe_no_memory ();
}

static SlStatus
probe_where (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  const Field *field = &s->now->field;
  double       part[N_PLACES] = { 0 }, total = 0.0;
  size_t       n = field->networks < 2 ? 1 : 2; /* bars */

  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  part[T_INPUT] = sl_capacity_sum (d->n, s->fall.profile + d->layers * d->n);
  for (size_t m = 0; m < d->layers; m++)
    {
      part[T_SIDES] += s->fall.bucket[m].side;
      part[T_BIASES] += s->fall.bucket[m].bias;
      part[T_EDGES] += s->fall.bucket[m].edge;
    }
  for (unsigned i = 0; i < N_PLACES; i++)
    {
      double *bar = sl_capacity_curve (snapshot, sink, i, n, true);

      if (bar == NULL)
        return sl_probe_no_memory ();
      total += part[i];
      bar[n] = 100.0 * part[i];
      if (n < 2)
        continue;
      bar[1] = 1.0;
      bar[n + 1] = 100.0 * sum_mean (&field->where[i], field->networks);
      bar[2 * n + 1] = 200.0 * sl_capacity_error (&field->where[i], field->networks);
    }
  snprintf (snapshot->note, sizeof snapshot->note, "Together %.10g %%", 100.0 * total);
  return SL_SUCCESS;
}

/* T × the share of the input of m steps ago, in a network that is one layer over and over. */
static SlStatus
probe_memory (SlLabState *s, const Design *d, SlSink *sink, SlSnapshot *snapshot)
{
  const Field *field = &s->now->field;
  size_t       n = d->layers;
  double T = (double) n, time = T * d->law.scale, leak = d->law.leak + d->law.bias, *exact, *limit;

  if (d->law.leak == 0.0)
    {
      snprintf (snapshot->note, sizeof snapshot->note, "There are no side inputs: λ is 0.");
      return SL_SUCCESS;
    }
  if (!sl_capacity_run (s, d, snapshot->note))
    return SL_SUCCESS;
  if (sl_capacity_curve (snapshot, sink, T_LAG_EXACT, n, false) == NULL
      || sl_capacity_curve (snapshot, sink, T_LAG_LIMIT, n, false) == NULL)
    return sl_probe_no_memory ();
  exact = snapshot->data + snapshot->curve[0].offset;
  limit = snapshot->data + snapshot->curve[1].offset;
  for (size_t m = 0; m < n; m++)
    {
      exact[m] = limit[m] = (double) m;
      exact[n + m] = T * s->fall.bucket[m].side;
      limit[n + m] = time * d->law.leak * exp (-leak * time * (double) m / T);
    }
  snprintf (snapshot->note, sizeof snapshot->note,
            "%.3g steps until half is forgotten; convolutional recurrence is untested in the paper",
            leak * time > 0.0 ? T * M_LN2 / (leak * time) : 0.0);
  return sl_capacity_dots (
           snapshot, sink, T_LAG_DOTS,
           &(SlCapacityDots) {
             .sum = field->side, .networks = field->networks, .n = n, .dx = 1.0, .factor = T })
           ? SL_SUCCESS
           : sl_probe_no_memory ();
}

/* How far the networks of depth 8 see: three taps of rate β²/3 each in eight layers. */
static double
transfer_reach (const SlLabState *s)
{
  double           square = pow (value_of (s, P_STRENGTH), 2.0);
  SlCapacityKernel kernel
    = { 3, { { -1, square / 3.0 }, { 0, square / 3.0 }, { 1, square / 3.0 } } };
  SlCapacityLaw    law = { .rule = SL_CAPACITY_SQUARED, .scale = 1.0 };
  SlCapacityShares shares;

  sl_capacity_shares (&kernel, &law, &shares);
  return sqrt ((double) sl_capacity_transfer_layers (0)
               * sl_capacity_moments (&kernel, &shares).variance);
}

static SlStatus
probe_transfer (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  const Transfer *t = &s->now->transfer;
  unsigned        most = 0;

  for (unsigned e = 0; e < 3; e++)
    {
      unsigned n = 0;
      double  *xy;

      while (n < DEPTHS && t->done[n][e] > 0)
        n++;
      if (n == 0)
        continue;
      xy = sl_capacity_curve (snapshot, sink, e, n, true);
      if (xy == NULL)
        return sl_probe_no_memory ();
      for (unsigned i = 0; i < n; i++)
        {
          Sum sum = { 0 };

          for (unsigned k = 0; k < t->done[i][e]; k++)
            sum_add (&sum, t->loss[k][i][e]);
          xy[i] = (double) sl_capacity_transfer_layers (i);
          xy[n + i] = sum_mean (&sum, t->done[i][e]);
          xy[2 * n + i] = 2.0 * sl_capacity_error (&sum, t->done[i][e]);
          most = t->done[i][e] > most ? t->done[i][e] : most;
        }
    }
  if (most == 0 || !t->finished)
    snprintf (snapshot->note, sizeof snapshot->note,
              "Seed %u: depth %zu at a = %g, update %llu of %g%s. The task is %g away; 8 layers "
              "see %.2f far",
              t->seed + 1, sl_capacity_transfer_layers (t->depth), 0.5 * t->exponent,
              (unsigned long long) t->updates, value_of (s, P_UPDATES),
              value_of (s, P_TRAIN) == 0.0 ? " (switched off)" : "", value_of (s, P_DISTANCE),
              transfer_reach (s));
  else
    snprintf (snapshot->note, sizeof snapshot->note,
              "%u seeds, one toy task: evidence for the conjecture, not proof", most);
  return SL_SUCCESS;
}

/* dw/dθ of the toy models, (n, p); returns p. */
static size_t
toy_jacobian (unsigned model, size_t n, double *J)
{
  size_t p = model == TOY_TIED      ? (n + 1) / 2
             : model == TOY_ONE     ? 1
             : model == TOY_PRODUCT ? n - 1
                                    : n;

  memset (J, 0, n * p * sizeof *J);
  for (size_t i = 0; i < n; i++)
    switch (model)
      {
      case TOY_TIED: J[i * p + (i < p ? i : n - 1 - i)] = 1.0; break;
      case TOY_ONE: J[i] = i == n / 2; break;
      case TOY_PRODUCT: /* w₁ = w₂ w₃ at w₂ = 2, w₃ = -1 */
        if (i == 0)
          {
            J[0] = -1.0;
            J[1] = 2.0;
          }
        else
          J[i * p + i - 1] = 1.0;
        break;
      default: J[i * p + i] = 1.0; break;
      }
  return p;
}

static SlStatus
probe_toy (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  size_t n = (size_t) value_of (s, P_TOY_INPUTS), p, rank;
  double c[SL_LINEAR_MOST * SL_LINEAR_MOST], J[SL_LINEAR_MOST * SL_LINEAR_MOST];
  double k[SL_LINEAR_MOST * SL_LINEAR_MOST], total = 0.0, ridge = value_of (s, P_TOY_RIDGE), *bars;

  sl_linear_covariance (n, value_of (s, P_TOY_CORRELATION), c);
  p = toy_jacobian ((unsigned) value_of (s, P_TOY_MODEL), n, J);
  rank = sl_linear_capacity (n, p, c, J, (SlLinearMetric) value_of (s, P_TOY_METRIC), k);
  if (ridge > 0.0)
    sl_linear_capacity_ridge (n, p, c, J, ridge, k);
  bars = sl_capacity_curve (snapshot, sink, 0, n, false);
  if (bars == NULL)
    return sl_probe_no_memory ();
  for (size_t i = 0; i < n; i++)
    {
      bars[i] = (double) (i + 1);
      bars[n + i] = k[i * n + i];
      total += k[i * n + i];
    }
  if (ridge > 0.0)
    snprintf (snapshot->note, sizeof snapshot->note,
              "Total %.4f: the effective degrees of freedom of %zu parameters", total, rank);
  else
    snprintf (snapshot->note, sizeof snapshot->note, "Total %.4f: the %zu parameters that count",
              total, rank);
  return SL_SUCCESS;
}

SlStatus
sl_capacity_probe_curves (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  Design d;

  sl_capacity_design (s, &d);
  switch (panel)
    {
    case V_SPREAD: return probe_spread (s, sink, snapshot);
    case V_WHERE: return probe_where (s, &d, sink, snapshot);
    case V_MEMORY: return probe_memory (s, &d, sink, snapshot);
    case V_TRANSFER: return probe_transfer (s, sink, snapshot);
    case V_TOY: return probe_toy (s, sink, snapshot);
    case V_SKIP:
    case V_TRACE:
    case V_COSINES:
    case V_ANGLE: return sl_capacity_probe_circle (s, panel, sink, snapshot);
    default: return sl_capacity_probe_kinds (s, panel, sink, snapshot);
    }
}
