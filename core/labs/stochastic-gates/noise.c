/* SPDX-License-Identifier: MIT
 *
 * The noise of the gates of the lab `stochastic-gates`, and all else that is left to chance in a batch.  */
#include "core/labs/stochastic-gates/lab.h"

#include "core/nn/gater/concrete.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/kernels/vector.h"

SlGaterNoise
sl_gates_noise (const SlGatesLab *s, double *scale)
{
  SlGaterKind kind = sl_gates_kind (s);

  *scale = sl_value_of (&s->base, P_NOISE_SCALE);
  if (*scale == 0.0 || (kind != SL_GATER_NOISY && kind != SL_GATER_SIGMOID))
    return SL_GATER_NO_NOISE;
  return kind == SL_GATER_NOISY && sl_value_of (&s->base, P_NOISE) == NOISE_LOGISTIC
           ? SL_GATER_LOGISTIC
           : SL_GATER_GAUSSIAN;
}

bool
sl_gates_noise_times (const SlGatesLab *s, SlGaterKind kind)
{
  return (kind == SL_GATER_NOISY || kind == SL_GATER_SIGMOID)
         && sl_value_of (&s->base, P_NOISE_ACTS) == NOISE_TIMES
         && sl_value_of (&s->base, P_NOISE_SCALE) > 0.0;
}

/* False when there is no such noise; the density is the mode that it is made for. */
static bool
beta_noise (const SlGatesLab *s, SlGaterBeta *noise)
{
  if (sl_gates_kind (s) != SL_GATER_STS || sl_value_of (&s->base, P_BETA_NOISE) == BETA_OFF)
    return false;
  *noise = sl_gater_beta (sl_value_of (&s->base, P_DENSITY), sl_value_of (&s->base, P_BETA),
                          sl_value_of (&s->base, P_BETA_NOISE) == BETA_CODE);
  return true;
}

double
sl_gates_shift (const SlGatesLab *s)
{
  SlGaterBeta noise;

  return beta_noise (s, &noise) ? sl_gater_beta_mean (&noise) : 0.0;
}

/* Standard deviation of the Gaussian noise of STS gates. */
static double
smooth_deviation (const SlGatesLab *s)
{
  return sl_gates_kind (s) == SL_GATER_STS ? sl_value_of (&s->base, P_STS_NOISE) : 0.0;
}

bool
sl_gates_is_noisy (const SlGatesLab *s)
{
  SlGaterBeta beta;
  double      scale;

  return beta_noise (s, &beta) || smooth_deviation (s) > 0.0
         || sl_gates_noise (s, &scale) != SL_GATER_NO_NOISE;
}

static void
draw_gaussian (SlRng *rng, double deviation, size_t n, sl_real *x)
{
  sl_normal_fill (rng, n, x);
  sl_vector_scale (n, (sl_real) deviation, x, x);
}

/* The noise of STS gates: Beta, Gaussian or their sum. */
static void
draw_smooth (SlGatesLab *s, SlRng *rng, size_t n, sl_real *shift)
{
  double      deviation = smooth_deviation (s);
  SlGaterBeta beta;

  if (!beta_noise (s, &beta))
    {
      draw_gaussian (rng, deviation, n, shift);
      return;
    }
  sl_gater_draw_beta (rng, &beta, n, shift);
  if (deviation > 0.0)
    {
      draw_gaussian (rng, deviation, n, s->values);
      sl_vector_add (n, s->values, shift);
    }
}

bool
sl_gates_draw (SlGatesLab *s, SlGatesLayer *layer, const SlGaterUnit *unit, size_t batch,
               SlGatesDraws *draws)
{
  size_t n = batch * layer->gater.units;
  double scale;
  bool   noisy = sl_gates_is_noisy (s);

  if (noisy && unit->kind == SL_GATER_STS)
    draw_smooth (s, &draws->shift, n, layer->tape.shift);
  else if (noisy && sl_gates_noise (s, &scale) == SL_GATER_LOGISTIC)
    sl_gater_draw_logistic (&draws->shift, scale, n, layer->tape.shift);
  else if (noisy)
    draw_gaussian (&draws->shift, scale, n, layer->tape.shift);
  if (sl_gater_has_term (unit->kind))
    sl_gater_draw_uniform (&draws->uniform, n, layer->tape.uniform);
  if (sl_gater_is_concrete (unit->kind))
    sl_concrete_noise (n, layer->tape.uniform, layer->tape.shift);
  return noisy;
}
