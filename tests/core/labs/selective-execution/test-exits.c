/* SPDX-License-Identifier: MIT
 *
 * Early exits against golden numbers in both precisions: how sure exits are, curves over all thresholds with
 * equal values, chances of a promise and sequences of tests.  Then against naive twins on random passes with
 * ties and with what is not a number, up to three hundred exits.  Sizes are read from the file.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/selective-execution/math/dag.h"
#include "core/labs/selective-execution/math/exits.h"
#include "core/labs/selective-execution/math/promise.h"
#include "core/nn/dense/loss.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static const double rtol = sizeof (sl_real) == sizeof (float) ? 1e-4 : 0;
static const double near = sizeof (sl_real) == sizeof (float) ? 1e-5 : 1e-10;

static JsonObject *golden;

/* A pass that owns its numbers. */
typedef struct
{
  SlExitPass pass;
  double    *sureness, *cost;
  uint8_t   *right, *agrees, *positive;
} Pass;

static void
pass_init (Pass *p, SlExitMeasure measure, size_t n, size_t exits)
{
  p->sureness = g_new0 (double, n *exits);
  p->cost = g_new0 (double, exits);
  p->right = g_new0 (uint8_t, n * exits);
  p->agrees = g_new0 (uint8_t, n * exits);
  p->positive = g_new0 (uint8_t, n);
  p->pass = (SlExitPass) { .measure = measure,
                           .n = n,
                           .exits = exits,
                           .sureness = p->sureness,
                           .right = p->right,
                           .agrees = p->agrees,
                           .positive = p->positive,
                           .cost = p->cost };
}

static void
pass_clear (Pass *p)
{
  g_free (p->sureness);
  g_free (p->cost);
  g_free (p->right);
  g_free (p->agrees);
  g_free (p->positive);
}

static void
copy_flags (JsonObject *c, const char *name, uint8_t *to)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (c, name);

  for (guint i = 0; i < numbers->len; i++)
    to[i] = g_array_index (numbers, double, i) != 0;
}

static void
copy_doubles (JsonObject *c, const char *name, double *to)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (c, name);

  memcpy (to, numbers->data, numbers->len * sizeof *to);
}

/* The whole curve, in memory of its own. */
static size_t
trace (const SlExitPass *pass, SlExitPoint **points)
{
  size_t                 most = pass->n * (pass->exits - 1);
  g_autofree SlExitMove *moves = g_new (SlExitMove, most + 1);

  *points = g_new (SlExitPoint, most + 1);
  return sl_exit_curve (pass, moves, *points);
}

static void
test_sureness (gconstpointer data)
{
  static const struct
  {
    SlExitMeasure measure;
    const char   *name;
  } measures[]
    = { { SL_EXIT_MARGIN, "margin" }, { SL_EXIT_ENTROPY, "entropy_nats" }, { SL_EXIT_TOP, "top" } };
  JsonObject *c = json_object_get_object_member (golden, data);
  size_t      rows = (size_t) (sl_golden_number (c, "M") * sl_golden_number (c, "B"));
  size_t      classes = (size_t) sl_golden_number (c, "C");
  g_autoptr (GArray) logits = sl_golden_numbers (c, "logits");

  g_assert_cmpuint (logits->len, ==, rows * classes);
  for (guint m = 0; m < G_N_ELEMENTS (measures); m++)
    {
      g_autoptr (GArray) want = sl_golden_numbers (c, measures[m].name);

      for (size_t r = 0; r < rows; r++)
        {
          sl_real y[64];

          for (size_t k = 0; k < classes; k++)
            y[k] = (sl_real) g_array_index (logits, double, r *classes + k);
          sl_assert_near (sl_exit_sureness (measures[m].measure, classes, y),
                          g_array_index (want, double, r), rtol, near);
        }
    }
}

/* The cascade of the golden file as a graph: stages, their exits, and rules between them. */
typedef struct
{
  SlDag     dag;
  SlDagRule rule;
  SlArena   kept, scratch;
  sl_real  *weights, *gradient;
  unsigned  stage[8], exit[8], answer[8];
  size_t    exits, batch, classes;
} Net;

static unsigned
add_node (SlDagPlan *plan, SlDagKind kind, size_t units, bool rectified, const SlDagRule *rule)
{
  SlDagNode  node = { .name = "node", .kind = kind };
  SlDagLayer layer = { .kind = rule != NULL ? SL_DAG_RULE : SL_DAG_DENSE,
                       .units = units,
                       .rectified = rectified,
                       .rule = rule };

  if (units > 0)
    node.layer[node.n_layers++] = layer;
  return sl_dag_add (plan, &node);
}

static void
plan_net (Net *net, SlDagPlan *plan, size_t inputs, size_t hidden)
{
  SlDagNode in = { .name = "in", .kind = SL_DAG_INPUT, .shape = { inputs, 1, 1 } };
  unsigned  before = sl_dag_add (plan, &in), out = add_node (plan, SL_DAG_OUTPUT, 0, false, NULL),
           rule = 0;

  for (size_t k = 0; k < net->exits; k++)
    {
      net->stage[k] = add_node (plan, SL_DAG_REGULAR, hidden, true, NULL);
      sl_dag_join (plan, before, net->stage[k]);
      if (k > 0)
        sl_dag_control (plan, rule, net->stage[k]);
      net->exit[k] = net->answer[k] = add_node (plan, SL_DAG_REGULAR, net->classes, false, NULL);
      sl_dag_join (plan, net->stage[k], net->exit[k]);
      if (k + 1 < net->exits)
        {
          rule = add_node (plan, SL_DAG_CONTROL, 2, false, &net->rule);
          sl_dag_join (plan, net->exit[k], rule);
          net->answer[k] = add_node (plan, SL_DAG_REGULAR, 0, false, NULL);
          sl_dag_join (plan, net->exit[k], net->answer[k]);
          sl_dag_control (plan, rule, net->answer[k]);
        }
      sl_dag_default (plan, net->answer[k], out);
      before = net->stage[k];
    }
}

static void
carve_net (Net *net, const SlDagPlan *plan, const SlDagFacts *facts)
{
  net->kept.used = net->scratch.used = 0;
  sl_dag_carve (&net->dag, plan, facts, net->batch, &net->kept, &net->scratch);
  net->weights = sl_arena_reals (&net->kept, net->dag.n);
  net->gradient = sl_arena_reals (&net->scratch, net->dag.n);
}

/* The file has one column per unit where a node has one row. */
static void
copy_layer (JsonObject *c, const char *kind, size_t k, const Net *net, unsigned node, bool back)
{
  const SlDagFacts *facts = &net->dag.facts;
  size_t            in = sl_dag_width (facts->in[node]), out = sl_dag_width (facts->out[node]);
  sl_real *w = net->weights + net->dag.first[node], *g = net->gradient + net->dag.first[node];
  g_autofree char *name = g_strdup_printf ("%c%zu", kind[0], k);
  g_autofree char *bias = g_strdup_printf ("%c%zu", kind[1], k);
  g_autoptr (GArray) numbers = sl_golden_numbers (c, name);
  g_autoptr (GArray) biases = sl_golden_numbers (c, bias);

  g_assert_cmpuint (numbers->len, ==, in * out);
  for (size_t j = 0; j < in; j++)
    for (size_t i = 0; i < out; i++)
      if (back)
        sl_assert_near ((double) g[i * in + j], g_array_index (numbers, double, j *out + i), rtol,
                        near);
      else
        w[i * in + j] = (sl_real) g_array_index (numbers, double, j *out + i);
  for (size_t i = 0; i < out; i++)
    if (back)
      sl_assert_near ((double) g[in * out + i], g_array_index (biases, double, i), rtol, near);
    else
      w[in * out + i] = (sl_real) g_array_index (biases, double, i);
}

/* Losses and gradients with every exit on every example, multiplications to each exit, and who is where when a
 * rule decides.  */
static void
test_net (gconstpointer data)
{
  JsonObject *c = json_object_get_object_member (golden, data);
  JsonObject *grads = json_object_get_object_member (c, "grads");
  g_autoptr (GArray) x = sl_golden_numbers (c, "X");
  g_autoptr (GArray) label = sl_golden_numbers (c, "y");
  g_autoptr (GArray) weight = sl_golden_numbers (c, "weights");
  g_autoptr (GArray) losses = sl_golden_numbers (c, "losses");
  g_autoptr (GArray) macs = sl_golden_numbers (c, "multiplications_to_exit");
  g_autoptr (GArray) margin = sl_golden_numbers (c, "margin");
  g_autoptr (GArray) answer = sl_golden_numbers (c, "answer");
  Net        net = { .exits = (size_t) sl_golden_number (c, "M"),
                     .batch = (size_t) sl_golden_number (c, "B"),
                     .classes = (size_t) sl_golden_number (c, "C"),
                     .rule = { SL_EXIT_MARGIN, HUGE_VAL } };
  SlDagPlan  plan = { 0 };
  SlDagFacts facts;
  SlStatus   status;
  sl_real    input[256];
  uint8_t    y[64];
  double     total = 0;

  plan_net (&net, &plan, (size_t) sl_golden_number (c, "D"),
            (size_t) sl_golden_number (c, "hidden"));
  status = sl_dag_check (&plan, &facts);
  g_assert_true (sl_ok (&status));
  carve_net (&net, &plan, &facts);
  status = sl_arena_init (&net.kept, net.kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&net.scratch, net.scratch.used);
  g_assert_true (sl_ok (&status));
  carve_net (&net, &plan, &facts);
  sl_dag_bind (&net.dag, net.weights, net.gradient);
  for (size_t k = 0; k < net.exits; k++)
    {
      copy_layer (c, "Wb", k, &net, net.stage[k], false);
      copy_layer (c, "Vv", k, &net, net.exit[k], false);
    }
  g_assert_cmpuint (x->len, <=, G_N_ELEMENTS (input));
  for (guint i = 0; i < x->len; i++)
    input[i] = (sl_real) g_array_index (x, double, i);
  for (guint i = 0; i < label->len; i++)
    y[i] = (uint8_t) g_array_index (label, double, i);
  net.dag.all = true;
  sl_dag_forward (&net.dag, net.batch, input, NULL);
  sl_dag_begin_backward (&net.dag);
  for (size_t k = 0; k < net.exits; k++)
    {
      SlDagTurn *turn = &net.dag.turn[net.answer[k]];
      double     w = g_array_index (weight, double, k);
      double     loss = sl_softmax_loss (net.batch, net.classes, turn->y, y, turn->dy, NULL);

      sl_assert_near (loss, g_array_index (losses, double, k), rtol, near);
      total += w * loss;
      for (size_t i = 0; i < net.batch * net.classes; i++)
        turn->dy[i] *= (sl_real) w;
    }
  sl_assert_near (total, sl_golden_number (c, "total"), rtol, near);
  sl_dag_backward (&net.dag, NULL);
  for (size_t k = 0; k < net.exits; k++)
    {
      copy_layer (grads, "Wb", k, &net, net.stage[k], true);
      copy_layer (grads, "Vv", k, &net, net.exit[k], true);
    }
  /* Each margin in turn as the threshold: an example takes the first exit that has at least it. */
  net.dag.all = false;
  for (guint t = 0; t < margin->len; t++)
    {
      double threshold = g_array_index (margin, double, t) - 1e-3;

      net.rule.threshold = threshold;
      sl_dag_forward (&net.dag, net.batch, input, NULL);
      for (size_t e = 0; e < net.batch; e++)
        {
          const sl_real *scores = net.dag.turn[net.dag.facts.output].y + e * net.classes;
          size_t         k = 0, best = 0;

          while (k + 1 < net.exits && g_array_index (margin, double, k *net.batch + e) < threshold)
            k++;
          for (size_t i = 1; i < net.classes; i++)
            best = scores[i] > scores[best] ? i : best;
          g_assert_cmpfloat (net.dag.cost[e], ==, g_array_index (macs, double, k));
          g_assert_cmpfloat (best, ==, g_array_index (answer, double, k *net.batch + e));
        }
    }
  sl_arena_clear (&net.kept);
  sl_arena_clear (&net.scratch);
}

static void
test_sureness_edges (void)
{
  sl_real certain[3] = { 0, (sl_real) 5000, 0 }, same[4] = { 2, 2, 2, 2 }, one[1] = { 7 };
  sl_real broken[3] = { 0, NAN, 1 }, endless[3] = { 0, INFINITY, 1 },
          none[2] = { -INFINITY, -INFINITY };
  sl_real barred[2] = { -INFINITY, 3 };

  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_MARGIN, 3, certain), ==, 1);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_TOP, 3, certain), ==, 1);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_ENTROPY, 3, certain), ==, 0);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_MARGIN, 4, same), ==, 0);
  sl_assert_near (sl_exit_sureness (SL_EXIT_ENTROPY, 4, same), log (4), 1e-12, 0);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_MARGIN, 1, one), ==, 1);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_ENTROPY, 1, one), ==, 0);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_MARGIN, 2, barred), ==, 1);
  g_assert_cmpfloat (sl_exit_sureness (SL_EXIT_ENTROPY, 2, barred), ==, 0);
  for (int m = SL_EXIT_MARGIN; m <= SL_EXIT_TOP; m++)
    {
      SlExitMeasure measure = (SlExitMeasure) m;

      g_assert_true (isnan (sl_exit_sureness (measure, 3, broken)));
      g_assert_true (isnan (sl_exit_sureness (measure, 3, endless)));
      g_assert_true (isnan (sl_exit_sureness (measure, 2, none)));
      g_assert_false (sl_exit_leaves (measure, NAN, 0));
      g_assert_false (sl_exit_leaves (measure, NAN, HUGE_VAL));
      g_assert_false (sl_exit_leaves (measure, NAN, -HUGE_VAL));
    }
  /* Margin leaves at the threshold, entropy only below. */
  g_assert_true (sl_exit_leaves (SL_EXIT_MARGIN, 1, 1) && sl_exit_leaves (SL_EXIT_MARGIN, 0, 0));
  g_assert_true (sl_exit_leaves (SL_EXIT_TOP, 0.5, 0.5));
  g_assert_false (sl_exit_leaves (SL_EXIT_ENTROPY, 0, 0));
  g_assert_false (sl_exit_leaves (SL_EXIT_MARGIN, 1, sl_exit_never (SL_EXIT_MARGIN)));
  g_assert_false (sl_exit_leaves (SL_EXIT_ENTROPY, 0, sl_exit_never (SL_EXIT_ENTROPY)));
}

/* The golden file takes entropies up to a threshold, which is what is below one just above it. */
static double
above (SlExitMeasure measure, double threshold)
{
  return measure == SL_EXIT_ENTROPY ? nextafter (threshold, HUGE_VAL) : threshold;
}

static void
test_curve (gconstpointer data)
{
  JsonObject   *c = json_object_get_object_member (golden, data);
  JsonArray    *points = json_object_get_array_member (c, "points");
  const char   *kind = json_object_get_string_member (c, "kind");
  SlExitMeasure measure = g_str_equal (kind, "entropy") ? SL_EXIT_ENTROPY : SL_EXIT_MARGIN;
  SlExitPoint  *got;
  Pass          p;

  pass_init (&p, measure, (size_t) sl_golden_number (c, "T"), (size_t) sl_golden_number (c, "M"));
  copy_doubles (c, "confidence", p.sureness);
  copy_doubles (c, "cost", p.cost);
  copy_flags (c, "right", p.right);
  copy_flags (c, "agree", p.agrees);
  g_assert_cmpuint (trace (&p.pass, &got), ==, json_array_get_length (points));
  for (guint i = 0; i < json_array_get_length (points); i++)
    {
      JsonObject *want = json_array_get_object_element (points, i);
      JsonNode   *threshold = json_object_get_member (want, "threshold");
      g_autoptr (GArray) exits = sl_golden_numbers (want, "exit_of");
      double at = i == 0 ? sl_exit_never (measure) : json_node_get_double (threshold);

      g_assert_cmpint (json_node_get_value_type (threshold) == G_TYPE_STRING, ==, i == 0);
      g_assert_cmpfloat (got[i].threshold, ==, at);
      sl_assert_near (got[i].cost, sl_golden_number (want, "cost"), 0, 1e-12);
      g_assert_cmpfloat (got[i].errors, ==, sl_golden_number (want, "errors"));
      g_assert_cmpfloat (got[i].disagree, ==, sl_golden_number (want, "disagree"));
      for (guint e = 0; e < exits->len; e++)
        g_assert_cmpfloat (sl_exit_of (&p.pass, e, above (measure, at)), ==,
                           g_array_index (exits, double, e));
    }
  g_free (got);
  pass_clear (&p);
}

/* One exit: one point. */
static void
test_single (void)
{
  JsonObject *want = json_array_get_object_element (
    json_object_get_array_member (json_object_get_object_member (golden, "curve_single_exit"),
                                  "points"),
    0);
  SlExitPoint *points;
  Pass         p;

  pass_init (&p, SL_EXIT_MARGIN, 2, 1);
  p.cost[0] = p.sureness[0] = p.sureness[1] = 1;
  p.agrees[0] = p.agrees[1] = p.right[0] = 1;
  g_assert_cmpuint (trace (&p.pass, &points), ==, 1);
  g_assert_cmpfloat (points[0].cost, ==, sl_golden_number (want, "cost"));
  g_assert_cmpfloat (points[0].errors, ==, sl_golden_number (want, "errors"));
  g_assert_cmpfloat (points[0].disagree, ==, sl_golden_number (want, "disagree"));
  g_assert_true (sl_exit_at (SL_EXIT_MARGIN, points, 1, 0) == points);
  g_free (points);
  pass_clear (&p);
}

/* Every point, and every threshold at, above and below one, against going through the examples. */
static void
compare_naive (const SlExitPass *pass)
{
  SlExitPoint *points;
  size_t       count = trace (pass, &points);

  for (size_t i = 0; i < count; i++)
    {
      double      at = above (pass->measure, points[i].threshold);
      double      near_by[] = { at, nextafter (at, 0), nextafter (at, 9), 0, 1, 0.5 };
      SlExitPoint want = sl_exit_point (pass, at);

      sl_assert_near (points[i].cost, want.cost, 0, 1e-9);
      g_assert_cmpuint (points[i].errors, ==, want.errors);
      g_assert_cmpuint (points[i].disagree, ==, want.disagree);
      g_assert_cmpuint (points[i].missed, ==, want.missed);
      if (i > 0)
        g_assert_true (pass->measure == SL_EXIT_ENTROPY
                         ? points[i].threshold > points[i - 1].threshold
                         : points[i].threshold < points[i - 1].threshold);
      for (guint k = 0; k < G_N_ELEMENTS (near_by); k++)
        {
          const SlExitPoint *got = sl_exit_at (pass->measure, points, count, near_by[k]);

          want = sl_exit_point (pass, near_by[k]);
          sl_assert_near (got->cost, want.cost, 0, 1e-9);
          g_assert_cmpuint (got->errors, ==, want.errors);
          g_assert_cmpuint (got->disagree, ==, want.disagree);
        }
    }
  g_free (points);
}

static void
test_naive (void)
{
  static const size_t sizes[][2] = { { 1, 2 }, { 1, 5 }, { 40, 2 }, { 60, 4 }, { 7, 300 } };
  SlRng               rng;

  sl_rng_init (&rng, 5, "test");
  for (int m = SL_EXIT_MARGIN; m <= SL_EXIT_TOP; m++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (int kind = 0; kind < 3; kind++)
        {
          size_t n = sizes[k][0], exits = sizes[k][1];
          Pass   p;

          pass_init (&p, (SlExitMeasure) m, n, exits);
          for (size_t e = 0; e < exits; e++)
            p.cost[e] = (double) (e + 1) / (double) exits;
          for (size_t i = 0; i < n * exits; i++)
            {
              p.sureness[i]
                = kind == 0 ? sl_rng_uniform (&rng) : (double) sl_rng_below (&rng, 4) / 4;
              if (kind == 2 && sl_rng_below (&rng, 3) == 0)
                p.sureness[i] = NAN;
              p.right[i] = (uint8_t) sl_rng_below (&rng, 2);
              p.agrees[i] = i % exits == exits - 1 || sl_rng_below (&rng, 2) == 0;
            }
          for (size_t e = 0; e < n; e++)
            p.positive[e] = (uint8_t) sl_rng_below (&rng, 2);
          compare_naive (&p.pass);
          pass_clear (&p);
        }
}

/* Nobody is sure at all: everybody stays, and the curve is a point. */
static void
test_never_sure (void)
{
  SlExitPoint *points;
  Pass         p;

  pass_init (&p, SL_EXIT_ENTROPY, 3, 4);
  for (int i = 0; i < 12; i++)
    p.sureness[i] = NAN;
  p.cost[3] = 1;
  g_assert_cmpuint (trace (&p.pass, &points), ==, 1);
  g_assert_cmpfloat (points[0].cost, ==, 1);
  g_assert_cmpuint (sl_exit_of (&p.pass, 0, HUGE_VAL), ==, 3);
  g_free (points);
  pass_clear (&p);
}

static void
test_chances (void)
{
  JsonArray *rows = json_object_get_array_member (golden, "p_values");
  JsonArray *most = json_object_get_array_member (golden, "most_disagreements");

  for (guint r = 0; r < json_array_get_length (rows); r++)
    {
      JsonObject *c = json_array_get_object_element (rows, r);
      size_t      n = (size_t) sl_golden_number (c, "n"), k = (size_t) sl_golden_number (c, "k");
      double      delta = sl_golden_number (c, "delta");

      sl_assert_near (sl_promise_p (SL_PROMISE_BINOMIAL, n, k, delta),
                      sl_golden_number (c, "binomial"), 0, 1e-10);
      sl_assert_near (sl_promise_p (SL_PROMISE_HOEFFDING, n, k, delta),
                      sl_golden_number (c, "hoeffding"), 0, 1e-10);
    }
  for (guint r = 0; r < json_array_get_length (most); r++)
    {
      JsonObject *c = json_array_get_object_element (most, r);
      size_t      n = (size_t) sl_golden_number (c, "n");
      double      delta = sl_golden_number (c, "delta"), epsilon = sl_golden_number (c, "epsilon");

      g_assert_cmpfloat (sl_promise_most (SL_PROMISE_BINOMIAL, n, delta, epsilon), ==,
                         sl_golden_number (c, "most_binomial"));
      g_assert_cmpfloat (sl_promise_most (SL_PROMISE_HOEFFDING, n, delta, epsilon), ==,
                         sl_golden_number (c, "most_hoeffding"));
    }
}

/* Sums of chances, term by term and from the other end. */
static void
test_binomial (void)
{
  static const size_t sizes[] = { 1, 2, 13, 60 };
  static const double deltas[] = { 0.001, 0.2, 0.5, 0.9 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint d = 0; d < G_N_ELEMENTS (deltas); d++)
      {
        double sum = 0, coefficient = 1, delta = deltas[d];
        size_t n = sizes[s];

        for (size_t k = 0; k <= n; k++)
          {
            sum += coefficient * pow (delta, (double) k) * pow (1 - delta, (double) (n - k));
            coefficient *= (double) (n - k) / (double) (k + 1);
            sl_assert_near (sl_promise_p (SL_PROMISE_BINOMIAL, n, k, delta), sum, 0, 1e-12);
          }
      }
  /* Where no term below the mode is a number, nothing is lost. */
  g_assert_cmpfloat (sl_promise_p (SL_PROMISE_BINOMIAL, 1000000, 0, 0.2), ==, 0);
  g_assert_cmpfloat (sl_promise_p (SL_PROMISE_BINOMIAL, 1000000, 999999, 0.2), ==, 1);
}

static void
test_sequence (gconstpointer data)
{
  static const struct
  {
    SlPromiseBound bound;
    const char    *name;
  } bounds[] = { { SL_PROMISE_BINOMIAL, "binomial" }, { SL_PROMISE_HOEFFDING, "hoeffding" } };
  JsonObject *c = json_object_get_object_member (golden, data);
  g_autoptr (GArray) grid = sl_golden_numbers (c, "grid");
  g_autoptr (GArray) numbers = sl_golden_numbers (c, "disagreements");
  g_autofree size_t *losses = g_new (size_t, numbers->len);
  g_autofree double *p = g_new (double, numbers->len);

  for (guint i = 0; i < numbers->len; i++)
    losses[i] = (size_t) g_array_index (numbers, double, i);
  for (guint b = 0; b < G_N_ELEMENTS (bounds); b++)
    {
      JsonObject *want = json_object_get_object_member (c, bounds[b].name);
      JsonNode   *chosen = json_object_get_member (want, "chosen");
      g_autoptr (GArray) chances = sl_golden_numbers (want, "p");
      long at = sl_promise_choose (bounds[b].bound, (size_t) sl_golden_number (c, "n"),
                                   sl_golden_number (c, "delta"), sl_golden_number (c, "epsilon"),
                                   grid->len, losses, p);

      for (guint i = 0; i < chances->len; i++)
        sl_assert_near (p[i], g_array_index (chances, double, i), 0, 1e-10);
      if (json_node_get_value_type (chosen) == G_TYPE_STRING)
        g_assert_cmpint (at, ==, -1);
      else
        {
          g_assert_cmpint (at, >=, 0);
          g_assert_cmpfloat (g_array_index (grid, double, at), ==, json_node_get_double (chosen));
        }
    }
}

int
main (int argc, char **argv)
{
  static const char *const nets[] = { "two_exits", "three_exits", "three_exits_weighted" };
  static const char *const curves[] = { "curve_margin", "curve_entropy" };
  static const char *const sequences[]
    = { "sequence_stops_in_the_middle", "sequence_does_not_jump_over_a_failure",
        "sequence_fails_at_once", "sequence_never_fails" };
  JsonNode *root;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_object_get_object_member (json_node_get_object (root), "exits");
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *path = g_strdup_printf ("/exits/sureness/%s", nets[i]);
      g_autofree char *net = g_strdup_printf ("/exits/net/%s", nets[i]);

      g_test_add_data_func (net, nets[i], test_net);

      g_test_add_data_func (path, nets[i], test_sureness);
    }
  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    {
      g_autofree char *path = g_strdup_printf ("/exits/%s", curves[i]);

      g_test_add_data_func (path, curves[i], test_curve);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sequences); i++)
    {
      g_autofree char *path = g_strdup_printf ("/exits/%s", sequences[i]);

      g_test_add_data_func (path, sequences[i], test_sequence);
    }
  g_test_add_func ("/exits/sureness/edges", test_sureness_edges);
  g_test_add_func ("/exits/single", test_single);
  g_test_add_func ("/exits/naive", test_naive);
  g_test_add_func ("/exits/never-sure", test_never_sure);
  g_test_add_func ("/exits/chances", test_chances);
  g_test_add_func ("/exits/binomial", test_binomial);
  return g_test_run ();
}
