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
typedef sl_real Half __attribute__ ((vector_size (32)));
typedef sl_real Quarter __attribute__ ((vector_size (16)));
typedef sl_real Unaligned __attribute__ ((vector_size (16), may_alias, aligned (sizeof (sl_real))));

/* Everything below is inlined into cloned functions, and so compiled for their instruction
 * sets.  */
#define INLINE static inline __attribute__ ((always_inline))

/* The lanes folded to a quarter of them. */
INLINE void
fold (const Lanes *lanes, Quarter *sum)
{
  Half    half[2];
  Quarter quarter[2];

  memcpy (half, lanes, sizeof half);
  half[0] += half[1];
  memcpy (quarter, half, sizeof quarter);
  *sum = quarter[0] + quarter[1];
}

/* sum[k] += the sum of q[k], four of them: each addition serves two sums or four. */
INLINE void
add_quarters (const Quarter *q, sl_real *sum)
{
#ifdef SL_DOUBLE
  for (int k = 0; k < 4; k++)
    sum[k] += q[k][0] + q[k][1];
#else
  Quarter half[2], total;

  for (int k = 0; k < 2; k++)
    half[k] = __builtin_shufflevector (q[2 * k], q[2 * k + 1], 0, 4, 2, 6)
              + __builtin_shufflevector (q[2 * k], q[2 * k + 1], 1, 5, 3, 7);
  total = __builtin_shufflevector (half[0], half[1], 0, 1, 4, 5)
          + __builtin_shufflevector (half[0], half[1], 2, 3, 6, 7);
  *(Unaligned *) sum += total;
#endif
}

/* sum[k] += the sum of lanes[k], `count` of them. */
INLINE void
add_lanes (int count, const Lanes *lanes, sl_real *sum)
{
  for (int k = 0; k < count; k += 4)
    {
      Quarter q[4];
      sl_real here[4] = { 0 };

      for (int i = 0; i < 4; i++)
        fold (&lanes[k + i < count ? k + i : k], &q[i]);
      add_quarters (q, here);
      for (int i = 0; i < 4 && k + i < count; i++)
        sum[k + i] += here[i];
    }
}

/* The lanes at `from`, which need not be aligned. */
#define LOAD(from) (*(const Lanes *) (from))
