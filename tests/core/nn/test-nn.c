/* SPDX-License-Identifier: MIT
 *
 * Layers, losses, dropout and optimisers: values against the C library's functions and
 * plain loops, gradients against central differences in double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/optim/optim.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 0x1p-53;
#else
static const double eps = 0x1p-24;
#endif

static const size_t sizes[] = { 0, 1, 7, 64, 65, 1000 };

static void
fill (SlRng *rng, sl_real *a, size_t n)
{
  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
}

/* Rectifiers, their slopes and gates; out of place and in place. */
static void
test_rectifier (void)
{
  SlRng   rng;
  sl_real x[1000], dy[1000], est[1000], y[1000], dx[1000], gated[1000];

  sl_rng_init (&rng, 1, "rectifier");
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      size_t n = sizes[s];

      fill (&rng, x, n);
      fill (&rng, dy, n);
      fill (&rng, est, n);
      for (size_t i = 0; i < n; i += 5)
        x[i] = est[n - 1 - i] = 0;
      sl_relu_forward (n, x, y);
      sl_relu_backward (n, y, dy, dx);
      sl_gated_relu (n, x, est, gated);
      for (size_t i = 0; i < n; i++)
        {
          g_assert_cmpfloat (y[i], ==, x[i] > 0 ? x[i] : 0);
          g_assert_cmpfloat (dx[i], ==, x[i] > 0 ? dy[i] : 0);
          g_assert_cmpfloat (gated[i], ==, x[i] > 0 && est[i] > 0 ? x[i] : 0);
        }
      sl_relu_backward (n, y, dy, dy);
      sl_gated_relu (n, x, est, est);
      sl_relu_forward (n, x, x);
      g_assert_cmpmem (dy, n * sizeof *dy, dx, n * sizeof *dx);
      g_assert_cmpmem (est, n * sizeof *est, gated, n * sizeof *gated);
      g_assert_cmpmem (x, n * sizeof *x, y, n * sizeof *y);
    }
}

static void
check_tanh (const sl_real *x, size_t n)
{
  sl_real y[1000];

  sl_tanh_forward (n, x, y);
  for (size_t i = 0; i < n; i++)
    {
      sl_assert_near ((double) y[i], tanh ((double) x[i]), 6 * eps, 0);
      g_assert_cmpint (signbit (y[i]), ==, signbit (x[i]));
    }
}

static void
test_tanh (void)
{
  SlRng   rng;
  sl_real x[1000], dy[1000], y[1000], dx[1000];
  sl_real special[] = { (sl_real) NAN,
                        (sl_real) INFINITY,
                        (sl_real) -INFINITY,
                        0,
                        (sl_real) -0.0,
                        (sl_real) 1e-30,
                        1000,
                        -1000 };

  sl_rng_init (&rng, 1, "tanh");
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      size_t n = sizes[s];

      /* Every size of number, with the usual ones among them. */
      for (size_t i = 0; i < n; i++)
        {
          double halvings = i % 3 == 0 ? 30 * sl_rng_uniform (&rng) : 0;

          x[i] = (sl_real) (sl_rng_normal (&rng) * pow (2, 4 - halvings));
        }
      check_tanh (x, n);
    }
  check_tanh (special + 1, G_N_ELEMENTS (special) - 1);
  sl_tanh_forward (G_N_ELEMENTS (special), special, y);
  g_assert_true (isnan (y[0]));

  sl_tanh_forward (1000, x, y);
  fill (&rng, dy, 1000);
  sl_tanh_backward (1000, y, dy, dx);
  for (size_t i = 0; i < 1000; i++)
    sl_assert_near ((double) dx[i], (double) dy[i] * (1 - (double) y[i] * (double) y[i]), 4 * eps,
                    4 * eps * fabs ((double) dy[i]));
  sl_tanh_forward (1000, x, x);
  g_assert_cmpmem (x, sizeof x, y, sizeof y);
}

/* Room for n numbers, and for one when n is 0. */
static sl_real *
room (size_t n)
{
  return g_new (sl_real, n + 1);
}

/* The layer against the naive product, written over what was there. */
static void
check_dense (SlRng *rng, size_t batch, size_t inputs, size_t units)
{
  g_autofree sl_real *x = room (batch * inputs), *w = room (units * inputs), *b = room (units);
  g_autofree sl_real *d = room (batch * units), *db = room (units);
  g_autofree sl_real *pre = room (batch * units), *pre_want = room (batch * units);
  g_autofree sl_real *dw = room (units * inputs), *dw_want = room (units * inputs);
  g_autofree sl_real *dx = room (batch * inputs), *dx_want = room (batch * inputs);
  double              slack = 40 * eps * (1 + sqrt ((double) (batch + inputs + units)));

  fill (rng, x, batch * inputs);
  fill (rng, w, units * inputs);
  fill (rng, b, units);
  fill (rng, d, batch * units);
  for (size_t i = 0; i < batch * units; i++)
    {
      pre[i] = (sl_real) NAN;
      pre_want[i] = b[i % units];
    }
  for (size_t i = 0; i < units * inputs; i++)
    dw[i] = (sl_real) NAN;
  for (size_t i = 0; i < batch * inputs; i++)
    dx[i] = (sl_real) NAN;

  sl_mat_mul_ref (SL_PLAIN, SL_TRANSPOSED, batch, units, inputs, 1, x, inputs, w, inputs, 1,
                  pre_want, units);
  sl_dense_forward (batch, inputs, units, x, w, b, pre);
  for (size_t i = 0; i < batch * units; i++)
    sl_assert_near ((double) pre[i], (double) pre_want[i], 4 * eps, slack);

  sl_mat_mul_ref (SL_TRANSPOSED, SL_PLAIN, units, inputs, batch, 1, d, units, x, inputs, 0, dw_want,
                  inputs);
  sl_mat_mul_ref (SL_PLAIN, SL_PLAIN, batch, inputs, units, 1, d, units, w, inputs, 0, dx_want,
                  inputs);
  sl_dense_backward (batch, inputs, units, x, w, d, dw, db, dx);
  for (size_t i = 0; i < units * inputs; i++)
    sl_assert_near ((double) dw[i], (double) dw_want[i], 4 * eps, slack);
  for (size_t i = 0; i < batch * inputs; i++)
    sl_assert_near ((double) dx[i], (double) dx_want[i], 4 * eps, slack);
  for (size_t i = 0; i < units; i++)
    {
      double sum = 0;

      for (size_t e = 0; e < batch; e++)
        sum += (double) d[e * units + i];
      sl_assert_near ((double) db[i], sum, 4 * eps, slack);
    }
  memcpy (dw_want, dw, units * inputs * sizeof *dw);
  sl_dense_backward (batch, inputs, units, x, w, d, dw, db, NULL);
  g_assert_cmpmem (dw, units * inputs * sizeof *dw, dw_want, units * inputs * sizeof *dw);
}

static void
test_dense (void)
{
  static const size_t shapes[][3]
    = { { 0, 3, 4 },  { 1, 1, 1 },    { 1, 64, 7 },  { 7, 65, 64 }, { 10, 2, 4 },    { 10, 4, 2 },
        { 10, 2, 1 }, { 10, 64, 64 }, { 64, 7, 65 }, { 65, 64, 7 }, { 128, 100, 60 } };
  SlRng rng;

  sl_rng_init (&rng, 1, "dense");
  for (size_t s = 0; s < G_N_ELEMENTS (shapes); s++)
    check_dense (&rng, shapes[s][0], shapes[s][1], shapes[s][2]);
}

static void
test_dropout (void)
{
  enum { N = 100003 };
  static const double rates[] = { 0, 0.1, 0.3, 0.5, 0.9 };
  SlRng               rng, twin;
  g_autofree uint8_t *mask = g_malloc (N + 1), *again = g_malloc (N + 1);
  sl_real             x[65], y[65];

  for (size_t r = 0; r < G_N_ELEMENTS (rates); r++)
    {
      size_t kept = 0, equal = 0, change[2] = { 0, 0 };

      sl_rng_init (&rng, 5, "dropout");
      twin = rng;
      mask[N] = 77;
      sl_dropout_draw (&rng, rates[r], N, mask);
      g_assert_cmpuint (mask[N], ==, 77);
      for (size_t i = 0; i < N; i++)
        {
          g_assert_cmpuint (mask[i], <=, 1);
          kept += mask[i];
          change[mask[i]] += i > 0 && mask[i - 1] != mask[i];
        }
      sl_assert_near ((double) kept, N * (1 - rates[r]), 0,
                      5 * sqrt (N * rates[r] * (1 - rates[r])));
      /* Neighbours are independent. */
      sl_assert_near ((double) change[0], N * rates[r] * (1 - rates[r]), 0, 5 * sqrt (N / 4.0));

      /* The same state gives the same mask, and the next call another one. */
      sl_dropout_draw (&twin, rates[r], N, again);
      g_assert_cmpmem (mask, N, again, N);
      g_assert_cmpuint (sl_rng_next (&rng), ==, sl_rng_next (&twin));
      sl_dropout_draw (&twin, rates[r], N, again);
      for (size_t i = 0; i < N; i++)
        equal += mask[i] == again[i];
      if (rates[r] > 0)
        sl_assert_near ((double) equal, N * (rates[r] * rates[r] + (1 - rates[r]) * (1 - rates[r])),
                        0, 5 * sqrt (N / 4.0));

      fill (&rng, x, 65);
      sl_dropout_apply (65, rates[r], mask, x, y);
      for (int i = 0; i < 65; i++)
        sl_assert_near ((double) y[i], mask[i] ? (double) x[i] / (1 - rates[r]) : 0, 4 * eps, 0);
      sl_dropout_apply (65, rates[r], mask, x, x);
      g_assert_cmpmem (x, sizeof x, y, sizeof y);
    }
  /* Raising the rate only drops more: the draws do not depend on it. */
  sl_rng_init (&rng, 5, "dropout");
  twin = rng;
  sl_dropout_draw (&rng, 0.2, N, mask);
  sl_dropout_draw (&twin, 0.6, N, again);
  for (size_t i = 0; i < N; i++)
    g_assert_true (mask[i] >= again[i]);
  sl_dropout_draw (&rng, 0.5, 0, mask);
}

static void
test_softmax (void)
{
  enum { B = 7, C = 10 };
  SlRng   rng;
  sl_real z[B * C], d[B * C];
  uint8_t label[B];
  double  want = 0;
  size_t  wrong = 0, errors;

  sl_rng_init (&rng, 1, "softmax");
  fill (&rng, z, B * C);
  z[3] += 300; /* would overflow without its maximum taken out */
  for (int e = 0; e < B; e++)
    {
      double sum = 0;
      int    best = 0;

      label[e] = (uint8_t) sl_rng_below (&rng, C);
      for (int c = 0; c < C; c++)
        {
          sum += exp ((double) z[e * C + c] - (e == 0 ? 300 : 0));
          best = z[e * C + c] > z[e * C + best] ? c : best;
        }
      want += (log (sum) + (e == 0 ? 300 : 0) - (double) z[e * C + label[e]]) / B;
      wrong += best != label[e];
    }
  sl_assert_near (sl_softmax_loss (B, C, z, label, NULL, &errors), want, 20 * eps, 20 * eps);
  g_assert_cmpuint (errors, ==, wrong);
  sl_assert_near (sl_softmax_loss (B, C, z, label, d, NULL), want, 20 * eps, 20 * eps);
  for (int e = 0; e < B; e++)
    {
      double sum = 0;

      for (int c = 0; c < C; c++)
        sum += (double) d[e * C + c];
      sl_assert_near (sum, 0, 0, 10 * eps);
    }
  sl_softmax_loss (B, C, z, label, z, &errors);
  g_assert_cmpmem (z, sizeof z, d, sizeof d);

  /* Ties go to the lowest class; not-a-number is not silent. */
  memset (z, 0, sizeof z);
  memset (label, 0, sizeof label);
  sl_assert_near (sl_softmax_loss (B, C, z, label, NULL, &errors), log (C), 4 * eps, 0);
  g_assert_cmpuint (errors, ==, 0);
  z[5] = (sl_real) NAN;
  g_assert_true (isnan (sl_softmax_loss (B, C, z, label, NULL, &errors)));
  g_assert_cmpfloat (sl_softmax_loss (0, C, z, label, NULL, &errors), ==, 0);
  g_assert_cmpuint (errors, ==, 0);
}

static void
test_logistic (void)
{
  const sl_real z[] = { 0, 1, -1, 30, -30, 1000, -1000, (sl_real) 0.25 };
  const uint8_t label[] = { 0, 1, 1, 0, 1, 1, 1, 0 };
  const size_t  n = G_N_ELEMENTS (z);
  sl_real       d[8];
  double        want = 0;
  size_t        errors;

  for (size_t i = 0; i < n; i++)
    {
      double away = label[i] ? -(double) z[i] : (double) z[i];

      want += (away > 0 ? away + log1p (exp (-away)) : log1p (exp (away))) / (double) n;
    }
  sl_assert_near (sl_logistic_loss (n, z, label, d, &errors), want, 10 * eps, 0);
  /* A logit of 0 is not above 0: class 0. */
  g_assert_cmpuint (errors, ==, 5);
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) d[i], (1 / (1 + exp (-(double) z[i])) - label[i]) / (double) n, 0,
                    4 * eps);
}

#ifdef SL_DOUBLE
/* A dense-tanh-dropout-dense net under a loss, as a function of one block of numbers. */
enum { B = 5, D = 4, H = 6, C = 3, WEIGHTS = H * D + H + C * H + C };

typedef struct
{
  bool    logistic;
  sl_real x[B * D], w[WEIGHTS], dw[WEIGHTS], dx[B * D];
  uint8_t label[B], mask[B * H];
} Small;

static double
small_loss (Small *s, bool backward)
{
  size_t  classes = s->logistic ? 1 : C, errors;
  sl_real hidden[B * H], dropped[B * H], out[B * C], dout[B * C], dhidden[B * H];
  double  loss;

  sl_dense_forward (B, D, H, s->x, s->w, s->w + H * D, hidden);
  sl_tanh_forward (B * H, hidden, hidden);
  sl_dropout_apply (B * H, 0.25, s->mask, hidden, dropped);
  sl_dense_forward (B, H, classes, dropped, s->w + H * D + H, s->w + WEIGHTS - C, out);
  loss = s->logistic ? sl_logistic_loss (B, out, s->label, dout, &errors)
                     : sl_softmax_loss (B, classes, out, s->label, dout, &errors);
  if (backward)
    {
      sl_real *dw = s->dw + H * D + H;

      sl_dense_backward (B, H, classes, dropped, s->w + H * D + H, dout, dw, s->dw + WEIGHTS - C,
                         dhidden);
      sl_dropout_apply (B * H, 0.25, s->mask, dhidden, dhidden);
      sl_tanh_backward (B * H, hidden, dhidden, dhidden);
      sl_dense_backward (B, D, H, s->x, s->w, dhidden, s->dw, s->dw + H * D, s->dx);
    }
  return loss;
}

/* The largest distance of `gradient` (n) from central differences in `at`, relative to the
 * largest slope.  */
static double
worst_slope (Small *s, sl_real *at, const sl_real *gradient, size_t n)
{
  const double h = 1e-5;
  double       worst = 0, scale = 0;

  for (size_t i = 0; i < n; i++)
    {
      double was = at[i], up, down, off;

      at[i] = was + h;
      up = small_loss (s, false);
      at[i] = was - h;
      down = small_loss (s, false);
      at[i] = was;
      off = fabs ((up - down) / (2 * h) - gradient[i]);
      worst = off <= worst ? worst : off;
      scale = fmax (scale, fabs (gradient[i]));
    }
  g_assert_cmpfloat (scale, >, 0.01);
  return worst / scale;
}

static void
test_gradients (void)
{
  SlRng rng;

  sl_rng_init (&rng, 1, "gradients");
  for (int logistic = 0; logistic < 2; logistic++)
    {
      Small s = { .logistic = logistic == 1 };

      fill (&rng, s.x, B * D);
      fill (&rng, s.w, WEIGHTS);
      sl_dropout_draw (&rng, 0.25, B * H, s.mask);
      for (int e = 0; e < B; e++)
        s.label[e] = (uint8_t) sl_rng_below (&rng, logistic ? 2 : C);
      small_loss (&s, true);
      sl_assert_near (worst_slope (&s, s.w, s.dw, H * D + H + (logistic ? H : C * H)), 0, 0, 1e-6);
      sl_assert_near (worst_slope (&s, s.w + WEIGHTS - C, s.dw + WEIGHTS - C, logistic ? 1 : C), 0,
                      0, 1e-6);
      sl_assert_near (worst_slope (&s, s.x, s.dx, B * D), 0, 0, 1e-6);
    }
}
#endif

/* The optimisers as their papers write them, in double, over three updates. */
static void
check_optimiser (SlRng *rng, SlOptimSetting setting, size_t n)
{
  g_autofree sl_real *w = g_new (sl_real, n + 1), *g = g_new (sl_real, n + 1);
  g_autofree sl_real *m = g_new0 (sl_real, n + 1), *v = g_new0 (sl_real, n + 1);
  g_autofree double  *want = g_new (double, n + 1);
  g_autofree double  *m1 = g_new0 (double, n + 1), *v1 = g_new0 (double, n + 1);
  double              rate = (double) setting.rate;
  double              b1 = (double) setting.beta1, b2 = (double) setting.beta2;

  fill (rng, w, n);
  for (size_t i = 0; i < n; i++)
    want[i] = (double) w[i];
  for (int t = 1; t <= 3; t++)
    {
      fill (rng, g, n);
      for (size_t i = 0; i < n; i++)
        {
          double slope = (double) g[i];

          want[i] *= 1 - rate * (double) setting.decay;
          switch (setting.kind)
            {
            case SL_SGD: want[i] -= rate * slope; break;
            case SL_MOMENTUM:
              m1[i] = 0.9 * m1[i] + slope;
              want[i] -= rate * m1[i];
              break;
            case SL_ADAM:
              m1[i] = b1 * m1[i] + (1 - b1) * slope;
              v1[i] = b2 * v1[i] + (1 - b2) * slope * slope;
              want[i] -= rate * m1[i] / (1 - pow (b1, t))
                         / (sqrt (v1[i] / (1 - pow (b2, t))) + (double) setting.epsilon);
              break;
            }
        }
      sl_optim_step (&setting, (uint64_t) t, n, g, w, m, v);
    }
  for (size_t i = 0; i < n; i++)
    sl_assert_near ((double) w[i], want[i], 20 * eps, 20 * eps);
}

static void
test_optimisers (void)
{
  static const size_t spans[] = { 0, 1, 7, 64, 65, 100000 };
  SlRng               rng;

  sl_rng_init (&rng, 1, "optimisers");
  for (size_t s = 0; s < G_N_ELEMENTS (spans); s++)
    for (int kind = SL_SGD; kind <= SL_ADAM; kind++)
      for (int decay = 0; decay < 2; decay++)
        {
          SlOptimSetting setting = sl_optim_default ();

          setting.kind = (SlOptimiser) kind;
          setting.rate = (sl_real) 0.01;
          setting.decay = (sl_real) (decay * 0.5);
          check_optimiser (&rng, setting, spans[s]);
        }
}

/* More threads, the same bytes, also written around the caches, from wherever the weights begin; and no moments where
 * the kind needs none.  */
static void
check_optimiser_threads (SlOptimiser kind)
{
  enum { N = 700001, WAYS = 4 };
  static const struct
  {
    unsigned threads, first;
    bool     common;
  } way[WAYS] = { { 1, 0, false }, { 2, 0, false }, { 2, 0, true }, { 2, 1, true } };
  SlOptimSetting      setting = sl_optim_default ();
  g_autofree sl_real *g = g_new (sl_real, N), *start = g_new (sl_real, N), *once = NULL;
  SlRng               rng;

  setting.kind = kind;
  sl_rng_init (&rng, 1, "threads");
  fill (&rng, g, N);
  fill (&rng, start, N);
  for (unsigned i = 0; i < WAYS; i++)
    {
      g_autofree sl_real *m = kind != SL_SGD ? g_new0 (sl_real, N) : NULL;
      g_autofree sl_real *v = kind == SL_ADAM ? g_new0 (sl_real, N) : NULL;
      g_autofree sl_real *room = g_new (sl_real, N + 1);
      sl_real            *w = room + way[i].first;

      memcpy (w, start, N * sizeof *w);
      sl_blas_set_threads (way[i].threads);
      for (uint64_t t = 1; t <= 3; t++)
        if (way[i].common)
          sl_optim_step_common (&setting, t, N, g, w, m, v);
        else
          sl_optim_step (&setting, t, N, g, w, m, v);
      if (once == NULL)
        once = g_memdup2 (w, N * sizeof *w);
      g_assert_cmpmem (w, N * sizeof *w, once, N * sizeof *once);
    }
  sl_blas_set_threads (1);
}

static void
test_optimiser_threads (void)
{
  check_optimiser_threads (SL_SGD);
  check_optimiser_threads (SL_MOMENTUM);
  check_optimiser_threads (SL_ADAM);
}

static void
test_init (void)
{
  enum { N = 50000 };
  SlRng               rng;
  g_autofree sl_real *w = g_new (sl_real, N);
  double              mean = 0, square = 0, bound = sqrt (6.0 / (784 + 1000));

  sl_rng_init (&rng, 1, "init");
  sl_init_glorot (&rng, 784, 1000, N, w);
  for (int i = 0; i < N; i++)
    {
      g_assert_true (fabs ((double) w[i]) <= bound * (1 + eps));
      mean += (double) w[i] / N;
      square += (double) w[i] * (double) w[i] / N;
    }
  sl_assert_near (mean, 0, 0, 5 * bound / sqrt (3.0 * N));
  sl_assert_near (square, bound * bound / 3, 0, 5 * bound * bound * sqrt (4.0 / 45 / N));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nn/rectifier", test_rectifier);
  g_test_add_func ("/nn/tanh", test_tanh);
  g_test_add_func ("/nn/dense", test_dense);
  g_test_add_func ("/nn/dropout", test_dropout);
  g_test_add_func ("/nn/softmax", test_softmax);
  g_test_add_func ("/nn/logistic", test_logistic);
#ifdef SL_DOUBLE
  g_test_add_func ("/nn/gradients", test_gradients);
#endif
  g_test_add_func ("/nn/optimisers", test_optimisers);
  g_test_add_func ("/nn/optimiser-threads", test_optimiser_threads);
  g_test_add_func ("/nn/init", test_init);
  return g_test_run ();
}
