/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `selective-execution` against traces of its plan, its panels and passes of the network.  */
#include "core/labs/selective-execution/lab.h"
#include "core/nn/dense/loss.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 300, NUMBERS = 4 };

enum { SCORES, NETWORK, COST };

/* What the sentence counts. */
enum { N_COMPUTED, N_NODES, N_MISSED, N_SHARE };

static SlSelectiveLab *
begin (Run *run, const char *words)
{
  g_autofree char *all
    = g_strconcat ("width=6 low=4 high=24 controller=8 batch=16 static-nets=no ", words, NULL);

  g_strchomp (all);
  assert_ok (lab_run_try (run, "selective-execution", "spirals:points=300", all));
  return sl_selective_lab (sl_trainer_state (run->trainer));
}

/* One pass of an example; `action`: what its controllers say, prescribed or found.  Returns the answer. */
static unsigned
pass (Run *run, SlSelectiveLab *s, unsigned example, bool prescribe, uint8_t *action)
{
  sl_selective_load (s, sl_dataset_first (run->dataset, SL_VALID) + example, 1);
  for (unsigned c = 0; c < MOST_CONTROLLERS; c++)
    s->forced[c * MOST_BATCH]
      = prescribe && c < s->dag.facts.n_controllers ? action[c] : SL_DAG_FREE;
  sl_selective_forward (s, 1);
  for (unsigned c = 0; c < s->dag.facts.n_controllers && !prescribe; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      action[c] = turn->n > 0 ? turn->action[0] : 0;
    }
  return sl_decide (s->classes, s->dag.y, &(sl_real) { 0 });
}

static double
sum_of (const SlAlive *alive, unsigned group)
{
  double sum = 0.0;

  for (unsigned i = 0; i < alive->group[group].n; i++)
    sum += sl_alive_value (alive_cell (alive, group, i));
  return sum;
}

/* The larger of the scores of a controller that ran is that of the action it takes. */
static void
check_scores (const SlSelectiveLab *s, const SlAlive *alive, const uint8_t *action,
              const bool *runs)
{
  for (unsigned c = 0, i = 0; c < s->dag.facts.n_controllers; c++)
    {
      double most = -1.0, taken = -1.0;

      for (unsigned a = 0; a < s->dag.facts.n_actions[c]; a++, i++)
        {
          const double *cell = alive_cell (alive, SCORES, i);
          bool          takes = runs[s->dag.facts.controller[c]] && a == action[c];

          g_assert_true (sl_alive_is_on (cell) == takes);
          most = fmax (most, sl_alive_value (cell));
          taken = takes ? sl_alive_value (cell) : taken;
        }
      g_assert_true (taken < 0.0 || taken == most);
    }
}

/* A rule compares how sure an exit is with the threshold. */
static void
check_rules (Run *run, SlSelectiveLab *s, unsigned example)
{
  SlAlive alive = alive_of (run, example);
  uint8_t action[SL_DAG_CONTROLLERS];

  pass (run, s, example, false, action);
  for (unsigned c = 0; c < s->dag.facts.n_controllers && s->net.ruled; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];
      double           sure;

      if (turn->n == 0)
        continue;
      sure = sl_exit_sureness (s->rule.measure, s->classes, turn->x);
      sl_assert_near (sl_alive_value (alive_cell (&alive, SCORES, 2 * c)) * s->rule.threshold,
                      sl_alive_value (alive_cell (&alive, SCORES, 2 * c + 1)) * sure, 0, 1e-9);
    }
}

static void
check_state (Run *run, SlSelectiveLab *s, unsigned example)
{
  const SlDagFacts *facts = &s->dag.facts;
  uint8_t           action[SL_DAG_CONTROLLERS] = { 0 }, dearest[SL_DAG_CONTROLLERS];
  bool              runs[SL_DAG_NODES], full[SL_DAG_NODES], differs;
  double            macs, number[NUMBERS];
  unsigned          computed = 0, missed = 0, nodes = 0;
  SlAlive           alive;

  memcpy (dearest, facts->dearest, sizeof dearest);
  differs = pass (run, s, example, false, action) != pass (run, s, example, true, dearest);
  macs = sl_dag_trace (&s->net.plan, facts, action, runs, NULL);
  sl_dag_trace (&s->net.plan, facts, dearest, full, NULL);
  alive = alive_of (run, example);
  g_assert_cmpuint (alive.group[NETWORK].n, ==, s->net.plan.n_nodes);
  g_assert_cmpuint (alive.group[NETWORK].n_links, ==, s->net.plan.n_edges);
  for (unsigned i = 0; i < s->net.plan.n_nodes; i++)
    {
      SlAliveState want = runs[i]              ? SL_ALIVE_USED
                          : full[i] && differs ? SL_ALIVE_MISSED
                                               : SL_ALIVE_SKIPPED;

      g_assert_cmpuint (sl_alive_state (alive_cell (&alive, NETWORK, i)), ==, want);
      nodes += facts->macs[i] > 0.0;
      computed += facts->macs[i] > 0.0 && runs[i];
      missed += facts->macs[i] > 0.0 && want == SL_ALIVE_MISSED;
    }
  for (unsigned e = 0; e < s->net.plan.n_edges; e++)
    {
      const SlDagEdge *edge = &s->net.plan.edge[e];
      const double    *link = alive.group[NETWORK].link + (size_t) e * SL_ALIVE_COLUMNS;

      g_assert_true (link[1] == edge->from && link[2] == edge->to && link[4] == edge->control);
      g_assert_true (link[3] == 0.0 || (runs[edge->from] && (edge->control || runs[edge->to])));
    }
  check_scores (s, &alive, action, runs);
  g_assert_cmpuint (alive_numbers (run, number, NUMBERS), ==, NUMBERS);
  g_assert_cmpfloat (number[N_COMPUTED], ==, computed);
  g_assert_cmpfloat (number[N_NODES], ==, nodes);
  g_assert_cmpfloat (number[N_MISSED], ==, missed);
  sl_assert_near (number[N_SHARE], 100.0 * macs / facts->dearest_macs, 0, 0.5001);
  sl_assert_near (sum_of (&alive, COST), macs / facts->dearest_macs, 1e-9, 0);
  check_rules (run, s, example);
}

static void
test_states (void)
{
  static const char *const plan[] = { "figure-1-left", "figure-1-right", "high-low", "hierarchy",
                                      "cascade",       "chain",          "exits",    "depths" };

  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words
        = g_strdup_printf ("architecture=%s decisions=%d exit-threshold=0.4 %s", plan[i % 8],
                           g_test_rand_int_range (1, 4), i % 8 == 3 ? "levels=2" : "");
      Run             run;
      SlSelectiveLab *s = begin (&run, words);

      run_steps (&run, g_test_rand_int_range (0, 120));
      check_state (&run, s, (unsigned) g_test_rand_int_range (0, 30));
      run_clear (&run);
    }
}

/* In the mean over the validation examples the pictures cost and answer what the panels say. */
static void
test_panels (void)
{
  double          cost = 0.0, wrong = 0.0;
  size_t          n;
  Run             run;
  SlSelectiveLab *s
    = begin (&run, "architecture=cascade decisions=2 evaluate-every=1 explore-for=20 "
                   "lambda=0.9 learning-rate=0.01");

  run_steps (&run, 150);
  n = run.dataset->n[SL_VALID];
  g_assert_cmpuint (n, <, MOST);
  for (unsigned e = 0; e < n; e++)
    {
      SlAlive alive = alive_of (&run, e);

      cost += 100.0 * sum_of (&alive, COST) / (double) n;
      for (unsigned c = 0; c < alive.n_classes; c++)
        wrong += alive.class[c * SL_ALIVE_COLUMNS + 3] > alive.class[c * SL_ALIVE_COLUMNS + 2]
                   ? 100.0 / (double) n
                   : 0.0;
    }
  sl_assert_near (cost, score_of (&run, SL_VALID, "cost"), 0, 1e-6);
  sl_assert_near (wrong, score_of (&run, SL_VALID, "error"), 0, 1e-6);
  g_assert_cmpuint (s->n_positive, ==, 0);
  run_clear (&run);
}

/* The bias of one score is raised until its action is taken: the way of the example is another. */
static void
test_weight (void)
{
  uint8_t         action[SL_DAG_CONTROLLERS];
  SlAliveState    before[SL_DAG_NODES];
  unsigned        changed = 0, controller, other;
  double          cost;
  SlAlive         alive;
  Run             run;
  SlSelectiveLab *s = begin (&run, "architecture=high-low");

  run_steps (&run, 10);
  pass (&run, s, 4, false, action);
  controller = s->dag.facts.controller[0];
  other = 1 - action[0];
  alive = alive_of (&run, 4);
  cost = sum_of (&alive, COST);
  for (unsigned i = 0; i < alive.group[NETWORK].n; i++)
    before[i] = sl_alive_state (alive_cell (&alive, NETWORK, i));
  s->dag.weights[s->dag.first[controller] + s->dag.count[controller] - 2 + other] += 100;
  alive = alive_of (&run, 4);
  for (unsigned i = 0; i < alive.group[NETWORK].n; i++)
    changed += sl_alive_is_on (alive_cell (&alive, NETWORK, i)) != (before[i] == SL_ALIVE_USED);
  g_assert_cmpuint (changed, ==, 2); /* "low" and "high" */
  g_assert_cmpfloat (fabs (sum_of (&alive, COST) - cost), >, 0.1);
  g_assert_true (sl_alive_is_on (alive_cell (&alive, SCORES, other)));
  sl_assert_near (sl_alive_value (alive_cell (&alive, SCORES, other)), 1.0, 0, 1e-9);
  run_clear (&run);
}

/* A node that is switched off answers as one whose weights are zero, and the weights come back. */
static void
test_closed (void)
{
  enum { NODE = 1 };
  g_autofree sl_real *kept = NULL;
  double              open, closed, number[NUMBERS];
  size_t              n;
  sl_real            *weights;
  SlAlive             alive;
  Run                 run;
  SlSelectiveLab     *s = begin (&run, "architecture=high-low");

  run_steps (&run, 30);
  weights = s->dag.weights + s->dag.first[NODE];
  n = s->dag.count[NODE] * sizeof *weights;
  kept = g_memdup2 (weights, n);
  alive = alive_of (&run, 2);
  g_assert_true (n > 0 && sl_alive_is_on (alive_cell (&alive, NETWORK, NODE)));
  open = alive.class[1];
  g_assert_cmpuint (alive_numbers (&run, number, NUMBERS), ==, NUMBERS);
  run.subject.closed[run.subject.n_closed++] = (SlChosenUnit) { 0, NODE };
  alive = alive_of (&run, 2);
  closed = alive.class[1];
  g_assert_cmpmem (weights, n, kept, n);
  g_assert_cmpuint (sl_alive_state (alive_cell (&alive, NETWORK, NODE)), ==, SL_ALIVE_CLOSED);
  g_assert_cmpfloat (closed, !=, open);
  run.subject.n_closed = 0;
  memset (weights, 0, n);
  alive = alive_of (&run, 2);
  g_assert_cmpfloat (alive.class[1], ==, closed);
  run_clear (&run);
}

/* One class against the others has two answers. */
static void
test_one_class (void)
{
  SlAlive alive;
  Run     run;

  begin (&run, "task=one positive=1");
  run_steps (&run, 5);
  alive = alive_of (&run, 0);
  g_assert_cmpuint (alive.n_classes, ==, 2);
  sl_assert_near (alive.class[1] + alive.class[SL_ALIVE_COLUMNS + 1], 1.0, 0, 1e-9);
  run_clear (&run);
}

/* The point of the person is read, whichever example there is. */
static void
test_own (void)
{
  Run run;

  begin (&run, "architecture=high-low");
  run_steps (&run, 40);
  alive_check_own (&run, 7);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/selective-alive/states", test_states);
  g_test_add_func ("/selective-alive/panels", test_panels);
  g_test_add_func ("/selective-alive/weight", test_weight);
  g_test_add_func ("/selective-alive/closed", test_closed);
  g_test_add_func ("/selective-alive/one-class", test_one_class);
  g_test_add_func ("/selective-alive/own", test_own);
  return g_test_run ();
}
