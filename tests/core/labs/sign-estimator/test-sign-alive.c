/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `sign-estimator` against a dense pass and the estimate by plain loops, in random
 * states.  */
#include "core/labs/sign-estimator/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 64, EXAMPLES = 40 };

/* One layer by plain loops: z of the inputs and the estimate of it, and the gated output. */
typedef struct
{
  double z[MOST], q[MOST], y[MOST];
} Layer;

static void
compute (const SlSignLab *s, unsigned l, const double *x, Layer *layer)
{
  const SlLowRank *svd = &s->predictor[l].svd;
  const sl_real   *w = sl_net_weight (&s->net, l), *b = sl_net_bias (&s->net, l);

  for (size_t i = 0; i < svd->units; i++)
    {
      layer->z[i] = layer->q[i] = b[i];
      for (size_t j = 0; j < svd->inputs; j++)
        layer->z[i] += w[i * svd->inputs + j] * x[j];
      for (size_t k = 0; k < svd->rank; k++)
        for (size_t j = 0; j < svd->inputs; j++)
          layer->q[i] += svd->u[i * svd->kept + k] * svd->v[j * svd->kept + k] * x[j];
      layer->y[i] = layer->q[i] > 0.0 && layer->z[i] > 0.0 ? layer->z[i] : 0.0;
    }
}

static SlAliveState
state_of (double z, double q)
{
  return q > 0.0 ? (z > 0.0 ? SL_ALIVE_USED : SL_ALIVE_IN_VAIN)
                 : (z > 0.0 ? SL_ALIVE_MISSED : SL_ALIVE_SKIPPED);
}

static void
check_layer (const SlAlive *alive, const SlSignLab *s, unsigned l, const Layer *layer,
             double count[SL_N_ALIVE_STATES])
{
  size_t units = s->predictor[l].svd.units;
  double most = 0.0;

  g_assert_cmpuint (alive->group[2 * l + 1].n, ==, units);
  for (size_t i = 0; i < units; i++)
    most = fmax (most, layer->y[i]);
  for (size_t i = 0; i < units; i++)
    {
      const double *cell = alive_cell (alive, 2 * l + 1, i);
      SlAliveState  state = state_of (layer->z[i], layer->q[i]);

      count[state]++;
      g_assert_cmpuint (sl_alive_state (cell), ==, state);
      g_assert_cmpfloat (cell[4], ==, (double) i + 1.0);
      sl_assert_near (sl_alive_value (cell), most > 0.0 ? layer->y[i] / most : 0.0, 0, 1e-9);
    }
  g_assert_cmpuint (alive->group[2 * l].form, ==, SL_ALIVE_NECK);
  sl_assert_near (sl_alive_value (alive_cell (alive, 2 * l, 0)),
                  (double) s->predictor[l].svd.rank / (double) s->predictor[l].svd.most, 0, 1e-12);
}

/* Counts and the share of the multiplications: r (D + H) for an estimate, D for each unit that is on. */
static void
check_state (Run *run, unsigned example)
{
  SlSignLab *s = sl_sign_lab (sl_trainer_state (run->trainer));
  SlAlive    alive = alive_of (run, example);
  double x[MOST], count[SL_N_ALIVE_STATES] = { 0 }, number[4], units = 0.0, macs = 0.0, dense = 0.0;
  size_t first = sl_dataset_first (run->dataset, SL_VALID), last = s->net.layers - 1;
  sl_real input[MOST];
  uint8_t label;

  sl_dataset_range (run->dataset, first + example, 1, input, &label);
  for (size_t i = 0; i < run->dataset->features; i++)
    x[i] = input[i];
  for (unsigned l = 0; l < s->hidden; l++)
    {
      double h = (double) s->predictor[l].svd.units, d = (double) s->predictor[l].svd.inputs;
      double on = count[SL_ALIVE_USED] + count[SL_ALIVE_IN_VAIN];
      Layer  layer;

      compute (s, l, x, &layer);
      check_layer (&alive, s, l, &layer, count);
      memcpy (x, layer.y, sizeof x);
      units += h;
      dense += d * h;
      macs += (double) s->predictor[l].svd.rank * (d + h)
              + d * (count[SL_ALIVE_USED] + count[SL_ALIVE_IN_VAIN] - on);
    }
  dense += (double) (s->net.width[last] * s->net.width[last + 1]);
  macs += (double) (s->net.width[last] * s->net.width[last + 1]);
  g_assert_cmpuint (alive_numbers (run, number, 4), ==, 4);
  g_assert_cmpfloat (number[0], ==, count[SL_ALIVE_USED] + count[SL_ALIVE_IN_VAIN]);
  g_assert_cmpfloat (number[1], ==, units);
  g_assert_cmpfloat (number[2], ==, count[SL_ALIVE_MISSED]);
  sl_assert_near (number[3], 100.0 * macs / dense, 0, 0.5001);
}

static void
test_states (void)
{
  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words
        = g_strdup_printf ("hidden=%d-%d rank=%d-%d batch=16", g_test_rand_int_range (3, MOST),
                           g_test_rand_int_range (3, MOST), g_test_rand_int_range (0, 3),
                           g_test_rand_int_range (1, 20));
      Run run;

      assert_ok (lab_run_try (&run, "sign-estimator", "moons", words));
      run_steps (&run, g_test_rand_int_range (1, 60));
      check_state (&run, (unsigned) g_test_rand_int_range (0, EXAMPLES));
      run_clear (&run);
    }
}

/* The panels' numbers of the same moment: their densities and recall are of many examples, so the mean over these
 * examples is compared.  */
static void
test_panels (void)
{
  double on = 0.0, fires = 0.0, both = 0.0;
  Run    run;

  assert_ok (
    lab_run_try (&run, "sign-estimator", "moons", "hidden=24-9 rank=1-2 batch=16 report-every=1"));
  run_steps (&run, 30);
  for (unsigned e = 0; e < WATCHED && e < run.dataset->n[SL_VALID]; e++)
    {
      SlAlive alive = alive_of (&run, e);

      for (unsigned i = 0; i < alive.group[1].n; i++)
        {
          SlAliveState state = sl_alive_state (alive_cell (&alive, 1, i));

          on += state == SL_ALIVE_USED || state == SL_ALIVE_IN_VAIN;
          fires += state == SL_ALIVE_USED || state == SL_ALIVE_MISSED;
          both += state == SL_ALIVE_USED;
        }
    }
  on /= 24.0 * (double) MIN (WATCHED, run.dataset->n[SL_VALID]);
  sl_assert_near (now (&run, "density.alpha.1"), 100.0 * on, 1e-9, 0);
  sl_assert_near (now (&run, "recall.recall.1"), 100.0 * both / fires, 1e-9, 0);
  run_clear (&run);
}

/* One weight of a unit that is used is set to zero: its cell changes, and only the cells behind it may. */
static void
test_weight (void)
{
  Run        run;
  SlSignLab *s;
  SlAlive    alive;
  size_t     unit = 0;
  double     before, others;

  assert_ok (lab_run_try (&run, "sign-estimator", "moons", "hidden=24 rank=2 batch=16"));
  run_steps (&run, 20);
  s = sl_sign_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 3);
  while (sl_alive_state (alive_cell (&alive, 1, unit)) != SL_ALIVE_USED
         || sl_alive_value (alive_cell (&alive, 1, unit)) == 1.0)
    unit++;
  before = sl_alive_value (alive_cell (&alive, 1, unit));
  others = sl_alive_value (alive_cell (&alive, 1, unit + 1));
  sl_net_weight (&s->net, 0)[2 * unit] = 0;
  alive = alive_of (&run, 3);
  g_assert_true (sl_alive_state (alive_cell (&alive, 1, unit)) != SL_ALIVE_USED
                 || fabs (sl_alive_value (alive_cell (&alive, 1, unit)) - before) > 1e-6);
  if (sl_alive_value (alive_cell (&alive, 1, unit)) < 1.0)
    g_assert_cmpfloat (sl_alive_value (alive_cell (&alive, 1, unit + 1)), ==, others);
  run_clear (&run);
}

/* Without an estimate everything is computed, and the picture has no other states. */
static void
test_off (void)
{
  static const char *const words[]
    = { "hidden=24-9 rank=2-2 estimator=off", "hidden=24-9 rank=2-2 activation=tanh" };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      Run     run;
      SlAlive alive;
      double  number[2];

      assert_ok (lab_run_try (&run, "sign-estimator", "moons", words[i]));
      run_steps (&run, 3);
      alive = alive_of (&run, 0);
      g_assert_cmpuint (alive.n_groups, ==, 2);
      g_assert_cmpuint (alive.states, ==, 1U << SL_ALIVE_USED | 1U << SL_ALIVE_IN_VAIN);
      for (unsigned g = 0; g < 2; g++)
        for (unsigned c = 0; c < alive.group[g].n; c++)
          g_assert_true (sl_alive_is_on (alive_cell (&alive, g, c)));
      g_assert_cmpuint (alive_numbers (&run, number, 1), ==, 1);
      g_assert_cmpfloat (number[0], ==, 24 + 9);
      sl_subject_switch (&run.subject, 0, 3);
      sl_subject_switch (&run.subject, 1, 0);
      alive_of (&run, 0);
      g_assert_cmpuint (alive_numbers (&run, number, 2), ==, 2);
      g_assert_cmpfloat (number[0], ==, 24 + 9 - 2);
      g_assert_cmpfloat (number[1], ==, 24 + 9);
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sign-alive/states", test_states);
  g_test_add_func ("/sign-alive/panels", test_panels);
  g_test_add_func ("/sign-alive/weight", test_weight);
  g_test_add_func ("/sign-alive/off", test_off);
  return g_test_run ();
}
