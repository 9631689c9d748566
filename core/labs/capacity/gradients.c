/* SPDX-License-Identifier: MIT
 *
 * Gradients of random fully connected networks with skip paths at inputs on a circle, lab
 * `capacity`: how alike they are tells whether the gradient has shattered.  Exponents a take turns,
 * the slider's own among them.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/lab.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/normal.h"

void
sl_capacity_gradients_carve (SlCapacityLab *s)
{
  size_t     n = sl_count_of (&s->base, P_WIDTH);
  SlResidual net = { .rows = CIRCLE, .channels = n, .taps = 1 };

  s->gradient_w = sl_arena_reals (&s->base.scratch, n * n);
  s->gradient_h = sl_arena_reals (&s->base.scratch, CIRCLE * n);
  s->gradient_delta = sl_arena_reals (&s->base.scratch, CIRCLE * n);
  s->gradient_slopes = sl_arena_reals (&s->base.scratch, MOST_GRADIENT * CIRCLE * n);
  /* Two directions, the probe, the phases, and room for both passes. */
  s->circle = sl_arena_reals (&s->base.scratch, 4 * n + sl_residual_work (&net));
  s->cosines = sl_arena_reals (&s->base.scratch, CIRCLE * CIRCLE);
  s->measured = sl_arena_carve (&s->base.scratch, CIRCLE * CIRCLE, sizeof *s->measured);
}

void
sl_capacity_gradients_clear (SlCapacityLab *s, bool only_slider)
{
  Gradients *g = &s->now->gradient;
  unsigned   last = EXPONENTS - 1;

  if (!only_slider)
    {
      *g = (Gradients) { 0 };
      return;
    }
  g->networks[last] = 0;
  memset (g->cosine[last], 0, sizeof g->cosine[last]);
  memset (g->trace[last], 0, sizeof g->trace[last]);
  memset (g->map, 0, sizeof g->map);
  g->whiteness[last] = (Sum) { 0 };
}

double
sl_capacity_exponent (const SlCapacityLab *s, unsigned e)
{
  return e + 1 < EXPONENTS ? 0.25 * e : sl_value_of (&s->base, P_EXPONENT);
}

static void
scale (size_t n, sl_real *x, sl_real factor)
{
  for (size_t i = 0; i < n; i++)
    x[i] *= factor;
}

static void
draw_layer (SlRng rng, size_t n, double variance, sl_real *w)
{
  sl_normal_fill (&rng, n * n, w);
  scale (n * n, w, (sl_real) sqrt (variance / (double) n));
}

/* Forward and backward; gradient_delta gets the gradients at the input up to a factor. */
static void
run (SlCapacityLab *s, SlResidual *net, size_t layers, double square)
{
  size_t   n = net->channels, all = CIRCLE * n;
  sl_real *a = s->circle, *b = a + n, *probe = b + n, *phase = probe + n, *room = phase + n;
  double   gain = net->activation == SL_SHATTER_RECTIFIER ? 2.0 : 1.0;
  sl_real  shrink = (sl_real) (1.0 / sqrt (1.0 + square));
  /* Only where a factor of h changes nothing but that of the output may h be scaled. */
  bool homogeneous
    = net->activation == SL_SHATTER_LINEAR || net->activation == SL_SHATTER_RECTIFIER;

  sl_normal_fill (&s->now->gradients, 3 * n, a);
  for (size_t i = 0; i < n; i++)
    phase[i] = (sl_real) (2.0 * M_PI * sl_rng_uniform (&s->now->gradients));
  for (size_t u = 0; u < CIRCLE; u++)
    for (size_t i = 0; i < n; i++)
      {
        double angle = 2.0 * M_PI * (double) u / CIRCLE;

        s->gradient_h[u * n + i] = a[i] * (sl_real) cos (angle) + b[i] * (sl_real) sin (angle);
        s->gradient_delta[u * n + i] = probe[i];
      }
  net->phase = phase;
  for (size_t l = 0; l < layers; l++)
    {
      s->layer_rng[l] = s->now->gradients;
      sl_rng_next (&s->now->gradients);
      draw_layer (s->layer_rng[l], n, gain * square, s->gradient_w);
      sl_residual_forward (net, s->gradient_w, NULL, s->gradient_h, s->gradient_slopes + l * all,
                           NULL, room);
      if (homogeneous)
        scale (all, s->gradient_h, shrink);
    }
  for (size_t l = layers; l-- > 0;)
    {
      draw_layer (s->layer_rng[l], n, gain * square, s->gradient_w);
      sl_residual_backward (net, s->gradient_w, s->gradient_slopes + l * all, NULL,
                            s->gradient_delta, NULL, room);
      scale (all, s->gradient_delta, shrink);
    }
}

/* g (u) = gradient · dh₀/du, to a root mean square of 1. */
static void
keep_trace (SlCapacityLab *s, size_t n, double *trace)
{
  const sl_real *a = s->circle, *b = a + n;
  double         square = 0.0;

  for (size_t u = 0; u < CIRCLE; u++)
    {
      double angle = 2.0 * M_PI * (double) u / CIRCLE;

      trace[u] = 0.0;
      for (size_t i = 0; i < n; i++)
        trace[u] += (double) s->gradient_delta[u * n + i]
                    * ((double) b[i] * cos (angle) - (double) a[i] * sin (angle));
      square += trace[u] * trace[u] / CIRCLE;
    }
  for (size_t u = 0; square > 0.0 && u < CIRCLE; u++)
    trace[u] /= sqrt (square);
}

static void
keep_cosines (SlCapacityLab *s, size_t n, unsigned e)
{
  Gradients *g = &s->now->gradient;
  double     lag[LAGS] = { 0.0 }, *cosine = s->measured;

  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, CIRCLE, CIRCLE, n, 1, s->gradient_delta, n,
              s->gradient_delta, n, 0, s->cosines, CIRCLE);
  for (size_t i = 0; i < CIRCLE; i++)
    for (size_t j = 0; j < CIRCLE; j++)
      {
        size_t apart = (j + CIRCLE - i) % CIRCLE;
        double length
          = (double) s->cosines[i * (CIRCLE + 1)] * (double) s->cosines[j * (CIRCLE + 1)];

        cosine[i * CIRCLE + j] = (double) s->cosines[i * CIRCLE + j] / sqrt (length);
        if (apart < LAGS)
          lag[apart] += cosine[i * CIRCLE + j] / CIRCLE;
        if (e + 1 == EXPONENTS)
          g->map[i * CIRCLE + j] += cosine[i * CIRCLE + j];
      }
  for (unsigned k = 0; k < LAGS; k++)
    sum_add (&g->cosine[e][k], lag[k]);
  sum_add (&g->whiteness[e], sl_shatter_whiteness (CIRCLE, cosine));
}

void
sl_capacity_gradients_step (SlCapacityLab *s)
{
  Gradients *g = &s->now->gradient;
  size_t     layers = sl_count_of (&s->base, P_LAYERS), n = sl_count_of (&s->base, P_WIDTH);
  unsigned   e = 0;
  Design     d;
  SlResidual net = { .activation = (SlShatter) sl_value_of (&s->base, P_ACTIVATION),
                     .omega = (sl_real) sl_value_of (&s->base, P_OMEGA),
                     .rows = CIRCLE,
                     .channels = n,
                     .taps = 1 };

  if (layers > MOST_GRADIENT)
    return;
  /* Whoever has fewest networks is next; the slider's own goes first. */
  for (unsigned i = 0; i < EXPONENTS; i++)
    if (g->networks[EXPONENTS - 1 - i] < g->networks[EXPONENTS - 1 - e])
      e = i;
  e = EXPONENTS - 1 - e;
  sl_capacity_design_at (s, layers, sl_capacity_exponent (s, e), &d);
  run (s, &net, layers,
       d.law.scale * (sl_capacity_centre (&d.kernel) + sl_capacity_moving (&d.kernel)));
  keep_cosines (s, n, e);
  keep_trace (s, n, g->trace[e]);
  g->networks[e]++;
  s->base.now.macs += 2.0 * CIRCLE * (double) (n * n * layers);
}
