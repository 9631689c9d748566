/* SPDX-License-Identifier: MIT
 *
 * What the lab `sign-estimator` skips: thresholds of gated units against the quantiles of plain loops, the cost that it
 * counts, passes that are timed against the network's own, thresholds of single units, and gates that the task trains. In
 * double.  */
#include <math.h>
#include <stdlib.h>

#include "core/labs/sign-estimator/lab.h"
#include "tests/core/labs/alive.h"
#include "tests/support/close.h"

enum { EXAMPLES = 20 };

static SlSignLab *
begin (Run *run, const char *settings)
{
  assert_ok (lab_run_try (run, "sign-estimator", "digits:images=300", settings));
  run_steps (run, 8);
  return sl_sign_lab (sl_trainer_state (run->trainer));
}

static int
rising (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
dot (size_t n, const sl_real *w, const double *x, sl_real b)
{
  double sum = b;

  for (size_t i = 0; i < n; i++)
    sum += w[i] * x[i];
  return sum;
}

/* One layer of gated units over all examples: x (n, D) becomes y (n, H), and the quantile of the gates comes back. */
static double
check_layer (const SlSignLab *s, unsigned l, size_t n, const double *x, double share, double *y)
{
  size_t             inputs = s->net.inputs[l], units = sl_net_units (&s->net, l), all = n * units;
  g_autofree double *silu = g_new (double, all), *sorted = g_new (double, all);
  double             at, theta;

  for (size_t i = 0; i < all; i++)
    {
      size_t unit = i % units;
      double g = dot (inputs, sl_net_weight (&s->net, l) + unit * inputs, x + i / units * inputs,
                      sl_net_bias (&s->net, l)[unit]);

      silu[i] = g / (1 + exp (-g));
      sorted[i] = fabs (silu[i]);
    }
  qsort (sorted, all, sizeof *sorted, rising);
  at = share * (double) (all - 1);
  theta = sorted[(size_t) at]
          + (at - floor (at)) * (sorted[MIN ((size_t) at + 1, all - 1)] - sorted[(size_t) at]);
  for (size_t i = 0; i < all; i++)
    {
      size_t unit = i % units;

      y[i] = fabs (silu[i]) < theta
               ? 0
               : silu[i]
                   * dot (inputs, sl_net_up_weight (&s->net, l) + unit * inputs,
                          x + i / units * inputs, sl_net_up_bias (&s->net, l)[unit]);
    }
  return theta;
}

/* Layer by layer behind what is skipped already, over the first training examples. */
static void
test_calibration (void)
{
  Run                run;
  SlSignLab         *s = begin (&run, "hidden=14-9 activation=swiglu sparsity=0.35 batch=20");
  size_t             n = s->base.dataset->n[SL_TRAIN];
  g_autofree double *x = g_new (double, n * s->net.width[0]), *y = g_new (double, n * 14),
                    *z = g_new (double, n * 9);

  g_assert_cmpuint (n, <, CALIBRATED);
  sl_sign_calibrate (s);
  sl_dataset_range (s->base.dataset, 0, n, s->tape.x[0], s->label);
  for (size_t i = 0; i < n * s->net.width[0]; i++)
    x[i] = s->tape.x[0][i];
  sl_assert_near (s->now->theta[0], check_layer (s, 0, n, x, 0.35, y), 0, 1e-12);
  sl_assert_near (s->now->theta[1], check_layer (s, 1, n, y, 0.35, z), 0, 1e-12);
  run_clear (&run);
}

/* D H for the gates, D for each unit that is on, and O for those of the last layer. */
static void
test_cost (void)
{
  Run    run;
  double first, second, all;

  begin (&run, "hidden=14-9 activation=swiglu sparsity=0.6 batch=20 report-every=1 refresh=1");
  first = now (&run, "density.alpha.1") / 100;
  second = now (&run, "density.alpha.2") / 100;
  all = 2 * 784 * 14 + 2 * 14 * 9 + 9 * 10;
  sl_assert_near (now (&run, "cost.executed"),
                  100 * (784 * 14 * (1 + first) + 14 * 9 * (1 + second) + second * 9 * 10) / all, 0,
                  1e-9);
  g_assert_cmpfloat (fabs (first - 0.4), <, 0.1);
  run_clear (&run);
  begin (&run, "hidden=14 activation=swiglu sparsity=0 batch=20 report-every=1");
  g_assert_cmpfloat (now (&run, "cost.executed"), ==, 100);
  g_assert_cmpfloat (now (&run, "lost-energy.lost.1"), ==, 0);
  run_clear (&run);
}

/* Watching skips nothing, and what is told of skipping is the same. */
static void
test_watch (void)
{
  Run        off, watch;
  SlSignLab *a
    = begin (&off, "hidden=14-9 activation=swiglu batch=20 estimator=off"),
    *b = begin (&watch, "hidden=14-9 activation=swiglu batch=20 estimator=watch report-every=1");

  g_assert_cmpmem (a->net.weights, a->net.n * sizeof (sl_real), b->net.weights,
                   b->net.n * sizeof (sl_real));
  g_assert_cmpfloat (now (&watch, "density.alpha.1"), <, 60);
  g_assert_false (has (&off, "density.alpha.1"));
  run_clear (&off);
  run_clear (&watch);
}

/* The passes that are timed give what the network gives, dense and with its estimate. */
static void
check_passes (const char *settings)
{
  Run                 run;
  SlSignLab          *s = begin (&run, settings);
  SlEstimate          gate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  SlProbe             probe = { .state = &s->base };
  SlSignPass          pass = { .s = s, .kind = sl_sign_kind (s) };
  size_t              n = EXAMPLES * s->net.width[s->net.layers];
  g_autofree sl_real *dense = g_new (sl_real, n), *gated = g_new (sl_real, n);

  g_test_message ("%s", settings);
  g_assert_true (sl_sign_turn_outputs (&probe, &pass));
  for (unsigned l = 0; l < s->hidden; l++)
    pass.theta[pass.kind][l] = sl_sign_theta (s, l);
  for (pass.batch = 1; pass.batch <= EXAMPLES; pass.batch += EXAMPLES - 1)
    {
      n = pass.batch * s->net.width[s->net.layers];
      sl_sign_run_validation (s, pass.batch, &none);
      memcpy (dense, s->tape.x[s->net.layers], n * sizeof *dense);
      sl_sign_run_validation (s, pass.batch, &gate);
      memcpy (gated, s->tape.x[s->net.layers], n * sizeof *gated);
      sl_sign_pass_dense (&pass);
      for (size_t i = 0; i < n; i++)
        sl_assert_near (s->tape.x[s->net.layers][i], dense[i], 1e-10, 1e-12);
      sl_sign_pass_conditional (&pass);
      for (size_t i = 0; i < n; i++)
        sl_assert_near (s->tape.x[s->net.layers][i], gated[i], 1e-10, 1e-12);
    }
  sl_probe_free_rooms (&probe);
  run_clear (&run);
}

static void
test_passes (void)
{
  check_passes ("hidden=14-9 batch=20 activation=swiglu sparsity=0.6");
  check_passes ("hidden=14 batch=20 activation=swiglu sparsity=0.3");
  check_passes ("hidden=14-9 batch=20 activation=prelu rank=4-3");
  check_passes ("hidden=14-9 batch=20 predictor=task rank=4-3 theta=0.1");
  check_passes ("hidden=14-9 batch=20 rank=4-3 aim=density aim-value=0.4 aim-by=unit");
  check_passes ("hidden=14-9 batch=20 predictor=sign-bits aim=recall aim-value=0.7 aim-by=unit");
  check_passes ("hidden=4-9 convolutions=1 batch=20 rank=3 aim=density aim-value=0.4 aim-by=unit");
}

/* On the examples that they are made of, thresholds of single units let each be on as often, at every place. */
static void
test_units (void)
{
  Run        run;
  SlSignLab *s
    = begin (&run, "hidden=4-9 convolutions=1 batch=20 rank=3 aim=density aim-value=0.25 "
                   "aim-by=unit");
  SlEstimate gate;
  size_t     n;

  sl_sign_aim (s);
  gate = sl_sign_estimate (s);
  n = sl_sign_run_validation (s, AIMED, &gate);
  for (unsigned l = 0; l < s->hidden; l++)
    {
      size_t units = sl_net_units (&s->net, l), of = n * s->net.places[l];

      for (size_t i = 0; i < units; i++)
        {
          size_t on = 0;

          for (size_t e = 0; e < of; e++)
            on += s->tape.est[l][e * units + i] > 0;
          g_assert_cmpuint (on, ==, (size_t) ceil (0.25 * (double) of));
        }
    }
  run_clear (&run);
}

/* Gates that the task trains move with the network's loss, are drawn anew for every update and otherwise not, and no
 * other predictor goes on with their weights.  */
static void
test_task (void)
{
  Run        run;
  SlSignLab *s
    = begin (&run, "hidden=14-9 batch=20 predictor=task rank=4-3 learn-rate=0.01 refresh=50 kl=1");
  SlLearned *product = &s->predictor[1].learned;
  sl_real    before = sl_learned_c (product)[0], first;
  SlEstimate gate = sl_sign_estimate (s);
  SlRng      gates;

  g_assert_cmpuint (s->now->learned_t[1], ==, 8);
  g_assert_cmpfloat (s->net.kl, ==, 0); /* which pulls the gates */
  gates = s->now->gates;
  sl_sign_run_validation (s, EXAMPLES, &gate);
  first = s->tape.x[s->net.layers][0];
  sl_sign_run_validation (s, EXAMPLES, &gate);
  g_assert_cmpfloat (s->tape.x[s->net.layers][0], ==, first);
  g_assert_cmpmem (&gates, sizeof gates, &s->now->gates, sizeof gates);
  run_steps (&run, 1);
  g_assert_cmpfloat (sl_learned_c (product)[0], !=, before);
  g_assert_true (memcmp (&gates, &s->now->gates, sizeof gates) != 0);
  run_set (&run, "predictor", SL_PREDICTOR_LEARNED);
  run_steps (&run, 1);
  g_assert_cmpuint (s->now->learned_t[1], ==, 1);
  g_assert_cmpfloat (s->net.kl, ==, 1);
  run_clear (&run);
}

/* The panel begins with everything on, as the dense network, and goes on with what is asked for. */
static void
check_panel (const char *settings)
{
  Run                    run;
  SlSignLab             *s = begin (&run, settings);
  SlEstimate             none = { .mode = SL_ESTIMATE_OFF };
  const SlSnapshotCurve *error;
  const double          *x, *y;
  size_t                 first, n;

  run_probe (&run, "magnitude");
  g_assert_cmpuint (run.snapshot.n_curves, >=, 2);
  error = &run.snapshot.curve[0];
  x = run.snapshot.data + error->offset;
  y = x + error->n;
  g_assert_cmpuint (error->n, ==, 7);
  n = sl_watched (&s->base, sl_value_of (&s->base, P_EXAMPLES), &first);
  g_assert_cmpfloat (x[0], ==, 0);
  sl_assert_near (y[0], sl_sign_evaluate (s, &s->net, first, n, &none).error, 0, 1e-12);
  for (size_t i = 1; i < error->n; i++)
    g_assert_cmpfloat (x[i], >, x[i - 1]);
  g_assert_cmpfloat (fabs (x[4] - 80), <, 8);
  run_clear (&run);
}

static void
test_panel (void)
{
  check_panel ("hidden=40-20 batch=20 activation=swiglu");
  check_panel ("hidden=40-20 batch=20 rank=8-8");
  check_panel ("hidden=40-20 batch=20 predictor=learned rank=8-8 aim=recall aim-by=unit");
}

/* A gated unit of the picture is used or skipped. */
static void
test_picture (void)
{
  Run        run;
  SlSignLab *s = begin (&run, "hidden=14-9 activation=swiglu sparsity=0.5 batch=20");
  SlAlive    alive = alive_of (&run, 3);
  SlEstimate gate = sl_sign_estimate (s);

  sl_sign_run (s, &s->net, sl_dataset_first (s->base.dataset, SL_VALID) + 3, 1, &gate);
  for (unsigned l = 0; l < s->hidden; l++)
    for (size_t i = 0; i < s->net.width[l + 1]; i++)
      g_assert_cmpuint (sl_alive_state (alive_cell (&alive, 2 * l + 1, i)), ==,
                        s->tape.est[l][i] > 0 ? SL_ALIVE_USED : SL_ALIVE_SKIPPED);
  run_clear (&run);
}

static void
test_refused (void)
{
  Run      run;
  SlStatus status = lab_run_try (&run, "sign-estimator", "digits:images=300",
                                 "hidden=4-9 convolutions=1 activation=swiglu");

  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  run_clear (&run);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/skipping/calibration", test_calibration);
  g_test_add_func ("/skipping/cost", test_cost);
  g_test_add_func ("/skipping/watch", test_watch);
  g_test_add_func ("/skipping/passes", test_passes);
  g_test_add_func ("/skipping/units", test_units);
  g_test_add_func ("/skipping/task", test_task);
  g_test_add_func ("/skipping/panel", test_panel);
  g_test_add_func ("/skipping/picture", test_picture);
  g_test_add_func ("/skipping/refused", test_refused);
  return g_test_run ();
}
