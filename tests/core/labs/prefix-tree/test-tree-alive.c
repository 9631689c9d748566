/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `prefix-tree` against plain loops, in random states.  */
#include "core/labs/prefix-tree/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 24, EXAMPLES = 40, NODES = 127 };

enum { BITS, TREE };

/* The layer before the tree, without its rectifier, for an example of the plane. */
static void
run_body (Run *run, const SlPrefixLab *s, unsigned example, double *pre)
{
  const sl_real *w = sl_net_weight (&s->body, 0), *b = sl_net_bias (&s->body, 0);
  sl_real        x[2];
  uint8_t        label;

  sl_dataset_range (run->dataset, sl_dataset_first (run->dataset, SL_VALID) + example, 1, x,
                    &label);
  for (size_t i = 0; i < s->body.width[1]; i++)
    pre[i] = b[i] + w[2 * i] * x[0] + w[2 * i + 1] * x[1];
}

/* What each node adds on the paths of all windows, as a length; -1 where no path comes. */
static void
walk (const SlPrefixLayer *layer, const double *pre, const uint8_t *bit, double *length)
{
  const SlTree *tree = &layer->tree;
  double        part[NODES][MOST] = { { 0 } };

  for (unsigned n = 0; n < NODES; n++)
    length[n] = -1.0;
  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t l = 0, node = 0; l <= tree->shape.k; l++)
      {
        length[node] = 0.0;
        for (size_t j = sl_tree_window (tree, w); j < sl_tree_window (tree, w + 1); j++)
          for (size_t i = 0; i < tree->shape.units && pre[j] > 0.0; i++)
            part[node][i]
              += pre[j] * tree->table[(node * tree->shape.inputs + j) * tree->shape.units + i];
        if (l < tree->shape.k)
          node = 2 * node + 1 + bit[tree->chosen[w * tree->shape.k + l]];
      }
  for (unsigned n = 0; n < NODES; n++)
    {
      for (size_t i = 0; i < tree->shape.units && length[n] >= 0.0; i++)
        length[n] += part[n][i] * part[n][i];
      length[n] = length[n] > 0.0 ? sqrt (length[n]) : length[n];
    }
}

static void
check_bits (const SlAlive *alive, const SlPrefixLayer *layer, const double *pre, uint8_t *bit)
{
  double v[MOST], most = 0.0;

  for (size_t i = 0; i < layer->tree.bits; i++)
    {
      v[i] = pre[layer->tree.source[i]] - layer->tau[i];
      bit[i] = v[i] > 0.0;
      most = fmax (most, fabs (v[i]));
    }
  g_assert_cmpuint (alive->group[BITS].units, ==, layer->tree.bits);
  for (size_t i = 0; i < alive->group[BITS].n; i++)
    {
      double value = sl_alive_value (alive_cell (alive, BITS, i));

      sl_assert_near (value, 0.5 + 0.5 * v[i] / most, 0, 1e-9);
      g_assert_true ((value > 0.5) == (bit[i] == 1));
    }
}

static void
check_state (Run *run, unsigned example)
{
  SlPrefixLab         *s = sl_prefix_lab (sl_trainer_state (run->trainer));
  const SlPrefixLayer *layer = sl_prefix_shown (s);
  SlAlive              alive = alive_of (run, example);
  unsigned             nodes = (unsigned) sl_tree_nodes (layer->tree.shape.k), computed = 0;
  double               pre[MOST], length[NODES], most = 0.0, number[4];
  uint8_t              bit[MOST];

  run_body (run, s, example, pre);
  check_bits (&alive, layer, pre, bit);
  walk (layer, pre, bit, length);
  g_assert_cmpuint (alive.group[TREE].n, ==, nodes);
  for (unsigned n = 0; n < nodes; n++)
    most = fmax (most, length[n]);
  for (unsigned n = 0; n < nodes; n++)
    {
      const double *cell = alive_cell (&alive, TREE, n);

      computed += length[n] >= 0.0;
      g_assert_cmpuint (sl_alive_state (cell), ==,
                        length[n] >= 0.0 ? SL_ALIVE_USED : SL_ALIVE_SKIPPED);
      sl_assert_near (sl_alive_value (cell), most > 0.0 ? fmax (length[n], 0.0) / most : 0.0, 0,
                      1e-9);
    }
  g_assert_cmpuint (alive_numbers (run, number, 4), ==, 4);
  g_assert_cmpfloat (number[0], ==, computed);
  g_assert_cmpfloat (number[1], ==, nodes);
  sl_assert_near (number[2], 100.0 * (layer->tree.shape.k + 1.0) / nodes, 0, 0.5001);
  g_assert_cmpfloat (number[3], ==, layer->tree.shape.k + 1.0);
}

static void
test_states (void)
{
  static const char *const window[] = { "shared", "sliding", "random" };

  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words = g_strdup_printf (
        "k=%d hidden=%d units=%d window=%s decay-kind=none batch=16", g_test_rand_int_range (1, 6),
        g_test_rand_int_range (6, MOST), g_test_rand_int_range (1, MOST), window[i % 3]);
      Run run;

      assert_ok (lab_run_try (&run, "prefix-tree", "moons", words));
      run_steps (&run, g_test_rand_int_range (1, 60));
      check_state (&run, (unsigned) g_test_rand_int_range (0, EXAMPLES));
      run_clear (&run);
    }
}

/* Shares of visits are those of the curve of leaves in use, and the cost that of the curves of k. */
static void
test_panels (void)
{
  enum { K = 5, MULTIPLICATIONS = 2 };
  double                 entropy = 0.0, visited = 0.0, number[4];
  const SlSnapshotCurve *parameters, *multiplied;
  SlAlive                alive;
  Run                    run;

  assert_ok (
    lab_run_try (&run, "prefix-tree", "moons", "k=5 hidden=12 units=8 batch=64 report-every=1"));
  run_steps (&run, 30);
  alive = alive_of (&run, 0);
  for (unsigned n = 31; n < 63; n++)
    {
      double share = alive_cell (&alive, TREE, n)[3];

      visited += share > 0.0;
      entropy -= share > 0.0 ? share * log (share) : 0.0;
    }
  for (unsigned n = 0; n < 31; n++)
    sl_assert_near (
      alive_cell (&alive, TREE, n)[3],
      alive_cell (&alive, TREE, 2 * n + 1)[3] + alive_cell (&alive, TREE, 2 * n + 2)[3], 0, 1e-12);
  g_assert_cmpfloat (now (&run, "leaves-used.visited"), ==, visited);
  sl_assert_near (now (&run, "leaves-used.effective"), exp (entropy), 1e-9, 0);
  g_assert_cmpuint (alive_numbers (&run, number, 4), ==, 4);
  run_probe (&run, "capacity");
  parameters = &run.snapshot.curve[0];
  multiplied = &run.snapshot.curve[MULTIPLICATIONS];
  sl_assert_near (number[2],
                  100.0 * run.snapshot.data[multiplied->offset + multiplied->n + K]
                    / run.snapshot.data[parameters->offset + parameters->n + K],
                  0, 0.5001);
  run_clear (&run);
}

/* A weight of a node on the path is set to zero: its cell changes; where it is not the largest, no other does. */
static void
test_weight (void)
{
  unsigned     node = 1;
  double       before[7];
  SlPrefixLab *s;
  SlAlive      alive;
  Run          run;

  assert_ok (
    lab_run_try (&run, "prefix-tree", "moons", "k=2 hidden=12 units=8 batch=16 decay-kind=none"));
  run_steps (&run, 40);
  s = sl_prefix_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 3);
  while (sl_alive_state (alive_cell (&alive, TREE, node)) != SL_ALIVE_USED)
    node++;
  for (unsigned n = 0; n < 7; n++)
    before[n] = sl_alive_value (alive_cell (&alive, TREE, n));
  g_assert_true (before[node] > 0.0 && before[node] < 1.0);
  for (size_t j = 0; j < 12; j++)
    sl_tree_table (&s->layer[0].tree, s->layer[0].tree.table, 0, node)[8 * j] = 0;
  alive = alive_of (&run, 3);
  for (unsigned n = 0; n < 7; n++)
    if (n == node)
      g_assert_cmpfloat (sl_alive_value (alive_cell (&alive, TREE, n)), <, before[n]);
    else
      g_assert_cmpfloat (sl_alive_value (alive_cell (&alive, TREE, n)), ==, before[n]);
  run_clear (&run);
}

/* The path with a node switched off answers as the tree whose node is zero, and the weights come back. */
static void
test_closed (void)
{
  enum { K = 3, INPUTS = 12, UNITS = 8, NODE = 0 };
  sl_real      before[INPUTS * UNITS], *table;
  double       closed[2], number[4];
  SlPrefixLab *s;
  SlAlive      alive;
  Run          run;

  assert_ok (lab_run_try (&run, "prefix-tree", "moons", "k=3 hidden=12 units=8 batch=16"));
  run_steps (&run, 40);
  s = sl_prefix_lab (sl_trainer_state (run.trainer));
  table = sl_tree_table (&s->layer[0].tree, s->layer[0].tree.table, 0, NODE);
  memcpy (before, table, sizeof before);
  alive = alive_of (&run, 3);
  closed[0] = alive.class[1];
  run.subject.closed[run.subject.n_closed++] = (SlChosenUnit) { 0, NODE };
  alive = alive_of (&run, 3);
  g_assert_cmpmem (table, sizeof before, before, sizeof before);
  g_assert_cmpfloat (alive.class[1], !=, closed[0]);
  closed[1] = alive.class[1];
  g_assert_cmpuint (sl_alive_state (alive_cell (&alive, TREE, NODE)), ==, SL_ALIVE_CLOSED);
  g_assert_cmpuint (alive_numbers (&run, number, 4), ==, 4);
  g_assert_cmpfloat (number[0], ==, K);
  g_assert_cmpfloat (number[3], ==, K);
  run.subject.n_closed = 0;
  memset (table, 0, sizeof before);
  alive = alive_of (&run, 3);
  g_assert_cmpfloat (alive.class[1], ==, closed[1]);
  run_clear (&run);
}

/* No bits: one matrix, always computed.  Flat tables: a leaf alone. */
static void
test_plain (void)
{
  SlAlive alive;
  Run     run;

  assert_ok (lab_run_try (&run, "prefix-tree", "moons", "k=0 hidden=12 units=8 batch=16"));
  run_steps (&run, 3);
  alive = alive_of (&run, 0);
  g_assert_cmpuint (alive.n_groups, ==, 1);
  g_assert_true (sl_alive_is_on (alive_cell (&alive, 0, 0)));
  run_clear (&run);
  assert_ok (
    lab_run_try (&run, "prefix-tree", "moons", "k=3 hidden=12 units=8 batch=16 weights=flat"));
  run_steps (&run, 3);
  alive = alive_of (&run, 0);
  for (unsigned n = 0, on = 0; n < 15; n++)
    {
      on += sl_alive_is_on (alive_cell (&alive, TREE, n));
      g_assert_cmpuint (on, ==, n < 7 ? 0 : on);
      g_assert_cmpuint (on, <=, 1);
      g_assert_true (n < 14 || on == 1);
    }
  run_clear (&run);
}

/* The point of the person is read, whichever example there is. */
static void
test_own (void)
{
  Run run;

  assert_ok (lab_run_try (&run, "prefix-tree", "moons", "k=3 hidden=12 units=8 batch=16"));
  run_steps (&run, 40);
  alive_check_own (&run, 7);
  run_clear (&run);
}

/* Without bits there is nothing for a gating network to do. */
static void
test_no_bits (void)
{
  static const char *const words[] = { "k=0", "k=0 bits=sampled gating-hidden=9" };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *all
        = g_strconcat ("hidden=12 units=8 batch=16 report-every=1 ", words[i], NULL);
      Run run;

      assert_ok (lab_run_try (&run, "prefix-tree", "moons", all));
      run_steps (&run, 2);
      sl_assert_near (now (&run, "cost.executed"), 100.0, 1e-9, 0);
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree-alive/states", test_states);
  g_test_add_func ("/tree-alive/panels", test_panels);
  g_test_add_func ("/tree-alive/weight", test_weight);
  g_test_add_func ("/tree-alive/closed", test_closed);
  g_test_add_func ("/tree-alive/plain", test_plain);
  g_test_add_func ("/tree-alive/own", test_own);
  g_test_add_func ("/tree-alive/no-bits", test_no_bits);
  return g_test_run ();
}
