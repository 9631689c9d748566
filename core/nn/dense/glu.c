/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/glu.h"

#include <tgmath.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"
#include "core/nn/kernels/vector.h"

SL_CLONES void
sl_glu_forward (size_t n, const sl_real *g, const sl_real *u, const sl_real *est, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = g[i] * sl_sigmoid (g[i]) * u[i];
  for (size_t i = 0; est != NULL && i < n; i++)
    y[i] = est[i] > 0 ? y[i] : 0;
}

SL_CLONES void
sl_glu_backward (size_t n, const sl_real *g, const sl_real *est, sl_real *u, sl_real *dy)
{
  for (size_t i = 0; est != NULL && i < n; i++)
    dy[i] = est[i] > 0 ? dy[i] : 0;
  for (size_t i = 0; i < n; i++)
    {
      sl_real s = sl_sigmoid (g[i]), du = dy[i] * g[i] * s;

      dy[i] *= u[i] * s * (1 + g[i] * (1 - s));
      u[i] = du;
    }
}

SL_CLONES void
sl_glu_magnitude (size_t n, const sl_real *g, sl_real *q)
{
  for (size_t i = 0; i < n; i++)
    q[i] = fabs (g[i] * sl_sigmoid (g[i]));
}

SL_CLONES void
sl_glu_keep (size_t n, const sl_real *g, sl_real least, sl_real *kept)
{
  for (size_t i = 0; i < n; i++)
    {
      sl_real silu = g[i] * sl_sigmoid (g[i]);

      kept[i] = fabs (silu) >= least ? silu : 0;
    }
}

double
sl_glu_threshold (double share, size_t n, sl_real *q)
{
  double  at = share * (double) (n - 1), below = floor (at);
  size_t  rank = (size_t) below;
  sl_real low, high;

  if (!(share > 0))
    return 0.0;
  low = high = sl_vector_select (n, q, rank);
  if (rank + 1 < n)
    {
      high = q[rank + 1];
      for (size_t i = rank + 2; i < n; i++)
        high = q[i] < high ? q[i] : high;
    }
  return (double) low + (at - below) * ((double) high - (double) low);
}
