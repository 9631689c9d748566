/* SPDX-License-Identifier: MIT
 *
 * Copies that go around the caches, for what several processors have read and one replaces.  To write
 * in place, a processor first has the others give up each line; from another part of the chip that takes
 * ten times as long as the update of weights itself.  */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/real.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* to (n) = from (n).  What was written is seen by other threads from the next barrier on, as usual. */
static inline void
sl_copy_around (sl_real *to, const sl_real *from, size_t n)
{
  size_t i = 0;

#ifdef __SSE2__
  const size_t step = 16 / sizeof *to;

  if ((uintptr_t) to % 16 == 0)
    for (; i + step <= n; i += step)
      _mm_stream_si128 ((__m128i *) (to + i), _mm_loadu_si128 ((const __m128i *) (from + i)));
  _mm_sfence ();
#endif
  memcpy (to + i, from + i, (n - i) * sizeof *to);
}
