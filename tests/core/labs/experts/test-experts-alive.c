/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `experts` against gates and costs by plain loops, in random states.  */
#include "core/labs/experts/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 40, EXAMPLES = 40 };

enum { SCORES, BOXES };

/* The k largest of c, each with its part of their softmax; 0 for the others. */
static void
choose (size_t n, size_t k, const double *c, double *weight)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      size_t before = 0;

      for (size_t j = 0; j < n; j++)
        before += c[j] > c[i] || (c[j] == c[i] && j < i);
      weight[i] = before < k ? exp (c[i]) : 0.0;
      sum += weight[i];
    }
  for (size_t i = 0; i < n; i++)
    weight[i] /= sum;
}

static void
check_edges (const SlAlive *alive, const double *weight)
{
  unsigned edge = 0;

  for (unsigned i = 0; i < alive->group[BOXES].n; i++)
    if (weight[i] > 0.0)
      {
        const double *row = alive->edge + (size_t) edge++ * SL_ALIVE_COLUMNS;

        g_assert_cmpfloat (row[1], ==, BOXES);
        g_assert_cmpfloat (row[2], ==, i);
        sl_assert_near (row[3], weight[i], 0, 1e-9);
      }
  g_assert_cmpuint (alive->n_edges, ==, edge);
}

/* With the gate's costs, 2 D n, and an expert's, H (D + O). */
static void
check_state (Run *run, unsigned example, size_t k)
{
  SlExpertsLab *s = sl_experts_lab (sl_trainer_state (run->trainer));
  SlAlive       alive = alive_of (run, example);
  size_t        n = s->shape.experts, d = s->shape.inputs;
  double        c[MOST], weight[MOST], number[3], gate = 2.0 * (double) (d * n);
  double        expert = (double) (s->shape.hidden * (d + s->shape.outputs));
  sl_real       x[2];
  uint8_t       label;
  SlCell        decided = { 0 };

  sl_dataset_range (run->dataset, sl_dataset_first (run->dataset, SL_VALID) + example, 1, x,
                    &label);
  for (size_t i = 0; i < n; i++)
    {
      c[i] = 0.0;
      for (size_t j = 0; j < d; j++)
        c[i] += x[j] * s->moe.gates[0].weights[j * 2 * n + i];
    }
  choose (n, k, c, weight);
  for (size_t i = 0; i < n; i++)
    {
      const double *box = alive_cell (&alive, BOXES, i);

      g_assert_cmpuint (sl_alive_state (box) == SL_ALIVE_USED, ==, weight[i] > 0.0);
      g_assert_cmpuint (sl_alive_state (alive_cell (&alive, SCORES, i)), ==, sl_alive_state (box));
      sl_assert_near (sl_alive_value (box), weight[i], 0, 1e-9);
    }
  check_edges (&alive, weight);
  g_assert_cmpuint (alive_numbers (run, number, 3), ==, 3);
  g_assert_cmpfloat (number[0], ==, (double) k);
  g_assert_cmpfloat (number[1], ==, (double) n);
  sl_assert_near (number[2], 100.0 * (gate + (double) k * expert) / ((double) n * expert), 6e-3, 0);
  sl_state_map (&s->base, x, 1, &decided);
  for (unsigned i = 0; i < alive.n_classes; i++)
    {
      const double *class = alive.class + (size_t) i * SL_ALIVE_COLUMNS;

      g_assert_cmpuint (class[2] > 0.0, ==, i == label);
      g_assert_cmpuint (class[3] > 0.0, ==, i == decided.label);
    }
}

static void
test_states (void)
{
  for (int i = 0; i < STATES; i++)
    {
      int              n = g_test_rand_int_range (2, MOST), k = g_test_rand_int_range (1, n + 1);
      g_autofree char *words = g_strdup_printf ("experts=%d k=%d hidden=4 batch=16", n, k);
      Run              run;

      assert_ok (lab_run_try (&run, "experts", "moons", words));
      run_steps (&run, g_test_rand_int_range (1, 60));
      check_state (&run, (unsigned) g_test_rand_int_range (0, EXAMPLES), (size_t) k);
      run_clear (&run);
    }
}

/* The cost of the picture is that of the panel's score, which is of all validation examples and k for each. */
static void
test_panels (void)
{
  double number[3];
  Run    run;

  assert_ok (lab_run_try (&run, "experts", "moons", "experts=8 k=3 batch=16"));
  run_steps (&run, 20);
  alive_of (&run, 1);
  g_assert_cmpuint (alive_numbers (&run, number, 3), ==, 3);
  sl_assert_near (number[2], score_of (&run, SL_VALID, "executed"), 6e-3, 0);
  run_clear (&run);
}

/* An expert that none of the last evaluation's examples went to is hatched, and it is not chosen. */
static void
test_dead (void)
{
  Run           run;
  SlExpertsLab *s;
  unsigned      dead = 0;
  SlAlive       alive;

  assert_ok (lab_run_try (&run, "experts", "moons",
                          "experts=12 k=1 batch=16 w-importance=0 w-load=0 evaluate-every=10"));
  run_steps (&run, 60);
  s = sl_experts_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 0);
  for (unsigned i = 0; i < 12; i++)
    {
      bool is_dead = sl_alive_state (alive_cell (&alive, BOXES, i)) == SL_ALIVE_DEAD;

      dead += is_dead;
      g_assert_cmpint (is_dead, ==,
                       sl_experts_is_dead (s, i)
                         && sl_alive_state (alive_cell (&alive, BOXES, i)) != SL_ALIVE_USED);
    }
  g_assert_cmpuint (dead, >, 0);
  g_assert_true ((alive.states & 1U << SL_ALIVE_DEAD) != 0);
  run_clear (&run);
}

/* A weight of the gate is set to zero: the score changes. */
static void
test_weight (void)
{
  Run           run;
  SlExpertsLab *s;
  SlAlive       alive;
  double        before;

  assert_ok (lab_run_try (&run, "experts", "moons", "experts=8 k=3 batch=16"));
  run_steps (&run, 20);
  s = sl_experts_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 2);
  before = sl_alive_value (alive_cell (&alive, SCORES, 4));
  s->moe.weights[4] = 0;
  alive = alive_of (&run, 2);
  g_assert_cmpfloat (fabs (sl_alive_value (alive_cell (&alive, SCORES, 4)) - before), >, 1e-6);
  run_clear (&run);
}

/* The values of a gate that is no distribution are shown as parts of the sum. */
static void
test_parts (void)
{
  Run run;

  assert_ok (lab_run_try (&run, "experts", "moons", "experts=12 gate=relu batch=16"));
  run_steps (&run, 20);
  for (unsigned e = 0; e < EXAMPLES; e++)
    {
      SlAlive alive = alive_of (&run, e);
      double  sum = 0.0;

      for (unsigned i = 0; i < 12; i++)
        sum += sl_alive_value (alive_cell (&alive, BOXES, i));
      g_assert_cmpfloat (sum, <=, 1.0 + 1e-9);
    }
  run_clear (&run);
}

/* Experts that are switched off are chosen by no gate, the others share what they had, and the network is as before,
 * bit for bit.  */
static void
test_closed (void)
{
  static const char *const gates[] = { "noisy", "bias", "dense", "switch" };

  for (unsigned g = 0; g < G_N_ELEMENTS (gates); g++)
    {
      g_autofree char *words = g_strdup_printf ("experts=8 k=2 gate=%s batch=16", gates[g]);
      g_autofree void *kept = NULL;
      Run              run;
      SlExpertsLab    *s;
      SlAlive          alive;
      double           before[3], after[3];
      unsigned         off = 0;
      size_t           bytes;

      assert_ok (lab_run_try (&run, "experts", "moons", words));
      run_steps (&run, 20);
      s = sl_experts_lab (sl_trainer_state (run.trainer));
      bytes = s->shape.inputs * 8 * sizeof *s->moe.weights;
      kept = g_memdup2 (s->moe.weights, bytes);
      alive = alive_of (&run, 3);
      while (off < 8 && sl_alive_state (alive_cell (&alive, BOXES, off)) != SL_ALIVE_USED)
        off++;
      g_assert_cmpuint (off, <, 8);
      g_assert_cmpuint (alive_numbers (&run, before, 3), ==, 3);
      sl_subject_switch (&run.subject, 0, off);
      alive = alive_of (&run, 3);
      g_assert_cmpuint (sl_alive_state (alive_cell (&alive, BOXES, off)), ==, SL_ALIVE_CLOSED);
      g_assert_cmpfloat (sl_alive_value (alive_cell (&alive, BOXES, off)), ==, 0.0);
      g_assert_cmpmem (s->moe.weights, bytes, kept, bytes);
      sl_subject_switch (&run.subject, 0, off);
      alive = alive_of (&run, 3);
      g_assert_cmpuint (sl_alive_state (alive_cell (&alive, BOXES, off)), ==, SL_ALIVE_USED);
      g_assert_cmpuint (alive_numbers (&run, after, 3), ==, 3);
      g_assert_cmpmem (before, sizeof before, after, sizeof after);
      run_clear (&run);
    }
}

/* Experts of the row that is shown that compute it: none that is switched off, and of as many groups as are chosen. */
static void
check_nearly_closed (const SlExpertsLab *s, const SlAlive *alive, size_t most_groups)
{
  bool     reached[16] = { false };
  unsigned used = 0, reached_groups = 0;

  for (unsigned i = 0; i < s->shape.experts; i++)
    {
      const double *box = alive_cell (alive, BOXES, i);

      g_assert_true (sl_alive_value (box) >= 0.0 && sl_alive_value (box) <= 1.0);
      if (sl_alive_state (box) != SL_ALIVE_USED)
        continue;
      used++;
      reached_groups += !reached[i / 2];
      reached[i / 2] = true;
    }
  g_assert_cmpuint (used, <=, s->moe.dispatch.total);
  g_assert_cmpuint (reached_groups, <=, most_groups);
}

/* One after another is switched off, the last first, up to all. */
static void
test_nearly_all_closed (void)
{
  static const char *const words[] = { "gate=noisy",
                                       "gate=bias",
                                       "gate=dense",
                                       "gate=switch",
                                       "gate=top-p",
                                       "gate=top-p p=1",
                                       "gate=relu",
                                       "gate=base",
                                       "gate=expert-choice",
                                       "gate=balanced",
                                       "gate=soft",
                                       "gate=bias score=softmax values=raw",
                                       "zero=4",
                                       "zero=4 k=6",
                                       "gate=bias groups=4 k-groups=1",
                                       "groups=4",
                                       "gate=balanced groups=4",
                                       "gate=bias groups=4 k-groups=2 k=4 score=softmax" };

  for (unsigned g = 0; g < G_N_ELEMENTS (words); g++)
    {
      g_autofree char *all = g_strconcat ("experts=8 batch=16 ", words[g], NULL);
      Run              run;
      SlExpertsLab    *s;

      g_test_message ("%s", all);
      assert_ok (lab_run_try (&run, "experts", "moons", all));
      run_steps (&run, 20);
      s = sl_experts_lab (sl_trainer_state (run.trainer));
      for (unsigned off = 8 + (unsigned) s->shape.zero; off-- > 0;)
        {
          sl_subject_switch (&run.subject, 0, off);
          for (unsigned example = 0; example < 10; example++)
            {
              SlAlive alive = alive_of (&run, example);

              check_nearly_closed (s, &alive,
                                   s->shape.gate == SL_MOE_BIAS && s->moe.chooser.groups > 1
                                     ? s->moe.chooser.k_groups
                                     : 8);
              for (unsigned i = off; i < 8 + s->shape.zero; i++)
                g_assert_cmpuint (sl_alive_state (alive_cell (&alive, BOXES, i)), ==,
                                  SL_ALIVE_CLOSED);
              for (unsigned i = 0; i < run.snapshot.n_data; i++)
                g_assert_true (isfinite (run.snapshot.data[i]));
            }
        }
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-alive/states", test_states);
  g_test_add_func ("/experts-alive/panels", test_panels);
  g_test_add_func ("/experts-alive/dead", test_dead);
  g_test_add_func ("/experts-alive/weight", test_weight);
  g_test_add_func ("/experts-alive/parts", test_parts);
  g_test_add_func ("/experts-alive/closed", test_closed);
  g_test_add_func ("/experts-alive/nearly-all-closed", test_nearly_all_closed);
  return g_test_run ();
}
