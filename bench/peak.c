/* SPDX-License-Identifier: MIT */
#include "bench/peak.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/real.h"
#include "core/nn/kernels/clones.h"

/* Enough chains of additions to hide how long each takes, few enough for the registers. */
enum { LANES = 64 / sizeof (sl_real), CHAINS = 12, TIMES = 1 << 20, ROUNDS = 9 };

typedef sl_real Vector __attribute__ ((vector_size (64), aligned (64)));

#define CHAIN(i) sum##i = sum##i * by + plus

SL_CLONES static sl_real
multiply_and_add (sl_real factor, sl_real term)
{
  Vector by = factor - (Vector) { 0 }, plus = term - (Vector) { 0 };
  /* All begin elsewhere: equal ones would be computed once. */
  Vector sum0 = by, sum1 = by + 1, sum2 = by + 2, sum3 = by + 3, sum4 = by + 4, sum5 = by + 5,
         sum6 = by + 6, sum7 = by + 7, sum8 = by + 8, sum9 = by + 9, sum10 = by + 10,
         sum11 = by + 11;

  for (int i = 0; i < TIMES; i++)
    {
      CHAIN (0);
      CHAIN (1);
      CHAIN (2);
      CHAIN (3);
      CHAIN (4);
      CHAIN (5);
      CHAIN (6);
      CHAIN (7);
      CHAIN (8);
      CHAIN (9);
      CHAIN (10);
      CHAIN (11);
    }
  sum0 += sum1 + sum2 + sum3 + sum4 + sum5 + sum6 + sum7 + sum8 + sum9 + sum10 + sum11;
  return sum0[0];
}

double
sl_bench_peak (void)
{
  double           best = 0;
  volatile sl_real kept;

  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread ();

      kept = multiply_and_add ((sl_real) 0.5, (sl_real) round);
      best = fmax (best, 2e-9 * TIMES * CHAINS * LANES / (sl_clock_thread () - begin));
    }
  (void) kept;
  return best;
}
