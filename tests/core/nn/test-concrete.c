/* SPDX-License-Identifier: MIT
 *
 * Gumbel-sigmoid and hard concrete gates against golden numbers in both precisions: networks with their
 * gradients, one gate over its noise, temperatures, chances, edges.  Sizes are read from the file.  Then
 * draws against the chances in closed form, sampled estimates against integrals, clamps.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/nn/gater/concrete.h"
#include "core/nn/gater/exact.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"
#include "core/nn/gater/sparsity.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static const double rtol = sizeof (sl_real) == sizeof (float) ? 1e-4 : 0;
static const double near = sizeof (sl_real) == sizeof (float) ? 1e-5 : 1e-10;

static JsonObject *golden;

static size_t
copy (JsonObject *object, const char *name, sl_real *to, size_t most)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (object, name);

  g_assert_cmpuint (numbers->len, <=, most);
  for (guint i = 0; i < numbers->len; i++)
    to[i] = (sl_real) g_array_index (numbers, double, i);
  return numbers->len;
}

static void
expect (const sl_real *got, JsonObject *object, const char *name, size_t n)
{
  sl_golden_expect (got, object, name, n, rtol, near);
}

static void
expect_number (double got, JsonObject *object, const char *name)
{
  sl_assert_near (got, sl_golden_number (object, name), rtol, near);
}

/* The file has one column per unit where the net has one row. */
static void
turn (size_t rows, size_t columns, const sl_real *from, sl_real *to)
{
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < columns; i++)
      to[i * rows + j] = from[j * columns + i];
}

static void
copy_turned (JsonObject *object, const char *name, size_t inputs, size_t units, sl_real *to)
{
  g_autofree sl_real *plain = g_new (sl_real, inputs * units);

  g_assert_cmpuint (copy (object, name, plain, inputs * units), ==, inputs * units);
  turn (inputs, units, plain, to);
}

static void
expect_turned (const sl_real *got, JsonObject *object, const char *name, size_t inputs,
               size_t units)
{
  g_autofree sl_real *plain = g_new (sl_real, inputs * units);

  turn (units, inputs, got, plain);
  expect (plain, object, name, inputs * units);
}

typedef struct
{
  SlGater     gater;
  SlGaterTape tape;
  SlArena     arena;
  SlGaterUnit unit;
  size_t      batch;
  uint8_t     label[64];
  sl_real    *mean, *pull;
} Net;

static void
carve_net (Net *net)
{
  net->arena.used = 0;
  sl_gater_carve (&net->gater, &net->arena, &net->arena);
  sl_gater_tape_carve (&net->tape, &net->gater, net->batch, NULL, &net->arena);
  net->mean = sl_arena_reals (&net->arena, net->gater.units);
  net->pull = sl_arena_reals (&net->arena, net->gater.units);
}

static SlGaterUnit
unit_of (JsonObject *c)
{
  const char *kind = json_object_get_string_member (c, "kind");

  if (g_str_equal (kind, "hard-concrete"))
    return (SlGaterUnit) { .kind = SL_GATER_CONCRETE,
                           .temperature = (sl_real) sl_golden_number (c, "beta"),
                           .stretch = -(sl_real) sl_golden_number (c, "gamma") };
  return (SlGaterUnit) { .kind = SL_GATER_GUMBEL,
                         .hard = g_str_equal (kind, "gumbel-straight-through"),
                         .temperature = (sl_real) sl_golden_number (c, "tau") };
}

static void
open_net (Net *net, JsonObject *c)
{
  size_t inputs = (size_t) sl_golden_number (c, "D"), hidden = (size_t) sl_golden_number (c, "M");
  size_t units = (size_t) sl_golden_number (c, "N"), outputs = (size_t) sl_golden_number (c, "C");
  JsonArray     *labels = json_object_get_array_member (c, "y");
  SlStatus       status;
  const SlGater *g = &net->gater;

  *net = (Net) { .unit = unit_of (c), .batch = (size_t) sl_golden_number (c, "B") };
  sl_gater_shape (&net->gater, inputs, hidden, units, outputs);
  carve_net (net);
  status = sl_arena_init (&net->arena, net->arena.used);
  g_assert_true (sl_ok (&status));
  carve_net (net);
  copy_turned (c, "W1", inputs, hidden, sl_gater_weight (g, SL_GATER_HIDDEN));
  copy_turned (c, "W2", hidden, units, sl_gater_weight (g, SL_GATER_LOGITS));
  copy_turned (c, "W0", inputs, units, sl_gater_weight (g, SL_GATER_EXPERTS));
  copy (c, "W3", sl_gater_weight (g, SL_GATER_OUTPUT), units * outputs);
  copy (c, "b1", sl_gater_bias (g, SL_GATER_HIDDEN), hidden);
  copy (c, "b2", sl_gater_bias (g, SL_GATER_LOGITS), units);
  copy (c, "b0", sl_gater_bias (g, SL_GATER_EXPERTS), units);
  copy (c, "b3", sl_gater_bias (g, SL_GATER_OUTPUT), outputs);
  copy (c, "X", net->tape.x, net->batch * inputs);
  copy (c, "uniform", net->tape.uniform, net->batch * units);
  sl_concrete_noise (net->batch * units, net->tape.uniform, net->tape.shift);
  g_assert_cmpuint (net->batch, <=, G_N_ELEMENTS (net->label));
  for (guint i = 0; i < net->batch; i++)
    net->label[i] = (uint8_t) json_array_get_int_element (labels, i);
}

/* The term as the case has it; none has weight 0 and no kind, or one. */
static double
term_of (Net *net, JsonObject *c)
{
  double w = sl_golden_number (c, "w"), s = sl_golden_number (c, "s");

  if (json_object_has_member (c, "term_kind")
      && g_str_equal (json_object_get_string_member (c, "term_kind"), "l0"))
    return sl_concrete_l0 (net->batch, net->gater.units, net->tape.p, w, net->mean, net->pull);
  return sl_gater_kl (&net->unit, net->batch, net->gater.units, net->tape.p, s, w, net->mean,
                      net->pull);
}

static void
expect_gradients (const SlGater *g, JsonObject *grads)
{
  expect_turned (g->gradient + g->at[SL_GATER_HIDDEN], grads, "W1", g->inputs, g->hidden);
  expect_turned (g->gradient + g->at[SL_GATER_LOGITS], grads, "W2", g->hidden, g->units);
  expect_turned (g->gradient + g->at[SL_GATER_EXPERTS], grads, "W0", g->inputs, g->units);
  expect (g->gradient + g->at[SL_GATER_OUTPUT], grads, "W3", g->units * g->outputs);
  expect (g->gradient + g->bias[SL_GATER_HIDDEN], grads, "b1", g->hidden);
  expect (g->gradient + g->bias[SL_GATER_LOGITS], grads, "b2", g->units);
  expect (g->gradient + g->bias[SL_GATER_EXPERTS], grads, "b0", g->units);
  expect (g->gradient + g->bias[SL_GATER_OUTPUT], grads, "b3", g->outputs);
}

static void
test_net (gconstpointer data)
{
  JsonObject   *c = json_object_get_object_member (golden, data);
  Net           net;
  SlGaterTape  *tape = &net.tape;
  SlGaterSignal signal;
  size_t        n, errors;
  double        loss, term, sum = 0;

  open_net (&net, c);
  n = net.batch * net.gater.units;
  expect (tape->shift, c, "noise", n);
  sl_gater_forward (&net.gater, &net.unit, tape, net.batch, true, false);
  expect (tape->z, c, "a", n);
  expect (tape->soft, c, "soft", n);
  expect (tape->h, c, "h", n);
  expect (tape->p, c, "P_on", n);
  loss = sl_gater_loss (&net.gater, tape, net.batch, net.label, &errors);
  expect (tape->loss, c, "loss_per_example", net.batch);
  term = term_of (&net, c);
  expect_number (term, c, "term");
  expect_number (loss + term, c, "total");
  for (size_t i = 0; i < n; i++)
    sum += (double) tape->p[i] / (double) n;
  expect_number (sum, c, "expected_density");
  sl_gater_feedback (&net.gater, tape, net.batch);
  expect (tape->dh, c, "dL_dh", n);
  signal = (SlGaterSignal) { .pull = net.pull, .soft = tape->soft };
  sl_gater_backward (&net.gater, &net.unit, tape, net.batch, &signal, NULL);
  expect (tape->dh, c, "dL_da", n);
  expect_gradients (&net.gater, json_object_get_object_member (c, "grads"));
  if (net.unit.kind == SL_GATER_CONCRETE)
    {
      sl_gater_settle (&net.unit, 0, n, tape->z, tape->h);
      expect (tape->h, c, "settled", n);
    }
  sl_arena_clear (&net.arena);
}

/* Means over the noise, by the trapezoid rule with steps of a hundredth of the temperature. */
static void
test_one_gate (void)
{
  JsonArray *rows = json_object_get_array_member (
    json_object_get_object_member (golden, "gumbel_one_gate"), "rows");

  for (guint r = 0; r < json_array_get_length (rows); r++)
    {
      JsonObject *c = json_array_get_object_element (rows, r);
      double      tau = sl_golden_number (c, "tau"), at = sl_golden_number (c, "a");
      SlGaterUnit unit = { .kind = SL_GATER_GUMBEL, .temperature = (sl_real) tau };
      SlGaterUnit hard = { .kind = SL_GATER_GUMBEL, .temperature = (sl_real) tau, .hard = true };
      double      slope = 0, square = 0, soft_pull = 0, hard_pull = 0, step = tau / 20;

      for (double x = -40; x < 40; x += step)
        {
          double  v = 1 / (1 + exp (-x)), weight = step * v * (1 - v);
          sl_real a = (sl_real) at, noise = (sl_real) x, soft, p, h, one = 1, da;
          uint8_t on;

          sl_concrete_fire (&unit, 1, &a, &noise, false, &soft, &p, &on, &h);
          g_assert_true (h == soft);
          sl_concrete_credit (&unit, 1, &soft, &h, &one, &da);
          slope += weight * (double) da;
          square += weight * (double) da * (double) da;
          soft_pull += weight * 2 * ((double) soft - 0.3) * (double) da;
          sl_concrete_fire (&hard, 1, &a, &noise, false, &soft, &p, &on, &h);
          hard_pull += weight * 2 * ((double) h - 0.3) * (double) da;
          sl_assert_near ((double) p, sl_golden_number (c, "p"), 1e-6, 1e-10);
        }
      expect_number (sl_concrete_mean (&unit, at), c, "mean_soft");
      expect_number (sl_concrete_mean (&hard, at), c, "p");
      expect_number (sl_concrete_active (&hard, at), c, "p");
      g_assert_cmpfloat (sl_concrete_active (&unit, at), ==, 1);
      sl_assert_near (slope, sl_golden_number (c, "mean_slope"), rtol, 100 * near);
      sl_assert_near (sqrt (square - slope * slope), sl_golden_number (c, "sd_slope"), rtol,
                      100 * near);
      sl_assert_near (soft_pull, sl_golden_number (c, "f_soft"), rtol, 100 * near);
      /* The decision jumps, so the sum is right to a step. */
      sl_assert_near (hard_pull, sl_golden_number (c, "f_straight_through"), 0, 2 * step);
      if (json_object_has_member (c, "mean_soft_closed"))
        expect_number (sl_concrete_mean (&unit, at), c, "mean_soft_closed");
    }
}

static void
test_temperature (void)
{
  JsonArray *rows = json_object_get_array_member (golden, "temperature");

  for (guint r = 0; r < json_array_get_length (rows); r++)
    {
      JsonObject *c = json_array_get_object_element (rows, r);

      sl_assert_near (sl_concrete_temperature (
                        sl_golden_number (c, "start"), sl_golden_number (c, "end"),
                        sl_golden_number (c, "halve_every"), sl_golden_number (c, "update")),
                      sl_golden_number (c, "tau"), 0, 1e-12);
    }
  g_assert_cmpfloat (sl_concrete_temperature (1, 0.5, 0, 1e6), ==, 1);
  /* One that would rise stays. */
  g_assert_cmpfloat (sl_concrete_temperature (0.3, 0.5, 100, 50), ==, 0.3);
}

static void
test_facts (void)
{
  JsonObject *c = json_object_get_object_member (golden, "hard_concrete_facts");
  JsonArray  *rows = json_object_get_array_member (c, "rows");
  SlGaterUnit unit = { .kind = SL_GATER_CONCRETE,
                       .temperature = (sl_real) sl_golden_number (c, "beta"),
                       .stretch = -(sl_real) sl_golden_number (c, "gamma") };

  expect_number (sl_concrete_cut (&unit), c, "settled_zero_at_or_below");
  for (guint r = 0; r < json_array_get_length (rows); r++)
    {
      JsonObject *row = json_array_get_object_element (rows, r);
      double      at = sl_golden_number (row, "a"), q = sl_concrete_active (&unit, at);
      sl_real     a = (sl_real) at, h;

      expect_number (q, row, "P_on");
      expect_number (1 - q, row, "P_zero");
      expect_number (q * (1 - q), row, "dP_on_da");
      expect_number (sl_concrete_mean (&unit, at), row, "mean");
      sl_gater_settle (&unit, 0, 1, &a, &h);
      expect_number ((double) h, row, "settled");
    }
}

static void
test_edges (void)
{
  JsonArray *rows
    = json_object_get_array_member (json_object_get_object_member (golden, "edges"), "rows");
  SlGaterUnit gumbel = { .kind = SL_GATER_GUMBEL, .temperature = 1, .hard = true };
  SlGaterUnit concrete
    = { .kind = SL_GATER_CONCRETE, .temperature = (sl_real) 2 / 3, .stretch = (sl_real) 0.1 };

  for (guint r = 0; r < json_array_get_length (rows); r++)
    {
      JsonObject *c = json_array_get_object_element (rows, r);
      double      u = sl_golden_number (c, "u");
      sl_real     a = (sl_real) sl_golden_number (c, "a"), noise = (sl_real) (log (u) - log1p (-u));
      sl_real     soft, p, h, one = 1, da;
      uint8_t     on;

      sl_concrete_fire (&gumbel, 1, &a, &noise, false, &soft, &p, &on, &h);
      expect_number ((double) h, c, "hard");
      expect_number ((double) soft, c, "soft_tau1");
      sl_concrete_credit (&gumbel, 1, &soft, &h, &one, &da);
      expect_number ((double) da, c, "slope_tau1");
      /* A decision that is kept does not follow the logit. */
      on = !on;
      sl_concrete_fire (&gumbel, 1, &a, &noise, true, &soft, &p, &on, &h);
      g_assert_true ((double) h == 1 - sl_golden_number (c, "hard"));
      sl_concrete_fire (&concrete, 1, &a, &noise, false, &soft, &p, &on, &h);
      expect_number ((double) h, c, "hard_concrete");
      sl_concrete_credit (&concrete, 1, &soft, &h, &one, &da);
      expect_number ((double) da, c, "slope_hard_concrete");
    }
}

/* Draws of exactly 0 and 1 have finite noise, and so has what is below the smallest step. */
static void
test_noise (void)
{
  sl_real v[] = { 0, 1, (sl_real) 0x1p-25, (sl_real) 0.5, (sl_real) 0x1p-24 }, noise[5];
  double  most = log (1 - 0x1p-24) - log (0x1p-24);

  sl_concrete_noise (5, v, noise);
  sl_assert_near ((double) noise[0], -most, 1e-6, 0);
  sl_assert_near ((double) noise[1], most, 1e-6, 0);
  g_assert_true (noise[2] == noise[0] && noise[4] == noise[0]);
  sl_assert_near ((double) noise[3], 0, 0, 1e-6);
}

/* Shares and mean of a million draws against the closed forms, and the slope against the derivative of
 * the mean.  */
static void
test_chances (void)
{
  enum { DRAWS = 1000000, CHUNK = 1000 };
  static const double logits[] = { -3, -1, 0.5 };
  SlGaterUnit         unit
    = { .kind = SL_GATER_CONCRETE, .temperature = (sl_real) 0.5, .stretch = (sl_real) 0.2 };
  SlRng rng;

  sl_rng_init (&rng, 3, "test");
  for (guint k = 0; k < G_N_ELEMENTS (logits); k++)
    {
      sl_real a[CHUNK], noise[CHUNK], soft[CHUNK], p[CHUNK], h[CHUNK], one[CHUNK], da[CHUNK];
      uint8_t on[CHUNK];
      double  open = 0, sum = 0, slope = 0, at = logits[k];

      for (int i = 0; i < CHUNK; i++)
        {
          a[i] = (sl_real) at;
          one[i] = 1;
        }
      for (int done = 0; done < DRAWS; done += CHUNK)
        {
          sl_gater_draw_uniform (&rng, CHUNK, noise);
          sl_concrete_noise (CHUNK, noise, noise);
          sl_concrete_fire (&unit, CHUNK, a, noise, false, soft, p, on, h);
          sl_concrete_credit (&unit, CHUNK, soft, h, one, da);
          for (int i = 0; i < CHUNK; i++)
            {
              open += h[i] > 0;
              sum += (double) h[i];
              slope += (double) da[i];
            }
        }
      sl_assert_near (open / DRAWS, sl_concrete_active (&unit, at), 0, 3e-3);
      sl_assert_near (sum / DRAWS, sl_concrete_mean (&unit, at), 0, 3e-3);
      sl_assert_near (slope / DRAWS,
                      (sl_concrete_mean (&unit, at + 1e-4) - sl_concrete_mean (&unit, at - 1e-4))
                        / 2e-4,
                      0, 3e-3);
    }
}

/* The derivative of the loss of two classes, log (1 + e^(-effect h)), with one gate. */
static double
slope_of (double h, double effect)
{
  return -effect / (1 + exp (effect * h));
}

/* The sampled moments of one gate against integrals over the noise, and that they repeat. */
static void
test_samples (void)
{
  static const double a = -0.7, rest[2] = { 0, 0 }, effect[2] = { 1.5, 0 };
  enum { DRAWS = 50000 };
  SlGaterToy toy
    = { .gates = 1, .outputs = 2, .a = &a, .rest = rest, .effect = effect, .label = 0 };
  SlGaterUnit units[]
    = { { .kind = SL_GATER_GUMBEL, .temperature = (sl_real) 0.5 },
        { .kind = SL_GATER_GUMBEL, .temperature = 1, .hard = true },
        { .kind = SL_GATER_CONCRETE, .temperature = (sl_real) 2 / 3, .stretch = (sl_real) 0.1 } };
  double       work[2];
  SlGaterExact exact, again;

  for (guint k = 0; k < G_N_ELEMENTS (units); k++)
    {
      const SlGaterUnit *unit = &units[k];
      SlGaterEstimator   estimator
        = unit->kind == SL_GATER_GUMBEL ? SL_GATER_NOISED : SL_GATER_CLIPPED;
      double mean = 0, square = 0, step = 1e-3, error;

      for (double x = -30; x < 30; x += step)
        {
          double v = 1 / (1 + exp (-x)), tau = (double) unit->temperature;
          double s = 1 / (1 + exp (-(a + x) / tau)), wide = (double) unit->stretch, h, slope;

          h = unit->hard ? a + x > 0 : fmin (fmax (s * (1 + 2 * wide) - wide, 0), 1);
          slope = unit->hard || (h > 0 && h < 1) ? (1 + 2 * wide) * s * (1 - s) / tau : 0;
          slope *= slope_of (h, effect[0]);
          mean += step * v * (1 - v) * slope;
          square += step * v * (1 - v) * slope * slope;
        }
      sl_gater_enumerate (&toy, work, &exact);
      sl_gater_sample (&toy, unit, DRAWS, work, &exact);
      error = sqrt ((square - mean * mean) / DRAWS);
      sl_assert_near (exact.mean[estimator][0], mean, 0, 4 * error);
      sl_assert_near (exact.variance[estimator][0], square - mean * mean, 0.03, 0);
      g_assert_cmpfloat (fabs (exact.cosine[estimator]), <=, 1 + 1e-9);
      sl_gater_enumerate (&toy, work, &again);
      sl_gater_sample (&toy, unit, DRAWS, work, &again);
      g_assert_cmpmem (&again, sizeof again, &exact, sizeof exact);
    }
}

int
main (int argc, char **argv)
{
  static const char *const nets[] = {
    "gumbel_soft_tau1",     "gumbel_soft_tau0.5_with_kl", "gumbel_straight_through_tau1",
    "hard_concrete",        "hard_concrete_with_l0",      "gumbel_straight_through_tau0.5_with_kl",
    "hard_concrete_with_kl"
  };
  JsonNode *root;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_object_get_object_member (json_node_get_object (root), "gates");
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *path = g_strdup_printf ("/concrete/%s", nets[i]);

      g_test_add_data_func (path, nets[i], test_net);
    }
  g_test_add_func ("/concrete/one-gate", test_one_gate);
  g_test_add_func ("/concrete/temperature", test_temperature);
  g_test_add_func ("/concrete/facts", test_facts);
  g_test_add_func ("/concrete/edges", test_edges);
  g_test_add_func ("/concrete/noise", test_noise);
  g_test_add_func ("/concrete/chances", test_chances);
  g_test_add_func ("/concrete/samples", test_samples);
  return g_test_run ();
}
