/* SPDX-License-Identifier: MIT */
#include "core/run/cost/call.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/kernels/row-gemm.h"
#include "core/nn/kernels/small-gemm.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/optim/optim.h"

enum {
  BUFFERS = 4,
  LINE = 1024 /* numbers that are read together */,
  ROUNDS = 3,
  CALLS_MOST = 1 << 16
};

/* Of a round, at least: the clock's grain does not show. */
static const double round_seconds = 40e-6;

void
sl_cost_buffers_init (SlCostBuffers *buffers)
{
  sl_real **reals[BUFFERS] = { &buffers->a, &buffers->b, &buffers->c, &buffers->d };
  sl_real  *all = g_aligned_alloc ((size_t) BUFFERS * SL_COST_NUMBERS, sizeof *all, 64);

  sl_rng_init (&buffers->rng, 1, "cost");
  sl_normal_fill (&buffers->rng, (size_t) BUFFERS * SL_COST_NUMBERS, all);
  for (size_t i = 0; i < BUFFERS; i++)
    *reals[i] = all + i * SL_COST_NUMBERS;
  buffers->mask = g_malloc0 (SL_COST_NUMBERS);
}

void
sl_cost_buffers_clear (SlCostBuffers *buffers)
{
  g_aligned_free (buffers->a);
  g_free (buffers->mask);
}

static bool
fits (const SlCostCall *call)
{
  size_t most = SL_COST_NUMBERS - 2048; /* behind the factors there may be a bias */

  if (call->kind == SL_COST_READ)
    return call->m * call->n <= (size_t) BUFFERS * SL_COST_NUMBERS;
  if (sl_cost_is_flat (call->kind))
    return call->m * call->n <= SL_COST_NUMBERS;
  if (call->kind == SL_COST_VECTOR)
    return call->m * call->n <= most;
  return call->m * call->n <= most && call->m * call->k <= most && call->n * call->k <= most;
}

/* Gates, or a mask, with about this share of units on. */
static void
draw_gates (SlCostBuffers *b, const SlCostCall *call)
{
  for (size_t i = 0; i < call->m * call->n; i++)
    {
      b->mask[i] = sl_rng_uniform (&b->rng) < call->share;
      b->d[i] = b->mask[i];
    }
}

static void
optimise (SlCostBuffers *b, SlOptimiser kind, size_t n)
{
  SlOptimSetting setting = sl_optim_default ();

  setting.kind = kind;
  setting.rate = (sl_real) 1e-9;
  sl_optim_step (&setting, 1, n, b->a, b->b, b->c, b->d);
}

/* Products of an expert, as core/nn/moe chooses between two ways of making them. */
static void
run_few (SlCostBuffers *b, const SlCostCall *call)
{
  size_t m = call->m, n = call->n, k = call->k;
  bool   thin = (call->kind == SL_COST_FEW_OUTER ? k : m) <= sl_small_gemm_limit ();

  switch (call->kind)
    {
    case SL_COST_FEW:
      if (thin)
        sl_small_gemm_forward (m, k, n, b->a, b->b, b->b, b->c);
      else
        sl_mat_mul (SL_PLAIN, SL_PLAIN, m, n, k, 1, b->a, k, b->b, n, 0, b->c, n);
      break;
    case SL_COST_FEW_BACK:
      if (thin)
        sl_small_gemm_back (m, n, k, b->a, b->b, b->c, n);
      else
        sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, m, n, k, 1, b->a, k, b->b, k, 0, b->c, n);
      break;
    default:
      if (thin)
        sl_small_gemm_outer (k, m, n, b->a, m, b->b, b->c);
      else
        sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, m, n, k, 1, b->a, m, b->b, n, 0, b->c, n);
      break;
    }
}

/* Products of rows with strips, as core/nn/gru makes them. */
static void
run_rows (SlCostBuffers *b, const SlCostCall *call)
{
  size_t          m = call->m, n = call->n, k = call->k;
  const uint32_t *of = (const uint32_t *) (const void *) b->mask;

  if (call->kind == SL_COST_STRIPS)
    sl_row_gemm_rows (m, NULL, NULL, n, k, b->a, k, b->b, k * SL_STRIP, false, b->c, n);
  else
    for (size_t j = 0; j < n; j += SL_STRIP)
      sl_row_gemm_outer (k, of, m, MIN (n - j, SL_STRIP), b->a, b->b + j * k, b->c + j, n);
}

/* A number after the other: each waits for the one before, so that it takes as long in every cache. */
static void
run_loop (SlCostBuffers *b, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) b->a[i] * (double) b->c[i];
  *b->d = (sl_real) sum;
}

static void
run (SlCostBuffers *b, const SlCostCall *call)
{
  size_t m = call->m, n = call->n, k = call->k, errors;

  switch (call->kind)
    {
    case SL_COST_FORWARD: sl_dense_forward (m, k, n, b->a, b->b, b->b + n * k, b->c); break;
    case SL_COST_DOWN:
      sl_mat_mul (SL_PLAIN, SL_PLAIN, m, n, k, 1, b->a, k, b->b, n, 0, b->c, n);
      break;
    case SL_COST_WEIGHTS:
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, m, n, k, 1, b->a, m, b->b, n, 0, b->c, n);
      break;
    case SL_COST_VECTOR: sl_mat_vec (m, n, b->a, n, b->b, b->c); break;
    case SL_COST_GATED:
      memset (b->c, 0, m * SL_COST_CLASSES * sizeof *b->c);
      sl_gather_gated (m, k, n, SL_COST_CLASSES, b->b, b->b, b->a, b->d, b->a, b->a, b->c);
      break;
    case SL_COST_PICKED: sl_gather_masked (m, k, n, b->b, b->b, b->a, b->mask, b->c); break;
    case SL_COST_FEW:
    case SL_COST_FEW_BACK:
    case SL_COST_FEW_OUTER: run_few (b, call); break;
    case SL_COST_STRIPS:
    case SL_COST_STRIPS_OUTER: run_rows (b, call); break;
    case SL_COST_READ:
      sl_mat_vec (m * n / LINE, LINE, b->a, LINE, b->b, (sl_real *) (void *) b->mask);
      break;
    case SL_COST_LOOP: run_loop (b, m * n); break;
    case SL_COST_DOT: *b->d = sl_vector_dot (m * n, b->a, b->b); break;
    case SL_COST_COPY: memcpy (b->c, b->a, m * n * sizeof *b->c); break;
    case SL_COST_RELU: sl_relu_forward (m * n, b->a, b->c); break;
    case SL_COST_TANH: sl_tanh_forward (m * n, b->a, b->c); break;
    case SL_COST_SIGMOID: sl_sigmoid_forward (m * n, b->a, b->c); break;
    case SL_COST_DRAW: sl_dropout_draw (&b->rng, 0.5, m * n, b->mask); break;
    case SL_COST_NORMAL: sl_normal_fill (&b->rng, m * n, b->c); break;
    case SL_COST_SOFTMAX:
      memset (b->mask, 0, m * n / SL_COST_CLASSES + 1);
      sl_softmax_loss (m * n / SL_COST_CLASSES + 1, SL_COST_CLASSES, b->a, b->mask, b->c, &errors);
      break;
    case SL_COST_DESCENT: optimise (b, SL_SGD, m * n); break;
    case SL_COST_MOMENTUM: optimise (b, SL_MOMENTUM, m * n); break;
    case SL_COST_ADAM: optimise (b, SL_ADAM, m * n); break;
    case SL_N_COST_KINDS: break;
    }
}

double
sl_cost_time_call (SlCostBuffers *buffers, const SlCostCall *call)
{
  double   seconds[ROUNDS], once;
  unsigned calls = 1;

  if (!fits (call))
    return NAN;
  if (call->kind == SL_COST_GATED || call->kind == SL_COST_PICKED)
    draw_gates (buffers, call);
  if (call->kind == SL_COST_STRIPS_OUTER)
    for (uint32_t i = 0; i < call->k; i++)
      memcpy (buffers->mask + i * sizeof i, &i, sizeof i);
  /* What an optimiser leaves in the moments may be anything but numbers that are computed slowly. */
  if (call->kind == SL_COST_ADAM)
    for (size_t i = 0; i < call->m * call->n; i++)
      buffers->d[i] = 1;
  run (buffers, call);
  for (;;)
    {
      double begin = sl_clock_thread ();

      for (unsigned i = 0; i < calls; i++)
        run (buffers, call);
      once = sl_clock_thread () - begin;
      if (once >= round_seconds || calls >= CALLS_MOST)
        break;
      calls *= once < round_seconds / 8 ? 8 : 2;
    }
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_thread ();

      for (unsigned i = 0; i < calls; i++)
        run (buffers, call);
      seconds[round] = (sl_clock_thread () - begin) / calls;
    }
  sl_median (seconds, ROUNDS);
  return seconds[1];
}
