/* SPDX-License-Identifier: MIT
 *
 * Zero-computation experts: the gate chooses them as it does the others, and they give the input or nothing; see
 * moe.h.  In a row of the gate their numbers come last.  */
#include <math.h>

#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/moe/private.h"

/* Σ G of an example over those of them that it has. */
static sl_real
weight_of (const SlMoe *moe, size_t example)
{
  const SlGate *gate = &moe->gates[0];
  sl_real       sum = 0;

  for (size_t p = example * gate->k; p < (example + 1) * gate->k; p++)
    sum += gate->chosen[p] < moe->shape.experts ? 0 : gate->g[p];
  return sum;
}

/* to += that times from, row by row of so many numbers. */
static void
add_rows (const SlMoe *moe, size_t n, const sl_real *from, sl_real *to)
{
  if (!moe->shape.identity)
    return;
#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (moe->batch > SL_BLOCK_ROWS)
  for (size_t e = 0; e < moe->batch; e++)
    {
      sl_real weight = weight_of (moe, e);

      if (weight > 0)
        sl_vector_add_scaled (n, weight, from + e * n, to + e * n);
    }
}

void
sl_moe_add_zero (const SlMoe *moe, sl_real *y)
{
  add_rows (moe, moe->shape.outputs, moe->x, y);
}

void
sl_moe_add_zero_slope (const SlMoe *moe, const sl_real *dy, sl_real *dx)
{
  add_rows (moe, moe->shape.inputs, dy, dx);
}

void
sl_moe_collect_zero (SlMoe *moe, const sl_real *dy)
{
  const SlDispatch *dispatch = &moe->dispatch;
  size_t            k = moe->gates[0].k, d = moe->shape.inputs;

#pragma omp parallel for schedule(static, SL_BLOCK_ROWS) if (moe->batch > SL_BLOCK_ROWS)
  for (size_t e = 0; e < moe->batch; e++)
    {
      size_t  first = dispatch->first[e], real = dispatch->first[e + 1] - first;
      sl_real own
        = real < k && moe->shape.identity ? sl_vector_dot (d, moe->x + e * d, dy + e * d) : 0;

      for (size_t p = 0; p < k; p++)
        moe->dg[e * k + p] = p < real ? dispatch->slope[dispatch->slot[first + p]] : own;
    }
}

/* Of a target that no choice of k can reach the nearest that one can: the bias would move for ever, and as long back. */
static double
target_of (const SlMoe *moe, double target)
{
  double k = (double) moe->gates[0].k, least = k - (double) moe->shape.zero;

  return fmin (fmax (target, least), fmin (k, (double) moe->shape.experts));
}

void
sl_moe_follow_zero (SlMoe *moe, const SlMoeSetting *setting)
{
  double target = target_of (moe, setting->zero_target);
  double more = (double) moe->dispatch.total - target * (double) moe->batch;

  *moe->zero_bias += setting->zero_rate * ((more > 0.0) - (more < 0.0));
}
