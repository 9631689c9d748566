/* SPDX-License-Identifier: MIT */
#include "core/nn/optim/optim.h"

#include <string.h>
#include <tgmath.h>

#include "core/nn/kernels/around.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/threads.h"

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

/* Numbers of one piece of work and of a part of it, and how many from which more threads pay. */
enum {
  CHUNK = 16384,
  PIECE = 4096,
  SHARED = 6 * CHUNK,
};

SL_CLONES static void
sgd_step (const SlOptimUpdate *update, size_t n, const sl_real *restrict g, sl_real *restrict w,
          sl_real *restrict m, sl_real *restrict v)
{
  sl_real rate = update->rate, shrink = update->shrink;

  for (size_t i = 0; i < n; i++)
    w[i] = w[i] * shrink - rate * g[i];
}

SL_CLONES static void
momentum_step (const SlOptimUpdate *update, size_t n, const sl_real *restrict g,
               sl_real *restrict w, sl_real *restrict m, sl_real *restrict v)
{
  sl_real rate = update->rate, shrink = update->shrink, beta = update->beta1;

  for (size_t i = 0; i < n; i++)
    {
      m[i] = beta * m[i] + g[i];
      w[i] = w[i] * shrink - rate * m[i];
    }
}

SL_CLONES static void
adam_step (const SlOptimUpdate *update, size_t n, const sl_real *restrict g, sl_real *restrict w,
           sl_real *restrict m, sl_real *restrict v)
{
  sl_real rate = update->rate, shrink = update->shrink, epsilon = update->epsilon;
  sl_real beta1 = update->beta1, beta2 = update->beta2;

  for (size_t i = 0; i < n; i++)
    {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
      w[i] = w[i] * shrink - rate * m[i] / (sqrt (v[i]) + epsilon);
    }
}

/* Both corrections go into the rate; the second one divides the root of v, so epsilon has to shrink with it to mean
 * what it means in algorithm 1.  */
static void
adam_prepare (const SlOptimSetting *setting, uint64_t t, SlOptimUpdate *update)
{
  double first = 1.0 - pow ((double) setting->beta1, (double) t);
  double root = sqrt (1.0 - pow ((double) setting->beta2, (double) t));

  update->rate = (sl_real) ((double) setting->rate * root / first);
  update->epsilon = (sl_real) ((double) setting->epsilon * root);
}

/* Of each optimiser what it changes in the numbers of an update, or NULL, and the update. */
static const struct
{
  void (*prepare) (const SlOptimSetting *setting, uint64_t t, SlOptimUpdate *update);
  void (*step) (const SlOptimUpdate *update, size_t n, const sl_real *restrict g,
                sl_real *restrict w, sl_real *restrict m, sl_real *restrict v);
} rules[SL_N_OPTIMISERS] = {
  [SL_SGD] = { NULL, sgd_step },
  [SL_MOMENTUM] = { NULL, momentum_step },
  [SL_ADAM] = { adam_prepare, adam_step },
};

unsigned
sl_optim_moments (SlOptimiser kind)
{
#define MOMENTS(name, id, title, moments) [name] = moments,
  static const unsigned of[SL_N_OPTIMISERS] = { SL_OPTIMISERS (MOMENTS) };

  return of[kind];
}

SlOptimUpdate
sl_optim_prepare (const SlOptimSetting *setting, uint64_t t)
{
  SlOptimUpdate update = {
    .kind = setting->kind,
    .rate = setting->rate,
    .shrink = 1 - setting->rate * setting->decay,
    .beta1 = setting->beta1,
    .beta2 = setting->beta2,
  };

  if (rules[setting->kind].prepare != NULL)
    rules[setting->kind].prepare (setting, t, &update);
  return update;
}

void
sl_optim_apply (const SlOptimUpdate *update, size_t n, const sl_real *g, sl_real *w, sl_real *m,
                sl_real *v)
{
  rules[update->kind].step (update, n, g, w, m, v);
}

/* Moments from number i on, of an optimiser that has some. */
static sl_real *
from (sl_real *moments, size_t i)
{
  return moments != NULL ? moments + i : NULL;
}

/* A chunk's weights are updated in a copy of PIECE numbers and put back around the caches. */
static void
apply_around (const SlOptimUpdate *update, size_t n, const sl_real *g, sl_real *w, sl_real *m,
              sl_real *v)
{
  sl_real piece[PIECE];

  for (size_t i = 0; i < n; i += PIECE)
    {
      size_t here = n - i < PIECE ? n - i : PIECE;

      memcpy (piece, w + i, here * sizeof *w);
      sl_optim_apply (update, here, g + i, piece, from (m, i), from (v, i));
      sl_copy_around (w + i, piece, here);
    }
}

/* Updates all numbers, chunk by chunk, with `apply`. */
static void
step_with (void (*apply) (const SlOptimUpdate *, size_t, const sl_real *, sl_real *, sl_real *,
                          sl_real *),
           const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g, sl_real *w,
           sl_real *m, sl_real *v)
{
  SlOptimUpdate update = sl_optim_prepare (setting, t);

  if (n < SHARED || omp_get_max_threads () == 1)
    {
      sl_optim_apply (&update, n, g, w, m, v);
      return;
    }
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; i += CHUNK)
    apply (&update, n - i < CHUNK ? n - i : CHUNK, g + i, w + i, from (m, i), from (v, i));
}

void
sl_optim_step (const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g, sl_real *w,
               sl_real *m, sl_real *v)
{
  step_with (sl_optim_apply, setting, t, n, g, w, m, v);
}

void
sl_optim_step_common (const SlOptimSetting *setting, uint64_t t, size_t n, const sl_real *g,
                      sl_real *w, sl_real *m, sl_real *v)
{
  step_with (apply_around, setting, t, n, g, w, m, v);
}
