/* SPDX-License-Identifier: MIT
 *
 * What works on all examples beside or in place of a choice: shared experts and soft mixtures, and experts cut
 * into smaller ones, against numbers from an independent float64 implementation in both precisions; gradients by
 * differences; and how many multiplications each gate takes.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/stack.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/moe/balance.h"
#include "tests/core/nn/golden-layer.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

/* The gate is a Switch whose experts have places for all. */
static void
check_shared (JsonObject *object)
{
  SlMoeSetting setting = { .k = golden_whole (object, "k") };
  GoldenLayer  c;
  SlMoe       *moe = &c.mix.moe;

  layer_begin (&c, object, SL_MOE_SWITCH, &setting);
  layer_train (&c);
  golden_check (moe->chooser.g, object, "G", c.rows * c.experts);
  golden_check (moe->y_shared, object, "y_shared", c.rows * c.outputs);
  /* Balance and sets are of the routed ones alone. */
  g_assert_cmpuint (moe->dispatch.total, ==, c.rows * setting.k);
  sl_assert_near (moe->balance.executed / (double) c.rows, sl_golden_number (object, "active"), 0.0,
                  1e-12);
  sl_assert_near (sl_moe_gate_macs (moe, &setting)
                    + moe->balance.executed / (double) c.rows * sl_moe_expert_macs (moe),
                  sl_golden_number (object, "multiplications"), 0.0, 1e-9);
  /* Alone nothing changes. */
  sl_moe_forward (moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  golden_check (c.mix.y, object, "y", c.rows * c.outputs);
  layer_end (&c);
}

static void
test_shared (void)
{
  check_shared (golden_case ("shared", "one_shared_two_routed"));
  check_shared (golden_case ("shared", "two_shared_one_routed"));
}

static void
check_soft (JsonObject *object)
{
  SlMoeSetting setting = { .k = 1 };
  GoldenLayer  c;
  SlSoft      *soft = &c.mix.moe.soft;
  size_t       n, slots;
  SlRng        rng;

  layer_begin (&c, object, SL_MOE_SOFT, &setting);
  n = c.experts;
  slots = n * c.slots;
  layer_train (&c);
  golden_check (soft->mix, object, "dispatch", c.rows * slots);
  golden_check (soft->combine, object, "combine", c.rows * slots);
  golden_check (soft->inner, object, "slot_in", slots * c.inputs);
  golden_check (soft->outer, object, "slot_out", slots * c.outputs);
  g_assert_true (c.mix.moe.balance.executed == (double) slots);
  sl_moe_forward (&c.mix.moe, &c.mix.setting, c.rows, c.mix.x, false, false, c.mix.y);
  golden_check (c.mix.y, object, "y_alone", c.rows * c.outputs);
  golden_check (soft->share, object, "weight_alone", c.rows * n);
  g_assert_true (c.mix.moe.balance.executed == (double) (n * c.rows));
  sl_rng_init (&rng, 3, "soft");
  memset (soft->weights, 0, c.inputs * slots * sizeof *soft->weights);
  sl_soft_init (soft, &rng);
  for (size_t i = 0; i < c.inputs * slots; i++)
    g_assert_true (soft->weights[i] != 0
                   && fabs ((double) soft->weights[i]) <= sqrt (6.0 / (double) (c.inputs + slots)));
  layer_end (&c);
}

static void
test_soft (void)
{
  layer_for_each ("dense", "Phi", check_soft);
}

/* ---- split ---- */

typedef struct
{
  SlArena    kept, scratch;
  SlExperts  experts;
  SlDispatch dispatch;
  sl_real   *weights, *gradient;
} Parts;

static void
carve_parts (Parts *p, const SlExpertsShape *shape)
{
  size_t each = sl_experts_each (shape->inputs, shape->hidden, shape->outputs);

  sl_experts_carve (&p->experts, shape, &p->kept, &p->scratch);
  sl_dispatch_carve (&p->dispatch, shape->experts, shape->most, shape->room, &p->scratch);
  p->weights = sl_arena_reals (&p->kept, shape->experts * each);
  p->gradient = sl_arena_reals (&p->kept, shape->experts * each);
}

/* All experts on all rows, with these gate values. */
static void
run_parts (JsonObject *object, const char *numbers, const char *values, sl_real *y)
{
  static const char *const of[] = { "E1", "e1", "E2", "e2" };
  JsonObject              *from = golden_part (object, numbers);
  size_t                   rows = golden_whole (object, "B"), d = golden_whole (object, "D");
  size_t                   o = golden_whole (object, "out"), kept, scratch;
  JsonArray               *biases = json_object_get_array_member (from, "e1");
  size_t                   n = json_array_get_length (biases);
  size_t                   h = json_array_get_length (json_array_get_array_element (biases, 0));
  size_t                   size[4] = { d * h, h, h * o, o };
  g_autofree sl_real      *g = g_new (sl_real, rows * n), *x = g_new (sl_real, rows * d);
  g_autofree uint32_t     *count = g_new (uint32_t, n);
  SlExpertsShape           shape = { d, h, o, n, .most = rows, .room = rows * n };
  Parts                    p = { 0 };

  carve_parts (&p, &shape);
  kept = p.kept.used;
  scratch = p.scratch.used;
  g_assert_cmpint (sl_arena_init (&p.kept, kept).code, ==, SL_OK);
  g_assert_cmpint (sl_arena_init (&p.scratch, scratch).code, ==, SL_OK);
  carve_parts (&p, &shape);
  sl_experts_bind (&p.experts, p.weights, p.gradient);
  for (size_t part = 0, offset = 0; part < 4; offset += size[part++])
    {
      g_autofree sl_real *block = g_new (sl_real, n * size[part]);

      golden_load (from, of[part], block, n * size[part]);
      for (size_t i = 0; i < n; i++)
        memcpy (p.weights + i * p.experts.each + offset, block + i * size[part],
                size[part] * sizeof *block);
    }
  golden_load (object, values, g, rows * n);
  golden_load (object, "X", x, rows * d);
  for (size_t i = 0; i < n; i++)
    count[i] = (uint32_t) rows;
  sl_dispatch_begin (&p.dispatch, rows, count);
  for (size_t e = 0; e < rows; e++)
    for (size_t i = 0; i < n; i++)
      sl_dispatch_add (&p.dispatch, (uint32_t) e, (uint32_t) i, g[e * n + i]);
  sl_dispatch_end (&p.dispatch);
  sl_experts_forward (&p.experts, &p.dispatch, x, false, y);
  sl_arena_clear (&p.kept);
  sl_arena_clear (&p.scratch);
}

/* An expert cut into two halves of its hidden units, with half its bias each and the same gate value, is the
 * same function.  */
static void
test_split (void)
{
  JsonObject         *object = golden_case ("shared", "split_in_two_is_the_same_function");
  size_t              n = golden_whole (object, "B") * golden_whole (object, "out");
  g_autofree sl_real *y = g_new (sl_real, n);

  run_parts (object, "whole", "G", y);
  golden_check (y, object, "y", n);
  run_parts (object, "cut", "G_cut", y);
  golden_check (y, object, "y", n);
}

/* Numbers and multiplications of experts cut into smaller ones, with shared ones of the same size. */
static void
test_counts (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("shared"), "counts");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject  *at = json_array_get_object_element (cases, i);
      size_t       split = golden_whole (at, "split"), shared = golden_whole (at, "shared");
      SlMoeShape   shape = { SL_MOE_BIAS,
                             golden_whole (at, "D"),
                             golden_whole (at, "hidden") / split,
                             golden_whole (at, "O"),
                             golden_whole (at, "experts") * split,
                             .most = 1,
                             .shared = shared };
      SlMoeSetting setting = { .k = golden_whole (at, "k") * split };
      SlArena      kept = { 0 }, scratch = { 0 };
      SlMoe        moe;

      sl_moe_carve (&moe, &shape, &kept, &scratch);
      g_assert_cmpuint (moe.n, ==, golden_whole (at, "parameters"));
      g_assert_true (sl_moe_gate_macs (&moe, &setting)
                       + (double) (setting.k + shared) * sl_moe_expert_macs (&moe)
                     == sl_golden_number (at, "multiplications"));
    }
}

/* ---- measures ---- */

/* Numbers of a member into values, and how many there are. */
static size_t
read_numbers (JsonArray *array, sl_real *value)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    value[i] = (sl_real) json_array_get_double_element (array, i);
  return json_array_get_length (array);
}

static void
test_load (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("metrics"), "load");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *at = json_array_get_object_element (cases, i);
      sl_real     count[64];
      size_t      n = read_numbers (json_object_get_array_member (at, "count"), count), dead = 0;

      for (size_t e = 0; e < n; e++)
        dead += count[e] == 0;
      sl_assert_near (sl_balance_cv (n, count), sl_golden_number (at, "cv"), 1e-6, 1e-9);
      sl_assert_near (sl_balance_peak (n, count) - 1.0, sl_golden_number (at, "max_vio"), 1e-6,
                      1e-6);
      sl_assert_near (sl_balance_effective (n, count), sl_golden_number (at, "effective"), 1e-6,
                      1e-9);
      g_assert_cmpuint (dead, ==, golden_whole (at, "dead"));
    }
}

/* What chance makes of a batch, and what is a collapse. */
static void
test_chance (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("metrics"), "chance");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *at = json_array_get_object_element (cases, i);
      size_t n = golden_whole (at, "n"), k = golden_whole (at, "k"), b = golden_whole (at, "B");

      sl_assert_near (sl_balance_floor (n, k, b), sl_golden_number (at, "cv"), 1e-12, 0.0);
      sl_assert_near (sl_balance_violation_floor (n, k, b), sl_golden_number (at, "max_vio"), 1e-8,
                      0.0);
      sl_assert_near ((double) n / (double) k - 1.0, sl_golden_number (at, "collapse_max_vio"),
                      1e-12, 0.0);
    }
}

/* Sets of experts as bits, a word for each example. */
static size_t
read_sets (JsonArray *array, uint64_t *set)
{
  for (guint e = 0; e < json_array_get_length (array); e++)
    {
      JsonArray *experts = json_array_get_array_element (array, e);

      set[e] = 0;
      for (guint i = 0; i < json_array_get_length (experts); i++)
        set[e] |= (uint64_t) 1 << json_array_get_int_element (experts, i);
    }
  return json_array_get_length (array);
}

static void
test_flips (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("metrics"), "flips");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *at = json_array_get_object_element (cases, i);
      uint64_t    before[64], after[64];
      size_t      n = read_sets (json_object_get_array_member (at, "before"), before), changed;

      read_sets (json_object_get_array_member (at, "after"), after);
      sl_assert_near (sl_balance_flips (n, 1, before, after, &changed),
                      sl_golden_number (at, "flip_rate"), 1e-12, 0.0);
      sl_assert_near ((double) changed / (double) n, sl_golden_number (at, "changed_examples"),
                      1e-12, 0.0);
    }
}

/* ---- cost ---- */

static double
macs_of (JsonObject *object, SlMoeGate gate, size_t k, size_t shared)
{
  size_t       rows = golden_whole (object, "B");
  SlMoeSetting setting = { .k = k, .noise = true, .floor = (sl_real) 0.01 };
  SlMoeShape   shape = { gate,
                         golden_whole (object, "D"),
                         golden_whole (object, "hidden"),
                         golden_whole (object, "O"),
                         golden_whole (object, "n"),
                         .groups = 1,
                         .most = rows,
                         .shared = shared,
                         .slots = golden_whole (object, "slots_each") };
  Mix          mix;
  double       macs;

  mix_init (&mix, &shape, &setting);
  mix_randomise (&mix, rows, 5);
  mix_objective (&mix, false);
  macs = sl_moe_gate_macs (&mix.moe, &setting) + sl_moe_batch_macs (&mix.moe)
         + mix.moe.balance.executed / (double) rows * sl_moe_expert_macs (&mix.moe);
  mix_clear (&mix);
  return macs;
}

static void
test_cost (void)
{
  static const struct
  {
    const char *name;
    SlMoeGate   gate;
    size_t      shared;
  } cases[] = {
    { "noisy", SL_MOE_NOISY, 0 },
    { "balanced", SL_MOE_BALANCED, 0 },
    { "bias", SL_MOE_BIAS, 0 },
    { "switch_served_all", SL_MOE_SWITCH, 0 },
    { "expert_choice_training", SL_MOE_EXPERT_CHOICE, 0 },
    { "shared_1_routed_1", SL_MOE_SWITCH, 1 },
    { "dense_mixture", SL_MOE_DENSE, 0 },
    { "soft", SL_MOE_SOFT, 0 },
    { "sinkhorn_8", SL_MOE_BASE, 0 },
  };
  JsonObject *object = golden_case ("metrics", "cost");
  JsonObject *each = golden_part (object, "multiplications_per_example");
  size_t      k = golden_whole (object, "k");

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    sl_assert_near (macs_of (object, cases[i].gate, k - cases[i].shared, cases[i].shared),
                    sl_golden_number (each, cases[i].name), 1e-12, 0.0);
}

/* Networks without a gate of as many multiplications: the widest that stays below. */
static void
test_twins (void)
{
  JsonArray *cases = json_object_get_array_member (golden_family ("metrics"), "twins");

  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *at = json_array_get_object_element (cases, i);
      size_t      d = golden_whole (at, "D"), o = golden_whole (at, "O");
      size_t      budget = golden_whole (at, "budget");
      bool        noisy = g_str_equal (json_object_get_string_member (at, "gate"), "noisy");
      SlMoeShape  shape = { noisy ? SL_MOE_NOISY : SL_MOE_BIAS,
                           d,
                           golden_whole (at, "hidden"),
                           o,
                           golden_whole (at, "n"),
                           .most = 1,
                           .shared = golden_whole (at, "shared") };
      SlMoeSetting setting = { .k = golden_whole (at, "k") };
      SlArena      kept = { 0 }, scratch = { 0 };
      SlMoe        moe;
      SlStack      stack;

      sl_moe_carve (&moe, &shape, &kept, &scratch);
      g_assert_true (sl_moe_gate_macs (&moe, &setting)
                       + (double) (setting.k + shape.shared) * sl_moe_expert_macs (&moe)
                     == (double) budget);
      sl_stack_within (&stack, d, o, 1, budget);
      g_assert_cmpuint (stack.width[1], ==, golden_whole (at, "wide"));
      g_assert_true (sl_stack_macs (&stack) == sl_golden_number (at, "wide_multiplications"));
      sl_stack_within (&stack, d, o, 2, budget);
      g_assert_cmpuint (stack.width[2], ==, golden_whole (at, "deep_2"));
      g_assert_true (sl_stack_macs (&stack) == sl_golden_number (at, "deep_2_multiplications"));
      sl_stack_within (&stack, d, o, 4, budget);
      g_assert_cmpuint (stack.width[4], ==, golden_whole (at, "deep_4"));
      g_assert_true (sl_stack_macs (&stack) == sl_golden_number (at, "deep_4_multiplications"));
    }
  {
    SlStack none;

    sl_stack_within (&none, 784, 10, 2, 5);
    g_assert_cmpuint (none.width[1], ==, 1);
  }
}

/* ---- without a golden number ---- */

static const SlMoeSetting every = {
  .k = 2,
  .k_groups = 1,
  .noise = true,
  .threshold = true,
  .floor = (sl_real) 0.01,
  .w_importance = (sl_real) 0.1,
  .w_load = (sl_real) 0.1,
  .choice = { .capacity = 1.0,
              .w_balance = 0.1,
              .w_z = 0.1,
              .softmax = true,
              .sum_to_one = true,
              .follow = 0.5,
              .gain = 1.2,
              .bias_rate = 0.01,
              .p = 0.6,
              .w_entropy = 0.1 },
  .gate_rate = 1.0,
};

static SlMoeShape
shape_of (SlMoeGate gate, size_t groups, size_t most)
{
  return (SlMoeShape) {
    gate,         .inputs = 5,   .hidden = 4, .outputs = 3, .experts = 6, .groups = groups,
    .most = most, .lambda = 0.1, .shared = 2, .slots = 3,
  };
}

#ifdef SL_DOUBLE
/* Central differences of the objective with everything held. */
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

static void
check_differences_of (const SlMoeShape *shape)
{
  Mix mix;

  mix_init (&mix, shape, &every);
  mix_randomise (&mix, 9, 3 + (guint64) shape->gate);
  if (shape->zero > 0)
    *mix.moe.zero_bias = 0.4;
  mix_train (&mix);
  check_slopes (&mix, mix.weights, mix.gradient, mix.moe.n);
  check_slopes (&mix, mix.x, mix.dx, 9 * shape->inputs);
  mix_clear (&mix);
}

static void
check_differences (SlMoeGate gate, size_t groups)
{
  SlMoeShape shape = shape_of (gate, groups, 9);

  check_differences_of (&shape);
}

/* With experts that give nothing, or their input. */
static void
test_differences_zero (void)
{
  SlMoeShape shape = shape_of (SL_MOE_NOISY, 1, 9);

  shape.zero = 3;
  check_differences_of (&shape);
  shape.outputs = shape.inputs;
  shape.identity = true;
  check_differences_of (&shape);
}

static void
test_differences (void)
{
  for (SlMoeGate gate = SL_MOE_NOISY; gate <= SL_MOE_TOP_P; gate++)
    check_differences (gate, 1);
  check_differences (SL_MOE_NOISY, 2);
  check_differences (SL_MOE_BALANCED, 2);
}
#endif

/* An update is that of the written gradient, for the shared experts as for all. */
static void
test_update (void)
{
  SlOptimSetting optim = { .kind = SL_SGD, .rate = (sl_real) 0.5 };

  for (SlMoeGate gate = SL_MOE_NOISY; gate <= SL_MOE_TOP_P; gate++)
    {
      SlMoeShape          shape = shape_of (gate, 1, 9);
      g_autofree sl_real *before = NULL;
      double             *want;
      Mix                 mix;

      mix_init (&mix, &shape, &every);
      mix_randomise (&mix, 9, 11);
      mix_train (&mix);
      before = g_memdup2 (mix.weights, mix.moe.n * sizeof *before);
      want = g_new (double, mix.moe.n);
      for (size_t i = 0; i < mix.moe.n; i++)
        want[i] = (double) before[i] - 0.5 * (double) mix.gradient[i];
      mix_objective (&mix, false);
      sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
      sl_assert_close (mix.weights, want, mix.moe.n, 1e-5, 1e-6);
      g_free (want);
      mix_clear (&mix);
    }
}

/* The same bytes with one thread and with more, with sums that are cut into blocks. */
static void
test_threads (void)
{
  SlMoeShape shape = shape_of (SL_MOE_SOFT, 1, 700);
  unsigned   threads = sl_blas_threads ();
  Mix        one, more;

  shape.slots = 100;
  mix_init (&one, &shape, &every);
  mix_init (&more, &shape, &every);
  mix_randomise (&one, 700, 1);
  mix_randomise (&more, 700, 1);
  sl_blas_set_threads (1);
  mix_train (&one);
  sl_blas_set_threads (4);
  mix_train (&more);
  sl_blas_set_threads (threads);
  g_assert_cmpmem (one.y, 2100 * sizeof (sl_real), more.y, 2100 * sizeof (sl_real));
  g_assert_cmpmem (one.dx, 3500 * sizeof (sl_real), more.dx, 3500 * sizeof (sl_real));
  g_assert_cmpmem (one.gradient, one.moe.n * sizeof (sl_real), more.gradient,
                   more.moe.n * sizeof (sl_real));
  mix_clear (&one);
  mix_clear (&more);
}

/* Logits that are not finite count as -∞: such a slot takes from the others, and nothing else is lost. */
static void
test_not_finite (void)
{
  SlMoeShape shape = shape_of (SL_MOE_SOFT, 1, 4);
  Mix        mix;

  mix_init (&mix, &shape, &every);
  mix_randomise (&mix, 4, 2);
  for (size_t j = 0; j < shape.inputs; j++)
    mix.weights[j * 18] = (sl_real) INFINITY;
  mix_objective (&mix, false);
  g_assert_cmpuint (mix.moe.balance.not_finite, ==, 4);
  for (size_t i = 0; i < 4 * shape.outputs; i++)
    g_assert_true (isfinite (mix.y[i]));
  for (size_t e = 0; e < 4; e++)
    g_assert_true (mix.moe.soft.combine[e * 18] == 0);
  mix_clear (&mix);
}

/* No examples: no output and no slope. */
static void
test_nobody (void)
{
  for (SlMoeGate gate = SL_MOE_NOISY; gate <= SL_MOE_TOP_P; gate++)
    {
      SlMoeShape shape = shape_of (gate, 1, 4);
      Mix        mix;

      mix_init (&mix, &shape, &every);
      mix_randomise (&mix, 0, 2);
      for (size_t i = 0; i < mix.moe.n; i++)
        mix.gradient[i] = 1;
      mix_train (&mix);
      g_assert_true (mix.moe.balance.executed == 0.0);
      for (size_t i = mix.moe.n_gates; i < mix.moe.n; i++)
        g_assert_true (mix.gradient[i] == 0);
      mix_clear (&mix);
    }
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  golden_open (argv[1]);
  g_test_add_func ("/mixtures/shared", test_shared);
  g_test_add_func ("/mixtures/soft", test_soft);
  g_test_add_func ("/mixtures/split", test_split);
  g_test_add_func ("/mixtures/split/counts", test_counts);
  g_test_add_func ("/mixtures/cost", test_cost);
  g_test_add_func ("/mixtures/twins", test_twins);
  g_test_add_func ("/mixtures/load", test_load);
  g_test_add_func ("/mixtures/chance", test_chance);
  g_test_add_func ("/mixtures/flips", test_flips);
#ifdef SL_DOUBLE
  g_test_add_func ("/mixtures/differences", test_differences);
  g_test_add_func ("/mixtures/differences/zero", test_differences_zero);
#endif
  g_test_add_func ("/mixtures/update", test_update);
  g_test_add_func ("/mixtures/threads", test_threads);
  g_test_add_func ("/mixtures/not-finite", test_not_finite);
  g_test_add_func ("/mixtures/nobody", test_nobody);
  failed = g_test_run ();
  golden_close ();
  return failed;
}
