/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/act.h"

#include <tgmath.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"

SL_CLONES void
sl_relu_forward (size_t n, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}

SL_CLONES void
sl_relu_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] = y[i] > 0 ? dy[i] : 0;
}

/* How far tanh has to be followed before it rounds to 1. */
static const sl_real edge = sizeof (sl_real) == sizeof (float) ? 10 : 20;

/* |tanh x| = e / (e + 2) with e = exp (2 |x|) - 1 = 2^k (1 + f) - 1.  No part of it cancels, so
 * small x keep all their digits.  */
static inline sl_real
tanh_one (sl_real x)
{
  sl_real a = fabs (x), power, f, e;

  sl_exp_parts (2 * (a > edge ? edge : a), &power, &f);
  e = power * f + (power - 1);
  return copysign (e / (e + 2), x);
}

SL_CLONES void
sl_tanh_forward (size_t n, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = tanh_one (x[i]);
}

SL_CLONES void
sl_tanh_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] = dy[i] * (1 - y[i] * y[i]);
}

/* Held at the value for -2 edge, so that it never is 0. */
static inline sl_real
sigmoid_one (sl_real x)
{
  return sl_sigmoid (x < -2 * edge ? -2 * edge : x);
}

SL_CLONES void
sl_sigmoid_forward (size_t n, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = sigmoid_one (x[i]);
}

SL_CLONES void
sl_gated_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = ((est[i] > 0) & (pre[i] > 0)) ? pre[i] : 0;
}

SL_CLONES void
sl_cut_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real cut, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = pre[i] > cut ? pre[i] : 0;
  for (size_t i = 0; est != NULL && i < n; i++)
    y[i] = est[i] > 0 ? y[i] : 0;
}

SL_CLONES static void
clear_off (size_t n, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = est[i] > 0 ? y[i] : 0;
}

SL_CLONES void
sl_leaky_forward (size_t n, sl_real leak, const sl_real *x, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : leak * x[i];
  if (est != NULL)
    clear_off (n, est, y);
}

SL_CLONES void
sl_leaky_backward (size_t n, sl_real leak, const sl_real *x, const sl_real *est, const sl_real *dy,
                   sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] = x[i] > 0 ? dy[i] : leak * dy[i];
  if (est != NULL)
    clear_off (n, est, dx);
}

double
sl_leaky_slope (size_t n, const sl_real *x, const sl_real *est, const sl_real *dy)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    if (!(x[i] > 0) && (est == NULL || est[i] > 0))
      sum += (double) dy[i] * (double) x[i];
  return sum;
}

/* exp (x) - 1 for x <= 0: no part of it cancels, so small x keep all their digits. */
static inline sl_real
expm1_one (sl_real x)
{
  sl_real power, f;

  sl_exp_parts (x < -SL_FLAT ? -SL_FLAT : x, &power, &f);
  return power * f + (power - 1);
}

SL_CLONES void
sl_elu_forward (size_t n, const sl_real *x, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real down = expm1_one (x[i] > 0 ? 0 : x[i]);

      y[i] = x[i] > 0 ? x[i] : down;
    }
  if (est != NULL)
    clear_off (n, est, y);
}

SL_CLONES void
sl_elu_backward (size_t n, const sl_real *x, const sl_real *est, const sl_real *dy, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real slope = sl_exp_fall (x[i] > 0 ? 0 : -x[i]);

      dx[i] = x[i] > 0 ? dy[i] : slope * dy[i];
    }
  if (est != NULL)
    clear_off (n, est, dx);
}
