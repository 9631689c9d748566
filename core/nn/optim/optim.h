/* SPDX-License-Identifier: MIT
 *
 * Optimisers over flat spans.  One fused pass each; parallel over fixed chunks, so the
 * result does not depend on the number of threads.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Every optimiser: its name here, its name in files, its title, and how many numbers it keeps of each weight (m, or
 * m and v).  A new one is a line here and its update in optim.c; labs offer it by this list.  */
/* clang-format off */
#define SL_OPTIMISERS(O)                                                                          \
  O (SL_SGD, "sgd", "Gradient descent", 0)                                                        \
  O (SL_MOMENTUM, "momentum", "Momentum 0.9", 1) /* m = beta1 m + g; w -= rate m */               \
  O (SL_ADAM, "adam", "Adam", 2) /* Kingma and Ba 2015, algorithm 1, with the bias correction folded into the rate */
/* clang-format on */

#define SL_OPTIMISER_NAME(name, id, title, moments) name,
#define SL_OPTIMISER_CHOICE(name, id, title, moments) { id, title },

#define SL_OPTIMISER_COUNT(name, id, title, moments) +1

typedef enum { SL_OPTIMISERS (SL_OPTIMISER_NAME) } SlOptimiser;

enum { SL_N_OPTIMISERS = SL_OPTIMISERS (SL_OPTIMISER_COUNT) };

/* How many numbers it keeps of each weight. */
unsigned sl_optim_moments (SlOptimiser kind);

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
