/* SPDX-License-Identifier: MIT
 *
 * Optimisers; see optim.h.  */
#include "core/nn/optim.h"

#include <math.h>

#include "core/nn/clones.h"

SlOptimSetting
sl_optim_default (void)
{
  return (SlOptimSetting) {
    .kind = SL_ADAM,
    .rate = (sl_real) 1e-3,
    .beta1 = (sl_real) 0.9,
    .beta2 = (sl_real) 0.999,
    .epsilon = (sl_real) 1e-8,
  };
}

SL_CLONES static void
sgd (size_t n, sl_real rate, sl_real shrink, const sl_real *restrict g, sl_real *restrict w)
{
  for (size_t i = 0; i < n; i++)
    w[i] = w[i] * shrink - rate * g[i];
}

SL_CLONES static void
momentum (size_t n, sl_real rate, sl_real shrink, const sl_real *restrict g, sl_real *restrict w,
          sl_real *restrict m)
{
  for (size_t i = 0; i < n; i++)
    {
      m[i] = (sl_real) 0.9 * m[i] + g[i];
      w[i] = w[i] * shrink - rate * m[i];
    }
}

SL_CLONES static void
adam (size_t n, sl_real rate, sl_real shrink, sl_real beta1, sl_real beta2, sl_real epsilon,
      const sl_real *restrict g, sl_real *restrict w, sl_real *restrict m, sl_real *restrict v)
{
  for (size_t i = 0; i < n; i++)
    {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
#ifdef SL_DOUBLE
      w[i] = w[i] * shrink - rate * m[i] / (sqrt (v[i]) + epsilon);
#else
      w[i] = w[i] * shrink - rate * m[i] / (sqrtf (v[i]) + epsilon);
#endif
    }
}

void
sl_optim_step (const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g, sl_real *w,
               sl_real *m, sl_real *v)
{
  sl_real shrink = 1 - setting->rate * setting->decay;

  switch (setting->kind)
    {
    case SL_SGD:
      sgd (n, setting->rate, shrink, g, w);
      break;
    case SL_MOMENTUM:
      momentum (n, setting->rate, shrink, g, w, m);
      break;
    case SL_ADAM:
      {
        double root = sqrt (1.0 - pow ((double) setting->beta2, (double) t));
        double rate = (double) setting->rate * root / (1.0 - pow ((double) setting->beta1, (double) t));

        /* The bias correction of v inside the root, so that epsilon means what it means
         * in algorithm 1.  */
        adam (n, (sl_real) rate, shrink, setting->beta1, setting->beta2,
              (sl_real) ((double) setting->epsilon * root), g, w, m, v);
        break;
      }
    }
}
