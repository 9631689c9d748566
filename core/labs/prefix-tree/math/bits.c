/* SPDX-License-Identifier: MIT */
#include "core/labs/prefix-tree/math/bits.h"

#include <tgmath.h>

#include "core/nn/kernels/special.h"
#include "core/nn/kernels/vector.h"

/* Of tanh x, where the gain of an amplified level would become infinitely steep. */
static const sl_real least_factor = (sl_real) 0.01;

void
sl_tree_threshold (const SlTree *tree, size_t batch, const sl_real *x, const sl_real *tau,
                   sl_real *v, uint8_t *bit)
{
  size_t bits = tree->bits, p = tree->shape.inputs;

  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < bits; i++)
      {
        v[e * bits + i] = x[e * p + tree->source[i]] - tau[i];
        bit[e * bits + i] = v[e * bits + i] > 0;
      }
}

sl_real
sl_tree_median (size_t n, const sl_real *x, size_t stride, sl_real *work)
{
  sl_real upper, lower;

  for (size_t i = 0; i < n; i++)
    work[i] = x[i * stride];
  upper = sl_vector_select (n, work, n / 2);
  if (n % 2 == 1)
    return upper;
  lower = work[0];
  for (size_t i = 1; i < n / 2; i++)
    if (work[i] > lower)
      lower = work[i];
  return (lower + upper) / 2;
}

/* log f of one gating unit and bit, and unless NULL its slope. */
static sl_real
log_factor (SlModulate kind, bool bit, sl_real x, sl_real *slope)
{
  sl_real rectified = x > 0 ? x : 0, on = tanh (rectified), over = x < 0 ? 0 : 1;

  if (kind == SL_MODULATE_AMPLIFY && bit)
    {
      if (slope != NULL)
        *slope = on > least_factor ? (1 - on * on) / on : 0;
      return log (on > least_factor ? on : least_factor);
    }
  /* 1 - tanh x = 2 / (e^2x + 1), whose logarithm does not cancel. */
  if (slope != NULL)
    *slope = -over * (1 + on);
  return (sl_real) 0.693147180559945309417 - sl_softplus (2 * rectified);
}

/* Bit i, from 0, of a path to `leaf`. */
static bool
bit_of (const SlTree *tree, uint32_t leaf, unsigned i)
{
  return leaf >> (tree->shape.k - 1 - i) & 1;
}

void
sl_tree_gain (const SlTree *tree, SlModulate kind, bool root, const sl_real *x, sl_real *gain)
{
  unsigned k = tree->shape.k;

  for (size_t e = 0; e < tree->batch; e++)
    for (unsigned w = 0; w < tree->windows; w++)
      {
        uint32_t       leaf = tree->leaf[w * tree->shape.most + e];
        const sl_real *unit = x + e * tree->shape.inputs;
        sl_real       *g = gain + (e * tree->windows + w) * (k + 1), sum = 0;

        g[0] = root ? 1 : 0;
        for (unsigned i = 0; i < k; i++)
          {
            sum += log_factor (kind, bit_of (tree, leaf, i),
                               unit[sl_tree_gating_input (tree, w, i)], NULL);
            g[i + 1] = exp (sum / (sl_real) (i + 1));
          }
      }
}

void
sl_tree_gain_backward (const SlTree *tree, SlModulate kind, const sl_real *x, const sl_real *gain,
                       const sl_real *part, sl_real *dx)
{
  unsigned k = tree->shape.k;

  for (size_t e = 0; e < tree->batch; e++)
    for (unsigned w = 0; w < tree->windows; w++)
      {
        uint32_t       leaf = tree->leaf[w * tree->shape.most + e];
        size_t         at = (e * tree->windows + w) * (k + 1);
        const sl_real *unit = x + e * tree->shape.inputs;
        sl_real       *d = dx + e * tree->shape.inputs, later = 0, slope;

        /* log G_l = (1/l) Σ_{i <= l} log f_i, so bit i collects from all levels from its own on. */
        for (unsigned i = k; i-- > 0;)
          {
            size_t at_unit = sl_tree_gating_input (tree, w, i);

            later += part[at + i + 1] * gain[at + i + 1] / (sl_real) (i + 1);
            log_factor (kind, bit_of (tree, leaf, i), unit[at_unit], &slope);
            d[at_unit] += later * slope;
          }
      }
}
