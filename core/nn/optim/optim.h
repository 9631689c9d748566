/* SPDX-License-Identifier: MIT
 *
 * Optimisers over flat spans.  One fused pass each; parallel over fixed chunks, so the
 * result does not depend on the number of threads.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

typedef enum {
  SL_SGD,
  SL_MOMENTUM, /* m = beta1 m + g; w -= rate m */
  SL_ADAM,     /* Kingma and Ba 2015, algorithm 1, with the bias correction folded into the rate */
} SlOptimiser;

typedef struct
{
  SlOptimiser kind;
  sl_real     rate, beta1, beta2, epsilon;
  sl_real     decay; /* decoupled weight decay per unit of rate; 0 is off */
} SlOptimSetting;

/* The usual numbers: Adam, 1e-3, 0.9, 0.999, 1e-8, no decay. */
SlOptimSetting sl_optim_default (void);

/* One update of w (n) from g (n).  m and v (n) are the moments, cleared before the
 * first update; SGD touches neither, momentum only m.  `t` is the number of this update,
 * from 1.  */
void sl_optim_step (const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g,
                    sl_real *w, sl_real *m, sl_real *v);

/* The same of weights that several threads have read, as all have those of a layer whose inputs have a gradient: they
 * are written around the caches (core/nn/kernels/around.h).  */
void sl_optim_step_common (const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g,
                           sl_real *w, sl_real *m, sl_real *v);

/* The same in two halves, for weights that are updated piece by piece: what one update has in
 * common for all weights, and the update of n of them on the calling thread.  */
typedef struct
{
  SlOptimiser kind;
  sl_real     rate, shrink, beta1, beta2, epsilon;
} SlOptimUpdate;

SlOptimUpdate sl_optim_prepare (const SlOptimSetting *setting, uint64_t t);
void          sl_optim_apply (const SlOptimUpdate *update, size_t n, const sl_real *g, sl_real *w,
                              sl_real *m, sl_real *v);
