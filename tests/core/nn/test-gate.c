/* SPDX-License-Identifier: MIT
 *
 * What gates are made of: functions of one number against the C library's, normal numbers against
 * their distribution, top-k, measures of balance, and the decisions themselves at their edges.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/topk.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/kernels/special.h"
#include "core/nn/moe/balance.h"
#include "core/nn/moe/gate.h"
#include "core/nn/moe/strict.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 0x1p-53;
#else
static const double eps = 0x1p-24;
#endif

static void
test_functions (void)
{
  for (double a = -60; a <= 60; a += 0.01)
    {
      sl_real x = (sl_real) a, probability, density = sl_normal_density (x, &probability);
      double  d = (double) x, below = 0.5 * erfc (-d / M_SQRT2);
      double  plus = fmax (d, 0) + log1p (exp (-fabs (d)));

      sl_assert_near ((double) sl_softplus (x), plus, 8 * eps, 0);
      sl_assert_near ((double) sl_sigmoid (x), d > 0 ? 1 / (1 + exp (-d)) : exp (d) / (1 + exp (d)),
                      8 * eps, 0);
      /* The rounding of u² / 2, here and in the number compared with, is an exponent's. */
      sl_assert_near ((double) density, exp (-d * d / 2) / sqrt (2 * M_PI), (8 + 2 * d * d) * eps,
                      exp (-SL_FLAT));
      sl_assert_near ((double) probability, below, (16 + 2 * d * d) * eps, exp (-SL_FLAT));
    }
  for (double u = 1; u > 1e-9; u *= 0.99)
    {
      double d = (double) (sl_real) u;

      sl_assert_near ((double) sl_log_of ((sl_real) u), log (d), 6 * eps, 2 * eps);
      g_assert_cmpfloat (sl_log_of ((sl_real) u), <=, 0);
    }
  g_assert_cmpfloat (sl_exp_fall ((sl_real) INFINITY), ==, 0);
  g_assert_cmpfloat (sl_exp_fall (0), ==, 1);
  g_assert_true (isnan (sl_softplus ((sl_real) NAN)));
  g_assert_true (isnan (sl_sigmoid ((sl_real) NAN)));
  g_assert_true (isnan (sl_normal_density ((sl_real) NAN, NULL)));
  g_assert_cmpfloat (sl_softplus ((sl_real) -1e6), >, 0);
}

/* The first moments of many numbers, of neighbours, and of what is in both ends; each within five
 * standard deviations of what chance allows.  */
static void
test_normal_moments (void)
{
  enum { N = 1 << 20 };
  g_autofree sl_real *x = g_new (sl_real, N);
  double              sum[5] = { 0 }, lag[4] = { 0 }, tail[3] = { 0 };
  const double        variance[] = { 0, 1, 2, 15, 96 }; /* of x, x² …, x⁴ */
  const double        mean[] = { 0, 0, 1, 0, 3 };
  const size_t        lags[] = { 1, 16, 32, 8192 };
  SlRng               rng;

  sl_rng_init (&rng, 20, "noise");
  sl_normal_fill (&rng, N, x);
  for (size_t i = 0; i < N; i++)
    {
      double v = (double) x[i], power = 1;

      for (int p = 1; p <= 4; p++)
        sum[p] += power *= v;
      for (int l = 0; l < 4; l++)
        lag[l] += i >= lags[l] ? v * (double) x[i - lags[l]] : 0;
      for (int t = 0; t < 3; t++)
        tail[t] += fabs (v) > t + 2;
    }
  for (int p = 1; p <= 4; p++)
    sl_assert_near (sum[p] / N, mean[p], 0, 5 * sqrt (variance[p] / N));
  for (int l = 0; l < 4; l++)
    sl_assert_near (lag[l] / N, 0, 0, 5 / sqrt (N));
  for (int t = 0; t < 3; t++)
    {
      double share = erfc ((t + 2) / M_SQRT2);

      sl_assert_near (tail[t] / N, share, 0, 5 * sqrt (share / N));
    }
}

/* Equally likely sixteenths of the distribution, and pairs of them. */
static void
test_normal_cells (void)
{
  enum { N = 1 << 18, CELLS = 16 };
  g_autofree sl_real *x = g_new (sl_real, N);
  double              count[CELLS] = { 0 }, pairs[CELLS][CELLS] = { { 0 } }, chi = 0, chi_pairs = 0;
  int                 before = 0;
  SlRng               rng;

  sl_rng_init (&rng, 21, "noise");
  sl_normal_fill (&rng, N, x);
  for (size_t i = 0; i < N; i++)
    {
      int cell = (int) (CELLS * 0.5 * erfc (-(double) x[i] / M_SQRT2));

      g_assert_cmpint (cell, <, CELLS);
      count[cell]++;
      pairs[before][cell] += i % 2;
      before = cell;
    }
  for (int c = 0; c < CELLS; c++)
    {
      chi += (count[c] - N / CELLS) * (count[c] - N / CELLS) / (N / CELLS);
      for (int d = 0; d < CELLS; d++)
        {
          double want = N / 2.0 / CELLS / CELLS;

          chi_pairs += (pairs[c][d] - want) * (pairs[c][d] - want) / want;
        }
    }
  sl_assert_near (chi, CELLS - 1, 0, 5 * sqrt (2 * (CELLS - 1)));
  sl_assert_near (chi_pairs, CELLS * CELLS - 1, 0, 5 * sqrt (2 * (CELLS * CELLS - 1)));
}

/* One word of the generator whatever the count, fewer numbers are the first of more, and the number
 * of threads is not in them.  */
static void
test_normal_bytes (void)
{
  enum { N = 100000 };
  g_autofree sl_real *x = g_new (sl_real, N), *y = g_new (sl_real, N);
  const size_t        sizes[] = { 0, 1, 31, 32, 33, 8191, 8192, 8193, N };
  unsigned            threads = sl_blas_threads ();
  SlRng               rng, twin;

  sl_rng_init (&rng, 1, "noise");
  sl_blas_set_threads (1);
  sl_normal_fill (&rng, N, x);
  sl_rng_init (&twin, 1, "noise");
  sl_rng_next (&twin);
  g_assert_cmpmem (&rng, sizeof rng, &twin, sizeof twin);
  sl_blas_set_threads (2);
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      sl_rng_init (&twin, 1, "noise");
      sl_normal_fill (&twin, sizes[s], y);
      g_assert_cmpmem (&rng, sizeof rng, &twin, sizeof twin);
      g_assert_cmpmem (x, sizes[s] * sizeof *x, y, sizes[s] * sizeof *y);
    }
  sl_blas_set_threads (threads);
  sl_normal_fill (&rng, N, y);
  g_assert_cmpint (memcmp (x, y, N * sizeof *x), !=, 0);
}

/* Against picking the largest again and again. */
static void
test_topk (void)
{
  SlRng    rng;
  sl_real  v[3 * 70], value[3 * 70];
  uint32_t index[3 * 70];

  sl_rng_init (&rng, 1, "topk");
  for (size_t n = 1; n <= 70; n += 1 + n / 4)
    for (size_t k = 1; k <= n; k += 1 + k / 3)
      {
        for (size_t i = 0; i < 3 * n; i++)
          {
            uint64_t draw = sl_rng_below (&rng, 40); /* so few that many are equal */

            v[i] = draw == 0 ? (sl_real) NAN : draw == 1 ? (sl_real) -INFINITY : (sl_real) draw;
          }
        sl_topk (3, n, k, v, index, value);
        for (size_t r = 0; r < 3; r++)
          {
            bool taken[70] = { false };

            for (size_t p = 0; p < k; p++)
              {
                size_t  best = n;
                sl_real most = (sl_real) -INFINITY;

                for (size_t i = 0; i < n; i++)
                  if (!taken[i]
                      && (best == n || (isnan (v[r * n + i]) ? -INFINITY : v[r * n + i]) > most))
                    {
                      best = i;
                      most = isnan (v[r * n + i]) ? (sl_real) -INFINITY : v[r * n + i];
                    }
                taken[best] = true;
                g_assert_cmpuint (index[r * k + p], ==, best);
                g_assert_cmpfloat (value[r * k + p], ==, most);
              }
          }
      }
}

static void
test_balance (void)
{
  sl_real even[] = { 3, 3, 3, 3 }, one[] = { 0, 0, 8, 0 }, none[] = { 0, 0, 0 }, slope[4];

  g_assert_cmpfloat (sl_balance_cv2 (4, even, slope), ==, 0.0);
  g_assert_cmpfloat (sl_balance_effective (4, even), ==, 4.0);
  g_assert_cmpfloat (sl_balance_peak (4, one), ==, 4.0);
  sl_assert_near (sl_balance_cv (4, one), sl_balance_collapse (4, 1), 1e-12, 0);
  g_assert_cmpfloat (sl_balance_effective (4, one), ==, 1.0);
  g_assert_cmpfloat (sl_balance_cv2 (3, none, slope), ==, 0.0);
  g_assert_cmpfloat (slope[0], ==, 0);
  g_assert_cmpfloat (sl_balance_effective (3, none), ==, 0.0);
  g_assert_cmpfloat (sl_balance_peak (3, none), ==, 1.0);
  g_assert_cmpfloat (sl_balance_collapse (4, 4) + sl_balance_floor (4, 9, 10), ==, 0.0);
  /* Published: 200 examples on 16 experts, 300 000 on 256. */
  sl_assert_near (sl_balance_floor (16, 2, 200), 0.187, 0, 5e-4);
  sl_assert_near (sl_balance_floor (256, 4, 300000), 0.0145, 0, 5e-5);
  one[1] = (sl_real) NAN;
  g_assert_true (isnan (sl_balance_cv (4, one)));
}

/* Products in blocks against the naive ones, with a ragged end. */
static void
test_blocks (void)
{
  enum { R = 300, M = 130, N = 260 };
  g_autofree sl_real *a = g_new (sl_real, R * M), *b = g_new (sl_real, N * R);
  g_autofree sl_real *c = g_new (sl_real, R * N), *want = g_new (sl_real, R * N);
  g_autofree double  *exact = g_new (double, R *N);
  SlRng               rng;

  sl_rng_init (&rng, 1, "blocks");
  sl_normal_fill (&rng, R * M, a);
  sl_normal_fill (&rng, N * R, b);
  sl_mat_mul_ref (SL_TRANSPOSED, SL_PLAIN, M, N, R, 1, a, M, b, N, 0, want, N);
  sl_blocks_outer (R, M, N, a, b, c);
  for (size_t i = 0; i < M * N; i++)
    exact[i] = (double) want[i];
  sl_assert_close (c, exact, M * N, 0, 1000 * eps);
  for (int add = 0; add < 2; add++)
    {
      for (size_t i = 0; i < R * N; i++)
        c[i] = want[i] = add ? (sl_real) i / 1000 : (sl_real) NAN;
      sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, R, N, M, 1, a, M, b, N, (sl_real) add, want, N);
      sl_blocks_rows (SL_PLAIN, R, N, M, a, b, N, add, c, N);
      for (size_t i = 0; i < R * N; i++)
        exact[i] = (double) want[i];
      sl_assert_close (c, exact, R * N, 4 * eps, 1000 * eps);
    }
}

enum { B = 300, D = 6, N = 20 };

/* A gate and what it looks at. */
typedef struct
{
  SlGate     gate;
  SlArena    memory;
  SlGateRows rows;
  sl_real    x[B * D], epsilon[B * N], weights[D * 2 * N], gradient[D * 2 * N];
} Fixture;

static Fixture *
fixture_new (void)
{
  Fixture *f = g_new0 (Fixture, 1);
  size_t   bytes;
  SlRng    rng;

  sl_gate_carve (&f->gate, D, N, B, &f->memory);
  bytes = f->memory.used;
  g_assert_cmpint (sl_arena_init (&f->memory, bytes).code, ==, SL_OK);
  sl_gate_carve (&f->gate, D, N, B, &f->memory);
  sl_gate_bind (&f->gate, f->weights, f->gradient);
  sl_rng_init (&rng, 1, "gate");
  sl_normal_fill (&rng, B * D, f->x);
  sl_normal_fill (&rng, B * N, f->epsilon);
  sl_normal_fill (&rng, D * 2 * N, f->weights);
  f->rows = (SlGateRows) { .rows = B, .x = f->x, .epsilon = f->epsilon, .stride = N };
  return f;
}

static void
fixture_free (Fixture *f)
{
  sl_arena_clear (&f->memory);
  g_free (f);
}

/* Every number of a decision against plain loops in double. */
static void
check_decision (const Fixture *f, size_t k, double floor_of_sigma)
{
  double load[N] = { 0 };

  for (size_t r = 0; r < B; r++)
    {
      const uint32_t *chosen = f->gate.chosen + r * k;
      double          c[N], sigma[N], h[N], sum = 0, kth = -HUGE_VAL, next = -HUGE_VAL;
      bool            in[N] = { false };

      for (size_t i = 0; i < N; i++)
        {
          double a = 0;

          c[i] = 0;
          for (size_t d = 0; d < D; d++)
            {
              c[i] += (double) f->x[r * D + d] * (double) f->weights[d * 2 * N + i];
              a += (double) f->x[r * D + d] * (double) f->weights[d * 2 * N + N + i];
            }
          sigma[i] = fmax (a, 0) + log1p (exp (-fabs (a))) + floor_of_sigma;
          h[i] = c[i] + (double) f->epsilon[r * N + i] * sigma[i];
          sl_assert_near ((double) f->gate.sigma[r * N + i], sigma[i], 100 * eps, 0);
          sl_assert_near ((double) f->gate.h[r * N + i], h[i], 100 * eps, 200 * eps);
        }
      for (size_t p = 0; p < k; p++)
        {
          g_assert_true (p == 0 || chosen[p] > chosen[p - 1]);
          in[chosen[p]] = true;
          sum += exp (h[chosen[p]]);
          kth = p == 0 ? h[chosen[p]] : fmin (kth, h[chosen[p]]);
        }
      for (size_t p = 0; p < k; p++)
        sl_assert_near ((double) f->gate.g[r * k + p], exp (h[chosen[p]]) / sum, 1000 * eps, 0);
      for (size_t i = 0; i < N; i++)
        if (!in[i])
          next = fmax (next, h[i]);
      g_assert_cmpfloat (next, <=, kth + 200 * eps);
      for (size_t i = 0; i < N; i++)
        {
          double u = (c[i] - (in[i] ? next : kth)) / sigma[i];

          load[i] += k < N ? 0.5 * erfc (-u / M_SQRT2) : 1;
          if (k < N)
            sl_assert_near ((double) sl_gate_margin_of (&f->gate, i, r), u, 1000 * eps,
                            1000 * eps / sigma[i]);
        }
    }
  sl_assert_close (f->gate.load, load, N, 1000 * eps, 1000 * eps);
}

static void
test_decision (void)
{
  static const size_t ks[] = { 1, 2, 7, N - 1, N, N + 5 };
  Fixture            *f = fixture_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (ks); i++)
    {
      SlGateSetting setting = { .k = ks[i], .floor = (sl_real) 0.25, .load = true };

      sl_gate_forward (&f->gate, &setting, &f->rows);
      g_assert_cmpuint (f->gate.k, ==, MIN (ks[i], N));
      check_decision (f, f->gate.k, 0.25);
      g_assert_cmpuint (f->gate.not_finite, ==, 0);
    }
  fixture_free (f);
}

/* Held choices stay whatever the noise says; their gates follow it, also when another one is on top. */
static void
test_held (void)
{
  SlGateSetting   setting = { .k = 3, .load = true };
  uint32_t        chosen[3];
  Fixture        *f = fixture_new ();
  const uint32_t *best = f->gate.best;
  const sl_real  *h = f->gate.h;

  sl_gate_forward (&f->gate, &setting, &f->rows);
  memcpy (chosen, f->gate.chosen, sizeof chosen);
  for (size_t i = 0; i < N; i++)
    f->epsilon[i] = i == best[0]   ? -3000
                    : i == best[1] ? 30
                                   : 0; /* far below all others, and far above */
  setting.frozen = true;
  sl_gate_forward (&f->gate, &setting, &f->rows);
  g_assert_cmpmem (chosen, sizeof chosen, f->gate.chosen, sizeof chosen);
  for (size_t p = 0; p < 3; p++)
    {
      double sum = 0;

      for (size_t q = 0; q < 3; q++)
        sum += exp ((double) (h[chosen[q]] - h[chosen[p]]));
      sl_assert_near ((double) f->gate.g[p], 1 / sum, 10 * eps, 0);
    }
  fixture_free (f);
}

/* Equal logits go to the lowest experts, with half a chance for each place at the bar. */
static void
test_ties (void)
{
  SlGateSetting setting = { .k = 3, .load = true };
  Fixture      *f = fixture_new ();

  memset (f->weights, 0, sizeof f->weights);
  f->rows.epsilon = NULL;
  sl_gate_forward (&f->gate, &setting, &f->rows);
  for (size_t r = 0; r < B; r++)
    for (size_t p = 0; p < 3; p++)
      {
        g_assert_cmpuint (f->gate.chosen[r * 3 + p], ==, p);
        sl_assert_near ((double) f->gate.g[r * 3 + p], 1.0 / 3, 4 * eps, 0);
      }
  for (size_t i = 0; i < N; i++)
    sl_assert_near ((double) f->gate.load[i], B / 2.0, 100 * eps, 0);
  fixture_free (f);
}

/* Numbers that are none, infinite ones, whole rows of them, and a σ so small that its inverse is
 * not finite: all results are numbers.  */
static void
test_not_finite (void)
{
  SlGateSetting       setting = { .k = 2, .load = true, .threshold = true };
  g_autofree sl_real *dg = g_new (sl_real, B * 2), *dx = g_new (sl_real, B * D);
  sl_real             dload[N];
  Fixture            *f = fixture_new ();

  for (size_t i = 0; i < B * 2; i++)
    dg[i] = (sl_real) i / B;
  for (size_t i = 0; i < N; i++)
    dload[i] = (sl_real) i - 3;
  for (size_t i = 0; i < N; i++)
    f->epsilon[i] = (sl_real) NAN; /* a whole row */
  f->epsilon[N + 3] = (sl_real) INFINITY;
  f->epsilon[2 * N + 4] = (sl_real) NAN;
  for (size_t d = 0; d < D; d++)
    {
      f->x[5 * D + d] = 1e4f;                /* a row with huge logits of both signs */
      f->weights[d * 2 * N + N + 7] = -1e3f; /* an expert with hardly any noise in it */
    }
  sl_gate_forward (&f->gate, &setting, &f->rows);
  g_assert_cmpuint (f->gate.not_finite, ==, N + 2);
  g_assert_cmpuint (f->gate.chosen[0], ==, 0);
  g_assert_cmpuint (f->gate.chosen[1], ==, 1);
  g_assert_cmpfloat (f->gate.g[0], ==, 0.5);
  for (size_t p = 0; p < 2; p++)
    {
      g_assert_cmpuint (f->gate.chosen[2 + p], !=, 3);
      g_assert_cmpuint (f->gate.chosen[4 + p], !=, 4);
    }
  for (size_t i = 0; i < N; i++)
    g_assert_true (isfinite (f->gate.load[i]));
  sl_gate_backward (&f->gate, &setting, dg, dload, false, dx);
  for (size_t i = 0; i < D * 2 * N; i++)
    g_assert_true (isfinite (f->gradient[i]));
  for (size_t i = 0; i < B * D; i++)
    g_assert_true (isfinite (dx[i]));
  fixture_free (f);
}

/* Some rows of a larger batch, by number: their noise is found where the batch has it. */
static void
test_some_rows (void)
{
  enum { SOME = 40 };
  SlGateSetting setting = { .k = 3, .load = true };
  uint32_t      which[SOME];
  sl_real       x[SOME * D], g[SOME * 3];
  Fixture      *f = fixture_new ();

  sl_gate_forward (&f->gate, &setting, &f->rows);
  for (size_t r = 0; r < SOME; r++)
    {
      which[r] = (uint32_t) (7 * r + 3);
      memcpy (x + r * D, f->x + which[r] * D, D * sizeof *x);
      memcpy (g + r * 3, f->gate.g + which[r] * 3, 3 * sizeof *g);
    }
  f->rows = (SlGateRows) { SOME, x, f->epsilon, N, which };
  sl_gate_forward (&f->gate, &setting, &f->rows);
  for (size_t i = 0; i < SOME * 3; i++)
    sl_assert_near ((double) f->gate.g[i], (double) g[i], 100 * eps, 0);
  fixture_free (f);
}

/* The m-th of a column against sorting it, with many equal and some zero. */
static void
test_strict_columns (void)
{
  enum { E = 37 };
  SlStrict strict;
  SlArena  memory = { 0 };
  sl_real  x[B * D], weights[(D + 1) * E], gradient[(D + 1) * E];
  size_t   bytes;
  SlRng    rng;

  sl_strict_carve (&strict, D, E, B, &memory);
  bytes = memory.used;
  g_assert_cmpint (sl_arena_init (&memory, bytes).code, ==, SL_OK);
  sl_strict_carve (&strict, D, E, B, &memory);
  sl_strict_bind (&strict, weights, gradient);
  sl_rng_init (&rng, 3, "strict");
  sl_strict_init (&strict, &rng);
  for (size_t i = 0; i < B * D; i++)
    x[i] = (sl_real) sl_rng_below (&rng, 2) * 40; /* few different rows, and gates that underflow */
  for (size_t k = 1; k <= E; k += 6)
    for (size_t rows = 5; rows <= B; rows += 59)
      {
        size_t m = k * rows / E;

        if (rows < B)
          strict.g[rows * E] = 77;
        sl_strict_forward (&strict, k, rows, x, true, false);
        g_assert_true (rows == B || strict.g[rows * E] == 77); /* rows of another batch */
        for (size_t i = 0; i < E; i++)
          {
            g_assert_cmpuint (strict.count[i], ==, m);
            for (size_t r = 0; r < rows; r++)
              {
                size_t before = 0; /* rows that go before this one */

                for (size_t s = 0; s < rows; s++)
                  before += strict.gates[s * E + i] > strict.gates[r * E + i]
                            || (strict.gates[s * E + i] == strict.gates[r * E + i] && s < r);
                g_assert_cmpint (strict.mask[r * E + i], ==, before < m);
              }
          }
        g_assert_cmpfloat (sl_strict_loss (&strict), >=, -100 * eps);
        for (size_t r = 0; r < rows; r++)
          {
            double sum = 0;
            bool   any = false;

            for (size_t i = 0; i < E; i++)
              {
                sum += (double) strict.g[r * E + i];
                any |= strict.mask[r * E + i];
              }
            sl_assert_near (sum, any, 100 * eps, 0);
          }
      }
  sl_arena_clear (&memory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gate/functions", test_functions);
  g_test_add_func ("/gate/normal/moments", test_normal_moments);
  g_test_add_func ("/gate/normal/cells", test_normal_cells);
  g_test_add_func ("/gate/normal/bytes", test_normal_bytes);
  g_test_add_func ("/gate/topk", test_topk);
  g_test_add_func ("/gate/balance", test_balance);
  g_test_add_func ("/gate/blocks", test_blocks);
  g_test_add_func ("/gate/decision", test_decision);
  g_test_add_func ("/gate/held", test_held);
  g_test_add_func ("/gate/ties", test_ties);
  g_test_add_func ("/gate/not-finite", test_not_finite);
  g_test_add_func ("/gate/some-rows", test_some_rows);
  g_test_add_func ("/gate/strict-columns", test_strict_columns);
  return g_test_run ();
}
