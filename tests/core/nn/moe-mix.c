/* SPDX-License-Identifier: MIT
 *
 * A mixture to test with; see moe-mix.h.  */
#include <glib.h>

#include "core/nn/kernels/normal.h"
#include "tests/core/nn/moe-mix.h"

static void
cut (Mix *mix, const SlMoeShape *shape)
{
  size_t most = shape->most;

  sl_moe_carve (&mix->moe, shape, &mix->kept, &mix->scratch);
  mix->weights = sl_arena_reals (&mix->kept, mix->moe.n);
  mix->gradient = sl_arena_reals (&mix->scratch, mix->moe.n);
  mix->x = sl_arena_reals (&mix->scratch, most * shape->inputs);
  mix->dx = sl_arena_reals (&mix->scratch, most * shape->inputs);
  mix->y = sl_arena_reals (&mix->scratch, most * shape->outputs);
  mix->dy = sl_arena_reals (&mix->scratch, most * shape->outputs);
}

void
mix_init (Mix *mix, const SlMoeShape *shape, const SlMoeSetting *setting)
{
  size_t kept, scratch;

  *mix = (Mix) { .setting = *setting };
  cut (mix, shape);
  kept = mix->kept.used;
  scratch = mix->scratch.used;
  g_assert_cmpint (sl_arena_init (&mix->kept, kept).code, ==, SL_OK);
  g_assert_cmpint (sl_arena_init (&mix->scratch, scratch).code, ==, SL_OK);
  cut (mix, shape);
  sl_moe_bind (&mix->moe, mix->weights, mix->gradient);
}

void
mix_clear (Mix *mix)
{
  sl_arena_clear (&mix->kept);
  sl_arena_clear (&mix->scratch);
}

void
mix_randomise (Mix *mix, size_t batch, guint64 seed)
{
  const SlMoeShape *shape = &mix->moe.shape;
  SlRng             rng;

  mix->batch = batch;
  sl_rng_init (&rng, seed, "mix");
  sl_moe_init (&mix->moe, &rng);
  sl_normal_fill (&rng, mix->moe.n_gates, mix->weights);
  for (size_t i = 0; i < mix->moe.n_gates; i++)
    mix->weights[i] *= (sl_real) 0.5;
  if (shape->gate == SL_MOE_BALANCED)
    for (size_t i = 0; i < (shape->groups > 1 ? 1 + shape->groups : 1); i++)
      {
        SlStrict *gate = &mix->moe.strict[i];

        for (size_t j = 0; j < gate->experts; j++)
          gate->weights[gate->inputs * gate->experts + j]
            = (sl_real) (1.0 / (double) gate->experts);
      }
  sl_normal_fill (&rng, batch * shape->inputs, mix->x);
  sl_normal_fill (&rng, batch * shape->outputs, mix->dy);
  sl_moe_draw (&mix->moe, batch, &rng);
}

double
mix_objective (Mix *mix, bool frozen)
{
  const SlMoeBalance *balance = &mix->moe.balance;
  double              task = 0.0;

  sl_moe_forward (&mix->moe, &mix->setting, mix->batch, mix->x, true, frozen, mix->y);
  for (size_t i = 0; i < mix->batch * mix->moe.shape.outputs; i++)
    task += (double) mix->y[i] * (double) mix->dy[i];
  return task + balance->importance_loss + balance->load_loss + balance->threshold_loss
         + balance->choice_loss + balance->z_loss + balance->l1_loss + balance->entropy_loss;
}

void
mix_train (Mix *mix)
{
  mix_objective (mix, false);
  sl_moe_backward (&mix->moe, &mix->setting, mix->dy, mix->dx, NULL);
}
