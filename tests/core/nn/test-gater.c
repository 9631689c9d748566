/* SPDX-License-Identifier: MIT
 *
 * Stochastic gates: the network against naive sums, updates against gradients, draws against their
 * distributions, thresholds and bounds at their edges.  Their golden values are in
 * test-stochastic-gates.c.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"
#include "core/nn/gater/sparsity.h"
#include "core/nn/kernels/streams.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-13;
#else
static const double eps = 2e-5;
#endif

enum { B = 7, D = 9, M = 5, N = 20, C = 4 };

static const SlGaterKind kinds[] = { SL_GATER_RECTIFIER, SL_GATER_NOISY, SL_GATER_STS,
                                     SL_GATER_SBN,       SL_GATER_ST,    SL_GATER_SIGMOID };

typedef struct
{
  SlGater     gater;
  SlGaterTape tape;
  SlArena     arena;
  uint8_t     label[B];
  sl_real     over[N], under[N], baseline[N], pull[N], mean[N];
} Net;

static void
net_init (Net *net, SlGaterKind kind, uint64_t seed)
{
  SlRng rng;

  memset (net, 0, sizeof *net);
  sl_rng_init (&rng, seed, "test");
  sl_gater_shape (&net->gater, D, M, N, C);
  for (int pass = 0; pass < 2; pass++)
    {
      net->arena.used = 0;
      sl_gater_carve (&net->gater, &net->arena, &net->arena);
      sl_gater_tape_carve (&net->tape, &net->gater, B, NULL, &net->arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&net->arena, net->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  sl_gater_init (&net->gater, kind, &rng);
  for (unsigned l = 0; l < SL_GATER_LAYERS; l++)
    for (size_t i = net->gater.bias[l]; i < net->gater.n && i < net->gater.bias[l] + C; i++)
      net->gater.weights[i] = (sl_real) sl_rng_normal (&rng);
  for (size_t i = 0; i < B * D; i++)
    net->tape.x[i] = (sl_real) sl_rng_normal (&rng);
  for (size_t i = 0; i < B * N; i++)
    {
      net->tape.shift[i] = (sl_real) sl_rng_normal (&rng);
      net->tape.uniform[i] = (sl_real) sl_rng_uniform (&rng);
    }
  for (size_t e = 0; e < B; e++)
    net->label[e] = (uint8_t) sl_rng_below (&rng, C);
  for (size_t i = 0; i < N; i++)
    {
      net->over[i] = (sl_real) sl_rng_uniform (&rng);
      net->under[i] = (sl_real) (0.1 + sl_rng_uniform (&rng));
    }
}

static void
net_clear (Net *net)
{
  sl_arena_clear (&net->arena);
}

/* y = W x + b for one row of W. */
static double
row (const sl_real *w, sl_real b, const sl_real *x, size_t n)
{
  double sum = (double) b;

  for (size_t j = 0; j < n; j++)
    sum += (double) w[j] * (double) x[j];
  return sum;
}

/* The forward pass as the paper writes it. */
static void
test_forward (gconstpointer data)
{
  SlGaterUnit    unit = { .kind = kinds[GPOINTER_TO_UINT (data)] };
  Net            net;
  const SlGater *g = &net.gater;
  size_t         errors;
  double         loss, want = 0;

  net_init (&net, unit.kind, 1);
  sl_gater_forward (g, &unit, &net.tape, B, true, false);
  loss = sl_gater_loss (g, &net.tape, B, net.label, &errors);
  for (size_t e = 0; e < B; e++)
    {
      sl_real u[M];
      double  o[C], sum = 0;

      for (size_t m = 0; m < M; m++)
        u[m] = (sl_real) tanh (row (sl_gater_weight (g, SL_GATER_HIDDEN) + m * D,
                                    sl_gater_bias (g, SL_GATER_HIDDEN)[m], net.tape.x + e * D, D));
      for (size_t c = 0; c < C; c++)
        o[c] = (double) sl_gater_bias (g, SL_GATER_OUTPUT)[c];
      for (size_t i = 0; i < N; i++)
        {
          double z = row (sl_gater_weight (g, SL_GATER_LOGITS) + i * M,
                          sl_gater_bias (g, SL_GATER_LOGITS)[i], u, M)
                     + (double) net.tape.shift[e * N + i];
          double p = 1 / (1 + exp (-z)), h, draw = (double) net.tape.uniform[e * N + i];
          double expert = row (sl_gater_weight (g, SL_GATER_EXPERTS) + i * D,
                               sl_gater_bias (g, SL_GATER_EXPERTS)[i], net.tape.x + e * D, D);

          switch (unit.kind)
            {
            case SL_GATER_RECTIFIER:
            case SL_GATER_NOISY: h = z > 0 ? z : 0; break;
            case SL_GATER_STS: h = draw < sqrt (p) ? sqrt (p) : 0; break;
            case SL_GATER_SIGMOID: h = p; break;
            default: h = draw < p; break;
            }
          sl_assert_near ((double) net.tape.h[e * N + i], h, eps, 10 * eps);
          for (size_t c = 0; c < C; c++)
            o[c] += h * expert * (double) sl_gater_weight (g, SL_GATER_OUTPUT)[i * C + c];
        }
      for (size_t c = 0; c < C; c++)
        {
          sl_assert_near ((double) net.tape.o[e * C + c], o[c], 10 * eps, 20 * eps);
          sum += exp (o[c]);
        }
      want += (log (sum) - o[net.label[e]]) / B;
    }
  sl_assert_near (loss, want, 10 * eps, 10 * eps);
  net_clear (&net);
}

static void
prepare (Net *net, const SlGaterUnit *unit, SlGaterSignal *signal)
{
  size_t errors;

  sl_gater_forward (&net->gater, unit, &net->tape, B, true, false);
  sl_gater_loss (&net->gater, &net->tape, B, net->label, &errors);
  sl_gater_baseline (N, net->over, net->under, net->baseline);
  *signal = (SlGaterSignal) { .loss = net->tape.loss, .baseline = net->baseline, .l1 = 0.01F };
  if (sl_gater_is_binary (unit->kind))
    {
      signal->pull = net->pull;
      sl_gater_kl (unit, B, N, net->tape.p, 0.1, 0.3, net->mean, net->pull);
    }
}

/* Going down while the gradient is made is the same as making it and going down, and the bound
 * holds afterwards.  */
static void
test_updates (gconstpointer data)
{
  static const double momenta[] = { 0, 0.5 }, bounds[] = { 0, 1.1 };
  SlGaterUnit         unit = { .kind = kinds[GPOINTER_TO_UINT (data)] };

  for (int k = 0; k < 4; k++)
    {
      SlGaterLearning learning = { .rate = 0.1F,
                                   .factor = 0.25F,
                                   .most = (sl_real) bounds[k / 2],
                                   .momentum = (sl_real) momenta[k % 2] };
      SlGaterSignal   signal;
      Net             direct, apart;
      sl_real         work[N];
      SlGater        *g = &apart.gater;

      net_init (&direct, unit.kind, 2);
      net_init (&apart, unit.kind, 2);
      for (int t = 0; t < 3; t++)
        {
          prepare (&direct, &unit, &signal);
          sl_gater_backward (&direct.gater, &unit, &direct.tape, B, &signal, &learning);
          prepare (&apart, &unit, &signal);
          sl_gater_backward (g, &unit, &apart.tape, B, &signal, NULL);
          for (size_t i = 0; i < g->n; i++)
            {
              bool    gater = i < g->at[SL_GATER_EXPERTS];
              sl_real rate = learning.rate * (gater ? learning.factor : 1);

              g->velocity[i] = learning.momentum * g->velocity[i] + g->gradient[i];
              g->weights[i] -= rate * g->velocity[i];
            }
          if (learning.most > 0)
            {
              sl_gater_bound_rows (M, D, learning.most, sl_gater_weight (g, SL_GATER_HIDDEN));
              sl_gater_bound_rows (N, M, learning.most, sl_gater_weight (g, SL_GATER_LOGITS));
              sl_gater_bound_rows (N, D, learning.most, sl_gater_weight (g, SL_GATER_EXPERTS));
              sl_gater_bound_columns (N, C, learning.most, sl_gater_weight (g, SL_GATER_OUTPUT),
                                      work);
            }
        }
      for (size_t i = 0; i < g->n; i++)
        sl_assert_near ((double) direct.gater.weights[i], (double) g->weights[i], 20 * eps,
                        20 * eps);
      net_clear (&direct);
      net_clear (&apart);
    }
}

/* In use a net gives what it gives in training when the draws say the same. */
static void
test_deploy (gconstpointer data)
{
  SlGaterUnit   unit = { .kind = kinds[GPOINTER_TO_UINT (data)] };
  Net           net;
  sl_real       o[B * C], z[B * N], h[B * N];
  const sl_real shift = (sl_real) -0.3, cut = (sl_real) 0.2;

  net_init (&net, unit.kind, 3);
  for (size_t i = 0; i < B * N; i++)
    net.tape.shift[i] = shift;
  sl_gater_logits (&net.gater, shift, &net.tape, B);
  for (size_t i = 0; i < B * N; i++)
    net.tape.uniform[i] = net.tape.z[i] > cut ? 0 : 2;
  sl_gater_forward (&net.gater, &unit, &net.tape, B, true, false);
  memcpy (o, net.tape.o, sizeof o);
  memcpy (h, net.tape.h, sizeof h);
  memcpy (z, net.tape.z, sizeof z);
  for (size_t n = 1; n <= B; n += B - 1)
    {
      memset (net.tape.o, 0xff, sizeof o);
      sl_gater_deploy (&net.gater, &unit, shift, cut, &net.tape, n);
      for (size_t i = 0; i < n * N; i++)
        {
          sl_assert_near ((double) net.tape.z[i], (double) z[i], eps, eps);
          sl_assert_near ((double) net.tape.h[i], (double) h[i], eps, eps);
        }
      for (size_t i = 0; i < n * C; i++)
        sl_assert_near ((double) net.tape.o[i], (double) o[i], 10 * eps, 20 * eps);

      /* So does one whose gates are drawn. */
      memset (net.tape.o, 0xff, sizeof o);
      sl_gater_decide (&net.gater, &unit, &net.tape, n, true, false);
      sl_gater_run (&net.gater, &unit, &net.tape, n);
      for (size_t i = 0; i < n * C; i++)
        sl_assert_near ((double) net.tape.o[i], (double) o[i], 10 * eps, 20 * eps);
    }
  net_clear (&net);
}

/* No gate on: the outputs are their biases, nothing below them learns by backpropagation, and the
 * binary neuron still does.  */
static void
test_all_off (void)
{
  SlGaterUnit    unit = { .kind = SL_GATER_SBN };
  SlGaterSignal  signal;
  Net            net;
  const SlGater *g = &net.gater;
  double         lower = 0, upper = 0, logits = 0;

  net_init (&net, unit.kind, 4);
  for (size_t i = 0; i < B * N; i++)
    net.tape.uniform[i] = 2;
  prepare (&net, &unit, &signal);
  for (size_t i = 0; i < B * C; i++)
    g_assert_cmpfloat (net.tape.o[i], ==, sl_gater_bias (g, SL_GATER_OUTPUT)[i % C]);
  signal.pull = NULL;
  sl_gater_backward (&net.gater, &unit, &net.tape, B, &signal, NULL);
  for (size_t i = 0; i < N * D; i++)
    lower += fabs ((double) g->gradient[g->at[SL_GATER_EXPERTS] + i]);
  for (size_t i = 0; i < N * C; i++)
    upper += fabs ((double) g->gradient[g->at[SL_GATER_OUTPUT] + i]);
  for (size_t i = 0; i < N * M; i++)
    logits += fabs ((double) g->gradient[g->at[SL_GATER_LOGITS] + i]);
  g_assert_cmpfloat (lower, ==, 0);
  g_assert_cmpfloat (upper, ==, 0);
  g_assert_cmpfloat (logits, >, 0.01);
  net_clear (&net);
}

/* σ is right on both sides and does not reach 0 nor overflow. */
static void
test_sigmoid (void)
{
  enum { POINTS = 801 };
  sl_real x[POINTS], y[POINTS], far[] = { -1e4F, -100, 100, 1e4F, (sl_real) NAN }, p[5];

  for (int i = 0; i < POINTS; i++)
    x[i] = (sl_real) (i - 400) / 25;
  sl_sigmoid_forward (POINTS, x, y);
  for (int i = 0; i < POINTS; i++)
    sl_assert_near ((double) y[i], 1 / (1 + exp (-(double) x[i])), 0.05 * eps, 0);
  sl_sigmoid_forward (5, far, p);
  g_assert_true (p[0] > 0 && p[0] < 1e-8 && p[1] == p[0]);
  g_assert_true (p[2] == 1 && p[3] == 1);
  g_assert_true (isnan (p[4]));
}

static void
moments (size_t n, const sl_real *x, double *mean, double *variance)
{
  double sum = 0, squares = 0;

  for (size_t i = 0; i < n; i++)
    {
      sum += (double) x[i];
      squares += (double) x[i] * (double) x[i];
    }
  *mean = sum / (double) n;
  *variance = squares / (double) n - *mean * *mean;
}

/* Means and variances within five standard errors, and no two draws of a stream alike. */
static void
test_draws (void)
{
  enum { DRAWS = 200003 };
  static const double betas[] = { 1.1, 5.1, 40.1 };
  g_autofree sl_real *x = g_new (sl_real, DRAWS + 1);
  SlRng               rng;
  double              mean, variance;
  size_t              below = 0;

  sl_rng_init (&rng, 5, "draws");
  x[DRAWS] = 77;
  sl_gater_draw_uniform (&rng, DRAWS, x);
  g_assert_cmpfloat (x[DRAWS], ==, 77);
  moments (DRAWS, x, &mean, &variance);
  sl_assert_near (mean, 0.5, 0, 5 * sqrt (1.0 / 12 / DRAWS));
  sl_assert_near (variance, 1.0 / 12, 0, 5 * sqrt (1.0 / 180 / DRAWS));
  for (size_t i = 0; i < DRAWS; i++)
    {
      g_assert_true (x[i] >= 0 && x[i] < 1);
      g_assert_true (i < 64 || x[i] != x[i - 1] || x[i] != x[i - 2]);
    }

  sl_gater_draw_logistic (&rng, 0.5, DRAWS, x);
  moments (DRAWS, x, &mean, &variance);
  sl_assert_near (mean, 0, 0, 5 * 0.5 * G_PI / sqrt (3.0 * DRAWS));
  sl_assert_near (variance, 0.25 * G_PI * G_PI / 3, 0.03, 0);
  for (size_t i = 0; i < DRAWS; i++)
    below += (double) x[i] < 0.5;
  sl_assert_near ((double) below / DRAWS, 1 / (1 + exp (-1)), 0, 5 * sqrt (0.25 / DRAWS));

  for (size_t k = 0; k < G_N_ELEMENTS (betas); k++)
    {
      SlGaterBeta noise = sl_gater_beta (0.1, betas[k], false);
      double      sum = noise.alpha + noise.beta;
      double want = noise.alpha * noise.beta / (sum * sum * (sum + 1)) * noise.scale * noise.scale;

      sl_gater_draw_beta (&rng, &noise, DRAWS, x);
      moments (DRAWS, x, &mean, &variance);
      sl_assert_near (mean, sl_gater_beta_mean (&noise), 0, 5 * sqrt (want / DRAWS));
      sl_assert_near (variance, want, 0.02, 0);
      for (size_t i = 0; i < DRAWS; i++)
        g_assert_true (x[i] <= 0 && (double) x[i] >= noise.scale);
    }
}

/* As a full sort would say it. */
/* Draws are the words of a stream of their own: the upper and the lower 24 bits of each, as many as fit. */
static void
test_stream (void)
{
  enum { DRAWS = 5 * SL_STREAMS + 3 };
  sl_real   x[DRAWS];
  SlRng     rng, same;
  SlStreams streams;
  uint64_t  word[SL_STREAMS];

  sl_rng_init (&rng, 5, "draws");
  same = rng;
  sl_gater_draw_uniform (&rng, DRAWS, x);
  sl_streams_init (&streams, sl_rng_next (&same), 0);
  for (size_t i = 0; i < DRAWS; i++)
    {
      size_t lane = i % SL_STREAMS;
      bool   lower = i / SL_STREAMS % 2 == 1;

      if (lane == 0 && !lower)
        sl_streams_next (&streams, word);
      g_assert_cmpfloat ((double) x[i], ==,
                         (double) (lower ? word[lane] & 0xffffff : word[lane] >> 40) * 0x1p-24);
    }
}

/* Φ and σ of what the input is in standard deviations of the noise; a step without noise. */
static void
test_active (void)
{
  static const SlGaterUnit added = { .kind = SL_GATER_NOISY };
  static const SlGaterUnit times = { .kind = SL_GATER_NOISY, .times = true };
  const double             half = 0.69146246127401312; /* Φ (1/2) */

  sl_assert_near (sl_gater_active (&added, SL_GATER_GAUSSIAN, 2, 1), half, 1e-12, 0);
  sl_assert_near (sl_gater_active (&added, SL_GATER_GAUSSIAN, 2, -1), 1 - half, 1e-12, 0);
  sl_assert_near (sl_gater_active (&added, SL_GATER_LOGISTIC, 2, 1), 1 / (1 + exp (-0.5)), 1e-12,
                  0);
  g_assert_cmpfloat (sl_gater_active (&added, SL_GATER_NO_NOISE, 2, 1), ==, 1);
  g_assert_cmpfloat (sl_gater_active (&added, SL_GATER_NO_NOISE, 2, 0), ==, 0);
  g_assert_cmpfloat (sl_gater_active (&added, SL_GATER_GAUSSIAN, 0, -1), ==, 0);
  /* Noise that multiplies: the size of the input is no matter. */
  sl_assert_near (sl_gater_active (&times, SL_GATER_GAUSSIAN, 2, 7), half, 1e-12, 0);
  sl_assert_near (sl_gater_active (&times, SL_GATER_GAUSSIAN, 2, -7), 1 - half, 1e-12, 0);
  g_assert_cmpfloat (sl_gater_active (&times, SL_GATER_GAUSSIAN, 2, 0), ==, 0);
}

static int
falling (const void *a, const void *b)
{
  sl_real x = *(const sl_real *) a, y = *(const sl_real *) b;

  return (x < y) - (x > y);
}

static void
test_threshold (void)
{
  SlRng rng;

  sl_rng_init (&rng, 6, "threshold");
  for (size_t n = 1; n <= 60; n++)
    for (int k = 0; k <= 20; k++)
      {
        sl_real values[60], sorted[60], cut;
        double  s = k / 20.0;
        size_t  above = (size_t) (s * (double) n + 0.5), count = 0;

        /* Every other time with many ties. */
        for (size_t i = 0; i < n; i++)
          values[i]
            = (sl_real) (k % 2 == 0 ? sl_rng_normal (&rng) : (double) sl_rng_below (&rng, 4));
        memcpy (sorted, values, sizeof sorted);
        qsort (sorted, n, sizeof *sorted, falling);
        cut = sl_gater_threshold (n, values, s);
        for (size_t i = 0; i < n; i++)
          count += sorted[i] > cut;
        if (above >= n)
          g_assert_cmpuint (count, ==, n);
        else if (above == 0)
          g_assert_cmpuint (count, ==, 0);
        else
          {
            g_assert_cmpfloat (cut, ==, (sorted[above - 1] + sorted[above]) / 2);
            if (sorted[above - 1] > sorted[above])
              g_assert_cmpuint (count, ==, above);
            else
              g_assert_cmpuint (count, <, above);
          }
      }
}

/* Means of exactly 0 and 1, and no weight at all. */
static void
test_guards (void)
{
  SlGaterUnit unit = { .kind = SL_GATER_ST };
  sl_real     p[2 * 3] = { 0, 1, 0.5, 0, 1, 0.5 }, mean[3], pull[3];
  double      term = sl_gater_kl (&unit, 2, 3, p, 0.1, 0.5, mean, pull);

  sl_assert_near (term, -0.5 * (0.1 * log (1e-6) + 0.9 * log (1e-6) + log (0.5)), 1e-6, 0);
  for (int i = 0; i < 3; i++)
    g_assert_true (isfinite (pull[i]));
  /* Pulled up, down and down. */
  g_assert_true (pull[0] < 0 && pull[1] > 0 && pull[2] > 0);
  g_assert_cmpfloat (sl_gater_kl (&unit, 2, 3, p, 0.1, 0, mean, pull), ==, 0);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (pull[i], ==, 0);
  /* The controller stays within its bounds. */
  g_assert_cmpfloat (sl_gater_lambda (1, 0.9, 0.1, 0.5), ==, 1);
  g_assert_cmpfloat (sl_gater_lambda (1e-13, 0, 0.1, 0.5), ==, 1e-13);
  g_assert_cmpfloat (sl_gater_lambda (1e-5, NAN, 0.1, 0.5), ==, 1e-5);
}

static void
test_rates (void)
{
  sl_real h[3 * 4] = { 1, 0, 0.5F, 0, 1, 0, 0, 0, 1, 0, -1, 0 }, rate[4];

  sl_assert_near (sl_gater_rates (3, 4, h, rate), 5.0 / 12, 1e-6, 0);
  sl_assert_near ((double) rate[0], 1, 0, 0);
  sl_assert_near ((double) rate[1], 0, 0, 0);
  sl_assert_near ((double) rate[2], 2.0 / 3, 1e-6, 0);
}

static void
add (const char *name, GTestDataFunc function)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autofree char *path = g_strdup_printf ("/gater/%s/%u", name, k);

      g_test_add_data_func (path, GUINT_TO_POINTER (k), function);
    }
}

/* λ moves only where the density is more than 0.01 off, and stays within its bounds. */
static void
test_lambda (void)
{
  sl_assert_near (sl_gater_lambda (0.5, 0.12, 0.1, 0.25), 0.625, 1e-15, 0);
  sl_assert_near (sl_gater_lambda (0.5, 0.08, 0.1, 0.25), 0.375, 1e-15, 0);
  g_assert_true (sl_gater_lambda (0.5, 0.105, 0.1, 0.25) == 0.5);
  g_assert_true (sl_gater_lambda (0.5, 0.095, 0.1, 0.25) == 0.5);
  g_assert_true (sl_gater_lambda (0.9, 0.9, 0.1, 0.25) == 1.0);
  g_assert_true (sl_gater_lambda (1e-13, 0.0, 0.1, 0.25) == 1e-13);
}

/* Rows and columns that are too long get the length that is allowed, the others stay. */
static void
test_bounds (void)
{
  sl_real by_row[] = { 3, 4, 0.3F, 0.4F, 0, 2 }, by_column[] = { 3, 0.3F, 0, 4, 0.4F, 2 }, work[3];

  sl_gater_bound_rows (3, 2, 1, by_row);
  sl_gater_bound_columns (2, 3, 1, by_column, work);
  for (unsigned i = 0; i < 3; i++)
    for (unsigned j = 0; j < 2; j++)
      {
        static const double want[3][2] = { { 0.6, 0.8 }, { 0.3, 0.4 }, { 0, 1 } };

        sl_assert_near ((double) by_row[i * 2 + j], want[i][j], 0, 1e-6);
        sl_assert_near ((double) by_column[j * 3 + i], want[i][j], 0, 1e-6);
      }
}

/* Unit by unit, what gates say without chance: five inputs on both sides of 0 and of the cut. */
static void
test_settle (void)
{
  const sl_real a[] = { (sl_real) -1.5, (sl_real) 0.2, 2, (sl_real) -0.1, (sl_real) 0.7 };

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      SlGaterUnit unit = { .kind = kinds[k], .apart = true, .mean = (sl_real) 0.25 };
      sl_real     h[G_N_ELEMENTS (a)];

      sl_gater_settle (&unit, (sl_real) 0.5, G_N_ELEMENTS (a), a, h);
      for (size_t i = 0; i < G_N_ELEMENTS (a); i++)
        {
          double z = (double) a[i], want = z > 0.5;

          if (kinds[k] == SL_GATER_RECTIFIER || kinds[k] == SL_GATER_NOISY)
            want = fmax (z, 0);
          else if (kinds[k] == SL_GATER_STS)
            want = z > 0.5 ? sqrt (sl_gater_sigmoid (z - 0.25)) : 0;
          else if (kinds[k] == SL_GATER_SIGMOID)
            want = sl_gater_sigmoid (z);
          sl_assert_near ((double) h[i], want, 10 * eps, 10 * eps);
        }
    }
}

/* Unit by unit, the gradient of gates that fired and of those that did not. */
static void
test_credit (void)
{
  enum { UNITS = 4 };
  const sl_real p[UNITS] = { (sl_real) 0.1, (sl_real) 0.4, (sl_real) 0.6, (sl_real) 0.9 };
  const sl_real dh[UNITS] = { 2, -1, 3, (sl_real) 0.5 }, loss[] = { 2 };
  const sl_real baseline[UNITS] = { (sl_real) 0.5, 1, 3, 4 };
  const uint8_t on[UNITS] = { 1, 0, 1, 0 };
  SlGaterSignal signal = { .loss = loss, .baseline = baseline, .l1 = (sl_real) 0.25 };

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      SlGaterUnit unit = { .kind = kinds[k], .slope = true };
      sl_real     h[UNITS], da[UNITS];

      for (size_t i = 0; i < UNITS; i++)
        h[i] = on[i] ? (kinds[k] == SL_GATER_STS ? sqrt (p[i]) : 1) : 0;
      sl_gater_credit (&unit, 1, UNITS, p, on, h, dh, &signal, da);
      for (size_t i = 0; i < UNITS; i++)
        {
          double q = (double) p[i], d = (double) dh[i], want = d * q * (1 - q);

          if (kinds[k] == SL_GATER_RECTIFIER || kinds[k] == SL_GATER_NOISY)
            want = on[i] ? d + 0.25 : 0;
          else if (kinds[k] == SL_GATER_STS)
            want = on[i] ? d * 0.5 * sqrt (q) * (1 - q) : 0;
          else if (kinds[k] == SL_GATER_SBN)
            want = ((double) h[i] - q) * (2 - (double) baseline[i]);
          sl_assert_near ((double) da[i], want, 10 * eps, 10 * eps);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("forward", test_forward);
  add ("updates", test_updates);
  add ("deploy", test_deploy);
  g_test_add_func ("/gater/all-off", test_all_off);
  g_test_add_func ("/gater/sigmoid", test_sigmoid);
  g_test_add_func ("/gater/draws", test_draws);
  g_test_add_func ("/gater/stream", test_stream);
  g_test_add_func ("/gater/active", test_active);
  g_test_add_func ("/gater/threshold", test_threshold);
  g_test_add_func ("/gater/settle", test_settle);
  g_test_add_func ("/gater/credit", test_credit);
  g_test_add_func ("/gater/guards", test_guards);
  g_test_add_func ("/gater/rates", test_rates);
  g_test_add_func ("/gater/lambda", test_lambda);
  g_test_add_func ("/gater/bounds", test_bounds);
  return g_test_run ();
}
