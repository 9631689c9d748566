/* SPDX-License-Identifier: MIT
 *
 * A mixture of experts with memory, inputs and slopes of its own, to time whole steps of it.  */
#pragma once

#include <stdbool.h>

#include "core/nn/moe/moe.h"

typedef struct
{
  SlArena      kept, scratch;
  SlMoe        moe;
  SlMoeSetting setting;
  SlRng        rng;
  sl_real     *weights, *gradient, *x, *y, *dx, *dy; /* dx NULL for a first layer */
} SlBenchLayer;

/* With room for shape->most examples, all of them drawn.  False after a complaint. */
bool sl_bench_layer_init (SlBenchLayer *layer, const SlMoeShape *shape,
                          const SlMoeSetting *setting);
void sl_bench_layer_clear (SlBenchLayer *layer);

/* One step; `optim` NULL is without an update. */
void sl_bench_layer_step (SlBenchLayer *layer, size_t batch, const SlOptimSetting *optim);

/* How long one takes.  On one thread only what it computes is counted, so that others on the machine do not
 * matter.  */
double sl_bench_layer_seconds (SlBenchLayer *layer, size_t batch, const SlOptimSetting *optim);
