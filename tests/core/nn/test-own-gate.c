/* SPDX-License-Identifier: MIT
 *
 * A gate that a program brings to a mixture: the same as the built-in ones where it is written like them, gradients by
 * differences through its functions, and failures that change nothing.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "tests/core/nn/moe-mix.h"
#include "tests/core/nn/own-gates.h"
#include "tests/support/close.h"

enum { ROWS = 24, EXPERTS = 6, UPDATES = 200 };

#ifdef SL_DOUBLE
static const double same = 1e-9;
#else
static const double same = 2e-3; /* over all updates: roundings differ, and sets at a tie */
#endif

typedef struct
{
  Own      own;
  SlOwnUse use;
  Mix      mix;
} Layer;

static SlMoeShape
shape_of (SlMoeGate gate, SlOwnUse *use)
{
  return (SlMoeShape) {
    gate, 5, 4, 3, EXPERTS, .groups = 1, .most = ROWS, .shared = 1, .own = use,
  };
}

static const SlMoeSetting usual
  = { .k = 2, .floor = (sl_real) 0.01, .choice = { .sum_to_one = true }, .gate_rate = 1.0 };

static void
layer_init (Layer *layer, OwnKind kind, guint64 seed)
{
  SlMoeShape shape = shape_of (SL_MOE_OWN, &layer->use);

  own_init (&layer->own, kind, 2);
  layer->use = (SlOwnUse) { &layer->own.gate, true };
  mix_init (&layer->mix, &shape, &usual);
  mix_randomise (&layer->mix, ROWS, seed);
}

static void
layer_clear (Layer *layer)
{
  mix_clear (&layer->mix);
  own_clear (&layer->own);
}

static bool
update (Mix *mix, SlOptimiser kind)
{
  SlOptimSetting optim = sl_optim_default ();

  optim.kind = kind;
  optim.rate = (sl_real) 0.01;
  mix_objective (mix, false);
  return sl_moe_backward (&mix->moe, &mix->setting, mix->dy, mix->dx, &optim);
}

static void
check_same (const sl_real *got, const sl_real *want, size_t n)
{
  g_autofree double *values = g_new (double, n);

  for (size_t i = 0; i < n; i++)
    values[i] = (double) want[i];
  sl_assert_close (got, values, n, same, same);
}

/* Written as top-k it trains as a Switch without limit and losses whose values sum to one. */
static void
test_switch (void)
{
  SlMoeShape shape = shape_of (SL_MOE_SWITCH, NULL);
  Layer      own;
  Mix        built_in;

  layer_init (&own, OWN_PLAIN, 3);
  mix_init (&built_in, &shape, &usual);
  mix_randomise (&built_in, ROWS, 3);
  for (size_t expert = 0; expert < EXPERTS; expert++)
    {
      sl_real margin[ROWS], want[ROWS];

      mix_objective (&own.mix, false);
      mix_objective (&built_in, false);
      sl_moe_margin (&own.mix.moe, expert, margin);
      sl_moe_margin (&built_in.moe, expert, want);
      for (size_t e = 0; e < ROWS; e++)
        g_assert_true ((margin[e] > 0) == (want[e] > 0));
    }
  for (int i = 0; i < UPDATES; i++)
    {
      g_assert_true (update (&own.mix, SL_ADAM));
      update (&built_in, SL_ADAM);
    }
  check_same (own.mix.weights, built_in.weights, built_in.moe.n);
  check_same (own.mix.dx, built_in.dx, ROWS * shape.inputs);
  g_assert_true (own.mix.moe.balance.expected == 2.0);
  g_assert_cmpuint (own.own.training, ==, EXPERTS + UPDATES);
  mix_clear (&built_in);
  layer_clear (&own);
}

/* And as a noisy gate without noise and losses, once that has the same first weights: it begins with zeros. */
static void
test_noisy (void)
{
  SlMoeShape shape = shape_of (SL_MOE_NOISY, NULL);
  Layer      own;
  Mix        noisy;
  size_t     n = EXPERTS, gate = shape.inputs * n;

  layer_init (&own, OWN_PLAIN, 3);
  mix_init (&noisy, &shape, &usual);
  mix_randomise (&noisy, ROWS, 3);
  memcpy (noisy.x, own.mix.x, ROWS * shape.inputs * sizeof *noisy.x);
  memcpy (noisy.dy, own.mix.dy, ROWS * shape.outputs * sizeof *noisy.dy);
  for (size_t d = 0; d < shape.inputs; d++)
    memcpy (noisy.weights + d * 2 * n, own.mix.weights + d * n, n * sizeof *noisy.weights);
  memcpy (noisy.weights + noisy.moe.n_gates, own.mix.weights + gate,
          (own.mix.moe.n - gate) * sizeof *noisy.weights);
  for (int i = 0; i < UPDATES; i++)
    {
      update (&own.mix, SL_ADAM);
      update (&noisy, SL_ADAM);
    }
  check_same (own.mix.weights + gate, noisy.weights + noisy.moe.n_gates, own.mix.moe.n - gate);
  mix_clear (&noisy);
  layer_clear (&own);
}

/* A gate that says itself what the plain one has: its updates wait for its slopes, and are the same bytes. */
static void
check_weighted (bool factored, SlOptimiser kind)
{
  SlMoeShape shape;
  Layer      plain, weighted;

  layer_init (&plain, OWN_PLAIN, 5);
  layer_init (&weighted, OWN_SOFTMAX, 5);
  if (factored)
    for (int i = 0; i < 2; i++)
      {
        Layer *layer = i == 0 ? &plain : &weighted;

        mix_clear (&layer->mix);
        shape = shape_of (SL_MOE_OWN, &layer->use);
        shape.factored = true;
        mix_init (&layer->mix, &shape, &usual);
        mix_randomise (&layer->mix, ROWS, 5);
      }
  for (int i = 0; i < UPDATES; i++)
    {
      g_assert_true (update (&plain.mix, kind));
      g_assert_true (update (&weighted.mix, kind));
    }
  g_assert_cmpmem (weighted.mix.weights, plain.mix.moe.n * sizeof (sl_real), plain.mix.weights,
                   plain.mix.moe.n * sizeof (sl_real));
  g_assert_cmpmem (weighted.mix.moe.experts.updates, EXPERTS * sizeof (uint64_t),
                   plain.mix.moe.experts.updates, EXPERTS * sizeof (uint64_t));
  g_assert_cmpuint (weighted.own.asked, ==, UPDATES);
  layer_clear (&plain);
  layer_clear (&weighted);
}

static void
test_weighted (void)
{
  check_weighted (false, SL_ADAM);
  check_weighted (false, SL_SGD);
  check_weighted (true, SL_ADAM);
}

#ifdef SL_DOUBLE
static void
check_slopes (Mix *mix, sl_real *numbers, const sl_real *slope, size_t n)
{
  const double step = 1e-6;
  double       most = 0.0;

  for (size_t i = 0; i < n; i++)
    most = fmax (most, fabs (slope[i]));
  g_assert_cmpfloat (most, >, 0.0);
  for (size_t i = 0; i < n; i++)
    {
      sl_real before = numbers[i];
      double  up, down;

      numbers[i] = before + step;
      up = mix_objective (mix, true);
      numbers[i] = before - step;
      down = mix_objective (mix, true);
      numbers[i] = before;
      sl_assert_near (slope[i], (up - down) / (2.0 * step), 0.0, 1e-6 * most);
    }
}

/* Central differences with the sets held: a plain gate is not called for them, a weighted one is. */
static void
test_differences (void)
{
  for (OwnKind kind = OWN_PLAIN; kind <= OWN_SPARSEMAX; kind++)
    {
      Layer               layer;
      g_autofree uint8_t *set = NULL;
      guint               calls;

      layer_init (&layer, kind, 3);
      mix_train (&layer.mix);
      set = g_memdup2 (layer.mix.moe.chooser.wanted, ROWS * EXPERTS);
      calls = layer.own.calls;
      check_slopes (&layer.mix, layer.mix.weights, layer.mix.gradient, layer.mix.moe.n);
      check_slopes (&layer.mix, layer.mix.x, layer.mix.dx, ROWS * layer.mix.moe.shape.inputs);
      g_assert_cmpmem (layer.mix.moe.chooser.wanted, ROWS * EXPERTS, set, ROWS * EXPERTS);
      g_assert_true ((layer.own.calls > calls) == (kind > OWN_NONE));
      layer_clear (&layer);
    }
}
#endif

/* Rows without an expert give what the shared ones do, and send nothing back through the gate. */
static void
test_empty (void)
{
  Layer layer;

  layer_init (&layer, OWN_NONE, 4);
  mix_train (&layer.mix);
  g_assert_cmpuint (layer.mix.moe.balance.empty, ==, ROWS / 3);
  for (size_t e = 0; e < ROWS; e += 3)
    {
      g_assert_cmpmem (layer.mix.y + e * 3, 3 * sizeof (sl_real), layer.mix.moe.y_shared + e * 3,
                       3 * sizeof (sl_real));
      for (size_t i = 0; i < EXPERTS; i++)
        g_assert_true (layer.mix.moe.chooser.slope[e * EXPERTS + i] == 0);
    }
  layer_clear (&layer);
}

/* All that an update changes. */
static GBytes *
kept (const Mix *mix)
{
  const SlMoe *moe = &mix->moe;
  GByteArray  *all = g_byte_array_new ();
  guint        gates = (guint) (moe->n_gates * sizeof (sl_real));
  guint        experts = (guint) (moe->experts.experts * moe->experts.each * sizeof (sl_real));

  g_byte_array_append (all, (const guint8 *) mix->weights, (guint) (moe->n * sizeof (sl_real)));
  g_byte_array_append (all, (const guint8 *) moe->m, gates);
  g_byte_array_append (all, (const guint8 *) moe->v, gates);
  g_byte_array_append (all, (const guint8 *) &moe->updates, sizeof moe->updates);
  g_byte_array_append (all, (const guint8 *) moe->experts.m, experts);
  g_byte_array_append (all, (const guint8 *) moe->experts.v, experts);
  g_byte_array_append (all, (const guint8 *) moe->experts.updates, EXPERTS * sizeof (uint64_t));
  return g_byte_array_free_to_bytes (all);
}

/* A failure leaves everything as it was, says why, and does not call the gate again until it is taken; then training goes
 * on.  */
static void
check_failure (OwnKind kind, OwnFault fault, const char *why)
{
  Layer    layer;
  SlStatus status;
  char     text[512];
  guint    calls, asked;
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;

  layer_init (&layer, kind, 6);
  layer.own.fails = 2;
  layer.own.fault = fault;
  g_assert_true (update (&layer.mix, SL_ADAM));
  before = kept (&layer.mix);
  mix_objective (&layer.mix, false);
  if (fault == OWN_REFUSES || fault == OWN_NAN)
    {
      g_assert_cmpint (layer.use.failure.code, ==, SL_EGATE);
      g_assert_cmpuint (layer.mix.moe.dispatch.total, ==, 0);
    }
  else
    {
      SlOptimSetting optim = sl_optim_default ();

      g_assert_cmpint (layer.use.failure.code, ==, SL_OK);
      g_assert_false (
        sl_moe_backward (&layer.mix.moe, &layer.mix.setting, layer.mix.dy, layer.mix.dx, &optim));
    }
  after = kept (&layer.mix);
  g_assert_true (g_bytes_equal (before, after));
  calls = layer.own.calls;
  asked = layer.own.asked;
  mix_objective (&layer.mix, false);
  g_assert_cmpuint (layer.own.calls, ==, calls);
  g_assert_cmpuint (layer.own.asked, ==, asked);
  status = sl_own_take (&layer.use);
  g_assert_cmpint (status.code, ==, SL_EGATE);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, why));
  g_assert_true (update (&layer.mix, SL_ADAM));
  g_assert_cmpint (layer.use.failure.code, ==, SL_OK);
  layer_clear (&layer);
}

static void
test_failures (void)
{
  check_failure (OWN_PLAIN, OWN_REFUSES, "failed to choose");
  check_failure (OWN_SIGMOID, OWN_REFUSES, "failed to choose");
  check_failure (OWN_SIGMOID, OWN_NAN, "not finite");
  check_failure (OWN_SIGMOID, OWN_NO_SLOPES, "slopes");
  check_failure (OWN_SIGMOID, OWN_NAN_SLOPES, "not finite");
}

/* Values without slopes could not train. */
static void
test_no_slopes (void)
{
  Layer layer;
  char  text[512];

  layer_init (&layer, OWN_SIGMOID, 6);
  layer.own.gate.slopes = NULL;
  mix_objective (&layer.mix, false);
  g_assert_cmpint (layer.use.failure.code, ==, SL_EGATE);
  sl_status_text (&layer.use.failure, text, sizeof text);
  g_assert_nonnull (strstr (text, "slopes"));
  layer_clear (&layer);
}

/* An expert whose logit is no number stays out, whatever the gate says. */
static void
test_not_finite (void)
{
  Layer layer;

  layer_init (&layer, OWN_PLAIN, 7);
  layer.own.k = EXPERTS;
  layer.mix.weights[1] = (sl_real) NAN;
  mix_objective (&layer.mix, false);
  g_assert_cmpuint (layer.mix.moe.balance.not_finite, ==, ROWS);
  g_assert_cmpuint (layer.mix.moe.balance.hard[1], ==, 0);
  g_assert_cmpuint (layer.mix.moe.dispatch.total, ==, ROWS * (EXPERTS - 1));
  layer_clear (&layer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/own-gate/switch", test_switch);
  g_test_add_func ("/own-gate/noisy", test_noisy);
  g_test_add_func ("/own-gate/weighted", test_weighted);
#ifdef SL_DOUBLE
  g_test_add_func ("/own-gate/differences", test_differences);
#endif
  g_test_add_func ("/own-gate/empty", test_empty);
  g_test_add_func ("/own-gate/failures", test_failures);
  g_test_add_func ("/own-gate/no-slopes", test_no_slopes);
  g_test_add_func ("/own-gate/not-finite", test_not_finite);
  return g_test_run ();
}
