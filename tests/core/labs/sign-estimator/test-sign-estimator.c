/* SPDX-License-Identifier: MIT
 *
 * Golden cases of the sign estimator: estimate, mask, activations,
 * loss, figures and gradients of a 5-6-3 network for ranks 0 to 9, and the operation
 * counts; and of a network of gated convolutions.  In double, to 1e-10.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/conv/conv.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/dense/net.h"
#include "core/nn/dense/signs.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

enum { B = 4, D = 5, H = 6, C = 3 };

static JsonObject *golden, *convolutions;

static void
expect (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, 0, 1e-10);
}

static void
test_case (gconstpointer data)
{
  JsonObject *c = json_array_get_object_element (json_object_get_array_member (golden, "cases"),
                                                 GPOINTER_TO_UINT (data));
  JsonObject *setup = json_object_get_object_member (golden, "setup");
  size_t      widths[] = { D, H, C }, errors;
  SlNet       net;
  SlTape      tape;
  SlLowRank   factors;
  SlArena     arena = { 0 };
  SlRng       rng;
  SlSigns     signs = { 0 };
  SlEstimate  frozen = { .mode = SL_ESTIMATE_HELD };
  sl_real     none[H] = { 0 }, mask[B * H], dx[B * D];
  uint8_t     label[B];
  double      loss;
  bool        with_bias = json_object_get_boolean_member (c, "bias_in_estimate");
  SlStatus    status;

  sl_net_shape (&net, SL_RECTIFIER, widths, 2);
  for (int pass = 0; pass < 2; pass++)
    {
      sl_net_carve (&net, &arena, &arena);
      sl_tape_carve (&tape, &net, B, &arena);
      sl_lowrank_init (&factors, H, D, &arena, &arena);
      if (pass == 0)
        {
          status = sl_arena_init (&arena, arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  sl_golden_copy (setup, "W", sl_net_weight (&net, 0), H * D);
  sl_golden_copy (setup, "b", sl_net_bias (&net, 0), H);
  sl_golden_copy (setup, "W2", sl_net_weight (&net, 1), C * H);
  sl_golden_copy (setup, "b2", sl_net_bias (&net, 1), C);
  sl_golden_copy (setup, "A", tape.x[0], B * D);
  for (int i = 0; i < B; i++)
    label[i] = (uint8_t) json_array_get_int_element (json_object_get_array_member (setup, "y"), i);

  sl_rng_init (&rng, 1, "subspace");
  status = sl_lowrank_refresh (&factors, sl_net_weight (&net, 0),
                               (size_t) sl_golden_number (c, "rank"), 1, &rng);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (factors.rank, ==, (size_t) sl_golden_number (c, "effective_rank"));
  sl_lowrank_estimate (&factors, B, tape.x[0], with_bias ? sl_net_bias (&net, 0) : none, 0,
                       tape.low, tape.est[0]);
  expect (tape.est[0], c, "est", B * H);
  for (int i = 0; i < B * H; i++)
    mask[i] = tape.est[0][i] > 0;
  expect (mask, c, "mask", B * H);

  sl_net_forward (&net, &tape, B, NULL, &frozen);
  expect (tape.pre[0], golden, "pre", B * H);
  expect (tape.x[1], c, "act", B * H);
  expect (tape.x[2], c, "logits", B * C);
  loss = sl_net_loss (&net, &tape, B, label, true, &errors);
  sl_assert_near (loss, sl_golden_number (c, "loss"), 0, 1e-10);

  sl_signs_count (B * H, tape.pre[0], tape.est[0], &signs);
  g_assert_cmpfloat (signs.both, ==, sl_golden_number (c, "tp"));
  g_assert_cmpfloat (signs.only_estimate, ==, sl_golden_number (c, "fp"));
  g_assert_cmpfloat (signs.only_truth, ==, sl_golden_number (c, "fn"));
  g_assert_cmpfloat (signs.neither, ==, sl_golden_number (c, "tn"));
  sl_assert_near (sl_signs_agreement (&signs), sl_golden_number (c, "sign_agreement"), 0, 1e-12);
  sl_assert_near (1.0 - sl_signs_recall (&signs), sl_golden_number (c, "miss_rate"), 0, 1e-12);
  sl_assert_near (sl_signs_false_alarm (&signs), sl_golden_number (c, "false_alarm"), 0, 1e-12);
  sl_assert_near (sl_signs_density (&signs), sl_golden_number (c, "alpha"), 0, 1e-12);
  sl_assert_near (sl_signs_truth (&signs), sl_golden_number (c, "true_density"), 0, 1e-12);
  sl_assert_near (sl_signs_lost (&signs), sl_golden_number (c, "lost_energy"), 0, 1e-10);
  sl_assert_near (sl_signs_estimate_error (&signs), sl_golden_number (c, "rel_err_lowrank_act"), 0,
                  1e-10);
  sl_assert_near (sl_signs_gated_error (&signs), sl_golden_number (c, "rel_err_masked"), 0, 1e-10);

  sl_net_backward (&net, &tape, B, NULL, NULL, 0);
  expect (net.gradient, c, "dW", H * D);
  expect (net.gradient + H * D, c, "db", H);
  /* The network never needs the gradient of its input; the layer below would get this. */
  memset (dx, 0, sizeof dx);
  for (int e = 0; e < B; e++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < D; j++)
        dx[e * D + j] += tape.delta[1][e * H + i] * sl_net_weight (&net, 0)[i * D + j];
  expect (dx, c, "dA", B * D);
  sl_arena_clear (&arena);
}

/* Operation counts: eq. 3.8, layer by layer and for whole networks. */
static void
test_flops (void)
{
  static const char *const lists[] = { "gamma_NN_mnist", "gamma_NN_svhn" };
  JsonArray               *flops = json_object_get_array_member (golden, "flops");

  for (guint i = 0; i < json_array_get_length (flops); i++)
    {
      JsonObject *f = json_array_get_object_element (flops, i);
      double      d = sl_golden_number (f, "d"), h = sl_golden_number (f, "h"),
             k = sl_golden_number (f, "k"), alpha = sl_golden_number (f, "alpha");

      sl_assert_near (sl_signs_dense_flops (d, h), sl_golden_number (f, "F_nn"), 1e-12, 0);
      sl_assert_near (sl_signs_gated_flops (d, h, k, alpha), sl_golden_number (f, "F_ae"), 1e-12,
                      0);
      sl_assert_near (sl_signs_dense_flops (d, h) / sl_signs_gated_flops (d, h, k, alpha),
                      sl_golden_number (f, "gamma_eq38"), 1e-12, 0);
    }
  for (int list = 0; list < 2; list++)
    {
      JsonArray *rows = json_object_get_array_member (golden, lists[list]);

      for (guint i = 0; i < json_array_get_length (rows); i++)
        {
          JsonObject *row = json_array_get_object_element (rows, i);
          g_autoptr (GArray) ranks = sl_golden_numbers (row, "ranks");
          g_auto (GStrv) arch = g_strsplit (json_object_get_string_member (row, "arch"), "-", -1);
          double dense = 0, gated = 0, alpha = sl_golden_number (row, "alpha");

          for (guint l = 0; arch[l + 1] != NULL; l++)
            {
              double d = g_ascii_strtod (arch[l], NULL), h = g_ascii_strtod (arch[l + 1], NULL);

              dense += sl_signs_dense_flops (d, h);
              gated += l < ranks->len
                         ? sl_signs_gated_flops (d, h, g_array_index (ranks, double, l), alpha)
                         : sl_signs_dense_flops (d, h);
            }
          sl_assert_near (dense / gated, sl_golden_number (row, "gamma_NN"), 1e-12, 0);
        }
    }
}

/* A comparison of nothing is not a number, and drift from equal weights is zero. */
static void
test_limits (void)
{
  SlSigns signs = { 0 };
  sl_real w[100] = { 0 };

  sl_signs_count (0, w, w, &signs);
  g_assert_true (isnan (sl_signs_agreement (&signs)));
  for (int i = 0; i < 100; i++)
    w[i] = (sl_real) (i - 50);
  g_assert_cmpfloat (sl_signs_drift (100, w, w), ==, 0.0);
  sl_signs_count (100, w, w, &signs);
  g_assert_cmpfloat (sl_signs_agreement (&signs), ==, 1.0);
  g_assert_cmpfloat (sl_signs_truth (&signs), ==, 0.49);
}

/* Everything that a network over pictures needs, and factors of its convolutions. */
enum { CONVOLUTIONS = 2 };

typedef struct
{
  SlNet     net;
  SlTape    tape;
  SlLowRank factors[CONVOLUTIONS];
  SlArena   arena;
} Pictures;

static void
make_pictures (Pictures *p)
{
  const SlPatches picture = { .channels = 2, .height = 11, .width = 10, .side = 3, .stride = 2 };
  const size_t    widths[] = { 2 * 11 * 10, 4, 5, 7, 3 };
  SlRng           rng;
  SlStatus        status;

  memset (p, 0, sizeof *p);
  g_assert_true (
    sl_net_shape_convolutions (&p->net, SL_RECTIFIER, widths, 4, &picture, CONVOLUTIONS));
  g_assert_cmpuint (p->net.width[1], ==, 5 * 4 * 4);
  g_assert_cmpuint (p->net.width[2], ==, 2 * 1 * 5);
  g_assert_cmpuint (p->net.inputs[1], ==, 3 * 3 * 4);
  g_assert_cmpfloat (sl_net_macs (&p->net), ==, 20 * 18 * 4 + 2 * 36 * 5 + 10 * 7 + 7 * 3);
  g_assert_cmpfloat (sl_net_backward_macs (&p->net), ==, 2 * sl_net_macs (&p->net) - 20 * 18 * 4);
  for (int pass = 0; pass < 2; pass++)
    {
      sl_net_carve (&p->net, &p->arena, &p->arena);
      sl_tape_carve (&p->tape, &p->net, B, &p->arena);
      for (unsigned l = 0; l < CONVOLUTIONS; l++)
        sl_lowrank_init (&p->factors[l], sl_net_units (&p->net, l), p->net.inputs[l], &p->arena,
                         &p->arena);
      if (pass == 0)
        {
          status = sl_arena_init (&p->arena, p->arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  sl_rng_init (&rng, 3, "pictures");
  sl_net_init (&p->net, &rng);
  for (size_t i = 0; i < B * p->net.width[0]; i++)
    p->tape.x[0][i] = (sl_real) sl_rng_normal (&rng);
  for (unsigned l = 0; l < 3; l++)
    for (size_t i = 0; i < sl_net_units (&p->net, l); i++)
      sl_net_bias (&p->net, l)[i] = (sl_real) (0.1 * sl_rng_normal (&rng));
  for (unsigned l = 0; l < CONVOLUTIONS; l++)
    {
      status = sl_lowrank_refresh (&p->factors[l], sl_net_weight (&p->net, l), 99, 1, &rng);
      g_assert_true (sl_ok (&status));
    }
}

/* Dense, the layers are the convolutions of core/nn/conv/conv.h. */
static void
expect_convolution (const Pictures *p, unsigned l, const sl_real *x, sl_real *y)
{
  const SlPatches    *patches = &p->net.patches[l];
  size_t              channels = patches->channels, units = sl_net_units (&p->net, l);
  size_t              places = p->net.places[l], area = patches->side * patches->side;
  SlConv              conv = { .inputs = channels,
                               .outputs = units,
                               .height = patches->height,
                               .width = patches->width,
                               .tall = patches->side,
                               .wide = patches->side,
                               .stride = patches->stride };
  g_autofree sl_real *w = g_new (sl_real, units * channels * area);
  g_autofree sl_real *work = g_new (sl_real, sl_conv_work (&conv, SL_CONV_FORWARD));

  for (size_t i = 0; i < units; i++)
    for (size_t c = 0; c < channels; c++)
      for (size_t a = 0; a < area; a++)
        w[(i * channels + c) * area + a]
          = sl_net_weight (&p->net, l)[(i * area + a) * channels + c];
  sl_conv_forward (&conv, B, x, w, sl_net_bias (&p->net, l), true, y, work);
  for (size_t e = 0; e < B; e++)
    for (size_t i = 0; i < units; i++)
      for (size_t a = 0; a < places; a++)
        sl_assert_near (p->tape.x[l + 1][(e * places + a) * units + i],
                        y[(e * units + i) * places + a], 1e-10, 1e-10);
}

/* Estimates of full rank, those of fully connected layers being the truth. */
static void
predict_pictures (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  Pictures *p = data;

  if (layer < CONVOLUTIONS)
    sl_lowrank_estimate (&p->factors[layer], batch * p->net.places[layer], tape->read[layer],
                         sl_net_bias (&p->net, layer), 0, tape->low, tape->est[layer]);
  else
    memcpy (tape->est[layer], tape->pre[layer],
            batch * p->net.width[layer + 1] * sizeof *tape->est[layer]);
}

/* Gated by estimates of full rank, a network over pictures gives what it gives without them. */
static void
test_pictures (void)
{
  Pictures            p;
  SlEstimate          none = { .mode = SL_ESTIMATE_OFF };
  SlEstimate          full = { .mode = SL_ESTIMATE_GATE, .predict = predict_pictures, .data = &p };
  g_autofree sl_real *first = NULL, *second = NULL;
  sl_real             dense[B * 3];

  make_pictures (&p);
  first = g_new (sl_real, B * p.net.width[1]);
  second = g_new (sl_real, B * p.net.width[2]);
  sl_net_forward (&p.net, &p.tape, B, NULL, &none);
  expect_convolution (&p, 0, p.tape.x[0], first);
  expect_convolution (&p, 1, first, second);
  memcpy (dense, p.tape.x[4], sizeof dense);
  sl_net_forward (&p.net, &p.tape, B, NULL, &full);
  for (size_t i = 0; i < B * 3; i++)
    sl_assert_near (p.tape.x[4][i], dense[i], 1e-10, 1e-10);
  /* At a lower rank it does not. */
  p.factors[0].rank = 1;
  sl_net_forward (&p.net, &p.tape, B, NULL, &full);
  g_assert_cmpfloat (fabs (p.tape.x[4][0] - dense[0]), >, 1e-6);
  sl_arena_clear (&p.arena);
}

/* What an independent network over pictures gives, and its gradients, gated at a rank. */
static void
test_gated_pictures (gconstpointer data)
{
  static const char *const names[] = { "first", "second", "hidden", "logits" };
  JsonObject              *c = json_array_get_object_element (
                 json_object_get_array_member (convolutions, "cases"), GPOINTER_TO_UINT (data));
  JsonObject *setup = json_object_get_object_member (convolutions, "setup");
  JsonArray  *classes = json_object_get_array_member (setup, "y");
  Pictures    p;
  SlEstimate  gate = { .mode = SL_ESTIMATE_GATE, .predict = predict_pictures, .data = &p };
  uint8_t     label[B];
  size_t      errors;
  SlRng       rng;
  double      loss;

  make_pictures (&p);
  sl_rng_init (&rng, 1, "subspace");
  sl_golden_copy (setup, "X", p.tape.x[0], B * p.net.width[0]);
  for (unsigned l = 0; l < p.net.layers; l++)
    {
      char weights[] = { 'W', (char) ('1' + l), '\0' }, biases[] = { 'b', (char) ('1' + l), '\0' };

      sl_golden_copy (setup, weights, sl_net_weight (&p.net, l), sl_net_in_layer (&p.net, l));
      sl_golden_copy (setup, biases, sl_net_bias (&p.net, l), sl_net_units (&p.net, l));
    }
  for (int i = 0; i < B; i++)
    label[i] = (uint8_t) json_array_get_int_element (classes, (guint) i);
  for (unsigned l = 0; l < CONVOLUTIONS; l++)
    {
      SlStatus status = sl_lowrank_refresh (&p.factors[l], sl_net_weight (&p.net, l),
                                            (size_t) sl_golden_number (c, "rank"), 1, &rng);

      g_assert_true (sl_ok (&status));
    }
  sl_net_forward (&p.net, &p.tape, B, NULL, &gate);
  for (unsigned l = 0; l < p.net.layers; l++)
    expect (p.tape.x[l + 1], c, names[l], B * p.net.width[l + 1]);
  loss = sl_net_loss (&p.net, &p.tape, B, label, true, &errors);
  sl_assert_near (loss, sl_golden_number (c, "loss"), 0, 1e-10);
  sl_net_backward (&p.net, &p.tape, B, NULL, NULL, 0);
  for (unsigned l = 0; l < p.net.layers; l++)
    {
      char     weights[] = { 'd', 'W', (char) ('1' + l), '\0' };
      char     biases[] = { 'd', 'b', (char) ('1' + l), '\0' };
      sl_real *slope = p.net.gradient + p.net.at[l];

      expect (slope, c, weights, sl_net_in_layer (&p.net, l));
      expect (slope + sl_net_in_layer (&p.net, l), c, biases, sl_net_units (&p.net, l));
    }
  sl_arena_clear (&p.arena);
}

/* A kernel that does not fit into what the one before leaves is refused. */
static void
test_small_pictures (void)
{
  const SlPatches picture = { .channels = 1, .height = 8, .width = 8, .side = 5, .stride = 2 };
  const size_t    widths[] = { 64, 4, 4, 2 };
  SlNet           net;

  g_assert_true (sl_net_shape_convolutions (&net, SL_RECTIFIER, widths, 3, &picture, 1));
  g_assert_false (sl_net_shape_convolutions (&net, SL_RECTIFIER, widths, 3, &picture, 2));
}

int
main (int argc, char **argv)
{
  JsonNode *root, *pictures;
  int       result;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 3);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  pictures = sl_golden_load (argv[2]);
  convolutions = json_node_get_object (pictures);
  for (guint i = 0;
       i < json_array_get_length (json_object_get_array_member (convolutions, "cases")); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sign-estimator/gated-pictures/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_gated_pictures);
    }
  for (guint i = 0; i < json_array_get_length (json_object_get_array_member (golden, "cases")); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sign-estimator/golden/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/sign-estimator/flops", test_flops);
  g_test_add_func ("/sign-estimator/limits", test_limits);
  g_test_add_func ("/sign-estimator/pictures", test_pictures);
  g_test_add_func ("/sign-estimator/small-pictures", test_small_pictures);
  result = g_test_run ();
  json_node_unref (root);
  json_node_unref (pictures);
  return result;
}
