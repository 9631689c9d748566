/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/experts.h"

#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/init.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/small-gemm.h"
#include "core/nn/kernels/threads.h"
#include "core/nn/moe/experts-turn.h"

size_t
sl_experts_each (size_t inputs, size_t hidden, size_t outputs)
{
  return (inputs + 1) * hidden + (hidden + 1) * outputs;
}

/* Numbers of an expert's factored second moment: of A, a, C and c, each with rows and columns. */
static size_t
factored_numbers (size_t inputs, size_t hidden, size_t outputs)
{
  return (inputs + hidden) + (1 + hidden) + (hidden + outputs) + (1 + outputs);
}

/* The most bytes of activations that are kept for the backward pass. */
static const size_t kept_bytes = (size_t) 1 << 30;

void
sl_experts_carve (SlExperts *experts, const SlExpertsShape *shape, SlArena *kept, SlArena *scratch)
{
  size_t inputs = shape->inputs, hidden = shape->hidden, outputs = shape->outputs;
  size_t n = shape->experts, most = shape->most, room = shape->room;
  size_t each = sl_experts_each (inputs, hidden, outputs);
  bool   factored = shape->factored;

  *experts = (SlExperts) {
    .inputs = inputs,
    .hidden = hidden,
    .outputs = outputs,
    .experts = n,
    .each = each,
    .most = most,
    .room = room,
    .factored = factored,
    .second = factored ? factored_numbers (inputs, hidden, outputs) : each,
    .workers = sl_blas_cores (),
    .keep = sl_least (room, kept_bytes / (hidden * sizeof (sl_real))),
  };
  if (!factored)
    experts->m = sl_arena_reals (kept, n * each);
  experts->v = sl_arena_reals (kept, n * experts->second);
  experts->updates = sl_arena_carve (kept, n, sizeof *experts->updates);

  experts->h = sl_arena_reals (scratch, experts->keep * hidden);
  experts->part
    = sl_arena_reals (scratch, room * (shape->first_layer ? outputs : sl_most (inputs, outputs)));
  experts->order = sl_arena_carve (scratch, n, sizeof *experts->order);
  experts->piece
    = sl_arena_carve (scratch, n + room / SL_EXPERT_BATCH_ROWS + 1, sizeof *experts->piece);
  experts->space = most * (inputs + 2 * hidden + 2 * outputs) + each + sl_most (hidden, outputs);
  experts->work = sl_arena_reals (scratch, experts->workers * experts->space);
}

void
sl_experts_bind (SlExperts *experts, sl_real *weights, sl_real *gradient)
{
  experts->weights = weights;
  experts->gradient = gradient;
}

void
sl_experts_clear_moments (SlExperts *experts)
{
  if (experts->m != NULL)
    memset (experts->m, 0, experts->experts * experts->each * sizeof *experts->m);
  memset (experts->v, 0, experts->experts * experts->second * sizeof *experts->v);
  memset (experts->updates, 0, experts->experts * sizeof *experts->updates);
}

void
sl_experts_init (SlExperts *experts, SlRng *rng)
{
  size_t d = experts->inputs, h = experts->hidden, o = experts->outputs;

  memset (experts->weights, 0, experts->experts * experts->each * sizeof *experts->weights);
  for (size_t i = 0; i < experts->experts; i++)
    {
      sl_real *w = experts->weights + i * experts->each;

      sl_init_glorot (rng, d, h, d * h, w);
      sl_init_glorot (rng, h, o, h * o, w + (d + 1) * h);
    }
  sl_experts_clear_moments (experts);
}

/* Multiplications of a pass from which more threads pay. */
static const size_t shared_pass = 4u << 20;

int
sl_expert_batch_threads (const SlExperts *experts, const SlDispatch *dispatch)
{
  if (dispatch->total * experts->each < shared_pass)
    return 1;
  return (int) sl_least ((size_t) omp_get_max_threads (), experts->workers);
}

SlExpertBatch
sl_expert_batch_whole (const SlExperts *experts, const SlDispatch *dispatch, size_t index)
{
  size_t   d = experts->inputs, h = experts->hidden, o = experts->outputs, most = experts->most;
  sl_real *w = experts->weights + index * experts->each;
  sl_real *work = experts->work + (size_t) omp_get_thread_num () * experts->space;
  SlExpertBatch t = { .index = index, .first = dispatch->start[index] };

  t.m = dispatch->start[index + 1] - t.first;
  t.row = dispatch->row + t.first;
  t.a = w;
  t.a_bias = t.a + d * h;
  t.c = t.a_bias + h;
  t.c_bias = t.c + h * o;
  t.gradient = work;
  t.roots = t.gradient + experts->each;
  t.x = t.roots + sl_most (h, o);
  t.h = t.x + most * d;
  t.dh = t.h + most * h;
  t.dy = t.dh + most * h;
  t.weighted = t.dy + most * o;
  return t;
}

SlExpertBatch
sl_expert_batch_part (const SlExperts *experts, const SlExpertBatch *whole, size_t from)
{
  SlExpertBatch t = *whole;

  t.m = sl_least (whole->m - from, SL_EXPERT_BATCH_ROWS);
  t.first += from;
  t.row += from;
  t.x += from * experts->inputs;
  t.h += from * experts->hidden;
  t.dh += from * experts->hidden;
  t.dy += from * experts->outputs;
  t.weighted += from * experts->outputs;
  return t;
}

size_t
sl_expert_batch_order (SlExperts *experts, const SlDispatch *dispatch)
{
  const uint32_t *start = dispatch->start;
  size_t          busy = 0;

  for (uint32_t i = 0; i < experts->experts; i++)
    {
      uint32_t m = start[i + 1] - start[i], at = i;

      for (; at > 0; at--)
        {
          uint32_t other = experts->order[at - 1];

          if (start[other + 1] - start[other] >= m)
            break;
          experts->order[at] = other;
        }
      experts->order[at] = i;
      busy += m > 0;
    }
  return busy;
}

void
sl_expert_batch_gather (const SlExpertBatch *batch, size_t columns, const sl_real *from,
                        sl_real *to)
{
  for (size_t r = 0; r < batch->m; r++)
    memcpy (to + r * columns, from + batch->row[r] * columns, columns * sizeof *to);
}

/* y (m, K) = x (m, R) W (R, K) + b (K), on this thread. */
static void
affine_rows (size_t m, size_t rows, size_t columns, const sl_real *x, const sl_real *w,
             const sl_real *b, sl_real *y)
{
  if (m <= sl_small_gemm_limit ())
    {
      sl_small_gemm_forward (m, rows, columns, x, w, b, y);
      return;
    }
  for (size_t r = 0; r < m; r++)
    memcpy (y + r * columns, b, columns * sizeof *y);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, m, columns, rows, 1, x, rows, w, columns, 1, y, columns);
}

void
sl_expert_batch_activate (const SlExperts *experts, const SlExpertBatch *batch, sl_real *h)
{
  size_t d = experts->inputs, units = experts->hidden;

  /* In the same pieces as in a forward pass: another size may be another order of a sum. */
  for (size_t from = 0; from < batch->m; from += SL_EXPERT_BATCH_ROWS)
    affine_rows (sl_least (batch->m - from, SL_EXPERT_BATCH_ROWS), d, units, batch->x + from * d,
                 batch->a, batch->a_bias, h + from * units);
  sl_relu_forward (batch->m * units, h, h);
}

/* to (columns) = Σ weight part over the `n` assignments of `slot`. */
SL_CLONES static void
add_parts (size_t columns, size_t n, const uint32_t *slot, const sl_real *weight,
           const sl_real *restrict part, sl_real *restrict to)
{
  memset (to, 0, columns * sizeof *to);
  for (size_t s = 0; s < n; s++)
    {
      const sl_real *from = part + slot[s] * columns;
      sl_real        g = weight != NULL ? weight[slot[s]] : 1;

      for (size_t j = 0; j < columns; j++)
        to[j] += g * from[j];
    }
}

void
sl_expert_batch_add (const SlExperts *experts, const SlDispatch *dispatch, size_t columns,
                     const sl_real *weight, sl_real *to)
{
  const uint32_t *first = dispatch->first;

#pragma omp parallel for schedule(static) num_threads(sl_expert_batch_threads(experts, dispatch))
  for (size_t e = 0; e < dispatch->batch; e++)
    add_parts (columns, first[e + 1] - first[e], dispatch->slot + first[e], weight, experts->part,
               to + e * columns);
}

/* Lists the pieces of work of a forward pass, large ones first; returns how many. */
static size_t
cut_pieces (SlExperts *experts, const SlDispatch *dispatch)
{
  size_t busy = sl_expert_batch_order (experts, dispatch), n = 0;

  for (size_t i = 0; i < busy; i++)
    {
      uint32_t index = experts->order[i];
      uint32_t m = dispatch->start[index + 1] - dispatch->start[index];

      for (uint32_t from = 0; from < m; from += SL_EXPERT_BATCH_ROWS)
        experts->piece[n++] = (SlExpertPart) { index, from };
    }
  return n;
}

static void
forward_piece (const SlExperts *experts, const SlExpertBatch *batch, const sl_real *x, bool keep)
{
  size_t   units = experts->hidden, outputs = experts->outputs;
  sl_real *h = keep ? experts->h + batch->first * units : batch->h;

  sl_expert_batch_gather (batch, experts->inputs, x, batch->x);
  sl_expert_batch_activate (experts, batch, h);
  affine_rows (batch->m, units, outputs, h, batch->c, batch->c_bias,
               experts->part + batch->first * outputs);
}

void
sl_experts_forward (SlExperts *experts, const SlDispatch *dispatch, const sl_real *x, bool keep,
                    sl_real *y)
{
  size_t pieces = cut_pieces (experts, dispatch);
  bool   stored = keep && dispatch->total <= experts->keep;

#pragma omp parallel for schedule(dynamic, 1)                                                      \
  num_threads(sl_expert_batch_threads(experts, dispatch))
  for (size_t i = 0; i < pieces; i++)
    {
      SlExpertBatch whole = sl_expert_batch_whole (experts, dispatch, experts->piece[i].expert);
      SlExpertBatch batch = sl_expert_batch_part (experts, &whole, experts->piece[i].from);

      forward_piece (experts, &batch, x, stored);
    }
  sl_expert_batch_add (experts, dispatch, experts->outputs, dispatch->weight, y);
}
