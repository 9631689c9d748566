/* SPDX-License-Identifier: MIT
 *
 * The backward pass of the experts; see experts.h.
 *
 * Most experts are done whole by one thread, which takes a few rows of a matrix W at a time: what
 * they send back, then their gradient, then their update.  So W and its moments come from memory
 * once.  An expert that has a large share of all examples is shared by all threads instead.  */
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/small-gemm.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/moe/experts-turn.h"
#include "core/nn/optim/factored.h"

enum {
  STRIP = 8,   /* rows of a matrix at a time; with their gradient they fit into the first cache */
  SHARE = 16,  /* an expert is crowded with more than one in so many of the assignments, */
  CROWD = 256, /* and at least so many */
};

/* From how many bytes of gradient on it is written past the caches: it would push out what is
 * needed sooner, and reading the lines first would cost as much again.  */
static const size_t streamed = 16u << 20;

/* One backward pass. */
typedef struct
{
  SlExperts            *experts;
  const SlDispatch     *dispatch; /* but for its slopes */
  const sl_real        *x, *dy;
  bool                  recompute, inputs_too, stream;
  const SlOptimSetting *optim; /* NULL: the gradient is written out */
} Pass;

/* A matrix (or, of one row, a bias) of the expert in turn, and how it is updated. */
typedef struct
{
  size_t        rows, columns, at; /* where in the expert's numbers */
  size_t        second;            /* where in its factored moments */
  SlOptimUpdate update;
} Block;

enum { A, A_BIAS, C, C_BIAS, BLOCKS };

static void
find_blocks (const Pass *pass, const SlExpertBatch *t, Block block[BLOCKS])
{
  const SlExperts *e = pass->experts;
  size_t           at = 0, second = 0;
  SlOptimUpdate    update = { 0 };

  if (pass->optim != NULL && !e->factored)
    update = sl_optim_prepare (pass->optim, e->updates[t->index]);
  block[A] = (Block) { .rows = e->inputs, .columns = e->hidden };
  block[A_BIAS] = (Block) { .rows = 1, .columns = e->hidden };
  block[C] = (Block) { .rows = e->hidden, .columns = e->outputs };
  block[C_BIAS] = (Block) { .rows = 1, .columns = e->outputs };
  for (int b = 0; b < BLOCKS; b++)
    {
      block[b].at = at;
      block[b].second = second;
      block[b].update = update;
      at += block[b].rows * block[b].columns;
      second += block[b].rows + block[b].columns;
    }
}

/* Where the gradient of `n` numbers from `at` on is to be worked out.  Only factored moments need
 * all of a matrix at once.  */
static sl_real *
gradient_at (const Pass *pass, const SlExpertBatch *t, size_t at, bool passing)
{
  if (pass->optim == NULL && !(pass->stream && passing))
    return pass->experts->gradient + t->index * pass->experts->each + at;
  return pass->experts->factored && pass->optim != NULL ? t->gradient + at : t->gradient;
}

/* The gradient of `rows` of a block from row `from` on is at `g`: brings it where it belongs. */
static void
finish_rows (const Pass *pass, const SlExpertBatch *t, const Block *block, size_t from, size_t rows,
             const sl_real *g)
{
  const SlExperts *e = pass->experts;
  size_t           at = block->at + from * block->columns, n = rows * block->columns;

  if (pass->optim == NULL)
    {
      sl_real *to = e->gradient + t->index * e->each + at;

      if (to != g)
        sl_small_gemm_stream (n, g, to);
    }
  else if (!e->factored)
    sl_optim_apply (&block->update, n, g, t->a + at, e->m + t->index * e->each + at,
                    e->v + t->index * e->each + at);
}

/* Called when all rows of a block have been added to their gradient. */
static void
finish_block (const Pass *pass, const SlExpertBatch *t, const Block *block)
{
  const SlExperts *e = pass->experts;

  if (pass->optim != NULL && e->factored)
    {
      sl_real *r = e->v + t->index * e->second + block->second;

      sl_factored_step (pass->optim, e->updates[t->index], block->rows, block->columns,
                        t->gradient + block->at, t->a + block->at, r, r + block->rows, t->roots);
    }
}

/* For W (R, K), one of the two matrices: back (m, R) = t W' unless NULL, then with the gradient
 * u (m, R)' v (m, K) its update.  */
static void
matrix_back (const Pass *pass, const SlExpertBatch *batch, const Block *block, const sl_real *t,
             const sl_real *u, const sl_real *v, sl_real *back)
{
  bool   thin = batch->m <= sl_small_gemm_limit ();
  size_t m = batch->m, all = block->rows, columns = block->columns, step = thin ? STRIP : all;

  for (size_t i = 0; i < all; i += step)
    {
      size_t   rows = sl_least (all - i, step);
      sl_real *w = batch->a + block->at + i * columns;
      sl_real *g = gradient_at (pass, batch, block->at + i * columns, thin);

      if (thin)
        {
          if (back != NULL)
            sl_small_gemm_back (m, rows, columns, t, w, back + i, all);
          sl_small_gemm_outer (m, rows, columns, u + i, all, v, g);
        }
      else
        {
          if (back != NULL)
            sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, m, rows, columns, 1, t, columns, w, columns, 0,
                        back, all);
          sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, rows, columns, m, 1, u, all, v, columns, 0, g,
                      columns);
        }
      finish_rows (pass, batch, block, i, rows, g);
    }
  finish_block (pass, batch, block);
}

/* The same for a bias, whose gradient is the sum of the rows of v (m, K). */
static void
bias_back (const Pass *pass, const SlExpertBatch *batch, const Block *block, const sl_real *v)
{
  sl_real *g = gradient_at (pass, batch, block->at, false);

  sl_dense_bias_backward (batch->m, block->columns, v, g);
  finish_rows (pass, batch, block, 0, 1, g);
  finish_block (pass, batch, block);
}

/* The activations of the examples in turn, where they are. */
static sl_real *
batch_activations (const Pass *pass, const SlExpertBatch *t)
{
  return pass->recompute ? t->h : pass->experts->h + t->first * pass->experts->hidden;
}

/* Collects what the backward pass of the examples in turn begins with, and begins their slopes
 * with dy·c.  */
static void
begin_rows (const Pass *pass, const SlExpertBatch *t)
{
  size_t o = pass->experts->outputs;

  sl_expert_batch_gather (t, pass->experts->inputs, pass->x, t->x);
  sl_expert_batch_gather (t, o, pass->dy, t->dy);
  if (pass->recompute)
    sl_expert_batch_activate (pass->experts, t, t->h);
  for (size_t r = 0; r < t->m; r++)
    {
      sl_vector_scale (o, pass->dispatch->weight[t->first + r], t->dy + r * o, t->weighted + r * o);
      pass->dispatch->slope[t->first + r] = sl_vector_dot (o, t->dy + r * o, t->c_bias);
    }
}

/* One example through gate value and rectifier: dh is dy C' before and dloss/d(xA + a) after.
 * Returns dy C'·h.  The sum runs in separate lanes, so that it vectorises in this order.  */
SL_CLONES static sl_real
through_gate (size_t units, sl_real weight, const sl_real *restrict h, sl_real *restrict dh)
{
  enum { LANES = 64 / sizeof (sl_real) };
  sl_real lane[LANES] = { 0 }, sum = 0;
  size_t  j = 0;

  for (; j + LANES <= units; j += LANES)
    for (size_t k = 0; k < LANES; k++)
      {
        lane[k] += dh[j + k] * h[j + k];
        dh[j + k] = h[j + k] > 0 ? weight * dh[j + k] : 0;
      }
  for (; j < units; j++)
    {
      sum += dh[j] * h[j];
      dh[j] = h[j] > 0 ? weight * dh[j] : 0;
    }
  for (size_t k = 0; k < LANES; k++)
    sum += lane[k];
  return sum;
}

static void
through_gates (const Pass *pass, const SlExpertBatch *t)
{
  size_t   units = pass->experts->hidden;
  sl_real *h = batch_activations (pass, t);

  for (size_t r = 0; r < t->m; r++)
    pass->dispatch->slope[t->first + r] += through_gate (
      units, pass->dispatch->weight[t->first + r], h + r * units, t->dh + r * units);
}

/* Where the slopes of the inputs of the examples in turn go; NULL when they are not needed. */
static sl_real *
inputs_of (const Pass *pass, const SlExpertBatch *t)
{
  return pass->inputs_too ? pass->experts->part + t->first * pass->experts->inputs : NULL;
}

/* An expert on one thread. */
static void
backward_whole (const Pass *pass, const SlExpertBatch *t)
{
  Block block[BLOCKS];

  if (pass->optim != NULL)
    pass->experts->updates[t->index]++;
  find_blocks (pass, t, block);
  begin_rows (pass, t);
  matrix_back (pass, t, &block[C], t->dy, batch_activations (pass, t), t->weighted, t->dh);
  bias_back (pass, t, &block[C_BIAS], t->weighted);
  through_gates (pass, t);
  matrix_back (pass, t, &block[A], t->dh, t->x, t->dh, inputs_of (pass, t));
  bias_back (pass, t, &block[A_BIAS], t->dh);
}

/* The rows of a shared expert that one thread has: all but its gradient. */
static void
backward_rows (const Pass *pass, const SlExpertBatch *t)
{
  size_t   d = pass->experts->inputs, units = pass->experts->hidden, o = pass->experts->outputs;
  sl_real *back = inputs_of (pass, t);

  begin_rows (pass, t);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, t->m, units, o, 1, t->dy, o, t->c, o, 0, t->dh, units);
  through_gates (pass, t);
  if (back != NULL)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, t->m, d, units, 1, t->dh, units, t->a, units, 0, back, d);
}

/* The gradient of one of its matrices, u' v, and its update. */
static void
finish_shared (const Pass *pass, const SlExpertBatch *t, const Block *block, const sl_real *u,
               const sl_real *v)
{
  sl_real *g = gradient_at (pass, t, block->at, false);

  sl_blocks_outer (t->m, block->rows, block->columns, u, v, g);
  finish_rows (pass, t, block, 0, block->rows, g);
  finish_block (pass, t, block);
}

/* An expert that all threads share: by its examples, then by the rows of its gradient. */
static void
backward_shared (const Pass *pass, const SlExpertBatch *whole)
{
  Block block[BLOCKS];

#pragma omp parallel for schedule(dynamic, 1)
  for (size_t from = 0; from < whole->m; from += SL_EXPERT_BATCH_ROWS)
    {
      SlExpertBatch t = sl_expert_batch_part (pass->experts, whole, from);

      backward_rows (pass, &t);
    }
  if (pass->optim != NULL)
    pass->experts->updates[whole->index]++;
  find_blocks (pass, whole, block);
  finish_shared (pass, whole, &block[C], batch_activations (pass, whole), whole->weighted);
  bias_back (pass, whole, &block[C_BIAS], whole->weighted);
  finish_shared (pass, whole, &block[A], whole->x, whole->dh);
  bias_back (pass, whole, &block[A_BIAS], whole->dh);
}

/* Whether an expert has so many of the examples that one thread would be busy with it while others
 * wait.  Does not depend on how many threads there are: a sum has to run in the same order.  */
static bool
is_crowded (const SlDispatch *dispatch, size_t index)
{
  size_t m = dispatch->start[index + 1] - dispatch->start[index];

  return m >= CROWD && m * SHARE > dispatch->total;
}

/* The backward pass of one of many experts, with all its examples at once. */
static void
backward_one (const Pass *pass, size_t index)
{
  SlExpertBatch t = sl_expert_batch_whole (pass->experts, pass->dispatch, index);

  if (t.m > 0)
    backward_whole (pass, &t);
  else if (pass->optim == NULL)
    memset (pass->experts->gradient + index * pass->experts->each, 0,
            pass->experts->each * sizeof (sl_real));
}

void
sl_experts_backward (SlExperts *experts, SlDispatch *dispatch, const sl_real *x, const sl_real *dy,
                     bool recompute, sl_real *dx, const SlOptimSetting *optim)
{
  size_t busy = sl_expert_batch_order (experts, dispatch), n = experts->experts, shared = 0;
  Pass   pass = {
      .experts = experts,
      .dispatch = dispatch,
      .x = x,
      .dy = dy,
      .recompute = recompute || dispatch->total > experts->keep,
      .inputs_too = dx != NULL,
      .stream = n * experts->each * sizeof (sl_real) >= streamed,
      .optim = optim,
  };

  for (; shared < busy && is_crowded (dispatch, experts->order[shared]); shared++)
    {
      SlExpertBatch t = sl_expert_batch_whole (experts, dispatch, experts->order[shared]);

      backward_shared (&pass, &t);
    }
#pragma omp parallel for schedule(dynamic, 1)                                                      \
  num_threads(sl_expert_batch_threads(experts, dispatch))
  for (size_t i = shared; i < n; i++)
    backward_one (&pass, experts->order[i]);
  if (dx != NULL)
    sl_expert_batch_add (experts, dispatch, experts->inputs, NULL, dx);
}

/* The update of one of them by the gradient that was written out. */
static void
update_one (const Pass *pass, size_t index)
{
  SlExpertBatch t = sl_expert_batch_whole (pass->experts, pass->dispatch, index);
  Block         block[BLOCKS];

  if (t.m == 0)
    return;
  t.gradient = pass->experts->gradient + index * pass->experts->each;
  pass->experts->updates[index]++;
  find_blocks (pass, &t, block);
  for (int b = 0; b < BLOCKS; b++)
    {
      finish_rows (pass, &t, &block[b], 0, block[b].rows, t.gradient + block[b].at);
      finish_block (pass, &t, &block[b]);
    }
}

void
sl_experts_update (SlExperts *experts, const SlDispatch *dispatch, const SlOptimSetting *optim)
{
  Pass pass = { .experts = experts, .dispatch = dispatch, .optim = optim };

#pragma omp parallel for schedule(dynamic, 1)                                                      \
  num_threads(sl_expert_batch_threads(experts, dispatch))
  for (size_t i = 0; i < experts->experts; i++)
    update_one (&pass, i);
}
