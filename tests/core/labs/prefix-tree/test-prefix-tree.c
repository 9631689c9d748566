/* SPDX-License-Identifier: MIT
 *
 * Golden cases of the tree of tables (path, sums, gradients, worth of the bits, REINFORCE, tanh
 * modulation, decay that waits, counts), and what the lab made of it promises: memory that is
 * refused in words, bits that are clamped, a plane that splits.  In double, to 1e-10.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/data/text/ngrams.h"
#include "core/lab/kit/state.h"
#include "core/labs/prefix-tree/math/bits.h"
#include "core/labs/prefix-tree/math/credit.h"
#include "core/labs/registry.h"
#include "core/nn/gater/units.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/golden.h"

enum { P = 3, Q = 2, K = 2, NODES = 7 };

static JsonObject *golden;

static JsonObject *
section (const char *name)
{
  return json_object_get_object_member (golden, name);
}

static void
expect (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, 0, 1e-10);
}

/* The golden layer.  Its tables are listed by input and then node, ours by node and then input. */
typedef struct
{
  SlArena arena;
  SlTree  tree;
  sl_real weights[NODES * P * Q + Q], m[NODES * P * Q + Q], v[NODES * P * Q + Q];
  sl_real gradient[NODES * P * Q + Q];
  sl_real x[P], tau[K], gating[K], a[Q], delta[Q], dx[P], c[Q], worth[K];
  sl_real gain[K + 1], part[K + 1];
  uint8_t bit[K];
} Layer;

static void
swap_inputs_and_nodes (const sl_real *from, size_t rows, size_t columns, sl_real *to)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      memcpy (to + (j * rows + i) * Q, from + (i * columns + j) * Q, Q * sizeof *to);
}

static void
layer_init (Layer *layer, JsonObject *inputs)
{
  JsonObject *setup = section ("prefix_sum");
  sl_real     tables[NODES * P * Q];

  memset (layer, 0, sizeof *layer);
  sl_tree_shape (&layer->tree, &(SlTreeShape) { P, Q, K, false, SL_TREE_SHARED, 1 });
  for (int pass = 0; pass < 2; pass++)
    {
      sl_tree_carve (&layer->tree, &layer->arena, &layer->arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&layer->arena, layer->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  sl_tree_bind (&layer->tree, layer->weights, layer->m, layer->v);
  sl_tree_choose (&layer->tree, false, NULL);
  sl_golden_copy (setup, "T", tables, NODES * P * Q);
  swap_inputs_and_nodes (tables, P, NODES, layer->weights);
  sl_golden_copy (setup, "bias", layer->tree.bias, Q);
  sl_golden_copy (setup, "loss_c", layer->c, Q);
  sl_golden_copy (inputs, "x", layer->x, P);
  for (int i = 0; i < K; i++)
    layer->tau[i] = (sl_real) sl_golden_number (setup, "tau");
}

/* Bits, path and sum; then the loss c · tanh (a) and delta. */
static double
layer_forward (Layer *layer, const sl_real *gain)
{
  double loss = 0.0;

  sl_tree_forward (&layer->tree, layer->x, gain, NULL, layer->a);
  for (int i = 0; i < Q; i++)
    {
      sl_real t = tanh (layer->a[i]);

      loss += (double) (layer->c[i] * t);
      layer->delta[i] = layer->c[i] * (1 - t * t);
    }
  return loss;
}

static void
layer_route (Layer *layer)
{
  sl_tree_threshold (&layer->tree, 1, layer->x, layer->tau, layer->gating, layer->bit);
  sl_tree_route (&layer->tree, 1, layer->bit);
}

static void
expect_tables (const Layer *layer, JsonObject *object)
{
  sl_real tables[NODES * P * Q];

  swap_inputs_and_nodes (layer->gradient, NODES, P, tables);
  expect (tables, object, "dT", NODES * P * Q);
}

static void
test_sum (void)
{
  JsonObject *want = section ("prefix_sum");
  Layer       layer;
  sl_real     path[K + 1], bit[K];
  double      loss;

  layer_init (&layer, want);
  layer_route (&layer);
  for (unsigned level = 0; level <= K; level++)
    path[level] = (sl_real) sl_tree_node (&layer.tree, layer.tree.leaf[0], level);
  for (int i = 0; i < K; i++)
    bit[i] = layer.bit[i];
  expect (bit, want, "bits", K);
  expect (path, want, "path_nodes", K + 1);
  loss = layer_forward (&layer, NULL);
  expect (layer.a, want, "preact", Q);
  sl_assert_near (loss, sl_golden_number (want, "L"), 0, 1e-10);
  expect (layer.delta, want, "delta", Q);

  sl_tree_worth (&layer.tree, layer.x, layer.delta, NULL, layer.worth);
  expect (layer.worth, want, "dL_dbit_multilinear", K);
  sl_tree_backward (&layer.tree, layer.x, layer.delta, NULL, NULL, layer.dx, NULL, layer.gradient);
  expect_tables (&layer, want);
  expect (layer.dx, want, "dx_ignoring_gate", P);
  expect (layer.gradient + NODES * P * Q, want, "dbias", Q);
  sl_arena_clear (&layer.arena);
}

/* The estimate of every leaf, weighted with its probability, against the golden expectation. */
static void
test_reinforce (void)
{
  JsonObject *want = section ("reinforce_bits");
  Layer       layer;
  sl_real     u[K], p[K], fired[K], none[K] = { 0 }, dv[K], estimate[K] = { 0 }, losses[1 << K];
  double      expected = 0.0;

  layer_init (&layer, section ("prefix_sum"));
  sl_golden_copy (want, "u", u, K);
  for (unsigned leaf = 0; leaf < 1 << K; leaf++)
    {
      static const SlGaterUnit unit = { .kind = SL_GATER_SBN };
      sl_real                  draw[K], loss, probability = 1;

      /* Any draw below or above the probability will do. */
      for (int i = 0; i < K; i++)
        draw[i] = leaf >> (K - 1 - i) & 1 ? 0 : (sl_real) 0.999999;
      sl_gater_fire (&unit, K, u, draw, p, layer.bit, fired);
      sl_tree_route (&layer.tree, 1, layer.bit);
      g_assert_cmpuint (layer.tree.leaf[0], ==, leaf);
      losses[leaf] = loss = (sl_real) layer_forward (&layer, NULL);
      sl_gater_credit (&unit, 1, K, p, layer.bit, fired, NULL,
                       &(SlGaterSignal) { .loss = &loss, .baseline = none }, dv);
      for (int i = 0; i < K; i++)
        probability *= layer.bit[i] ? p[i] : 1 - p[i];
      expected += (double) (probability * loss);
      for (int i = 0; i < K; i++)
        estimate[i] += probability * dv[i];
    }
  expect (p, want, "prob", K);
  expect (losses, want, "leaf_losses", 1 << K);
  sl_assert_near (expected, sl_golden_number (want, "EL"), 0, 1e-10);
  expect (estimate, want, "E_estimator", K);
  sl_arena_clear (&layer.arena);
}

static void
test_modulation (gconstpointer data)
{
  JsonObject *want = section (data);
  bool        root = g_str_has_suffix (data, "l0");
  Layer       layer;
  double      loss;

  layer_init (&layer, want);
  layer_route (&layer);
  sl_tree_gain (&layer.tree, SL_MODULATE_SUPPRESS, root, layer.x, layer.gain);
  g_assert_cmpfloat ((double) layer.gain[0], ==, root ? 1.0 : 0.0);
  expect (layer.gain + 1, want, "geo_mean", K);
  loss = layer_forward (&layer, layer.gain);
  expect (layer.a, want, "preact", Q);
  sl_assert_near (loss, sl_golden_number (want, "L"), 0, 1e-10);
  sl_tree_backward (&layer.tree, layer.x, layer.delta, layer.gain, layer.part, layer.dx, NULL,
                    layer.gradient);
  sl_tree_gain_backward (&layer.tree, SL_MODULATE_SUPPRESS, layer.x, layer.gain, layer.part,
                         layer.dx);
  expect_tables (&layer, want);
  expect (layer.dx, want, "dx", P);
  sl_arena_clear (&layer.arena);
}

/* One weight in a tree of one node, k = 0, with x = 1: a = w.  The slope of the loss at step t
 * given the w that the forward pass saw, or not-a-number when nobody visits.  */
typedef double (*Slope) (int t, double w, gconstpointer data);

static double
run_rule (SlDecayKind kind, SlDecayRule rule, double w0, double rate, double lambda, int steps,
          Slope slope, gconstpointer data)
{
  SlArena      arena = { 0 };
  SlTree       tree;
  sl_real      weights[2] = { (sl_real) w0, 0 }, m[2] = { 0 }, v[2] = { 0 }, x = 1, a, dx;
  SlDecayClock clock = { kind, 0.0 };
  uint8_t      bit;

  sl_tree_shape (&tree, &(SlTreeShape) { 1, 1, 0, false, SL_TREE_SHARED, 1 });
  for (int pass = 0; pass < 2; pass++)
    {
      sl_tree_carve (&tree, &arena, &arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&arena, arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  sl_tree_bind (&tree, weights, m, v);
  sl_tree_choose (&tree, false, NULL);
  for (int t = 1; t <= steps; t++)
    {
      SlOptimSetting optim = { .kind = SL_SGD, .rate = (sl_real) rate };
      double         tick;
      SlStatus       status = sl_decay_tick (kind, rate, lambda, &tick);
      sl_real        delta;

      g_assert_true (sl_ok (&status));
      if (isfinite (slope (t, 0.0, data)))
        {
          sl_tree_route (&tree, 1, &bit);
          if (rule != SL_DECAY_PRINTED)
            sl_tree_refresh (&tree, kind, clock.now + (rule == SL_DECAY_BEFORE ? tick : 0.0));
          sl_tree_forward (&tree, &x, NULL, NULL, &a);
          delta = (sl_real) slope (t, (double) weights[0], data);
          sl_tree_backward (&tree, &x, &delta, NULL, NULL, &dx,
                            &(SlTreeUpdate) { .optim = &optim,
                                              .clock = { kind, clock.now + tick },
                                              .t = (uint64_t) t,
                                              .moments = (uint64_t) t },
                            NULL);
        }
      clock.now += tick;
    }
  sl_tree_flush (&tree, &clock);
  sl_arena_clear (&arena);
  return (double) weights[0];
}

static double
given_slope (int t, double w, gconstpointer data)
{
  JsonNode *node = json_array_get_element ((JsonArray *) data, (guint) t - 1);

  return json_node_get_value_type (node) == G_TYPE_STRING ? NAN : json_node_get_double (node);
}

/* Of 0.5 (w - 0.3)² at the steps that the golden data list. */
static double
quadratic_slope (int t, double w, gconstpointer data)
{
  JsonArray *touches = (JsonArray *) data;

  for (guint i = 0; i < json_array_get_length (touches); i++)
    if (json_array_get_int_element (touches, i) == t)
      return w - 0.3;
  return NAN;
}

static void
test_decay (void)
{
  static const struct
  {
    const char *name;
    SlDecayRule rule;
  } rules[] = { { "eager", SL_DECAY_EXACT },
                { "exact", SL_DECAY_EXACT },
                { "full", SL_DECAY_BEFORE },
                { "stale", SL_DECAY_PRINTED } };
  JsonObject *fixed = section ("lazy_decay"), *moving = section ("lazy_decay_state_dependent");
  JsonArray  *grads = json_object_get_array_member (fixed, "grads");
  JsonArray  *touches = json_object_get_array_member (moving, "touches");
  double      w0 = sl_golden_number (fixed, "w0"), lambda = sl_golden_number (fixed, "lam");
  double      rate = sl_golden_number (fixed, "eps");
  JsonObject *small = json_object_get_object_member (fixed, "l1_small_w");
  sl_real     w = (sl_real) sl_golden_number (small, "w0");

  for (int kind = SL_DECAY_L1; kind <= SL_DECAY_L2; kind++)
    {
      const char *names[2][2] = { { "l1_final", "l1_eager" }, { "l2_final", "l2_eager" } };
      JsonObject *want = json_object_get_object_member (moving, kind == SL_DECAY_L1 ? "l1" : "l2");
      double      end = run_rule ((SlDecayKind) kind, SL_DECAY_EXACT, w0, rate, lambda,
                                  (int) json_array_get_length (grads), given_slope, grads);

      for (int i = 0; i < 2; i++)
        sl_assert_near (end, sl_golden_number (fixed, names[kind == SL_DECAY_L2][i]), 0, 1e-10);
      for (size_t i = 0; i < G_N_ELEMENTS (rules); i++)
        sl_assert_near (run_rule ((SlDecayKind) kind, rules[i].rule, w0, rate, lambda,
                                  (int) sl_golden_number (moving, "steps"), quadratic_slope,
                                  touches),
                        sl_golden_number (want, rules[i].name), 0, 1e-10);
    }
  sl_decay_apply (SL_DECAY_L1, rate * lambda * sl_golden_number (small, "dt"), 1, &w, &w);
  g_assert_cmpfloat ((double) w, ==, sl_golden_number (small, "out"));
}

static void
test_counts (void)
{
  JsonArray *counts = json_object_get_array_member (golden, "counts");
  JsonArray *needed = json_object_get_array_member (golden, "bits_needed");

  for (guint i = 0; i < json_array_get_length (counts); i++)
    {
      JsonObject *row = json_array_get_object_element (counts, i);
      unsigned    k = (unsigned) sl_golden_number (row, "k");
      SlTree      tree;

      sl_tree_shape (&tree, &(SlTreeShape) { 784, 500, k, false, SL_TREE_SHARED, 1 });
      g_assert_cmpfloat ((double) tree.nodes, ==, sl_golden_number (row, "nodes_correct"));
      g_assert_cmpfloat ((double) tree.nodes + 1, ==, sl_golden_number (row, "nodes_printed"));
      g_assert_cmpfloat ((double) (tree.n - 500), ==, sl_golden_number (row, "params_784x500"));
      sl_tree_shape (&tree, &(SlTreeShape) { 784, 500, k, true, SL_TREE_SHARED, 1 });
      g_assert_cmpfloat ((double) tree.nodes, ==, sl_golden_number (row, "leaves"));
    }
  for (guint i = 0; i < json_array_get_length (needed); i++)
    {
      JsonObject *row = json_array_get_object_element (needed, i);

      size_t   inputs = (size_t) sl_golden_number (row, "p");
      unsigned k = (unsigned) sl_golden_number (row, "k");

      g_assert_cmpfloat ((double) sl_tree_bits_needed (inputs, k, SL_TREE_SLIDING), ==,
                         sl_golden_number (row, "K"));
    }
}

/* A run of the lab. */
typedef struct
{
  SlSink     sink; /* first */
  SlSnapshot snapshot;
  SlDataset *dataset;
  SlTrainer *trainer;
} Run;

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  Run *run = (Run *) sink;

  sl_snapshot_reset (&run->snapshot);
  run->snapshot.panel = panel;
  return &run->snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static SlStatus
run_open (Run *run, const char *data, const char *text)
{
  const SlLab *lab = sl_lab_find ("prefix-tree");
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  SlSettings settings;
  SlStatus   status;

  *run = (Run) { .sink = { .open = open_snapshot, .publish = publish } };
  sl_settings_default (&settings, lab->params, lab->n_params);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      status = sl_settings_set (&settings, lab->params, lab->n_params, pair[0], pair[1]);
      g_assert_true (sl_ok (&status));
    }
  status = sl_source_open (data, &run->dataset);
  g_assert_true (sl_ok (&status));
  return sl_trainer_new (&run->trainer, lab, &settings, run->dataset, 1);
}

static void
run_clear (Run *run)
{
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->dataset);
  sl_snapshot_clear (&run->snapshot);
}

static void
train (Run *run, int steps)
{
  for (int i = 0; i < steps; i++)
    {
      SlStatus status = sl_trainer_step (run->trainer, &run->sink);

      g_assert_true (sl_ok (&status));
    }
}

static const SlSnapshot *
probe (Run *run, const char *panel)
{
  int      index = sl_lab_panel (sl_lab_find ("prefix-tree"), panel);
  SlStatus status;

  g_assert_cmpint (index, >=, 0);
  status = sl_trainer_probe (run->trainer, (unsigned) index, &run->sink);
  g_assert_true (sl_ok (&status));
  return &run->snapshot;
}

static double
score (Run *run, SlSplit split)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
  SlStatus status = sl_trainer_score (run->trainer, split, scores, &n);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpstr (scores[0].id, ==, "error");
  return scores[0].value;
}

/* Tables beyond the budget are refused with what was asked for and what would fit. */
static void
test_budget (void)
{
  Run      run;
  SlStatus status = run_open (&run, "moons:points=300", "k=10 hidden=128 units=64 budget=64");
  char     text[512];

  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_null (run.trainer);
  sl_status_text (&status, text, sizeof text);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "k = 10: 2047 tables of 128 × 64, 384 MiB"));
  g_assert_nonnull (strstr (text, "at most 64 MiB, as set: k = 7 with 47.8 MiB"));
  run_clear (&run);

  /* What is said to fit does. */
  status = run_open (&run, "moons:points=300", "k=7 hidden=128 units=64 budget=64");
  g_assert_true (sl_ok (&status));
  run_clear (&run);
  status = run_open (&run, "moons:points=300", "k=0 hidden=1024 units=1024 budget=1");
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_nonnull (strstr (sl_english (&status.expected), "not hold even one"));
  run_clear (&run);
}

/* A product of rate and decay that is no decay is refused, before and during a run. */
static void
test_strong_decay (void)
{
  const SlLab *lab = sl_lab_find ("prefix-tree");
  unsigned     rate = (unsigned) sl_param_find (lab->params, lab->n_params, "learning-rate");
  Run          run;
  SlStatus     status = run_open (&run, "moons:points=300", "hidden=8 decay=0.5 learning-rate=2");

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpstr (status.subject, ==, "decay");
  run_clear (&run);
  status = run_open (&run, "moons:points=300", "hidden=8 decay=0.5");
  g_assert_true (sl_ok (&status));
  status = sl_trainer_set (run.trainer, rate, &(SlValue) { 1, { 2.0 } });
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  train (&run, 3);
  run_clear (&run);
}

static void
test_clamp (void)
{
  Run      run;
  SlStatus status = run_open (&run, "moons:points=300", "k=6 hidden=4");

  g_assert_true (sl_ok (&status));
  train (&run, 3);
  g_assert_nonnull (
    strstr (sl_english (&probe (&run, "occupancy")->note), "k is set to 6, but 4 is used"));
  run_clear (&run);
}

/* A credit assignment that the bits cannot have is refused, before and during a run, which goes on. */
static void
test_credit_pairs (void)
{
  static const struct
  {
    const char *bits, *credit;
    bool        fits;
  } pairs[] = {
    { "threshold", "none", true },
    { "threshold", "reinforce", false },
    { "threshold", "straight-through", true },
    { "threshold", "straight-through-slope", true },
    { "threshold", "tanh", true },
    { "threshold", "tanh-amplifying", true },
    { "sampled", "none", true },
    { "sampled", "reinforce", true },
    { "sampled", "straight-through", true },
    { "sampled", "straight-through-slope", true },
    { "sampled", "tanh", false },
    { "sampled", "tanh-amplifying", false },
  };
  const SlLab *lab = sl_lab_find ("prefix-tree");
  unsigned     credit = (unsigned) sl_param_find (lab->params, lab->n_params, "credit");

  for (size_t i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *words = g_strdup_printf ("k=2 hidden=4 bits=%s credit=", pairs[i].bits);
      g_autofree char *paired = g_strconcat (words, pairs[i].credit, NULL);
      g_autofree char *plain = g_strconcat (words, "none", NULL);
      SlValue          value;
      Run              run;
      SlStatus         status = run_open (&run, "moons:points=300", paired);

      g_assert_cmpint (status.code, ==, pairs[i].fits ? SL_OK : SL_EINVAL);
      if (!pairs[i].fits)
        g_assert_cmpstr (status.subject, ==, "credit");
      run_clear (&run);

      status = run_open (&run, "moons:points=300", plain);
      g_assert_true (sl_ok (&status));
      status = sl_param_parse (&lab->params[credit], pairs[i].credit, &value);
      g_assert_true (sl_ok (&status));
      status = sl_trainer_set (run.trainer, credit, &value);
      g_assert_cmpint (status.code, ==, pairs[i].fits ? SL_OK : SL_EINVAL);
      train (&run, 3);
      run_clear (&run);
    }
}

/* On the input there is nothing that straight-through credit of thresholds could train, but for what lies
 * before a second tree.  */
static void
test_on_input (void)
{
  static const struct
  {
    const char *words;
    bool        fits;
  } cases[] = { { "on-input=yes credit=straight-through", false },
                { "on-input=yes credit=straight-through trees=2", true },
                { "on-input=yes credit=straight-through bits=sampled", true },
                { "on-input=yes credit=tanh", true },
                { "on-input=yes", true } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = g_strconcat ("k=2 units=4 ", cases[i].words, NULL);
      Run              run;
      SlStatus         status = run_open (&run, "moons:points=300", words);

      g_assert_cmpint (status.code, ==, cases[i].fits ? SL_OK : SL_EINVAL);
      if (cases[i].fits)
        train (&run, 3);
      run_clear (&run);
    }
}

/* A setting picks the tree that the panels are about; it changes nothing else. */
static void
test_shown (void)
{
  const SlLab *lab = sl_lab_find ("prefix-tree");
  unsigned     tree = (unsigned) sl_param_find (lab->params, lab->n_params, "tree");
  Run          run;
  SlStatus     status
    = run_open (&run, "digits:images=600", "k=3 trees=2 hidden=20 units=7 window=sliding");
  double error;

  g_assert_true (sl_ok (&status));
  train (&run, 20);
  error = score (&run, SL_VALID);
  g_assert_nonnull (strstr (sl_english (&probe (&run, "occupancy")->note),
                            "Tree 1 of 2. "
                            "All 7 windows of the 9 bits"));
  status = sl_trainer_set (run.trainer, tree, &(SlValue) { 1, { 2.0 } });
  g_assert_true (sl_ok (&status));
  g_assert_nonnull (strstr (sl_english (&probe (&run, "occupancy")->note),
                            "Tree 2 of 2. "
                            "All 3 windows of the 5 bits"));
  g_assert_cmpfloat (score (&run, SL_VALID), ==, error);
  train (&run, 3);
  run_clear (&run);
}

/* Drawn inputs and subsets are another choice for each seed, and each subset has different bits. */
static void
test_choice (void)
{
  SlArena  arena = { 0 };
  SlTree   tree;
  SlRng    rng;
  SlStatus status;
  uint32_t first[2];

  sl_tree_shape (&tree, &(SlTreeShape) { 40, 2, 3, false, SL_TREE_RANDOM, 1 });
  sl_tree_carve (&tree, &arena, &arena);
  status = sl_arena_init (&arena, arena.used);
  g_assert_true (sl_ok (&status));
  sl_tree_carve (&tree, &arena, &arena);
  for (unsigned seed = 1; seed <= 2; seed++)
    {
      sl_rng_init (&rng, seed, "choice");
      sl_tree_choose (&tree, true, &rng);
      g_assert_true (sl_tree_is_sound (&tree));
      for (unsigned w = 0; w < tree.windows; w++)
        for (unsigned i = 1; i < 3; i++)
          for (unsigned j = 0; j < i; j++)
            g_assert_cmpuint (tree.chosen[w * 3 + i], !=, tree.chosen[w * 3 + j]);
      first[seed - 1] = tree.chosen[0] + 100 * tree.chosen[1] + 10000 * tree.source[0];
    }
  g_assert_cmpuint (first[0], !=, first[1]);
  tree.chosen[5] = tree.bits;
  g_assert_false (sl_tree_is_sound (&tree));
  sl_arena_clear (&arena);
}

/* What a damaged checkpoint can have: each number is looked at, and none beyond them. */
static void
test_sound (void)
{
  enum { INPUTS = 7, BITS = 5, WINDOWS = 3, SUBSET = 2 };
  uint32_t source[INPUTS + 1], chosen[WINDOWS * SUBSET + 1];
  SlTree   tree = { .shape = { .inputs = INPUTS, .k = SUBSET },
                    .bits = BITS,
                    .windows = WINDOWS,
                    .source = source,
                    .chosen = chosen };

  memset (source, 0, sizeof source);
  memset (chosen, 0, sizeof chosen);
  source[INPUTS] = chosen[WINDOWS * SUBSET] = UINT32_MAX;
  g_assert_true (sl_tree_is_sound (&tree));
  for (unsigned j = 0; j < INPUTS; j++)
    {
      source[j] = INPUTS;
      g_assert_false (sl_tree_is_sound (&tree));
      source[j] = INPUTS - 1;
      g_assert_true (sl_tree_is_sound (&tree));
    }
  for (unsigned i = 0; i < WINDOWS * SUBSET; i++)
    {
      chosen[i] = BITS;
      g_assert_false (sl_tree_is_sound (&tree));
      chosen[i] = BITS - 1;
      g_assert_true (sl_tree_is_sound (&tree));
    }
}

/* Examples are the letters before their label, the newest first, as bits and as one of the alphabet. */
static void
test_letters_data (void)
{
  enum { WINDOW = 3, LETTERS = 27, CODE = 5 };
  SlDataset *data;
  SlStatus   status = sl_source_open ("letters:letters=1500,window=3,valid=0.2", &data);
  sl_real    x[WINDOW * (CODE + LETTERS)];
  uint8_t    label;

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (data->features, ==, WINDOW * (CODE + LETTERS));
  g_assert_cmpuint (data->classes, ==, LETTERS);
  g_assert_cmpuint (data->n[SL_TRAIN] + data->n[SL_VALID] + data->n[SL_TEST], ==, 1500);
  g_assert_cmpuint (data->n[SL_VALID], ==, 300);
  g_assert_true (sl_dataset_has (data, "data.letters") && !data->stream);
  for (uint32_t e = WINDOW; e < 1500; e += 7)
    {
      sl_dataset_range (data, e, 1, x, &label);
      for (unsigned back = 0; back < WINDOW; back++)
        {
          unsigned before = data->label[e - 1 - back], code = 0;

          for (unsigned bit = 0; bit < CODE; bit++)
            code = 2 * code + (x[back * CODE + bit] > 0.5);
          g_assert_cmpuint (code, ==, before);
          for (unsigned k = 0; k < LETTERS; k++)
            sl_assert_near (x[WINDOW * CODE + back * LETTERS + k], k == before, 0, 1e-6);
        }
    }
  sl_dataset_free (data);
}

/* n-grams against counting by the definition, and against a text that they know by heart. */
static void
test_ngrams (void)
{
  static const uint8_t text[] = { 0, 1, 2, 0, 1, 0, 2, 2, 1, 0, 1, 2 };
  enum { N = sizeof text, TRAIN = 9, KINDS = 3 };
  SlArena  arena = { 0 };
  SlNgrams ngrams;
  SlStatus status;
  double   bits = 0;

  sl_ngrams_carve (&ngrams, KINDS, 2, &arena);
  status = sl_arena_init (&arena, arena.used);
  g_assert_true (sl_ok (&status));
  sl_ngrams_carve (&ngrams, KINDS, 2, &arena);
  sl_ngrams_count (&ngrams, text, TRAIN);
  for (size_t i = TRAIN; i < N; i++)
    {
      double chance = 1.0 / KINDS;

      for (size_t c = 0; c <= 2; c++)
        {
          double seen = 0, hit = 0, kinds = 0;

          for (unsigned k = 0; k < KINDS; k++)
            {
              double times = 0;

              for (size_t j = c; j < TRAIN; j++)
                times += text[j] == k && memcmp (text + j - c, text + i - c, c) == 0;
              seen += times;
              kinds += times > 0;
              hit += k == text[i] ? times : 0;
            }
          if (seen > 0)
            chance = (hit + kinds * chance) / (seen + kinds);
        }
      bits -= log2 (chance);
    }
  sl_assert_near (sl_ngrams_bits (&ngrams, 2, text, TRAIN, N - TRAIN), bits / (N - TRAIN), 0,
                  1e-12);
  sl_arena_clear (&arena);
}

/* A tree whose bits are letters learns what pairs of letters know, and is measured as they are. */
static void
test_letters (void)
{
  Run      run;
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;
  SlStatus status
    = run_open (&run, "letters:letters=20000,window=2",
                "on-input=yes k=5 threshold=fixed tau=0.5 units=32 learning-rate=0.01 "
                "decay=0.001");

  g_assert_true (sl_ok (&status));
  train (&run, 600);
  status = sl_trainer_score (run.trainer, SL_VALID, scores, &n);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (scores[2].id, ==, "bits");
  g_assert_cmpstr (scores[3].id, ==, "bits-ngram");
  g_test_message ("tree %g bits, n-gram %g bits", scores[2].value, scores[3].value);
  sl_assert_near (scores[2].value, scores[1].value / log (2), 0, 1e-12);
  g_assert_cmpfloat (scores[2].value, <, 2.0);
  g_assert_true (scores[3].value > 0.8 && scores[3].value < 2.0);
  run_clear (&run);
}

/* Each bit more splits the plane further, and medians keep the halves alike. */
static void
test_splits (void)
{
  enum { SIDE = 40 };
  size_t last = 1;

  for (unsigned k = 1; k <= 6; k++)
    {
      Run                 run;
      g_autofree char    *settings = g_strdup_printf ("k=%u hidden=32 units=16", k);
      g_autofree sl_real *points = g_new (sl_real, 2 * SIDE * SIDE);
      g_autofree SlCell  *cells = g_new (SlCell, SIDE * SIDE);
      bool                seen[64] = { false };
      size_t              n = 0, on = 0;
      SlStatus            status = run_open (&run, "spirals:points=600", settings);

      g_assert_true (sl_ok (&status));
      train (&run, 100);
      for (size_t i = 0; i < SIDE * SIDE; i++)
        {
          points[2 * i] = (sl_real) (2.0 * (double) (i % SIDE) / (SIDE - 1) - 1.0);
          points[2 * i + 1] = (sl_real) (2.0 * (double) (i / SIDE) / (SIDE - 1) - 1.0);
        }
      sl_state_map (sl_trainer_state (run.trainer), points, SIDE * SIDE, cells);
      for (size_t i = 0; i < SIDE * SIDE; i++)
        {
          g_assert_cmpuint (cells[i].top, <, 1u << k);
          g_assert_cmpuint (cells[i].pattern, <, 1u << k);
          g_assert_cmpuint (cells[i].active, ==,
                            (unsigned) __builtin_popcountll (cells[i].pattern));
          g_assert_true (cells[i].margin >= 0 && cells[i].margin <= 1);
          g_assert_true (cells[i].confidence >= 0 && cells[i].confidence <= 1);
          n += !seen[cells[i].top];
          seen[cells[i].top] = true;
          on += cells[i].active;
        }
      g_assert_cmpuint (n, >, last);
      last = n;
      sl_assert_near ((double) on / (SIDE * SIDE * k), 0.5, 0, 0.15);
      run_clear (&run);
    }
}

/* It learns, and its bits buy something that the dense layer of the same width lacks. */
static void
test_learns (void)
{
  double error[2];

  for (int i = 0; i < 2; i++)
    {
      Run      run;
      SlStatus status = run_open (&run, "spirals:turns=2",
                                  i == 0 ? "k=0 hidden=8 units=4" : "k=4 hidden=8 units=4");

      g_assert_true (sl_ok (&status));
      train (&run, 1500);
      error[i] = score (&run, SL_TEST);
      g_test_message ("error %g %%", error[i]);
      run_clear (&run);
    }
  g_assert_true (error[1] < 0.7 * error[0]);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       result;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/prefix-tree/sum", test_sum);
  g_test_add_func ("/prefix-tree/reinforce", test_reinforce);
  g_test_add_data_func ("/prefix-tree/modulation/printed", "tanh_mod_from_l1", test_modulation);
  g_test_add_data_func ("/prefix-tree/modulation/root", "tanh_mod_from_l0", test_modulation);
  g_test_add_func ("/prefix-tree/decay", test_decay);
  g_test_add_func ("/prefix-tree/counts", test_counts);
  g_test_add_func ("/prefix-tree/budget", test_budget);
  g_test_add_func ("/prefix-tree/strong-decay", test_strong_decay);
  g_test_add_func ("/prefix-tree/clamp", test_clamp);
  g_test_add_func ("/prefix-tree/credit-pairs", test_credit_pairs);
  g_test_add_func ("/prefix-tree/on-input", test_on_input);
  g_test_add_func ("/prefix-tree/shown", test_shown);
  g_test_add_func ("/prefix-tree/choice", test_choice);
  g_test_add_func ("/prefix-tree/sound", test_sound);
  g_test_add_func ("/prefix-tree/letters-data", test_letters_data);
  g_test_add_func ("/prefix-tree/ngrams", test_ngrams);
  g_test_add_func ("/prefix-tree/letters", test_letters);
  g_test_add_func ("/prefix-tree/splits", test_splits);
  g_test_add_func ("/prefix-tree/learns", test_learns);
  result = g_test_run ();
  json_node_unref (root);
  return result;
}
