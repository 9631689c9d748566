/* SPDX-License-Identifier: MIT */
#include "bench/peak.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/base/real.h"

/* Enough chains of additions to hide how long each takes, few enough for the 16 registers that every processor has. */
enum { CHAINS = 12, TIMES = 1 << 20, ROUNDS = 9 };

#define CHAIN(i) sum##i = sum##i * by + plus

/* A loop that does nothing else on vectors of so many bytes: as many as a register has, or each would be several of
 * them and the chains lie in memory.  */
#define MULTIPLY_AND_ADD(name, bytes, attributes)                                                  \
  attributes static sl_real name (sl_real factor, sl_real term)                                    \
  {                                                                                                \
    typedef sl_real Vector __attribute__ ((vector_size (bytes), aligned (bytes)));                 \
    Vector          by = factor - (Vector) { 0 }, plus = term - (Vector) { 0 };                    \
    /* All begin elsewhere: equal ones would be computed once. */                                  \
    Vector sum0 = by, sum1 = by + 1, sum2 = by + 2, sum3 = by + 3, sum4 = by + 4, sum5 = by + 5,   \
           sum6 = by + 6, sum7 = by + 7, sum8 = by + 8, sum9 = by + 9, sum10 = by + 10,            \
           sum11 = by + 11;                                                                        \
                                                                                                   \
    for (int i = 0; i < TIMES; i++)                                                                \
      {                                                                                            \
        CHAIN (0);                                                                                 \
        CHAIN (1);                                                                                 \
        CHAIN (2);                                                                                 \
        CHAIN (3);                                                                                 \
        CHAIN (4);                                                                                 \
        CHAIN (5);                                                                                 \
        CHAIN (6);                                                                                 \
        CHAIN (7);                                                                                 \
        CHAIN (8);                                                                                 \
        CHAIN (9);                                                                                 \
        CHAIN (10);                                                                                \
        CHAIN (11);                                                                                \
      }                                                                                            \
    sum0 += sum1 + sum2 + sum3 + sum4 + sum5 + sum6 + sum7 + sum8 + sum9 + sum10 + sum11;          \
    return sum0[0];                                                                                \
  }

MULTIPLY_AND_ADD (of_16_bytes, 16, )
#ifdef __x86_64__
MULTIPLY_AND_ADD (of_32_bytes, 32, __attribute__ ((target ("avx2,fma"))))
MULTIPLY_AND_ADD (of_64_bytes, 64, __attribute__ ((target ("avx512f"))))
#endif

typedef struct
{
  sl_real (*run) (sl_real factor, sl_real term);
  unsigned bytes;
} Loop;

/* The loops that this processor can run. */
static unsigned
find_loops (Loop loops[3])
{
  unsigned n = 0;

  loops[n++] = (Loop) { of_16_bytes, 16 };
#ifdef __x86_64__
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    loops[n++] = (Loop) { of_32_bytes, 32 };
  if (__builtin_cpu_supports ("avx512f"))
    loops[n++] = (Loop) { of_64_bytes, 64 };
#endif
  return n;
}

/* Billions of operations a second in one round. */
static double
time_round (const Loop *loop, int round)
{
  double           begin = sl_clock_thread ();
  volatile sl_real kept = loop->run ((sl_real) 0.5, (sl_real) round);

  (void) kept;
  return 2e-9 * TIMES * CHAINS * (loop->bytes / sizeof (sl_real)) / (sl_clock_thread () - begin);
}

double
sl_bench_peak (void)
{
  Loop     loops[3];
  unsigned n = find_loops (loops);
  double   best = 0;

  for (int round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < n; i++)
      best = fmax (best, time_round (&loops[i], round));
  return best;
}
