/* SPDX-License-Identifier: MIT
 *
 * Experts removed after training: against numbers from an independent float64 implementation, against layers that
 * never had these experts, and against gates whose weights of them are no numbers, as the picture of one example has
 * them.  In both precisions.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/moe/prune.h"
#include "tests/core/nn/golden-layer.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

enum { INPUTS = 4, HIDDEN = 3, OUTPUTS = 5, EXPERTS = 6, ROWS = 70 };

static JsonNode *root;

/* A layer taken apart, with room for it. */
typedef struct
{
  Mix      mix;
  SlPrune  prune;
  sl_real *logits, *outputs;
} Apart;

static void
apart_init (Apart *a, const SlMoeShape *shape, const SlMoeSetting *setting)
{
  mix_init (&a->mix, shape, setting);
  a->logits = g_new (sl_real, shape->most * shape->experts);
  a->outputs = g_new (sl_real, shape->most * shape->experts * shape->outputs);
}

static void
apart_clear (Apart *a)
{
  g_free (a->logits);
  g_free (a->outputs);
  mix_clear (&a->mix);
}

/* The pass of examples alone. */
static void
run_alone (Mix *mix)
{
  sl_moe_forward (&mix->moe, &mix->setting, mix->batch, mix->x, false, false, mix->y);
}

static void
apart_begin (Apart *a)
{
  run_alone (&a->mix);
  sl_prune_begin (&a->prune, &a->mix.moe, &a->mix.setting, a->logits, a->outputs);
}

/* ---- golden numbers ---- */

/* Size number `i` of a nested array. */
static size_t
size_of (JsonObject *object, const char *member, unsigned i)
{
  JsonArray *array = json_object_get_array_member (object, member);

  for (; i > 0; i--)
    array = json_array_get_array_element (array, 0);
  return json_array_get_length (array);
}

static void
load_weights (Mix *mix, JsonObject *object)
{
  const SlMoeShape   *shape = &mix->moe.shape;
  size_t              d = shape->inputs, n = shape->experts, h = shape->hidden, o = shape->outputs;
  static const char  *parts[] = { "W1", "b1", "W2", "b2" };
  size_t              sizes[] = { d * h, h, h * o, o }, at = 0;
  g_autofree sl_real *gate = g_new (sl_real, d * n);

  golden_load (object, "Wg", gate, d * n);
  for (size_t j = 0; j < d; j++)
    memcpy (mix->weights + j * 2 * n, gate + j * n, n * sizeof *gate); /* Wnoise beside it is 0 */
  for (unsigned p = 0; p < G_N_ELEMENTS (parts); at += sizes[p++])
    {
      g_autofree sl_real *block = g_new (sl_real, n * sizes[p]);

      golden_load (object, parts[p], block, n * sizes[p]);
      for (size_t i = 0; i < n; i++)
        memcpy (mix->moe.experts.weights + i * mix->moe.experts.each + at, block + i * sizes[p],
                sizes[p] * sizeof *block);
    }
}

static void
check_golden (JsonObject *object)
{
  SlMoeShape   shape = { .gate = SL_MOE_NOISY,
                         .inputs = size_of (object, "x", 1),
                         .hidden = size_of (object, "W1", 2),
                         .outputs = size_of (object, "b2", 1),
                         .experts = size_of (object, "Wg", 1),
                         .groups = 1,
                         .most = size_of (object, "x", 0) };
  SlMoeSetting setting = { .k = golden_whole (object, "k") };
  double       count[EXPERTS + 2], saliency[EXPERTS + 2], norm[EXPERTS + 2];
  uint32_t     order[EXPERTS + 2];
  Apart        a;

  g_assert_cmpuint (shape.hidden, !=, size_of (object, "W1", 1)); /* (n, D, H) */
  g_assert_cmpuint (shape.experts, <=, EXPERTS + 2);
  apart_init (&a, &shape, &setting);
  a.mix.batch = shape.most;
  golden_load (object, "x", a.mix.x, shape.most * shape.inputs);
  load_weights (&a.mix, object);
  apart_begin (&a);
  sl_prune_forward (&a.prune, NULL, a.mix.dy);
  sl_prune_measure (&a.prune, count, saliency, norm);
  golden_check_double (count, object, "count", shape.experts);
  golden_check_double (saliency, object, "saliency", shape.experts);
  sl_prune_order (shape.experts, saliency, order);
  golden_check_whole (order, object, "first_to_go", shape.experts);
  for (size_t i = 0; i < shape.experts; i++)
    g_assert_true (setting.k == 1 ? fabs (norm[i] - saliency[i]) <= 1e-6 * norm[i]
                                  : norm[i] >= saliency[i]);
  apart_clear (&a);
}

static void
test_golden (void)
{
  JsonArray *cases = json_object_get_array_member (json_node_get_object (root), "saliency");

  g_assert_cmpuint (json_array_get_length (cases), >=, 2);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    check_golden (json_array_get_object_element (cases, i));
}

/* ---- against layers without them ---- */

static const SlMoeGate gates[] = { SL_MOE_NOISY,         SL_MOE_DENSE,  SL_MOE_BASE, SL_MOE_RELU,
                                   SL_MOE_EXPERT_CHOICE, SL_MOE_SWITCH, SL_MOE_BIAS };

static SlMoeShape
shape_of (SlMoeGate gate, size_t experts)
{
  return (SlMoeShape) { .gate = gate,
                        .inputs = INPUTS,
                        .hidden = HIDDEN,
                        .outputs = OUTPUTS,
                        .experts = experts,
                        .groups = 1,
                        .most = ROWS,
                        .shared = 1 };
}

static void
randomise (Mix *mix, guint64 seed)
{
  mix_randomise (mix, ROWS, seed);
  for (size_t i = 0; mix->moe.chooser.bar != NULL && i < EXPERTS; i++)
    mix->moe.chooser.bar[i] = 0.05 + 0.02 * (double) (i % 3);
}

/* Copies what is of the experts that stay: columns of the gate (one or two blocks of n), bars, experts, shared ones. */
static void
copy_rest (const Mix *from, const bool *removed, Mix *to)
{
  size_t blocks = from->moe.shape.gate == SL_MOE_NOISY ? 2 : 1, each = from->moe.experts.each,
         left = 0;

  for (size_t i = 0; i < EXPERTS; i++)
    left += !removed[i];
  for (size_t i = 0, at = 0; i < EXPERTS; at += !removed[i++])
    {
      if (removed[i])
        continue;
      for (size_t row = 0; row < INPUTS * blocks; row++)
        to->weights[row * left + at] = from->weights[row * EXPERTS + i];
      memcpy (to->moe.experts.weights + at * each, from->moe.experts.weights + i * each,
              each * sizeof (sl_real));
      if (from->moe.chooser.bar != NULL)
        to->moe.chooser.bar[at] = from->moe.chooser.bar[i];
    }
  memcpy (to->moe.shared.weights, from->moe.shared.weights, each * sizeof (sl_real));
  memcpy (to->x, from->x, ROWS * INPUTS * sizeof *to->x);
  to->batch = ROWS;
}

static void
assert_same_outputs (const sl_real *got, const sl_real *want)
{
  double wanted[ROWS * OUTPUTS];

  for (size_t i = 0; i < ROWS * OUTPUTS; i++)
    wanted[i] = (double) want[i];
  sl_assert_close (got, wanted, ROWS * OUTPUTS, golden_each, 10.0 * golden_all);
}

static void
check_rest (Apart *a, const bool *removed, size_t left)
{
  SlMoeShape shape = shape_of (a->mix.moe.shape.gate, left);
  sl_real    y[ROWS * OUTPUTS];
  Mix        rest;

  mix_init (&rest, &shape, &a->mix.setting);
  copy_rest (&a->mix, removed, &rest);
  run_alone (&rest);
  sl_prune_forward (&a->prune, removed, y);
  assert_same_outputs (y, rest.y);
  mix_clear (&rest);
}

/* At most so many. */
static void
draw_removed (int most, bool *removed, size_t *left)
{
  *left = EXPERTS;
  for (size_t i = 0; i < EXPERTS; i++)
    removed[i] = false;
  for (int n = g_test_rand_int_range (0, most + 1); n > 0; n--)
    {
      size_t i = (size_t) g_test_rand_int_range (0, EXPERTS);

      *left -= !removed[i];
      removed[i] = true;
    }
}

static void
check_gate (SlMoeGate gate)
{
  SlMoeShape   shape = shape_of (gate, EXPERTS);
  SlMoeSetting setting = { .k = 2, .choice = { .sum_to_one = g_test_rand_bit () } };
  bool         removed[EXPERTS] = { false };
  size_t       left = EXPERTS;
  Apart        a;

  apart_init (&a, &shape, &setting);
  randomise (&a.mix, 11);
  apart_begin (&a);
  check_rest (&a, removed, left);
  for (int i = 0; i < 12; i++)
    {
      /* A balanced assignment weighs a single choice otherwise. */
      draw_removed (gate == SL_MOE_BASE ? EXPERTS - 2 : EXPERTS - 1, removed, &left);
      check_rest (&a, removed, left);
    }
  apart_clear (&a);
}

static void
test_rest (void)
{
  for (unsigned g = 0; g < G_N_ELEMENTS (gates); g++)
    {
      check_gate (gates[g]);
      check_gate (gates[g]);
    }
}

/* Taken out by hand: one weight of the gate is no number. */
static void
check_by_hand (SlMoeGate gate, size_t groups)
{
  SlMoeShape   shape = shape_of (gate, EXPERTS);
  SlMoeSetting setting = { .k = 2, .k_groups = 2, .choice = { .groups = groups } };
  size_t       left;
  bool         removed[EXPERTS];
  sl_real      y[ROWS * OUTPUTS], saved[EXPERTS];
  Apart        a;

  apart_init (&a, &shape, &setting);
  randomise (&a.mix, 12);
  apart_begin (&a);
  for (int t = 0; t < 12; t++)
    {
      draw_removed (EXPERTS - 1, removed, &left);
      sl_prune_forward (&a.prune, removed, y);
      memcpy (saved, a.mix.weights, sizeof saved);
      for (size_t i = 0; i < EXPERTS; i++)
        a.mix.weights[i] = removed[i] ? (sl_real) NAN : saved[i];
      run_alone (&a.mix);
      memcpy (a.mix.weights, saved, sizeof saved);
      assert_same_outputs (y, a.mix.y);
    }
  apart_clear (&a);
}

static void
test_by_hand (void)
{
  for (unsigned g = 0; g < G_N_ELEMENTS (gates); g++)
    check_by_hand (gates[g], 0);
  check_by_hand (SL_MOE_BIAS, 3);
}

/* Weights and what controllers move stay as they are. */
static void
check_unchanged (SlMoeGate gate)
{
  SlMoeShape       shape = shape_of (gate, EXPERTS);
  SlMoeSetting     setting = { .k = 2 };
  bool             removed[EXPERTS] = { true, false, true };
  const SlChooser *chooser;
  Apart            a;

  apart_init (&a, &shape, &setting);
  randomise (&a.mix, 13);
  chooser = &a.mix.moe.chooser;
  {
    g_autofree sl_real *weights = g_memdup2 (a.mix.weights, a.mix.moe.n * sizeof (sl_real));
    SlChooserState      state = { .lambda = gate == SL_MOE_NOISY ? 0.0 : chooser->state->lambda };
    double              bar[EXPERTS] = { 0 };

    if (gate != SL_MOE_NOISY)
      memcpy (bar, chooser->bar, sizeof bar);
    apart_begin (&a);
    sl_prune_forward (&a.prune, removed, a.mix.dy);
    g_assert_cmpmem (a.mix.weights, a.mix.moe.n * sizeof (sl_real), weights,
                     a.mix.moe.n * sizeof (sl_real));
    if (gate != SL_MOE_NOISY)
      {
        g_assert_cmpmem (chooser->bar, sizeof bar, bar, sizeof bar);
        g_assert_cmpmem (chooser->state, sizeof state, &state, sizeof state);
      }
  }
  apart_clear (&a);
}

static void
test_unchanged (void)
{
  for (unsigned g = 0; g < G_N_ELEMENTS (gates); g++)
    check_unchanged (gates[g]);
}

static void
test_possible (void)
{
  SlMoeShape tree = shape_of (SL_MOE_NOISY, EXPERTS), soft = shape_of (SL_MOE_SOFT, EXPERTS),
             strict = shape_of (SL_MOE_BALANCED, EXPERTS);

  tree.groups = 3;
  g_assert_false (sl_prune_is_possible (&tree));
  g_assert_false (sl_prune_is_possible (&soft));
  g_assert_false (sl_prune_is_possible (&strict));
  for (unsigned g = 0; g < G_N_ELEMENTS (gates); g++)
    {
      SlMoeShape shape = shape_of (gates[g], EXPERTS);

      g_assert_true (sl_prune_is_possible (&shape));
    }
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  g_test_add_func ("/prune/golden", test_golden);
  g_test_add_func ("/prune/rest", test_rest);
  g_test_add_func ("/prune/by-hand", test_by_hand);
  g_test_add_func ("/prune/unchanged", test_unchanged);
  g_test_add_func ("/prune/possible", test_possible);
  failed = g_test_run ();
  json_node_unref (root);
  return failed;
}
