/* SPDX-License-Identifier: MIT
 *
 * The gates without noise against numbers from an independent float64 implementation, in both
 * precisions: layers with their losses and gradients, ties, and what follows the counts.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "tests/core/nn/moe-mix.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double of_each = 0.0, of_all = 1e-10;
#else
static const double of_each = 1e-4, of_all = 2e-6;
#endif

static JsonObject *golden; /* everything */

static JsonObject *
part (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_object_member (object, member);
}

static JsonObject *
case_of (const char *family, const char *name)
{
  return part (part (golden, family), name);
}

static size_t
whole (JsonObject *object, const char *member)
{
  return (size_t) sl_golden_number (object, member);
}

static double *
numbers (JsonObject *object, const char *member, size_t n)
{
  GArray *array = sl_golden_numbers (object, member);

  g_assert_cmpuint (array->len, ==, n);
  return (double *) (gpointer) g_array_free (array, FALSE);
}

static void
load (JsonObject *object, const char *member, sl_real *to, size_t n)
{
  g_autofree double *from = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) from[i];
}

/* Single numbers are as exact as the largest of them. */
static void
check (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);
  double             most = 1.0;

  for (size_t i = 0; i < n; i++)
    most = fmax (most, fabs (want[i]));
  sl_assert_close (got, want, n, of_each, of_all * most);
}

static void
check_double (const double *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    sl_assert_near (got[i], want[i], of_each, of_all);
}

static void
check_number (double got, JsonObject *object, const char *member)
{
  double want = sl_golden_number (object, member);

  sl_assert_near (got, want, of_each, of_all * fmax (1.0, fabs (want)) * 10.0);
}

static void
check_whole (const uint32_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) want[i]);
}

/* A matrix of 0 and 1. */
static void
check_mask (const uint8_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) want[i]);
}

/* The chosen of each row by number, k of them. */
static void
check_chosen (const SlChooser *chooser, JsonObject *object, const char *member)
{
  size_t             n = chooser->experts, k = chooser->k;
  g_autofree double *want = numbers (object, member, chooser->rows * k);

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

/* ---- layers ---- */

typedef struct
{
  JsonObject *object;
  SlMoeGate   gate;
  Mix         mix;
  size_t      rows, inputs, experts, hidden, outputs;
} Case;

/* To or from where each expert's numbers lie in the block. */
static void
load_experts (Case *c)
{
  size_t              n = c->experts, d = c->inputs, h = c->hidden, o = c->outputs;
  g_autofree sl_real *e1 = g_new (sl_real, n * d * h), *b1 = g_new (sl_real, n * h),
                     *e2 = g_new (sl_real, n * h * o), *b2 = g_new (sl_real, n * o);

  load (c->object, "E1", e1, n * d * h);
  load (c->object, "e1", b1, n * h);
  load (c->object, "E2", e2, n * h * o);
  load (c->object, "e2", b2, n * o);
  for (size_t i = 0; i < n; i++)
    {
      sl_real *to = c->mix.weights + c->mix.moe.n_gates + i * c->mix.moe.experts.each;

      memcpy (to, e1 + i * d * h, d * h * sizeof *to);
      memcpy (to + d * h, b1 + i * h, h * sizeof *to);
      memcpy (to + (d + 1) * h, e2 + i * h * o, h * o * sizeof *to);
      memcpy (to + (d + 1) * h + h * o, b2 + i * o, o * sizeof *to);
    }
}

static void
check_gradients (Case *c)
{
  JsonObject         *grads = part (c->object, "grads");
  size_t              n = c->experts, d = c->inputs, h = c->hidden, o = c->outputs;
  g_autofree sl_real *e1 = g_new (sl_real, n * d * h), *b1 = g_new (sl_real, n * h),
                     *e2 = g_new (sl_real, n * h * o), *b2 = g_new (sl_real, n * o);

  for (size_t i = 0; i < n; i++)
    {
      const sl_real *from = c->mix.gradient + c->mix.moe.n_gates + i * c->mix.moe.experts.each;

      memcpy (e1 + i * d * h, from, d * h * sizeof *from);
      memcpy (b1 + i * h, from + d * h, h * sizeof *from);
      memcpy (e2 + i * h * o, from + (d + 1) * h, h * o * sizeof *from);
      memcpy (b2 + i * o, from + (d + 1) * h + h * o, o * sizeof *from);
    }
  check (c->mix.gradient, grads, "Wg", d * n);
  check (e1, grads, "E1", n * d * h);
  check (b1, grads, "e1", n * h);
  check (e2, grads, "E2", n * h * o);
  check (b2, grads, "e2", n * o);
  check (c->mix.dx, c->object, "dX", c->rows * d);
}

static void
begin (Case *c, JsonObject *object, SlMoeGate gate, const SlMoeSetting *setting)
{
  *c = (Case) {
    .object = object,
    .gate = gate,
    .rows = whole (object, "B"),
    .inputs = whole (object, "D"),
    .experts = whole (object, "n"),
    .hidden = whole (object, "hidden"),
    .outputs = whole (object, "out"),
  };
  mix_init (&c->mix,
            &(SlMoeShape) { gate, c->inputs, c->hidden, c->outputs, c->experts, .groups = 1,
                            .most = c->rows },
            setting);
  c->mix.batch = c->rows;
  load (object, "X", c->mix.x, c->rows * c->inputs);
  load (object, "Cw", c->mix.dy, c->rows * c->outputs);
  load (object, "Wg", c->mix.weights, c->inputs * c->experts);
  load_experts (c);
}

static double
task_of (const Mix *mix)
{
  double task = 0.0;

  for (size_t i = 0; i < mix->batch * mix->moe.shape.outputs; i++)
    task += (double) mix->y[i] * (double) mix->dy[i];
  return task;
}

/* Forward and backward, and what all cases have. */
static void
train (Case *c, const char *values)
{
  size_t cells = c->rows * c->experts;

  mix_train (&c->mix);
  check (c->mix.moe.chooser.g, c->object, values, cells);
  check (c->mix.y, c->object, "y", c->rows * c->outputs);
  check_number (mix_objective (&c->mix, true), c->object, "total");
  if (json_object_has_member (c->object, "task"))
    check_number (task_of (&c->mix), c->object, "task");
  if (json_object_has_member (c->object, "gate_entropy_bits"))
    check_number (c->mix.moe.balance.entropy, c->object, "gate_entropy_bits");
  check_gradients (c);
}

static void
end (Case *c)
{
  mix_clear (&c->mix);
}

/* Each member of a family that is a layer. */
static void
for_each_layer (const char *family, void (*test) (JsonObject *object))
{
  JsonObject *cases = part (golden, family);
  g_autoptr (GList) names = json_object_get_members (cases);
  guint tested = 0;

  for (GList *name = names; name != NULL; name = name->next)
    {
      JsonNode *node = json_object_get_member (cases, name->data);

      if (!JSON_NODE_HOLDS_OBJECT (node)
          || !json_object_has_member (json_node_get_object (node), "Wg"))
        continue;
      g_test_message ("%s %s", family, (const char *) name->data);
      test (json_node_get_object (node));
      tested++;
    }
  g_assert_cmpuint (tested, >=, 3);
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
  size_t             n = whole (object, "n");
  g_autofree double *b = numbers (object, "b", n);
  SlMoeSetting       setting = {
          .k = whole (object, "k"),
          .choice = { .sum_to_one = json_object_get_boolean_member (object, "normalise"),
                      .softmax = g_str_equal (json_object_get_string_member (object, "score"), "softmax"),
                      .w_balance = sl_golden_number (object, "w_balance"),
                      .bias_rate = sl_golden_number (object, "rate") },
  };
  Case       c;
  SlChooser *chooser = &c.mix.moe.chooser;

  begin (&c, object, SL_MOE_BIAS, &setting);
  memcpy (chooser->bar, b, n * sizeof *b);
  train (&c, "G");
  check (chooser->score, object, "s", c.rows * n);
  check_chosen (chooser, object, "chosen");
  check_whole (chooser->want, part (object, "load"), "count", n);
  check_number (chooser->balance_loss, object, "L_balance");
  for (unsigned i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      SlChooserSetting own = setting.choice;

      own.k = setting.k;
      own.bias_rule = rules[i].rule;
      memcpy (chooser->bar, b, n * sizeof *b);
      sl_chooser_follow (chooser, &own);
      check_double (chooser->bar, object, rules[i].next, n);
    }
  memset (chooser->bar, 0, n * sizeof *chooser->bar);
  mix_objective (&c.mix, false);
  check_chosen (chooser, object, "chosen_without_b");
  end (&c);
}

static void
test_bias (void)
{
  for_each_layer ("bias", check_bias);
}

static void
check_switch (JsonObject *object)
{
  SlMoeSetting setting = {
    .k = whole (object, "k"),
    .choice = { .sum_to_one = json_object_get_boolean_member (object, "normalise"),
                .capacity = sl_golden_number (object, "capacity_factor"),
                .by_value = g_str_equal (json_object_get_string_member (object, "drop"), "value"),
                .w_balance = sl_golden_number (object, "w_balance"),
                .w_z = sl_golden_number (object, "w_z") },
  };
  Case       c;
  SlChooser *chooser = &c.mix.moe.chooser;
  size_t     n = whole (object, "n"), served = 0, wanted = 0;

  begin (&c, object, SL_MOE_SWITCH, &setting);
  train (&c, "G");
  check (chooser->score, object, "p", c.rows * n);
  check_chosen (chooser, object, "chosen");
  check_mask (chooser->mask, object, "served", c.rows * n);
  check_whole (chooser->want, part (object, "wanted"), "count", n);
  check_whole (chooser->count, part (object, "served_load"), "count", n);
  g_assert_cmpuint (chooser->places, ==, whole (object, "capacity"));
  check_number (chooser->balance_loss, object, "L_balance");
  check_number (chooser->z_loss, object, "L_z");
  check (chooser->z, object, "z", c.rows);
  check_double (chooser->mean, object, "P_mean", n);
  for (size_t i = 0; i < n; i++)
    {
      served += chooser->count[i];
      wanted += chooser->want[i];
    }
  check_number (1.0 - (double) served / (double) wanted, object, "dropped_share");
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, whole (object, "unserved_examples"));

  /* Alone everybody is served. */
  sl_moe_forward (&c.mix.moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  g_assert_cmpmem (chooser->mask, c.rows * n, chooser->wanted, c.rows * n);
  check_chosen (chooser, object, "chosen");
  end (&c);
}

static void
test_switch (void)
{
  for_each_layer ("switch", check_switch);
}

static void
check_expert_choice (JsonObject *object)
{
  size_t             n = whole (object, "n"), alone = 0;
  g_autofree double *bar = numbers (object, "threshold", n);
  SlMoeSetting       setting
    = { .k = whole (object, "k"), .choice = { .follow = sl_golden_number (object, "follow") } };
  SlChooserSetting own = setting.choice;
  Case             c;
  SlChooser       *chooser = &c.mix.moe.chooser;

  own.k = setting.k;
  begin (&c, object, SL_MOE_EXPERT_CHOICE, &setting);
  memcpy (chooser->bar, bar, n * sizeof *bar);
  chooser->state->batches = 1;
  train (&c, "G");
  check (chooser->score, object, "s", c.rows * n);
  check_mask (chooser->mask, object, "mask", c.rows * n);
  g_assert_cmpuint (chooser->places, ==, whole (object, "places"));
  check_double (chooser->next, object, "boundary", n);
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, whole (object, "without_expert"));
  check_number (c.mix.moe.balance.agreement, object, "pairs_agree");
  sl_chooser_follow (chooser, &own);
  check_double (chooser->bar, object, "threshold_next", n);
  chooser->state->batches = 0;
  sl_chooser_follow (chooser, &own);
  check_double (chooser->bar, object, "threshold_first", n);

  memcpy (chooser->bar, bar, n * sizeof *bar);
  sl_moe_forward (&c.mix.moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  check_mask (chooser->mask, object, "mask_alone", c.rows * n);
  check (c.mix.y, object, "y_alone", c.rows * c.outputs);
  check_whole (chooser->count, part (object, "load_alone"), "count", n);
  for (size_t i = 0; i < n; i++)
    alone += chooser->count[i];
  check_number ((double) alone / (double) c.rows, object, "mean_experts_alone");
  end (&c);
}

static void
test_expert_choice (void)
{
  for_each_layer ("expert_choice", check_expert_choice);
}

static void
check_relu (JsonObject *object)
{
  SlMoeSetting     setting = { .k = whole (object, "k"),
                               .choice = { .plain = !json_object_get_boolean_member (object, "balance"),
                                           .gain = sl_golden_number (object, "alpha") } };
  SlChooserSetting own = setting.choice;
  Case             c;
  SlChooser       *chooser = &c.mix.moe.chooser;
  size_t           cells;

  own.k = setting.k;
  begin (&c, object, SL_MOE_RELU, &setting);
  cells = c.rows * c.experts;
  chooser->state->lambda = sl_golden_number (object, "lam");
  train (&c, "R");
  check_number (chooser->l1_loss, object, "L_reg");
  check_number ((double) chooser->zeros / (double) cells, object, "zeros");
  check_whole (chooser->count, part (object, "load"), "count", c.experts);
  g_assert_cmpuint (c.mix.moe.balance.empty, ==, whole (object, "without_expert"));
  sl_chooser_follow (chooser, &own);
  check_number (chooser->state->lambda, object, "lambda_next");
  end (&c);
}

static void
test_relu (void)
{
  for_each_layer ("relu", check_relu);
}

static void
check_dense (JsonObject *object)
{
  SlMoeSetting setting = { .k = 1 };
  Case         c;

  begin (&c, object, SL_MOE_DENSE, &setting);
  train (&c, "p");
  check (c.mix.moe.importance, object, "importance", c.experts);
  end (&c);
}

static void
test_dense (void)
{
  for_each_layer ("dense", check_dense);
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

static size_t
rows_of (JsonObject *object, const char *member)
{
  return json_array_get_length (json_object_get_array_member (object, member));
}

static size_t
columns_of (JsonObject *object, const char *member)
{
  return json_array_get_length (
    json_array_get_array_element (json_object_get_array_member (object, member), 0));
}

/* With logits from `member`: as they are, or those of these sigmoids or probabilities. */
static void
begin_alone (Alone *a, SlChooserRule rule, JsonObject *object, const char *member)
{
  size_t rows = rows_of (object, member), n = columns_of (object, member);
  char   kind = member[0];

  alone_init (a, rule, rows, n);
  load (object, member, a->x, rows * n);
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
  JsonObject      *object = case_of ("bias", "ties");
  SlChooserSetting setting = { .k = whole (object, "k") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "s");
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen");
  {
    g_autofree double *b2 = numbers (object, "b2", a.chooser.experts);

    memcpy (a.chooser.bar, b2, a.chooser.experts * sizeof *b2);
  }
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen_b2");
  alone_clear (&a);
}

static void
check_trail (const char *name, SlChooserBias rule)
{
  JsonObject      *object = case_of ("bias", name);
  JsonArray       *trail = json_object_get_array_member (object, "trail");
  SlChooserSetting setting = { .k = whole (object, "k"),
                               .bias_rule = rule,
                               .bias_rate = sl_golden_number (object, "rate") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "s");
  for (guint i = 0; i < json_array_get_length (trail); i++)
    {
      JsonObject *at = json_array_get_object_element (trail, i);

      check_double (a.chooser.bar, at, "b", a.chooser.experts);
      alone_run (&a, &setting, true);
      check_chosen (&a.chooser, at, "chosen");
      check_whole (a.chooser.want, at, "count", a.chooser.experts);
      sl_chooser_follow (&a.chooser, &setting);
    }
  check_double (a.chooser.bar, object, "b_end", a.chooser.experts);
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
  JsonObject *object = case_of ("bias", "identity_softmax_normalised_is_softmax_of_chosen_logits");
  SlChooserSetting setting = { .k = whole (object, "k"), .softmax = true, .sum_to_one = true };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_BIAS, object, "u");
  alone_run (&a, &setting, true);
  check_chosen (&a.chooser, object, "chosen");
  check (a.chooser.g, object, "G", a.rows * a.chooser.experts);
  alone_clear (&a);
}

static void
check_served (const char *name)
{
  JsonObject      *object = case_of ("switch", name);
  size_t           rows = rows_of (object, "p"), n = columns_of (object, "p");
  SlChooserSetting setting = { .k = whole (object, "k") };
  Alone            a;

  setting.capacity
    = sl_golden_number (object, "capacity") * (double) n / ((double) setting.k * (double) rows);
  begin_alone (&a, SL_CHOOSER_SWITCH, object, "p");
  alone_run (&a, &setting, true);
  g_assert_cmpuint (a.chooser.places, ==, whole (object, "capacity"));
  check_chosen (&a.chooser, object, "chosen");
  check_mask (a.chooser.mask, object, "served_arrival", rows * n);
  setting.by_value = true;
  alone_run (&a, &setting, true);
  check_mask (a.chooser.mask, object, "served_value", rows * n);
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
  JsonArray *cases = json_object_get_array_member (part (golden, "switch"), "capacity");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject      *at = json_array_get_object_element (cases, i);
      SlChooserSetting setting
        = { .k = whole (at, "k"), .capacity = sl_golden_number (at, "factor") };

      g_assert_cmpuint (sl_chooser_places (&setting, whole (at, "n"), whole (at, "B")), ==,
                        whole (at, "capacity"));
    }
}

static void
test_switch_z_loss (void)
{
  JsonObject      *object = case_of ("switch", "z_loss");
  SlChooserSetting setting = { .k = 1, .w_z = sl_golden_number (object, "w") };
  sl_real          none[64] = { 0 };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_SWITCH, object, "u");
  alone_run (&a, &setting, true);
  check (a.chooser.z, object, "z", a.rows);
  check_number (a.chooser.z_loss, object, "value");
  sl_chooser_backward (&a.chooser, &setting, none, false, NULL);
  check (a.chooser.slope, object, "dvalue_du", a.rows * a.chooser.experts);
  alone_clear (&a);
}

static void
test_columns (void)
{
  JsonObject      *object = case_of ("expert_choice", "ties");
  JsonArray       *places = json_object_get_array_member (part (golden, "expert_choice"), "places");
  SlChooserSetting setting = { .k = whole (object, "k") };
  Alone            a;

  begin_alone (&a, SL_CHOOSER_EXPERTS, object, "s");
  alone_run (&a, &setting, true);
  check_mask (a.chooser.mask, object, "mask", a.rows * a.chooser.experts);
  alone_clear (&a);
  for (guint i = 0; i < json_array_get_length (places); i++)
    {
      JsonObject *at = json_array_get_object_element (places, i);

      setting.k = whole (at, "k");
      alone_init (&a, SL_CHOOSER_EXPERTS, whole (at, "B"), whole (at, "n"));
      alone_run (&a, &setting, true);
      g_assert_cmpuint (a.chooser.places, ==, whole (at, "places"));
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
  JsonObject *object = case_of ("relu", "controller");
  JsonArray  *trail = json_object_get_array_member (object, "trail");
  JsonArray  *limits = json_object_get_array_member (part (golden, "relu"), "controller_limits");
  SlChooserSetting setting = { .k = whole (object, "k"), .gain = 2.0 };
  Alone            a;

  alone_init (&a, SL_CHOOSER_RELU, 1000, whole (object, "n"));
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
  g_autofree double  *chosen = numbers (object, "chosen", chooser->rows * k);
  g_autofree sl_real *g = g_new (sl_real, chooser->rows * k);

  for (size_t r = 0; r < chooser->rows; r++)
    for (size_t p = 0; p < k; p++)
      g[r * k + p] = chooser->g[r * n + (size_t) chosen[r * k + p]];
  check (g, object, "g", chooser->rows * k);
}

static void
test_base (void)
{
  static const char *const names[] = { "sinkhorn_8_4_k1", "sinkhorn_6_3_k2", "sinkhorn_3_4_k1" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JsonObject      *object = case_of ("assign", names[i]);
      SlChooserSetting setting = { .k = whole (object, "k") };
      Alone            a;

      begin_alone (&a, SL_CHOOSER_BASE, object, "u");
      alone_run (&a, &setting, true);
      check_chosen (&a.chooser, object, "chosen");
      check_listed (&a.chooser, object);
      check_whole (a.chooser.want, part (object, "load"), "count", a.chooser.experts);
      alone_run (&a, &setting, false);
      check_chosen (&a.chooser, object, "chosen_alone");
      check_whole (a.chooser.want, part (object, "load_alone"), "count", a.chooser.experts);
      alone_clear (&a);
    }
}

/* ---- without a golden number ---- */

/* Logits that are not numbers are the last to be chosen, and are counted. */
static void
test_not_finite (void)
{
  for (SlChooserRule rule = SL_CHOOSER_DENSE; rule <= SL_CHOOSER_BIAS; rule++)
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
  for (SlChooserRule rule = SL_CHOOSER_DENSE; rule <= SL_CHOOSER_BIAS; rule++)
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

/* Chosen experts are above their bar, the others are not. */
static void
test_margins (void)
{
  static const SlChooserRule rules[]
    = { SL_CHOOSER_BASE, SL_CHOOSER_RELU, SL_CHOOSER_EXPERTS, SL_CHOOSER_SWITCH, SL_CHOOSER_BIAS };

  for (unsigned i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      SlChooserSetting setting = { .k = 2, .follow = 0.5, .softmax = true };
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
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/chooser/bias", test_bias);
  g_test_add_func ("/chooser/switch", test_switch);
  g_test_add_func ("/chooser/expert-choice", test_expert_choice);
  g_test_add_func ("/chooser/relu", test_relu);
  g_test_add_func ("/chooser/dense", test_dense);
  g_test_add_func ("/chooser/base", test_base);
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
  return g_test_run ();
}
