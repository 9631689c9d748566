/* SPDX-License-Identifier: MIT
 *
 * The experts of a mixture; see experts.h.  */
#include "core/nn/experts.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/nn/act.h"
#include "core/nn/clones.h"
#include "core/nn/factored.h"
#include "core/nn/init.h"
#include "core/nn/mat.h"

static size_t
larger (size_t a, size_t b)
{
  return a > b ? a : b;
}

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

void
sl_experts_cut (SlExperts *experts, size_t inputs, size_t hidden, size_t outputs, size_t n,
                size_t most, size_t room, bool factored, SlArena *kept, SlArena *scratch)
{
  size_t each = sl_experts_each (inputs, hidden, outputs);

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
  };
  if (!factored)
    experts->m = sl_arena_reals (kept, n * each);
  experts->v = sl_arena_reals (kept, n * experts->second);
  experts->updates = sl_arena_cut (kept, n, sizeof *experts->updates);

  experts->h = sl_arena_reals (scratch, room * hidden);
  experts->part = sl_arena_reals (scratch, room * larger (inputs, outputs));
  experts->order = sl_arena_cut (scratch, n, sizeof *experts->order);
  experts->space = most * (inputs + 2 * hidden + outputs) + each + larger (hidden, outputs);
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

/* One expert in one pass: its numbers, the work space of the thread that has it, and its
 * assignments.  */
typedef struct
{
  size_t   index, m, first;              /* examples; number of the first assignment */
  const uint32_t *row;                   /* (m) */
  sl_real *a, *a_bias, *c, *c_bias;      /* as in experts.h */
  sl_real *x, *h, *dh, *dy, *gradient, *roots; /* (m, D), (m, H), (m, H), (m, O), (each), … */
} Turn;

static unsigned
threads_of (const SlExperts *experts)
{
#ifdef _OPENMP
  size_t threads = (size_t) omp_get_max_threads ();

  return (unsigned) (threads < experts->workers ? threads : experts->workers);
#else
  return 1;
#endif
}

static size_t
this_thread (void)
{
#ifdef _OPENMP
  return (size_t) omp_get_thread_num ();
#else
  return 0;
#endif
}

static Turn
turn_of (const SlExperts *experts, const SlDispatch *dispatch, size_t index)
{
  size_t   d = experts->inputs, h = experts->hidden, o = experts->outputs, most = experts->most;
  sl_real *w = experts->weights + index * experts->each;
  sl_real *work = experts->work + this_thread () * experts->space;
  Turn     t = { .index = index };

  t.first = dispatch->start[index];
  t.m = dispatch->start[index + 1] - t.first;
  t.row = dispatch->row + t.first;
  t.a = w;
  t.a_bias = w + d * h;
  t.c = t.a_bias + h;
  t.c_bias = t.c + h * o;
  t.x = work;
  t.h = t.x + most * d;
  t.dh = t.h + most * h;
  t.dy = t.dh + most * h;
  t.gradient = t.dy + most * o;
  t.roots = t.gradient + experts->each;
  return t;
}

/* Experts with most examples first, so that the threads end together; equal ones in order. */
static void
put_in_order (SlExperts *experts, const SlDispatch *dispatch)
{
  const uint32_t *start = dispatch->start;

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
    }
}

static void
gather (size_t m, size_t columns, const uint32_t *row, const sl_real *from, sl_real *to)
{
  for (size_t r = 0; r < m; r++)
    memcpy (to + r * columns, from + row[r] * columns, columns * sizeof *to);
}

static void
repeat (size_t m, size_t columns, const sl_real *bias, sl_real *to)
{
  for (size_t r = 0; r < m; r++)
    memcpy (to + r * columns, bias, columns * sizeof *to);
}

/* sum (columns) = the sum of the rows of `from`. */
SL_CLONES static void
sum_rows (size_t m, size_t columns, const sl_real *restrict from, sl_real *restrict sum)
{
  memset (sum, 0, columns * sizeof *sum);
  for (size_t r = 0; r < m; r++)
    for (size_t j = 0; j < columns; j++)
      sum[j] += from[r * columns + j];
}

/* Adds up what the assignments of each example gave: to (B, columns) = Σ weight part. */
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

static void
add_examples (const SlExperts *experts, const SlDispatch *dispatch, size_t columns,
              const sl_real *weight, sl_real *to)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads_of (experts))
#endif
  for (size_t e = 0; e < dispatch->batch; e++)
    add_parts (columns, dispatch->first[e + 1] - dispatch->first[e],
               dispatch->slot + dispatch->first[e], weight, experts->part, to + e * columns);
}

/* h (m, H) of the gathered examples. */
static void
activate (const SlExperts *experts, const Turn *t, sl_real *h)
{
  size_t d = experts->inputs, units = experts->hidden;

  repeat (t->m, units, t->a_bias, h);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, t->m, units, d, 1, t->x, d, t->a, units, 1, h, units);
  sl_relu_forward (t->m * units, h, h);
}

static void
forward_one (const SlExperts *experts, const Turn *t, const sl_real *x, bool keep)
{
  size_t   units = experts->hidden, outputs = experts->outputs;
  sl_real *h = keep ? experts->h + t->first * units : t->h;
  sl_real *out = experts->part + t->first * outputs;

  gather (t->m, experts->inputs, t->row, x, t->x);
  activate (experts, t, h);
  repeat (t->m, outputs, t->c_bias, out);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, t->m, outputs, units, 1, h, units, t->c, outputs, 1, out,
              outputs);
}

void
sl_experts_forward (SlExperts *experts, const SlDispatch *dispatch, const sl_real *x, bool keep,
                    sl_real *y)
{
  put_in_order (experts, dispatch);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_of (experts))
#endif
  for (size_t i = 0; i < experts->experts; i++)
    {
      Turn t = turn_of (experts, dispatch, experts->order[i]);

      if (t.m > 0)
        forward_one (experts, &t, x, keep);
    }
  add_examples (experts, dispatch, experts->outputs, dispatch->weight, y);
}

/* From dh = dy C' of one assignment: its slope, and dh behind gate value and rectifier. */
SL_CLONES static sl_real
through_gate (size_t units, sl_real weight, const sl_real *restrict h, sl_real *restrict dh)
{
  sl_real slope = 0;

  for (size_t j = 0; j < units; j++)
    {
      slope += dh[j] * h[j];
      dh[j] = h[j] > 0 ? weight * dh[j] : 0;
    }
  return slope;
}

static sl_real
dot (size_t n, const sl_real *a, const sl_real *b)
{
  sl_real sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Updates an expert from the gradient in its work space. */
static void
update_one (const SlExperts *experts, const Turn *t, const SlOptimSetting *optim)
{
  size_t   d = experts->inputs, h = experts->hidden, o = experts->outputs;
  uint64_t count = ++experts->updates[t->index];
  sl_real *v = experts->v + t->index * experts->second, *g = t->gradient;

  if (!experts->factored)
    {
      sl_optim_step (optim, count, experts->each, g, t->a,
                     experts->m + t->index * experts->each, v);
      return;
    }

  const struct
  {
    size_t   rows, columns;
    sl_real *w;
  } blocks[] = { { d, h, t->a }, { 1, h, t->a_bias }, { h, o, t->c }, { 1, o, t->c_bias } };

  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    {
      size_t rows = blocks[i].rows, columns = blocks[i].columns;

      sl_factored_step (optim, count, rows, columns, g, blocks[i].w, v, v + rows, t->roots);
      g += rows * columns;
      v += rows + columns;
    }
}

static void
backward_one (const SlExperts *experts, SlDispatch *dispatch, const Turn *t, const sl_real *x,
              const sl_real *dy, bool recompute, bool inputs_too, const SlOptimSetting *optim)
{
  size_t   m = t->m, d = experts->inputs, units = experts->hidden, o = experts->outputs;
  sl_real *h = recompute ? t->h : experts->h + t->first * units;
  sl_real *g = optim != NULL ? t->gradient : experts->gradient + t->index * experts->each;

  gather (m, d, t->row, x, t->x);
  gather (m, o, t->row, dy, t->dy);
  if (recompute)
    activate (experts, t, h);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, m, units, o, 1, t->dy, o, t->c, o, 0, t->dh, units);
  for (size_t r = 0; r < m; r++)
    {
      sl_real weight = dispatch->weight[t->first + r], *row = t->dy + r * o;

      dispatch->slope[t->first + r]
        = through_gate (units, weight, h + r * units, t->dh + r * units) + dot (o, row, t->c_bias);
      for (size_t j = 0; j < o; j++)
        row[j] *= weight;
    }
  if (inputs_too)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, m, d, units, 1, t->dh, units, t->a, units, 0,
                experts->part + t->first * d, d);
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, d, units, m, 1, t->x, d, t->dh, units, 0, g, units);
  sum_rows (m, units, t->dh, g + d * units);
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, units, o, m, 1, h, units, t->dy, o, 0,
              g + (d + 1) * units, o);
  sum_rows (m, o, t->dy, g + (d + 1) * units + units * o);
  if (optim != NULL)
    update_one (experts, t, optim);
}

void
sl_experts_backward (SlExperts *experts, SlDispatch *dispatch, const sl_real *x,
                     const sl_real *dy, bool recompute, sl_real *dx, const SlOptimSetting *optim)
{
  put_in_order (experts, dispatch);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_of (experts))
#endif
  for (size_t i = 0; i < experts->experts; i++)
    {
      Turn t = turn_of (experts, dispatch, experts->order[i]);

      if (t.m > 0)
        backward_one (experts, dispatch, &t, x, dy, recompute, dx != NULL, optim);
      else if (optim == NULL)
        memset (experts->gradient + t.index * experts->each, 0,
                experts->each * sizeof *experts->gradient);
    }
  if (dx != NULL)
    add_examples (experts, dispatch, experts->inputs, NULL, dx);
}
