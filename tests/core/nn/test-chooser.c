/* SPDX-License-Identifier: MIT
 *
 * The gates without noise against numbers from an independent float64 implementation, in both
 * precisions: layers with their losses and gradients, ties, and what follows the counts.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "tests/core/nn/golden-layer.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

/* The chosen of each row by number, k of them. */
static void
check_chosen (const SlChooser *chooser, JsonObject *object, const char *member)
{
  size_t             n = chooser->experts, k = chooser->k;
  g_autofree double *want = golden_list (object, member, chooser->rows * k);

  for (size_t r = 0; r < chooser->rows; r++)
    {
      size_t chosen = 0;

      for (size_t p = 0; p < k; p++)
        g_assert_cmpuint (chooser->wanted[r * n + (size_t) want[r * k + p]], ==, 1);
      for (size_t i = 0; i < n; i++)
        chosen += chooser->wanted[r * n + i];
      g_assert_cmpuint (chosen, ==, k);
    }
}

static void
check_bias (JsonObject *object)
{
  static const struct
  {
    SlChooserBias rule;
    const char   *next;
  } rules[]
    = { { SL_CHOOSER_SIGN, "b_next_sign" }, { SL_CHOOSER_PROPORTIONAL, "b_next_proportional" } };
  size_t             n = golden_whole (object, "n");
  g_autofree double *b = golden_list (object, "b", n);
  SlMoeSetting       setting = {
          .k = golden_whole (object, "k"),
          .choice = { .sum_to_one = json_object_get_boolean_member (object, "normalise"),
                      .softmax = g_str_equal (json_object_get_string_member (object, "score"), "softmax"),
                      .w_balance = sl_golden_number (object, "w_balance"),
                      .bias_rate = sl_golden_number (object, "rate") },
  };
  GoldenLayer c;
  SlChooser  *chooser = &c.mix.moe.chooser;

  layer_begin (&c, object, SL_MOE_BIAS, &setting);
  memcpy (chooser->bar, b, n * sizeof *b);
  layer_train (&c);
  golden_check (chooser->g, c.object, "G", c.rows * c.experts);
  golden_check (chooser->score, object, "s", c.rows * n);
  check_chosen (chooser, object, "chosen");
  golden_check_whole (chooser->want, golden_part (object, "load"), "count", n);
  golden_check_number (chooser->balance_loss, object, "L_balance");
  for (unsigned i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      SlChooserSetting own = setting.choice;

      own.k = setting.k;
      own.bias_rule = rules[i].rule;
      memcpy (chooser->bar, b, n * sizeof *b);
      sl_chooser_follow (chooser, &own);
      golden_check_double (chooser->bar, object, rules[i].next, n);
    }
  memset (chooser->bar, 0, n * sizeof *chooser->bar);
  mix_objective (&c.mix, false);
  check_chosen (chooser, object, "chosen_without_b");
  layer_end (&c);
}

static void
test_bias (void)
{
  layer_for_each ("bias", "Wg", check_bias);
}

static void
check_switch (JsonObject *object)
{
  SlMoeSetting setting = {
    .k = golden_whole (object, "k"),
    .choice = { .sum_to_one = json_object_get_boolean_member (object, "normalise"),
                .capacity = sl_golden_number (object, "capacity_factor"),
                .by_value = g_str_equal (json_object_get_string_member (object, "drop"), "value"),
                .w_balance = sl_golden_number (object, "w_balance"),
                .w_z = sl_golden_number (object, "w_z") },
  };
  GoldenLayer c;
  SlChooser  *chooser = &c.mix.moe.chooser;
  size_t      n = golden_whole (object, "n"), served = 0, wanted = 0;

  layer_begin (&c, object, SL_MOE_SWITCH, &setting);
  layer_train (&c);
  golden_check (chooser->g, c.object, "G", c.rows * c.experts);
  golden_check (chooser->score, object, "p", c.rows * n);
  check_chosen (chooser, object, "chosen");
  golden_check_mask (chooser->mask, object, "served", c.rows * n);
  golden_check_whole (chooser->want, golden_part (object, "wanted"), "count", n);
  golden_check_whole (chooser->count, golden_part (object, "served_load"), "count", n);
  g_assert_cmpuint (chooser->places, ==, golden_whole (object, "capacity"));
  golden_check_number (chooser->balance_loss, object, "L_balance");
  golden_check_number (chooser->z_loss, object, "L_z");
  golden_check (chooser->z, object, "z", c.rows);
  golden_check_double (chooser->mean, object, "P_mean", n);
  for (size_t i = 0; i < n; i++)
    {
      served += chooser->count[i];
      wanted += chooser->want[i];
    }
  golden_check_number (1.0 - (double) served / (double) wanted, object, "dropped_share");
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, golden_whole (object, "unserved_examples"));

  /* Alone everybody is served. */
  sl_moe_forward (&c.mix.moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  g_assert_cmpmem (chooser->mask, c.rows * n, chooser->wanted, c.rows * n);
  check_chosen (chooser, object, "chosen");
  layer_end (&c);
}

static void
test_switch (void)
{
  layer_for_each ("switch", "Wg", check_switch);
}

static void
check_expert_choice (JsonObject *object)
{
  size_t             n = golden_whole (object, "n"), alone = 0;
  g_autofree double *bar = golden_list (object, "threshold", n);
  SlMoeSetting       setting = { .k = golden_whole (object, "k"),
                                 .choice = { .follow = sl_golden_number (object, "follow") } };
  SlChooserSetting   own = setting.choice;
  GoldenLayer        c;
  SlChooser         *chooser = &c.mix.moe.chooser;

  own.k = setting.k;
  layer_begin (&c, object, SL_MOE_EXPERT_CHOICE, &setting);
  memcpy (chooser->bar, bar, n * sizeof *bar);
  chooser->state->batches = 1;
  layer_train (&c);
  golden_check (chooser->g, c.object, "G", c.rows * c.experts);
  golden_check (chooser->score, object, "s", c.rows * n);
  golden_check_mask (chooser->mask, object, "mask", c.rows * n);
  g_assert_cmpuint (chooser->places, ==, golden_whole (object, "places"));
  golden_check_double (chooser->next, object, "boundary", n);
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, golden_whole (object, "without_expert"));
  golden_check_number (c.mix.moe.balance.agreement, object, "pairs_agree");
  sl_chooser_follow (chooser, &own);
  golden_check_double (chooser->bar, object, "threshold_next", n);
  chooser->state->batches = 0;
  sl_chooser_follow (chooser, &own);
  golden_check_double (chooser->bar, object, "threshold_first", n);

  memcpy (chooser->bar, bar, n * sizeof *bar);
  sl_moe_forward (&c.mix.moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  golden_check_mask (chooser->mask, object, "mask_alone", c.rows * n);
  golden_check (c.mix.y, object, "y_alone", c.rows * c.outputs);
  golden_check_whole (chooser->count, golden_part (object, "load_alone"), "count", n);
  for (size_t i = 0; i < n; i++)
    alone += chooser->count[i];
  golden_check_number ((double) alone / (double) c.rows, object, "mean_experts_alone");
  layer_end (&c);
}

static void
test_expert_choice (void)
{
  layer_for_each ("expert_choice", "Wg", check_expert_choice);
}

static void
check_relu (JsonObject *object)
{
  SlMoeSetting     setting = { .k = golden_whole (object, "k"),
                               .choice = { .plain = !json_object_get_boolean_member (object, "balance"),
                                           .gain = sl_golden_number (object, "alpha") } };
  SlChooserSetting own = setting.choice;
  GoldenLayer      c;
  SlChooser       *chooser = &c.mix.moe.chooser;
  size_t           cells;

  own.k = setting.k;
  layer_begin (&c, object, SL_MOE_RELU, &setting);
  cells = c.rows * c.experts;
  chooser->state->lambda = sl_golden_number (object, "lam");
  layer_train (&c);
  golden_check (chooser->g, c.object, "R", c.rows * c.experts);
  golden_check_number (chooser->l1_loss, object, "L_reg");
  golden_check_number ((double) chooser->zeros / (double) cells, object, "zeros");
  golden_check_whole (chooser->count, golden_part (object, "load"), "count", c.experts);
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, golden_whole (object, "without_expert"));
  sl_chooser_follow (chooser, &own);
  golden_check_number (chooser->state->lambda, object, "lambda_next");
  layer_end (&c);
}

static void
test_relu (void)
{
  layer_for_each ("relu", "Wg", check_relu);
}

static void
check_dense (JsonObject *object)
{
  SlMoeSetting setting = { .k = 1 };
  GoldenLayer  c;

  layer_begin (&c, object, SL_MOE_DENSE, &setting);
  layer_train (&c);
  golden_check (c.mix.moe.chooser.g, c.object, "p", c.rows * c.experts);
  golden_check (c.mix.moe.importance, object, "importance", c.experts);
  layer_end (&c);
}

static void
test_dense (void)
{
  layer_for_each ("dense", "Wg", check_dense);
}

/* ---- a gate alone, that sees its logits ---- */

typedef struct
{
  SlArena   kept, scratch;
  SlChooser chooser;
  size_t    rows;
  sl_real  *x;                  /* (B, n) */
  sl_real  *weights, *gradient; /* (n, n) */
} Alone;

static void
carve_alone (Alone *a, SlChooserRule rule, size_t rows, size_t n)
{
  sl_chooser_carve (&a->chooser, rule, n, n, rows, &a->kept, &a->scratch);
  a->x = sl_arena_reals (&a->kept, rows * n);
  a->weights = sl_arena_reals (&a->kept, n * n);
  a->gradient = sl_arena_reals (&a->kept, n * n);
}

static void
alone_init (Alone *a, SlChooserRule rule, size_t rows, size_t n)
{
  size_t kept, scratch;

  *a = (Alone) { .rows = rows };
  carve_alone (a, rule, rows, n);
  kept = a->kept.used;
  scratch = a->scratch.used;
  g_assert_cmpint (sl_arena_init (&a->kept, kept).code, ==, SL_OK);
  g_assert_cmpint (sl_arena_init (&a->scratch, scratch).code, ==, SL_OK);
  carve_alone (a, rule, rows, n);
  sl_chooser_bind (&a->chooser, a->weights, a->gradient);
  for (size_t i = 0; i < n; i++)
    a->weights[i * n + i] = 1;
}

static void
alone_clear (Alone *a)
{
  sl_arena_clear (&a->kept);
  sl_arena_clear (&a->scratch);
}

static void
alone_run (Alone *a, const SlChooserSetting *setting, bool training)
{
  sl_chooser_forward (&a->chooser, setting, a->rows, a->x, training, false);
}

/* With logits from `member`: as they are, or those of these sigmoids or probabilities. */
static void
begin_alone (Alone *a, SlChooserRule rule, JsonObject *object, const char *member)
{
  size_t rows = sl_golden_rows (object, member), n = sl_golden_columns (object, member);
  char   kind = member[0];

  alone_init (a, rule, rows, n);
  golden_load (object, member, a->x, rows * n);
  for (size_t i = 0; i < rows * n; i++)
    {
      double value = (double) a->x[i];

      if (kind == 's' && rule == SL_CHOOSER_BIAS)
        a->x[i] = (sl_real) log (value / (1.0 - value));
      else if (kind != 'u')
        a->x[i] = (sl_real) log (value);
    }
}

static void
test_bias_ties (void)
{
  JsonObject      *object = golden_case ("bias", "ties");
  SlChooserSetting setting = { .k = golden_whole (object, "k") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "s");
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen");
  {
    g_autofree double *b2 = golden_list (object, "b2", a.chooser.experts);

    memcpy (a.chooser.bar, b2, a.chooser.experts * sizeof *b2);
  }
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen_b2");
  alone_clear (&a);
}

static void
check_trail (const char *name, SlChooserBias rule)
{
  JsonObject      *object = golden_case ("bias", name);
  JsonArray       *trail = json_object_get_array_member (object, "trail");
  SlChooserSetting setting = { .k = golden_whole (object, "k"),
                               .bias_rule = rule,
                               .bias_rate = sl_golden_number (object, "rate") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "s");
  for (guint i = 0; i < json_array_get_length (trail); i++)
    {
      JsonObject *at = json_array_get_object_element (trail, i);

      golden_check_double (a.chooser.bar, at, "b", a.chooser.experts);
      alone_run (&a, &setting, true);
      check_chosen (&a.chooser, at, "chosen");
      golden_check_whole (a.chooser.want, at, "count", a.chooser.experts);
      sl_chooser_follow (&a.chooser, &setting);
    }
  golden_check_double (a.chooser.bar, object, "b_end", a.chooser.experts);
  alone_clear (&a);
}

static void
test_bias_controller (void)
{
  check_trail ("controller_sign_0.03", SL_CHOOSER_SIGN);
  check_trail ("controller_sign_0.3", SL_CHOOSER_SIGN);
  check_trail ("controller_proportional_0.03", SL_CHOOSER_PROPORTIONAL);
  check_trail ("controller_proportional_0.3", SL_CHOOSER_PROPORTIONAL);
}

static void
test_bias_identity (void)
{
  JsonObject *object
    = golden_case ("bias", "identity_softmax_normalised_is_softmax_of_chosen_logits");
  SlChooserSetting setting
    = { .k = golden_whole (object, "k"), .softmax = true, .sum_to_one = true };
  Alone a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "u");
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen");
  golden_check (a.chooser.g, object, "G", a.rows * a.chooser.experts);
  alone_clear (&a);
}

static void
check_served (const char *name)
{
  JsonObject      *object = golden_case ("switch", name);
  size_t           rows = sl_golden_rows (object, "p"), n = sl_golden_columns (object, "p");
  SlChooserSetting setting = { .k = golden_whole (object, "k") };
  Alone            a;

  setting.capacity
    = sl_golden_number (object, "capacity") * (double) n / ((double) setting.k * (double) rows);
  begin_alone (&a, SL_CHOOSER_SWITCH, object, "p");
  alone_run (&a, &setting, true);
  g_assert_cmpuint (a.chooser.places, ==, golden_whole (object, "capacity"));
  check_chosen (&a.chooser, object, "chosen");
  golden_check_mask (a.chooser.mask, object, "served_arrival", rows * n);
  setting.by_value = true;
  alone_run (&a, &setting, true);
  golden_check_mask (a.chooser.mask, object, "served_value", rows * n);
  alone_clear (&a);
}

static void
test_switch_served (void)
{
  check_served ("ties");
  check_served ("choice_by_choice");
}

static void
test_switch_places (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("switch"), "capacity");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject      *at = json_array_get_object_element (cases, i);
      SlChooserSetting setting
        = { .k = golden_whole (at, "k"), .capacity = sl_golden_number (at, "factor") };

      g_assert_cmpuint (
        sl_chooser_places (&setting, golden_whole (at, "n"), golden_whole (at, "B")), ==,
        golden_whole (at, "capacity"));
    }
}

static void
test_switch_z_loss (void)
{
  JsonObject      *object = golden_case ("switch", "z_loss");
  SlChooserSetting setting = { .k = 1, .w_z = sl_golden_number (object, "w") };
  sl_real          none[64] = { 0 };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_SWITCH, object, "u");
  alone_run (&a, &setting, true);
  golden_check (a.chooser.z, object, "z", a.rows);
  golden_check_number (a.chooser.z_loss, object, "value");
  sl_chooser_backward (&a.chooser, &setting, none, false, NULL);
  golden_check (a.chooser.slope, object, "dvalue_du", a.rows * a.chooser.experts);
  alone_clear (&a);
}

static void
test_columns (void)
{
  JsonObject *object = golden_case ("expert_choice", "ties");
  JsonArray  *places = json_object_get_array_member (golden_family ("expert_choice"), "places");
  SlChooserSetting setting = { .k = golden_whole (object, "k") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_EXPERTS, object, "s");
  alone_run (&a, &setting, true);
  golden_check_mask (a.chooser.mask, object, "mask", a.rows * a.chooser.experts);
  alone_clear (&a);
  for (guint i = 0; i < json_array_get_length (places); i++)
    {
      JsonObject *at = json_array_get_object_element (places, i);

      setting.k = golden_whole (at, "k");
      alone_init (&a, SL_CHOOSER_EXPERTS, golden_whole (at, "B"), golden_whole (at, "n"));
      alone_run (&a, &setting, true);
      g_assert_cmpuint (a.chooser.places, ==, golden_whole (at, "places"));
      alone_clear (&a);
    }
}

/* λ as if so many gate values had been zeros. */
static void
check_lambda (Alone *a, const SlChooserSetting *setting, JsonObject *at, double gain)
{
  SlChooserSetting own = *setting;

  own.gain = gain;
  a->chooser.state->lambda = sl_golden_number (at, "lam");
  a->chooser.zeros = (size_t) lround (sl_golden_number (at, "zeros") * (double) a->rows
                                      * (double) a->chooser.experts);
  sl_chooser_follow (&a->chooser, &own);
  sl_assert_near (a->chooser.state->lambda, sl_golden_number (at, "lam_next"), 1e-12, 0.0);
}

static void
test_relu_controller (void)
{
  JsonObject *object = golden_case ("relu", "controller");
  JsonArray  *trail = json_object_get_array_member (object, "trail");
  JsonArray  *limits = json_object_get_array_member (golden_family ("relu"), "controller_limits");
  SlChooserSetting setting = { .k = golden_whole (object, "k"), .gain = 2.0 };
  Alone            a;

  alone_init (&a, SL_CHOOSER_RELU, 1000, golden_whole (object, "n"));
  alone_run (&a, &setting, true);
  for (guint i = 0; i < json_array_get_length (trail); i++)
    check_lambda (&a, &setting, json_array_get_object_element (trail, i),
                  sl_golden_number (object, "alpha"));
  for (guint i = 0; i < json_array_get_length (limits); i++)
    {
      JsonObject *at = json_array_get_object_element (limits, i);

      check_lambda (&a, &setting, at, sl_golden_number (at, "alpha"));
    }
  alone_clear (&a);
}

/* Each chosen expert's G, in the order of `chosen`. */
static void
check_listed (const SlChooser *chooser, JsonObject *object)
{
  size_t              n = chooser->experts, k = chooser->k;
  g_autofree double  *chosen = golden_list (object, "chosen", chooser->rows * k);
  g_autofree sl_real *g = g_new (sl_real, chooser->rows * k);

  for (size_t r = 0; r < chooser->rows; r++)
    for (size_t p = 0; p < k; p++)
      g[r * k + p] = chooser->g[r * n + (size_t) chosen[r * k + p]];
  golden_check (g, object, "g", chooser->rows * k);
}

static void
test_base (void)
{
  static const char *const names[] = { "sinkhorn_8_4_k1", "sinkhorn_6_3_k2", "sinkhorn_3_4_k1" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JsonObject      *object = golden_case ("assign", names[i]);
      SlChooserSetting setting = { .k = golden_whole (object, "k") };
      Alone            a;

      begin_alone (&a, SL_CHOOSER_BASE, object, "u");
      alone_run (&a, &setting, true);
      check_chosen (&a.chooser, object, "chosen");
      check_listed (&a.chooser, object);
      golden_check_whole (a.chooser.want, golden_part (object, "load"), "count", a.chooser.experts);
      alone_run (&a, &setting, false);
      check_chosen (&a.chooser, object, "chosen_alone");
      golden_check_whole (a.chooser.want, golden_part (object, "load_alone"), "count",
                          a.chooser.experts);
      alone_clear (&a);
    }
}

/* The exact assignments by enumeration.  Eight rounds of Sinkhorn, which the gate makes, come to two of them; in
 * the third they give one expert three rows, for a smaller sum.  */
static void
test_exact (void)
{
  static const struct
  {
    const char *name;
    bool        same;
  } cases[] = { { "assign_6_3", false }, { "assign_4_2", true }, { "assign_5_2_uneven", true } };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JsonObject      *object = golden_case ("assign", cases[i].name);
      SlChooserSetting setting = { .k = 1 };
      double           sum = 0;
      Alone            a;

      begin_alone (&a, SL_CHOOSER_BASE, object, "u");
      alone_run (&a, &setting, true);
      if (cases[i].same)
        check_chosen (&a.chooser, object, "assignment");
      for (size_t at = 0; at < a.rows * a.chooser.experts; at++)
        sum += a.chooser.wanted[at] ? (double) a.x[at] : 0;
      if (cases[i].same)
        golden_check_number (sum, object, "score");
      else
        g_assert_cmpfloat (sum, <, sl_golden_number (object, "score"));
      alone_run (&a, &setting, false);
      check_chosen (&a.chooser, object, "argmax");
      alone_clear (&a);
    }
}

/* The loss of shares and mean probabilities: rows that have just these, chosen with a bias where the
 * expert is not the likeliest.  */
static void
test_balance_loss (void)
{
  static const struct
  {
    unsigned rows;
    double   p[4][4], bias[4];
  } cases[] = {
    { 4,
      { { 0.7, 0.1, 0.1, 0.1 },
        { 0.1, 0.7, 0.1, 0.1 },
        { 0.1, 0.1, 0.7, 0.1 },
        { 0.1, 0.1, 0.1, 0.7 } },
      { 0 } },
    { 1, { { 1, 1e-30, 1e-30, 1e-30 } }, { 0 } },
    { 1, { { 0.4, 0.2, 0.2, 0.2 } }, { 0 } },
    { 2, { { 0.7, 0.12, 0.08, 0.1 }, { 0.7, 0.08, 0.12, 0.1 } }, { -10, 0, 0, -10 } },
  };
  JsonArray *list = golden_cases ("switch", "balance_loss");

  g_assert_cmpuint (json_array_get_length (list), ==, G_N_ELEMENTS (cases));
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      JsonObject        *object = json_array_get_object_element (list, i);
      g_autofree double *f = golden_list (object, "f", 4);
      SlChooserSetting   setting
        = { .k = 1, .softmax = true, .w_balance = sl_golden_number (object, "w") };
      double slope[4];
      Alone  a;

      alone_init (&a, SL_CHOOSER_BIAS, cases[i].rows, 4);
      for (unsigned r = 0; r < cases[i].rows; r++)
        for (unsigned e = 0; e < 4; e++)
          a.x[r * 4 + e] = (sl_real) log (cases[i].p[r][e]);
      memcpy (a.chooser.bar, cases[i].bias, sizeof cases[i].bias);
      alone_run (&a, &setting, true);
      for (unsigned e = 0; e < 4; e++)
        {
          g_assert_cmpfloat (a.chooser.want[e], ==, f[e] * cases[i].rows);
          slope[e] = setting.w_balance * 4 * a.chooser.want[e] / cases[i].rows;
        }
      golden_check_double (a.chooser.mean, object, "P_mean", 4);
      golden_check_double (slope, object, "dvalue_dP", 4);
      golden_check_number (a.chooser.balance_loss, object, "value");
      alone_clear (&a);
    }
}

/* ---- without a golden number ---- */

/* Logits that are not numbers are the last to be chosen, and are counted. */
static void
test_not_finite (void)
{
  for (SlChooserRule rule = SL_CHOOSER_DENSE; rule <= SL_CHOOSER_TOP_P; rule++)
    {
      SlChooserSetting setting = { .k = 1, .capacity = 1.0, .softmax = true, .follow = 0.5 };
      Alone            a;

      alone_init (&a, rule, 3, 4);
      for (size_t i = 0; i < 12; i++)
        a.x[i] = (sl_real) i;
      a.x[5] = (sl_real) NAN;
      alone_run (&a, &setting, true);
      g_assert_cmpuint (a.chooser.not_finite, ==, 4); /* a product spreads it over the row */
      for (size_t i = 0; i < 12; i++)
        g_assert_true (isfinite (a.chooser.g[i]));
      alone_clear (&a);
    }
}

/* No rows: nothing is decided, and nothing follows. */
static void
test_nobody (void)
{
  for (SlChooserRule rule = SL_CHOOSER_DENSE; rule <= SL_CHOOSER_TOP_P; rule++)
    {
      SlChooserSetting setting = { .k = 2, .capacity = 1.0, .bias_rate = 1.0, .gain = 2.0 };
      Alone            a;
      double           before;

      alone_init (&a, rule, 2, 3);
      before = a.chooser.bar[0];
      a.rows = 0;
      alone_run (&a, &setting, true);
      sl_chooser_follow (&a.chooser, &setting);
      g_assert_true (a.chooser.bar[0] == before);
      g_assert_cmpuint (a.chooser.count[0], ==, 0);
      alone_clear (&a);
    }
}

/* All weights are drawn, as wide as Glorot says; experts that choose ask for what a fair share is, the others
 * begin without a bias.  */
static void
test_start (void)
{
  static const SlChooserRule rules[] = { SL_CHOOSER_EXPERTS, SL_CHOOSER_BIAS };
  const double               bound = sqrt (6.0 / 16.0);

  for (unsigned i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      double most = 0.0;
      SlRng  rng;
      Alone  a;

      alone_init (&a, rules[i], 4, 8);
      sl_rng_init (&rng, 3, "start");
      sl_chooser_init (&a.chooser, 0.5, &rng);
      g_assert_cmpfloat (a.chooser.state->lambda, ==, 0.5);
      for (unsigned w = 0; w < 64; w++)
        {
          g_assert_true (a.weights[w] != 0);
          most = fmax (most, fabs ((double) a.weights[w]));
        }
      g_assert_true (most > 0.8 * bound && most <= bound);
      for (unsigned e = 0; e < 8; e++)
        g_assert_cmpfloat (a.chooser.bar[e], ==, rules[i] == SL_CHOOSER_EXPERTS ? 0.125 : 0.0);
      alone_clear (&a);
    }
}

/* Chosen experts are above their bar, the others are not. */
static void
test_margins (void)
{
  static const SlChooserRule rules[] = { SL_CHOOSER_BASE,   SL_CHOOSER_RELU, SL_CHOOSER_EXPERTS,
                                         SL_CHOOSER_SWITCH, SL_CHOOSER_BIAS, SL_CHOOSER_TOP_P };

  for (unsigned i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      SlChooserSetting setting = { .k = 2, .follow = 0.5, .softmax = true, .p = 0.7 };
      SlRng            rng;
      Alone            a;

      alone_init (&a, rules[i], 20, 5);
      sl_rng_init (&rng, 7, "margins");
      for (size_t c = 0; c < 100; c++)
        a.x[c] = (sl_real) (4.0 * sl_rng_uniform (&rng) - 2.0);
      for (size_t e = 0; e < 5; e++)
        a.chooser.bar[e] = rules[i] == SL_CHOOSER_EXPERTS ? 0.25 : 0.03 * (double) e;
      alone_run (&a, &setting, false);
      for (size_t r = 0; r < 20; r++)
        for (size_t e = 0; e < 5; e++)
          {
            sl_real margin = sl_chooser_margin_of (&a.chooser, e, r);

            if (a.chooser.wanted[r * 5 + e])
              g_assert_true (margin > 0);
            else
              g_assert_true (margin <= 0);
          }
      alone_clear (&a);
    }
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  golden_open (argv[1]);
  g_test_add_func ("/chooser/bias", test_bias);
  g_test_add_func ("/chooser/switch", test_switch);
  g_test_add_func ("/chooser/expert-choice", test_expert_choice);
  g_test_add_func ("/chooser/relu", test_relu);
  g_test_add_func ("/chooser/dense", test_dense);
  g_test_add_func ("/chooser/base", test_base);
  g_test_add_func ("/chooser/base/exact", test_exact);
  g_test_add_func ("/chooser/balance-loss", test_balance_loss);
  g_test_add_func ("/chooser/bias/ties", test_bias_ties);
  g_test_add_func ("/chooser/bias/controller", test_bias_controller);
  g_test_add_func ("/chooser/bias/identity", test_bias_identity);
  g_test_add_func ("/chooser/switch/served", test_switch_served);
  g_test_add_func ("/chooser/switch/places", test_switch_places);
  g_test_add_func ("/chooser/switch/z-loss", test_switch_z_loss);
  g_test_add_func ("/chooser/expert-choice/columns", test_columns);
  g_test_add_func ("/chooser/relu/controller", test_relu_controller);
  g_test_add_func ("/chooser/not-finite", test_not_finite);
  g_test_add_func ("/chooser/nobody", test_nobody);
  g_test_add_func ("/chooser/margins", test_margins);
  g_test_add_func ("/chooser/start", test_start);
  failed = g_test_run ();
  golden_close ();
  return failed;
}
