/* SPDX-License-Identifier: MIT */
#include "bench/mixture/layer.h"

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

static void
carve (SlBenchLayer *layer, const SlMoeShape *shape)
{
  size_t in = shape->most * shape->inputs, out = shape->most * shape->outputs;

  sl_moe_carve (&layer->moe, shape, &layer->kept, &layer->scratch);
  layer->weights = sl_arena_reals (&layer->kept, layer->moe.n);
  layer->gradient = sl_arena_reals (&layer->scratch, layer->moe.n);
  layer->x = sl_arena_reals (&layer->scratch, in);
  if (!shape->first_layer)
    layer->dx = sl_arena_reals (&layer->scratch, in);
  layer->y = sl_arena_reals (&layer->scratch, out);
  layer->dy = sl_arena_reals (&layer->scratch, out);
}

void
sl_bench_layer_clear (SlBenchLayer *layer)
{
  sl_arena_clear (&layer->kept);
  sl_arena_clear (&layer->scratch);
}

bool
sl_bench_layer_init (SlBenchLayer *layer, const SlMoeShape *shape, const SlMoeSetting *setting)
{
  size_t   kept, scratch;
  SlStatus status;

  *layer = (SlBenchLayer) { .setting = *setting };
  carve (layer, shape);
  kept = layer->kept.used;
  scratch = layer->scratch.used;
  status = sl_arena_init (&layer->kept, kept);
  if (sl_ok (&status))
    status = sl_arena_init (&layer->scratch, scratch);
  if (!sl_ok (&status))
    {
      sl_bench_layer_clear (layer);
      sl_cli_fail (&status);
      return false;
    }
  carve (layer, shape);
  sl_moe_bind (&layer->moe, layer->weights, layer->gradient);
  sl_rng_init (&layer->rng, 1, "bench");
  sl_moe_init (&layer->moe, &layer->rng);
  for (size_t i = 0; i < shape->most * shape->inputs; i++)
    layer->x[i] = (sl_real) sl_rng_normal (&layer->rng);
  for (size_t i = 0; i < shape->most * shape->outputs; i++)
    layer->dy[i] = (sl_real) sl_rng_normal (&layer->rng) / (sl_real) shape->most;
  return true;
}

void
sl_bench_layer_step (SlBenchLayer *layer, size_t batch, const SlOptimSetting *optim)
{
  sl_moe_draw (&layer->moe, batch, &layer->rng);
  sl_moe_forward (&layer->moe, &layer->setting, batch, layer->x, true, false, layer->y);
  sl_moe_backward (&layer->moe, &layer->setting, layer->dy, layer->dx, optim);
}

double
sl_bench_layer_seconds (SlBenchLayer *layer, size_t batch, const SlOptimSetting *optim)
{
  double (*clock) (void) = sl_blas_threads () > 1 ? sl_clock_wall : sl_clock_thread;
  double begin = clock ();

  sl_bench_layer_step (layer, batch, optim);
  return clock () - begin;
}
