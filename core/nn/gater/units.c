/* SPDX-License-Identifier: MIT */
#include "core/nn/gater/units.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/vector.h"

bool
sl_gater_is_binary (SlGaterKind kind)
{
  return kind == SL_GATER_STS || kind == SL_GATER_SBN || kind == SL_GATER_ST;
}

bool
sl_gater_is_concrete (SlGaterKind kind)
{
  return kind == SL_GATER_GUMBEL || kind == SL_GATER_CONCRETE;
}

bool
sl_gater_has_threshold (SlGaterKind kind)
{
  return sl_gater_is_binary (kind) || kind == SL_GATER_GUMBEL;
}

bool
sl_gater_has_term (SlGaterKind kind)
{
  return sl_gater_is_binary (kind) || sl_gater_is_concrete (kind);
}

bool
sl_gater_has_probability (SlGaterKind kind)
{
  return sl_gater_has_term (kind) || kind == SL_GATER_SIGMOID;
}

SL_CLONES static void
draw_decisions (bool rooted, size_t n, const sl_real *p, const sl_real *uniform, uint8_t *on)
{
  for (size_t i = 0; i < n; i++)
    on[i] = uniform[i] < (rooted ? sqrt (p[i]) : p[i]);
}

SL_CLONES static void
emit_values (bool rooted, size_t n, const sl_real *p, const uint8_t *on, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    h[i] = on[i] == 0 ? 0 : rooted ? sqrt (p[i]) : 1;
}

void
sl_gater_fire (const SlGaterUnit *unit, size_t n, const sl_real *z, const sl_real *uniform,
               sl_real *p, uint8_t *on, sl_real *h)
{
  bool smooth = unit->kind == SL_GATER_STS;

  if (!sl_gater_has_probability (unit->kind))
    {
      sl_relu_forward (n, z, h);
      return;
    }
  sl_sigmoid_forward (n, z, p);
  if (unit->kind == SL_GATER_SIGMOID)
    {
      memcpy (h, p, n * sizeof *h);
      return;
    }
  if (uniform != NULL)
    draw_decisions (smooth && !unit->thin, n, p, uniform, on);
  emit_values (smooth, n, p, on, h);
}

SL_CLONES static void
emit_apart (size_t n, const sl_real *z, const uint8_t *on, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    h[i] = on[i] != 0 ? 1 / sqrt (1 + exp (-z[i])) : 0;
}

void
sl_gater_fire_apart (const SlGaterUnit *unit, size_t n, const sl_real *z, const sl_real *shift,
                     const sl_real *uniform, sl_real *p, uint8_t *on, sl_real *h)
{
  memcpy (p, z, n * sizeof *p);
  sl_vector_add (n, shift, p);
  sl_sigmoid_forward (n, p, p);
  if (uniform != NULL)
    draw_decisions (!unit->thin, n, p, uniform, on);
  emit_apart (n, z, on, h);
}

SL_CLONES static void
add_above (sl_real cut, size_t n, const sl_real *a, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    h[i] = a[i] > cut ? 1 : 0;
}

SL_CLONES static void
rooted_above (sl_real cut, sl_real mean, size_t n, const sl_real *a, sl_real *h)
{
  for (size_t i = 0; i < n; i++)
    h[i] = a[i] > cut ? 1 / sqrt (1 + exp (mean - a[i])) : 0;
}

void
sl_gater_settle (const SlGaterUnit *unit, sl_real cut, size_t n, const sl_real *a, sl_real *h)
{
  switch (unit->kind)
    {
    case SL_GATER_RECTIFIER:
    case SL_GATER_NOISY: sl_relu_forward (n, a, h); break;
    case SL_GATER_STS: rooted_above (cut, unit->apart ? unit->mean : 0, n, a, h); break;
    case SL_GATER_SBN:
    case SL_GATER_ST:
    case SL_GATER_GUMBEL: add_above (cut, n, a, h); break;
    case SL_GATER_CONCRETE: sl_concrete_settle (unit, n, a, h); break;
    case SL_GATER_SIGMOID: sl_sigmoid_forward (n, a, h); break;
    }
}

/* One example's part of sl_gater_credit(), by kind. */
SL_CLONES static void
credit_rectifier (size_t n, const sl_real *h, const sl_real *dh, sl_real l1, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = h[i] > 0 ? dh[i] + l1 : 0;
}

SL_CLONES static void
credit_reinforce (size_t n, const sl_real *p, const sl_real *h, sl_real loss, sl_real scale,
                  const sl_real *baseline, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = (h[i] - p[i]) * (loss - baseline[i]) * scale;
}

SL_CLONES static void
credit_slope (size_t n, const sl_real *p, const sl_real *dh, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = dh[i] * p[i] * (1 - p[i]);
}

SL_CLONES static void
credit_smooth (size_t n, const sl_real *p, const uint8_t *on, const sl_real *dh, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = on[i] != 0 ? dh[i] * (sl_real) 0.5 * sqrt (p[i]) * (1 - p[i]) : 0;
}

/* The same from the value, which is √p of a unit that fired. */
SL_CLONES static void
credit_apart (size_t n, const sl_real *h, const sl_real *dh, sl_real *da)
{
  for (size_t i = 0; i < n; i++)
    da[i] = dh[i] * (sl_real) 0.5 * h[i] * (1 - h[i] * h[i]);
}

SL_CLONES static void
add_pull (bool rooted, size_t n, const sl_real *p, const sl_real *pull, sl_real *da)
{
  if (rooted)
    for (size_t i = 0; i < n; i++)
      da[i] += pull[i] * (sl_real) 0.5 * sqrt (p[i]) * (1 - p[i]);
  else
    for (size_t i = 0; i < n; i++)
      da[i] += pull[i] * p[i] * (1 - p[i]);
}

static void
credit_one (const SlGaterUnit *unit, size_t n, const sl_real *p, const uint8_t *on,
            const sl_real *h, const sl_real *soft, const sl_real *dh, sl_real loss, sl_real scale,
            const SlGaterSignal *signal, sl_real *da)
{
  switch (unit->kind)
    {
    case SL_GATER_RECTIFIER:
    case SL_GATER_NOISY: credit_rectifier (n, h, dh, signal->l1, da); return;
    case SL_GATER_STS:
      if (unit->apart)
        credit_apart (n, h, dh, da);
      else
        credit_smooth (n, p, on, dh, da);
      break;
    case SL_GATER_SBN: credit_reinforce (n, p, h, loss, scale, signal->baseline, da); break;
    case SL_GATER_ST:
      if (unit->slope)
        credit_slope (n, p, dh, da);
      else if (da != dh)
        memcpy (da, dh, n * sizeof *da);
      break;
    case SL_GATER_SIGMOID: credit_slope (n, p, dh, da); break;
    case SL_GATER_GUMBEL:
    case SL_GATER_CONCRETE: sl_concrete_credit (unit, n, soft, h, dh, da); break;
    }
  if (signal->pull != NULL)
    add_pull (unit->kind == SL_GATER_STS && !unit->thin, n, p, signal->pull, da);
}

void
sl_gater_credit (const SlGaterUnit *unit, size_t batch, size_t units, const sl_real *p,
                 const uint8_t *on, const sl_real *h, const sl_real *dh,
                 const SlGaterSignal *signal, sl_real *da)
{
  bool concrete = sl_gater_is_concrete (unit->kind);

  for (size_t e = 0; e < batch; e++)
    {
      size_t at = e * units;

      credit_one (unit, units, p + at, on + at, h + at, concrete ? signal->soft + at : NULL,
                  dh != NULL ? dh + at : NULL, unit->kind == SL_GATER_SBN ? signal->loss[e] : 0,
                  1 / (sl_real) batch, signal, da + at);
    }
}

void
sl_gater_baseline (size_t units, const sl_real *over, const sl_real *under, sl_real *baseline)
{
  for (size_t i = 0; i < units; i++)
    baseline[i] = over[i] / under[i];
}

SL_CLONES static void
follow_one (size_t n, const sl_real *p, const sl_real *h, sl_real loss, sl_real share,
            sl_real *over, sl_real *under)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real square = (h[i] - p[i]) * (h[i] - p[i]) * share;

      over[i] += square * loss;
      under[i] += square;
    }
}

void
sl_gater_baseline_follow (size_t batch, size_t units, const sl_real *p, const sl_real *h,
                          const sl_real *loss, sl_real keep, sl_real *over, sl_real *under)
{
  for (size_t i = 0; i < units; i++)
    {
      over[i] *= keep;
      under[i] *= keep;
    }
  for (size_t e = 0; e < batch; e++)
    follow_one (units, p + e * units, h + e * units, loss[e], (1 - keep) / (sl_real) batch, over,
                under);
}

double
sl_gater_sigmoid (double a)
{
  double small = exp (-fabs (a));

  return (a > 0 ? 1.0 : small) / (1.0 + small);
}

static double
normal_below (double u)
{
  return 0.5 * erfc (-u / sqrt (2.0));
}

/* The unit with added noise: a (1 + ε) is |a| times the noisy input ±1. */
static const SlGaterUnit *
as_added (const SlGaterUnit *unit, SlGaterUnit *added)
{
  *added = *unit;
  added->times = false;
  return added;
}

double
sl_gater_active (const SlGaterUnit *unit, SlGaterNoise noise, double scale, double a)
{
  SlGaterUnit added;

  if (unit->times && unit->kind == SL_GATER_NOISY)
    return a == 0 ? 0 : sl_gater_active (as_added (unit, &added), noise, scale, a > 0 ? 1 : -1);
  switch (unit->kind)
    {
    case SL_GATER_RECTIFIER:
    case SL_GATER_NOISY:
      if (noise == SL_GATER_NO_NOISE || scale == 0.0)
        return a > 0.0;
      return noise == SL_GATER_GAUSSIAN ? normal_below (a / scale) : sl_gater_sigmoid (a / scale);
    case SL_GATER_STS: return unit->thin ? sl_gater_sigmoid (a) : sqrt (sl_gater_sigmoid (a));
    case SL_GATER_SBN:
    case SL_GATER_ST: return sl_gater_sigmoid (a);
    case SL_GATER_SIGMOID: break;
    case SL_GATER_GUMBEL:
    case SL_GATER_CONCRETE: return sl_concrete_active (unit, a);
    }
  return 1.0;
}

double
sl_gater_mean (const SlGaterUnit *unit, SlGaterNoise noise, double scale, double a)
{
  static const double root_two_pi = 2.50662827463100050242;
  SlGaterUnit         added;

  if (unit->times && unit->kind == SL_GATER_NOISY)
    return fabs (a) * sl_gater_mean (as_added (unit, &added), noise, scale, a > 0 ? 1 : -1);

  switch (unit->kind)
    {
    case SL_GATER_RECTIFIER:
    case SL_GATER_NOISY:
      if (noise == SL_GATER_NO_NOISE || scale == 0.0)
        return a > 0.0 ? a : 0.0;
      if (noise == SL_GATER_GAUSSIAN)
        return a * normal_below (a / scale)
               + scale * exp (-0.5 * a / scale * a / scale) / root_two_pi;
      /* Softplus, on the side that cannot overflow. */
      return scale * (fmax (a / scale, 0.0) + log1p (exp (-fabs (a / scale))));
    case SL_GATER_STS:
      return unit->thin ? sl_gater_sigmoid (a) * sqrt (sl_gater_sigmoid (a)) : sl_gater_sigmoid (a);
    case SL_GATER_SBN:
    case SL_GATER_ST:
    case SL_GATER_SIGMOID: break;
    case SL_GATER_GUMBEL:
    case SL_GATER_CONCRETE: return sl_concrete_mean (unit, a);
    }
  return sl_gater_sigmoid (a);
}

double
sl_gater_sts_slope (double a, double c)
{
  double p = sl_gater_sigmoid (a), root = sqrt (p);
  double rise = (root - c) * (root - c) - c * c, slope = 2.0 * (root - c);

  return 0.5 * root * (1.0 - p) * (rise + root * slope);
}

double
sl_gater_sts_backprop (double a, double c)
{
  double p = sl_gater_sigmoid (a);

  return 0.5 * p * (1.0 - p) * 2.0 * (sqrt (p) - c);
}
