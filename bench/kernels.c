/* SPDX-License-Identifier: MIT
 *
 * Figures of the kernels in core/nn, one by one: bench-kernels [THREADS [NAME…]].  Every
 * figure is the best of several rounds; ratios compare things timed in turn in the same
 * rounds.  On one thread its own clock counts, so that other programs disturb little.
 * What the program promises is measured by `sluice-bench`.  */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/gesdd.h"
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/optim/optim.h"
#include "core/run/base/cpu.h"

enum { LAYERS_MAX = 4 };

static double
now (void)
{
  struct timespec t;

  clock_gettime (sl_blas_threads () == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
keep_least (double *best, double value)
{
  if (*best == 0.0 || value < *best)
    *best = value;
}

static void
print (const char *name, double value, const char *unit)
{
  printf ("%-34s %12.4g %s\n", name, value, unit);
}

static sl_real *
reals (size_t n)
{
  sl_real *a = aligned_alloc (64, (n * sizeof *a + 63) / 64 * 64);

  if (a == NULL)
    exit (1);
  memset (a, 0, n * sizeof *a);
  return a;
}

static sl_real *
normals (SlRng *rng, size_t n)
{
  sl_real *a = reals (n);

  for (size_t i = 0; i < n; i++)
    a[i] = (sl_real) sl_rng_normal (rng);
  return a;
}

/* A network with everything one training step needs. */
typedef struct
{
  unsigned       layers;
  size_t         width[LAYERS_MAX + 1], batch, examples;
  bool           tanh;
  double         dropout[LAYERS_MAX]; /* of the input of each layer */
  SlOptimSetting optim;
  uint64_t       t;
  SlRng          rng;
  sl_real       *data;  /* (examples, width[0]) */
  uint8_t       *label; /* (examples) */
  uint8_t       *batch_label;
  sl_real       *w[LAYERS_MAX], *b[LAYERS_MAX], *g[LAYERS_MAX], *m[LAYERS_MAX], *v[LAYERS_MAX];
  sl_real       *x[LAYERS_MAX + 1], *d[LAYERS_MAX + 1];
  uint8_t       *mask[LAYERS_MAX];
} Net;

static void
net_init (Net *net)
{
  sl_rng_init (&net->rng, 1, "bench");
  net->data = normals (&net->rng, net->examples * net->width[0]);
  net->label = malloc (net->examples);
  net->batch_label = malloc (net->batch);
  for (size_t e = 0; e < net->examples; e++)
    net->label[e] = (uint8_t) sl_rng_below (&net->rng, net->width[net->layers] == 1 ? 2 : 10);
  for (unsigned l = 0; l <= net->layers; l++)
    {
      net->x[l] = reals (net->batch * net->width[l]);
      net->d[l] = reals (net->batch * net->width[l]);
    }
  for (unsigned l = 0; l < net->layers; l++)
    {
      size_t n = (net->width[l] + 1) * net->width[l + 1];

      net->w[l] = reals (n);
      net->b[l] = net->w[l] + net->width[l] * net->width[l + 1];
      net->g[l] = reals (n);
      net->m[l] = reals (n);
      net->v[l] = reals (n);
      net->mask[l] = malloc (net->batch * net->width[l]);
      sl_init_glorot (&net->rng, net->width[l], net->width[l + 1],
                      net->width[l] * net->width[l + 1], net->w[l]);
    }
}

static void
net_clear (Net *net)
{
  free (net->data);
  free (net->label);
  free (net->batch_label);
  for (unsigned l = 0; l <= net->layers; l++)
    {
      free (net->x[l]);
      free (net->d[l]);
    }
  for (unsigned l = 0; l < net->layers; l++)
    {
      free (net->w[l]);
      free (net->g[l]);
      free (net->m[l]);
      free (net->v[l]);
      free (net->mask[l]);
    }
}

/* One training step on randomly drawn examples; returns the loss. */
static double
net_step (Net *net)
{
  size_t   batch = net->batch;
  unsigned layers = net->layers;
  double   loss;
  size_t   errors;

  for (size_t e = 0; e < batch; e++)
    {
      size_t one = sl_rng_below (&net->rng, net->examples);

      memcpy (net->x[0] + e * net->width[0], net->data + one * net->width[0],
              net->width[0] * sizeof (sl_real));
      net->batch_label[e] = net->label[one];
    }
  for (unsigned l = 0; l < layers; l++)
    {
      size_t n = batch * net->width[l];

      if (net->dropout[l] > 0)
        {
          sl_dropout_draw (&net->rng, net->dropout[l], n, net->mask[l]);
          sl_dropout_apply (n, net->dropout[l], net->mask[l], net->x[l], net->x[l]);
        }
      sl_dense_forward (batch, net->width[l], net->width[l + 1], net->x[l], net->w[l], net->b[l],
                        net->x[l + 1]);
      n = batch * net->width[l + 1];
      if (l + 1 < layers && net->tanh)
        sl_tanh_forward (n, net->x[l + 1], net->x[l + 1]);
      else if (l + 1 < layers)
        sl_relu_forward (n, net->x[l + 1], net->x[l + 1]);
    }
  if (net->width[layers] == 1)
    loss = sl_logistic_loss (batch, net->x[layers], net->batch_label, net->d[layers], &errors);
  else
    loss = sl_softmax_loss (batch, net->width[layers], net->x[layers], net->batch_label,
                            net->d[layers], &errors);
  net->t++;
  for (unsigned l = layers; l-- > 0;)
    {
      size_t n = batch * net->width[l], inputs = net->width[l], units = net->width[l + 1];

      sl_dense_backward (batch, inputs, units, net->x[l], net->w[l], net->d[l + 1], net->g[l],
                         net->g[l] + inputs * units, l > 0 ? net->d[l] : NULL);
      sl_optim_step (&net->optim, net->t, (inputs + 1) * units, net->g[l], net->w[l], net->m[l],
                     net->v[l]);
      if (l > 0 && net->dropout[l] > 0)
        sl_dropout_apply (n, net->dropout[l], net->mask[l], net->d[l], net->d[l]);
      if (l > 0 && net->tanh)
        sl_tanh_backward (n, net->x[l], net->d[l], net->d[l]);
      else if (l > 0)
        sl_relu_backward (n, net->x[l], net->d[l], net->d[l]);
    }
  return loss;
}

/* The bare products of that step. */
static void
net_products (Net *net)
{
  size_t batch = net->batch;

  for (unsigned l = 0; l < net->layers; l++)
    sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, batch, net->width[l + 1], net->width[l], 1, net->x[l],
                net->width[l], net->w[l], net->width[l], 0, net->x[l + 1], net->width[l + 1]);
  for (unsigned l = net->layers; l-- > 0;)
    {
      size_t inputs = net->width[l], units = net->width[l + 1];

      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, units, inputs, batch, 1, net->d[l + 1], units, net->x[l],
                  inputs, 0, net->g[l], inputs);
      if (l > 0)
        sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, inputs, units, 1, net->d[l + 1], units, net->w[l],
                    inputs, 0, net->d[l], inputs);
    }
}

static void
bench_step (void)
{
  Net net = {
    .layers = 4,
    .width = { 784, 1000, 600, 400, 10 },
    .batch = 128,
    .examples = 6000,
    .dropout = { 0.3, 0.5, 0.5, 0.5 },
    .optim = sl_optim_default (),
  };
  double bare = 0, step = 0, loss = 0;

  net_init (&net);
  net.optim.rate = (sl_real) 1e-4;
  for (int round = 0; round < 60; round++)
    {
      double start = now (), middle;

      net_products (&net);
      middle = now ();
      loss = net_step (&net);
      keep_least (&bare, middle - start);
      keep_least (&step, now () - middle);
    }
  print ("784-1000-600-400-10 products", 1e3 * bare, "ms");
  print ("784-1000-600-400-10 step", 1e3 * step, "ms");
  print ("784-1000-600-400-10 step ratio", step / bare, "of the products (bar 1.333)");
  print ("784-1000-600-400-10 loss", loss, "nats");
  net_clear (&net);
}

static void
bench_toy (const char *name, size_t a, size_t b, SlOptimiser kind, bool relu, double bar)
{
  Net net = {
    .layers = 3,
    .width = { 2, a, b, 1 },
    .batch = 10,
    .examples = 500,
    .tanh = !relu,
    .optim = sl_optim_default (),
  };
  double best = 0, loss = 0;
  int    steps = 3000;
  char   unit[64];

  net_init (&net);
  net.optim.kind = kind;
  for (int round = 0; round < 10; round++)
    {
      double start = now ();

      for (int i = 0; i < steps; i++)
        loss = net_step (&net);
      keep_least (&best, (now () - start) / steps);
    }
  snprintf (unit, sizeof unit, "examples/s (bar %g), loss %.3f", bar, loss);
  print (name, 10.0 / best, unit);
  net_clear (&net);
}

static void
bench_toys (void)
{
  bench_toy ("2-4-2-1 tanh, Adam", 4, 2, SL_ADAM, false, 3e6);
  bench_toy ("2-4-2-1 tanh, SGD", 4, 2, SL_SGD, false, 3e6);
  bench_toy ("2-64-64-1 tanh, Adam", 64, 64, SL_ADAM, false, 3e5);
  bench_toy ("2-64-64-1 relu, Adam", 64, 64, SL_ADAM, true, 3e5);
}

static void
bench_tanh (void)
{
  size_t   n = 8192;
  SlRng    rng;
  sl_real *x, *y = reals (n);
  double   best = 0;

  sl_rng_init (&rng, 1, "bench");
  x = normals (&rng, n);
  for (int round = 0; round < 200; round++)
    {
      double start = now ();

      sl_tanh_forward (n, x, y);
      keep_least (&best, now () - start);
    }
  print ("tanh", 1e9 * best / (double) n, "ns each");
  free (x);
  free (y);
}

static void
bench_optim (void)
{
  size_t         n = 784 * 1000;
  SlRng          rng;
  sl_real       *g, *w = reals (n), *m = reals (n), *v = reals (n);
  SlOptimSetting setting = sl_optim_default ();
  double         best = 0;

  sl_rng_init (&rng, 1, "bench");
  g = normals (&rng, n);
  for (int round = 0; round < 50; round++)
    {
      double start = now ();

      sl_optim_step (&setting, (uint64_t) round + 1, n, g, w, m, v);
      keep_least (&best, now () - start);
    }
  print ("Adam, 784000 weights", 1e3 * best, "ms");
  free (g);
  free (w);
  free (m);
  free (v);
}

static void
bench_dropout (void)
{
  size_t   n = 128 * 1000;
  SlRng    rng;
  sl_real *x;
  uint8_t *mask = malloc (n);
  double   draw = 0, apply = 0;

  sl_rng_init (&rng, 1, "bench");
  x = normals (&rng, n);
  for (int round = 0; round < 50; round++)
    {
      double start = now (), middle;

      sl_dropout_draw (&rng, 0.5, n, mask);
      middle = now ();
      sl_dropout_apply (n, 0.5, mask, x, x);
      keep_least (&draw, middle - start);
      keep_least (&apply, now () - middle);
    }
  print ("dropout draw, 128000", 1e6 * draw, "us");
  print ("dropout apply, 128000", 1e6 * apply, "us");
  free (x);
  free (mask);
}

/* A mask (batch, n) that is on with probability alpha, and the rows on of the first example. */
static size_t
random_rows (SlRng *rng, size_t batch, size_t n, double alpha, uint8_t *mask, uint32_t *rows)
{
  size_t count = 0;

  for (size_t i = 0; i < batch * n; i++)
    mask[i] = sl_rng_uniform (rng) < alpha;
  for (size_t i = 0; i < n; i++)
    if (mask[i])
      rows[count++] = (uint32_t) i;
  return count;
}

static void
bench_gather (void)
{
  static const double alphas[] = { 0.5, 0.25, 0.1 };
  const size_t        n = 1024, batch = 64;
  SlRng               rng;
  sl_real            *w, *x, *b, *y = reals (batch * n);
  uint8_t            *mask = malloc (batch * n);
  uint32_t           *rows = malloc (n * sizeof *rows);
  char                name[64];

  sl_rng_init (&rng, 1, "bench");
  w = normals (&rng, n * n);
  x = normals (&rng, batch * n);
  b = normals (&rng, n);
  for (size_t k = 0; k < sizeof alphas / sizeof *alphas; k++)
    {
      size_t count = random_rows (&rng, batch, n, alphas[k], mask, rows), on = 0;
      double vec = 0, gather = 0, mul = 0, relu = 0;

      for (size_t i = 0; i < batch * n; i++)
        on += mask[i];
      for (int round = 0; round < 100; round++)
        {
          double start[5] = { now () };

          for (int i = 0; i < 10; i++)
            sl_mat_vec (n, n, w, n, x, y);
          start[1] = now ();
          for (int i = 0; i < 10; i++)
            sl_gather_vec (n, w, b, x, rows, count, y);
          start[2] = now ();
          sl_dense_forward (batch, n, n, x, w, b, y);
          sl_relu_forward (batch * n, y, y);
          start[3] = now ();
          sl_gather_masked (batch, n, n, w, b, x, mask, y);
          sl_relu_forward (batch * n, y, y);
          start[4] = now ();
          keep_least (&vec, start[1] - start[0]);
          keep_least (&gather, start[2] - start[1]);
          keep_least (&mul, start[3] - start[2]);
          keep_least (&relu, start[4] - start[3]);
        }
      snprintf (name, sizeof name, "gathered GEMV, alpha %.2f", alphas[k]);
      print (name, vec / gather * (double) count / (double) n, "of the ideal 1/alpha (bar 0.95)");
      print (name, 1e5 * gather, "us");
      print ("dense GEMV", 1e5 * vec, "us");
      snprintf (name, sizeof name, "gathered batch 64, alpha %.2f", alphas[k]);
      print (name, mul / relu * (double) on / (double) (batch * n), "of the ideal 1/alpha");
      print (name, mul / relu, "times the dense layer's speed");
    }
  free (w);
  free (x);
  free (b);
  free (y);
  free (mask);
  free (rows);
}

/* Examples with the spectrum of pictures: a few strong directions, many weak ones. */
static void
picture_like (SlRng *rng, size_t examples, size_t n, sl_real *data)
{
  sl_real *basis = normals (rng, n * n), *code = normals (rng, examples * n);

  for (size_t e = 0; e < examples; e++)
    for (size_t i = 0; i < n; i++)
      code[e * n + i] *= (sl_real) (0.5 / (1.0 + 0.15 * (double) i));
  sl_mat_mul (SL_PLAIN, SL_PLAIN, examples, n, n, (sl_real) 0.3, code, n, basis, n, 0, data, n);
  free (basis);
  free (code);
}

/* A layer that is really trained, followed at rank 50 all the while. */
static void
bench_lowrank (void)
{
  enum { RANK = 50, EVERY = 10, ROUNDS = 1 };
  Net net = {
    .layers = 2,
    .width = { 784, 1000, 10 },
    .batch = 64,
    .examples = 2000,
    .optim = sl_optim_default (),
  };
  const size_t d = 784, h = 1000;
  SlArena      arena = { 0 };
  SlLowRank    lr;
  SlStatus     status;
  double       warm = 0, exact = 0, start;
  size_t       same = 0, examples = 256;

  net_init (&net);
  picture_like (&net.rng, net.examples, d, net.data);
  for (size_t e = 0; e < net.examples; e++)
    net.label[e] = (uint8_t) (5 + 4 * tanh ((double) (net.data[e * d] + net.data[e * d + 1])));
  sl_lowrank_init (&lr, h, d, &arena, &arena);
  status = sl_arena_init (&arena, arena.used);
  sl_lowrank_init (&lr, h, d, &arena, &arena);
  for (int i = 0; i < 300 && sl_ok (&status); i++)
    {
      net_step (&net);
      if (i % EVERY != EVERY - 1)
        continue;
      start = now ();
      status = sl_lowrank_refresh (&lr, net.w[0], RANK, ROUNDS, &net.rng);
      if (i > 100)
        keep_least (&warm, now () - start);
    }

  sl_real *u = reals (h * d), *s = reals (d), *vt = reals (d * d), *low = reals (examples * d);
  sl_real *est = reals (examples * h), *want = reals (examples * h);

  for (int round = 0; round < 3 && sl_ok (&status); round++)
    {
      start = now ();
      status = sl_mat_svd (h, d, net.w[0], u, s, vt);
      keep_least (&exact, now () - start);
    }
  sl_lowrank_estimate (&lr, examples, net.data, net.b[0], 0, low, est);
  for (size_t i = 0; i < h; i++)
    for (size_t k = 0; k < RANK; k++)
      u[i * d + k] *= s[k];
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, examples, RANK, d, 1, net.data, d, vt, d, 0, low, RANK);
  for (size_t e = 0; e < examples; e++)
    memcpy (want + e * h, net.b[0], h * sizeof *want);
  sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, examples, h, RANK, 1, low, RANK, u, d, 1, want, h);
  for (size_t i = 0; i < examples * h; i++)
    same += (est[i] > 0) == (want[i] > 0);
  print ("sgesdd, 1000x784", 1e3 * exact, "ms");
  print ("warm refresh, rank 50", 1e3 * warm, "ms");
  print ("warm refresh, rank 50", exact / warm, "times faster (bar 10)");
  print ("mask agreement, rank 50", 100.0 * (double) same / (double) (examples * h),
         "% (bar 99.5)");
  print ("singular value 51 / 50", (double) (s[RANK] / s[RANK - 1]), "(1: no gap at the cut)");
  free (u);
  free (s);
  free (vt);
  free (low);
  free (est);
  free (want);
  sl_arena_clear (&arena);
  net_clear (&net);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } benches[] = {
    { "step", bench_step },       { "toys", bench_toys },       { "tanh", bench_tanh },
    { "optim", bench_optim },     { "dropout", bench_dropout }, { "gather", bench_gather },
    { "lowrank", bench_lowrank },
  };
  unsigned threads;

  sl_cpu_prepare (argv, FALSE, NULL);
  threads = sl_blas_set_threads (argc > 1 ? (unsigned) atoi (argv[1]) : 1);
  printf ("kernel %s, %s, threads %u\n", sl_blas_kernel (), sl_blas_threading (), threads);
  for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
    {
      bool wanted = argc <= 2;

      for (int a = 2; a < argc; a++)
        wanted |= strcmp (argv[a], benches[i].name) == 0;
      if (wanted)
        benches[i].run ();
    }
  return 0;
}
