/* SPDX-License-Identifier: MIT
 *
 * Blocks of a mixture of depths against golden numbers in both precisions: who is taken, outputs, gradients, the
 * predictor for single examples, places and ties.  Sizes are read from the file.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dag/depths.h"
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

static void
visit_block (JsonObject *c, size_t block, const SlDepth *d, bool compare, sl_real *at)
{
  at += visit (c, "w", block, 1, d->width, compare, at);
  at += visit (c, "A", block, d->width, d->hidden, compare, at);
  at += visit (c, "a", block, 1, d->hidden, compare, at);
  at += visit (c, "C", block, d->hidden, d->width, compare, at);
  visit (c, "c", block, 1, d->width, compare, at);
}

typedef struct
{
  size_t      batch, width, blocks;
  SlDepth     depth[BLOCKS];
  SlDepthTape tape[BLOCKS];
  SlArena     arena;
  sl_real    *x[BLOCKS + 1], *g; /* (B, D) before and behind the blocks */
} Net;

static void
carve (Net *net)
{
  net->arena.used = 0;
  for (size_t l = 0; l < net->blocks; l++)
    {
      net->depth[l].weights = sl_arena_reals (&net->arena, net->depth[l].n);
      net->depth[l].gradient = sl_arena_reals (&net->arena, net->depth[l].n);
      sl_depth_tape_carve (&net->tape[l], &net->depth[l], net->batch, &net->arena);
    }
  for (size_t l = 0; l <= net->blocks; l++)
    net->x[l] = sl_arena_reals (&net->arena, net->batch * net->width);
  net->g = sl_arena_reals (&net->arena, net->batch);
}

static void
net_init (Net *net, JsonObject *c)
{
  bool     squashed = g_str_equal (json_object_get_string_member (c, "squash"), "sigmoid");
  SlStatus status;

  *net = (Net) { .batch = (size_t) sl_golden_number (c, "B"),
                 .width = (size_t) sl_golden_number (c, "D"),
                 .blocks = (size_t) sl_golden_number (c, "blocks") };
  g_assert_cmpuint (net->blocks, <=, BLOCKS);
  for (size_t l = 0; l < net->blocks; l++)
    sl_depth_shape (&net->depth[l], net->width, (size_t) sl_golden_number (c, "hidden"), squashed);
  carve (net);
  status = sl_arena_init (&net->arena, net->arena.used);
  g_assert_true (sl_ok (&status));
  carve (net);
  for (size_t l = 0; l < net->blocks; l++)
    visit_block (c, l, &net->depth[l], false, net->depth[l].weights);
  copy (c, "X", net->x[0]);
}

/* The predictor of every block on what comes into it; the file adds their losses up. */
static void
check_predictor (JsonObject *c, Net *net)
{
  JsonObject *want = json_object_get_object_member (c, "predictor");
  JsonObject *grads = json_object_get_object_member (want, "grads");
  g_autoptr (GArray) scores = sl_golden_numbers (want, "q");
  g_autoptr (GArray) agreement = sl_golden_numbers (want, "agree");
  g_autofree sl_real *v = g_new (sl_real, net->width + 1), *dv = g_new (sl_real, net->width + 1);
  double              loss = 0, agree;

  for (size_t l = 0; l < net->blocks; l++)
    {
      g_autofree char *name = g_strdup_printf ("v%zu", l), *bias = g_strdup_printf ("v0_%zu", l);
      g_autoptr (GArray) slope = sl_golden_numbers (grads, name);
      g_autoptr (GArray) slope0 = sl_golden_numbers (grads, bias);

      copy (want, name, v);
      copy (want, bias, v + net->width);
      sl_depth_predict (net->batch, net->width, net->x[l], v, net->g);
      expect_part (net->g, scores, l * net->batch, net->batch);
      loss += sl_depth_predictor_loss (net->batch, net->width, net->x[l], net->g,
                                       net->tape[l].taken, dv, &agree);
      g_assert_cmpfloat (agree, ==, g_array_index (agreement, double, l));
      expect_part (dv, slope, 0, net->width);
      expect_part (dv + net->width, slope0, 0, 1);
    }
  sl_assert_near (loss, sl_golden_number (want, "loss"), rtol, near);
}

static void
test_net (gconstpointer data)
{
  JsonObject *c = json_object_get_object_member (golden, data);
  double      share = sl_golden_number (c, "gamma"), total = 0, macs = 0;
  g_autoptr (GArray) r = sl_golden_numbers (c, "r");
  g_autoptr (GArray) taken = sl_golden_numbers (c, "taken");
  g_autoptr (GArray) f = sl_golden_numbers (c, "f");
  g_autoptr (GArray) out = sl_golden_numbers (c, "x_out");
  g_autoptr (GArray) back = sl_golden_numbers (c, "dX");
  g_autoptr (GArray) weight = sl_golden_numbers (c, "Cw");
  Net    net;
  size_t places, n;

  net_init (&net, c);
  n = net.batch * net.width;
  places = sl_depth_places (share, net.batch);
  g_assert_cmpfloat (places, ==, sl_golden_number (c, "places"));
  for (size_t l = 0; l < net.blocks; l++)
    {
      SlDepthTape *tape = &net.tape[l];

      sl_depth_route (&net.depth[l], net.batch, net.x[l], tape);
      expect_part (tape->r, r, l * net.batch, net.batch);
      sl_depth_choose (net.batch, tape->r, places, tape->taken);
      for (size_t e = 0; e < net.batch; e++)
        g_assert_cmpfloat (tape->taken[e], ==, g_array_index (taken, double, l *net.batch + e));
      sl_depth_forward (&net.depth[l], net.batch, net.x[l], tape, net.x[l + 1]);
      for (size_t k = 0; k < tape->n; k++)
        expect_part (tape->f + k * net.width, f, l * n + tape->row[k] * net.width, net.width);
      macs += sl_depth_macs (&net.depth[l], (double) places / (double) net.batch, false);
    }
  expect_part (net.x[net.blocks], out, 0, n);
  sl_assert_near (macs, sl_golden_number (c, "multiplications_per_example"), 1e-12, 0);
  if (json_object_has_member (c, "predictor"))
    check_predictor (c, &net);
  for (size_t i = 0; i < n; i++)
    {
      total += (double) net.x[net.blocks][i] * g_array_index (weight, double, i);
      net.x[net.blocks][i] = (sl_real) g_array_index (weight, double, i);
    }
  sl_assert_near (total, sl_golden_number (c, "total"), rtol, near);
  for (size_t l = net.blocks; l-- > 0;)
    {
      sl_depth_backward (&net.depth[l], &net.tape[l], net.x[net.blocks]);
      visit_block (json_object_get_object_member (c, "grads"), l, &net.depth[l], true,
                   net.depth[l].gradient);
    }
  expect_part (net.x[net.blocks], back, 0, n);
  sl_arena_clear (&net.arena);
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
  sl_depth_choose (want->len, r, (size_t) sl_golden_number (c, "places"), taken);
  for (guint e = 0; e < want->len; e++)
    g_assert_cmpfloat (taken[e], ==, g_array_index (want, double, e));
  /* What is not a number is taken when nothing else is left. */
  sl_depth_choose (4, broken, 3, taken);
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
  return g_test_run ();
}
