/* SPDX-License-Identifier: MIT */
#include "core/labs/prefix-tree/math/decay.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/vector.h"

SlStatus
sl_decay_tick (SlDecayKind kind, double rate, double lambda, double *tick)
{
  double by = rate * lambda;

  *tick = 0.0;
  if (!(by >= 0.0 && by < 1.0))
    return sl_status_new (SL_EINVAL, "decay", sl_message ("learning rate × decay = %g", by),
                          sl_message ("at least 0 and less than 1"));
  if (kind == SL_DECAY_L1)
    *tick = by;
  else if (kind == SL_DECAY_L2)
    *tick = log1p (-by);
  return SL_SUCCESS;
}

SL_CLONES static void
approach_zero (size_t n, sl_real by, const sl_real *from, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real w = from[i];

      to[i] = w > by ? w - by : w < -by ? w + by : 0;
    }
}

void
sl_decay_apply (SlDecayKind kind, double by, size_t n, const sl_real *from, sl_real *to)
{
  if (kind == SL_DECAY_L2 && by != 0.0)
    sl_vector_scale (n, (sl_real) exp (by), from, to);
  else if (kind == SL_DECAY_L1 && by != 0.0)
    approach_zero (n, (sl_real) by, from, to);
  else if (from != to)
    memcpy (to, from, n * sizeof *to);
}
