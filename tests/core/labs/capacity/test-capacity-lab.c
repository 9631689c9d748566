/* SPDX-License-Identifier: MIT
 *
 * The lab `capacity` against its own theory: random networks, gradients around the circle, shares
 * of side inputs, depth transfer; and what the panels say where something does not work.  Draws
 * are fixed by seeds; tolerances are those of the number of networks.  */
#include <string.h>

#include "core/labs/capacity/lab.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"
#include "tests/core/labs/capacity/capacity-help.h"
#include "tests/support/english.h"

typedef struct
{
  SlSink     sink; /* first */
  SlTrainer *trainer;
  SlSnapshot snapshot;
} Lab;

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  Lab *lab = (Lab *) sink;

  sl_snapshot_reset (&lab->snapshot);
  lab->snapshot.panel = panel;
  return &lab->snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static const SlLab *
descriptor (void)
{
  return sl_lab_find ("capacity");
}

static void
set_all (SlSettings *settings, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  sl_settings_default (settings, descriptor ()->params, N_PARAMS);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      assert_ok (sl_settings_set (settings, descriptor ()->params, N_PARAMS, pair[0], pair[1]));
    }
}

static SlCapacityLab *
begin (Lab *lab, const char *settings_text)
{
  SlSettings settings;

  *lab = (Lab) { .sink = { .open = open_snapshot, .publish = publish } };
  set_all (&settings, settings_text);
  assert_ok (sl_trainer_new (&lab->trainer, descriptor (), &settings, NULL, 5));
  return sl_capacity_lab (sl_trainer_state (lab->trainer));
}

static void
steps (Lab *lab, int n)
{
  for (int i = 0; i < n; i++)
    assert_ok (sl_trainer_step (lab->trainer, &lab->sink));
}

static void
end (Lab *lab)
{
  sl_snapshot_clear (&lab->snapshot);
  sl_trainer_free (lab->trainer);
}

static void
change (Lab *lab, unsigned param, double value)
{
  SlValue number = { .n = 1, .v = { value } };

  assert_ok (sl_trainer_set (lab->trainer, param, &number));
}

static void
probe (Lab *lab, unsigned panel)
{
  assert_ok (sl_trainer_probe (lab->trainer, panel, &lab->sink));
}

/* Within so many standard errors. */
static void
expect_sum (const Sum *sum, uint64_t n, double want, double errors)
{
  sl_assert_near (sum_mean (sum, n), want, 0, errors * sl_capacity_error (sum, n) + 1e-12);
}

/* The demo that was measured elsewhere too: K = 5, β₀ = 2, L = 64, 64 networks. */
static void
test_field (void)
{
  const char *activations[] = { "sine", "linear", "rectifier" }, *exponents[] = { "0.5", "1" };

  for (int i = 0; i < 6; i++)
    {
      g_autofree char *settings = g_strdup_printf (
        "layers=64 positions=129 kernel=with-centre radius=2 rate=3.2 leak=0 gradients=no train=no "
        "activation=%s exponent=%s",
        activations[i / 2], exponents[i % 2]);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      const Field   *field = &s->now->field;
      double         profile[129], total, mean, variance, tv = 0;
      SlMessage      note;
      Design         d;

      steps (&lab, 64);
      sl_capacity_design (s, &d);
      g_assert_true (sl_capacity_run (s, &d, &note));
      total = sum_mean (&field->where[0], 64);
      for (size_t x = 0; x < d.n; x++)
        {
          profile[x] = sum_mean (&field->profile[x], 64) / total;
          tv += 0.5 * fabs (profile[x] - s->fall.profile[d.layers * d.n + x]);
        }
      sl_capacity_spread (d.n, profile, d.x0, true, &mean, &variance);
      g_assert_true (tv <= 0.06);
      sl_assert_near (sqrt (variance), sl_capacity_std (&d), 0.08, 0);
      sl_assert_near (log10 (total), 0, 0, 0.1);
      expect_sum (&field->width[0], 64, 0, 0);
      expect_sum (&field->own[0], 64, 1, 0);
      end (&lab);
    }
}

/* Unscaled weights: each network is as wide as theory says, but wanders, the more the fewer
 * channels it has.  */
static void
test_wander (void)
{
  const unsigned channels[] = { 4, 32 };
  double         wander[2];

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *settings
        = g_strdup_printf ("exponent=0 layers=64 positions=129 kernel=with-centre radius=1 "
                           "rate=0.66666666666666667 leak=0 train=no gradients=no channels=%u",
                           channels[i]);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      const Sum     *width = &s->now->field.width[64];
      Design         d;

      steps (&lab, 60);
      sl_capacity_design (s, &d);
      g_test_message ("%u channels: width %g ± %g, theory %g", channels[i],
                      sqrt (sum_mean (width, 60)), sl_capacity_error (width, 60),
                      sl_capacity_std (&d));
      sl_assert_near (sqrt (sum_mean (width, 60)), sl_capacity_std (&d), 0.06, 0);
      wander[i] = sqrt (sum_mean (&s->now->field.wander, 60));
      end (&lab);
    }
  g_assert_cmpfloat (wander[0], >, 1.5 * wander[1]);
}

/* Everything that a layer can have, against the layer rule. */
static void
test_features (void)
{
  static const char *const features[] = {
    "edge=reflecting position=-60",
    "edge=renormalised position=-62 radius=2",
    "edge=absorbing position=61 bias=1",
    "kernel=causal radius=2 leak=1",
    "dilation=blocks reach=4 radius=1",
    "dilation=smooth reach=3.3 radius=2 edge=reflecting position=-50",
    "activation=tanh rate=3",
    "activation=tanh rate=3 exponent=0.25 bias=2",
    "mixing=0.6 activation=rectifier",
    "bias=1 bias-scale=unscaled activation=linear",
    "bias=4 bias-scale=twice leak=2",
    "leak=1 side-scale=unscaled",
    "leak=4 side-scale=twice bias=1",
    "channels=4 channel-scale=unscaled rate=0.5 activation=linear radius=1",
  };

  for (size_t i = 0; i < G_N_ELEMENTS (features); i++)
    {
      g_autofree char *settings
        = g_strconcat ("layers=16 positions=129 gradients=no train=no leak=0 ", features[i], NULL);
      enum { NETWORKS = 150 };
      Lab               lab;
      SlCapacityLab    *s = begin (&lab, settings);
      const Field      *field = &s->now->field;
      SlCapacityBuckets all = { 0 };
      SlMessage         note;
      double            distance, input;
      Design            d;

      g_test_message ("%s", features[i]);
      steps (&lab, NETWORKS);
      sl_capacity_design (s, &d);
      g_assert_true (sl_capacity_run (s, &d, &note));
      for (size_t m = 0; m < d.layers; m++)
        {
          all.side += s->fall.bucket[m].side;
          all.bias += s->fall.bucket[m].bias;
          all.edge += s->fall.bucket[m].edge;
        }
      input = sl_capacity_sum (d.n, s->fall.profile + d.layers * d.n);
      sl_assert_near (input + all.side + all.bias + all.edge, 1, 0, 1e-12);
      expect_sum (&field->where[0], NETWORKS, input, 4);
      expect_sum (&field->where[1], NETWORKS, all.side, 4);
      expect_sum (&field->where[2], NETWORKS, all.bias, 4);
      expect_sum (&field->where[3], NETWORKS, all.edge, 4);
      g_assert_true (sl_capacity_agreement (s, &distance) >= 0.75);
      g_assert_true (distance <= 0.1 * input + 0.01);
      end (&lab);
    }
}

/* The same weights at every layer: as the theory, if the activation is so irregular that layers have unrelated
 * slopes; without, what meets the same weights again adds up, and the gain is far above 1.  */
static void
test_tied (void)
{
  const struct
  {
    const char *settings;
    double      least, most; /* total at the input and elsewhere, theory 1 */
  } cases[] = { { "omega=32", 0.9, 1.1 }, { "activation=linear", 5, 1e6 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *settings
        = g_strconcat ("layers=32 positions=65 channels=32 radius=1 gradients=no train=no leak=1 "
                       "all-layers=no tied=yes ",
                       cases[i].settings, NULL);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      const Field   *field = &s->now->field;
      double         all = 0;

      steps (&lab, 60);
      for (unsigned place = 0; place < N_PLACES; place++)
        all += sum_mean (&field->where[place], 60);
      g_test_message ("%s: %g", cases[i].settings, all);
      g_assert_cmpfloat (all, >, cases[i].least);
      g_assert_cmpfloat (all, <, cases[i].most);
      end (&lab);
    }
}

/* Output and all layers below it: the mean of the layers' profiles, in networks too. */
static void
test_skips (void)
{
  enum { NETWORKS = 300 };
  Lab            lab;
  SlCapacityLab *s = begin (&lab, "layers=16 positions=65 gradients=no train=no leak=1 channels=8 "
                                  "edge=reflecting position=-28");
  const Field   *field = &s->now->field;
  double         want[65] = { 0 }, sum = 0, distance = 0;
  SlMessage      note;
  Design         d;

  steps (&lab, NETWORKS);
  sl_capacity_design (s, &d);
  g_assert_true (sl_capacity_run (s, &d, &note));
  for (size_t x = 0; x < d.n; x++)
    {
      double got = sum_mean (&field->skips[x], NETWORKS);

      for (size_t m = 0; m <= d.layers; m++)
        want[x] += s->fall.profile[m * d.n + x];
      sum += want[x];
      distance += fabs (got - want[x]);
    }
  g_assert_cmpuint (field->skip_networks, ==, NETWORKS);
  g_assert_true (distance < 0.1 * sum);
  expect_sum (&field->skips[d.x0], NETWORKS, want[d.x0], 4);
  change (&lab, P_ALL_LAYERS, 0);
  steps (&lab, 1);
  g_assert_cmpuint (field->skip_networks, ==, NETWORKS);
  g_assert_cmpuint (field->networks, ==, NETWORKS + 1);
  change (&lab, P_TIED, 1);
  g_assert_cmpuint (field->skip_networks, ==, 0);
  end (&lab);
}

/* Networks over images against the layer rule on the torus, whose columns add up to the curve. */
static void
test_images (void)
{
  static const char *const kinds[] = { "", " kernel=with-centre radius=1 activation=rectifier" };

  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      enum { NETWORKS = 60 };
      g_autofree char *settings
        = g_strconcat ("layers=16 positions=9 channels=1 gradients=no train=no leak=0 radius=2 "
                       "images=yes",
                       kinds[i], NULL);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      const Images  *image = &s->now->image;
      const double  *axis, *line, *cube;
      double         distance = 0, error = 0, sum = 0, mean[3], variance[3];

      steps (&lab, NETWORKS);
      g_assert_cmpuint (image->networks, ==, NETWORKS);
      probe (&lab, V_AXIS);
      g_assert_cmpuint (lab.snapshot.n_curves, ==, 4);
      axis = lab.snapshot.data + lab.snapshot.curve[0].offset + IMAGE;
      line = lab.snapshot.data + lab.snapshot.curve[1].offset + IMAGE;
      cube = lab.snapshot.data + lab.snapshot.curve[2].offset + IMAGE;
      for (size_t x = 0; x < IMAGE; x++)
        {
          distance += 0.5 * fabs (sum_mean (&image->axis[x], NETWORKS) - axis[x]);
          error += sl_capacity_error (&image->axis[x], NETWORKS);
          sum += axis[x];
        }
      sl_assert_near (sum, 1, 0, 1e-9);
      g_test_message ("distance %g, standard errors %g", distance, error);
      g_assert_true (distance < error);
      g_assert_true (error < 0.3);
      /* The squares of the weights keep their sum over a line, but for what the centre has. */
      sl_capacity_spread (IMAGE, axis, IMAGE / 2, true, &mean[0], &variance[0]);
      sl_capacity_spread (IMAGE, line, IMAGE / 2, true, &mean[1], &variance[1]);
      sl_capacity_spread (IMAGE, cube, IMAGE / 2, true, &mean[2], &variance[2]);
      sl_assert_near (variance[0], variance[1], 0.12, 0);
      sl_assert_near (variance[2], variance[0], 0.06, 0);
      change (&lab, P_RADIUS, 3);
      g_assert_cmpuint (image->networks, ==, 0);
      change (&lab, P_RADIUS, IMAGE_RADIUS + 1);
      steps (&lab, 1);
      g_assert_cmpuint (image->networks, ==, 0);
      end (&lab);
    }
}

/* Squares of the side inputs' scale at λ = 3 and 16 layers: λ/L, λ and λ/L², and the share that is left when they do
 * not shrink.  */
static void
test_side_scales (void)
{
  const struct
  {
    const char *settings;
    double      square;
  } cases[] = { { "side-scale=weights", 3.0 / 16 },
                { "side-scale=unscaled", 3 },
                { "side-scale=twice", 3.0 / 256 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *settings = g_strconcat (
        "layers=16 positions=9 channels=1 radius=1 rate=2 leak=3 gradients=no train=no ",
        cases[i].settings, NULL);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      SlMessage      note;
      Design         d;
      double         z = 1 + 2.0 / 16 + cases[i].square;

      sl_capacity_design (s, &d);
      sl_assert_near (d.law.scale * d.law.leak, cases[i].square, 1e-12, 0);
      g_assert_true (sl_capacity_run (s, &d, &note));
      sl_assert_near (s->fall.bucket[0].side, cases[i].square / z, 1e-12, 0);
      end (&lab);
    }
}

/* What channels do to the gain when the weights do not shrink with them: the spec's two numbers of decades, at
 * q = 1 for each of three taps, a = ½ and 32 layers.  */
static void
test_unscaled_channels (void)
{
  const struct
  {
    const char *channels;
    double      decades;
  } cases[] = { { "16", 5.635 }, { "1", 0.428 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *settings = g_strdup_printf (
        "layers=32 positions=33 kernel=with-centre radius=1 rate=%s leak=0 "
        "gradients=no train=no channel-scale=unscaled activation=linear channels=%s",
        "0.66666666666666667", cases[i].channels);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      Design         d;

      steps (&lab, 1);
      sl_capacity_design (s, &d);
      sl_assert_near (-sl_capacity_log10_skip (&d.kernel, &d.law, 32), cases[i].decades, 0, 5e-4);
      end (&lab);
    }
}

/* The skip path has one share, in the score and in the panel, whatever goes to side inputs and biases. */
static void
test_one_skip_share (void)
{
  static const char *const settings[]
    = { "layers=16 leak=0", "layers=16 leak=0.5", "layers=16 leak=0.2 bias=0.3" };

  for (unsigned i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      SlScore  scores[SL_SCORES_MAX];
      unsigned n = 0;
      double   shown = (double) NAN, score = (double) NAN;
      char     note[SL_MESSAGE_SIZE];
      Lab      lab;

      begin (&lab, settings[i]);
      steps (&lab, 1);
      assert_ok (sl_trainer_score (lab.trainer, SL_TEST, scores, &n));
      for (unsigned k = 0; k < n; k++)
        if (g_str_equal (scores[k].id, "log10-skip"))
          score = scores[k].value;
      assert_ok (sl_trainer_probe (lab.trainer, V_SKIP, &lab.sink));
      sl_message_show (lab.snapshot.note.packed, NULL, note, sizeof note);
      g_assert_nonnull (strstr (note, "F = "));
      shown = g_ascii_strtod (strstr (note, "F = ") + strlen ("F = "), NULL);
      sl_assert_near (score, shown, 1e-3, 0);
      end (&lab);
    }
}

/* Zero padding near the edge: powers at the input as they are without normalisation. */
static void
test_padding (void)
{
  JsonObject    *o = group ("padding");
  Lab            lab;
  SlCapacityLab *s = begin (&lab, "layers=32 positions=33 position=-14 kernel=with-centre radius=1 "
                                  "rate=2.6666666666666667 edge=absorbing activation=linear leak=0 "
                                  "gradients=no train=no");
  double         gain = sl_golden_number (o, "unbounded");

  steps (&lab, 400);
  for (guint x = 0; x < 6; x++)
    sl_assert_near (gain * sum_mean (&s->now->field.profile[x], 400), number (o, "kappa", x), 0,
                    4 * gain * sl_capacity_error (&s->now->field.profile[x], 400));
  end (&lab);
}

/* A rectifier network that is to remember T steps: what inputs and state get, and three lags. */
static void
test_memory (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "shares-of-leak");

  for (guint i = 0; i < 2; i++)
    {
      JsonObject      *o = json_array_get_object_element (cases, i);
      unsigned         T = (unsigned) sl_golden_number (o, "T"), lags[] = { 0, T / 2, T - 1 };
      g_autofree char *settings = g_strdup_printf (
        "layers=%u positions=33 kernel=with-centre radius=1 rate=1.3333333333333333 leak=1 "
        "activation=rectifier gradients=no train=no",
        T);
      Lab            lab;
      SlCapacityLab *s = begin (&lab, settings);
      const Field   *field = &s->now->field;

      steps (&lab, 300);
      expect_sum (&field->where[1], 300, sl_golden_number (o, "inputs"), 4);
      expect_sum (&field->where[0], 300, sl_golden_number (o, "state"), 4);
      for (guint k = 0; k < 3; k++)
        sl_assert_near (T * sum_mean (&field->side[lags[k]], 300), number (o, "lags", k), 0,
                        4 * T * sl_capacity_error (&field->side[lags[k]], 300) + SIX);
      end (&lab);
    }
}

/* Unscaled biases starve the input, and scaled ones do not. */
static void
test_bias (void)
{
  for (int scaled = 0; scaled < 2; scaled++)
    {
      Lab            lab;
      SlCapacityLab *s = begin (&lab, scaled ? "layers=32 radius=1 rate=2 leak=0 bias=1 train=no "
                                               "gradients=no kernel=around"
                                             : "layers=32 radius=1 rate=2 leak=0 bias=1 train=no "
                                               "gradients=no bias-scale=unscaled");
      double         want = number (golden, "bias-left", (guint) scaled);

      steps (&lab, 100);
      expect_sum (&s->now->field.where[0], 100, want, 4);
      end (&lab);
    }
}

/* How capacity leaves the probe's channel. */
static void
test_channels (void)
{
  Lab            lab;
  SlCapacityLab *s = begin (&lab, "layers=8 mixing=0.4 channels=4 gradients=no train=no leak=0 "
                                  "kernel=with-centre radius=1 rate=2");
  double         z = 1 + 3.0 / 8, keep = 1 / z, same = (1 - keep) * (0.6 + 0.1), own = 1, other = 0;

  steps (&lab, 300);
  for (int l = 0; l < 8; l++)
    {
      double next = own * (keep + same) + 3 * other * (1 - keep) * 0.1;

      other = other * (keep + same + 2 * (1 - keep) * 0.1) + own * (1 - keep) * 0.1;
      own = next;
    }
  expect_sum (&s->now->field.own[8], 300, own, 4);
  probe (&lab, V_CHANNELS);
  {
    const double *curve = lab.snapshot.data + lab.snapshot.curve[0].offset;

    sl_assert_near (curve[9 + 8], own, 0, 1e-12);
  }
  end (&lab);
}

/* Gradients around the circle: the mean field, for ten networks of each exponent. */
static void
test_gradients (void)
{
  const char    *activations[] = { "rectifier", "sine", "linear", "tanh" };
  const unsigned lags[] = { 1, 4, 16, 32 };

  for (int i = 0; i < 4; i++)
    {
      g_autofree char *settings = g_strdup_printf (
        "layers=16 rate=1 omega=16 positions=9 channels=1 train=no exponent=0.8 activation=%s",
        activations[i]);
      Lab              lab;
      SlCapacityLab   *s = begin (&lab, settings);
      const Gradients *g = &s->now->gradient;

      steps (&lab, 10 * EXPONENTS);
      for (unsigned e = 0; e < EXPONENTS; e++)
        {
          double a = sl_capacity_exponent (s, e), trace = 0;

          g_assert_cmpuint (g->networks[e], ==, 10);
          for (int k = 0; k < 4 && a >= 0.5; k++)
            sl_assert_near (
              sum_mean (&g->cosine[e][lags[k]], 10),
              sl_shatter_correlation ((SlShatter) sl_value_of (&s->base, P_ACTIVATION), 16,
                                      pow (16, -2 * a), 16, 2 * G_PI * lags[k] / CIRCLE),
              0, 0.05);
          sl_assert_near (sum_mean (&g->cosine[e][0], 10), 1, 0, 1e-5);
          for (int u = 0; u < CIRCLE; u++)
            trace += g->trace[e][u] * g->trace[e][u] / CIRCLE;
          sl_assert_near (trace, 1, 0, 1e-6);
          if (i == 2)
            sl_assert_near (sum_mean (&g->whiteness[e], 10), 1.0 / CIRCLE, 0, 1e-5);
        }
      /* The most shattered is the whitest. */
      if (i == 1)
        g_assert_cmpfloat (sum_mean (&g->whiteness[0], 10), >, 0.6);
      end (&lab);
    }
}

/* Small networks at depths 8 and 16, thirty updates each. */
static void
test_transfer (void)
{
  Lab             lab;
  SlCapacityLab  *s = begin (&lab, "positions=9 channels=1 gradients=no transfer-updates=30 "
                                    "deepest=16 layers=1");
  const Transfer *t = &s->now->transfer;

  g_assert_cmpuint (s->base.weights.n, ==, 8 * 3 * 12 * 12 + 12);
  steps (&lab, 30);
  for (int e = 0; e < 3; e++)
    {
      g_assert_cmpuint (t->done[0][e], ==, 1);
      g_assert_cmpfloat (t->loss[0][0][e], ==, t->loss[0][0][0]);
      g_assert_true (t->loss[0][0][e] > 0 && t->loss[0][0][e] < 3);
    }
  g_assert_cmpuint (t->depth, ==, 1);
  g_assert_cmpuint (s->base.weights.n, ==, 16 * 3 * 12 * 12 + 12);
  steps (&lab, 90);
  for (int e = 0; e < 3; e++)
    g_assert_cmpuint (t->done[1][e], ==, 1);
  g_assert_cmpuint (t->depth, ==, 0);
  g_assert_cmpuint (t->seed, ==, 1);
  probe (&lab, V_TRANSFER);
  g_assert_cmpuint (lab.snapshot.n_curves, ==, 3);
  for (int e = 0; e < 3; e++)
    {
      const double *xy = lab.snapshot.data + lab.snapshot.curve[e].offset;

      g_assert_cmpuint (lab.snapshot.curve[e].n, ==, 2);
      g_assert_cmpfloat (xy[0], ==, 8);
      g_assert_cmpfloat (xy[1], ==, 16);
      g_assert_cmpfloat (xy[3], ==, t->loss[0][1][e]);
    }
  /* All seeds come to an end, and then nothing moves any more. */
  steps (&lab, SEEDS * 120);
  g_assert_true (t->finished);
  g_assert_cmpuint (t->done[1][2], ==, SEEDS);
  /* Another task begins anew. */
  change (&lab, P_DISTANCE, 2);
  g_assert_false (t->finished);
  g_assert_cmpuint (t->done[0][0], ==, 0);
  end (&lab);
}

/* It does learn: neighbours' products at depth 8. */
static void
test_learns (void)
{
  Lab            lab;
  SlCapacityLab *s = begin (&lab, "positions=9 channels=1 layers=1 gradients=no distance=1 "
                                  "transfer-updates=300 deepest=8");

  steps (&lab, 300);
  g_test_message ("loss %g", s->now->transfer.loss[0][0][0]);
  g_assert_true (s->now->transfer.loss[0][0][0] < 0.3);
  end (&lab);
}

/* Recurrent networks have one layer of weights at any length, and learn to recall and to move their first input: a
 * network that only keeps it in place cannot, nor one that hears all inputs alike.  The smaller
 * the other inputs are, the smaller is the error.  */
static void
test_recall (void)
{
  Lab             lab;
  SlCapacityLab  *s = begin (&lab, "positions=9 channels=1 layers=1 gradients=no task=recall "
                                    "transfer-updates=250 deepest=16 strength=0.5");
  const Transfer *t = &s->now->transfer;
  double          loss;

  g_assert_cmpuint (s->base.weights.n, ==, 3 * 12 * 12 + 12);
  steps (&lab, 250);
  g_test_message ("loss %g", t->loss[0][0][0]);
  g_assert_true (t->loss[0][0][0] < 0.15);
  g_assert_cmpuint (t->depth, ==, 1);
  g_assert_cmpuint (s->base.weights.n, ==, 3 * 12 * 12 + 12);
  loss = t->loss[0][0][0];
  change (&lab, P_LEAK_SCALE, SCALE_NONE);
  steps (&lab, 250);
  g_test_message ("other inputs unscaled: loss %g", t->loss[0][0][0]);
  g_assert_true (t->loss[0][0][0] != loss);
  change (&lab, P_LEAK_SCALE, SCALE_TWICE);
  g_assert_cmpuint (t->depth, ==, 0);
  steps (&lab, 250);
  g_test_message ("other inputs of the scale 1/T: loss %g", t->loss[0][0][0]);
  g_assert_true (t->loss[0][0][0] < 0.75 * loss);
  change (&lab, P_TASK, TASK_PRODUCT);
  g_assert_cmpuint (s->base.weights.n, ==, 8 * 3 * 12 * 12 + 12);
  g_assert_cmpuint (t->done[0][0], ==, 0);
  end (&lab);
}

/* What was measured under other settings is forgotten, and nothing else. */
static void
test_changes (void)
{
  Lab            lab;
  SlCapacityLab *s = begin (&lab, "layers=4 positions=17 channels=2 width=8 train=no");
  const Field   *field = &s->now->field;

  steps (&lab, 20);
  change (&lab, P_RULE, SL_CAPACITY_MARKOV);
  change (&lab, P_TOY_CORRELATION, 0.2);
  change (&lab, P_LAYERS, 4);
  g_assert_cmpuint (field->networks, ==, 20);
  change (&lab, P_EXPONENT, 0.7);
  g_assert_cmpuint (field->networks, ==, 0);
  g_assert_cmpuint (s->now->gradient.networks[EXPONENTS - 1], ==, 0);
  g_assert_cmpuint (s->now->gradient.networks[0], >, 0);
  steps (&lab, 3);
  g_assert_cmpuint (field->networks, ==, 3);
  change (&lab, P_LAYERS, 7);
  g_assert_cmpuint (s->now->gradient.networks[0], ==, 0);
  steps (&lab, 1);
  g_assert_cmpuint (field->networks, ==, 1);
  end (&lab);
}

/* Notes: what rule M forbids, a wave that came round, a Gaussian that is none. */
static void
test_notes (void)
{
  Lab lab;

  begin (&lab, "layers=8 rate=9 leak=0.5 rule=markov gradients=no train=no positions=33");
  probe (&lab, V_WATERFALL);
  g_assert_cmpuint (lab.snapshot.tiles, ==, 0);
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "1.19 of a position's capacity"));
  change (&lab, P_RATE, 1);
  probe (&lab, V_WATERFALL);
  g_assert_cmpuint (lab.snapshot.rows, ==, 9);
  g_assert_cmpuint (lab.snapshot.columns, ==, 33);
  change (&lab, P_LEAK, 16);
  change (&lab, P_LAYERS, 256);
  probe (&lab, V_WATERFALL); /* colours for all that is left at the input, e^-16 of it */
  g_assert_cmpfloat (lab.snapshot.lo, <, lab.snapshot.data[256 * 33 + 16]);
  g_assert_cmpfloat (lab.snapshot.lo, >, 0.01 * lab.snapshot.data[256 * 33 + 16]);
  g_assert_cmpfloat (lab.snapshot.hi, >, 0.01);
  change (&lab, P_LEAK, 0.5);
  change (&lab, P_LAYERS, 8);
  probe (&lab, V_PROFILE);
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "Gaussian"));
  g_assert_cmpfloat (lab.snapshot.mark, ==, 0);
  change (&lab, P_POSITION, -100);
  probe (&lab, V_PROFILE);
  g_assert_cmpfloat (lab.snapshot.mark, ==, -16);
  change (&lab, P_RULE, SL_CAPACITY_SQUARED);
  change (&lab, P_RATE, 64);
  change (&lab, P_RADIUS, 8);
  change (&lab, P_EXPONENT, 0);
  probe (&lab, V_PROFILE);
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "wider than the lattice"));
  g_assert_null (strstr (sl_english (&lab.snapshot.note), "Gaussian"));
  change (&lab, P_LEAK, 0);
  probe (&lab, V_MEMORY);
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "λ is 0"));
  change (&lab, P_LAYERS, 1024);
  change (&lab, P_GRADIENTS, 1);
  probe (&lab, V_SKIP);
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "log₁₀ F = -18"));
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "No gradient networks at this depth"));
  end (&lab);
}

/* The curves of the panels are the theory that other tests hold to its golden numbers. */
static void
test_panels (void)
{
  JsonObject   *skips = group ("skips"), *leak = group ("leak"), *toy = element ("linear", 2);
  Lab           lab;
  const double *xy;
  double        place[N_PLACES];

  begin (&lab, "layers=8 radius=1 rate=2 leak=0 gradients=no train=no positions=33 inputs=3 "
               "model=one");
  probe (&lab, V_PROFILE);
  xy = lab.snapshot.data + lab.snapshot.curve[0].offset;
  expect (xy + 33 + 16, group ("residual"), "squared", SIX);
  g_assert_cmpfloat (xy[16], ==, 0);
  xy = lab.snapshot.data + lab.snapshot.curve[1].offset;
  expect (xy + 33 + 16, group ("residual"), "limit", SIX);
  probe (&lab, V_SKIPS);
  xy = lab.snapshot.data + lab.snapshot.curve[1].offset;
  expect (xy + 33 + 16, skips, "mean", SIX);
  xy = lab.snapshot.data + lab.snapshot.curve[3].offset;
  expect (xy + 33 + 16, skips, "limit", 2e-6); /* on a ring of 33 */
  xy = lab.snapshot.data + lab.snapshot.curve[2].offset;
  for (guint x = 0; x < 4; x++)
    sl_assert_near (9 * xy[33 + 16 + x], number (skips, "cumulated", x), 0, 9 * SIX);
  probe (&lab, V_TOY);
  expect (lab.snapshot.data + 3, toy, "kappa", SIX);
  change (&lab, P_LEAK, 1);
  probe (&lab, V_WHERE);
  for (unsigned i = 0; i < N_PLACES; i++)
    {
      g_assert_cmpuint (lab.snapshot.curve[i].n, ==, 1); /* no networks yet */
      place[i] = lab.snapshot.data[lab.snapshot.curve[i].offset + 1];
    }
  sl_assert_near (place[T_INPUT], 100 * sl_golden_number (leak, "squared-remaining"), 0, 1e-4);
  sl_assert_near (place[T_SIDES], 100 * sl_golden_number (leak, "squared-leaked"), 0, 1e-4);
  g_assert_cmpfloat (place[T_BIASES], ==, 0);
  g_assert_cmpfloat (place[T_EDGES], ==, 0);
  g_assert_cmpstr (sl_english (&lab.snapshot.note), ==, "Together 100 %");
  probe (&lab, V_LEAKED);
  xy = lab.snapshot.data + lab.snapshot.curve[2].offset;
  expect (xy + 33 + 16, leak, "profile", 2e-6);
  change (&lab, P_RULE, SL_CAPACITY_MARKOV);
  probe (&lab, V_MEMORY);
  for (guint m = 0; m < 8; m++)
    sl_assert_near (lab.snapshot.data[8 + m], 8 * number (leak, "markov-buckets", m), 0, 8 * SIX);
  probe (&lab, V_SPREAD);
  g_assert_cmpuint (lab.snapshot.n_curves, ==, 2); /* a = 0 is more than rule M can do */
  g_assert_nonnull (strstr (sl_english (&lab.snapshot.note), "too few layers"));
  g_assert_cmpfloat (lab.snapshot.mark, ==, 8);
  change (&lab, P_EXPONENT, 0.6);
  change (&lab, P_RULE, SL_CAPACITY_SQUARED);
  probe (&lab, V_SPREAD);
  g_assert_cmpuint (lab.snapshot.n_curves, ==, 4);
  change (&lab, P_EXPONENT, 0.5);
  probe (&lab, V_PLANE);
  sl_assert_near (lab.snapshot.data[32 * PLANE + 32], number (group ("plane"), "squared", 0), 0,
                  SIX);
  end (&lab);
}

/* The parabola over the cells is the standard deviation of what is in them, about the output
 * position that the mark stands at.  */
static void
test_waterfall (void)
{
  Lab               lab;
  const SlSnapshot *shot = &lab.snapshot;

  begin (&lab, "layers=16 radius=2 rate=1 leak=0 kernel=with-centre gradients=no train=no "
               "positions=129 position=-7");
  probe (&lab, V_WATERFALL);
  g_assert_cmpuint (shot->rows, ==, 17);
  g_assert_cmpuint (shot->columns, ==, 129);
  g_assert_cmpfloat (shot->left, ==, -64.5);
  g_assert_cmpfloat (shot->right, ==, 64.5);
  g_assert_cmpfloat (shot->mark, ==, -7);
  g_assert_cmpuint (shot->n_curves, ==, 1);
  g_assert_cmpuint (shot->curve[0].n, ==, 33);
  for (unsigned m = 0; m <= 16; m++)
    {
      const double *row = shot->data + 129 * m, *x = shot->data + shot->curve[0].offset;
      double        sum = 0, square = 0, std;

      for (int i = 0; i < 129; i++)
        {
          sum += row[i];
          square += row[i] * (i - 64 + 7) * (i - 64 + 7);
        }
      std = sqrt (square);
      sl_assert_near (sum, 1, 0, 1e-12);
      sl_assert_near (x[16 - m], -7 - std, 0, 1e-9);
      sl_assert_near (x[16 + m], -7 + std, 0, 1e-9);
      sl_assert_near (x[33 + 16 - m], m / 16.0, 0, 1e-12);
      sl_assert_near (x[33 + 16 + m], m / 16.0, 0, 1e-12);
    }
  end (&lab);
}

/* Theory's bar and that of the networks have parts for everything.  Theory's is whole; that of
 * networks is so in the mean, a single one has more or less.  */
static void
test_places (void)
{
  Lab               lab;
  const SlSnapshot *shot = &lab.snapshot;
  double            whole[2] = { 0, 0 }, error = 0;

  begin (&lab, "layers=16 radius=2 rate=4 leak=0.5 bias=0.25 edge=absorbing position=14 "
               "positions=33 channels=4 gradients=no train=no");
  steps (&lab, 60);
  probe (&lab, V_WHERE);
  g_assert_cmpuint (shot->n_curves, ==, N_PLACES);
  for (unsigned i = 0; i < N_PLACES; i++)
    {
      const double *bar = shot->data + shot->curve[i].offset;

      g_assert_cmpuint (shot->curve[i].n, ==, 2);
      g_assert_cmpfloat (bar[2], >, 1);
      whole[0] += bar[2];
      whole[1] += bar[3];
      error += 2 * bar[5]; /* four standard errors */
      sl_assert_near (bar[3], bar[2], 0, 2 * bar[5]);
    }
  sl_assert_near (whole[0], 100, 0, 1e-9);
  sl_assert_near (whole[1], 100, 0, error);
  end (&lab);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       code;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/capacity-lab/field", test_field);
  g_test_add_func ("/capacity-lab/wander", test_wander);
  g_test_add_func ("/capacity-lab/features", test_features);
  g_test_add_func ("/capacity-lab/one-skip-share", test_one_skip_share);
  g_test_add_func ("/capacity-lab/padding", test_padding);
  g_test_add_func ("/capacity-lab/tied", test_tied);
  g_test_add_func ("/capacity-lab/skips", test_skips);
  g_test_add_func ("/capacity-lab/images", test_images);
  g_test_add_func ("/capacity-lab/side-scales", test_side_scales);
  g_test_add_func ("/capacity-lab/unscaled-channels", test_unscaled_channels);
  g_test_add_func ("/capacity-lab/memory", test_memory);
  g_test_add_func ("/capacity-lab/bias", test_bias);
  g_test_add_func ("/capacity-lab/channels", test_channels);
  g_test_add_func ("/capacity-lab/gradients", test_gradients);
  g_test_add_func ("/capacity-lab/transfer", test_transfer);
  g_test_add_func ("/capacity-lab/learns", test_learns);
  g_test_add_func ("/capacity-lab/recall", test_recall);
  g_test_add_func ("/capacity-lab/changes", test_changes);
  g_test_add_func ("/capacity-lab/notes", test_notes);
  g_test_add_func ("/capacity-lab/panels", test_panels);
  g_test_add_func ("/capacity-lab/waterfall", test_waterfall);
  g_test_add_func ("/capacity-lab/places", test_places);
  code = g_test_run ();
  json_node_unref (root);
  return code;
}
