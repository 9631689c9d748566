/* SPDX-License-Identifier: MIT
 *
 * Golden cases of the stochastic gates, in double and to 1e-10: units, a 3-2-4-3 net with every
 * estimator, the enumeration of its gates, sparsity terms, controller, Beta noise, threshold, costs
 * and bound.  Then the lab itself: the density follows the wish, the edge cases are met.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/nn/gater/exact.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"
#include "core/nn/gater/sparsity.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/golden.h"

enum { B = 2, D = 3, M = 2, N = 4, C = 3 };

static JsonObject *golden;

static JsonObject *
member (const char *name)
{
  g_assert_true (json_object_has_member (golden, name));
  return json_object_get_object_member (golden, name);
}

static void
expect (const sl_real *got, JsonObject *object, const char *name, size_t n)
{
  sl_golden_expect (got, object, name, n, 0, 1e-10);
}

/* The golden file has one column per unit where the net has one row. */
static void
copy_turned (JsonObject *object, const char *name, size_t inputs, size_t units, sl_real *to)
{
  sl_real plain[64];

  sl_golden_copy (object, name, plain, inputs * units);
  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < units; i++)
      to[i * inputs + j] = plain[j * units + i];
}

static void
expect_turned (const sl_real *got, JsonObject *object, const char *name, size_t inputs,
               size_t units)
{
  sl_real plain[64];

  for (size_t j = 0; j < inputs; j++)
    for (size_t i = 0; i < units; i++)
      plain[j * units + i] = got[i * inputs + j];
  expect (plain, object, name, inputs * units);
}

static void
test_noisy (void)
{
  static const struct
  {
    const char  *name;
    SlGaterNoise noise;
    double       scale;
  } cases[] = { { "noisy_rectifier_logistic", SL_GATER_LOGISTIC, 1 },
                { "noisy_rectifier_gauss_sd0.5", SL_GATER_GAUSSIAN, 0.5 },
                { "noisy_rectifier_gauss_sd1", SL_GATER_GAUSSIAN, 1 } };
  SlGaterUnit unit = { .kind = SL_GATER_NOISY };

  for (size_t k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      JsonObject *c = member (cases[k].name);
      g_autoptr (GArray) a = sl_golden_numbers (c, "a");
      g_autofree sl_real *active = g_new (sl_real, a->len), *mean = g_new (sl_real, a->len);

      for (guint i = 0; i < a->len; i++)
        {
          double at = g_array_index (a, double, i);

          active[i] = sl_gater_active (&unit, cases[k].noise, cases[k].scale, at);
          mean[i] = sl_gater_mean (&unit, cases[k].noise, cases[k].scale, at);
        }
      expect (active, c, "P_active", a->len);
      expect (mean, c, "E_h", a->len);
    }
}

static void
test_sts_unit (void)
{
  enum { POINTS = 5 };
  JsonObject   *c = member ("sts_unit");
  SlGaterUnit   unit = { .kind = SL_GATER_STS };
  SlGaterSignal none = { 0 };
  sl_real       a[POINTS], p[POINTS], h[POINTS], active[POINTS], mean[POINTS], slope[POINTS];
  sl_real       never[POINTS] = { 0 }, one[POINTS] = { 1, 1, 1, 1, 1 };
  uint8_t       on[POINTS];

  sl_golden_copy (c, "a", a, POINTS);
  for (int i = 0; i < POINTS; i++)
    {
      active[i] = sl_gater_active (&unit, SL_GATER_NO_NOISE, 0, a[i]);
      mean[i] = sl_gater_mean (&unit, SL_GATER_NO_NOISE, 0, a[i]);
    }
  sl_gater_fire (&unit, POINTS, a, never, p, on, h);
  expect (p, c, "p", POINTS);
  expect (h, c, "out_if_on", POINTS);
  expect (active, c, "P_active_true", POINTS);
  expect (mean, c, "E_h", POINTS);
  sl_gater_credit (&unit, 1, POINTS, p, on, h, one, &none, slope);
  expect (slope, c, "grad_per_dh_if_on", POINTS);
  /* As the authors' program fires. */
  unit.thin = true;
  for (int i = 0; i < POINTS; i++)
    active[i] = sl_gater_active (&unit, SL_GATER_NO_NOISE, 0, a[i]);
  expect (active, c, "P_active_as_printed", POINTS);
  for (int i = 0; i < POINTS; i++)
    sl_assert_near (sl_gater_mean (&unit, SL_GATER_NO_NOISE, 0, a[i]), pow (p[i], 1.5), 1e-12, 0);
}

/* Noise that is apart moves the decision and not the value, in training and in use. */
static void
test_sts_apart (void)
{
  enum { POINTS = 4 };
  const SlGaterUnit unit = { .kind = SL_GATER_STS, .apart = true, .mean = 0.7 };
  SlGaterSignal     none = { 0 };
  const sl_real     a[POINTS] = { -2, -0.5, 0.3, 4 }, shift[POINTS] = { 3, -1, 0, 0.5 };
  const sl_real     draw[POINTS] = { 0.84, 0.44, 0.75, 0.99 }, dh[POINTS] = { 1, -2, 0.5, 3 };
  sl_real           p[POINTS], h[POINTS], da[POINTS], shifted[POINTS], use[POINTS];
  uint8_t           on[POINTS];

  sl_gater_fire_apart (&unit, POINTS, a, shift, draw, p, on, h);
  sl_gater_credit (&unit, 1, POINTS, p, on, h, dh, &none, da);
  for (int i = 0; i < POINTS; i++)
    {
      double fires = sqrt (sl_gater_sigmoid (a[i] + shift[i])), clean = sl_gater_sigmoid (a[i]);

      sl_assert_near (p[i], fires * fires, 1e-12, 0);
      g_assert_cmpint (on[i], ==, draw[i] < fires);
      sl_assert_near (h[i], on[i] ? sqrt (clean) : 0, 1e-12, 1e-15);
      sl_assert_near (da[i], on[i] ? dh[i] * 0.5 * sqrt (clean) * (1 - clean) : 0, 1e-12, 1e-15);
      shifted[i] = a[i] + unit.mean;
    }
  /* Without the noise the first two would decide the other way. */
  g_assert_true (on[0] == 1 && draw[0] > sqrt (sl_gater_sigmoid (a[0])));
  g_assert_true (on[1] == 0 && draw[1] < sqrt (sl_gater_sigmoid (a[1])));
  sl_gater_settle (&unit, 0.5, POINTS, shifted, use);
  for (int i = 0; i < POINTS; i++)
    sl_assert_near (use[i], shifted[i] > 0.5 ? sqrt (sl_gater_sigmoid (a[i])) : 0, 1e-12, 1e-15);
}

/* Noise that is a factor: chance and mean against numbers from many draws. */
static void
test_factor (void)
{
  enum { DRAWS = 200000 };
  const SlGaterUnit unit = { .kind = SL_GATER_NOISY, .times = true };
  const double      scale = 0.8, at[] = { -1.5, 0, 0.4, 2 };
  SlRng             rng;

  sl_rng_init (&rng, 3, "factors");
  for (size_t i = 0; i < G_N_ELEMENTS (at); i++)
    {
      double on = 0, sum = 0;

      for (int d = 0; d < DRAWS; d++)
        {
          double z = at[i] * (1 + scale * sl_rng_normal (&rng));

          on += z > 0;
          sum += fmax (0, z);
        }
      sl_assert_near (sl_gater_active (&unit, SL_GATER_GAUSSIAN, scale, at[i]), on / DRAWS, 0,
                      0.005);
      sl_assert_near (sl_gater_mean (&unit, SL_GATER_GAUSSIAN, scale, at[i]), sum / DRAWS, 0, 0.02);
    }
}

static void
test_sts_bias (void)
{
  JsonArray  *cases = json_object_get_array_member (golden, "sts_bias");
  SlGaterUnit unit = { .kind = SL_GATER_STS };
  guint       wrong_sign = 0;

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *c = json_array_get_object_element (cases, i);
      const char *f = json_object_get_string_member (c, "f");
      double      a = sl_golden_number (c, "a"), truth, backprop;

      if (strcmp (f, "h") == 0)
        {
          /* E h = p, and what comes back when it is on, as often as it is on. */
          sl_real       z = a, nothing = 0, p, h, one = 1, slope;
          uint8_t       on;
          SlGaterSignal none = { 0 };
          double        above = sl_gater_mean (&unit, SL_GATER_NO_NOISE, 0, a + 1e-6);

          truth = (above - sl_gater_mean (&unit, SL_GATER_NO_NOISE, 0, a - 1e-6)) / 2e-6;
          sl_gater_fire (&unit, 1, &z, &nothing, &p, &on, &h);
          sl_gater_credit (&unit, 1, 1, &p, &on, &h, &one, &none, &slope);
          backprop = slope * sl_gater_active (&unit, SL_GATER_NO_NOISE, 0, a);
          sl_assert_near (truth, sl_golden_number (c, "true"), 0, 1e-9);
          sl_assert_near (backprop, 0.5 * sl_golden_number (c, "true"), 0, 1e-10);
        }
      else
        {
          double aim = strcmp (f, "h^2") == 0 ? 0 : 0.3;

          truth = sl_gater_sts_slope (a, aim);
          backprop = sl_gater_sts_backprop (a, aim);
          sl_assert_near (truth, sl_golden_number (c, "true"), 0, 1e-10);
        }
      sl_assert_near (backprop, sl_golden_number (c, "backprop_mean"), 0, 1e-10);
      wrong_sign += truth * backprop < 0;
    }
  g_assert_cmpuint (wrong_sign, ==, 1);
}

typedef struct
{
  SlGater     gater;
  SlGaterTape tape;
  SlArena     arena;
  uint8_t     label[B];
} Net;

static void
net_init (Net *net)
{
  JsonObject *c = member ("net");
  JsonArray  *labels = json_object_get_array_member (c, "y");

  *net = (Net) { 0 };
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
  copy_turned (c, "W1", D, M, sl_gater_weight (&net->gater, SL_GATER_HIDDEN));
  copy_turned (c, "W2", M, N, sl_gater_weight (&net->gater, SL_GATER_LOGITS));
  copy_turned (c, "W0", D, N, sl_gater_weight (&net->gater, SL_GATER_EXPERTS));
  sl_golden_copy (c, "W3", sl_gater_weight (&net->gater, SL_GATER_OUTPUT), N * C);
  sl_golden_copy (c, "b1", sl_gater_bias (&net->gater, SL_GATER_HIDDEN), M);
  sl_golden_copy (c, "b2", sl_gater_bias (&net->gater, SL_GATER_LOGITS), N);
  sl_golden_copy (c, "b0", sl_gater_bias (&net->gater, SL_GATER_EXPERTS), N);
  sl_golden_copy (c, "b3", sl_gater_bias (&net->gater, SL_GATER_OUTPUT), C);
  sl_golden_copy (c, "X", net->tape.x, B * D);
  sl_golden_copy (c, "gauss_noise", net->tape.shift, B * N);
  sl_golden_copy (c, "uniform", net->tape.uniform, B * N);
  for (guint i = 0; i < B; i++)
    net->label[i] = (uint8_t) json_array_get_int_element (labels, i);
}

static void
net_clear (Net *net)
{
  sl_arena_clear (&net->arena);
}

static void
test_gates (void)
{
  JsonObject *c = member ("net");
  SlGaterUnit unit = { .kind = SL_GATER_ST };
  Net         net;

  net_init (&net);
  sl_gater_forward (&net.gater, &unit, &net.tape, B, false, false);
  expect (net.tape.u, c, "u", B * M);
  expect (net.tape.z, c, "a", B * N);
  expect (net.tape.p, c, "p", B * N);
  expect (net.tape.e, c, "expert", B * N);
  net_clear (&net);
}

static const struct
{
  const char *name;
  SlGaterUnit unit;
  bool        shifted;
} estimators[] = {
  { "noisy_rectifier", { .kind = SL_GATER_NOISY }, true },
  { "sts", { .kind = SL_GATER_STS }, false },
  { "st_identity", { .kind = SL_GATER_ST }, false },
  { "st_sigmoid", { .kind = SL_GATER_ST, .slope = true }, false },
  { "sbn", { .kind = SL_GATER_SBN }, false },
};

static void
test_estimator (gconstpointer data)
{
  guint         k = GPOINTER_TO_UINT (data);
  JsonObject   *c = member (estimators[k].name), *grads;
  SlGaterSignal signal = { 0 };
  Net           net;
  SlGater      *g = &net.gater;
  sl_real       probs[B * C], baseline[N];
  size_t        errors;
  double        loss;

  net_init (&net);
  sl_gater_forward (g, &estimators[k].unit, &net.tape, B, estimators[k].shifted, false);
  expect (net.tape.h, c, "h", B * N);
  loss = sl_gater_loss (g, &net.tape, B, net.label, &errors);
  sl_assert_near (loss, sl_golden_number (c, "loss"), 0, 1e-10);
  expect (net.tape.loss, c, "loss_per_example", B);
  for (int i = 0; i < B * C; i++)
    probs[i] = B * net.tape.dout[i] + (i % C == net.label[i / C]);
  expect (probs, c, "probs", B * C);
  sl_gater_feedback (g, &net.tape, B);
  expect (net.tape.dh, c, "dL_dh", B * N);

  signal.loss = net.tape.loss;
  signal.baseline = baseline;
  if (estimators[k].unit.kind == SL_GATER_SBN)
    sl_golden_copy (c, "baseline", baseline, N);
  sl_gater_backward (g, &estimators[k].unit, &net.tape, B, &signal, NULL);
  expect (net.tape.dh, c, "dL_da", B * N);
  grads = json_object_get_object_member (c, "grads");
  expect_turned (g->gradient + g->at[SL_GATER_HIDDEN], grads, "W1", D, M);
  expect_turned (g->gradient + g->at[SL_GATER_LOGITS], grads, "W2", M, N);
  expect_turned (g->gradient + g->at[SL_GATER_EXPERTS], grads, "W0", D, N);
  expect (g->gradient + g->at[SL_GATER_OUTPUT], grads, "W3", N * C);
  expect (g->gradient + g->bias[SL_GATER_HIDDEN], grads, "b1", M);
  expect (g->gradient + g->bias[SL_GATER_LOGITS], grads, "b2", N);
  expect (g->gradient + g->bias[SL_GATER_EXPERTS], grads, "b0", N);
  expect (g->gradient + g->bias[SL_GATER_OUTPUT], grads, "b3", C);
  net_clear (&net);
}

/* The baseline follows the batches, from values that begin at 1e-6. */
static void
test_baseline (void)
{
  JsonObject *c = member ("sbn_ema");
  SlGaterUnit unit = { .kind = SL_GATER_SBN };
  Net         net;
  sl_real     over[N], under[N], baseline[N];
  size_t      errors;

  net_init (&net);
  sl_assert_near (SL_GATER_START, sl_golden_number (c, "init"), 0, 1e-16);
  for (int i = 0; i < N; i++)
    over[i] = under[i] = SL_GATER_START;
  sl_gater_baseline (N, over, under, baseline);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (baseline[i], ==, 1);
  sl_gater_forward (&net.gater, &unit, &net.tape, B, false, false);
  sl_gater_loss (&net.gater, &net.tape, B, net.label, &errors);
  sl_gater_baseline_follow (B, N, net.tape.p, net.tape.h, net.tape.loss,
                            (sl_real) sl_golden_number (c, "coef"), over, under);
  expect (over, c, "nume", N);
  expect (under, c, "deno", N);
  sl_gater_baseline (N, over, under, baseline);
  expect (baseline, c, "baseline_next", N);
  net_clear (&net);
}

/* Example 0 of the net as a toy of its four gates. */
typedef struct
{
  double       a[N], rest[C], effect[N * C], work[C];
  SlGaterToy   toy;
  SlGaterExact exact;
} Toy;

static void
toy_init (Toy *toy, Net *net)
{
  SlGaterUnit unit = { .kind = SL_GATER_ST };

  sl_gater_forward (&net->gater, &unit, &net->tape, B, false, false);
  for (int i = 0; i < N; i++)
    {
      toy->a[i] = net->tape.z[i];
      for (int k = 0; k < C; k++)
        toy->effect[i * C + k]
          = net->tape.e[i] * sl_gater_weight (&net->gater, SL_GATER_OUTPUT)[i * C + k];
    }
  for (int k = 0; k < C; k++)
    toy->rest[k] = sl_gater_bias (&net->gater, SL_GATER_OUTPUT)[k];
  toy->toy = (SlGaterToy) { .gates = N,
                            .outputs = C,
                            .a = toy->a,
                            .rest = toy->rest,
                            .effect = toy->effect,
                            .label = net->label[0] };
  sl_gater_enumerate (&toy->toy, toy->work, &toy->exact);
}

static double
cosine (const double *x, const double *y, int n)
{
  double xy = 0, xx = 0, yy = 0;

  for (int i = 0; i < n; i++)
    {
      xy += x[i] * y[i];
      xx += x[i] * x[i];
      yy += y[i] * y[i];
    }
  return xy / sqrt (xx * yy);
}

static void
test_enumeration (void)
{
  JsonObject   *c = member ("enumeration");
  Net           net;
  Toy           toy;
  SlGaterExact *e = &toy.exact;

  net_init (&net);
  toy_init (&toy, &net);
  sl_assert_near (e->loss, sl_golden_number (c, "EL"), 0, 1e-10);
  expect (e->exact, c, "exact_grad", N);
  expect (e->mean[SL_GATER_BARE], c, "E_sbn", N);
  expect (e->mean[SL_GATER_BEST], c, "E_sbn", N);
  expect (e->baseline, c, "optimal_baseline", N);
  expect (e->variance[SL_GATER_BARE], c, "var_uncentred", N);
  expect (e->variance[SL_GATER_BEST], c, "var_centred_optimal", N);
  expect (e->variance[SL_GATER_MEAN_LOSS], c, "var_centred_mean_loss", N);
  expect (e->mean[SL_GATER_STRAIGHT], c, "E_st_identity", N);
  expect (e->mean[SL_GATER_SLOPED], c, "E_st_sigmoid", N);
  sl_assert_near (cosine (e->exact, e->mean[SL_GATER_STRAIGHT], N),
                  sl_golden_number (c, "cos_st_identity"), 0, 1e-10);
  sl_assert_near (cosine (e->exact, e->mean[SL_GATER_SLOPED], N),
                  sl_golden_number (c, "cos_st_sigmoid"), 0, 1e-10);
  net_clear (&net);
}

/* The expected loss of smooth times stochastic gates, state by state. */
static double
smooth_loss (const SlGaterToy *toy, const double *a)
{
  double sum = 0;

  for (unsigned state = 0; state < 1U << toy->gates; state++)
    {
      double o[C], weight = 1, total = 0;

      memcpy (o, toy->rest, sizeof o);
      for (size_t k = 0; k < toy->gates; k++)
        {
          double root = sqrt (1 / (1 + exp (-a[k])));

          weight *= state >> k & 1 ? root : 1 - root;
          for (int i = 0; i < C && (state >> k & 1) != 0; i++)
            o[i] += root * toy->effect[k * C + (size_t) i];
        }
      for (int i = 0; i < C; i++)
        total += exp (o[i]);
      sum += weight * (log (total) - o[toy->label]);
    }
  return sum;
}

/* The exact gradient of STS gates against central differences, and the mean of the real estimators
 * over many draws against the enumerated one.  */
static void
test_samples (void)
{
  static const struct
  {
    SlGaterUnit      unit;
    SlGaterEstimator estimator;
  } cases[] = { { { .kind = SL_GATER_SBN }, SL_GATER_BEST },
                { { .kind = SL_GATER_ST }, SL_GATER_STRAIGHT },
                { { .kind = SL_GATER_ST, .slope = true }, SL_GATER_SLOPED },
                { { .kind = SL_GATER_STS }, SL_GATER_SMOOTH } };
  enum { DRAWS = 40000 };
  Net   net;
  Toy   toy;
  SlRng rng;

  net_init (&net);
  toy_init (&toy, &net);
  for (int k = 0; k < N; k++)
    {
      double above[N], below[N];

      memcpy (above, toy.a, sizeof above);
      memcpy (below, toy.a, sizeof below);
      above[k] += 1e-5;
      below[k] -= 1e-5;
      sl_assert_near (toy.exact.exact_smooth[k],
                      (smooth_loss (&toy.toy, above) - smooth_loss (&toy.toy, below)) / 2e-5, 0,
                      1e-9);
    }
  sl_rng_init (&rng, 8, "samples");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double *mean = toy.exact.mean[cases[i].estimator];
      const double *variance = toy.exact.variance[cases[i].estimator];
      const double *truth = sl_gater_truth (&toy.exact, cases[i].estimator);
      double        sum[N] = { 0 }, one[N], turn = 0, spread = toy.exact.spread[cases[i].estimator];
      SlGaterSignal signal = { .loss = net.tape.loss, .baseline = toy.exact.baseline };
      size_t        errors;

      for (int t = 0; t < DRAWS; t++)
        {
          sl_gater_draw_uniform (&rng, N, net.tape.uniform);
          sl_gater_forward (&net.gater, &cases[i].unit, &net.tape, 1, false, false);
          sl_gater_loss (&net.gater, &net.tape, 1, net.label, &errors);
          sl_gater_feedback (&net.gater, &net.tape, 1);
          sl_gater_credit (&cases[i].unit, 1, N, net.tape.p, net.tape.on, net.tape.h, net.tape.dh,
                           &signal, net.tape.dh);
          for (int k = 0; k < N; k++)
            {
              one[k] = net.tape.dh[k];
              sum[k] += one[k] / DRAWS;
            }
          turn += (cosine (one, one, N) > 0 ? cosine (one, truth, N) : 0) / DRAWS;
        }
      sl_assert_near (turn, toy.exact.cosine[cases[i].estimator], 0, 5 * spread / sqrt (DRAWS));
      for (int k = 0; k < N; k++)
        sl_assert_near (sum[k], mean[k], 0, 5 * sqrt (variance[k] / DRAWS) + 1e-9);
    }
  net_clear (&net);
}

static void
test_sparsity (void)
{
  JsonObject   *c = member ("sparsity");
  SlGaterUnit   st = { .kind = SL_GATER_ST }, sts = { .kind = SL_GATER_STS };
  SlGaterUnit   noisy = { .kind = SL_GATER_NOISY };
  double        s = sl_golden_number (c, "s"), lambda = sl_golden_number (c, "lam");
  Net           net;
  sl_real       mean[N], pull[N], rate[N], zeros[B * N] = { 0 }, da[B * N];
  SlGaterSignal signal = { .pull = pull };

  net_init (&net);
  sl_gater_forward (&net.gater, &st, &net.tape, B, false, false);
  sl_assert_near (sl_gater_kl (&st, B, N, net.tape.p, s, lambda, mean, pull),
                  sl_golden_number (c, "kl"), 0, 1e-10);
  sl_gater_credit (&st, B, N, net.tape.p, net.tape.on, net.tape.h, zeros, &signal, da);
  expect (da, c, "kl_grad_a", B * N);
  sl_assert_near (sl_gater_kl (&sts, B, N, net.tape.p, s, lambda, mean, pull),
                  sl_golden_number (c, "kl_on_sqrt_p"), 0, 1e-10);
  sl_gater_credit (&sts, B, N, net.tape.p, net.tape.on, net.tape.h, zeros, &signal, da);
  expect (da, c, "kl_on_sqrt_p_grad_a", B * N);

  sl_gater_forward (&net.gater, &noisy, &net.tape, B, true, false);
  sl_assert_near (sl_gater_l1 (B * N, net.tape.h, lambda), sl_golden_number (c, "l1"), 0, 1e-10);
  signal = (SlGaterSignal) { .l1 = (sl_real) lambda };
  sl_gater_credit (&noisy, B, N, net.tape.p, net.tape.on, net.tape.h, zeros, &signal, da);
  expect (da, c, "l1_grad_a", B * N);
  sl_assert_near (sl_gater_rates (B, N, net.tape.h, rate),
                  sl_golden_number (c, "effective_sparsity_rectifier"), 0, 1e-12);
  net_clear (&net);
}

static void
test_controller (void)
{
  JsonObject *c = member ("lambda_controller");
  g_autoptr (GArray) density = sl_golden_numbers (c, "s_e");
  g_autofree sl_real *got = g_new (sl_real, density->len);
  double              lambda = sl_golden_number (c, "lam0");

  for (guint i = 0; i < density->len; i++)
    got[i] = lambda = sl_gater_lambda (lambda, g_array_index (density, double, i),
                                       sl_golden_number (c, "s"), sl_golden_number (c, "kappa"));
  g_autoptr (GArray) want = sl_golden_numbers (c, "lam");
  sl_assert_close (got, &g_array_index (want, double, 0), want->len, 1e-12, 0);
}

static double
beta_mode (const SlGaterBeta *noise)
{
  return noise->scale * ((noise->alpha - 1.0) / (noise->alpha + noise->beta - 2.0) - noise->centre);
}

static void
test_beta (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "beta_noise");

  g_assert_cmpuint (json_array_get_length (cases), >, 5);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *c = json_array_get_object_element (cases, i);
      SlGaterBeta paper = sl_gater_beta (0.1, sl_golden_number (c, "beta"), false);
      SlGaterBeta code = sl_gater_beta (0.1, sl_golden_number (c, "beta"), true);

      sl_assert_near (paper.alpha, sl_golden_number (c, "alpha"), 0, 1e-10);
      sl_assert_near (paper.scale, sl_golden_number (c, "paper_scale"), 0, 1e-10);
      sl_assert_near (beta_mode (&paper), sl_golden_number (c, "paper_noise_mode"), 0, 1e-10);
      sl_assert_near (sl_gater_beta_mean (&paper), sl_golden_number (c, "paper_noise_mean"), 0,
                      1e-10);
      sl_assert_near (code.scale, sl_golden_number (c, "code_scale"), 0, 1e-10);
      sl_assert_near (beta_mode (&code), sl_golden_number (c, "code_noise_mode"), 0, 1e-10);
      sl_assert_near (sl_gater_beta_mean (&code), sl_golden_number (c, "code_noise_mean"), 0,
                      1e-10);
    }
}

static void
test_threshold (void)
{
  JsonObject *c = member ("threshold");
  sl_real     values[10], sorted[10], cut;
  double      on = 0;

  sl_golden_copy (c, "values", values, 10);
  memcpy (sorted, values, sizeof sorted);
  cut = sl_gater_threshold (10, values, sl_golden_number (c, "s"));
  sl_assert_near (cut, sl_golden_number (c, "threshold"), 0, 1e-12);
  for (int i = 0; i < 10; i++)
    on += sorted[i] > cut;
  sl_assert_near (on / 10, sl_golden_number (c, "fraction_on"), 0, 1e-12);
}

static void
test_cost (void)
{
  JsonObject *c = member ("cost");
  SlGater     g;

  sl_gater_shape (&g, 784, 400, 2000, 10);
  g_assert_cmpfloat (sl_gater_macs (&g), ==, sl_golden_number (c, "gater"));
  sl_assert_near (sl_gater_expert_macs (&g, 1), sl_golden_number (c, "dense_no_gater"), 1e-14, 0);
  sl_assert_near (sl_gater_expert_macs (&g, 0.1),
                  sl_golden_number (c, "expert_10pct") + sl_golden_number (c, "out_10pct"), 1e-14,
                  0);
  sl_assert_near (sl_gater_macs (&g) + sl_gater_expert_macs (&g, 0.1),
                  sl_golden_number (c, "conditional_total"), 1e-14, 0);
  sl_assert_near ((sl_gater_expert_macs (&g, 1) - sl_gater_expert_macs (&g, 0.1))
                    / (sl_gater_macs (&g) / 400),
                  sl_golden_number (c, "M_break_even"), 1e-12, 0);
}

static void
test_bound (void)
{
  JsonObject *c = member ("max_norm");
  sl_real     columns[4], rows[4], work[2], most = (sl_real) sl_golden_number (c, "c");

  sl_golden_copy (c, "W", columns, 4);
  copy_turned (c, "W", 2, 2, rows);
  sl_gater_bound_columns (2, 2, most, columns, work);
  expect (columns, c, "out", 4);
  sl_gater_bound_rows (2, 2, most, rows);
  expect_turned (rows, c, "out", 2, 2);
}

/* The newest value of every channel. */
typedef struct
{
  SlSink     sink; /* first */
  double     value[SL_CHANNELS_MAX];
  uint64_t   step[SL_CHANNELS_MAX];
  SlSnapshot snapshot; /* of the last probe */
} Newest;

static void
take (SlSink *sink, const SlSample *sample)
{
  Newest *newest = (Newest *) sink;

  newest->value[sample->channel] = sample->value;
  newest->step[sample->channel] = sample->step;
}

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  SlSnapshot *snapshot = &((Newest *) sink)->snapshot;

  sl_snapshot_reset (snapshot);
  return snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

typedef struct
{
  SlDataset *dataset;
  SlTrainer *trainer;
  Newest     newest;
} Run;

static const SlLab *
lab (void)
{
  const SlLab *found = sl_lab_find ("stochastic-gates");

  g_assert_nonnull (found);
  return found;
}

static void
run_init (Run *run, const char *data, const char *words, uint64_t seed)
{
  g_auto (GStrv) pairs = g_strsplit (words, " ", -1);
  SlSettings settings;

  *run
    = (Run) { .newest = { .sink = { .take = take, .open = open_snapshot, .publish = publish } } };
  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  for (char **word = pairs; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      assert_ok (sl_settings_set (&settings, lab ()->params, lab ()->n_params, pair[0], pair[1]));
    }
  assert_ok (sl_source_open (data, &run->dataset));
  assert_ok (sl_trainer_new (&run->trainer, lab (), &settings, run->dataset, seed));
}

static void
run_steps (Run *run, int steps)
{
  for (int i = 0; i < steps; i++)
    assert_ok (sl_trainer_step (run->trainer, &run->newest.sink));
}

static double
newest (const Run *run, const char *channel)
{
  int index = sl_layout_find (sl_trainer_layout (run->trainer), channel);

  g_assert_cmpint (index, >=, 0);
  return run->newest.value[index];
}

static void
run_set (Run *run, const char *id, double to)
{
  SlValue value = { .n = 1, .v = { to } };

  assert_ok (sl_trainer_set (
    run->trainer, (unsigned) sl_param_find (lab ()->params, lab ()->n_params, id), &value));
}

static void
run_clear (Run *run)
{
  sl_snapshot_clear (&run->newest.snapshot);
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->dataset);
}

/* From one half to a twentieth: what is used follows within the updates to the next evaluation,
 * with the cost, and training follows after it.  */
static void
test_drag (gconstpointer gate)
{
  /* The same pull for all gates that have one. */
  g_autofree char *words = g_strdup_printf (
    "gate=%s experts=60 gater-hidden=20 batch=32 learning-rate=0.1 target-density=0.5 "
    "report-every=10 evaluate-every=50%s",
    (const char *) gate,
    strcmp (gate, "sts") == 0   ? " sparsity-weight=100"
    : strcmp (gate, "sbn") == 0 ? " sparsity-weight=0.1 gater-rate=100"
                                : "");
  bool   binary = strcmp (gate, "rectifier") != 0 && strcmp (gate, "noisy-rectifier") != 0;
  Run    run;
  double before;

  run_init (&run, "moons:points=1000", words, 3);
  run_steps (&run, 600);
  sl_assert_near (newest (&run, "density.train"), 50, 0, 15);
  if (binary)
    sl_assert_near (newest (&run, "density.valid"), 50, 0, 3);
  before = newest (&run, "cost.executed");
  run_set (&run, "target-density", 0.05);
  run_steps (&run, 20);
  g_assert_cmpfloat (newest (&run, "density.target"), ==, 5);
  if (binary)
    {
      sl_assert_near (newest (&run, "density.valid"), 5, 0, 1.5);
      sl_assert_near (newest (&run, "cost.executed-bare"), 5, 0, 1.5);
      g_assert_cmpfloat (newest (&run, "cost.executed"), <, before - 40);
    }
  run_steps (&run, 1500);
  g_assert_cmpfloat (newest (&run, "density.train"), <, 12);
  sl_assert_near (newest (&run, "density.valid"), 5, 0, 5);
  g_assert_cmpfloat (newest (&run, "cost.executed"), <, before - 40);
  run_clear (&run);
}

/* Rates begin with the first batch, not from 0. */
static void
test_first_batch (void)
{
  Run    run;
  double bins = 0;

  run_init (&run, "moons:points=300", "gate=sigmoid experts=10 gater-hidden=4 report-every=1", 1);
  run_steps (&run, 1);
  g_assert_cmpfloat (newest (&run, "density.always-on"), ==, 100);
  g_assert_cmpfloat (newest (&run, "density.dead"), ==, 0);
  for (unsigned b = 1; b <= 20; b++)
    {
      g_autofree char *id = g_strdup_printf ("rates.units.%u", b);

      bins += newest (&run, id);
    }
  sl_assert_near (bins, 100, 1e-12, 0);
  g_assert_cmpfloat (newest (&run, "rates.units.20"), ==, 100);
  run_clear (&run);
}

/* Where the biases of the gates begin in the block, for a net of D inputs, M hidden and N units. */
static sl_real *
gate_biases (Run *run, size_t d, size_t m, size_t n)
{
  SlSpan   weights = sl_trainer_weights (run->trainer);
  sl_real *logits = weights.data + m * d + m;

  memset (logits, 0, n * m * sizeof *logits);
  return logits + n * m;
}

/* Never on is dead; rarely on is not. */
static void
test_dead (void)
{
  Run      run;
  sl_real *bias;

  run_init (&run, "moons:points=500",
            "gate=straight-through experts=10 gater-hidden=4 batch=400 report-every=1", 1);
  bias = gate_biases (&run, 2, 4, 10);
  for (int i = 0; i < 10; i++)
    bias[i] = i < 3 ? -60 : i < 7 ? -3 : 60;
  run_steps (&run, 1);
  sl_assert_near (newest (&run, "density.dead"), 30, 0, 1e-9);
  sl_assert_near (newest (&run, "density.always-on"), 30, 0, 1e-9);
  run_clear (&run);
}

/* Gates that are left nothing to chance make the toy the net that is used: the expected loss of the
 * one is the loss of the other.  */
static void
test_toy (void)
{
  Run      run;
  SlScore  scores[SL_SCORES_MAX];
  sl_real *bias;
  unsigned n;

  run_init (&run, "moons:points=100,valid=0.01",
            "gate=straight-through experts=6 gater-hidden=4 target-density=0.5 toy-gates=4", 1);
  bias = gate_biases (&run, 2, 4, 6);
  for (int i = 0; i < 6; i++)
    bias[i] = i % 2 == 0 ? 60 : -60;
  assert_ok (sl_trainer_score (run.trainer, SL_VALID, scores, &n));
  for (unsigned i = 0; i < n; i++)
    if (strcmp (scores[i].id, "loss") == 0)
      {
        g_autofree char *words = g_strdup_printf ("expected loss %.3g nats", scores[i].value);

        assert_ok (sl_trainer_probe (run.trainer, (unsigned) sl_lab_panel (lab (), "toy"),
                                     &run.newest.sink));
        g_assert_nonnull (strstr (sl_english (&run.newest.snapshot.note), words));
      }
  run_clear (&run);
}

/* Densities that have no logarithm are refused. */
static void
test_refused (void)
{
  static const char *const texts[] = { "0", "1", "-0.1", "nan" };
  SlSettings               settings;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      SlStatus status
        = sl_settings_set (&settings, lab ()->params, lab ()->n_params, "target-density", texts[i]);

      g_assert_cmpint (status.code, ==, SL_EINVAL);
    }
}

/* A net that cannot tell inputs or units apart has logits that are all equal: no threshold parts
 * them, and the density says so.  */
static void
test_ties (void)
{
  Run      run;
  SlSpan   weights;
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;

  run_init (&run, "moons:points=300", "experts=10 gater-hidden=4", 1);
  weights = sl_trainer_weights (run.trainer);
  memset (weights.data, 0, weights.n * sizeof *weights.data);
  assert_ok (sl_trainer_score (run.trainer, SL_VALID, scores, &n));
  for (unsigned i = 0; i < n; i++)
    {
      g_assert_true (isfinite (scores[i].value));
      if (strcmp (scores[i].id, "density") == 0)
        g_assert_cmpfloat (scores[i].value, ==, 0);
    }
  run_clear (&run);
}

static double
score_of (Run *run, const char *id)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;

  assert_ok (sl_trainer_score (run->trainer, SL_VALID, scores, &n));
  for (unsigned i = 0; i < n; i++)
    if (strcmp (scores[i].id, id) == 0)
      return scores[i].value;
  return NAN;
}

/* The three ways to use the same network: each is what the setting makes of it, asking changes nothing, and one
 * half is not the threshold of the wished share (supplement A.3).  */
static void
test_uses (gconstpointer gate)
{
  static const char *const ways[] = { "threshold", "half", "sampled" };
  g_autofree char         *words = g_strdup_printf (
            "gate=%s experts=60 gater-hidden=20 batch=32 target-density=0.1 report-every=10 "
                    "evaluate-every=50%s",
            (const char *) gate, strcmp (gate, "sts") == 0 ? " sts-noise-sd=0.5 noise-half=decision" : "");
  Run    run, other;
  double threshold;

  run_init (&run, "digits:images=800", words, 2);
  run_init (&other, "digits:images=800", words, 2);
  run_steps (&run, 150);
  run_steps (&other, 150);
  threshold = score_of (&run, "density-threshold");
  sl_assert_near (threshold, 10, 0, 1);
  g_assert_cmpfloat (fabs (score_of (&run, "density-half") - threshold), >, 1);
  for (int way = 0; way < 3; way++)
    {
      g_autofree char *error = g_strconcat ("error-", ways[way], NULL);
      g_autofree char *density = g_strconcat ("density-", ways[way], NULL);

      run_set (&run, "use", way);
      g_assert_cmpfloat (score_of (&run, "error"), ==, score_of (&run, error));
      g_assert_cmpfloat (score_of (&run, "density"), ==, score_of (&run, density));
    }
  /* The run that was asked goes on as the one that was not. */
  run_set (&run, "use", 0);
  run_steps (&run, 20);
  run_steps (&other, 20);
  g_assert_cmpfloat (newest (&run, "loss.train"), ==, newest (&other, "loss.train"));
  run_clear (&run);
  run_clear (&other);
}

#define DRAWN "digits:images=4000,hardest=0.6"

/* Validation error in % after so many epochs. */
static double
trained_error (const char *data, const char *words, double epochs)
{
  SlScore    scores[SL_SCORES_MAX];
  SlProgress progress = { 0 };
  unsigned   n;
  double     error;
  Run        run;

  run_init (&run, data, words, 2);
  while (progress.epochs < epochs)
    {
      run_steps (&run, 50);
      sl_trainer_progress (run.trainer, &progress);
    }
  assert_ok (sl_trainer_score (run.trainer, SL_VALID, scores, &n));
  g_assert_cmpstr (scores[0].id, ==, "error");
  error = scores[0].value;
  run_clear (&run);
  return error;
}

/* The clearest line of the published table in small: ten times as many experts of which straight-
 * through leaves a tenth on are better than the tenth with plain sigmoids.  */
static void
test_order (void)
{
  double straight = trained_error (DRAWN,
                                   "gate=straight-through experts=200 gater-hidden=40 "
                                   "learning-rate=0.3 schedule=cosine schedule-epochs=10 "
                                   "report-every=1000 evaluate-every=100000",
                                   10);
  double sigmoid = trained_error (DRAWN,
                                  "gate=sigmoid experts=20 gater-hidden=40 noise-sd=0 "
                                  "learning-rate=0.1 schedule=cosine schedule-epochs=10 "
                                  "report-every=1000 evaluate-every=100000",
                                  10);

  g_test_message ("straight-through %.2f %%, sigmoid %.2f %%", straight, sigmoid);
  g_assert_cmpfloat (straight, <, sigmoid);
  g_assert_cmpfloat (straight, <, 12);
}

/* The same on MNIST, from files, in one epoch: with four seeds 4.9 to 5.7 % against 6.9 to 7.1 %. */
static void
test_mnist_order (void)
{
  const char      *base = g_getenv ("SLUICE_SHARED_DATA"), *source = g_getenv ("SLUICE_SOURCE");
  g_autofree char *path = base != NULL ? g_build_filename (base, "mnist", NULL)
                                       : g_build_filename (source != NULL ? source : ".", "..",
                                                           "shared", "data", "mnist", NULL);
  double           straight, sigmoid;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("the folder of real data is not here");
      return;
    }
  straight = trained_error (
    path,
    "gate=straight-through experts=200 gater-hidden=40 batch=32 "
    "learning-rate=0.3 schedule=cosine schedule-epochs=1 report-every=1000 evaluate-every=100000",
    1);
  sigmoid = trained_error (
    path,
    "gate=sigmoid experts=20 gater-hidden=40 noise-sd=0 batch=32 "
    "learning-rate=0.1 schedule=cosine schedule-epochs=1 report-every=1000 evaluate-every=100000",
    1);
  g_test_message ("straight-through %.2f %%, sigmoid %.2f %%", straight, sigmoid);
  g_assert_cmpfloat (straight, <, sigmoid);
  g_assert_cmpfloat (straight, <, 6.5);
}

int
main (int argc, char **argv)
{
  static const char *const gates[]
    = { "straight-through", "sts", "sbn", "rectifier", "noisy-rectifier" };
  JsonNode *root;
  int       result;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/stochastic-gates/noisy-rectifier", test_noisy);
  g_test_add_func ("/stochastic-gates/sts-unit", test_sts_unit);
  g_test_add_func ("/stochastic-gates/sts-apart", test_sts_apart);
  g_test_add_func ("/stochastic-gates/factor", test_factor);
  g_test_add_func ("/stochastic-gates/sts-bias", test_sts_bias);
  g_test_add_func ("/stochastic-gates/gates", test_gates);
  for (guint k = 0; k < G_N_ELEMENTS (estimators); k++)
    {
      g_autofree char *path
        = g_strdup_printf ("/stochastic-gates/estimator/%s", estimators[k].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (k), test_estimator);
    }
  g_test_add_func ("/stochastic-gates/baseline", test_baseline);
  g_test_add_func ("/stochastic-gates/enumeration", test_enumeration);
  g_test_add_func ("/stochastic-gates/samples", test_samples);
  g_test_add_func ("/stochastic-gates/sparsity", test_sparsity);
  g_test_add_func ("/stochastic-gates/controller", test_controller);
  g_test_add_func ("/stochastic-gates/beta-noise", test_beta);
  g_test_add_func ("/stochastic-gates/threshold", test_threshold);
  g_test_add_func ("/stochastic-gates/cost", test_cost);
  g_test_add_func ("/stochastic-gates/max-norm", test_bound);
  for (guint k = 0; k < G_N_ELEMENTS (gates); k++)
    {
      g_autofree char *path = g_strdup_printf ("/stochastic-gates/drag/%s", gates[k]);

      g_test_add_data_func (path, gates[k], test_drag);
    }
  g_test_add_data_func ("/stochastic-gates/uses/sts", "sts", test_uses);
  g_test_add_data_func ("/stochastic-gates/uses/straight-through", "straight-through", test_uses);
  g_test_add_func ("/stochastic-gates/first-batch", test_first_batch);
  g_test_add_func ("/stochastic-gates/dead", test_dead);
  g_test_add_func ("/stochastic-gates/toy", test_toy);
  g_test_add_func ("/stochastic-gates/refused", test_refused);
  g_test_add_func ("/stochastic-gates/ties", test_ties);
  g_test_add_func ("/stochastic-gates/order", test_order);
  g_test_add_func ("/stochastic-gates/mnist", test_mnist_order);
  result = g_test_run ();
  json_node_unref (root);
  return result;
}
