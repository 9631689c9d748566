/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/init.h"

#include <math.h>

void
sl_init_glorot (SlRng *rng, size_t fan_in, size_t fan_out, size_t n, sl_real *w)
{
  double bound = sqrt (6.0 / ((double) fan_in + (double) fan_out));

  for (size_t i = 0; i < n; i++)
    w[i] = (sl_real) ((2.0 * sl_rng_uniform (rng) - 1.0) * bound);
}
