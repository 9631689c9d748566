/* SPDX-License-Identifier: MIT
 *
 * Activations; see act.h.  */
#include "core/nn/act.h"

#include <tgmath.h>

#include "core/nn/clones.h"

SL_CLONES void
sl_relu_forward (size_t n, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}

SL_CLONES void
sl_relu_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] = y[i] > 0 ? dy[i] : 0;
}

void
sl_tanh_forward (size_t n, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = tanh (x[i]);
}

SL_CLONES void
sl_tanh_backward (size_t n, const sl_real *y, const sl_real *dy, sl_real *dx)
{
  for (size_t i = 0; i < n; i++)
    dx[i] = dy[i] * (1 - y[i] * y[i]);
}

SL_CLONES void
sl_gated_relu (size_t n, const sl_real *pre, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = (est[i] > 0) & (pre[i] > 0) ? pre[i] : 0;
}
