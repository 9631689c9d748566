/* SPDX-License-Identifier: MIT */
#include "core/labs/prefix-tree/math/gating.h"

#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/init.h"
#include "core/nn/kernels/mat.h"

/* Units that U reads, and where it begins. */
static size_t
width (const SlGating *g)
{
  return g->hidden > 0 ? g->hidden : g->inputs;
}

static size_t
at_u (const SlGating *g)
{
  return g->hidden * (g->inputs + 1);
}

size_t
sl_gating_numbers (const SlGating *gating)
{
  return at_u (gating) + width (gating) * gating->bits;
}

double
sl_gating_macs (const SlGating *gating)
{
  return (double) (gating->hidden * gating->inputs + width (gating) * gating->bits);
}

void
sl_gating_init (const SlGating *gating, SlRng *rng, sl_real *w)
{
  size_t p = gating->inputs, hidden = gating->hidden, n = width (gating), bits = gating->bits;

  sl_init_glorot (rng, p, hidden, p * hidden, w);
  memset (w + p * hidden, 0, hidden * sizeof *w);
  sl_init_glorot (rng, n, bits, n * bits, w + at_u (gating));
}

void
sl_gating_forward (const SlGating *gating, size_t batch, const sl_real *x, const sl_real *w,
                   sl_real *deep, sl_real *v)
{
  size_t p = gating->inputs, hidden = gating->hidden, n = width (gating), bits = gating->bits;

  if (hidden > 0)
    {
      sl_dense_forward (batch, p, hidden, x, w, w + p * hidden, deep);
      sl_relu_forward (batch * hidden, deep, deep);
      x = deep;
    }
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, bits, n, 1, x, n, w + at_u (gating), bits, 0, v, bits);
}

/* Adds dv U' to `to` (B, n). */
static void
add_slope (const SlGating *g, size_t batch, const sl_real *w, const sl_real *dv, sl_real keep,
           sl_real *to)
{
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, width (g), g->bits, 1, dv, g->bits, w + at_u (g),
              g->bits, keep, to, width (g));
}

void
sl_gating_backward (const SlGating *gating, size_t batch, const sl_real *x, const sl_real *w,
                    const sl_real *deep, const sl_real *dv, sl_real *ddeep, sl_real *dw,
                    sl_real *dx)
{
  size_t         p = gating->inputs, hidden = gating->hidden, n = width (gating);
  const sl_real *read = hidden > 0 ? deep : x;

  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, n, gating->bits, batch, 1, read, n, dv, gating->bits, 0,
              dw + at_u (gating), gating->bits);
  if (hidden == 0)
    {
      if (dx != NULL)
        add_slope (gating, batch, w, dv, 1, dx);
      return;
    }
  add_slope (gating, batch, w, dv, 0, ddeep);
  sl_relu_backward (batch * hidden, deep, ddeep, ddeep);
  sl_dense_backward (batch, p, hidden, x, w, ddeep, dw, dw + p * hidden, NULL);
  if (dx != NULL)
    sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, p, hidden, 1, ddeep, hidden, w, p, 1, dx, p);
}
