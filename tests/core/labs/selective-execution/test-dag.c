/* SPDX-License-Identifier: MIT
 *
 * Graphs that choose their own path: the numbers of an independent implementation, a naive twin
 * that takes one example at a time, what is refused, and what skipping must leave alone.  In
 * double.  */
#include <glib.h>
#include <string.h>

#include "core/labs/selective-execution/math/dag.h"
#include "core/labs/selective-execution/math/reward.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/golden.h"

static JsonObject  *golden; /* everything */
static const double tol = 1e-10;

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

/* A graph with room for its numbers. */
typedef struct
{
  SlArena    kept, scratch;
  SlDagFacts facts;
  SlDag      dag;
  sl_real   *weights, *gradient;
} Graph;

static void
graph_init (Graph *graph, const SlDagPlan *plan, size_t most)
{
  SlRng rng;

  *graph = (Graph) { 0 };
  assert_ok (sl_dag_check (plan, &graph->facts));
  for (int pass = 0; pass < 2; pass++)
    {
      if (pass == 1)
        {
          size_t kept = graph->kept.used, scratch = graph->scratch.used;

          assert_ok (sl_arena_init (&graph->kept, kept));
          assert_ok (sl_arena_init (&graph->scratch, scratch));
        }
      sl_dag_carve (&graph->dag, plan, &graph->facts, most, &graph->kept, &graph->scratch);
      graph->weights = sl_arena_reals (&graph->kept, graph->dag.n);
      graph->gradient = sl_arena_reals (&graph->kept, graph->dag.n);
    }
  sl_dag_bind (&graph->dag, graph->weights, graph->gradient);
  sl_rng_init (&rng, 3, "init");
  sl_dag_init (&graph->dag, &rng);
}

static void
graph_clear (Graph *graph)
{
  sl_arena_clear (&graph->kept);
  sl_arena_clear (&graph->scratch);
}

static unsigned
add_end (SlDagPlan *plan, const char *name, SlDagKind kind, size_t width)
{
  return sl_dag_add (plan, &(SlDagNode) { .name = name, .kind = kind, .shape = { width, 1, 1 } });
}

static unsigned
add_dense (SlDagPlan *plan, const char *name, SlDagKind kind, size_t units, bool rectified)
{
  return sl_dag_add (
    plan,
    &(SlDagNode) { .name = name,
                   .kind = kind,
                   .n_layers = 1,
                   .layer = { { .kind = SL_DAG_DENSE, .units = units, .rectified = rectified } } });
}

/* The right graph of the paper's figure 1, with an output behind it so that it is complete. */
static void
make_figure (SlDagPlan *plan, bool defaults)
{
  unsigned n[9];

  *plan = (SlDagPlan) { 0 };
  n[0] = add_end (plan, "in", SL_DAG_INPUT, 2);
  n[1] = add_dense (plan, "N1", SL_DAG_REGULAR, 3, true);
  unsigned q = add_dense (plan, "Q", SL_DAG_CONTROL, 2, false);
  for (int i = 2; i <= 8; i++)
    n[i] = add_dense (plan, (const char *[]) { "N2", "N3", "N4", "N5", "N6", "N7", "N8" }[i - 2],
                      SL_DAG_REGULAR, 3, true);
  sl_dag_join (plan, n[0], n[1]);
  sl_dag_join (plan, n[1], q);
  sl_dag_join (plan, n[1], n[2]);
  sl_dag_join (plan, n[1], n[3]);
  sl_dag_control (plan, q, n[2]);
  sl_dag_control (plan, q, n[3]);
  sl_dag_join (plan, n[2], n[4]);
  sl_dag_join (plan, n[3], n[5]);
  sl_dag_join (plan, n[4], n[6]);
  sl_dag_join (plan, n[5], n[7]);
  if (defaults)
    {
      sl_dag_default (plan, n[6], n[8]);
      sl_dag_default (plan, n[7], n[8]);
    }
  else
    {
      sl_dag_join (plan, n[6], n[8]);
      sl_dag_join (plan, n[7], n[8]);
    }
  sl_dag_default (plan, n[8], add_end (plan, "out", SL_DAG_OUTPUT, 0));
}

/* The states of the golden file against what is traced, and against what really runs. */
static void
check_states (const SlDagPlan *plan, const uint8_t *action, JsonObject *state)
{
  Graph   graph;
  sl_real x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  uint8_t forced[SL_DAG_CONTROLLERS * 4];
  bool    runs[SL_DAG_NODES];

  graph_init (&graph, plan, 4);
  sl_dag_trace (plan, &graph.facts, action, runs, NULL);
  for (unsigned c = 0; c < graph.facts.n_controllers; c++)
    memset (forced + 4 * c, action[c], 4);
  sl_dag_forward (&graph.dag, 4, x, forced);
  for (unsigned i = 0; i < plan->n_nodes; i++)
    {
      const char *name = plan->node[i].name;

      if (!json_object_has_member (state, name))
        continue;
      bool want = strcmp (json_object_get_string_member (state, name), "run") == 0;

      g_test_message ("%s", name);
      g_assert_true (runs[i] == want);
      g_assert_cmpuint (graph.dag.turn[i].n, ==, want ? 4 : 0);
    }
  graph_clear (&graph);
}

static void
test_semantics (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "semantics");

  for (guint k = 0; k < 3; k++)
    {
      SlDagPlan plan;

      make_figure (&plan, k < 2);
      check_states (
        &plan, &(uint8_t) { k == 1 },
        json_object_get_object_member (json_array_get_object_element (cases, k), "state"));
    }
}

static void
test_either (void)
{
  JsonArray *rows = json_object_get_array_member (
    json_array_get_object_element (json_object_get_array_member (golden, "semantics"), 3), "rows");
  SlDagPlan plan = { 0 };
  unsigned  in = add_end (&plan, "in", SL_DAG_INPUT, 2);
  unsigned  a = add_dense (&plan, "QA", SL_DAG_CONTROL, 2, false);
  unsigned  b = add_dense (&plan, "QB", SL_DAG_CONTROL, 2, false);
  unsigned  d = add_end (&plan, "D", SL_DAG_DUMMY, 3);
  unsigned  n = add_dense (&plan, "N", SL_DAG_REGULAR, 3, true);
  unsigned  out = add_end (&plan, "out", SL_DAG_OUTPUT, 0);

  sl_dag_join (&plan, in, a);
  sl_dag_join (&plan, in, b);
  sl_dag_join (&plan, in, n);
  sl_dag_control (&plan, a, d);
  sl_dag_control (&plan, a, n);
  sl_dag_control (&plan, b, d);
  sl_dag_control (&plan, b, n);
  sl_dag_default (&plan, n, out);
  sl_dag_default (&plan, d, out);
  g_assert_cmpuint (json_array_get_length (rows), ==, 4);
  for (guint k = 0; k < 4; k++)
    {
      JsonObject *row = json_array_get_object_element (rows, k);
      uint8_t     action[2]
        = { (uint8_t) sl_golden_number (row, "QA"), (uint8_t) sl_golden_number (row, "QB") };

      check_states (&plan, action, json_object_get_object_member (row, "state"));
    }
}

/* The example of the specification on pictures of 28 × 28. */
static void
make_fashion (SlDagPlan *plan)
{
  unsigned in, stem, q, low, high, out;

  *plan = (SlDagPlan) { 0 };
  in = sl_dag_add (plan, &(SlDagNode) { "in", SL_DAG_INPUT, .shape = { 1, 28, 28 } });
  stem
    = sl_dag_add (plan, &(SlDagNode) { "N1", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 8, 2, true } } });
  q = sl_dag_add (plan, &(SlDagNode) { "Q",
                                       SL_DAG_CONTROL,
                                       3,
                                       { { SL_DAG_POOL, 0, 2, false },
                                         { SL_DAG_DENSE, 8, 0, true },
                                         { SL_DAG_DENSE, 2, 0, false } } });
  low = sl_dag_add (plan, &(SlDagNode) { "N3",
                                         SL_DAG_REGULAR,
                                         3,
                                         { { SL_DAG_POOL, 0, 2, false },
                                           { SL_DAG_DENSE, 32, 0, true },
                                           { SL_DAG_DENSE, 10, 0, false } } });
  high = sl_dag_add (plan, &(SlDagNode) { "N2",
                                          SL_DAG_REGULAR,
                                          5,
                                          { { SL_DAG_CONV, 16, 1, true },
                                            { SL_DAG_POOL, 0, 2, false },
                                            { SL_DAG_CONV, 32, 1, true },
                                            { SL_DAG_DENSE, 128, 0, true },
                                            { SL_DAG_DENSE, 10, 0, false } } });
  out = sl_dag_add (plan, &(SlDagNode) { "out", SL_DAG_OUTPUT });
  sl_dag_join (plan, in, stem);
  sl_dag_join (plan, stem, q);
  sl_dag_join (plan, stem, low);
  sl_dag_join (plan, stem, high);
  sl_dag_control (plan, q, low);
  sl_dag_control (plan, q, high);
  sl_dag_default (plan, low, out);
  sl_dag_default (plan, high, out);
}

static double
node_macs (const SlDagNode *node, SlDagShape shape)
{
  SlDagPlan  plan = { 0 };
  SlDagFacts facts;
  unsigned   in = sl_dag_add (&plan, &(SlDagNode) { "in", SL_DAG_INPUT, .shape = shape });
  unsigned   one = sl_dag_add (&plan, node);

  sl_dag_join (&plan, in, one);
  sl_dag_join (&plan, one, sl_dag_add (&plan, &(SlDagNode) { "out", SL_DAG_OUTPUT }));
  assert_ok (sl_dag_check (&plan, &facts));
  g_assert_cmpfloat (facts.dearest_macs, ==, facts.macs[one]);
  return facts.macs[one];
}

static void
test_counts (void)
{
  JsonObject *mults = json_object_get_object_member (golden, "mults");
  JsonObject *fashion = json_object_get_object_member (golden, "example_highlow_fashion");
  SlDagNode   dense = { "fc", SL_DAG_REGULAR, 1, { { SL_DAG_DENSE, 100, 0, true } } };
  SlDagNode   first = { "conv", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 8, 1, true } } };
  SlDagNode   second = { "conv", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 16, 1, true } } };
  SlDagPlan   plan, fixed;
  SlDagFacts  facts, fixed_facts;
  bool        runs[SL_DAG_NODES];

  g_assert_cmpfloat (node_macs (&dense, (SlDagShape) { 1, 28, 28 }), ==,
                     sl_golden_number (mults, "fc_784_100"));
  g_assert_cmpfloat (node_macs (&first, (SlDagShape) { 1, 28, 28 }), ==,
                     sl_golden_number (mults, "conv_28x28_1to8_3x3_same"));
  g_assert_cmpfloat (node_macs (&second, (SlDagShape) { 8, 14, 14 }), ==,
                     sl_golden_number (mults, "conv_14x14_8to16_3x3_same"));

  make_fashion (&plan);
  assert_ok (sl_dag_check (&plan, &facts));
  for (unsigned i = 0; i < plan.n_nodes; i++)
    if (json_object_has_member (fashion, plan.node[i].name))
      g_assert_cmpfloat (facts.macs[i], ==, sl_golden_number (fashion, plan.node[i].name));
  g_assert_cmpfloat (facts.dearest_macs, ==, sl_golden_number (fashion, "norm"));
  g_assert_cmpuint (facts.dearest[0], ==, 1);
  sl_assert_near (sl_dag_trace (&plan, &facts, &(uint8_t) { 1 }, runs, NULL) / facts.dearest_macs,
                  sl_golden_number (fashion, "high_cost"), 0, tol);
  sl_assert_near (sl_dag_trace (&plan, &facts, &(uint8_t) { 0 }, runs, NULL) / facts.dearest_macs,
                  sl_golden_number (fashion, "low_cost"), 0, tol);
  /* The static net has no controller. */
  sl_dag_fix (&plan, &facts, &(uint8_t) { 0 }, &fixed);
  assert_ok (sl_dag_check (&fixed, &fixed_facts));
  g_assert_cmpuint (fixed_facts.n_controllers, ==, 0);
  g_assert_cmpuint (fixed.n_nodes, ==, 4);
  sl_assert_near (fixed_facts.dearest_macs / facts.dearest_macs,
                  sl_golden_number (fashion, "low_nn"), 0, tol);
}

enum { BAG = 6 };

/* The high-low net of the golden file: a controller and two linear branches that see the same. */
static void
make_linear (SlDagPlan *plan)
{
  unsigned in, stem, q, low, high, out;

  *plan = (SlDagPlan) { 0 };
  in = add_end (plan, "in", SL_DAG_INPUT, 2);
  stem = sl_dag_add (plan, &(SlDagNode) { "N1", SL_DAG_REGULAR });
  q = add_dense (plan, "Q", SL_DAG_CONTROL, 2, false);
  low = add_dense (plan, "low", SL_DAG_REGULAR, 1, false);
  high = add_dense (plan, "high", SL_DAG_REGULAR, 1, false);
  out = add_end (plan, "out", SL_DAG_OUTPUT, 0);
  sl_dag_join (plan, in, stem);
  sl_dag_join (plan, stem, q);
  sl_dag_join (plan, stem, low);
  sl_dag_join (plan, stem, high);
  sl_dag_control (plan, q, low);
  sl_dag_control (plan, q, high);
  sl_dag_default (plan, low, out);
  sl_dag_default (plan, high, out);
}

static void
check (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, 0, tol);
}

static void
check_bytes (const uint8_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autoptr (GArray) want = sl_golden_numbers (object, member);

  g_assert_cmpuint (want->len, ==, n);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) g_array_index (want, double, i));
}

/* The gradient of a loss for Q alone, as in the file: dWq (in, actions). */
static void
check_slope (Graph *graph, double loss, const char *loss_name, JsonObject *c)
{
  const sl_real *g = graph->gradient;

  sl_dag_backward (&graph->dag, NULL);
  sl_real turned[4] = { g[0], g[2], g[1], g[3] };

  sl_assert_near (loss, sl_golden_number (c, loss_name), 0, tol);
  check (turned, c, "dWq", 4);
  if (json_object_has_member (c, "dbq"))
    check (g + 4, c, "dbq", 2);
}

static void
test_high_low (void)
{
  JsonObject    *h = json_object_get_object_member (golden, "highlow");
  JsonObject    *mult = json_object_get_object_member (h, "mult");
  JsonArray     *bags = json_object_get_array_member (h, "minibag");
  JsonObject    *single = json_object_get_object_member (h, "per_example");
  SlDagPlan      plan;
  Graph          graph;
  sl_real        x[2 * BAG], w[4], *to, cost[BAG];
  uint8_t        label[BAG], predicted[BAG];
  double         mean = 0.0, reward[BAG], lambda;
  const sl_real *y;

  make_linear (&plan);
  graph_init (&graph, &plan, BAG);
  to = graph.weights;
  sl_golden_copy (h, "Wq", w, 4);
  to[0] = w[0];
  to[1] = w[2];
  to[2] = w[1];
  to[3] = w[3];
  sl_golden_copy (h, "bq", to + 4, 2);
  sl_golden_copy (h, "low", to + 6, 2);
  to[8] = (sl_real) sl_golden_number (h, "bias_low");
  sl_golden_copy (h, "high", to + 9, 2);
  to[11] = (sl_real) sl_golden_number (h, "bias_high");
  sl_golden_copy (h, "X", x, 2 * BAG);
  sl_golden_copy (h, "y", cost, BAG);
  for (int e = 0; e < BAG; e++)
    label[e] = cost[e] > 0;

  y = sl_dag_forward (&graph.dag, BAG, x, NULL);
  const SlDagTurn *q = &graph.dag.turn[graph.facts.controller[0]];

  check (q->y, h, "Q", 2 * BAG);
  check_bytes (q->action, h, "action", BAG);
  for (int e = 0; e < BAG; e++)
    {
      predicted[e] = y[e] > 0;
      cost[e] = (sl_real) ((sl_golden_number (mult, "N1") + sl_golden_number (mult, "Q")
                            + sl_golden_number (mult, q->action[e] ? "high" : "low"))
                           / sl_golden_number (mult, "norm"));
      mean += (double) cost[e] / BAG;
    }
  check_bytes (predicted, h, "pred", BAG);
  check (cost, h, "cost", BAG);
  sl_assert_near (mean, sl_golden_number (h, "mean_cost"), 0, tol);
  sl_assert_near (sl_detection_score (SL_DETECTION_F1, BAG, predicted, label),
                  sl_golden_number (h, "F1"), 0, tol);

  SlDecisions scored = { BAG, 2, q->row, q->action, q->y };

  g_assert_cmpuint (json_array_get_length (bags), ==, 5);
  for (guint k = 0; k < 5; k++)
    {
      JsonObject *c = json_array_get_object_element (bags, k);

      lambda = sl_golden_number (c, "lam");
      reward[0]
        = sl_reward (lambda, sl_detection_score (SL_DETECTION_F1, BAG, predicted, label), mean);
      sl_assert_near (reward[0], sl_golden_number (c, "reward"), 0, tol);
      sl_dag_begin_backward (&graph.dag);
      check_slope (&graph, sl_q_loss (&scored, BAG, reward, 1.0, q->dy, NULL), "loss", c);
    }
  lambda = sl_golden_number (single, "lam");
  for (int e = 0; e < BAG; e++)
    {
      /* The file's own example takes 1[right] for A. */
      reward[e] = sl_reward (lambda, predicted[e] == label[e], (double) cost[e]);
      w[0] = (sl_real) reward[e];
      g_autoptr (GArray) want = sl_golden_numbers (single, "reward");

      sl_assert_near (reward[e], g_array_index (want, double, e), 0, tol);
    }
  sl_dag_begin_backward (&graph.dag);
  check_slope (&graph, sl_q_loss (&scored, 1, reward, 1.0 / BAG, q->dy, NULL), "mean_loss", single);
  graph_clear (&graph);
}

/* The best actions for a bag as the file has them, by trying all of them on the same net. */
static void
test_bag_optimum (void)
{
  JsonObject *h = json_object_get_object_member (golden, "highlow");
  JsonObject *mult = json_object_get_object_member (h, "mult");
  JsonArray  *cases = json_object_get_array_member (golden, "bag_optimum");
  sl_real     x[2 * BAG], y[BAG], low[2], high[2];
  uint8_t     label[BAG], said[2][BAG];

  sl_golden_copy (h, "X", x, 2 * BAG);
  sl_golden_copy (h, "y", y, BAG);
  sl_golden_copy (h, "low", low, 2);
  sl_golden_copy (h, "high", high, 2);
  for (int e = 0; e < BAG; e++)
    {
      label[e] = y[e] > 0;
      said[0][e] = x[2 * e] * low[0] + x[2 * e + 1] * low[1] + sl_golden_number (h, "bias_low") > 0;
      said[1][e]
        = x[2 * e] * high[0] + x[2 * e + 1] * high[1] + sl_golden_number (h, "bias_high") > 0;
    }
  for (guint k = 0; k < json_array_get_length (cases); k++)
    {
      JsonObject *c = json_array_get_object_element (cases, k);
      double      lambda = sl_golden_number (c, "lam"), best = -HUGE_VAL;

      for (unsigned actions = 0; actions < 1u << BAG; actions++)
        {
          uint8_t predicted[BAG];
          double  cost = 0.0;

          for (int e = 0; e < BAG; e++)
            {
              bool dear = actions >> e & 1;

              predicted[e] = said[dear][e];
              cost += (sl_golden_number (mult, "N1") + sl_golden_number (mult, "Q")
                       + sl_golden_number (mult, dear ? "high" : "low"))
                      / sl_golden_number (mult, "norm") / BAG;
            }
          best = MAX (
            best,
            sl_reward (lambda, sl_detection_score (SL_DETECTION_F1, BAG, predicted, label), cost));
        }
      sl_assert_near (best, sl_golden_number (c, "best_reward"), 0, tol);
    }
}

static void
test_f1 (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "f1_edge");

  g_assert_cmpuint (json_array_get_length (cases), ==, 3);
  for (guint k = 0; k < 3; k++)
    {
      JsonObject *c = json_array_get_object_element (cases, k);
      sl_real     pred[2], y[2];
      uint8_t     predicted[2], label[2];

      sl_golden_copy (c, "pred", pred, 2);
      sl_golden_copy (c, "y", y, 2);
      for (int e = 0; e < 2; e++)
        {
          predicted[e] = pred[e] > 0;
          label[e] = y[e] > 0;
        }
      sl_assert_near (sl_detection_score (SL_DETECTION_F1, 2, predicted, label),
                      sl_golden_number (c, k == 0 ? "F1_defined_as" : "F1"), 0, 0);
    }
}

/* Two found of three that are there and of five said; and where there is nothing to divide by. */
static void
test_detection (void)
{
  static const uint8_t predicted[8] = { 1, 1, 1, 1, 1, 0, 0, 0 };
  static const uint8_t label[8] = { 1, 1, 0, 0, 0, 1, 0, 0 };
  static const uint8_t none[8] = { 0 };

  sl_assert_near (sl_detection_score (SL_DETECTION_F1, 8, predicted, label), 0.5, 1e-15, 0);
  sl_assert_near (sl_detection_score (SL_DETECTION_PRECISION, 8, predicted, label), 0.4, 1e-15, 0);
  sl_assert_near (sl_detection_score (SL_DETECTION_RECALL, 8, predicted, label), 2.0 / 3, 1e-15, 0);
  g_assert_cmpfloat (sl_detection_score (SL_DETECTION_PRECISION, 8, none, label), ==, 1.0);
  g_assert_cmpfloat (sl_detection_score (SL_DETECTION_RECALL, 8, none, label), ==, 0.0);
  g_assert_cmpfloat (sl_detection_score (SL_DETECTION_PRECISION, 8, predicted, none), ==, 0.0);
  g_assert_cmpfloat (sl_detection_score (SL_DETECTION_RECALL, 8, predicted, none), ==, 1.0);
  g_assert_cmpfloat (sl_detection_score (SL_DETECTION_F1, 8, none, none), ==, 1.0);
}

static void
test_explore (void)
{
  JsonObject *values
    = json_object_get_object_member (json_object_get_object_member (golden, "epsilon"), "values");
  g_autoptr (GList) steps = json_object_get_members (values);

  g_assert_nonnull (steps);
  for (GList *step = steps; step != NULL; step = step->next)
    sl_assert_near (sl_explore (0.05, 1000, g_ascii_strtod (step->data, NULL)),
                    sl_golden_number (values, step->data), 0, tol);
  sl_assert_near (sl_explore (0.1, 0, 0), 0.1, 0, 0);
}

/* A bag none of whose examples came to the controller teaches nothing; a short last one counts. */
static void
test_bags (void)
{
  const uint32_t row[3] = { 0, 1, 6 };
  const uint8_t  action[3] = { 0, 1, 1 };
  const sl_real  q[6] = { 0.5, 9, 9, 0.25, 9, 1 };
  const double   reward[3] = { 1, 100, 3 };
  sl_real        dq[6] = { 0 };
  size_t         bags;
  SlDecisions    scored = { 3, 2, row, action, q };
  const double   want[6] = { -0.5, 0, 0, -0.5, 0, -4 };

  sl_assert_near (sl_q_loss (&scored, 3, reward, 1, dq, &bags), 0.0625 + 4, 0, 1e-12);
  g_assert_cmpuint (bags, ==, 2);
  sl_assert_close (dq, want, 6, 0, 1e-12);
  scored.n = 0;
  sl_assert_near (sl_q_loss (&scored, 3, reward, 1, dq, &bags), 0, 0, 0);
  g_assert_cmpuint (bags, ==, 0);
}

/* Two controllers, one of which may not run, a merge of both kinds, pictures. */
static void
make_mixed (SlDagPlan *plan)
{
  unsigned in, stem, qa, qb, a, b, c, dummy, merge, beside, out;

  *plan = (SlDagPlan) { 0 };
  in = sl_dag_add (plan, &(SlDagNode) { "in", SL_DAG_INPUT, .shape = { 2, 5, 6 } });
  stem = sl_dag_add (plan,
                     &(SlDagNode) { "stem", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 3, 2, true } } });
  qa = sl_dag_add (
    plan,
    &(SlDagNode) {
      "QA", SL_DAG_CONTROL, 2, { { SL_DAG_POOL, 0, 2, false }, { SL_DAG_DENSE, 3, 0, false } } });
  a = sl_dag_add (plan, &(SlDagNode) { "a", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 3, 1, true } } });
  b = sl_dag_add (
    plan,
    &(SlDagNode) {
      "b", SL_DAG_REGULAR, 2, { { SL_DAG_CONV, 4, 1, true }, { SL_DAG_CONV, 3, 1, false } } });
  dummy = sl_dag_add (
    plan, &(SlDagNode) { .name = "D", .kind = SL_DAG_DUMMY, .shape = { 3, 3, 3 }, .value = 0.5 });
  qb = sl_dag_add (plan,
                   &(SlDagNode) { "QB", SL_DAG_CONTROL, 1, { { SL_DAG_DENSE, 2, 0, false } } });
  merge = sl_dag_add (plan, &(SlDagNode) { "merge", SL_DAG_REGULAR });
  c = sl_dag_add (plan, &(SlDagNode) { "c", SL_DAG_REGULAR, 1, { { SL_DAG_CONV, 2, 1, true } } });
  beside = sl_dag_add (plan, &(SlDagNode) { .name = "beside",
                                            .kind = SL_DAG_REGULAR,
                                            .n_layers = 1,
                                            .beside = true,
                                            .layer = { { SL_DAG_DENSE, 4, 0, false } } });
  out = sl_dag_add (plan, &(SlDagNode) { "out", SL_DAG_OUTPUT });
  sl_dag_join (plan, in, stem);
  sl_dag_join (plan, stem, qa);
  sl_dag_join (plan, stem, a);
  sl_dag_join (plan, stem, b);
  sl_dag_control (plan, qa, dummy);
  sl_dag_control (plan, qa, a);
  sl_dag_control (plan, qa, b);
  sl_dag_default (plan, a, merge);
  sl_dag_default (plan, b, merge);
  sl_dag_default (plan, dummy, merge);
  sl_dag_join (plan, stem, merge);
  sl_dag_join (plan, b, qb);
  sl_dag_join (plan, merge, c);
  sl_dag_control (plan, qb, c);
  sl_dag_control (plan, qb, dummy);
  sl_dag_join (plan, merge, beside);
  plan->edge[plan->n_edges++] = (SlDagEdge) { c, beside, false, true, (sl_real) 0.25 };
  sl_dag_join (plan, stem, beside);
  sl_dag_join (plan, beside, out);
}

enum { ROWS = 17, INPUTS = 60, CLASSES = 4 };

static void
fill_rows (sl_real *x, sl_real *slope)
{
  SlRng rng;

  sl_rng_init (&rng, 8, "rows");
  for (int i = 0; i < ROWS * INPUTS; i++)
    x[i] = (sl_real) sl_rng_normal (&rng);
  for (int i = 0; i < ROWS * CLASSES; i++)
    slope[i] = (sl_real) sl_rng_normal (&rng);
}

/* A batch that spreads over all paths against its examples one by one: outputs, costs, actions and
 * the gradient.  */
static void
test_twin (void)
{
  SlDagPlan      plan;
  Graph          graph, one;
  sl_real        x[ROWS * INPUTS], slope[ROWS * CLASSES];
  unsigned       qa, qb, paths[8] = { 0 };
  bool           runs[SL_DAG_NODES];
  const sl_real *y;

  make_mixed (&plan);
  fill_rows (x, slope);
  graph_init (&graph, &plan, ROWS);
  graph_init (&one, &plan, 1);
  qa = graph.facts.controller[0];
  qb = graph.facts.controller[1];
  /* Scores near each other, so that examples differ. */
  for (size_t i = 0; i < graph.dag.n; i++)
    one.weights[i] = graph.weights[i];
  g_autofree double *sum = g_new0 (double, graph.dag.n);

  y = sl_dag_forward (&graph.dag, ROWS, x, NULL);
  for (uint32_t r = 0; r < ROWS; r++)
    {
      const SlDagTurn *a = &graph.dag.turn[qa], *b = &graph.dag.turn[qb];
      uint8_t          action[2]
        = { a->action[a->place[r]], b->place[r] != SL_DAG_NULL ? b->action[b->place[r]] : 0 };
      const sl_real *alone = sl_dag_forward (&one.dag, 1, x + r * INPUTS, NULL);
      double         want[CLASSES];

      for (int c = 0; c < CLASSES; c++)
        want[c] = (double) alone[c];
      sl_assert_close (y + r * CLASSES, want, CLASSES, 0, 1e-9);
      g_assert_cmpuint (one.dag.turn[qa].action[0], ==, action[0]);
      sl_assert_near (graph.dag.cost[r], sl_dag_trace (&plan, &graph.facts, action, runs, NULL), 0,
                      0);
      for (unsigned i = 0; i < plan.n_nodes; i++)
        g_assert_true (runs[i] == (graph.dag.turn[i].place[r] != SL_DAG_NULL));
      paths[action[0] == 2 ? 2 + action[1] : action[0]]++;
      sl_dag_begin_backward (&one.dag);
      memcpy (one.dag.turn[one.facts.output].dy, slope + r * CLASSES, CLASSES * sizeof *slope);
      for (uint32_t k = 0; k < one.dag.turn[qb].n; k++)
        one.dag.turn[qb].dy[0] = 1;
      sl_dag_backward (&one.dag, NULL);
      for (size_t i = 0; i < graph.dag.n; i++)
        sum[i] += (double) one.gradient[i];
    }
  for (int p = 0; p < 4; p++)
    g_assert_cmpuint (paths[p], >, 0);
  sl_dag_begin_backward (&graph.dag);
  memcpy (graph.dag.turn[graph.facts.output].dy, slope, sizeof slope);
  for (uint32_t k = 0; k < graph.dag.turn[qb].n; k++)
    graph.dag.turn[qb].dy[2 * k] = 1;
  sl_dag_backward (&graph.dag, NULL);
  sl_assert_close (graph.gradient, sum, graph.dag.n, 0, 1e-9);
  graph_clear (&graph);
  graph_clear (&one);
}

static double
weigh (Graph *graph, const sl_real *x, const sl_real *slope, const uint8_t *forced)
{
  const sl_real *y = sl_dag_forward (&graph->dag, ROWS, x, forced);
  double         sum = 0.0;

  for (int i = 0; i < ROWS * CLASSES; i++)
    sum += (double) (y[i] * slope[i]);
  return sum;
}

/* The gradient against differences, with the decisions held. */
static void
test_gradient (void)
{
  SlDagPlan plan;
  Graph     graph;
  sl_real   x[ROWS * INPUTS], slope[ROWS * CLASSES];
  uint8_t   forced[2 * ROWS];
  double    wrong = 0.0, norm = 0.0;

  make_mixed (&plan);
  fill_rows (x, slope);
  graph_init (&graph, &plan, ROWS);
  for (int i = 0; i < 2 * ROWS; i++)
    forced[i] = (uint8_t) (i < ROWS ? i % 3 : i % 2);
  weigh (&graph, x, slope, forced);
  sl_dag_begin_backward (&graph.dag);
  memcpy (graph.dag.turn[graph.facts.output].dy, slope, sizeof slope);
  sl_dag_backward (&graph.dag, NULL);
  for (size_t i = 0; i < graph.dag.n; i++)
    {
      sl_real kept = graph.weights[i];
      double  above, below, difference;

      graph.weights[i] = kept + (sl_real) 1e-6;
      above = weigh (&graph, x, slope, forced);
      graph.weights[i] = kept - (sl_real) 1e-6;
      below = weigh (&graph, x, slope, forced);
      graph.weights[i] = kept;
      difference = (above - below) / 2e-6;
      wrong += pow ((double) graph.gradient[i] - difference, 2);
      norm += difference * difference;
    }
  g_assert_cmpfloat (norm, >, 1.0);
  g_assert_true (sqrt (wrong / norm) < 1e-6);
  graph_clear (&graph);
}

/* Nodes that are taught beside the paths change neither what an example gets nor what it costs nor
 * what the paths teach, and controllers stay with those who came.  */
static void
test_taught (void)
{
  SlDagPlan plan;
  Graph     graph, taught;
  sl_real   x[ROWS * INPUTS], slope[ROWS * CLASSES];
  uint8_t   forced[2 * ROWS];
  unsigned  more = 0;

  make_mixed (&plan);
  fill_rows (x, slope);
  graph_init (&graph, &plan, ROWS);
  graph_init (&taught, &plan, ROWS);
  taught.dag.all = true;
  for (int i = 0; i < 2 * ROWS; i++)
    forced[i] = (uint8_t) (i < ROWS ? i % 3 : i % 2);
  sl_assert_near (weigh (&taught, x, slope, forced), weigh (&graph, x, slope, forced), 0, 1e-9);
  for (int r = 0; r < ROWS; r++)
    sl_assert_near (taught.dag.cost[r], graph.dag.cost[r], 0, 0);
  for (unsigned i = 0; i < plan.n_nodes; i++)
    {
      const SlDagTurn *some = &graph.dag.turn[i], *all = &taught.dag.turn[i];

      g_assert_cmpuint (all->n, ==, plan.node[i].kind == SL_DAG_REGULAR ? ROWS : some->n);
      for (uint32_t r = 0; r < ROWS; r++)
        g_assert_true ((all->sent[r] != 0) == (some->place[r] != SL_DAG_NULL));
    }
  for (int pass = 0; pass < 2; pass++)
    {
      Graph *own = pass == 0 ? &graph : &taught;

      sl_dag_begin_backward (&own->dag);
      memcpy (own->dag.turn[own->facts.output].dy, slope, sizeof slope);
      sl_dag_backward (&own->dag, NULL);
    }
  g_autofree double *want = g_new (double, graph.dag.n);

  for (size_t i = 0; i < graph.dag.n; i++)
    want[i] = (double) graph.gradient[i];
  sl_assert_close (taught.gradient, want, graph.dag.n, 0, 1e-9);
  /* A slope at a row that nobody sent teaches the node. */
  for (unsigned i = 0; i < plan.n_nodes; i++)
    for (uint32_t r = 0; r < ROWS; r++)
      if (taught.dag.turn[i].place[r] != SL_DAG_NULL && !taught.dag.turn[i].sent[r])
        {
          sl_dag_begin_backward (&taught.dag);
          taught.dag.turn[i].dy[r * sl_dag_width (taught.facts.out[i])] = 1;
          sl_dag_backward (&taught.dag, NULL);
          for (size_t k = 0; k < taught.dag.count[i]; k++)
            more += taught.gradient[taught.dag.first[i] + k] != 0;
        }
  g_assert_cmpuint (more, >, 0);
  graph_clear (&graph);
  graph_clear (&taught);
}

/* Controllers that are asked about everybody say the same to those who came, and send nobody else
 * anywhere.  */
static void
test_asked (void)
{
  SlDagPlan plan;
  Graph     graph, asked;
  sl_real   x[ROWS * INPUTS], slope[ROWS * CLASSES];
  unsigned  more = 0;

  make_mixed (&plan);
  fill_rows (x, slope);
  graph_init (&graph, &plan, ROWS);
  graph_init (&asked, &plan, ROWS);
  asked.dag.all = asked.dag.ask = true;
  sl_assert_near (weigh (&asked, x, slope, NULL), weigh (&graph, x, slope, NULL), 0, 1e-9);
  for (int r = 0; r < ROWS; r++)
    sl_assert_near (asked.dag.cost[r], graph.dag.cost[r], 0, 0);
  for (unsigned i = 0; i < plan.n_nodes; i++)
    {
      const SlDagTurn *some = &graph.dag.turn[i], *all = &asked.dag.turn[i];

      for (uint32_t r = 0; r < ROWS; r++)
        {
          g_assert_true ((all->sent[r] != 0) == (some->place[r] != SL_DAG_NULL));
          more
            += plan.node[i].kind == SL_DAG_CONTROL && all->place[r] != SL_DAG_NULL && !all->sent[r];
          if (plan.node[i].kind == SL_DAG_CONTROL && some->place[r] != SL_DAG_NULL)
            g_assert_cmpuint (all->action[all->place[r]], ==, some->action[some->place[r]]);
        }
    }
  g_assert_cmpuint (more, >, 0);
  graph_clear (&graph);
  graph_clear (&asked);
}

/* All examples on one path: the other branch gets an empty batch and is left alone, with its
 * moments and its count.  */
static void
test_starved (void)
{
  SlOptimSetting adam = sl_optim_default ();
  SlDagPlan      plan;
  Graph          graph;
  sl_real        x[4] = { 1, 2, 3, 4 };
  uint8_t        forced[2] = { 1, 1 };
  enum { LOW = 6, HIGH = 9, ALL = 12 };
  sl_real before[ALL];

  make_linear (&plan);
  graph_init (&graph, &plan, 2);
  g_assert_cmpuint (graph.dag.n, ==, ALL);
  for (int t = 0; t < 3; t++)
    {
      memcpy (before, graph.weights, sizeof before);
      sl_dag_forward (&graph.dag, 2, x, forced);
      sl_dag_begin_backward (&graph.dag);
      graph.dag.turn[graph.facts.output].dy[0] = 1;
      sl_dag_backward (&graph.dag, &adam);
      g_assert_cmpmem (before + LOW, 3 * sizeof *before, graph.weights + LOW, 3 * sizeof *before);
      g_assert_true (memcmp (before + HIGH, graph.weights + HIGH, 3 * sizeof *before) != 0);
    }
  g_assert_cmpuint (graph.dag.updates[3], ==, 0);
  g_assert_cmpuint (graph.dag.updates[4], ==, 3);
  for (int i = LOW; i < HIGH; i++)
    g_assert_true (graph.dag.m[i] == 0 && graph.dag.v[i] == 0);
  /* It costs nothing either: the controller and one branch, forward and twice back, less what of
   * the way back goes to the examples.  */
  sl_assert_near (sl_dag_executed (&graph.dag), 2 * (4 + 2), 0, 0);
  sl_assert_near (sl_dag_step_macs (&graph.dag), 3 * 2 * (4 + 2), 0, 0);
  graph_clear (&graph);
}

/* Equal scores go to the first edge; a controller with one edge has nothing to decide. */
static void
test_ties (void)
{
  SlDagPlan plan;
  Graph     graph;
  sl_real   x[4] = { 1, 2, 3, 4 };

  make_linear (&plan);
  graph_init (&graph, &plan, 2);
  memset (graph.weights, 0, graph.dag.n * sizeof *graph.weights);
  sl_dag_forward (&graph.dag, 2, x, NULL);
  g_assert_cmpuint (graph.dag.turn[2].action[0], ==, 0);
  g_assert_cmpuint (graph.dag.turn[3].n, ==, 2);
  g_assert_cmpuint (graph.dag.turn[4].n, ==, 0);
  graph_clear (&graph);

  plan = (SlDagPlan) { 0 };
  unsigned in = add_end (&plan, "in", SL_DAG_INPUT, 2);
  unsigned q = add_dense (&plan, "Q", SL_DAG_CONTROL, 1, false);
  unsigned n = add_dense (&plan, "N", SL_DAG_REGULAR, 3, true);

  sl_dag_join (&plan, in, q);
  sl_dag_join (&plan, in, n);
  sl_dag_control (&plan, q, n);
  sl_dag_join (&plan, n, add_end (&plan, "out", SL_DAG_OUTPUT, 0));
  graph_init (&graph, &plan, 2);
  sl_dag_forward (&graph.dag, 2, x, NULL);
  g_assert_cmpuint (graph.dag.turn[n].n, ==, 2);
  graph_clear (&graph);
}

/* A default that is not 0 stands in for what a fixed path leaves out. */
static void
test_fixed (void)
{
  SlDagPlan plan, fixed;
  Graph     graph, rest;
  sl_real   x[ROWS * INPUTS], slope[ROWS * CLASSES];

  make_mixed (&plan);
  fill_rows (x, slope);
  graph_init (&graph, &plan, ROWS);
  for (uint8_t path = 0; path < 4; path++)
    {
      uint8_t        action[2] = { path < 2 ? path : 2, path == 3 }, forced[2 * ROWS];
      const sl_real *y, *z;
      double         want[ROWS * CLASSES];

      memset (forced, action[0], ROWS);
      memset (forced + ROWS, action[1], ROWS);
      y = sl_dag_forward (&graph.dag, ROWS, x, forced);
      for (int i = 0; i < ROWS * CLASSES; i++)
        want[i] = (double) y[i];
      sl_dag_fix (&plan, &graph.facts, action, &fixed);
      graph_init (&rest, &fixed, ROWS);
      g_assert_cmpuint (rest.facts.n_controllers, ==, 0);
      for (unsigned i = 0; i < fixed.n_nodes; i++)
        for (unsigned k = 0; k < plan.n_nodes; k++)
          if (strcmp (fixed.node[i].name, plan.node[k].name) == 0)
            memcpy (rest.weights + rest.dag.first[i], graph.weights + graph.dag.first[k],
                    rest.dag.count[i] * sizeof (sl_real));
      z = sl_dag_forward (&rest.dag, ROWS, x, NULL);
      sl_assert_close (z, want, ROWS * CLASSES, 0, 1e-9);
      graph_clear (&rest);
    }
  graph_clear (&graph);
}

/* Two inputs that have half of an example each; a controller chooses what answers beside C, which always does.
 * `several`: each answer at an output of its own, else added up before the only one.  */
static void
make_ends (SlDagPlan *plan, bool several)
{
  unsigned in, a, b, c, left, right, q, out;

  *plan = (SlDagPlan) { .width = 4 };
  left = sl_dag_add (plan, &(SlDagNode) { "left", SL_DAG_INPUT, .shape = { 2, 1, 1 } });
  right
    = sl_dag_add (plan, &(SlDagNode) { "right", SL_DAG_INPUT, .shape = { 1, 1, 1 }, .first = 3 });
  in = add_dense (plan, "N1", SL_DAG_REGULAR, 5, true);
  plan->node[in].beside = true;
  q = add_dense (plan, "Q", SL_DAG_CONTROL, 2, false);
  a = add_dense (plan, "A", SL_DAG_REGULAR, 3, false);
  b = add_dense (plan, "B", SL_DAG_REGULAR, 3, false);
  c = add_dense (plan, "C", SL_DAG_REGULAR, 3, false);
  sl_dag_join (plan, left, in);
  sl_dag_join (plan, right, in);
  sl_dag_join (plan, left, q);
  sl_dag_join (plan, in, a);
  sl_dag_join (plan, in, b);
  sl_dag_join (plan, right, c);
  sl_dag_control (plan, q, a);
  sl_dag_control (plan, q, b);
  out = add_end (plan, "out", SL_DAG_OUTPUT, 0);
  sl_dag_default (plan, a, out);
  if (!several)
    {
      sl_dag_default (plan, b, out);
      sl_dag_join (plan, c, out);
      return;
    }
  plan->edge[plan->n_edges - 1].has_fallback = false;
  sl_dag_join (plan, b, add_end (plan, "out B", SL_DAG_OUTPUT, 0));
  sl_dag_join (plan, c, add_end (plan, "out C", SL_DAG_OUTPUT, 0));
}

/* Several outputs are their sum, forwards and backwards; inputs have their numbers of the example. */
static void
test_ends (void)
{
  enum { N = 16, LEFT = 0, RIGHT = 1 };
  SlDagPlan plan, one_plan, fixed;
  Graph     graph, one;
  sl_real   x[4 * N];
  uint8_t   action[SL_DAG_CONTROLLERS] = { 1 };

  make_ends (&plan, true);
  make_ends (&one_plan, false);
  graph_init (&graph, &plan, N);
  graph_init (&one, &one_plan, N);
  g_assert_cmpuint (graph.facts.n_outputs, ==, 3);
  g_assert_cmpuint (graph.facts.width, ==, 4);
  for (int i = 0; i < 4 * N; i++)
    x[i] = (sl_real) sin (1.0 + 2.3 * i);
  sl_dag_forward (&graph.dag, N, x, NULL);
  sl_dag_forward (&one.dag, N, x, NULL);
  for (int e = 0; e < N; e++)
    {
      g_assert_cmpmem (graph.dag.turn[LEFT].y + 2 * e, 2 * sizeof *x, x + 4 * e, 2 * sizeof *x);
      g_assert_cmpmem (graph.dag.turn[RIGHT].y + e, sizeof *x, x + 4 * e + 3, sizeof *x);
    }
  g_assert_cmpuint (graph.dag.turn[7].n, >, 0);
  g_assert_cmpuint (graph.dag.turn[8].n, >, 0);
  g_assert_cmpuint (graph.dag.turn[7].n + graph.dag.turn[8].n, ==, N);
  g_assert_cmpmem (graph.dag.y, 3 * N * sizeof *x, one.dag.y, 3 * N * sizeof *x);
  for (Graph *g = &graph; g != NULL; g = g == &graph ? &one : NULL)
    {
      sl_dag_begin_backward (&g->dag);
      for (int i = 0; i < 3 * N; i++)
        {
          g_assert_cmpfloat (g->dag.dy[i], ==, 0);
          g->dag.dy[i] += (sl_real) cos (0.7 * i);
        }
      sl_dag_backward (&g->dag, NULL);
    }
  g_assert_cmpmem (graph.gradient, graph.dag.n * sizeof *x, one.gradient, one.dag.n * sizeof *x);
  sl_dag_fix (&plan, &graph.facts, action, &fixed);
  graph_clear (&one);
  graph_init (&one, &fixed, N);
  g_assert_cmpuint (one.facts.n_outputs, ==, 2);
  graph_clear (&one);
  graph_clear (&graph);
}

/* An update multiplies three times what a pass does, but for the slope of the input, which nobody wants. */
static void
test_step_macs (void)
{
  enum { N = 3 };
  SlDagPlan plan = { 0 };
  Graph     graph;
  sl_real   x[3 * N] = { 0 };
  unsigned  in = add_end (&plan, "in", SL_DAG_INPUT, 3), out;
  unsigned  two
    = sl_dag_add (&plan, &(SlDagNode) { .name = "two",
                                        .kind = SL_DAG_REGULAR,
                                        .n_layers = 2,
                                        .layer = { { .kind = SL_DAG_DENSE, .units = 5 },
                                                   { .kind = SL_DAG_DENSE, .units = 7 } } });
  unsigned last = add_dense (&plan, "last", SL_DAG_REGULAR, 2, false);

  out = add_end (&plan, "out", SL_DAG_OUTPUT, 2);
  sl_dag_join (&plan, in, two);
  sl_dag_join (&plan, two, last);
  sl_dag_join (&plan, last, out);
  graph_init (&graph, &plan, N);
  sl_dag_forward (&graph.dag, N, x, NULL);
  g_assert_cmpfloat (sl_dag_executed (&graph.dag), ==, N * (3 * 5 + 5 * 7 + 7 * 2));
  g_assert_cmpfloat (sl_dag_step_macs (&graph.dag), ==, N * (2 * 3 * 5 + 3 * 5 * 7 + 3 * 7 * 2));
  graph_clear (&graph);
}

static void
refused (const SlDagPlan *plan, const char *node, const char *found)
{
  SlDagFacts facts;
  SlStatus   status = sl_dag_check (plan, &facts);
  char       text[512];

  sl_status_text (&status, text, sizeof text);
  g_test_message ("%s", text);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_nonnull (strstr (text, node));
  g_assert_nonnull (strstr (text, found));
  g_assert_cmpuint (strlen (sl_english (&status.expected)), >, 0);
}

static void
test_refused (void)
{
  enum { IN, STEM, Q, LOW, HIGH, OUT };
  SlDagPlan plan, good;

  make_linear (&good);
  plan = good;
  plan.n_nodes = 1;
  refused (&plan, "graph", "an edge from");
  plan = good;
  plan.node[OUT].kind = SL_DAG_REGULAR;
  refused (&plan, "graph", "1 inputs and 0 outputs");
  make_ends (&plan, true);
  plan.width = 3;
  refused (&plan, "node right", "reaches beyond the example");
  make_ends (&plan, true);
  plan.node[6].layer[0].units = 2;
  refused (&plan, "node out C", "another size than the first");
  make_ends (&plan, true);
  plan.node[9].kind = SL_DAG_REGULAR;
  g_assert_true (sl_dag_check (&plan, &(SlDagFacts) { 0 }).code == SL_OK);
  plan.node[8].kind = SL_DAG_REGULAR;
  refused (&plan, "node out", "without a value");
  plan = good;
  sl_dag_join (&plan, LOW, STEM);
  refused (&plan, "node N1", "a cycle");
  plan = good;
  sl_dag_join (&plan, Q, OUT);
  refused (&plan, "node Q", "data edges and control edges");
  plan = good;
  sl_dag_control (&plan, LOW, HIGH);
  refused (&plan, "node low", "data edges and control edges");
  plan = good;
  add_dense (&plan, "extra", SL_DAG_REGULAR, 1, false);
  sl_dag_join (&plan, STEM, 6);
  sl_dag_control (&plan, 6, HIGH);
  refused (&plan, "node extra", "a control edge out of it");
  plan = good;
  sl_dag_add (&plan, &plan.node[Q]);
  plan.node[6].name = "Q2";
  sl_dag_join (&plan, STEM, 6);
  sl_dag_control (&plan, 6, HIGH);
  sl_dag_control (&plan, 6, LOW);
  sl_dag_control (&plan, Q, 6);
  refused (&plan, "node Q2", "controlled itself");
  plan = good;
  plan.edge[plan.n_edges - 1].has_fallback = false;
  refused (&plan, "node out", "without a value");
  plan = good;
  sl_dag_control (&plan, Q, OUT);
  plan.node[Q].layer[0].units = 3;
  refused (&plan, "node out", "without a value");
  plan = good;
  plan.node[Q].layer[0].units = 3;
  refused (&plan, "node Q", "3 scores for 2 control edges");
  plan = good;
  plan.node[Q].layer[0].rectified = true;
  refused (&plan, "node Q", "without scores");
  plan = good;
  plan.node[LOW].layer[0].units = 2;
  refused (&plan, "node out", "do not fit");
  plan = good;
  sl_dag_join (&plan, STEM, LOW);
  refused (&plan, "node low", "twice");
  plan = good;
  sl_dag_join (&plan, LOW, IN);
  refused (&plan, "node in", "into the input");
  plan = good;
  sl_dag_join (&plan, OUT, LOW);
  refused (&plan, "node out", "out of the output");
  plan = good;
  add_dense (&plan, "lonely", SL_DAG_REGULAR, 1, false);
  refused (&plan, "node lonely", "no input");
  plan = good;
  add_dense (&plan, "idle", SL_DAG_CONTROL, 1, false);
  sl_dag_join (&plan, STEM, 6);
  refused (&plan, "node idle", "without control edges");
  plan = good;
  plan.node[HIGH].layer[0].units = 0;
  refused (&plan, "node high", "without units");
  plan = good;
  plan.node[HIGH].layer[0].kind = SL_DAG_POOL;
  refused (&plan, "node high", "less than two numbers");
  plan = good;
  plan.node[HIGH].n_layers = SL_DAG_LAYERS + 1;
  refused (&plan, "node high", "too many layers");
  plan = good;
  plan.node[IN].shape.width = 0;
  refused (&plan, "node in", "nothing to pass on");
  plan = good;
  add_end (&plan, "constant", SL_DAG_DUMMY, 1);
  sl_dag_join (&plan, LOW, 6);
  refused (&plan, "node constant", "data for a constant");
  plan = good;
  plan.node[LOW].n_layers = plan.node[HIGH].n_layers = 0;
  refused (&plan, "graph", "multiply nothing");
  plan = good;
  for (int i = 0; i < SL_DAG_NODES; i++)
    add_dense (&plan, "more", SL_DAG_REGULAR, 1, false);
  refused (&plan, "graph", "70 nodes");
  plan = good;
  for (int i = 0; i < SL_DAG_EDGES; i++)
    sl_dag_join (&plan, IN, LOW);
  refused (&plan, "graph", "200 edges");
}

int
main (int argc, char **argv)
{
  JsonNode *node;
  int       result;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  node = sl_golden_load (argv[1]);
  golden = json_node_get_object (node);
  g_test_add_func ("/dag/semantics", test_semantics);
  g_test_add_func ("/dag/either", test_either);
  g_test_add_func ("/dag/counts", test_counts);
  g_test_add_func ("/dag/high-low", test_high_low);
  g_test_add_func ("/dag/bag-optimum", test_bag_optimum);
  g_test_add_func ("/dag/f1", test_f1);
  g_test_add_func ("/dag/detection", test_detection);
  g_test_add_func ("/dag/explore", test_explore);
  g_test_add_func ("/dag/bags", test_bags);
  g_test_add_func ("/dag/twin", test_twin);
  g_test_add_func ("/dag/gradient", test_gradient);
  g_test_add_func ("/dag/taught", test_taught);
  g_test_add_func ("/dag/asked", test_asked);
  g_test_add_func ("/dag/starved", test_starved);
  g_test_add_func ("/dag/ties", test_ties);
  g_test_add_func ("/dag/fixed", test_fixed);
  g_test_add_func ("/dag/step-macs", test_step_macs);
  g_test_add_func ("/dag/ends", test_ends);
  g_test_add_func ("/dag/refused", test_refused);
  result = g_test_run ();
  json_node_unref (node);
  return result;
}
