/* SPDX-License-Identifier: MIT
 *
 * Units that are skipped by the magnitude of their gates: an independent reference's thresholds, masks, outputs and
 * multiplications, by the network and by the conditional kernels.  In double, to 1e-10.  */
#include <glib.h>
#include <string.h>

#include "core/labs/sign-estimator/math/threshold.h"
#include "core/nn/dense/glu.h"
#include "core/nn/dense/net.h"
#include "core/nn/kernels/gather.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static JsonArray *cases;

static void
expect (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  sl_golden_expect (got, object, member, n, 0, 1e-10);
}

/* A network of one hidden layer of gated units, as the golden case has it. */
typedef struct
{
  SlNet   net;
  SlTape  tape;
  SlArena arena;
  size_t  examples, calibrated, inputs, units, outputs;
  double  theta;
} Gated;

/* Number of rows of a matrix, and of the columns of its first. */
static void
size_of (JsonObject *object, const char *member, size_t *rows, size_t *columns)
{
  JsonArray *array = json_object_get_array_member (object, member);

  *rows = json_array_get_length (array);
  *columns = json_array_get_length (json_array_get_array_element (array, 0));
}

/* A matrix (rows, columns) of the file, turned. */
static void
copy_turned (JsonObject *object, const char *member, size_t rows, size_t columns, sl_real *to)
{
  g_autoptr (GArray) numbers = sl_golden_numbers (object, member);

  g_assert_cmpuint (numbers->len, ==, rows * columns);
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < columns; k++)
      to[k * rows + i] = g_array_index (numbers, double, i *columns + k);
}

static void
make_gated (Gated *f, JsonObject *c)
{
  size_t   widths[3], calibrated;
  SlStatus status;

  memset (f, 0, sizeof *f);
  size_of (c, "Wg", &f->inputs, &f->units);
  size_of (c, "Wd", &f->units, &f->outputs);
  size_of (c, "x", &f->examples, &f->inputs);
  size_of (c, "calibration", &calibrated, &f->inputs);
  f->calibrated = calibrated;
  widths[0] = f->inputs;
  widths[1] = f->units;
  widths[2] = f->outputs;
  sl_net_shape (&f->net, SL_SWIGLU, widths, 2);
  for (int pass = 0; pass < 2; pass++)
    {
      sl_net_carve (&f->net, &f->arena, &f->arena);
      sl_tape_carve (&f->tape, &f->net, calibrated, &f->arena);
      if (pass == 0)
        {
          status = sl_arena_init (&f->arena, f->arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  copy_turned (c, "Wg", f->inputs, f->units, sl_net_weight (&f->net, 0));
  copy_turned (c, "Wu", f->inputs, f->units, sl_net_up_weight (&f->net, 0));
  copy_turned (c, "Wd", f->units, f->outputs, sl_net_weight (&f->net, 1));
}

static void
predict_gated (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  Gated *f = data;

  sl_glu_magnitude (batch * f->units, tape->pre[layer], tape->est[layer]);
  sl_threshold_apply (batch * f->units, f->theta, true, tape->est[layer]);
}

/* The same by the conditional kernels. */
static void
expect_kernels (Gated *f, JsonObject *c)
{
  size_t              n = f->examples * f->units;
  g_autofree sl_real *kept = g_new (sl_real, n), *turned = g_new (sl_real, f->units * f->outputs);
  g_autofree sl_real *y = g_new (sl_real, f->examples * f->outputs);

  sl_golden_copy (c, "Wd", turned, f->units * f->outputs);
  sl_glu_keep (n, f->tape.pre[0], f->theta, kept);
  sl_gather_gated (f->examples, f->inputs, f->units, f->outputs, sl_net_up_weight (&f->net, 0),
                   sl_net_up_bias (&f->net, 0), f->tape.x[0], kept, turned,
                   sl_net_bias (&f->net, 1), y);
  expect (y, c, "y", f->examples * f->outputs);
}

static void
test_magnitude (gconstpointer data)
{
  JsonObject         *c = json_array_get_object_element (cases, GPOINTER_TO_UINT (data));
  Gated               f;
  SlEstimate          none = { .mode = SL_ESTIMATE_OFF };
  SlEstimate          gate = { .mode = SL_ESTIMATE_GATE, .predict = predict_gated, .data = &f };
  g_autofree sl_real *macs = NULL, *mask = NULL;
  size_t              n;

  make_gated (&f, c);
  n = f.examples * f.units;
  macs = g_new0 (sl_real, f.examples);
  mask = g_new (sl_real, n);
  sl_golden_copy (c, "calibration", f.tape.x[0], f.calibrated * f.inputs);
  sl_net_forward (&f.net, &f.tape, f.calibrated, NULL, &none);
  sl_glu_magnitude (f.calibrated * f.units, f.tape.pre[0], f.tape.est[0]);
  f.theta
    = sl_glu_threshold (sl_golden_number (c, "sparsity"), f.calibrated * f.units, f.tape.est[0]);
  sl_assert_near (f.theta, sl_golden_number (c, "threshold"), 0, 1e-10);
  sl_golden_copy (c, "x", f.tape.x[0], f.examples * f.inputs);
  sl_net_forward (&f.net, &f.tape, f.examples, NULL, &none);
  expect (f.tape.x[2], c, "dense", f.examples * f.outputs);
  g_assert_cmpfloat (sl_net_macs (&f.net), ==, sl_golden_number (c, "dense_multiplications"));
  sl_net_forward (&f.net, &f.tape, f.examples, NULL, &gate);
  for (size_t i = 0; i < n; i++)
    {
      mask[i] = f.tape.est[0][i] > 0;
      macs[i / f.units] += mask[i] * (sl_real) (f.inputs + f.outputs);
    }
  for (size_t e = 0; e < f.examples; e++)
    macs[e] += (sl_real) sl_net_in_layer (&f.net, 0);
  expect (mask, c, "mask", n);
  expect (macs, c, "multiplications", f.examples);
  expect (f.tape.x[2], c, "y", f.examples * f.outputs);
  expect_kernels (&f, c);
  sl_arena_clear (&f.arena);
}

/* Quantiles lie on straight lines between the sorted numbers, and none is below that of 0. */
static void
test_quantile (void)
{
  for (int i = 0; i <= 40; i++)
    {
      sl_real q[] = { 5, 1, 2, 8, 2 };
      double  sorted[] = { 1, 2, 2, 5, 8, 8 }, at = 4 * i / 40.0;
      int     below = (int) at;

      sl_assert_near (
        sl_glu_threshold (i / 40.0, 5, q),
        i == 0 ? 0 : sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]), 0, 1e-12);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  cases = json_object_get_array_member (json_node_get_object (root), "magnitude");
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/magnitude/golden/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_magnitude);
    }
  g_test_add_func ("/magnitude/quantile", test_quantile);
  return g_test_run ();
}
