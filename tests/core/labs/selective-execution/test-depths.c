/* SPDX-License-Identifier: MIT
 *
 * Blocks of a mixture of depths against golden numbers in both precisions: who is taken, outputs, gradients, the
 * predictor for single examples, places and ties.  Sizes are read from the file.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/selective-execution/math/dag.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static const double rtol = sizeof (sl_real) == sizeof (float) ? 1e-4 : 0;
static const double near = sizeof (sl_real) == sizeof (float) ? 1e-5 : 1e-10;

enum { BLOCKS = 8 };

static JsonObject *golden;

static void
copy (JsonObject *c, const char *name, sl_real *to)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (c, name);

  for (guint i = 0; i < numbers->len; i++)
    to[i] = (sl_real) g_array_index (numbers, double, i);
}

/* A part of `numbers`, those of one block. */
static void
expect_part (const sl_real *got, const GArray *numbers, size_t from, size_t n)
{
  g_assert_cmpuint (from + n, <=, numbers->len);
  sl_assert_close (got, &g_array_index (numbers, double, from), n, rtol, near);
}

/* One matrix or vector of a block, which the file has as (rows, columns) and the block turned; written to, or
 * compared with, `at`.  Returns how many numbers.  */
static size_t
visit (JsonObject *c, const char *kind, size_t block, size_t rows, size_t columns, bool compare,
       sl_real *at)
{
  g_autofree char *name = g_strdup_printf ("%s%zu", kind, block);
  g_autoptr (GArray) numbers = sl_golden_numbers (c, name);

  g_assert_cmpuint (numbers->len, ==, rows * columns);
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < columns; i++)
      if (compare)
        sl_assert_near ((double) at[i * rows + j], g_array_index (numbers, double, j *columns + i),
                        rtol, near);
      else
        at[i * rows + j] = (sl_real) g_array_index (numbers, double, j *columns + i);
  return rows * columns;
}

typedef struct
{
  size_t         batch, width, hidden, blocks;
  SlDagPlan      plan;
  SlDagFacts     facts;
  SlDagBlock     block[BLOCKS];
  unsigned       first; /* passes the examples on, so that somebody gets their slope */
  SlDepthRank    rank;
  SlOptimSetting optim; /* of the guesses */
  SlDag          dag;
  SlArena        kept, scratch;
  sl_real       *weights, *gradient, *x;
  uint8_t       *taken;
} Net;

static void
make_plan (Net *net, JsonObject *c)
{
  bool      squashed = g_str_equal (json_object_get_string_member (c, "squash"), "sigmoid");
  SlDagNode input = { .kind = SL_DAG_INPUT, .shape = { net->width, 1, 1 } };
  unsigned  from = sl_dag_add (&net->plan, &input);

  net->first = sl_dag_add (&net->plan, &(SlDagNode) { .kind = SL_DAG_REGULAR });
  sl_dag_join (&net->plan, from, net->first);
  from = net->first;
  for (size_t l = 0; l < net->blocks; l++)
    {
      net->block[l] = sl_dag_add_block (&net->plan, from, net->width, net->hidden, squashed,
                                        &net->rank, &net->optim);
      from = net->block[l].sum;
    }
  sl_dag_join (&net->plan, from, sl_dag_add (&net->plan, &(SlDagNode) { .kind = SL_DAG_OUTPUT }));
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static void
carve (Net *net)
{
  net->kept.used = net->scratch.used = 0;
  sl_dag_carve (&net->dag, &net->plan, &net->facts, net->batch, &net->kept, &net->scratch);
  net->weights = sl_arena_reals (&net->kept, net->dag.n);
  net->gradient = sl_arena_reals (&net->kept, net->dag.n);
  net->x = sl_arena_reals (&net->scratch, net->batch * net->width);
  net->taken = sl_arena_carve (&net->scratch, net->batch, 1);
}

/* The numbers of a block, or their gradient, against the file or from it. */
static void
visit_block (JsonObject *c, const Net *net, size_t block, bool compare, sl_real *numbers)
{
  sl_real *at = numbers + net->dag.first[net->block[block].block];

  visit (c, "w", block, 1, net->width, compare, numbers + net->dag.first[net->block[block].router]);
  at += visit (c, "A", block, net->width, net->hidden, compare, at);
  at += visit (c, "a", block, 1, net->hidden, compare, at);
  at += visit (c, "C", block, net->hidden, net->width, compare, at);
  visit (c, "c", block, 1, net->width, compare, at);
}

static sl_real *
guess_numbers (const Net *net, size_t block, sl_real *numbers)
{
  return numbers + net->dag.first[net->block[block].guess];
}

static void
net_init (Net *net, JsonObject *c)
{
  *net = (Net) { .batch = (size_t) sl_golden_number (c, "B"),
                 .width = (size_t) sl_golden_number (c, "D"),
                 .hidden = (size_t) sl_golden_number (c, "hidden"),
                 .blocks = (size_t) sl_golden_number (c, "blocks"),
                 .rank.share = sl_golden_number (c, "gamma"),
                 .optim = sl_optim_default () };
  g_assert_cmpuint (net->blocks, <=, BLOCKS);
  make_plan (net, c);
  assert_ok (sl_dag_check (&net->plan, &net->facts));
  carve (net);
  assert_ok (sl_arena_init (&net->kept, net->kept.used));
  assert_ok (sl_arena_init (&net->scratch, net->scratch.used));
  carve (net);
  sl_dag_bind (&net->dag, net->weights, net->gradient);
  for (size_t l = 0; l < net->blocks; l++)
    visit_block (c, net, l, false, net->weights);
  copy (c, "X", net->x);
}

static void
net_clear (Net *net)
{
  sl_arena_clear (&net->kept);
  sl_arena_clear (&net->scratch);
}

/* Who went through a block in the last pass, into net->taken. */
static void
note_taken (Net *net, size_t block)
{
  const SlDagTurn *turn = &net->dag.turn[net->block[block].rank];

  g_assert_cmpuint (turn->n, ==, net->batch);
  memcpy (net->taken, turn->action, net->batch);
}

/* The guess of every block on what comes into it, and where its slope begins; the file adds their losses up. */
static void
check_guesses (JsonObject *c, Net *net)
{
  JsonObject *want = json_object_get_object_member (c, "predictor");
  g_autoptr (GArray) scores = sl_golden_numbers (want, "q");
  g_autoptr (GArray) agreement = sl_golden_numbers (want, "agree");
  double loss = 0, agree;

  for (size_t l = 0; l < net->blocks; l++)
    {
      SlDagTurn *turn = &net->dag.turn[net->block[l].guess];

      expect_part (turn->y, scores, l * net->batch, net->batch);
      note_taken (net, l);
      loss += sl_depth_guess_loss (net->batch, turn->y, net->taken, turn->dy, &agree);
      g_assert_cmpfloat (agree, ==, g_array_index (agreement, double, l));
    }
  sl_assert_near (loss, sl_golden_number (want, "loss"), rtol, near);
}

static void
load_guesses (JsonObject *c, Net *net)
{
  JsonObject *want = json_object_get_object_member (c, "predictor");

  for (size_t l = 0; l < net->blocks; l++)
    {
      g_autofree char *name = g_strdup_printf ("v%zu", l), *bias = g_strdup_printf ("v0_%zu", l);

      copy (want, name, guess_numbers (net, l, net->weights));
      copy (want, bias, guess_numbers (net, l, net->weights) + net->width);
    }
}

static void
check_guess_gradients (JsonObject *c, const Net *net)
{
  JsonObject *grads
    = json_object_get_object_member (json_object_get_object_member (c, "predictor"), "grads");

  for (size_t l = 0; l < net->blocks; l++)
    {
      g_autofree char *name = g_strdup_printf ("v%zu", l), *bias = g_strdup_printf ("v0_%zu", l);
      g_autoptr (GArray) slope = sl_golden_numbers (grads, name);
      g_autoptr (GArray) slope0 = sl_golden_numbers (grads, bias);

      expect_part (guess_numbers (net, l, net->gradient), slope, 0, net->width);
      expect_part (guess_numbers (net, l, net->gradient) + net->width, slope0, 0, 1);
    }
}

/* Numbers of routers, who is taken, f, and what an example costs without the guess. */
static void
check_blocks (JsonObject *c, Net *net)
{
  g_autoptr (GArray) r = sl_golden_numbers (c, "r");
  g_autoptr (GArray) taken = sl_golden_numbers (c, "taken");
  g_autoptr (GArray) f = sl_golden_numbers (c, "f");
  double macs = sl_dag_executed (&net->dag) / (double) net->batch;
  double places = sl_golden_number (c, "places");

  for (size_t l = 0; l < net->blocks; l++)
    {
      const SlDagTurn *turn = &net->dag.turn[net->block[l].block];

      expect_part (net->dag.turn[net->block[l].router].y, r, l * net->batch, net->batch);
      note_taken (net, l);
      for (size_t e = 0; e < net->batch; e++)
        g_assert_cmpfloat (net->taken[e], ==, g_array_index (taken, double, l * net->batch + e));
      g_assert_cmpfloat (turn->n, ==, places);
      for (uint32_t k = 0; k < turn->n; k++)
        expect_part (turn->y + k * net->width, f, (l * net->batch + turn->row[k]) * net->width,
                     net->width);
      macs -= net->facts.macs[net->block[l].guess];
    }
  sl_assert_near (macs, sl_golden_number (c, "multiplications_per_example"), 1e-12, 0);
}

static void
test_net (gconstpointer data)
{
  JsonObject *c = json_object_get_object_member (golden, data);
  bool        guesses = json_object_has_member (c, "predictor");
  g_autoptr (GArray) out = sl_golden_numbers (c, "x_out");
  g_autoptr (GArray) back = sl_golden_numbers (c, "dX");
  g_autoptr (GArray) weight = sl_golden_numbers (c, "Cw");
  Net            net;
  double         total = 0;
  const sl_real *y;

  net_init (&net, c);
  if (guesses)
    load_guesses (c, &net);
  y = sl_dag_forward (&net.dag, net.batch, net.x, NULL);
  check_blocks (c, &net);
  expect_part (y, out, 0, net.batch * net.width);
  sl_dag_begin_backward (&net.dag);
  if (guesses)
    check_guesses (c, &net);
  for (size_t i = 0; i < net.batch * net.width; i++)
    {
      total += (double) y[i] * g_array_index (weight, double, i);
      net.dag.turn[net.facts.output].dy[i] = (sl_real) g_array_index (weight, double, i);
    }
  sl_assert_near (total, sl_golden_number (c, "total"), rtol, near);
  sl_dag_backward (&net.dag, NULL);
  for (size_t l = 0; l < net.blocks; l++)
    visit_block (json_object_get_object_member (c, "grads"), &net, l, true, net.gradient);
  if (guesses)
    check_guess_gradients (c, &net);
  expect_part (net.dag.turn[net.first].dy, back, 0, net.batch * net.width);
  net_clear (&net);
}

/* Alone the guess decides: above 0, whatever the batch would have said; and it learns by its own rule where the
 * others stand still.  */
static void
test_alone (void)
{
  JsonObject *c = json_object_get_object_member (golden, "half");
  g_autoptr (GArray) scores
    = sl_golden_numbers (json_object_get_object_member (c, "predictor"), "q");
  SlOptimSetting still = sl_optim_default ();
  double         agree;
  sl_real        before[2];
  Net            net;

  net_init (&net, c);
  load_guesses (c, &net);
  net.rank.alone = true;
  sl_dag_forward (&net.dag, net.batch, net.x, NULL);
  note_taken (&net, 0);
  for (size_t e = 0; e < net.batch; e++)
    g_assert_cmpint (net.taken[e], ==, g_array_index (scores, double, e) > 0);
  net.rank.alone = false;
  sl_dag_forward (&net.dag, net.batch, net.x, NULL);
  sl_dag_begin_backward (&net.dag);
  note_taken (&net, 0);
  sl_depth_guess_loss (net.batch, net.dag.turn[net.block[0].guess].y, net.taken,
                       net.dag.turn[net.block[0].guess].dy, &agree);
  before[0] = *guess_numbers (&net, 0, net.weights);
  before[1] = net.weights[net.dag.first[net.block[0].router]];
  still.rate = 0;
  sl_dag_backward (&net.dag, &still);
  g_assert_cmpfloat (*guess_numbers (&net, 0, net.weights), !=, before[0]);
  g_assert_cmpfloat (net.weights[net.dag.first[net.block[0].router]], ==, before[1]);
  net_clear (&net);
}

static void
rank (size_t batch, const sl_real *r, double share, uint8_t *taken)
{
  SlDepthRank by = { .share = share };
  sl_real     x[128], y[128];

  for (size_t e = 0; e < batch; e++)
    {
      x[2 * e] = r[e];
      x[2 * e + 1] = 0;
    }
  sl_depth_rank (&by, batch, x, y);
  for (size_t e = 0; e < batch; e++)
    {
      g_assert_cmpfloat (y[2 * e], ==, 0.5);
      taken[e] = y[2 * e + 1] > y[2 * e];
    }
}

static void
test_places (void)
{
  JsonArray  *rows = json_object_get_array_member (golden, "places");
  JsonObject *c = json_object_get_object_member (golden, "ties");
  g_autoptr (GArray) want = sl_golden_numbers (c, "taken");
  sl_real r[64], broken[4] = { NAN, 1, NAN, -2 };
  uint8_t taken[64];

  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);

      g_assert_cmpfloat (
        sl_depth_places (sl_golden_number (row, "gamma"), (size_t) sl_golden_number (row, "B")), ==,
        sl_golden_number (row, "places"));
    }
  /* 0.07 times 100 is a little more than 7. */
  g_assert_cmpuint (sl_depth_places (0.07, 100), ==, 7);
  g_assert_cmpuint (sl_depth_places (0, 9), ==, 0);
  g_assert_cmpuint (sl_depth_places (1, 9), ==, 9);
  g_assert_cmpuint (sl_depth_places (0.5, 0), ==, 0);
  copy (c, "r", r);
  rank (want->len, r, sl_golden_number (c, "places") / want->len, taken);
  for (guint e = 0; e < want->len; e++)
    g_assert_cmpfloat (taken[e], ==, g_array_index (want, double, e));
  /* What is not a number is taken when nothing else is left. */
  rank (4, broken, 0.75, taken);
  g_assert_true (taken[0] && taken[1] && !taken[2] && taken[3]);
}

int
main (int argc, char **argv)
{
  static const char *const nets[]
    = { "half",       "published_eighth_of_8", "sigmoid_weight", "two_blocks", "all", "none",
        "one_example" };
  JsonNode *root;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_object_get_object_member (json_node_get_object (root), "depths");
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *path = g_strdup_printf ("/depths/%s", nets[i]);

      g_test_add_data_func (path, nets[i], test_net);
    }
  g_test_add_func ("/depths/places", test_places);
  g_test_add_func ("/depths/alone", test_alone);
  return g_test_run ();
}
