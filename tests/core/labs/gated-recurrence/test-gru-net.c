/* SPDX-License-Identifier: MIT
 *
 * Language models of gated recurrent units: a batch against one stream at a time straight from the weights,
 * gradients against central differences in double, and runs in pieces against runs in one.  */
#include "core/labs/gated-recurrence/math/net.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/batchnorm.h"
#include "tests/support/close.h"

enum { SYMBOLS = 5, UNITS = 6, GATES = 3, BATCH = 3, STEPS = 4 };

#ifdef SL_DOUBLE
static const double eps = 1e-11;
#else
static const double eps = 2e-5;
#endif

typedef struct
{
  SlGruNet net;
  SlGruRun run;
  SlArena  kept, scratch;
  uint8_t  symbol[STEPS * BATCH], label[STEPS * BATCH];
} Fixture;

static void
carve (Fixture *f)
{
  sl_gru_net_carve (&f->net, true, &f->kept, &f->scratch);
  sl_gru_run_carve (&f->run, &f->net, BATCH, STEPS, true, &f->scratch);
}

static void
fixture_init (Fixture *f, SlGruGating gating, bool affine, unsigned layers)
{
  SlStatus status;
  SlRng    rng;

  memset (f, 0, sizeof *f);
  sl_gru_net_shape (&f->net, gating, gating == SL_GRU_BLOCKS, affine, SYMBOLS, layers, UNITS,
                    GATES);
  carve (f);
  status = sl_arena_init (&f->kept, f->kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&f->scratch, f->scratch.used);
  g_assert_true (sl_ok (&status));
  carve (f);
  sl_rng_init (&rng, 1, "net");
  status = sl_gru_net_init (&f->net, &rng);
  g_assert_true (sl_ok (&status));
  for (size_t i = 0; i < SYMBOLS; i++)
    g_assert_cmpfloat (f->net.weights[f->net.at_bias + i], ==, 0);
  /* With biases of 0 some numbers would lie where a rectifier has no slope. */
  for (size_t i = 0; i < f->net.n; i++)
    if (f->net.weights[i] == 0)
      f->net.weights[i] = (sl_real) (sl_rng_normal (&rng) / 2);
  for (size_t i = 0; i < f->net.n; i++)
    g_assert_true (f->net.m[i] == 0 && f->net.v[i] == 0);
  for (unsigned l = 0; l < layers; l++)
    for (size_t i = 0; i < f->net.gru[l].columns; i++)
      {
        g_assert_true (f->net.mean[l][i] == 0 && f->net.variance[l][i] == 1);
        f->net.mean[l][i] = (sl_real) (sl_rng_normal (&rng) / 4);
        f->net.variance[l][i] = (sl_real) (0.5 + sl_rng_uniform (&rng));
      }
  for (size_t i = 0; i < STEPS * BATCH; i++)
    {
      f->symbol[i] = (uint8_t) sl_rng_below (&rng, SYMBOLS);
      f->label[i] = (uint8_t) sl_rng_below (&rng, SYMBOLS);
    }
}

static void
fixture_clear (Fixture *f)
{
  sl_arena_clear (&f->kept);
  sl_arena_clear (&f->scratch);
}

static void
forward (Fixture *f, size_t steps, const uint8_t *symbol, const SlGruGates *gates)
{
  sl_gru_net_pack (&f->net);
  sl_gru_net_forward (&f->net, &f->run, steps, symbol, gates);
}

/* What a batch gives is what each stream gives alone. */
static void
check_alone (SlGruGating gating, bool affine, unsigned layers)
{
  const SlGruGates gates = { .s = 0.3, .epsilon = 1e-3, .given = true };
  Fixture          f;
  sl_real          state[SL_GRU_LAYERS * (SYMBOLS + 2 * UNITS)], z[SL_GRU_LAYERS * UNITS];
  sl_real          logits[SYMBOLS + 1];
  uint32_t         rows[UNITS];

  fixture_init (&f, gating, affine, layers);
  g_assert_cmpuint (sl_gru_net_state (&f.net), ==, UNITS + (layers - 1) * 2 * UNITS);
  g_assert_cmpuint (sl_gru_net_state (&f.net), <=, G_N_ELEMENTS (state));

  g_autofree sl_real *work = g_new (sl_real, sl_gru_net_work (&f.net));

  forward (&f, STEPS, f.symbol, &gates);
  logits[SYMBOLS] = 42;
  for (size_t e = 0; e < BATCH; e++)
    {
      memset (state, 0, sizeof state);
      for (size_t t = 0; t < STEPS; t++)
        {
          size_t on = sl_gru_net_one (&f.net, &gates, state, f.symbol[t * BATCH + e], NULL, z,
                                      logits, work, rows),
                 count = 0;

          for (size_t i = 0; i < SYMBOLS; i++)
            sl_assert_near ((double) logits[i],
                            (double) f.run.logits[(t * BATCH + e) * SYMBOLS + i], eps, 10 * eps);
          for (size_t i = 0; i < layers * UNITS; i++)
            count += z[i] != 0;
          g_assert_cmpuint (on, ==, count);
        }
    }
  g_assert_cmpfloat (logits[SYMBOLS], ==, 42);
  fixture_clear (&f);
}

static void
test_alone (void)
{
  for (int gating = SL_GRU_STANDARD; gating <= SL_GRU_MIXED; gating++)
    for (unsigned layers = 1; layers <= SL_GRU_LAYERS; layers++)
      check_alone ((SlGruGating) gating, layers == 1, layers);
}

/* A run in two pieces gives what one in one piece does; a stream that rests begins anew. */
static void
test_pieces (void)
{
  const SlGruGates    gates = { .s = 0.3, .epsilon = 1e-3, .given = true };
  const size_t        half = STEPS / 2 * BATCH;
  Fixture             f;
  g_autofree sl_real *whole = NULL, *anew = NULL;
  const size_t        bytes = STEPS * BATCH * SYMBOLS * sizeof (sl_real);

  fixture_init (&f, SL_GRU_UNITS, false, 2);
  forward (&f, STEPS, f.symbol, &gates);
  whole = g_memdup2 (f.run.logits, bytes);
  sl_gru_net_rest (&f.net, &f.run, 0, BATCH);
  forward (&f, STEPS / 2, f.symbol + half, &gates);
  anew = g_memdup2 (f.run.logits, bytes);
  for (int rests = 0; rests < 2; rests++)
    {
      sl_gru_net_rest (&f.net, &f.run, 0, BATCH);
      forward (&f, STEPS / 2, f.symbol, &gates);
      sl_gru_net_carry (&f.net, &f.run, STEPS / 2);
      if (rests)
        sl_gru_net_rest (&f.net, &f.run, 1, 1);
      forward (&f, STEPS / 2, f.symbol + half, &gates);
      for (size_t row = 0; row < half; row++)
        for (size_t i = 0; i < SYMBOLS; i++)
          sl_assert_near ((double) f.run.logits[row * SYMBOLS + i],
                          rests && row % BATCH == 1 ? (double) anew[row * SYMBOLS + i]
                                                    : (double) whole[(half + row) * SYMBOLS + i],
                          eps, eps);
    }
  fixture_clear (&f);
}

/* Gates that are given are those of the pass: where all are 0 the states stay, and so do the logits. */
static void
test_given (void)
{
  const sl_real zeros[STEPS * BATCH * UNITS] = { 0 };
  SlGruGates    gates = { .s = 0.3, .epsilon = 1e-3, .given = true, .z = { zeros, zeros } };
  Fixture       f;

  fixture_init (&f, SL_GRU_UNITS, false, 2);
  forward (&f, STEPS, f.symbol, &gates);
  for (size_t row = 0; row < STEPS * BATCH; row++)
    g_assert_cmpmem (f.run.logits + row * SYMBOLS, SYMBOLS * sizeof (sl_real),
                     f.net.weights + f.net.at_bias, SYMBOLS * sizeof (sl_real));
  gates.z[0] = NULL;
  forward (&f, STEPS, f.symbol, &gates);
  g_assert_cmpmem (f.run.logits, SYMBOLS * sizeof (sl_real), f.net.weights + f.net.at_bias,
                   SYMBOLS * sizeof (sl_real));
  gates.z[1] = NULL;
  forward (&f, STEPS, f.symbol, &gates);
  g_assert_cmpfloat (f.run.logits[0], !=, f.net.weights[f.net.at_bias]);
  fixture_clear (&f);
}

/* The statistics of evaluation follow those of the batches, each layer its own. */
static void
test_follow (void)
{
  const SlGruGates gates = { .s = 0.3, .epsilon = 1e-3 };
  Fixture          f;

  sl_real mean[2][UNITS], variance[2][UNITS];

  fixture_init (&f, SL_GRU_UNITS, false, 2);
  forward (&f, STEPS, f.symbol, &gates);
  for (unsigned l = 0; l < 2; l++)
    {
      memcpy (mean[l], f.net.mean[l], sizeof mean[l]);
      memcpy (variance[l], f.net.variance[l], sizeof variance[l]);
      sl_norm_follow (STEPS, UNITS, f.run.tape[l].mean, f.run.tape[l].variance, (sl_real) 0.125,
                      mean[l], variance[l]);
      g_assert_cmpfloat (mean[l][0], !=, f.net.mean[l][0]);
    }
  sl_gru_net_follow (&f.net, &f.run, STEPS, 0.125);
  for (unsigned l = 0; l < 2; l++)
    {
      g_assert_cmpmem (mean[l], sizeof mean[l], f.net.mean[l], sizeof mean[l]);
      g_assert_cmpmem (variance[l], sizeof variance[l], f.net.variance[l], sizeof variance[l]);
    }
  fixture_clear (&f);
}

static void
test_bound (void)
{
  const double alpha[2] = { 0.25, 0.5 };
  SlGruNet     net;
  double       below, above;

  sl_gru_net_shape (&net, SL_GRU_BLOCKS, false, false, SYMBOLS, 2, UNITS, GATES);
  g_assert_cmpfloat (sl_gru_net_output_macs (&net), ==, SYMBOLS * UNITS);
  below = sl_gru_unit_macs (&net.gru[0]);
  above = sl_gru_unit_macs (&net.gru[1]);
  /* An ordinary unit also multiplies for a gate of its own: with its state, and above with its input too. */
  sl_assert_near (sl_gru_net_bound (&net, alpha),
                  (SYMBOLS * UNITS + below + UNITS * UNITS + above + UNITS * 2 * UNITS)
                    / (SYMBOLS * UNITS + sl_gru_gate_macs (&net.gru[0]) + 0.25 * below
                       + sl_gru_gate_macs (&net.gru[1]) + 0.5 * above),
                  1e-14, 0);
}

#ifdef SL_DOUBLE
static double
loss_of (Fixture *f, bool slope)
{
  const SlGruGates gates = { .s = 0.3, .epsilon = 1e-3 };

  forward (f, STEPS, f->symbol, &gates);
  return sl_gru_net_loss (&f->net, &f->run, STEPS, f->label, slope);
}

static void
check_gradient (SlGruGating gating, unsigned layers)
{
  const double step = 1e-6;
  Fixture      f;

  fixture_init (&f, gating, layers == 2, layers);
  (void) loss_of (&f, true);
  sl_gru_net_backward (&f.net, &f.run, STEPS, f.symbol);
  for (size_t i = 0; i < f.net.n; i++)
    {
      double kept = f.net.weights[i], above, below;

      f.net.weights[i] = kept + step;
      above = loss_of (&f, false);
      f.net.weights[i] = kept - step;
      below = loss_of (&f, false);
      f.net.weights[i] = kept;
      sl_assert_near (f.net.gradient[i], (above - below) / (2 * step), 1e-5, 1e-7);
    }
  fixture_clear (&f);
}

static void
test_gradient (void)
{
  for (int gating = SL_GRU_STANDARD; gating <= SL_GRU_MIXED; gating++)
    for (unsigned layers = 1; layers <= SL_GRU_LAYERS; layers++)
      check_gradient ((SlGruGating) gating, layers);
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gru-net/alone", test_alone);
  g_test_add_func ("/gru-net/pieces", test_pieces);
  g_test_add_func ("/gru-net/given", test_given);
  g_test_add_func ("/gru-net/follow", test_follow);
  g_test_add_func ("/gru-net/bound", test_bound);
#ifdef SL_DOUBLE
  g_test_add_func ("/gru-net/gradient", test_gradient);
#endif
  return g_test_run ();
}
