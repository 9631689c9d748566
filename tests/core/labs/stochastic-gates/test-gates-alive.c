/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `stochastic-gates` against plain loops, in random states.  */
#include "core/labs/stochastic-gates/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 48, EXAMPLES = 40 };

enum { CHANCES, EXPERTS };

/* W (units, inputs) x + b. */
static void
layer (const SlGater *g, unsigned which, size_t inputs, size_t units, const double *x, double *y)
{
  const sl_real *w = sl_gater_weight (g, which), *b = sl_gater_bias (g, which);

  for (size_t i = 0; i < units; i++)
    {
      y[i] = b[i];
      for (size_t j = 0; j < inputs; j++)
        y[i] += w[i * inputs + j] * x[j];
    }
}

/* What the gates that are drawn let through of x, with what that costs and would cost; in x, for the next layer. */
static void
pass_layer (const SlGatesLayer *l, double *x, double *cost, double *dense)
{
  const SlGater *g = &l->gater;
  double         e[MOST];

  layer (g, SL_GATER_EXPERTS, g->inputs, g->units, x, e);
  *cost += (double) (g->hidden * (g->inputs + g->units));
  for (size_t i = 0; i < g->units; i++)
    {
      x[i] = l->tape.h[i] * e[i];
      *cost += l->tape.h[i] != 0 ? (double) (g->inputs + g->outputs) : 0.0;
    }
  *dense += (double) (g->units * (g->inputs + g->outputs));
}

/* Chances and outputs of the experts of the top layer; counts; the gaters' products and those of the experts that
 * are drawn, of all experts'.  Where the gates are drawn by their chances, the draws are about as many.  */
static double
check_state (Run *run, unsigned example, double *drawn)
{
  SlGatesLab    *s = sl_gates_lab (sl_trainer_state (run->trainer));
  const SlGater *g = &s->top->gater;
  SlAlive        alive = alive_of (run, example);
  double         x[MOST], u[MOST], a[MOST], e[MOST], on = 0.0, most = 0.0, sum = 0.0, number[4];
  double         cost = 0.0, dense = 0.0;
  unsigned       said = s->layers > 1; /* numbers before the count: how many layers */
  sl_real        input[2];
  uint8_t        label;

  sl_dataset_range (run->dataset, sl_dataset_first (run->dataset, SL_VALID) + example, 1, input,
                    &label);
  x[0] = input[0];
  x[1] = input[1];
  for (const SlGatesLayer *l = s->layer; l < s->top; l++)
    pass_layer (l, x, &cost, &dense);
  layer (g, SL_GATER_HIDDEN, g->inputs, g->hidden, x, u);
  for (size_t i = 0; i < g->hidden; i++)
    u[i] = tanh (u[i]);
  layer (g, SL_GATER_LOGITS, g->hidden, g->units, u, a);
  layer (g, SL_GATER_EXPERTS, g->inputs, g->units, x, e);
  for (size_t i = 0; i < g->units; i++)
    if (sl_alive_state (alive_cell (&alive, EXPERTS, i)) == SL_ALIVE_USED)
      {
        on++;
        most = fmax (most, fabs (e[i]));
      }
  for (size_t i = 0; i < g->units; i++)
    {
      const double *gate = alive_cell (&alive, CHANCES, i), *cell = alive_cell (&alive, EXPERTS, i);
      double        p = 1.0 / (1.0 + exp (-a[i]));

      sum += p;
      sl_assert_near (sl_alive_value (gate), p, 0, 1e-9);
      g_assert_cmpuint (sl_alive_state (gate), ==, sl_alive_state (cell));
      sl_assert_near (sl_alive_value (cell),
                      sl_alive_state (cell) == SL_ALIVE_USED ? fabs (e[i]) / most : 0.0, 0, 1e-9);
    }
  pass_layer (s->top, x, &cost, &dense);
  g_assert_cmpuint (alive_numbers (run, number, 3 + said), ==, 3 + said);
  g_assert_true (s->layers == 1 || number[0] == s->layers);
  g_assert_cmpfloat (number[said], ==, on);
  g_assert_cmpfloat (number[said + 1], ==, g->units);
  sl_assert_near (number[said + 2], 100.0 * cost / dense, 0, 0.5001);
  *drawn += on;
  return sum;
}

static void
test_states (void)
{
  double drawn = 0.0, expected = 0.0;

  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words = g_strdup_printf (
        "gate=straight-through layers=%d experts=%d gater-hidden=%d batch=16", 1 + i % 3,
        g_test_rand_int_range (2, MOST), g_test_rand_int_range (1, MOST));
      Run run;

      assert_ok (lab_run_try (&run, "stochastic-gates", "moons", words));
      run_steps (&run, g_test_rand_int_range (1, 60));
      expected += check_state (&run, (unsigned) g_test_rand_int_range (0, EXAMPLES), &drawn);
      run_clear (&run);
    }
  g_assert_cmpfloat (fabs (drawn - expected), <, 6.0 * sqrt (STATES * MOST / 4.0));
}

/* An expert that is switched off is as one without weights, and the network is as before. */
static void
test_closed (void)
{
  Run              run;
  SlAlive          alive;
  const SlGater   *g;
  double           before[2], after[2], closed;
  unsigned         expert = 0;
  size_t           n;
  sl_real         *weight, *bias;
  g_autofree void *kept = NULL;

  assert_ok (
    lab_run_try (&run, "stochastic-gates", "moons", "gate=straight-through experts=24 batch=16"));
  run_steps (&run, 20);
  g = &sl_gates_lab (sl_trainer_state (run.trainer))->top->gater;
  n = g->inputs * sizeof *weight;
  alive = alive_of (&run, 1);
  while (sl_alive_value (alive_cell (&alive, EXPERTS, expert)) < 0.5)
    expert++;
  weight = sl_gater_weight (g, SL_GATER_EXPERTS) + expert * g->inputs;
  bias = sl_gater_bias (g, SL_GATER_EXPERTS) + expert;
  kept = g_memdup2 (weight, n);
  g_assert_cmpuint (alive_numbers (&run, before, 2), ==, 2);
  sl_subject_switch (&run.subject, 0, expert);
  alive = alive_of (&run, 1);
  closed = alive.class[1];
  g_assert_cmpmem (weight, n, kept, n);
  g_assert_cmpuint (sl_alive_state (alive_cell (&alive, EXPERTS, expert)), ==, SL_ALIVE_CLOSED);
  g_assert_cmpuint (alive_numbers (&run, after, 2), ==, 2);
  g_assert_cmpfloat (after[0], ==, before[0] - 1);
  sl_subject_switch (&run.subject, 0, expert);
  memset (weight, 0, n);
  *bias = 0;
  alive = alive_of (&run, 1);
  g_assert_cmpfloat (alive.class[1], ==, closed);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gates-alive/states", test_states);
  g_test_add_func ("/gates-alive/closed", test_closed);
  return g_test_run ();
}
