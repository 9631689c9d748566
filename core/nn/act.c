/* SPDX-License-Identifier: MIT
 *
 * Activations; see act.h.  */
#include "core/nn/act.h"

#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/clones.h"

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

/* The format of sl_real, and how far tanh has to be followed before it rounds to 1. */
#ifdef SL_DOUBLE
typedef uint64_t Bits;
enum { FRACTION = 52, BIAS = 1023, TERMS = 12 };
static const sl_real edge = 20, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
#else
typedef uint32_t Bits;
enum { FRACTION = 23, BIAS = 127, TERMS = 6 };
static const sl_real edge = 10, ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
#endif

/* 1 / 3!, 1 / 4!, … */
static const double inverse_factorial[12] = {
  1.0 / 6,         1.0 / 24,         1.0 / 120,         1.0 / 720,
  1.0 / 5040,      1.0 / 40320,      1.0 / 362880,      1.0 / 3628800,
  1.0 / 39916800,  1.0 / 479001600,  1.0 / 6227020800,  1.0 / 87178291200,
};

/* |tanh x| = e / (e + 2) with e = exp (2 |x|) - 1 = 2^k (1 + f) - 1, where f = exp (r) - 1 and
 * |r| <= ln 2 / 2.  No part of it cancels, so small x keep all their digits.  */
static inline sl_real
tanh_one (sl_real x)
{
  /* Adding `shift` rounds to an integer and leaves it in the low bits of the sum. */
  const sl_real shift = (sl_real) 1.5 * ((Bits) 1 << FRACTION);
  sl_real a = fabs (x), z = 2 * (a > edge ? edge : a);
  sl_real t = z * (sl_real) 0x1.71547652b82fep0 + shift, k = t - shift;
  sl_real r = (z - k * ln2_high) - k * ln2_low, tail = 0, power, e;
  Bits bits;

  for (int i = TERMS - 1; i >= 0; i--)
    tail = tail * r + (sl_real) inverse_factorial[i];

  sl_real f = r + r * r * ((sl_real) 0.5 + r * tail);

  memcpy (&bits, &t, sizeof bits);
  bits = (bits << FRACTION) + ((Bits) BIAS << FRACTION);
  memcpy (&power, &bits, sizeof power);
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

SL_CLONES void
sl_gated_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = ((est[i] > 0) & (pre[i] > 0)) ? pre[i] : 0;
}
