/* SPDX-License-Identifier: MIT
 *
 * Long short-term memory: against the equations one number at a time, against a golden case from
 * another program, gradients against central differences, any number of threads.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/experts-text/math/lstm.h"
#include "core/nn/kernels/mat.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double eps = 1e-12;
#else
static const double eps = 2e-5;
#endif

typedef struct
{
  SlLstm       lstm;
  SlLstmPacked packed;
  SlLstmTape   tape;
  SlArena      arena;
  sl_real     *w, *dw, *x, *dx, *dout;
} Layer;

static void
layer_init (Layer *layer, size_t inputs, size_t units, size_t batch, size_t steps)
{
  *layer = (Layer) { 0 };
  sl_lstm_shape (&layer->lstm, inputs, units);
  for (int pass = 0; pass < 2; pass++)
    {
      layer->w = sl_arena_reals (&layer->arena, layer->lstm.n);
      layer->dw = sl_arena_reals (&layer->arena, layer->lstm.n);
      layer->x = sl_arena_reals (&layer->arena, steps * batch * inputs);
      layer->dx = sl_arena_reals (&layer->arena, steps * batch * inputs);
      layer->dout = sl_arena_reals (&layer->arena, steps * batch * units);
      sl_lstm_pack_carve (&layer->packed, &layer->lstm, true, &layer->arena);
      sl_lstm_tape_carve (&layer->tape, &layer->lstm, batch, steps, true, &layer->arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&layer->arena, layer->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
}

static void
fill_normal (SlRng *rng, size_t n, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) sl_rng_normal (rng);
}

/* Random weights, inputs, first states and slopes. */
static void
layer_fill (Layer *layer, SlRng *rng)
{
  size_t rows = layer->tape.batch * layer->tape.steps, h = layer->lstm.units;

  sl_lstm_init (&layer->lstm, 1, rng, layer->w);
  fill_normal (rng, 4 * h, layer->w + layer->lstm.at_b);
  fill_normal (rng, rows * layer->lstm.inputs, layer->x);
  fill_normal (rng, rows * h, layer->dout);
  fill_normal (rng, layer->tape.batch * h, layer->tape.state);
  fill_normal (rng, layer->tape.batch * h, layer->tape.cell);
}

static void
layer_forward (Layer *layer, size_t steps)
{
  sl_lstm_pack (&layer->lstm, layer->w, &layer->packed);
  sl_lstm_forward (&layer->lstm, layer->w, &layer->packed, &layer->tape, steps, layer->x);
}

static void
layer_backward (Layer *layer, size_t steps)
{
  sl_lstm_backward (&layer->lstm, layer->w, &layer->packed, &layer->tape, steps, layer->x,
                    layer->dout, layer->dw, layer->dx);
}

static double
squash (double a)
{
  return 1 / (1 + exp (-a));
}

/* One step of one example by the equations; cell and state (h) are moved on. */
static void
step_ref (const SlLstm *lstm, const sl_real *w, const sl_real *x, double *cell, double *state)
{
  size_t             h = lstm->units;
  g_autofree double *a = g_new (double, 4 * h);

  for (size_t j = 0; j < 4 * h; j++)
    {
      a[j] = (double) w[lstm->at_b + j];
      for (size_t l = 0; l < lstm->inputs; l++)
        a[j] += (double) w[lstm->at_w + l * 4 * h + j] * (double) x[l];
      for (size_t l = 0; l < h; l++)
        a[j] += (double) w[lstm->at_u + l * 4 * h + j] * state[l];
    }
  for (size_t u = 0; u < h; u++)
    {
      cell[u] = squash (a[h + u]) * cell[u] + squash (a[u]) * tanh (a[3 * h + u]);
      state[u] = squash (a[2 * h + u]) * tanh (cell[u]);
    }
}

static void
check_equations (SlRng *rng, size_t inputs, size_t units, size_t batch, size_t steps)
{
  Layer layer;

  layer_init (&layer, inputs, units, batch, steps);
  layer_fill (&layer, rng);
  layer_forward (&layer, steps);
  for (size_t e = 0; e < batch; e++)
    {
      g_autofree double *cell = g_new (double, units), *state = g_new (double, units);

      for (size_t u = 0; u < units; u++)
        {
          cell[u] = (double) layer.tape.cell[e * units + u];
          state[u] = (double) layer.tape.state[e * units + u];
        }
      for (size_t t = 0; t < steps; t++)
        {
          size_t row = t * batch + e;

          step_ref (&layer.lstm, layer.w, layer.x + row * inputs, cell, state);
          sl_assert_close (sl_lstm_output (&layer.lstm, &layer.tape) + row * units, state, units,
                           eps, 20 * eps);
        }
    }
  sl_arena_clear (&layer.arena);
}

static void
test_equations (void)
{
  static const size_t shapes[][4]
    = { { 1, 1, 1, 1 }, { 3, 5, 2, 4 }, { 7, 16, 11, 3 }, { 40, 33, 17, 2 }, { 130, 150, 9, 2 } };
  SlRng rng;

  sl_rng_init (&rng, 1, "lstm");
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    check_equations (&rng, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3]);
}

/* Fewer steps than there is room for, carried on: the same states as in one go; an example that
 * rests begins anew.  */
static void
test_stretches (void)
{
  enum { D = 3, H = 6, B = 4, T = 5, FIRST = 2 };
  Layer whole, parts;
  SlRng rng;

  layer_init (&whole, D, H, B, T);
  layer_init (&parts, D, H, B, T);
  sl_rng_init (&rng, 2, "lstm");
  layer_fill (&whole, &rng);
  sl_rng_init (&rng, 2, "lstm");
  layer_fill (&parts, &rng);
  layer_forward (&whole, T);
  layer_forward (&parts, FIRST);
  sl_lstm_carry (&parts.lstm, &parts.tape, FIRST);
  memmove (parts.x, parts.x + FIRST * B * D, (T - FIRST) * B * D * sizeof *parts.x);
  layer_forward (&parts, T - FIRST);
  g_assert_cmpmem (
    sl_lstm_output (&whole.lstm, &whole.tape) + (T - 1) * B * H, B * H * sizeof (sl_real),
    sl_lstm_output (&parts.lstm, &parts.tape) + (T - FIRST - 1) * B * H, B * H * sizeof (sl_real));

  sl_lstm_rest (&parts.lstm, &parts.tape, 1, 2);
  for (size_t i = 0; i < B * H; i++)
    {
      bool rests = i / H == 1 || i / H == 2;

      g_assert_true ((parts.tape.cell[i] == 0) == rests);
      g_assert_true ((parts.tape.state[i] == 0) == rests);
    }
  sl_arena_clear (&whole.arena);
  sl_arena_clear (&parts.arena);
}

#ifdef SL_DOUBLE
/* The sum of states times dout. */
static double
layer_loss (Layer *layer)
{
  size_t         n = layer->tape.batch * layer->tape.steps * layer->lstm.units;
  const sl_real *out = sl_lstm_output (&layer->lstm, &layer->tape);
  double         sum = 0;

  layer_forward (layer, layer->tape.steps);
  for (size_t i = 0; i < n; i++)
    sum += (double) out[i] * (double) layer->dout[i];
  return sum;
}

static void
check_slopes (Layer *layer, size_t n, sl_real *at, const sl_real *slope)
{
  static const double step = 1e-5;

  for (size_t i = 0; i < n; i++)
    {
      sl_real kept = at[i];
      double  above, below;

      at[i] = kept + step;
      above = layer_loss (layer);
      at[i] = kept - step;
      below = layer_loss (layer);
      at[i] = kept;
      sl_assert_near (slope[i], (above - below) / (2 * step), 1e-6, 1e-8);
    }
}

static void
test_gradients (void)
{
  enum { D = 3, H = 5, B = 3, T = 4 };
  Layer layer;
  SlRng rng;

  sl_rng_init (&rng, 3, "lstm");
  layer_init (&layer, D, H, B, T);
  layer_fill (&layer, &rng);
  layer_forward (&layer, T);
  layer_backward (&layer, T);

  g_autofree sl_real *dcell = g_memdup2 (layer.tape.dcell, B * H * sizeof *dcell);
  g_autofree sl_real *dstate = g_memdup2 (layer.tape.dstate, B * H * sizeof *dstate);

  check_slopes (&layer, layer.lstm.n, layer.w, layer.dw);
  check_slopes (&layer, T * B * D, layer.x, layer.dx);
  check_slopes (&layer, B * H, layer.tape.cell, dcell);
  check_slopes (&layer, B * H, layer.tape.state, dstate);
  sl_arena_clear (&layer.arena);
}

static JsonObject *golden;

static void
test_golden (void)
{
  Layer        layer;
  const size_t inputs = (size_t) json_object_get_int_member (golden, "inputs");
  const size_t units = (size_t) json_object_get_int_member (golden, "units");
  const size_t batch = (size_t) json_object_get_int_member (golden, "batch");
  const size_t steps = (size_t) json_object_get_int_member (golden, "steps");
  const size_t state = batch * units;

  layer_init (&layer, inputs, units, batch, steps);
  sl_golden_copy (golden, "weights", layer.w, layer.lstm.n);
  sl_golden_copy (golden, "x", layer.x, steps * batch * inputs);
  sl_golden_copy (golden, "first_state", layer.tape.state, state);
  sl_golden_copy (golden, "first_cell", layer.tape.cell, state);
  sl_golden_copy (golden, "dout", layer.dout, steps * state);
  layer_forward (&layer, steps);
  sl_golden_expect (sl_lstm_output (&layer.lstm, &layer.tape), golden, "out", steps * state, 1e-12,
                    1e-12);
  sl_golden_expect (layer.tape.cell + steps * state, golden, "last_cell", state, 1e-12, 1e-12);
  layer_backward (&layer, steps);
  sl_golden_expect (layer.dw, golden, "dweights", layer.lstm.n, 1e-12, 1e-12);
  sl_golden_expect (layer.dx, golden, "dx", steps * batch * inputs, 1e-12, 1e-12);
  sl_golden_expect (layer.tape.dstate, golden, "dfirst_state", state, 1e-12, 1e-12);
  sl_golden_expect (layer.tape.dcell, golden, "dfirst_cell", state, 1e-12, 1e-12);
  sl_arena_clear (&layer.arena);
}
#endif

/* The same bytes for any number of threads. */
static void
test_threads (void)
{
  enum { D = 300, H = 320, B = 64, T = 5 };
  g_autofree sl_real *first = NULL;

  for (unsigned threads = 1; threads <= 2; threads++)
    {
      Layer layer;
      SlRng rng;

      sl_blas_set_threads (threads);
      sl_rng_init (&rng, 4, "lstm");
      layer_init (&layer, D, H, B, T);
      layer_fill (&layer, &rng);
      layer_forward (&layer, T);
      layer_backward (&layer, T);
      if (first == NULL)
        first = g_memdup2 (layer.dw, layer.lstm.n * sizeof *first);
      g_assert_cmpmem (layer.dw, layer.lstm.n * sizeof *first, first, layer.lstm.n * sizeof *first);
      sl_arena_clear (&layer.arena);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lstm/equations", test_equations);
  g_test_add_func ("/lstm/stretches", test_stretches);
  g_test_add_func ("/lstm/threads", test_threads);
#ifdef SL_DOUBLE
  g_assert_cmpint (argc, ==, 2);

  g_autoptr (JsonNode) root = sl_golden_load (argv[1]);

  golden = json_node_get_object (root);
  g_test_add_func ("/lstm/gradients", test_gradients);
  g_test_add_func ("/lstm/golden", test_golden);
#endif
  return g_test_run ();
}
