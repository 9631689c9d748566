/* SPDX-License-Identifier: MIT
 *
 * Conditional layers on top of each other in the lab `stochastic-gates`: use against training, thresholds, costs.  */
#include <math.h>

#include "core/labs/stochastic-gates/lab.h"
#include "core/nn/gater/sparsity.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"

static const char *const gates[]
  = { "rectifier", "noisy-rectifier", "sts", "sbn", "straight-through", "gumbel", "hard-concrete" };

static SlGatesLab *
begin (Run *run, const char *gate, unsigned layers, int steps)
{
  g_autofree char *words
    = g_strdup_printf ("gate=%s layers=%u experts=30 gater-hidden=10 batch=32 target-density=0.3 "
                       "report-every=10 evaluate-every=20",
                       gate, layers);

  assert_ok (lab_run_try (run, "stochastic-gates", "moons:points=400", words));
  run_steps (run, steps);
  return sl_gates_lab (sl_trainer_state (run->trainer));
}

/* Drawn gates in use give what training gives with the same draws, though only units that are on are computed; and
 * what is drawn is of every layer.  */
static void
test_drawn (gconstpointer gate)
{
  enum { N = 20 };
  Run            run;
  SlGatesLab    *s = begin (&run, gate, 3, 20);
  SlGaterUnit    unit = sl_gates_unit (s);
  SlGatesDraws   draws = s->now->draws;
  const size_t   outputs = s->top->gater.outputs;
  const sl_real *o = s->top->tape.o;
  sl_real        used[N * 8];
  double         density;

  g_assert_cmpuint (s->layers, ==, 3);
  sl_gates_run (s, USE_SAMPLED, 0, N);
  memcpy (used, o, N * outputs * sizeof *used);
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      bool noisy = sl_gates_draw (s, l, &unit, N, &draws);

      sl_gater_forward (&l->gater, &unit, &l->tape, N, noisy, false);
      density = sl_gater_rates (N, l->gater.units, l->tape.h, s->mean);
      g_assert_true (density > 0.0 && density < 1.0);
      if (l > s->layer)
        {
          g_assert_true (l->tape.x == l[-1].tape.g);
          g_assert_cmpuint (l->gater.inputs, ==, l[-1].gater.units);
        }
    }
  for (size_t i = 0; i < N * outputs; i++)
    sl_assert_near (used[i], o[i], 1e-9, 1e-9);
  run_clear (&run);
}

/* In use every layer is as dense as wished, the lower ones as they are below the upper ones; the cost is that of each
 * layer's own density; figures of all are means.  */
static void
test_densities (gconstpointer gate)
{
  Run               run;
  SlGatesLab       *s = begin (&run, gate, 2, 60);
  size_t            first, n = sl_watched (&s->base, 1e6, &first);
  SlGatesEvaluation all = sl_gates_evaluate_as (s, USE_THRESHOLD, first, n);
  double            cost = 0.0, bare = 0.0, dense = 0.0;

  for (unsigned k = 0; k < s->layers; k++)
    {
      double d = k == 0 ? 2 : 30, out = k == 0 ? 0 : 2;

      if (sl_gater_has_threshold (sl_gates_kind (s)))
        sl_assert_near (all.layer[k], 0.3, 0, 0.05);
      bare += all.layer[k] * 30 * (d + out);
      cost += all.layer[k] * 30 * (d + out) + 10 * (d + 30);
      dense += 30 * (d + out);
    }
  g_assert_true (sl_gater_has_threshold (sl_gates_kind (s)) || all.layer[0] != all.layer[1]);
  sl_assert_near (all.density, (all.layer[0] + all.layer[1]) / 2, 1e-12, 0);
  sl_assert_near (now (&run, "density.valid"), 100 * all.density, 1e-9, 0);
  sl_assert_near (now (&run, "cost.executed"), 100 * cost / dense, 1e-9, 0);
  sl_assert_near (now (&run, "cost.executed-bare"), 100 * bare / dense, 1e-9, 0);
  run_clear (&run);
}

/* With few gates on, there are inputs of which the lowest layer lets nothing through, and their logits are the same: a
 * threshold that fell among them would leave it to rounding what is on.  */
static void
test_ties (void)
{
  Run         run;
  SlGatesLab *s = begin (&run, "straight-through", 2, 5);
  size_t      first, n = sl_watched (&s->base, MOST_BATCH, &first), empty = 0;

  for (int percent = 1; percent <= 30; percent++)
    {
      double density[MOST_LAYERS];
      size_t above = 0, all = n * s->top->gater.units;

      run_set (&run, "target-density", percent / 100.0);
      sl_gates_find_thresholds (s);
      for (size_t e = 0; e < n; e++)
        {
          sl_gates_densities (s, e, density);
          empty += density[0] == 0.0;
        }
      for (size_t i = 0; i < all; i++)
        {
          g_assert_cmpfloat (fabs (s->top->tape.z[i] - s->top->threshold), >, 1e-7);
          above += s->top->tape.z[i] > s->top->threshold;
        }
      g_assert_cmpfloat ((double) above, <=, percent / 100.0 * (double) all + 0.5);
    }
  g_assert_cmpuint (empty, >, n);
  run_clear (&run);
}

/* Each layer moves: rates, baselines and weights of λ are its own. */
static void
test_followed (void)
{
  Run         run;
  SlGatesLab *s = begin (&run, "rectifier", 2, 300);

  for (unsigned k = 0; k < 2; k++)
    g_assert_cmpfloat (*s->layer[k].lambda, !=, 1e-5);
  g_assert_cmpfloat (*s->layer[0].lambda, !=, *s->layer[1].lambda);
  g_assert_true (s->layer[0].lambda == &s->now->lambda);
  run_clear (&run);
  s = begin (&run, "sbn", 2, 30);
  for (unsigned k = 0; k < 2; k++)
    for (size_t i = 0; i < s->layer[k].gater.units; i++)
      {
        g_assert_cmpfloat (s->layer[k].over[i], >, 1e-3);
        g_assert_cmpfloat (s->layer[k].rate[i], >, 0);
      }
  g_assert_cmpfloat (s->layer[0].over[0], !=, s->layer[1].over[0]);
  run_clear (&run);
}

/* A lower layer that is never on below an upper one that always is: rates are of the units of both. */
static void
test_rates (void)
{
  Run         run;
  SlGatesLab *s = begin (&run, "straight-through", 2, 0);
  double      bins = 0.0;

  for (unsigned k = 0; k < 2; k++)
    {
      const SlGater *g = &s->layer[k].gater;

      memset (sl_gater_weight (g, SL_GATER_LOGITS), 0, g->hidden * g->units * sizeof (sl_real));
      for (size_t i = 0; i < g->units; i++)
        sl_gater_bias (g, SL_GATER_LOGITS)[i] = k == 0 ? -60 : 60;
    }
  run_steps (&run, 1);
  sl_assert_near (now (&run, "density.train"), 50, 0, 1e-9);
  sl_assert_near (now (&run, "density.dead"), 50, 0, 1e-9);
  sl_assert_near (now (&run, "density.always-on"), 50, 0, 1e-9);
  sl_assert_near (now (&run, "decided.above-half"), 50, 0, 1e-9);
  sl_assert_near (now (&run, "cost.expected-bare"), 100.0 * 32 / 34, 1e-9, 0);
  for (unsigned b = 1; b <= 20; b++)
    {
      g_autofree char *id = g_strdup_printf ("rates.units.%u", b);

      bins += now (&run, id);
    }
  sl_assert_near (bins, 100, 1e-12, 0);
  run_clear (&run);
}

/* Forward, gradients of the weights, and of what lies below: of the upper layer its input, too. */
static void
test_macs (void)
{
  Run         run;
  SlGatesLab *s = begin (&run, "straight-through", 2, 1);
  double      lower = 10 * (2 + 30) + 30 * 2, upper = 10 * (30 + 30) + 30 * (30 + 2);
  double      below = 30 * 10 + 30 * (10 + 2) + 30 * (10 + 30);

  sl_assert_near (s->base.now.macs, 32 * (2 * (lower + upper) + below), 1e-12, 0);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (gates); k++)
    {
      g_autofree char *drawn = g_strconcat ("/gates-stack/drawn/", gates[k], NULL);
      g_autofree char *densities = g_strconcat ("/gates-stack/densities/", gates[k], NULL);

      g_test_add_data_func (drawn, gates[k], test_drawn);
      g_test_add_data_func (densities, gates[k], test_densities);
    }
  g_test_add_func ("/gates-stack/rates", test_rates);
  g_test_add_func ("/gates-stack/macs", test_macs);
  g_test_add_func ("/gates-stack/ties", test_ties);
  g_test_add_func ("/gates-stack/followed", test_followed);
  return g_test_run ();
}
