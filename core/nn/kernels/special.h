/* SPDX-License-Identifier: MIT
 *
 * Functions of one number that loops of the kernels vectorise: all are inline, without branches
 * and without calls.  In both precisions right to a few units in the last place where nothing
 * else is said.  Not-a-number gives not-a-number.  */
#pragma once

#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#include "core/base/real.h"

/* A finite number in place of infinity, so that differences stay numbers. */
#ifdef SL_DOUBLE
static const sl_real sl_most_finite = 0x1.fffffffffffffp1023;
#else
static const sl_real sl_most_finite = 0x1.fffffep127f;
#endif

#define SL_SPECIAL static inline __attribute__ ((always_inline))

/* The format of sl_real; beyond e^-FLAT a number is as good as 0. */
#ifdef SL_DOUBLE
typedef uint64_t SlBits;
typedef int64_t  SlSignedBits;
enum { SL_FRACTION = 52, SL_BIAS = 1023, SL_EXP_TERMS = 12, SL_LOG_TERMS = 16, SL_FLAT = 708 };
static const sl_real sl_ln2_high = 0x1.62e42feep-1, sl_ln2_low = 0x1.a39ef35793c76p-33;
#else
typedef uint32_t     SlBits;
typedef int32_t      SlSignedBits;
enum { SL_FRACTION = 23, SL_BIAS = 127, SL_EXP_TERMS = 6, SL_LOG_TERMS = 7, SL_FLAT = 87 };
static const sl_real sl_ln2_high = 0x1.62e4p-1f, sl_ln2_low = 0x1.7f7d1cp-20f;
#endif

/* 1 / k! with the signs of cosine, where k is even, and sine, where it is odd. */
static const double sl_wave_terms[18] = {
  1.0 / 1,
  1.0 / 1,
  -1.0 / 2,
  -1.0 / 6,
  1.0 / 24,
  1.0 / 120,
  -1.0 / 720,
  -1.0 / 5040,
  1.0 / 40320,
  1.0 / 362880,
  -1.0 / 3628800,
  -1.0 / 39916800,
  1.0 / 479001600,
  1.0 / 6227020800,
  -1.0 / 87178291200,
  -1.0 / 1307674368000,
  1.0 / 20922789888000,
  1.0 / 355687428096000,
};

/* e^z = power (1 + f), power = 2^k and |f| < 0.42, so that a caller need not subtract nearly equal
 * numbers.  |z| <= FLAT, which the caller ensures.  */
SL_SPECIAL void
sl_exp_parts (sl_real z, sl_real *power, sl_real *f)
{
  /* 1 / 3!, 1 / 4!, … */
  static const double inverse_factorial[12] = {
    1.0 / 6,        1.0 / 24,        1.0 / 120,        1.0 / 720,
    1.0 / 5040,     1.0 / 40320,     1.0 / 362880,     1.0 / 3628800,
    1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200,
  };
  /* Adding `shift` rounds to an integer and leaves it in the low bits of the sum. */
  const sl_real shift = (sl_real) 1.5 * ((SlBits) 1 << SL_FRACTION);
  sl_real       t = z * (sl_real) 0x1.71547652b82fep0 + shift, k = t - shift;
  sl_real       r = (z - k * sl_ln2_high) - k * sl_ln2_low, tail = 0;
  SlBits        bits;

  for (int i = SL_EXP_TERMS - 1; i >= 0; i--)
    tail = tail * r + (sl_real) inverse_factorial[i];
  *f = r + r * r * ((sl_real) 0.5 + r * tail);
  memcpy (&bits, &t, sizeof bits);
  bits = (bits << SL_FRACTION) + ((SlBits) SL_BIAS << SL_FRACTION);
  memcpy (power, &bits, sizeof bits);
}

/* e^-z for z >= 0; exactly 0 from FLAT on. */
SL_SPECIAL sl_real
sl_exp_fall (sl_real z)
{
  sl_real power, f;

  sl_exp_parts (z > SL_FLAT ? -SL_FLAT : -z, &power, &f);
  return z > SL_FLAT ? 0 : power + power * f;
}

/* log (1 + t), |t| <= 1 as long as it is not near -1: 2 artanh (t / (2 + t)). */
SL_SPECIAL sl_real
sl_log_grown (sl_real t)
{
  sl_real s = t / (2 + t), square = s * s, tail = 0;

  for (int i = SL_LOG_TERMS; i > 0; i--)
    tail = (tail + (sl_real) (1.0 / (2 * i + 1))) * square;
  return 2 * (s + s * tail);
}

/* Natural logarithm of a positive, normal number; at most 0 for u <= 1. */
SL_SPECIAL sl_real
sl_log_of (sl_real u)
{
  const SlBits least = ((SlBits) (SL_BIAS - 1) << SL_FRACTION) /* the bits of √½, cut off */
                       + ((SlBits) 0x3504f3 << (SL_FRACTION - 23));
  SlBits       bits;
  SlSignedBits power;
  sl_real      m;

  /* u = m 2^power with m from √½ to √2. */
  memcpy (&bits, &u, sizeof bits);
  power = (SlSignedBits) (bits - least) >> SL_FRACTION;
  bits -= (SlBits) power << SL_FRACTION;
  memcpy (&m, &bits, sizeof m);

  sl_real k = (sl_real) power;

  return k * sl_ln2_high + (k * sl_ln2_low + sl_log_grown (m - 1));
}

/* log (1 + e^a), at least e^-FLAT. */
SL_SPECIAL sl_real
sl_softplus (sl_real a)
{
  sl_real z = fabs (a), power, f;

  sl_exp_parts (z > SL_FLAT ? -SL_FLAT : -z, &power, &f);
  return (a > 0 ? a : 0 * a) + sl_log_grown (power + power * f);
}

/* 1 / (1 + e^-a), the slope of softplus. */
SL_SPECIAL sl_real
sl_sigmoid (sl_real a)
{
  sl_real t = sl_exp_fall (fabs (a));

  return (a > 0 ? 1 : t) / (1 + t);
}

/* The standard normal distribution at u: the density φ, and unless NULL the probability Φ up
 * to u, which is right to a few units of its last place below 0 and of 1 above.  With
 * t = 4 / (4 + |u|), Φ (-|u|) is φ (u) times t times a polynomial of 2t - 1, which we fitted to
 * 4e-8 in float and 2e-17 in double (the variable is that of Shepherd and Laframboise 1981).  */
SL_SPECIAL sl_real
sl_normal_density (sl_real u, sl_real *probability)
{
#ifdef SL_DOUBLE
  static const sl_real p[] = {
    0.188821282603937873,     0.151974160492973075,     0.0967843501855537294,
    0.046630464489909153,     0.0150991437227294681,    0.00188504724184657814,
    -0.000869923091761993408, -0.000407704616852477115, 0.000033336077352958136,
    0.0000577737543406935645, -4.77061587853642763e-7,  -8.78627797570941282e-6,
    1.79164691029878025e-7,   1.48040276148099434e-6,   -1.57459183462309226e-7,
    -2.56196275413819335e-7,  6.81157423778646802e-8,   3.99434903555980512e-8,
    -2.17166175399947319e-8,  -4.46123194324535406e-9,  5.35690096086308897e-9,
    1.46840669124679767e-10,  -9.3266127046709257e-10,  2.99944550781327365e-11,
    8.50828077162373662e-11,
  };
#else
  static const sl_real p[] = {
    0.1888212818f,   0.151974101f,      0.09678439073f,    0.04663167772f,  0.01509882397f,
    0.001878057845f, -0.0008690419737f, -0.0003909467247f, 3.233142034e-5f, 3.93301424e-5f,
  };
#endif
  sl_real z = fabs (u), bell = sl_exp_fall (z * z / 2);

  if (probability != NULL)
    {
      sl_real t = 4 / (4 + z), y = 2 * t - 1, sum = 0;

      for (int i = (int) (sizeof p / sizeof *p) - 1; i >= 0; i--)
        sum = sum * y + p[i];
      *probability = u > 0 ? 1 - bell * t * sum : bell * t * sum;
    }
  return bell * (sl_real) 0.398942280401432677939946;
}
