/* SPDX-License-Identifier: MIT
 *
 * The experts' kernels: against a naive twin and central differences, what an update leaves alone,
 * and what is not in the result: threads, where activations come from, whether the update is fused.
 * The factored second moment against golden numbers.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/moe/experts.h"
#include "core/nn/optim/factored.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double eps = 1e-12, golden_eps = 1e-10;
#else
static const double eps = 2e-5, golden_eps = 1e-4;
#endif

static const char *golden;

/* How many examples the experts get, each a share of the batch. */
typedef enum {
  MIXED, /* none for the first, one for the second, all for the third, half for others */
  FEW,   /* one example in four */
  ALL,
} Spread;

typedef struct
{
  size_t inputs, hidden, outputs, experts, batch;
  Spread spread;
} Case;

/* Both sides of kernels: small vectors and odd sizes; few examples, more than the thin kernels are
 * for, and experts that are shared by the threads; a gradient that is written past the caches.  */
static const Case cases[] = {
  { 5, 4, 3, 5, 7, MIXED },      { 17, 33, 10, 4, 40, MIXED },  { 16, 64, 32, 6, 50, FEW },
  { 1, 1, 1, 3, 1, MIXED },      { 9, 20, 40, 1, 300, ALL },    { 12, 24, 9, 18, 200, ALL },
  { 24, 16, 8, 3, 600, ALL },    { 128, 256, 64, 100, 9, FEW }, { 8, 8, 8, 3, 0, ALL },
  { 130, 40, 3, 4, 700, MIXED },
};

typedef struct
{
  Case       at;
  SlArena    kept, scratch;
  SlExperts  experts;
  SlDispatch dispatch;
  sl_real   *weights, *gradient, *x, *dy, *y, *dx;
} Bank;

static void
fill (SlRng *rng, size_t n, sl_real *a)
{
  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
}

static bool
is_sent (const Case *at, size_t e, size_t i, SlRng *rng)
{
  double share = sl_rng_uniform (rng);

  if (at->spread == ALL)
    return true;
  if (at->spread == FEW)
    return share < 0.25;
  return i == 0 ? false : i == 1 ? e == at->batch / 2 : i == 2 ? true : share < 0.5;
}

static void
send (Bank *bank, SlRng *rng)
{
  const Case          *at = &bank->at;
  g_autofree bool     *sent = g_new0 (bool, at->batch * at->experts + 1);
  g_autofree uint32_t *count = g_new0 (uint32_t, at->experts);

  for (size_t e = 0; e < at->batch; e++)
    for (size_t i = 0; i < at->experts; i++)
      count[i] += sent[e * at->experts + i] = is_sent (at, e, i, rng);
  sl_dispatch_begin (&bank->dispatch, at->batch, count);
  for (size_t e = 0; e < at->batch; e++)
    for (size_t i = 0; i < at->experts; i++)
      if (sent[e * at->experts + i])
        sl_dispatch_add (&bank->dispatch, (uint32_t) e, (uint32_t) i,
                         (sl_real) sl_rng_uniform (rng));
  sl_dispatch_end (&bank->dispatch);

  /* By example: all that were sent, experts rising. */
  for (size_t e = 0; e < at->batch; e++)
    {
      const SlDispatch *d = &bank->dispatch;
      size_t            s = d->first[e];

      for (size_t i = 0; i < at->experts; i++)
        if (sent[e * at->experts + i])
          {
            g_assert_cmpuint (s, <, d->first[e + 1]);
            g_assert_cmpuint (d->slot[s], >=, d->start[i]);
            g_assert_cmpuint (d->slot[s], <, d->start[i + 1]);
            g_assert_cmpuint (d->row[d->slot[s++]], ==, e);
          }
      g_assert_cmpuint (s, ==, d->first[e + 1]);
    }
  g_assert_cmpuint (bank->dispatch.first[at->batch], ==, bank->dispatch.total);
}

static void
cut (Bank *bank, bool factored)
{
  const Case *at = &bank->at;
  size_t      room = at->batch * at->experts;

  bank->kept.used = bank->scratch.used = 0;
  sl_experts_carve (&bank->experts,
                    &(SlExpertsShape) { .inputs = at->inputs,
                                        .hidden = at->hidden,
                                        .outputs = at->outputs,
                                        .experts = at->experts,
                                        .most = at->batch,
                                        .room = room,
                                        .factored = factored },
                    &bank->kept, &bank->scratch);
  sl_dispatch_carve (&bank->dispatch, at->experts, at->batch, room, &bank->scratch);
  bank->weights = sl_arena_reals (&bank->kept, at->experts * bank->experts.each);
  bank->gradient = sl_arena_reals (&bank->scratch, at->experts * bank->experts.each);
  bank->x = sl_arena_reals (&bank->scratch, at->batch * at->inputs);
  bank->dx = sl_arena_reals (&bank->scratch, at->batch * at->inputs);
  bank->y = sl_arena_reals (&bank->scratch, at->batch * at->outputs);
  bank->dy = sl_arena_reals (&bank->scratch, at->batch * at->outputs);
}

/* The same numbers for the same case, every time. */
static void
bank_init (Bank *bank, const Case *at, bool factored)
{
  SlRng    rng;
  SlStatus status;

  *bank = (Bank) { .at = *at };
  cut (bank, factored);
  status = sl_arena_init (&bank->kept, bank->kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&bank->scratch, bank->scratch.used);
  g_assert_true (sl_ok (&status));
  cut (bank, factored);
  sl_experts_bind (&bank->experts, bank->weights, bank->gradient);
  sl_rng_init (&rng, 1, "experts");
  sl_experts_init (&bank->experts, &rng);
  for (size_t i = 0; i < at->experts * bank->experts.each; i++)
    {
      bank->weights[i] += (sl_real) (0.1 * sl_rng_normal (&rng));
      bank->gradient[i] = (sl_real) NAN;
    }
  fill (&rng, at->batch * at->inputs, bank->x);
  fill (&rng, at->batch * at->outputs, bank->dy);
  send (bank, &rng);
}

static void
bank_clear (Bank *bank)
{
  sl_arena_clear (&bank->kept);
  sl_arena_clear (&bank->scratch);
}

static void
train (Bank *bank, bool recompute, const SlOptimSetting *optim)
{
  sl_experts_forward (&bank->experts, &bank->dispatch, bank->x, !recompute, bank->y);
  sl_experts_backward (&bank->experts, &bank->dispatch, bank->x, bank->dy, recompute, bank->dx,
                       optim);
}

/* What a pass gives, by the book and in double. */
typedef struct
{
  double *y, *dx, *slope, *gradient;
} Book;

static void
book_assignment (const Bank *bank, size_t index, size_t a, Book *book)
{
  size_t         d = bank->at.inputs, h = bank->at.hidden, o = bank->at.outputs;
  size_t         e = bank->dispatch.row[a];
  const sl_real *w = bank->weights + index * bank->experts.each, *c = w + (d + 1) * h;
  const sl_real *x = bank->x + e * d, *dy = bank->dy + e * o;
  double         weight = (double) bank->dispatch.weight[a];
  double        *g = book->gradient + index * bank->experts.each, *gc = g + (d + 1) * h;

  for (size_t k = 0; k < o; k++)
    {
      book->y[e * o + k] += weight * (double) c[h * o + k];
      book->slope[a] += (double) dy[k] * (double) c[h * o + k];
      gc[h * o + k] += weight * (double) dy[k];
    }
  for (size_t j = 0; j < h; j++)
    {
      double pre = (double) w[d * h + j], back = 0;

      for (size_t i = 0; i < d; i++)
        pre += (double) x[i] * (double) w[i * h + j];
      if (!(pre > 0))
        continue;
      for (size_t k = 0; k < o; k++)
        {
          book->y[e * o + k] += weight * pre * (double) c[j * o + k];
          back += (double) dy[k] * (double) c[j * o + k];
          gc[j * o + k] += weight * pre * (double) dy[k];
        }
      book->slope[a] += pre * back;
      g[d * h + j] += weight * back;
      for (size_t i = 0; i < d; i++)
        {
          g[i * h + j] += weight * back * (double) x[i];
          book->dx[e * d + i] += weight * back * (double) w[i * h + j];
        }
    }
}

static void
check_against_book (const Bank *bank)
{
  const Case        *at = &bank->at;
  size_t             numbers = at->experts * bank->experts.each, total = bank->dispatch.total;
  g_autofree double *y = g_new0 (double, at->batch * at->outputs + 1);
  g_autofree double *dx = g_new0 (double, at->batch * at->inputs + 1);
  g_autofree double *slope = g_new0 (double, total + 1), *gradient = g_new0 (double, numbers);
  Book               book = { y, dx, slope, gradient };
  double             most = 0;

  for (size_t i = 0; i < at->experts; i++)
    for (size_t a = bank->dispatch.start[i]; a < bank->dispatch.start[i + 1]; a++)
      book_assignment (bank, i, a, &book);
  for (size_t i = 0; i < numbers; i++)
    most = fmax (most, fabs (gradient[i]));
  if (at->batch > 0)
    {
      sl_assert_close (bank->y, y, at->batch * at->outputs, eps, 10 * eps);
      sl_assert_close (bank->dx, dx, at->batch * at->inputs, eps, 10 * eps);
    }
  if (total > 0)
    sl_assert_close (bank->dispatch.slope, slope, total, eps, 10 * eps);
  sl_assert_close (bank->gradient, gradient, numbers, eps, eps * (1 + most));
}

static void
test_twin (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      Bank bank;

      bank_init (&bank, &cases[c], false);
      train (&bank, false, NULL);
      check_against_book (&bank);
      bank_clear (&bank);
    }
}

/* Without anybody who wants dx everything else is the same. */
static void
test_no_inputs (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      Bank   bank;
      size_t bytes;

      bank_init (&bank, &cases[c], false);
      bytes = bank.at.experts * bank.experts.each * sizeof (sl_real);
      train (&bank, false, NULL);

      g_autofree sl_real *gradient = g_memdup2 (bank.gradient, bytes);

      sl_experts_backward (&bank.experts, &bank.dispatch, bank.x, bank.dy, false, NULL, NULL);
      g_assert_cmpmem (bank.gradient, bytes, gradient, bytes);
      bank_clear (&bank);
    }
}

#ifdef SL_DOUBLE
static double
objective (Bank *bank)
{
  double sum = 0;

  sl_experts_forward (&bank->experts, &bank->dispatch, bank->x, false, bank->y);
  for (size_t i = 0; i < bank->at.batch * bank->at.outputs; i++)
    sum += (double) bank->y[i] * (double) bank->dy[i];
  return sum;
}

static void
check_slopes (Bank *bank, size_t n, sl_real *v, const sl_real *slope)
{
  const double h = 1e-6;
  double       error = 0, norm = 0;

  for (size_t i = 0; i < n; i++)
    {
      sl_real was = v[i];
      double  above, numeric;

      v[i] = was + (sl_real) h;
      above = objective (bank);
      v[i] = was - (sl_real) h;
      numeric = (above - objective (bank)) / (2 * h);
      v[i] = was;
      error += ((double) slope[i] - numeric) * ((double) slope[i] - numeric);
      norm += numeric * numeric;
    }
  g_assert_cmpfloat (norm, >, 0);
  g_assert_cmpfloat (sqrt (error / norm), <, 1e-6);
}

static void
test_gradient (void)
{
  static const Case shapes[] = { { 5, 4, 3, 4, 9, MIXED }, { 9, 8, 13, 3, 6, ALL } };

  for (size_t c = 0; c < G_N_ELEMENTS (shapes); c++)
    {
      Bank bank;

      bank_init (&bank, &shapes[c], false);
      train (&bank, false, NULL);
      check_slopes (&bank, bank.at.experts * bank.experts.each, bank.weights, bank.gradient);
      check_slopes (&bank, bank.at.batch * bank.at.inputs, bank.x, bank.dx);
      check_slopes (&bank, bank.dispatch.total, bank.dispatch.weight, bank.dispatch.slope);
      bank_clear (&bank);
    }
}
#endif

static SlOptimSetting
setting_of (SlOptimiser kind)
{
  SlOptimSetting setting = sl_optim_default ();

  setting.kind = kind;
  setting.rate = (sl_real) 0.01;
  setting.decay = (sl_real) 0.1;
  return setting;
}

static bool
is_busy (const Bank *bank, size_t i)
{
  return bank->dispatch.start[i + 1] > bank->dispatch.start[i];
}

/* What an update of expert i leaves: all its bytes are those of `was`. */
static void
check_untouched (const Bank *bank, const Bank *was, size_t i)
{
  const SlExperts *e = &bank->experts;
  size_t           each = e->each, second = e->second;

  g_assert_cmpmem (bank->weights + i * each, each * sizeof (sl_real), was->weights + i * each,
                   each * sizeof (sl_real));
  g_assert_cmpmem (e->v + i * second, second * sizeof (sl_real), was->experts.v + i * second,
                   second * sizeof (sl_real));
  if (e->m != NULL)
    g_assert_cmpmem (e->m + i * each, each * sizeof (sl_real), was->experts.m + i * each,
                     each * sizeof (sl_real));
  g_assert_cmpuint (e->updates[i], ==, was->experts.updates[i]);
}

/* An idle expert stays as it is to the bit, and no gradient is written. */
static void
test_idle (void)
{
  static const Case at = { 6, 9, 4, 5, 12, MIXED };

  for (int factored = 0; factored < 2; factored++)
    {
      SlOptimSetting setting = setting_of (SL_ADAM);
      Bank           bank, was;

      bank_init (&bank, &at, factored == 1);
      bank_init (&was, &at, factored == 1);
      for (size_t i = 0; i < at.experts; i++)
        bank.experts.updates[i] = was.experts.updates[i] = 3 + i;
      for (size_t i = 0; i < at.experts * bank.experts.second; i++)
        bank.experts.v[i] = was.experts.v[i] = (sl_real) (0.1 + 0.001 * (double) i);
      for (size_t i = 0; i < at.experts * bank.experts.each && factored == 0; i++)
        bank.experts.m[i] = was.experts.m[i] = (sl_real) 0.5;
      train (&bank, false, &setting);
      for (size_t i = 0; i < at.experts; i++)
        if (is_busy (&bank, i))
          {
            g_assert_cmpuint (bank.experts.updates[i], ==, 4 + i);
            g_assert_cmpfloat (bank.weights[i * bank.experts.each], !=,
                               was.weights[i * bank.experts.each]);
          }
        else
          check_untouched (&bank, &was, i);
      g_assert_false (is_busy (&bank, 0));
      for (size_t i = 0; i < at.experts * bank.experts.each; i++)
        g_assert_true (isnan (bank.gradient[i]));
      sl_experts_clear_moments (&bank.experts);
      for (size_t i = 0; i < at.experts * bank.experts.second; i++)
        g_assert_cmpfloat (bank.experts.v[i], ==, 0);
      for (size_t i = 0; i < at.experts; i++)
        g_assert_cmpuint (bank.experts.updates[i], ==, 0);
      bank_clear (&bank);
      bank_clear (&was);
    }
}

/* The update by hand of one expert from the gradient that was written out. */
static void
update_apart (Bank *bank, size_t i, const SlOptimSetting *setting)
{
  SlExperts   *e = &bank->experts;
  size_t       d = e->inputs, h = e->hidden, o = e->outputs;
  sl_real     *w = bank->weights + i * e->each, *g = bank->gradient + i * e->each;
  sl_real     *v = e->v + i * e->second;
  const size_t shapes[][2] = { { d, h }, { 1, h }, { h, o }, { 1, o } };

  e->updates[i]++;
  if (!e->factored)
    {
      sl_optim_step (setting, e->updates[i], e->each, g, w, e->m + i * e->each, v);
      return;
    }
  for (size_t b = 0; b < G_N_ELEMENTS (shapes); b++)
    {
      size_t              rows = shapes[b][0], columns = shapes[b][1];
      g_autofree sl_real *work = g_new (sl_real, columns);

      sl_factored_step (setting, e->updates[i], rows, columns, g, w, v, v + rows, work);
      w += rows * columns;
      g += rows * columns;
      v += rows + columns;
    }
}

static void
check_fused (const Case *at, SlOptimiser kind, bool factored)
{
  SlOptimSetting setting = setting_of (kind);
  Bank           fused, apart;
  size_t         numbers;

  bank_init (&fused, at, factored);
  bank_init (&apart, at, factored);
  numbers = at->experts * fused.experts.each;
  for (int step = 0; step < 3; step++)
    {
      train (&fused, step == 1, &setting);
      train (&apart, false, NULL);
      for (size_t i = 0; i < at->experts; i++)
        if (is_busy (&apart, i))
          update_apart (&apart, i, &setting);
    }

  g_autofree double *want = g_new (double, numbers);

  for (size_t i = 0; i < numbers; i++)
    want[i] = (double) apart.weights[i];
  sl_assert_close (fused.weights, want, numbers, eps, eps);
  for (size_t i = 0; i < at->experts; i++)
    g_assert_cmpuint (fused.experts.updates[i], ==, apart.experts.updates[i]);
  bank_clear (&fused);
  bank_clear (&apart);
}

static void
test_fused (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      check_fused (&cases[c], SL_SGD, false);
      check_fused (&cases[c], SL_MOMENTUM, false);
      check_fused (&cases[c], SL_ADAM, false);
      check_fused (&cases[c], SL_ADAM, true);
    }
}

static void
check_same (const Bank *a, const Bank *b)
{
  const Case *at = &a->at;
  size_t      numbers = at->experts * a->experts.each * sizeof (sl_real);
  size_t      out = at->batch * at->outputs * sizeof (sl_real);
  size_t      in = at->batch * at->inputs * sizeof (sl_real);

  g_assert_cmpmem (a->y, out, b->y, out);
  g_assert_cmpmem (a->dx, in, b->dx, in);
  g_assert_cmpmem (a->dispatch.slope, a->dispatch.total * sizeof (sl_real), b->dispatch.slope,
                   b->dispatch.total * sizeof (sl_real));
  g_assert_cmpmem (a->gradient, numbers, b->gradient, numbers);
  g_assert_cmpmem (a->weights, numbers, b->weights, numbers);
  for (size_t i = 0; i < at->experts; i++)
    check_untouched (a, b, i);
}

/* Two banks, the second with activations made again or with other threads; gradient written out
 * first, then fused updates.  */
static void
check_alike (const Case *at, bool factored, bool recompute, unsigned threads, size_t keep)
{
  SlOptimSetting setting = setting_of (SL_ADAM);
  Bank           a, b;

  bank_init (&a, at, factored);
  bank_init (&b, at, factored);
  b.experts.keep = MIN (keep, b.experts.keep);
  for (int step = 0; step < 3; step++)
    {
      sl_blas_set_threads (1);
      train (&a, false, step == 0 ? NULL : &setting);
      sl_blas_set_threads (threads);
      train (&b, recompute, step == 0 ? NULL : &setting);
      check_same (&a, &b);
    }
  bank_clear (&a);
  bank_clear (&b);
}

static void
test_recompute (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    check_alike (&cases[c], c % 2 == 1, true, 1, SIZE_MAX);
}

/* Where there is no room for the activations of all assignments, they are made again. */
static void
test_little_room (void)
{
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    check_alike (&cases[c], c % 2 == 1, false, 1, c);
}

static void
test_threads (void)
{
  unsigned cores = sl_blas_cores ();
  /* Enough work that threads share it. */
  static const Case large[] = { { 64, 128, 32, 40, 90, MIXED }, { 40, 64, 30, 5, 900, MIXED } };

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    check_alike (&cases[c], c % 2 == 0, false, cores, SIZE_MAX);
  for (size_t c = 0; c < G_N_ELEMENTS (large); c++)
    {
      check_alike (&large[c], false, false, cores, SIZE_MAX);
      check_alike (&large[c], true, true, cores, SIZE_MAX);
    }
  sl_blas_set_threads (cores);
}

/* The second moment that an update from g went by: (rate g ÷ what w moved)² with ε = 0. */
static void
check_moment (GArray *squares, GArray *want, size_t rows, size_t columns)
{
  SlOptimSetting      setting = setting_of (SL_ADAM);
  size_t              n = rows * columns;
  g_autofree sl_real *g = g_new (sl_real, n), *w = g_new0 (sl_real, n);
  g_autofree sl_real *r = g_new0 (sl_real, rows), *c = g_new0 (sl_real, columns);
  g_autofree sl_real *work = g_new (sl_real, columns);

  setting.rate = 1;
  setting.epsilon = setting.decay = 0;
  g_assert_cmpuint (squares->len, ==, n);
  for (size_t i = 0; i < n; i++)
    g[i] = (sl_real) sqrt (g_array_index (squares, double, i));
  sl_factored_step (&setting, 1, rows, columns, g, w, r, c, work);
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) (g[i] / w[i]) * (double) (g[i] / w[i]),
                    g_array_index (want, double, i), golden_eps, golden_eps);
  /* The state is the plain means, weighted once. */
  for (size_t i = 0; i < rows; i++)
    {
      double mean = 0;

      for (size_t j = 0; j < columns; j++)
        mean += g_array_index (squares, double, i *columns + j) / (double) columns;
      sl_assert_near ((double) r[i], (1 - (double) setting.beta2) * mean, golden_eps, golden_eps);
    }
}

static void
test_factored_golden (void)
{
  JsonNode   *root = sl_golden_load (golden);
  JsonObject *object = json_node_get_object (root);
  static const struct
  {
    const char *v, *back;
    size_t      rows, columns;
  } blocks[] = { { "V", "reconstructed", 2, 3 }, { "V2", "V2_reconstructed", 2, 2 } };

  for (size_t b = 0; b < G_N_ELEMENTS (blocks); b++)
    {
      g_autoptr (GArray) v = sl_golden_numbers (object, blocks[b].v);
      g_autoptr (GArray) back = sl_golden_numbers (object, blocks[b].back);

      check_moment (v, back, blocks[b].rows, blocks[b].columns);
    }
  json_node_unref (root);
}

/* A matrix of one row is Adam with β1 = 0, update after update. */
static void
test_factored_row (void)
{
  enum { N = 37 };
  SlOptimSetting setting = setting_of (SL_ADAM);
  sl_real        g[N], w[N], m[N] = { 0 }, v[N] = { 0 }, plain[N], r[1] = { 0 }, c[N] = { 0 };
  sl_real        work[N];
  SlRng          rng;

  setting.beta1 = 0;
  sl_rng_init (&rng, 5, "factored");
  fill (&rng, N, w);
  memcpy (plain, w, sizeof plain);
  for (uint64_t t = 1; t <= 20; t++)
    {
      fill (&rng, N, g);
      sl_optim_step (&setting, t, N, g, plain, m, v);
      sl_factored_step (&setting, t, 1, N, g, w, r, c, work);
      for (size_t i = 0; i < N; i++)
        sl_assert_near ((double) w[i], (double) plain[i], eps, eps);
    }
}

/* Without any gradient nothing moves and nothing is not a number; a row or column that never had
 * one stays where it is.  */
static void
test_factored_limits (void)
{
  enum { ROWS = 3, COLUMNS = 4 };
  SlOptimSetting setting = setting_of (SL_ADAM);
  sl_real        g[ROWS * COLUMNS] = { 0 }, w[ROWS * COLUMNS], r[ROWS] = { 0 };
  sl_real        c[COLUMNS] = { 0 }, work[COLUMNS];

  setting.decay = 0;
  for (size_t i = 0; i < ROWS * COLUMNS; i++)
    w[i] = (sl_real) i;
  sl_factored_step (&setting, 1, ROWS, COLUMNS, g, w, r, c, work);
  for (size_t i = 0; i < ROWS * COLUMNS; i++)
    g_assert_cmpfloat (w[i], ==, (sl_real) i);
  g[1] = 2;
  sl_factored_step (&setting, 2, ROWS, COLUMNS, g, w, r, c, work);
  for (size_t i = 0; i < ROWS * COLUMNS; i++)
    if (i != 1)
      g_assert_cmpfloat (w[i], ==, (sl_real) i);
  g_assert_cmpfloat (w[1], <, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  golden = argv[1];
  g_test_add_func ("/experts/twin", test_twin);
  g_test_add_func ("/experts/no-inputs", test_no_inputs);
#ifdef SL_DOUBLE
  g_test_add_func ("/experts/gradient", test_gradient);
#endif
  g_test_add_func ("/experts/idle", test_idle);
  g_test_add_func ("/experts/fused", test_fused);
  g_test_add_func ("/experts/recompute", test_recompute);
  g_test_add_func ("/experts/little-room", test_little_room);
  g_test_add_func ("/experts/threads", test_threads);
  g_test_add_func ("/factored/golden", test_factored_golden);
  g_test_add_func ("/factored/row", test_factored_row);
  g_test_add_func ("/factored/limits", test_factored_limits);
  return g_test_run ();
}
