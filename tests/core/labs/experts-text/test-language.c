/* SPDX-License-Identifier: MIT
 *
 * The language model around a mixture of experts and its baselines: against the equations one number
 * at a time, gradients against central differences, stretches, sizes as published, any number of
 * threads.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/experts-text/math/language.h"
#include "core/labs/experts-text/math/softmax.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/mat.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double eps = 1e-11;
#else
static const double eps = 2e-5;
#endif

enum { C = 11, D = 6, HIDDEN = 5, EXPERTS = 4, B = 3, T = 5, ROWS = B * T };

typedef struct
{
  SlLanguage     model;
  SlLanguageRun  run;
  SlLanguagePass pass;
  SlArena        kept, scratch;
  uint16_t       symbol[(T + 1) * B];
} Setup;

static void
carve (Setup *s, size_t batch, size_t steps)
{
  s->kept.used = s->scratch.used = 0;
  sl_language_carve (&s->model, &s->kept, &s->scratch);
  sl_language_run_carve (&s->run, &s->model, batch, steps, true, &s->scratch);
}

static void
setup_init (Setup *s, const SlLanguageShape *shape, size_t batch, size_t steps)
{
  SlStatus status;
  SlRng    rng;

  *s = (Setup) { 0 };
  sl_language_shape (&s->model, shape);
  carve (s, batch, steps);
  status = sl_arena_init (&s->kept, s->kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&s->scratch, s->scratch.used);
  g_assert_true (sl_ok (&status));
  carve (s, batch, steps);
  sl_rng_init (&rng, 7, "language");
  sl_language_init (&s->model, &rng);
  /* Off the even start, where all gates tie and all biases are 0. */
  for (size_t i = 0; i < s->model.n; i++)
    s->model.weights[i] += (sl_real) (0.1 * sl_rng_normal (&rng));
  s->pass = (SlLanguagePass) {
    .experts = { .k = 2,
                 .k_groups = 1,
                 .noise = true,
                 .floor = (sl_real) 0.05,
                 .threshold = true,
                 .w_importance = (sl_real) 0.1,
                 .w_load = (sl_real) 0.1 },
    .dropout = 0.3,
    .training = true,
  };
}

static void
setup_clear (Setup *s)
{
  sl_arena_clear (&s->kept);
  sl_arena_clear (&s->scratch);
}

static SlLanguageShape
shape_of (SlMiddle middle, bool residual, bool sigmoid)
{
  return (SlLanguageShape) {
    .middle = middle,
    .kinds = C,
    .units = D,
    .experts = { .inputs = D,
                 .hidden = HIDDEN,
                 .outputs = D,
                 .experts = EXPERTS,
                 .groups = 1,
                 .most = ROWS },
    .matched = 2,
    .residual = residual,
    .sigmoid = sigmoid,
  };
}

/* Symbols of all steps and the ones that follow. */
static void
fill_symbols (Setup *s, SlRng *rng)
{
  for (size_t i = 0; i < G_N_ELEMENTS (s->symbol); i++)
    s->symbol[i] = (uint16_t) sl_rng_below (rng, C);
}

/* ---- the equations ---- */

static double
squash (double a)
{
  return 1 / (1 + exp (-a));
}

/* One recurrent layer's step for one stream: x (D) to state (D). */
static void
lstm_ref (const sl_real *w, const double *x, double *cell, double *state)
{
  double a[4 * D];

  for (size_t j = 0; j < 4 * D; j++)
    {
      a[j] = (double) w[2 * D * 4 * D + j];
      for (size_t i = 0; i < D; i++)
        a[j] += (double) w[i * 4 * D + j] * x[i] + (double) w[(D + i) * 4 * D + j] * state[i];
    }
  for (size_t u = 0; u < D; u++)
    {
      cell[u] = squash (a[D + u]) * cell[u] + squash (a[u]) * tanh (a[3 * D + u]);
      state[u] = squash (a[2 * D + u]) * tanh (cell[u]);
    }
}

/* relu (W x + b), and without the rectifier. */
static void
dense_ref (const sl_real *w, size_t inputs, size_t units, const double *x, bool rectify, double *y)
{
  for (size_t u = 0; u < units; u++)
    {
      y[u] = (double) w[inputs * units + u];
      for (size_t i = 0; i < inputs; i++)
        y[u] += (double) w[u * inputs + i] * x[i];
      y[u] = rectify && y[u] < 0 ? 0 : y[u];
    }
}

/* Logits of the model with a wide middle layer, without dropout. */
static void
test_equations (void)
{
  Setup             s;
  SlLanguageShape   shape = shape_of (SL_MIDDLE_WIDE, true, true);
  SlRng             rng;
  const SlLanguage *model = &s.model;
  const sl_real    *w;

  setup_init (&s, &shape, B, T);
  sl_rng_init (&rng, 1, "language");
  fill_symbols (&s, &rng);
  s.pass.training = false;
  sl_language_forward (&s.model, &s.run, T, s.symbol, &s.pass);
  w = model->weights;
  for (size_t e = 0; e < B; e++)
    {
      double cell[2][D] = { 0 }, state[2][D] = { 0 };

      for (size_t t = 0; t < T; t++)
        {
          size_t row = t * B + e;
          double x[D], hidden[2 * HIDDEN], y[D], logits[C];

          for (size_t i = 0; i < D; i++)
            x[i] = (double) w[s.symbol[row] * D + i];
          lstm_ref (w + model->at[0], x, cell[0], state[0]);
          for (size_t i = 0; i < D; i++)
            x[i] += state[0][i];
          dense_ref (w + model->at[1], D, 2 * HIDDEN, x, true, hidden);
          dense_ref (w + model->at[1] + (D + 1) * 2 * HIDDEN, 2 * HIDDEN, D, hidden, false, y);
          for (size_t i = 0; i < D; i++)
            x[i] += squash (y[i]);
          lstm_ref (w + model->at[2], x, cell[1], state[1]);
          for (size_t i = 0; i < D; i++)
            x[i] += state[1][i];
          dense_ref (w + model->at_out, D, C, x, false, logits);
          sl_assert_close (s.run.logits + row * C, logits, C, eps, 20 * eps);
        }
    }
  setup_clear (&s);
}

/* ---- gradients ---- */

#ifdef SL_DOUBLE
static double
objective (Setup *s)
{
  size_t errors;

  sl_language_forward (&s->model, &s->run, T, s->symbol, &s->pass);
  return sl_language_loss (&s->model, &s->run, T, s->symbol + B, false, &errors)
         + sl_language_balance_loss (&s->model);
}

static void
check_gradient (SlMiddle middle, bool residual, bool sigmoid)
{
  static const double step = 1e-5;
  SlLanguageShape     shape = shape_of (middle, residual, sigmoid);
  Setup               s;
  SlRng               dropout, noise;
  size_t              errors;

  setup_init (&s, &shape, B, T);
  sl_rng_init (&dropout, 2, "language");
  sl_rng_init (&noise, 3, "language");
  fill_symbols (&s, &dropout);
  sl_language_draw (&s.model, &s.run, T, &s.pass, &dropout, &noise);
  sl_language_forward (&s.model, &s.run, T, s.symbol, &s.pass);
  s.pass.held = true;
  sl_language_forward (&s.model, &s.run, T, s.symbol, &s.pass);
  sl_language_loss (&s.model, &s.run, T, s.symbol + B, true, &errors);
  sl_language_backward (&s.model, &s.run, T, s.symbol, &s.pass, NULL, 0);

  g_autofree sl_real *gradient = g_memdup2 (s.model.gradient, s.model.n * sizeof *gradient);

  for (size_t i = 0; i < s.model.n; i++)
    {
      sl_real kept = s.model.weights[i];
      double  above, below;

      s.model.weights[i] = kept + step;
      above = objective (&s);
      s.model.weights[i] = kept - step;
      below = objective (&s);
      s.model.weights[i] = kept;
      sl_assert_near (gradient[i], (above - below) / (2 * step), 1e-5, 1e-8);
    }
  setup_clear (&s);
}

static void
test_gradients (void)
{
  check_gradient (SL_MIDDLE_EXPERTS, true, true);
  check_gradient (SL_MIDDLE_EXPERTS, false, false);
  check_gradient (SL_MIDDLE_WIDE, true, true);
  check_gradient (SL_MIDDLE_DEEP, true, false);
  check_gradient (SL_MIDDLE_LSTMS, true, false);
}
#endif

/* ---- the same by PyTorch ---- */

static JsonObject *golden;

static size_t
golden_size (const char *member)
{
  return (size_t) json_object_get_int_member (golden, member);
}

static void
golden_symbols (uint16_t *symbol, size_t n)
{
  g_autoptr (GArray) from = sl_golden_numbers (golden, "symbols");

  g_assert_cmpuint (from->len, ==, n);
  for (size_t i = 0; i < n; i++)
    symbol[i] = (uint16_t) g_array_index (from, double, i);
}

/* A training step with given noise: logits, loss, balance and the gradient of every number. */
static void
check_golden (SlMiddle middle, const char *name)
{
  size_t steps = golden_size ("steps"), batch = golden_size ("batch"), rows = steps * batch;
  size_t kinds = golden_size ("kinds"), experts = golden_size ("experts"), errors;
  g_autofree uint16_t *symbol = g_new (uint16_t, rows + batch);
  JsonObject          *root
    = json_object_get_object_member (json_object_get_object_member (golden, "middle"), name);
  SlLanguageShape shape = shape_of (middle, true, true);
  Setup           s;

  shape.kinds = kinds;
  shape.units = shape.experts.inputs = shape.experts.outputs = golden_size ("units");
  shape.experts.hidden = golden_size ("hidden");
  shape.experts.experts = experts;
  shape.experts.most = rows;
  shape.matched = golden_size ("k");
  setup_init (&s, &shape, batch, steps);
  s.pass.dropout = 0;
  s.pass.experts.k = golden_size ("k");
  s.pass.experts.floor = (sl_real) sl_golden_number (golden, "floor");
  s.pass.experts.w_importance = (sl_real) sl_golden_number (golden, "w-importance");
  s.pass.experts.w_load = (sl_real) sl_golden_number (golden, "w-load");
  sl_golden_copy (root, "weights", s.model.weights, s.model.n);
  if (middle == SL_MIDDLE_EXPERTS)
    sl_golden_copy (golden, "epsilon", s.model.moe.epsilon, rows * experts);
  golden_symbols (symbol, rows + batch);
  sl_language_forward (&s.model, &s.run, steps, symbol, &s.pass);
  sl_golden_expect (s.run.logits, root, "logits", rows * kinds, eps, eps);
  sl_assert_near (sl_language_loss (&s.model, &s.run, steps, symbol + batch, true, &errors),
                  sl_golden_number (root, "loss"), eps, eps);
  sl_assert_near (sl_language_balance_loss (&s.model), sl_golden_number (root, "balance"), eps,
                  eps);
  sl_language_backward (&s.model, &s.run, steps, symbol, &s.pass, NULL, 0);
  sl_golden_expect (s.model.gradient, root, "gradient", s.model.n, eps, eps);
  setup_clear (&s);
}

static void
test_golden (void)
{
  check_golden (SL_MIDDLE_EXPERTS, "experts");
  check_golden (SL_MIDDLE_WIDE, "wide");
  check_golden (SL_MIDDLE_DEEP, "deep");
  check_golden (SL_MIDDLE_LSTMS, "lstms");
}

/* One expert is always chosen, and k of n experts are all; more than n are n: whatever the gate says, the outputs are
 * sums over all experts, and the balance of the load has nothing to push.  */
static void
test_few_experts (void)
{
  enum { ONE = 1, ALL = 3, MORE = 7 };
  static const struct
  {
    size_t experts, k;
  } edge[] = { { ONE, ONE }, { ONE, MORE }, { ALL, ALL }, { ALL, MORE } };

  for (size_t i = 0; i < G_N_ELEMENTS (edge); i++)
    {
      SlLanguageShape shape = shape_of (SL_MIDDLE_EXPERTS, true, true);
      SlOptimSetting  optim = sl_optim_default ();
      Setup           s;
      SlRng           rng;
      size_t          errors;
      double          loss[2];

      shape.experts.experts = edge[i].experts;
      setup_init (&s, &shape, B, T);
      s.pass.dropout = 0;
      s.pass.experts.k = edge[i].k;
      sl_rng_init (&rng, 6, "language");
      fill_symbols (&s, &rng);
      optim.rate = (sl_real) 0.01;
      for (uint64_t t = 1; t <= 40; t++)
        {
          sl_language_draw (&s.model, &s.run, T, &s.pass, &rng, &rng);
          sl_language_forward (&s.model, &s.run, T, s.symbol, &s.pass);
          loss[t > 1] = sl_language_loss (&s.model, &s.run, T, s.symbol + B, true, &errors);
          for (size_t e = 0; e < edge[i].experts; e++)
            g_assert_cmpuint (s.model.moe.balance.hard[e], ==, ROWS);
          sl_language_backward (&s.model, &s.run, T, s.symbol, &s.pass, &optim, t);
        }
      g_assert_cmpfloat (loss[1], <, 0.8 * loss[0]);
      g_assert_cmpfloat (sl_language_balance_loss (&s.model), >=, 0);
      setup_clear (&s);
    }
}

/* ---- stretches and threads ---- */

/* Two stretches carried on are one long one; a stream at rest begins anew. */
static void
test_stretches (void)
{
  enum { FIRST = 2 };
  SlLanguageShape shape = shape_of (SL_MIDDLE_EXPERTS, true, true);
  Setup           whole, parts;
  SlRng           rng;

  setup_init (&whole, &shape, B, T);
  setup_init (&parts, &shape, B, T);
  sl_rng_init (&rng, 4, "language");
  fill_symbols (&whole, &rng);
  whole.pass.training = parts.pass.training = false;
  sl_language_forward (&whole.model, &whole.run, T, whole.symbol, &whole.pass);
  sl_language_forward (&parts.model, &parts.run, FIRST, whole.symbol, &parts.pass);
  g_assert_cmpmem (parts.run.logits, FIRST * B * C * sizeof (sl_real), whole.run.logits,
                   FIRST * B * C * sizeof (sl_real));
  sl_language_carry (&parts.model, &parts.run, FIRST);
  sl_language_rest (&parts.model, &parts.run, 1, 1);
  sl_language_forward (&parts.model, &parts.run, T - FIRST, whole.symbol + FIRST * B, &parts.pass);
  for (size_t row = 0; row < (T - FIRST) * B; row++)
    {
      const sl_real *got = parts.run.logits + row * C;
      bool same = memcmp (got, whole.run.logits + (FIRST * B + row) * C, C * sizeof *got) == 0;

      g_assert_true (same == (row % B != 1));
    }
  setup_clear (&whole);
  setup_clear (&parts);
}

/* The same bytes after some updates with any number of threads. */
static void
test_threads (void)
{
  enum { KINDS = 300, UNITS = 64, STREAMS = 16, STEPS = 20 };
  SlLanguageShape     shape = shape_of (SL_MIDDLE_EXPERTS, true, true);
  g_autofree sl_real *first = NULL;
  SlOptimSetting      optim = sl_optim_default ();

  shape.kinds = KINDS;
  shape.units = shape.experts.inputs = shape.experts.outputs = UNITS;
  shape.experts.most = STREAMS * STEPS;
  for (unsigned threads = 1; threads <= 2; threads++)
    {
      g_autofree uint16_t *symbol = g_new (uint16_t, STREAMS * (STEPS + 1));
      Setup                s;
      SlRng                rng;
      size_t               errors;

      sl_blas_set_threads (threads);
      setup_init (&s, &shape, STREAMS, STEPS);
      sl_rng_init (&rng, 5, "language");
      for (size_t i = 0; i < STREAMS * (STEPS + 1); i++)
        symbol[i] = (uint16_t) sl_rng_below (&rng, KINDS);
      for (uint64_t t = 1; t <= 3; t++)
        {
          sl_language_draw (&s.model, &s.run, STEPS, &s.pass, &rng, &rng);
          sl_language_forward (&s.model, &s.run, STEPS, symbol, &s.pass);
          sl_language_loss (&s.model, &s.run, STEPS, symbol + STREAMS, true, &errors);
          sl_language_backward (&s.model, &s.run, STEPS, symbol, &s.pass, &optim, t);
        }
      if (first == NULL)
        first = g_memdup2 (s.model.weights, s.model.n * sizeof *first);
      g_assert_cmpmem (s.model.weights, s.model.n * sizeof *first, first,
                       s.model.n * sizeof *first);
      setup_clear (&s);
    }
  sl_blas_set_threads (1);
}

/* ---- parts ---- */

/* Layers of as many multiplications as k experts; the published ones to the unit. */
static void
test_sizes (void)
{
  SlStack stack;

  sl_stack_wide (&stack, 512, 512, 4, 1024);
  g_assert_cmpuint (stack.layers, ==, 2);
  g_assert_cmpuint (stack.width[1], ==, 4096);
  sl_stack_deep (&stack, 512, 512, 4, 1024);
  g_assert_cmpuint (stack.layers, ==, 5);
  for (unsigned l = 1; l < stack.layers; l++)
    g_assert_cmpuint (stack.width[l], ==, 1024);
  sl_assert_near (sl_stack_macs (&stack), 4.0 * 2 * 512 * 1024, 1e-12, 0);
  for (size_t k = 1; k <= 6; k++)
    {
      sl_stack_deep (&stack, 40, 10, k, 64);
      g_assert_cmpuint (stack.layers, ==, MIN (k, SL_STACK_HIDDEN) + 1);
      sl_assert_near (sl_stack_macs (&stack), (double) k * 50 * 64, 0.03, 0);
    }
}

/* Against the loss for few classes, and rows whose length is no multiple of anything. */
static void
test_softmax (void)
{
  enum { KINDS = 77, R = 9 };
  sl_real  logits[R * KINDS], own[R * KINDS], loss[R], want_slope[R * KINDS];
  uint16_t label[R];
  uint8_t  byte[R], wrong[R];
  size_t   want_errors, errors = 0;
  double   want, sum = 0;
  SlRng    rng;

  sl_rng_init (&rng, 6, "language");
  for (size_t i = 0; i < R * KINDS; i++)
    own[i] = logits[i] = (sl_real) (4.0 * sl_rng_normal (&rng));
  for (size_t row = 0; row < R; row++)
    byte[row] = (uint8_t) (label[row] = (uint16_t) sl_rng_below (&rng, KINDS));
  /* A row that is right, and one that ties with a lower one. */
  logits[label[0]] = own[label[0]] = 30;
  label[1] = byte[1] = 5;
  for (size_t i = 0; i < KINDS; i++)
    logits[KINDS + i] = own[KINDS + i] = i == 3 || i == 5 ? 2 : 1;
  want = sl_softmax_loss (R, KINDS, logits, byte, want_slope, &want_errors);
  sl_vocabulary_loss (R, KINDS, own, label, 1 / (sl_real) R, loss, wrong);
  for (size_t row = 0; row < R; row++)
    {
      sum += (double) loss[row];
      errors += wrong[row];
    }
  sl_assert_near (sum / R, want, eps, eps);
  g_assert_cmpuint (errors, ==, want_errors);
  g_assert_cmpuint (wrong[0], ==, 0);
  g_assert_cmpuint (wrong[1], ==, 1);
  for (size_t i = 0; i < R * KINDS; i++)
    sl_assert_near ((double) own[i], (double) want_slope[i], 10 * eps, eps);
  logits[3] = NAN;
  sl_vocabulary_loss (1, KINDS, logits, label, 1, loss, wrong);
  g_assert_true (isnan (loss[0]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);

  g_autoptr (JsonNode) root = sl_golden_load (argv[1]);

  golden = json_node_get_object (root);
  g_test_add_func ("/language/equations", test_equations);
#ifdef SL_DOUBLE
  g_test_add_func ("/language/gradients", test_gradients);
#endif
  g_test_add_func ("/language/golden", test_golden);
  g_test_add_func ("/language/few-experts", test_few_experts);
  g_test_add_func ("/language/stretches", test_stretches);
  g_test_add_func ("/language/threads", test_threads);
  g_test_add_func ("/language/sizes", test_sizes);
  g_test_add_func ("/language/softmax", test_softmax);
  return g_test_run ();
}
