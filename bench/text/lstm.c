/* SPDX-License-Identifier: MIT
 *
 * How fast two layers of long short-term memory train, beside the bare products of the library that
 * their equations need and beside PyTorch where that is installed (bench/peers/lstm.py).  */
#include "core/labs/experts-text/math/lstm.h"
#include "bench/bench.h"
#include "bench/peak.h"
#include "core/base/clock.h"
#include "core/nn/kernels/mat.h"

enum { LAYERS = 2, UNITS = 512, BATCH = 64, STEPS = 32, ROUNDS = 9, STATE = BATCH * UNITS };

typedef struct
{
  SlArena      arena;
  SlLstm       lstm; /* both layers have the same shape */
  SlLstmPacked packed[LAYERS];
  SlLstmTape   tape[LAYERS];
  sl_real     *w[LAYERS], *dw[LAYERS], *x, *dx, *dout, *dmiddle;
} Model;

static void
model_carve (Model *model)
{
  SlArena *arena = &model->arena;

  for (int l = 0; l < LAYERS; l++)
    {
      model->w[l] = sl_arena_reals (arena, model->lstm.n);
      model->dw[l] = sl_arena_reals (arena, model->lstm.n);
      sl_lstm_pack_carve (&model->packed[l], &model->lstm, true, arena);
      sl_lstm_tape_carve (&model->tape[l], &model->lstm, BATCH, STEPS, true, arena);
    }
  model->x = sl_arena_reals (arena, STEPS * STATE);
  model->dx = sl_arena_reals (arena, STEPS * STATE);
  model->dout = sl_arena_reals (arena, STEPS * STATE);
  model->dmiddle = sl_arena_reals (arena, STEPS * STATE);
}

static SlStatus
model_init (Model *model)
{
  SlStatus status;
  SlRng    rng;

  *model = (Model) { 0 };
  sl_lstm_shape (&model->lstm, UNITS, UNITS);
  model_carve (model);
  status = sl_arena_init (&model->arena, model->arena.used);
  if (!sl_ok (&status))
    return status;
  model_carve (model);
  sl_rng_init (&rng, 1, "bench");
  for (int l = 0; l < LAYERS; l++)
    sl_lstm_init (&model->lstm, 1, &rng, model->w[l]);
  for (size_t i = 0; i < STEPS * STATE; i++)
    {
      model->x[i] = (sl_real) sl_rng_normal (&rng);
      model->dout[i] = (sl_real) sl_rng_normal (&rng);
    }
  return status;
}

static void
pass_train (Model *model)
{
  const SlLstm  *lstm = &model->lstm;
  const sl_real *middle = sl_lstm_output (lstm, &model->tape[0]);

  for (int l = 0; l < LAYERS; l++)
    {
      sl_lstm_pack (lstm, model->w[l], &model->packed[l]);
      sl_lstm_forward (lstm, model->w[l], &model->packed[l], &model->tape[l], STEPS,
                       l == 0 ? model->x : middle);
    }
  sl_lstm_backward (lstm, model->w[1], &model->packed[1], &model->tape[1], STEPS, middle,
                    model->dout, model->dw[1], model->dmiddle);
  sl_lstm_backward (lstm, model->w[0], &model->packed[0], &model->tape[0], STEPS, model->x,
                    model->dmiddle, model->dw[0], model->dx);
}

/* The library's products over the same numbers, of the same shapes, and nothing else. */
static void
pass_bare (Model *model)
{
  for (int l = 0; l < LAYERS; l++)
    {
      SlLstmTape    *tape = &model->tape[l];
      const sl_real *w = model->w[l], *u = w + model->lstm.at_u;
      size_t         rows = STEPS * BATCH, wide = 4 * UNITS;

      sl_mat_mul (SL_PLAIN, SL_PLAIN, rows, wide, UNITS, 1, model->x, UNITS, w, wide, 0, tape->gate,
                  wide);
      for (size_t t = 0; t < STEPS; t++)
        {
          sl_real *gate = tape->gate + t * BATCH * wide;

          sl_mat_mul (SL_PLAIN, SL_PLAIN, BATCH, wide, UNITS, 1, tape->state + t * STATE, UNITS, u,
                      wide, 0, gate, wide);
          sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, BATCH, UNITS, wide, 1, gate, wide, u, wide, 0,
                      tape->dstate, UNITS);
        }
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, UNITS, wide, rows, 1, model->x, UNITS, tape->gate, wide,
                  0, model->dw[l], wide);
      sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, UNITS, wide, rows, 1, tape->state, UNITS, tape->gate,
                  wide, 0, model->dw[l], wide);
      sl_mat_mul (SL_PLAIN, SL_TRANSPOSED, rows, UNITS, wide, 1, tape->gate, wide, w, wide, 0,
                  model->dx, UNITS);
    }
}

/* Seconds of a pass: computed by the only thread, or passed while several compute. */
static double
now (unsigned threads)
{
  return threads == 1 ? sl_clock_thread () : sl_clock_wall ();
}

/* Billions of multiplications and additions of a step: a layer's two matrices forward, and
 * twice as many backward.  */
static double
work (void)
{
  return 1e-9 * 2 * 3 * LAYERS * (double) STEPS * BATCH * (4.0 * UNITS) * (2.0 * UNITS);
}

/* How many times as fast as the peer, `theirs` ms, one thread could be at the most: with the library's products
 * and nothing else, and if the processor did nothing but multiply and add.  */
static void
report_bounds (SlBench *bench, double theirs, double bare)
{
  double           peak = sl_bench_peak ();
  g_autofree char *note
    = g_strdup_printf ("torch.nn.LSTM / the library's bare products, %.1f ms", bare);
  g_autofree char *line = g_strdup_printf (
    "torch.nn.LSTM / %.1f billion operations at %.0f GFLOP/s, the most of a core", work (), peak);

  sl_bench_result (bench, "lstm.1-thread.torch-bare", theirs / bare, "x as fast", SL_BAR_NONE, 0,
                   note);
  sl_bench_result (bench, "lstm.1-thread.torch-peak", theirs / (1e3 * work () / peak), "x as fast",
                   SL_BAR_NONE, 0, line);
}

static void
measure (SlBench *bench, Model *model, unsigned threads)
{
  double           ours[ROUNDS], shares[ROUNDS], theirs, mine;
  g_autofree char *share = g_strdup_printf ("lstm.%u-thread.bare", threads);
  g_autofree char *peer = g_strdup_printf ("lstm.%u-thread.torch", threads), *note = NULL;
  g_autofree char *words
    = g_strdup_printf ("%u %d %d %d %d %d", threads, UNITS, UNITS, LAYERS, BATCH, STEPS);

  sl_blas_set_threads (threads);
  pass_train (model);
  for (int round = 0; round < ROUNDS; round++)
    {
      double begin = now (threads), middle;

      pass_train (model);
      middle = now (threads);
      pass_bare (model);
      ours[round] = 1e3 * (middle - begin);
      shares[round] = (now (threads) - middle) / (middle - begin);
    }
  mine = sl_median (ours, ROUNDS);
  note = g_strdup_printf ("bare products / step of 2 x 512, batch 64, 32 steps: %.1f ms", mine);
  sl_bench_result (bench, share, sl_median (shares, ROUNDS), "", SL_BAR_LEAST, 0.75, note);
  theirs = sl_bench_peer ("lstm.py", words);
  if (theirs > 0)
    {
      g_autofree char *line = g_strdup_printf ("torch.nn.LSTM: %.1f ms", theirs);

      sl_bench_result (bench, peer, theirs / mine, "x as fast", SL_BAR_LEAST, 2.5, line);
      if (threads == 1)
        report_bounds (bench, theirs, mine * sl_median (shares, ROUNDS));
    }
  else
    sl_bench_note (bench, "%s: python3-torch is not installed", peer);
}

static SlExit
bench_lstm (SlBench *bench)
{
  Model    model;
  SlStatus status = model_init (&model);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  for (unsigned threads = 1; threads <= MIN (2, sl_blas_cores ()); threads++)
    measure (bench, &model, threads);
  sl_arena_clear (&model.arena);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_lstm
  = { "lstm", "long short-term memory against bare products and PyTorch", false, bench_lstm };
