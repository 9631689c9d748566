/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/concrete.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"
#include "core/nn/kernels/vector.h"

SL_CLONES static void
to_logistic (size_t n, const sl_real *v, sl_real *noise)
{
  const sl_real least = (sl_real) 0x1p-24, most = 1 - least;

  for (size_t i = 0; i < n; i++)
    {
      sl_real u = v[i] > least ? v[i] : least;

      u = u < most ? u : most;
      noise[i] = sl_log_of (u) - sl_log_of (1 - u);
    }
}

void
sl_concrete_noise (size_t n, const sl_real *v, sl_real *noise)
{
  to_logistic (n, v, noise);
}

double
sl_concrete_temperature (double start, double end, double half, double update)
{
  return half > 0.0 && end < start ? fmax (end, start * exp2 (-update / half)) : start;
}

static bool
is_hard (const SlGaterUnit *unit)
{
  return unit->kind == SL_GATER_GUMBEL && unit->hard;
}

/* How far the logits of q = σ (a + shift), the probability of not being 0, are to the right. */
static double
shift_of (const SlGaterUnit *unit)
{
  return unit->kind == SL_GATER_CONCRETE ? -(double) unit->temperature * sl_concrete_cut (unit)
                                         : 0.0;
}

SL_CLONES static void
add_noise (size_t n, const sl_real *a, const sl_real *noise, sl_real inverse, sl_real *x)
{
  for (size_t i = 0; i < n; i++)
    x[i] = (a[i] + noise[i]) * inverse;
}

SL_CLONES static void
decide (size_t n, const sl_real *a, const sl_real *noise, uint8_t *on)
{
  for (size_t i = 0; i < n; i++)
    on[i] = a[i] + noise[i] > 0;
}

SL_CLONES static void
emit (size_t n, const uint8_t *on, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    h[i] = on[i] != 0;
}

/* In place if wanted. */
SL_CLONES static void
stretch_and_clip (sl_real stretch, size_t n, const sl_real *s, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real wide = s[i] * (1 + 2 * stretch) - stretch;

      wide = wide < 1 ? wide : 1;
      h[i] = wide > 0 ? wide : 0;
    }
}

SL_CLONES static void
shift_by (size_t n, const sl_real *a, sl_real shift, sl_real *x)
{
  for (size_t i = 0; i < n; i++)
    x[i] = a[i] + shift;
}

void
sl_concrete_fire (const SlGaterUnit *unit, size_t n, const sl_real *a, const sl_real *noise,
                  bool frozen, sl_real *soft, sl_real *p, uint8_t *on, sl_real *h)
{
  if (is_hard (unit) && !frozen)
    decide (n, a, noise, on);
  add_noise (n, a, noise, 1 / unit->temperature, soft);
  sl_sigmoid_forward (n, soft, soft);
  shift_by (n, a, (sl_real) shift_of (unit), p);
  sl_sigmoid_forward (n, p, p);
  if (is_hard (unit))
    emit (n, on, h);
  else if (unit->kind == SL_GATER_GUMBEL)
    memcpy (h, soft, n * sizeof *h);
  else
    stretch_and_clip (unit->stretch, n, soft, h);
}

SL_CLONES static void
credit_smooth (size_t n, const sl_real *s, const sl_real *dh, sl_real steep, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = dh[i] * steep * s[i] * (1 - s[i]);
}

SL_CLONES static void
credit_clipped (size_t n, const sl_real *s, const sl_real *h, const sl_real *dh, sl_real steep,
                sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = h[i] > 0 && h[i] < 1 ? dh[i] * steep * s[i] * (1 - s[i]) : 0;
}

void
sl_concrete_credit (const SlGaterUnit *unit, size_t n, const sl_real *soft, const sl_real *h,
                    const sl_real *dh, sl_real *da)
{
  if (unit->kind == SL_GATER_GUMBEL)
    credit_smooth (n, soft, dh, 1 / unit->temperature, da);
  else
    credit_clipped (n, soft, h, dh, (1 + 2 * unit->stretch) / unit->temperature, da);
}

void
sl_concrete_settle (const SlGaterUnit *unit, size_t n, const sl_real *a, sl_real *h)
{
  sl_sigmoid_forward (n, a, h);
  stretch_and_clip (unit->stretch, n, h, h);
}

double
sl_concrete_cut (const SlGaterUnit *unit)
{
  double stretch = (double) unit->stretch;

  return log (stretch / (1.0 + stretch));
}

double
sl_concrete_active (const SlGaterUnit *unit, double a)
{
  return unit->kind == SL_GATER_GUMBEL && !unit->hard ? 1.0
                                                      : sl_gater_sigmoid (a + shift_of (unit));
}

/* E σ ((a + noise) / τ): the trapezoid rule over the noise, which for a function that is smooth on the
 * whole line errs by e^(-2π min (π, πτ) / step).  */
static double
mean_of_soft (const SlGaterUnit *unit, double a)
{
  static const double reach = 40.0;
  double              tau = (double) unit->temperature, step = 0.2 * fmin (tau, 1.0), sum = 0.0;
  int                 most = (int) (reach / step);

  for (int i = -most; i <= most; i++)
    {
      double x = i * step, v = sl_gater_sigmoid (x);

      sum += v * (1.0 - v) * sl_gater_sigmoid ((a + x) / tau);
    }
  return step * sum;
}

/* The integral of P(h > t) = σ (a - β logit ((t - γ) / (ζ - γ))) over 0 < t < 1, by Gauss' rule of eight
 * points in each of PARTS parts; the chance of 1 is in it.  */
static double
mean_of_clipped (const SlGaterUnit *unit, double a)
{
  enum { PARTS = 16, POINTS = 4 };
  static const double at[POINTS]
    = { 0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363 };
  static const double weight[POINTS]
    = { 0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763 };
  double beta = (double) unit->temperature, stretch = (double) unit->stretch, sum = 0.0;

  for (int part = 0; part < PARTS; part++)
    for (int i = 0; i < 2 * POINTS; i++)
      {
        double off = i < POINTS ? at[i] : -at[i - POINTS], t = (part + 0.5 + 0.5 * off) / PARTS;

        sum += weight[i % POINTS]
               * sl_gater_sigmoid (a - beta * (log (t + stretch) - log1p (stretch - t)));
      }
  return sum / (2.0 * PARTS);
}

double
sl_concrete_mean (const SlGaterUnit *unit, double a)
{
  if (unit->kind == SL_GATER_CONCRETE)
    return mean_of_clipped (unit, a);
  return unit->hard ? sl_gater_sigmoid (a) : mean_of_soft (unit, a);
}

double
sl_concrete_l0 (size_t batch, size_t units, const sl_real *q, double lambda, sl_real *mean,
                sl_real *pull)
{
  double total = 0.0, all = (double) batch * (double) units;

  memset (mean, 0, units * sizeof *mean);
  for (size_t e = 0; e < batch; e++)
    sl_vector_add (units, q + e * units, mean);
  for (size_t i = 0; i < units; i++)
    {
      mean[i] /= (sl_real) batch;
      total += (double) mean[i];
      pull[i] = (sl_real) (lambda / all);
    }
  return lambda * total / (double) units;
}
