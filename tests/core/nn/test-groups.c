/* SPDX-License-Identifier: MIT
 *
 * The gate with a bias that chooses groups of experts first, and the balance over several batches: against numbers
 * from an independent float64 implementation, plain loops and finite differences, in both precisions.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/kernels/normal.h"
#include "tests/core/nn/golden-layer.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static JsonNode *root;

/* A layer whose gate sees its logits. */
static void
begin_seeing (Mix *mix, SlMoeGate gate, size_t rows, size_t n, const SlMoeSetting *setting)
{
  mix_init (mix,
            &(SlMoeShape) { gate, .inputs = n, .hidden = 1, .outputs = 1, .experts = n, .groups = 1,
                            .most = rows },
            setting);
  mix->batch = rows;
  for (size_t i = 0; i < n; i++)
    mix->weights[i * n + i] = 1;
}

static void
decide (Mix *mix)
{
  sl_moe_forward (&mix->moe, &mix->setting, mix->batch, mix->x, false, false, mix->y);
}

/* ---- groups ---- */

static size_t
columns_of (JsonObject *object, const char *member)
{
  JsonArray *rows = json_object_get_array_member (object, member);

  return json_array_get_length (json_array_get_array_element (rows, 0));
}

static void
check_golden (JsonObject *object)
{
  size_t       rows = json_array_get_length (json_object_get_array_member (object, "h"));
  size_t       n = columns_of (object, "h"), k = golden_whole (object, "k");
  SlMoeSetting setting = {
    .k = k,
    .k_groups = golden_whole (object, "k_groups"),
    .choice = { .sum_to_one = true, .groups = golden_whole (object, "groups") },
  };
  g_autofree double *bias = golden_list (object, "bias", n);
  g_autofree double *ids = golden_list (object, "ids", rows * k);
  g_autofree double *groups = golden_list (object, "chosen_groups", rows * setting.k_groups);
  Mix                mix;

  begin_seeing (&mix, SL_MOE_BIAS, rows, n, &setting);
  golden_load (object, "h", mix.x, rows * n);
  memcpy (mix.moe.chooser.bar, bias, n * sizeof *bias);
  decide (&mix);
  golden_check (mix.moe.chooser.g, object, "G", rows * n);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, rows * k);
  for (size_t r = 0; r < rows; r++)
    for (size_t p = 0; p < k; p++)
      {
        size_t expert = (size_t) ids[r * k + p], group = expert / (n / setting.choice.groups),
               in = 0;

        g_assert_cmpuint (mix.moe.chooser.mask[r * n + expert], ==, 1);
        for (size_t q = 0; q < setting.k_groups; q++)
          in += (size_t) groups[r * setting.k_groups + q] == group;
        g_assert_cmpuint (in, ==, 1);
      }
  mix_clear (&mix);
}

static void
test_golden (void)
{
  JsonArray *cases = json_object_get_array_member (json_node_get_object (root), "groups-bias");

  g_assert_cmpuint (json_array_get_length (cases), >=, 3);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    check_golden (json_array_get_object_element (cases, i));
}

enum { ROWS = 30, MOST = 24 };

/* How many of v (n) come before number i. */
static size_t
place_of (size_t n, const double *v, size_t i)
{
  size_t before = 0;

  for (size_t j = 0; j < n; j++)
    before += v[j] > v[i] || (v[j] == v[i] && j < i);
  return before;
}

/* The sum of the two largest, as exact as the gate has it. */
static double
score_of_group (size_t size, const double *q)
{
  sl_real sum = 0;

  for (size_t i = 0; i < size; i++)
    if (place_of (size, q, i) < 2)
      sum += (sl_real) q[i];
  return (double) sum;
}

/* Whether a row with this q has each of its experts. */
static void
plain_choice (const SlMoeSetting *setting, size_t n, const double *q, bool *chosen)
{
  size_t groups = setting->choice.groups, size = n / groups;
  double score[MOST], own[MOST];

  for (size_t g = 0; g < groups; g++)
    score[g] = score_of_group (size, q + g * size);
  for (size_t i = 0; i < n; i++)
    own[i] = place_of (groups, score, i / size) < setting->k_groups ? q[i] : -HUGE_VAL;
  for (size_t i = 0; i < n; i++)
    chosen[i] = isfinite (own[i]) && place_of (n, own, i) < setting->k;
}

/* Few different logits, so that there are ties; the float of a sum is what is compared. */
static void
check_against_loops (size_t groups, size_t size, size_t k_groups, size_t k)
{
  size_t       n = groups * size;
  SlMoeSetting setting = { .k = k, .k_groups = k_groups, .choice = { .groups = groups } };
  double       q[MOST];
  bool         chosen[MOST];
  Mix          mix;

  begin_seeing (&mix, SL_MOE_BIAS, ROWS, n, &setting);
  for (size_t c = 0; c < ROWS * n; c++)
    mix.x[c] = (sl_real) g_test_rand_int_range (-3, 4);
  for (size_t i = 0; i < n; i++)
    mix.moe.chooser.bar[i] = 0.25 * g_test_rand_int_range (-1, 2);
  decide (&mix);
  for (size_t r = 0; r < ROWS; r++)
    {
      for (size_t i = 0; i < n; i++)
        q[i]
          = (double) (sl_real) ((double) mix.moe.chooser.score[r * n + i] + mix.moe.chooser.bar[i]);
      plain_choice (&setting, n, q, chosen);
      for (size_t i = 0; i < n; i++)
        {
          sl_real margin = sl_chooser_margin_of (&mix.moe.chooser, i, r);

          g_assert_cmpint (mix.moe.chooser.mask[r * n + i], ==, chosen[i]);
          if (!(k_groups == groups && k == n))
            g_assert_true (chosen[i] ? margin >= 0 : margin <= 0);
        }
    }
  mix_clear (&mix);
}

static void
test_loops (void)
{
  for (int i = 0; i < 60; i++)
    {
      size_t groups = (size_t) g_test_rand_int_range (2, 7),
             size = (size_t) g_test_rand_int_range (1, 5);
      size_t k_groups = (size_t) g_test_rand_int_range (1, (gint) groups + 1);

      check_against_loops (groups, size, k_groups,
                           (size_t) g_test_rand_int_range (1, (gint) (k_groups * size) + 1));
    }
}

/* A row has no more experts than its groups have. */
static void
test_clamped (void)
{
  SlMoeSetting setting = { .k = 9, .k_groups = 2, .choice = { .groups = 4 } };
  Mix          mix;

  begin_seeing (&mix, SL_MOE_BIAS, ROWS, 12, &setting);
  decide (&mix);
  g_assert_cmpuint (mix.moe.chooser.k, ==, 6);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, 6 * ROWS);
  mix.setting.k_groups = 99;
  decide (&mix);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, 9 * ROWS);
  mix.setting.k_groups = 0;
  decide (&mix);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, 3 * ROWS);
  mix_clear (&mix);
}

/* Of two groups the one with the larger sum is chosen; not, once its second expert is out. */
static void
test_missing (void)
{
  static const double logits[] = { 2.0, -4.0, 1.5, 1.5 };
  SlMoeSetting        setting = { .k = 1, .k_groups = 1, .choice = { .groups = 2 } };
  Mix                 mix;

  begin_seeing (&mix, SL_MOE_BIAS, 1, 4, &setting);
  for (size_t i = 0; i < 4; i++)
    mix.x[i] = (sl_real) logits[i];
  decide (&mix);
  g_assert_cmpuint (mix.moe.chooser.mask[2], ==, 1);
  mix.weights[3] = (sl_real) NAN; /* from input 0 to expert 3 */
  mix.moe.chooser.bar[3] = 100.0;
  decide (&mix);
  g_assert_cmpuint (mix.moe.chooser.mask[0], ==, 1);
  g_assert_cmpuint (mix.moe.dispatch.total, ==, 1);
  mix_clear (&mix);
}

/* ---- balance over several batches ---- */

enum { BATCHES = SL_CHOOSER_OVER + 9, EXPERTS = 5 };

static void
next_batch (Mix *mix, SlRng *rng, const SlOptimSetting *optim)
{
  const SlMoeShape *shape = &mix->moe.shape;

  mix->batch = (size_t) g_test_rand_int_range (4, (gint) shape->most + 1);
  sl_normal_fill (rng, mix->batch * shape->inputs, mix->x);
  mix_objective (mix, false);
  if (optim != NULL)
    sl_moe_backward (&mix->moe, &mix->setting, mix->dy, mix->dx, optim);
}

/* α n Σ fᵢ Pᵢ of the last forward pass, f of the counts of so many batches up to number `last`. */
static double
plain_loss (const Mix *mix, const uint32_t (*want)[EXPERTS], const size_t *rows, size_t last)
{
  const SlChooser *chooser = &mix->moe.chooser;
  double           loss = 0.0;

  for (size_t i = 0; i < EXPERTS; i++)
    {
      double count = 0.0, pairs = 0.0;

      for (size_t b = 0; b < mix->setting.choice.over && b <= last; b++)
        {
          count += want[last - b][i];
          pairs += (double) (rows[last - b] * mix->setting.k);
        }
      loss += count / pairs * chooser->mean[i];
    }
  return mix->setting.choice.w_balance * EXPERTS * loss;
}

static void
check_over (SlMoeGate gate, size_t over)
{
  SlMoeSetting setting
    = { .k = 2,
        .gate_rate = 1.0,
        .choice = { .over = over, .w_balance = 0.7, .w_z = 0.1, .capacity = 1.0 } };
  SlOptimSetting optim = sl_optim_default ();
  uint32_t       want[BATCHES][EXPERTS];
  size_t         rows[BATCHES];
  SlRng          rng;
  Mix            mix;

  sl_rng_init (&rng, 4, "over");
  mix_init (&mix,
            &(SlMoeShape) { gate, .inputs = 3, .hidden = 2, .outputs = 2, .experts = EXPERTS,
                            .groups = 1, .most = 20 },
            &setting);
  mix_randomise (&mix, 20, 5);
  for (size_t t = 0; t < BATCHES; t++)
    {
      next_batch (&mix, &rng, &optim);
      memcpy (want[t], mix.moe.chooser.want, sizeof want[t]);
      rows[t] = mix.batch;
      sl_assert_near (mix.moe.chooser.balance_loss, plain_loss (&mix, want, rows, t), 1e-6, 0);
    }
  mix_clear (&mix);
}

static void
test_over (void)
{
  static const size_t over[] = { 1, 2, 7, SL_CHOOSER_OVER };

  for (unsigned i = 0; i < G_N_ELEMENTS (over); i++)
    {
      check_over (SL_MOE_SWITCH, over[i]);
      check_over (SL_MOE_BIAS, over[i]);
    }
}

/* Slopes against differences, with the choices and the counts of the other batches held. */
static void
check_slopes (SlMoeGate gate, const SlMoeSetting *setting)
{
#ifdef SL_DOUBLE
  const double   step = 1e-6;
  SlOptimSetting optim = sl_optim_default ();
  SlRng          rng;
  Mix            mix;

  sl_rng_init (&rng, 6, "slopes");
  mix_init (&mix,
            &(SlMoeShape) { gate, .inputs = 3, .hidden = 2, .outputs = 2, .experts = 6, .groups = 1,
                            .most = 20 },
            setting);
  mix_randomise (&mix, 20, 7);
  for (int t = 0; t < 3; t++)
    next_batch (&mix, &rng, &optim);
  next_batch (&mix, &rng, NULL);
  sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, NULL);
  for (size_t i = 0; i < mix.moe.n_gates; i++)
    {
      double before = mix.weights[i], above, below;

      mix.weights[i] = before + step;
      above = mix_objective (&mix, true);
      mix.weights[i] = before - step;
      below = mix_objective (&mix, true);
      mix.weights[i] = before;
      sl_assert_near (mix.gradient[i], (above - below) / (2.0 * step), 1e-6, 1e-7);
    }
  mix_clear (&mix);
#else
  (void) gate;
  (void) setting;
#endif
}

static void
test_slopes (void)
{
  SlMoeSetting over
    = { .k = 2, .gate_rate = 1.0, .choice = { .over = 3, .w_balance = 0.7, .w_z = 0.1 } };
  SlMoeSetting groups
    = { .k = 3,
        .k_groups = 2,
        .gate_rate = 1.0,
        .choice
        = { .groups = 3, .sum_to_one = true, .bias_rate = 0.05, .w_balance = 0.4, .over = 4 } };

  check_slopes (SL_MOE_SWITCH, &over);
  check_slopes (SL_MOE_BIAS, &over);
  check_slopes (SL_MOE_BIAS, &groups);
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  g_test_add_func ("/groups/golden", test_golden);
  g_test_add_func ("/groups/loops", test_loops);
  g_test_add_func ("/groups/clamped", test_clamped);
  g_test_add_func ("/groups/missing", test_missing);
  g_test_add_func ("/groups/over", test_over);
  g_test_add_func ("/groups/slopes", test_slopes);
  failed = g_test_run ();
  json_node_unref (root);
  return failed;
}
