/* SPDX-License-Identifier: MIT
 *
 * Predictors of which units will be on, against golden numbers in both precisions: scores, masks,
 * figures, losses and gradients, thresholds that meet an aim, schedules and costs.  Sizes are read from
 * the file.  Votes of signs are counted one by one here, too.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/sign-estimator/math/predictor.h"
#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/l1.h"
#include "core/nn/dense/net.h"
#include "core/nn/dense/penalty.h"
#include "core/nn/dense/signs.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static const double rtol = sizeof (sl_real) == sizeof (float) ? 1e-4 : 0;
static const double near = sizeof (sl_real) == sizeof (float) ? 2e-5 : 1e-10;

static JsonObject *golden;

/* The numbers of a member, as the library takes them. */
static sl_real *
reals (JsonObject *object, const char *member, size_t *n)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (object, member);
  sl_real *to = g_new (sl_real, numbers->len + 1);

  for (guint i = 0; i < numbers->len; i++)
    to[i] = (sl_real) g_array_index (numbers, double, i);
  if (n != NULL)
    *n = numbers->len;
  return to;
}

static void
expect (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, rtol, near);
}

/* The file says "nan" where nothing was counted. */
static void
expect_number (double got, JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  g_assert_nonnull (node);
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (node);

      g_assert_true (g_str_equal (text, "nan") ? isnan (got)
                                               : isinf (got) && (got > 0) == (text[0] != '-'));
      return;
    }
  sl_assert_near (got, json_node_get_double (node), rtol, near);
}

/* Masks and counts are exact. */
static void
expect_mask (const sl_real *est, JsonObject *object, size_t n)
{
  g_autoptr (GArray) mask = sl_golden_numbers (object, "mask");

  g_assert_cmpuint (mask->len, ==, n);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpint (est[i] > 0, ==, g_array_index (mask, double, i) > 0);
}

static void
expect_figures (const sl_real *pre, const sl_real *est, size_t n, JsonObject *c)
{
  SlSigns signs = { 0 };

  sl_signs_count (n, pre, est, &signs);
  g_assert_cmpfloat (signs.both, ==, sl_golden_number (c, "tp"));
  g_assert_cmpfloat (signs.only_estimate, ==, sl_golden_number (c, "fp"));
  g_assert_cmpfloat (signs.only_truth, ==, sl_golden_number (c, "fn"));
  g_assert_cmpfloat (signs.neither, ==, sl_golden_number (c, "tn"));
  expect_number (sl_signs_recall (&signs), c, "recall");
  expect_number (sl_signs_precision (&signs), c, "precision");
  expect_number (sl_signs_false_alarm (&signs), c, "false_alarm");
  expect_number (sl_signs_agreement (&signs), c, "agreement");
  expect_number (sl_signs_density (&signs), c, "alpha");
  expect_number (sl_signs_truth (&signs), c, "true_density");
  expect_number (sl_signs_lost (&signs), c, "lost_energy");
}

static void
expect_outputs (const sl_real *pre, const sl_real *est, size_t n, JsonObject *c)
{
  g_autofree sl_real *out = g_new (sl_real, n);

  if (!json_object_has_member (c, "out"))
    return;
  sl_gated_relu (n, pre, est, out);
  expect (out, c, "out", n);
  sl_cut_relu (n, pre, est, 0, out);
  expect (out, c, "out", n);
}

/* The layer that most cases are about, with room for its predictors. */
typedef struct
{
  SlArena     arena;
  size_t      batch, inputs, units;
  sl_real    *x, *w, *b, *pre, *low, *est;
  SlPredictor predictor;
} Layer;

static void
carve_predictor (SlPredictor *p, size_t units, size_t inputs, SlArena *arena)
{
  sl_lowrank_init (&p->svd, units, inputs, arena, arena);
  sl_learned_init (&p->learned, units, inputs, MIN (units, inputs), arena, arena);
  sl_sign_bits_init (&p->bits, units, inputs, arena);
}

static Layer
open_layer (JsonObject *c)
{
  Layer  y = { .batch = sl_golden_rows (c, "X"),
               .inputs = sl_golden_columns (c, "X"),
               .units = sl_golden_rows (c, "W") };
  size_t n;

  y.x = reals (c, "X", &n);
  g_assert_cmpuint (n, ==, y.batch * y.inputs);
  y.w = reals (c, "W", &n);
  g_assert_cmpuint (n, ==, y.units * y.inputs);
  y.b = json_object_has_member (c, "b") ? reals (c, "b", NULL) : g_new0 (sl_real, y.units);
  for (int pass = 0; pass < 2; pass++)
    {
      carve_predictor (&y.predictor, y.units, y.inputs, &y.arena);
      y.pre = sl_arena_reals (&y.arena, y.batch * y.units);
      y.est = sl_arena_reals (&y.arena, y.batch * y.units);
      y.low = sl_arena_reals (&y.arena, y.batch * (y.units + y.inputs));
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&y.arena, y.arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  sl_dense_forward (y.batch, y.inputs, y.units, y.x, y.w, y.b, y.pre);
  return y;
}

static Layer
open_common (void)
{
  return open_layer (json_object_get_object_member (golden, "layer"));
}

static void
close_layer (Layer *y)
{
  g_free (y->x);
  g_free (y->w);
  g_free (y->b);
  sl_arena_clear (&y->arena);
}

static void
factorise (Layer *y, size_t rank)
{
  SlRng    rng;
  SlStatus status;

  sl_rng_init (&rng, 1, "subspace");
  status = sl_lowrank_refresh (&y->predictor.svd, y->w, rank, 1, &rng);
  g_assert_true (sl_ok (&status));
}

static void
score (Layer *y, const SlPredictorSetting *setting)
{
  SlPredictorInput in = { y->batch, y->x, y->b, y->pre, y->low };

  sl_predictor_scores (&y->predictor, setting, &in, y->est);
}

/* Decides, and asks the deployed way for the same units. */
static void
decide_by (Layer *y, const SlPredictorSetting *setting, SlTheta theta)
{
  g_autofree sl_real  *one = g_new (sl_real, y->units);
  g_autofree uint32_t *rows = g_new (uint32_t, y->units);

  sl_predictor_decide (setting, theta, y->batch, y->units, y->est);
  for (size_t e = 0; e < y->batch && setting->kind != SL_PREDICTOR_ORACLE; e++)
    {
      SlPredictorInput in = { 1, y->x + e * y->inputs, y->b, NULL, y->low };
      size_t n_rows = sl_predictor_rows (&y->predictor, setting, &in, theta, one, rows), k = 0;

      for (size_t i = 0; i < y->units; i++)
        if (y->est[e * y->units + i] > 0)
          g_assert_true (k < n_rows && rows[k++] == i);
      g_assert_cmpuint (k, ==, n_rows);
    }
}

static void
decide (Layer *y, const SlPredictorSetting *setting, double theta)
{
  decide_by (y, setting, (SlTheta) { .one = theta });
}

static void
test_svd (const char *name, JsonObject *c)
{
  Layer              y = open_common ();
  SlPredictorSetting setting = { .kind = SL_PREDICTOR_SVD };
  size_t             n = y.batch * y.units;

  g_test_message ("%s", name);
  expect (y.pre, json_object_get_object_member (golden, "layer"), "pre", n);
  factorise (&y, (size_t) sl_golden_number (c, "rank"));
  score (&y, &setting);
  expect (y.est, c, "q", n);
  decide (&y, &setting, sl_golden_number (c, "theta"));
  expect_mask (y.est, c, n);
  expect_figures (y.pre, y.est, n, c);
  expect_outputs (y.pre, y.est, n, c);
  close_layer (&y);
}

static void
test_oracle (const char *name, JsonObject *c)
{
  Layer              y = open_common ();
  SlPredictorSetting setting = { .kind = SL_PREDICTOR_ORACLE };
  size_t             n = y.batch * y.units;

  if (g_str_equal (name, "all_off"))
    for (size_t i = 0; i < n; i++)
      y.est[i] = -1;
  else
    {
      score (&y, &setting);
      decide (&y, &setting, 0.7); /* which is not the oracle's */
    }
  expect_mask (y.est, c, n);
  expect_figures (y.pre, y.est, n, c);
  expect_outputs (y.pre, y.est, n, c);
  close_layer (&y);
}

/* Central differences of the mean loss, in double. */
static void
expect_differences (Layer *y, SlLearnedWeight weight)
{
  SlLearned          *p = &y->predictor.learned;
  size_t              n = sl_learned_numbers (p);
  g_autofree sl_real *gradient = g_new (sl_real, n);
  SlPredictorSetting  setting = { .kind = SL_PREDICTOR_LEARNED };
  const double        h = 1e-6;
  double              worst = 0.0, largest = 0.0;

  if (sizeof (sl_real) == sizeof (float))
    return;
  memcpy (gradient, p->gradient, n * sizeof *gradient);
  for (size_t i = 0; i < n; i++)
    {
      sl_real at = p->weights[i];
      double  loss[2];

      for (int side = 0; side < 2; side++)
        {
          p->weights[i] = at + (sl_real) (side == 0 ? -h : h);
          score (y, &setting);
          sl_learned_backward (p, y->batch, y->x, y->pre, 0, weight, y->low, y->est, &loss[side]);
        }
      p->weights[i] = at;
      worst = fmax (worst, fabs ((loss[1] - loss[0]) / (2 * h) - (double) gradient[i]));
      largest = fmax (largest, fabs ((double) gradient[i]));
    }
  g_assert_cmpfloat (largest, >, 0);
  g_assert_true (worst <= 1e-6 * largest);
}

static void
fill_learned (SlLearned *p, JsonObject *c, size_t inputs)
{
  g_autofree sl_real *a = reals (c, "A", NULL), *b = reals (c, "Bm", NULL),
                     *bias = reals (c, "c", NULL);

  p->inputs = inputs;
  p->rank = (size_t) sl_golden_number (c, "r");
  p->rectifies = g_str_equal (json_object_get_string_member (c, "between"), "rectifier");
  memcpy (p->weights, a, p->inputs * p->rank * sizeof *a);
  memcpy (sl_learned_b (p), b, p->rank * p->units * sizeof *b);
  memcpy (sl_learned_c (p), bias, p->units * sizeof *bias);
}

static void
test_learned (const char *name, JsonObject *c)
{
  static const char *const thetas[] = { "-0.5", "0", "0.5" };
  Layer                    y = open_common ();
  SlLearned               *p = &y.predictor.learned;
  SlPredictorSetting       setting = { .kind = SL_PREDICTOR_LEARNED };
  JsonObject              *grads = json_object_get_object_member (c, "grads");
  SlLearnedWeight          weight
    = sl_golden_number (c, "negative_weight") < 1.0 ? SL_LEARNED_BALANCED : SL_LEARNED_PLAIN;
  size_t n = y.batch * y.units;
  double loss;

  g_test_message ("%s", name);
  fill_learned (p, c, y.inputs);
  score (&y, &setting);
  expect (y.est, c, "q", n);
  for (guint i = 0; i < G_N_ELEMENTS (thetas); i++)
    {
      g_autofree char *member = g_strconcat ("theta_", thetas[i], NULL);
      JsonObject      *at = json_object_get_object_member (c, member);

      score (&y, &setting);
      decide (&y, &setting, g_ascii_strtod (thetas[i], NULL));
      expect_mask (y.est, at, n);
      expect_figures (y.pre, y.est, n, at);
    }
  score (&y, &setting);
  sl_learned_backward (p, y.batch, y.x, y.pre, 0, weight, y.low, y.est, &loss);
  expect_number (loss, c, "loss");
  expect (p->gradient, grads, "A", y.inputs * p->rank);
  expect (p->gradient + y.inputs * p->rank, grads, "Bm", p->rank * y.units);
  expect (p->gradient + p->rank * (y.inputs + y.units), grads, "c", y.units);
  expect_differences (&y, weight);
  score (&y, &setting);
  sl_learned_backward (p, y.batch, y.x, y.pre, 0, SL_LEARNED_ENERGY, y.low, y.est, &loss);
  expect_differences (&y, SL_LEARNED_ENERGY);
  close_layer (&y);
}

static void
test_begins_as_svd (JsonObject *c)
{
  Layer               y = open_common ();
  SlLearned          *p = &y.predictor.learned;
  SlPredictorSetting  setting = { .kind = SL_PREDICTOR_LEARNED };
  g_autofree sl_real *product = g_new0 (sl_real, y.inputs * y.units);

  factorise (&y, (size_t) sl_golden_number (c, "r"));
  sl_learned_begin (p, &y.predictor.svd, y.b);
  score (&y, &setting);
  expect (y.est, c, "q", y.batch * y.units);
  for (size_t j = 0; j < y.inputs; j++)
    for (size_t i = 0; i < y.units; i++)
      for (size_t k = 0; k < p->rank; k++)
        product[j * y.units + i] += p->weights[j * p->rank + k] * sl_learned_b (p)[k * y.units + i];
  expect (product, c, "product", y.inputs * y.units);
  close_layer (&y);
}

/* Votes one by one. */
static void
expect_votes (Layer *y, bool abstain)
{
  for (size_t e = 0; e < y->batch; e++)
    {
      size_t cast = sl_sign_bits_vote (&y->predictor.bits, y->x + e * y->inputs, abstain);

      for (size_t i = 0; i < y->units; i++)
        {
          size_t with = 0, against = 0;

          for (size_t j = 0; j < y->inputs; j++)
            {
              sl_real x = y->x[e * y->inputs + j], w = y->w[i * y->inputs + j];

              if (abstain && x == 0)
                continue;
              against += (x < 0) != (w < 0);
              with += (x < 0) == (w < 0);
            }
          g_assert_cmpuint (y->predictor.bits.count[i], ==, against);
          g_assert_cmpuint (cast, ==, with + against);
        }
    }
}

static void
expect_counts (Layer *y, JsonObject *c, bool abstain)
{
  g_autoptr (GArray) with = sl_golden_numbers (c, "n_plus"),
                     against = sl_golden_numbers (c, "n_minus");

  g_assert_cmpuint (with->len, ==, y->batch * y->units);
  for (size_t e = 0; e < y->batch; e++)
    {
      size_t cast = sl_sign_bits_vote (&y->predictor.bits, y->x + e * y->inputs, abstain);

      for (size_t i = 0; i < y->units; i++)
        {
          size_t at = e * y->units + i, count = y->predictor.bits.count[i];

          g_assert_cmpfloat ((double) count, ==, g_array_index (against, double, at));
          g_assert_cmpfloat ((double) (cast - count), ==, g_array_index (with, double, at));
        }
    }
}

/* JSON has no -0 that everybody reads. */
static void
put_negative_zero (Layer *y, JsonObject *c)
{
  g_autoptr (GArray) at = NULL;

  if (!json_object_has_member (c, "negative_zero_at"))
    return;
  at = sl_golden_numbers (c, "negative_zero_at");
  g_assert_cmpuint (at->len, ==, 2);
  y->x[(size_t) g_array_index (at, double, 0) * y->inputs + (size_t) g_array_index (at, double, 1)]
    = (sl_real) -0.0;
}

static void
test_bits (const char *name, JsonObject *c)
{
  Layer              y = open_layer (c);
  const char        *signs = json_object_has_member (c, "signs")
                               ? json_object_get_string_member (c, "signs")
                             : g_str_has_suffix (name, "bits") ? "bits"
                                                               : "ternary";
  SlPredictorSetting setting = { .kind = SL_PREDICTOR_BITS,
                                 .abstain = g_str_equal (signs, "ternary"),
                                 .caution = sl_golden_number (c, "caution") };
  size_t             n = y.batch * y.units;

  g_test_message ("%s", name);
  put_negative_zero (&y, c);
  sl_sign_bits_pack (&y.predictor.bits, y.w);
  expect_votes (&y, setting.abstain);
  expect_counts (&y, c, setting.abstain);
  score (&y, &setting);
  if (json_object_has_member (c, "q"))
    expect (y.est, c, "q", n);
  decide (&y, &setting, json_object_has_member (c, "theta") ? sl_golden_number (c, "theta") : 0);
  expect_mask (y.est, c, n);
  if (json_object_has_member (c, "tp"))
    {
      expect (y.pre, c, "pre", n);
      expect_figures (y.pre, y.est, n, c);
    }
  if (json_object_has_member (c, "words_each_row"))
    {
      double macs = sl_predictor_macs (SL_PREDICTOR_BITS, (double) y.inputs, (double) y.units, 0);

      g_assert_cmpfloat ((double) sl_sign_bits_words (y.inputs), ==,
                         sl_golden_number (c, "words_each_row"));
      g_assert_cmpfloat (macs, ==, sl_golden_number (c, "counted_multiply_adds"));
    }
  close_layer (&y);
}

/* Sizes around those that vectors and words like. */
static void
test_sizes (void)
{
  static const size_t sizes[] = { 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1030, 2500 };
  SlRng               rng;

  sl_rng_init (&rng, 3, "bits");
  for (size_t k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      Layer y
        = { .batch = 3, .inputs = sizes[k], .units = sizes[G_N_ELEMENTS (sizes) - 1 - k] % 71 };
      SlArena            arena = { 0 };
      SlStatus           status;
      SlPredictorSetting setting = { .kind = SL_PREDICTOR_BITS, .caution = 1.1 };

      carve_predictor (&y.predictor, y.units, y.inputs, &arena);
      status = sl_arena_init (&arena, arena.used);
      g_assert_true (sl_ok (&status));
      carve_predictor (&y.predictor, y.units, y.inputs, &arena);
      y.x = g_new (sl_real, y.batch * y.inputs);
      y.w = g_new (sl_real, y.units * y.inputs);
      y.est = g_new (sl_real, y.batch * y.units);
      for (size_t i = 0; i < y.batch * y.inputs; i++)
        y.x[i] = (sl_real) floor (3.0 * sl_rng_uniform (&rng)) - 1;
      memset (y.x, 0, y.inputs * sizeof *y.x); /* one with nothing but zeros */
      for (size_t i = 0; i < y.units * y.inputs; i++)
        y.w[i] = (sl_real) sl_rng_normal (&rng);
      sl_sign_bits_pack (&y.predictor.bits, y.w);
      for (int abstain = 0; abstain < 2; abstain++)
        {
          expect_votes (&y, abstain);
          setting.abstain = abstain;
          for (int t = -2; t <= 2; t++)
            {
              score (&y, &setting);
              decide (&y, &setting, 0.1 * t);
            }
        }
      g_free (y.x);
      g_free (y.w);
      g_free (y.est);
      sl_arena_clear (&arena);
    }
}

static SlAim
aim_of (JsonObject *c)
{
  return g_str_equal (json_object_get_string_member (c, "aim"), "recall") ? SL_AIM_RECALL
                                                                          : SL_AIM_DENSITY;
}

/* Scores of a row, the truth as what lies on either side of 0; the threshold is compared. */
static double
expect_threshold (JsonObject *c, size_t n, const sl_real *q, const sl_real *pre)
{
  g_autofree sl_real *room = g_new (sl_real, n);
  double theta = sl_threshold_for (aim_of (c), sl_golden_number (c, "value"), n, q, pre, room);

  expect_number (theta, c, "theta");
  return theta;
}

static void
test_aims (JsonObject *aims)
{
  JsonArray          *rows = json_object_get_array_member (aims, "rows");
  Layer               y = open_common ();
  size_t              n;
  g_autofree sl_real *q = reals (aims, "q", &n);
  SlPredictorSetting  setting = { .kind = SL_PREDICTOR_SVD };

  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *c = json_array_get_object_element (rows, i);
      double      theta = expect_threshold (c, n, q, y.pre);

      memcpy (y.est, q, n * sizeof *q);
      sl_predictor_decide (&setting, (SlTheta) { .one = theta }, n, 1, y.est);
      expect_figures (y.pre, y.est, n, c);
    }
  close_layer (&y);
}

static void
test_aims_ties (JsonArray *ties)
{
  for (guint i = 0; i < json_array_get_length (ties); i++)
    {
      JsonObject         *c = json_array_get_object_element (ties, i);
      size_t              n;
      g_autofree sl_real *q = reals (c, "q", &n), *truth = reals (c, "truth", NULL);

      expect_threshold (c, n, q, truth);
    }
}

static void
test_schedule (JsonObject *c)
{
  g_autoptr (GArray) weight = sl_golden_numbers (c, "lam"), end = sl_golden_numbers (c, "ends");
  JsonArray *at = json_object_get_array_member (c, "at");
  unsigned   stages = weight->len;
  double     first = g_array_index (end, double, 0), last = g_array_index (end, double, stages - 1);
  bool       equal = true;

  for (unsigned i = 1; i < stages; i++)
    equal &= g_array_index (weight, double, i) == 4.0 * g_array_index (weight, double, i - 1)
             && g_array_index (end, double, i) == first + (last - first) * i / (stages - 1);
  for (guint i = 0; i < json_array_get_length (at); i++)
    {
      JsonObject *point = json_array_get_object_element (at, i);
      double      t = sl_golden_number (point, "update"), want = sl_golden_number (point, "lam");

      sl_assert_near (
        sl_l1_at (stages, &g_array_index (weight, double, 0), &g_array_index (end, double, 0), t),
        want, 0, 1e-10);
      if (equal)
        sl_assert_near (
          sl_l1_staged (stages, g_array_index (weight, double, stages - 1), first, last - first, t),
          want, 0, 1e-10);
    }
  sl_assert_near (sl_l1_staged (1, 0.5, 10, 100, 0), 0.5, 0, 0);
}

/* A layer under Σ a ⊙ Cw + l1 mean |a|, a rectifier with a threshold. */
static void
test_rectifier (const char *name, JsonObject *c)
{
  Layer               y = open_layer (c);
  size_t              n = y.batch * y.units;
  sl_real             cut = (sl_real) sl_golden_number (c, "tau");
  double              l1 = sl_golden_number (c, "l1"), total = 0.0, density, lost;
  g_autofree sl_real *weight = reals (c, "Cw", NULL), *da = g_memdup2 (weight, n * sizeof *weight);
  g_autofree sl_real *dw = g_new (sl_real, y.units * y.inputs), *db = g_new (sl_real, y.units),
                     *dx = g_new (sl_real, y.batch * y.inputs);
  JsonObject *grads = json_object_get_object_member (c, "grads");
  JsonArray  *curve = json_object_get_array_member (c, "curve");

  g_test_message ("%s", name);
  expect (y.pre, c, "pre", n);
  sl_cut_relu (n, y.pre, NULL, cut, y.est);
  expect (y.est, c, "a", n);
  for (size_t i = 0; i < n; i++)
    total += (double) (y.est[i] * weight[i]) + l1 * (double) y.est[i] / (double) n;
  expect_number (total, c, "total");
  sl_l1_backward (n, (sl_real) (l1 / (double) n), y.est, da);
  sl_relu_backward (n, y.est, da, da);
  sl_dense_backward (y.batch, y.inputs, y.units, y.x, y.w, da, dw, db, dx);
  expect (dw, grads, "W", y.units * y.inputs);
  expect (db, grads, "b", y.units);
  expect (dx, grads, "X", y.batch * y.inputs);
  sl_signs_cut (n, y.pre, cut, &density, &lost);
  expect_number (density, c, "density");
  for (guint i = 0; i < json_array_get_length (curve); i++)
    {
      JsonObject *point = json_array_get_object_element (curve, i);

      sl_signs_cut (n, y.pre, (sl_real) sl_golden_number (point, "tau"), &density, &lost);
      expect_number (density, point, "density");
      expect_number (lost, point, "lost_energy");
    }
  close_layer (&y);
}

static void
test_costs (JsonArray *costs)
{
  for (guint i = 0; i < json_array_get_length (costs); i++)
    {
      JsonObject *c = json_array_get_object_element (costs, i);
      double      d = sl_golden_number (c, "d"), h = sl_golden_number (c, "h"),
             r = sl_golden_number (c, "r"), computed = sl_golden_number (c, "alpha") * d * h;

      sl_assert_near (sl_predictor_macs (SL_PREDICTOR_SVD, d, h, r) + computed,
                      sl_golden_number (c, "svd"), 1e-12, 0);
      sl_assert_near (sl_predictor_macs (SL_PREDICTOR_LEARNED, d, h, r) + computed,
                      sl_golden_number (c, "learned"), 1e-12, 0);
      sl_assert_near (sl_predictor_macs (SL_PREDICTOR_BITS, d, h, r) + computed,
                      sl_golden_number (c, "sign_bits"), 1e-12, 0);
      g_assert_cmpfloat (sl_predictor_macs (SL_PREDICTOR_ORACLE, d, h, r), ==, 0.0);
      g_assert_cmpfloat (d * h, ==, sl_golden_number (c, "dense"));
      sl_assert_near (computed, sl_golden_number (c, "oracle_bound"), 1e-12, 0);
      g_assert_cmpfloat ((double) sl_sign_bits_words ((size_t) d), ==,
                         sl_golden_number (c, "words"));
      /* The rank at which predicting costs what it saves. */
      sl_assert_near (
        sl_predictor_macs (SL_PREDICTOR_SVD, d, h, sl_golden_number (c, "break_even_r")) + computed,
        d * h, 1e-12, 0);
    }
}

/* A predictor that looks ahead through a layer whose units are all on is the low-rank product. */
static void
test_ahead (void)
{
  Layer y = open_common ();
  enum { EARLIER = 5 };
  size_t              n = y.batch * y.units;
  g_autofree sl_real *x = g_new (sl_real, y.batch * EARLIER), *want = g_new (sl_real, n);
  g_autofree sl_real *w = g_new (sl_real, y.inputs * EARLIER), *b = g_new (sl_real, y.inputs);
  g_autofree double  *numbers = g_new (double, n);
  SlRng               rng;
  SlPredictorInput    in = { y.batch, x, y.b, NULL, y.low };

  sl_rng_init (&rng, 4, "ahead");
  for (size_t i = 0; i < y.batch * EARLIER; i++)
    x[i] = (sl_real) sl_rng_uniform (&rng);
  for (size_t i = 0; i < y.inputs * EARLIER; i++)
    w[i] = (sl_real) sl_rng_uniform (&rng);
  for (size_t i = 0; i < y.inputs; i++)
    b[i] = (sl_real) sl_rng_uniform (&rng);
  sl_dense_forward (y.batch, EARLIER, y.inputs, x, w, b, y.x);
  factorise (&y, 2);
  score (&y, &(SlPredictorSetting) { .kind = SL_PREDICTOR_SVD });
  for (size_t i = 0; i < n; i++)
    numbers[i] = (double) y.est[i];
  /* Begun a second time, of what there was before nothing is left. */
  for (int times = 0; times < 2; times++)
    {
      sl_learned_begin_ahead (&y.predictor.learned, &y.predictor.svd, y.b, EARLIER, w, b);
      sl_predictor_scores (&y.predictor, &(SlPredictorSetting) { .kind = SL_PREDICTOR_LEARNED },
                           &in, want);
      sl_assert_close (want, numbers, n, 1e-5, 1e-5);
    }
  close_layer (&y);
}

/* Each unit is on for its share of the examples, or of those that it is truly on for; a unit that never is, never. */
static void
test_each (void)
{
  static const double values[] = { 0.3, 0.95, 1 };
  enum { B = 40, H = 5 };
  sl_real q[B * H], pre[B * H], est[B * H], room[B], column[2 * B];
  double  theta[H];
  SlRng   rng;

  sl_rng_init (&rng, 6, "each");
  for (size_t i = 0; i < B * H; i++)
    {
      q[i] = (sl_real) (sl_rng_normal (&rng) + (double) (i % H));
      pre[i] = i % H == 3 ? -1 : q[i] + (sl_real) sl_rng_normal (&rng);
    }
  for (unsigned k = 0; k < 2 * G_N_ELEMENTS (values); k++)
    {
      SlAim  aim = k % 2 == 0 ? SL_AIM_RECALL : SL_AIM_DENSITY;
      double value = values[k / 2];

      sl_threshold_for_each (aim, value, B, H, q, pre, room, column, theta);
      memcpy (est, q, sizeof est);
      sl_predictor_decide (&(SlPredictorSetting) { .kind = SL_PREDICTOR_SVD },
                           (SlTheta) { .each = theta }, B, H, est);
      for (size_t i = 0; i < H; i++)
        {
          double of = 0, found = 0;

          for (size_t e = 0; e < B; e++)
            {
              bool counts = aim == SL_AIM_DENSITY || pre[e * H + i] > 0;

              of += counts;
              found += counts && est[e * H + i] > 0;
              g_assert_true (of > 0 || i != 3 || !(est[e * H + i] > 0));
            }
          g_assert_cmpfloat (found, ==, ceil (value * of - 1e-9));
        }
    }
}

/* With a threshold of each unit, all decide as with one that is asked for that unit alone. */
static void
test_each_kind (void)
{
  static const SlPredictorKind kinds[]
    = { SL_PREDICTOR_SVD, SL_PREDICTOR_LEARNED, SL_PREDICTOR_BITS, SL_PREDICTOR_TASK };

  for (unsigned k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Layer               y = open_common ();
      SlPredictorSetting  setting = { .kind = kinds[k], .caution = 1 };
      size_t              n = y.batch * y.units;
      g_autofree double  *theta = g_new (double, y.units);
      g_autofree sl_real *each = g_new (sl_real, n);

      factorise (&y, 2);
      sl_learned_begin (&y.predictor.learned, &y.predictor.svd, y.b);
      sl_sign_bits_pack (&y.predictor.bits, y.w);
      for (size_t i = 0; i < y.units; i++)
        theta[i] = 0.25 * ((double) i - 2);
      score (&y, &setting);
      decide_by (&y, &setting, (SlTheta) { .each = theta });
      memcpy (each, y.est, n * sizeof *each);
      for (size_t i = 0; i < y.units; i++)
        {
          score (&y, &setting);
          decide (&y, &setting, theta[i]);
          for (size_t e = i; e < n; e += y.units)
            g_assert_true ((y.est[e] > 0) == (each[e] > 0));
        }
      close_layer (&y);
    }
}

/* All members of the file. */
static void
test_golden (void)
{
  g_autoptr (GList) names = json_object_get_members (golden);
  unsigned done = 0;

  for (GList *i = names; i != NULL; i = i->next, done++)
    {
      const char *name = i->data;
      JsonNode   *node = json_object_get_member (golden, name);
      JsonObject *c = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      if (g_str_has_prefix (name, "svd_"))
        test_svd (name, c);
      else if (g_str_equal (name, "oracle") || g_str_equal (name, "all_off"))
        test_oracle (name, c);
      else if (g_str_equal (name, "learned_starts_as_svd"))
        test_begins_as_svd (c);
      else if (g_str_has_prefix (name, "learned_"))
        test_learned (name, c);
      else if (g_str_has_prefix (name, "signbits_"))
        test_bits (name, c);
      else if (g_str_equal (name, "aims"))
        test_aims (c);
      else if (g_str_equal (name, "aims_ties"))
        test_aims_ties (json_node_get_array (node));
      else if (g_str_equal (name, "l1_schedule"))
        test_schedule (c);
      else if (g_str_has_prefix (name, "l1_") || g_str_has_prefix (name, "fatrelu"))
        test_rectifier (name, c);
      else if (g_str_equal (name, "cost"))
        test_costs (json_node_get_array (node));
      else
        g_assert_cmpstr (name, ==, "layer");
    }
  g_assert_cmpuint (done, >=, 28);
}

/* Every point of the curve is what counting says of the lowest score that it takes in, ties included. */
static void
test_curve (void)
{
  enum { N = 500, MOST = 20 };
  sl_real      q[N], pre[N];
  SlScoredPair room[N];
  double       recall[MOST], alarm[MOST], on = 0;
  size_t       points;
  SlRng        rng;

  sl_rng_init (&rng, 3, "curve");
  for (int i = 0; i < N; i++)
    {
      q[i] = (sl_real) sl_rng_below (&rng, 60);
      pre[i] = (sl_real) (sl_rng_uniform (&rng) * 60 < (double) q[i] ? 1 : -1);
      on += pre[i] > 0;
    }
  points = sl_threshold_curve (N, q, pre, MOST, recall, alarm, room);
  g_assert_cmpuint (points, >=, MOST / 2);
  g_assert_cmpuint (points, <=, MOST);
  g_assert_cmpfloat (recall[0], ==, 0.0);
  g_assert_cmpfloat (alarm[0], ==, 0.0);
  g_assert_cmpfloat (recall[points - 1], ==, 1.0);
  g_assert_cmpfloat (alarm[points - 1], ==, 1.0);
  for (size_t k = 1; k < points; k++)
    {
      double taken = recall[k] * on + alarm[k] * (N - on), found = 0, alarms = 0;
      double lowest = (double) room[(size_t) (taken - 0.5)].q;

      for (int i = 0; i < N; i++)
        {
          found += (double) q[i] >= lowest && pre[i] > 0;
          alarms += (double) q[i] >= lowest && !(pre[i] > 0);
        }
      sl_assert_near (recall[k], found / on, 0, 1e-12);
      sl_assert_near (alarm[k], alarms / (N - on), 0, 1e-12);
      g_assert_cmpfloat (recall[k] + alarm[k], >, recall[k - 1] + alarm[k - 1]);
    }
}

/* Where there is nothing to find, or nothing else, there is no curve; scores that are no numbers come last. */
static void
test_curve_limits (void)
{
  sl_real      q[3] = { 1, (sl_real) NAN, 2 }, pre[3] = { 1, 1, 1 };
  SlScoredPair room[3];
  double       recall[4], alarm[4];

  g_assert_cmpuint (sl_threshold_curve (3, q, pre, 4, recall, alarm, room), ==, 0);
  pre[0] = pre[1] = pre[2] = 0;
  g_assert_cmpuint (sl_threshold_curve (3, q, pre, 4, recall, alarm, room), ==, 0);
  pre[2] = 1;
  g_assert_cmpuint (sl_threshold_curve (3, q, pre, 4, recall, alarm, room), ==, 4);
  g_assert_cmpfloat (recall[1], ==, 1.0);
  g_assert_cmpfloat (alarm[2], ==, 0.5);
}

static void
assert_ok (SlStatus status)
{
  g_assert_true (sl_ok (&status));
}

/* A predictor with room for fewer directions than the factors have takes the first of them. */
static void
test_room (void)
{
  enum { D = 9, H = 7, MOST = 3 };
  SlArena   arena = { 0 };
  SlLowRank svd, few;
  SlLearned learned;
  sl_real   w[H * D], bias[H], x[D], low[H], q[H], want[H];
  SlRng     rng;

  for (int pass = 0; pass < 2; pass++)
    {
      sl_lowrank_init (&svd, H, D, &arena, &arena);
      sl_lowrank_init (&few, H, D, &arena, &arena);
      sl_learned_init (&learned, H, D, MOST, &arena, &arena);
      if (pass == 0)
        assert_ok (sl_arena_init (&arena, arena.used));
    }
  sl_rng_init (&rng, 1, "room");
  for (int i = 0; i < H * D; i++)
    w[i] = (sl_real) sl_rng_normal (&rng);
  for (int i = 0; i < H; i++)
    bias[i] = (sl_real) sl_rng_normal (&rng);
  for (int i = 0; i < D; i++)
    x[i] = (sl_real) sl_rng_normal (&rng);
  assert_ok (sl_lowrank_refresh (&svd, w, 6, 1, &rng));
  assert_ok (sl_lowrank_refresh (&few, w, MOST, 1, &rng));
  sl_learned_begin (&learned, &svd, bias);
  g_assert_cmpuint (learned.rank, ==, MOST);
  sl_learned_scores (&learned, 1, x, low, q);
  sl_lowrank_estimate (&few, 1, x, bias, 0, low, want);
  for (int i = 0; i < H; i++)
    sl_assert_near ((double) q[i], (double) want[i], 0, 1e-3);
  sl_arena_clear (&arena);
}

int
main (int argc, char **argv)
{
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_object_get_object_member (json_node_get_object (root), "predictors");
  g_test_add_func ("/predictor/golden", test_golden);
  g_test_add_func ("/predictor/votes", test_sizes);
  g_test_add_func ("/predictor/ahead", test_ahead);
  g_test_add_func ("/predictor/each", test_each);
  g_test_add_func ("/predictor/each-kind", test_each_kind);
  g_test_add_func ("/predictor/curve", test_curve);
  g_test_add_func ("/predictor/curve-limits", test_curve_limits);
  g_test_add_func ("/predictor/room", test_room);
  return g_test_run ();
}
