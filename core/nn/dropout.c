/* SPDX-License-Identifier: MIT
 *
 * Inverted dropout; see dropout.h.  */
#include "core/nn/dropout.h"

#include <math.h>

#include "core/nn/clones.h"

void
sl_dropout_draw (SlRng *rng, double rate, size_t n, uint8_t *mask)
{
  uint32_t least = (uint32_t) lrint (rate * 65536.0);

  for (size_t i = 0; i < n; i += 4)
    {
      uint64_t word = sl_rng_next (rng);

      for (size_t j = i; j < n && j < i + 4; j++, word >>= 16)
        mask[j] = (word & 0xffff) >= least;
    }
}

SL_CLONES void
sl_dropout_apply (size_t n, double rate, const uint8_t *mask, const sl_real *x, sl_real *y)
{
  sl_real scale = (sl_real) (1.0 / (1.0 - rate));

  for (size_t i = 0; i < n; i++)
    y[i] = mask[i] != 0 ? x[i] * scale : 0;
}
