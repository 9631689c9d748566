/* SPDX-License-Identifier: MIT
 *
 * Vectors of partial sums, for loops that are written by hand.  Private to core/nn/kernels.  */
#pragma once

#include <stddef.h>
#include <string.h>

#include "core/base/real.h"

enum {
  LANES = 64 / sizeof (sl_real), /* sums kept apart, so that the loops vectorise in this order */
};

typedef sl_real Lanes __attribute__ ((vector_size (64), may_alias, aligned (sizeof (sl_real))));
typedef sl_real Half __attribute__ ((vector_size (32), may_alias, aligned (sizeof (sl_real))));
typedef sl_real Quarter __attribute__ ((vector_size (16)));
typedef sl_real Unaligned __attribute__ ((vector_size (16), may_alias, aligned (sizeof (sl_real))));

/* Everything below is inlined into cloned functions, and so compiled for their instruction
 * sets.  */
#define INLINE static inline __attribute__ ((always_inline))

/* Half of the lanes folded to a quarter, and all of them. */
INLINE void
fold_half (const Half *half, Quarter *sum)
{
  Quarter quarter[2];

  memcpy (quarter, half, sizeof quarter);
  *sum = quarter[0] + quarter[1];
}

INLINE void
fold (const Lanes *lanes, Quarter *sum)
{
  Half half[2];

  memcpy (half, lanes, sizeof half);
  half[0] += half[1];
  fold_half (half, sum);
}

/* sum[k] += the sum of q[k], four of them, or eight: each addition serves two sums or more. */
INLINE void
add_four (const Quarter *q, sl_real *sum)
{
#ifdef SL_DOUBLE
  for (int k = 0; k < 4; k++)
    sum[k] += q[k][0] + q[k][1];
#else
  Quarter half[2], total;

  for (int k = 0; k < 2; k++)
    half[k] = __builtin_shufflevector (q[2 * k], q[2 * k + 1], 0, 1, 4, 5)
              + __builtin_shufflevector (q[2 * k], q[2 * k + 1], 2, 3, 6, 7);
  total = __builtin_shufflevector (half[0], half[1], 0, 2, 4, 6)
          + __builtin_shufflevector (half[0], half[1], 1, 3, 5, 7);
  *(Unaligned *) sum += total;
#endif
}

INLINE void
add_eight (const Quarter *q, sl_real *sum)
{
#ifdef SL_DOUBLE
  add_four (q, sum);
  add_four (q + 4, sum + 4);
#else
  const Half *two = (const Half *) q; /* quarters in each */
  Half        half[2], total;

  for (int k = 0; k < 2; k++)
    half[k] = __builtin_shufflevector (two[2 * k], two[2 * k + 1], 0, 1, 8, 9, 4, 5, 12, 13)
              + __builtin_shufflevector (two[2 * k], two[2 * k + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  total = __builtin_shufflevector (half[0], half[1], 0, 2, 8, 10, 4, 6, 12, 14)
          + __builtin_shufflevector (half[0], half[1], 1, 3, 9, 11, 5, 7, 13, 15);
  /* Of quarters 0, 2, 4, 6, 1, 3, 5, 7. */
  *(Half *) sum += __builtin_shufflevector (total, total, 0, 4, 1, 5, 2, 6, 3, 7);
#endif
}

/* The lanes, or half as many, at `from`, which need not be aligned.  Sums that a loop carries on are in halves
 * where the processor may have no registers of 64 bytes: compilers keep wider ones in memory then.  */
#define LOAD(from) (*(const Lanes *) (from))
#define LOAD_HALF(from) (*(const Half *) (from))
