/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `capacity` against the networks of its steps, its panels and the theory.  */
#include "core/labs/capacity/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, NUMBERS = 5, NETWORKS = 400 };

enum { LIGHT, PROFILE };

/* What the sentence counts. */
enum { N_LAYERS, N_SPREAD, N_THEORY, N_ARRIVES, N_ARRIVES_THEORY };

static void
begin (Run *run, const char *words)
{
  g_autofree char *all = g_strconcat ("gradients=no train=no report-every=1 ", words, NULL);

  assert_ok (lab_run_try (run, "capacity", NULL, all));
}

/* The next step draws the network of an example of the picture. */
static void
draw_the_same (SlCapacityLab *s, unsigned example)
{
  sl_rng_init (&s->now->weights, s->now->seed + example, "lamp");
  s->now->inputs = s->now->weights;
  sl_rng_next (&s->now->inputs);
}

/* The sentence counts what the panels count of this network and of the theory. */
static void
check_panels (Run *run, unsigned example)
{
  SlCapacityLab *s = sl_capacity_lab (sl_trainer_state (run->trainer));
  SlAlive        alive = alive_of (run, example);
  double         number[NUMBERS], theory;

  g_assert_cmpuint (alive_numbers (run, number, NUMBERS), ==, NUMBERS);
  g_assert_cmpuint (alive.n_classes, ==, 0);
  run_probe (run, "where");
  theory = run->snapshot.data[run->snapshot.curve[0].offset + run->snapshot.curve[0].n];
  sl_capacity_field_clear (s);
  draw_the_same (s, example);
  run_steps (run, 1);
  g_assert_cmpfloat (number[N_LAYERS], ==, sl_count_of (&s->base, P_LAYERS));
  sl_assert_near (number[N_SPREAD], now (run, "width-of.width"), 0, 0.00501);
  sl_assert_near (number[N_THEORY], now (run, "width-of.theory"), 0, 0.00501);
  sl_assert_near (number[N_ARRIVES], score_of (run, SL_VALID, "left"), 0, 0.501);
  sl_assert_near (number[N_ARRIVES_THEORY], theory, 0, 0.501);
}

static void
test_panels (void)
{
  static const char *const edge[] = { "periodic", "reflecting", "absorbing", "renormalised" };
  static const char *const kernel[] = { "around", "with-centre", "causal" };

  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words = g_strdup_printf (
        "layers=%d radius=%d positions=%d channels=%d edge=%s kernel=%s tied=%s exponent=%g "
        "leak=%g",
        g_test_rand_int_range (1, 70), g_test_rand_int_range (1, 4),
        g_test_rand_int_range (20, 200), g_test_rand_int_range (1, 6), edge[i % 4], kernel[i % 3],
        i % 5 == 0 ? "yes" : "no", g_test_rand_double_range (0.2, 1.0),
        g_test_rand_double_range (0.0, 1.0));
      Run run;

      begin (&run, words);
      run_steps (&run, g_test_rand_int_range (0, 4));
      check_panels (&run, (unsigned) g_test_rand_int_range (0, 40));
      run_clear (&run);
    }
}

/* Light in the mean over networks is what theory says, at each place of each layer. */
static void
test_theory (void)
{
  double  sum[SL_ALIVE_CELLS] = { 0 }, most[16] = { 0 };
  SlAlive alive;
  Run     run;

  begin (&run, "layers=6 radius=1 positions=31 channels=8 leak=0 position=3");
  for (unsigned e = 0; e < NETWORKS; e++)
    {
      alive = alive_of (&run, e);
      g_assert_cmpuint (alive.group[LIGHT].across, ==, 7);
      for (unsigned i = 0; i < alive.group[PROFILE].n; i++)
        {
          double all = 0.0;

          for (unsigned k = 0; k < alive.group[PROFILE].n; k++)
            all += sl_alive_value (alive_cell (&alive, PROFILE, k));
          sum[i] += sl_alive_value (alive_cell (&alive, PROFILE, i)) / all / NETWORKS;
        }
    }
  for (unsigned i = 0; i < alive.group[PROFILE].n; i++)
    most[0] += alive_cell (&alive, PROFILE, i)[3];
  for (unsigned i = 0; i < alive.group[PROFILE].n; i++)
    sl_assert_near (sum[i], alive_cell (&alive, PROFILE, i)[3] / most[0], 0, 0.02);
  run_clear (&run);
}

/* Every layer has a brightest place, the first is the lamp alone, and nothing but the weights decides. */
static void
test_cells (void)
{
  double            before[SL_ALIVE_CELLS];
  unsigned          same = 0, n;
  SlCapacityLab    *s;
  SlCapacityMoving *kept;
  SlAlive           alive;
  Run               run;

  begin (&run, "layers=100 positions=300 channels=3");
  run_steps (&run, 2);
  s = sl_capacity_lab (sl_trainer_state (run.trainer));
  kept = g_memdup2 (s->now, sizeof *kept);
  alive = alive_of (&run, 1);
  g_assert_cmpmem (kept, sizeof *kept, s->now, sizeof *kept); /* no draw of the run is used up */
  g_free (kept);
  n = alive.group[LIGHT].n;
  for (unsigned j = 0; j < alive.group[LIGHT].across; j++)
    {
      double most = 0.0, sum = 0.0;

      for (unsigned i = j; i < n; i += alive.group[LIGHT].across)
        {
          most = MAX (most, sl_alive_value (alive_cell (&alive, LIGHT, i)));
          sum += sl_alive_value (alive_cell (&alive, LIGHT, i));
        }
      sl_assert_near (most, 1.0, 0, 1e-12);
      g_assert_true (j > 0 ? sum > 1.0 : sum == 1.0);
    }
  for (unsigned i = 0; i < n; i++)
    before[i] = sl_alive_value (alive_cell (&alive, LIGHT, i));
  s->now->seed++; /* the network of the example before it is the one of this seed */
  alive = alive_of (&run, 0);
  for (unsigned i = 0; i < n; i++)
    g_assert_cmpfloat (sl_alive_value (alive_cell (&alive, LIGHT, i)), ==, before[i]);
  alive = alive_of (&run, 2);
  for (unsigned i = 0; i < n; i++)
    same += sl_alive_value (alive_cell (&alive, LIGHT, i)) == before[i];
  g_assert_cmpuint (same, <, n / 2);
  run_clear (&run);
}

/* What a row has, so many rows below the lamp: of a ring each position once. */
static double
row_of (const double *layer, long n, long lamp, long below, long each)
{
  double sum = 0.0;

  for (long at = below * each - each / 2; at <= below * each + each / 2; at++)
    if (at >= -(n - 1) / 2 && at <= n / 2)
      sum += layer[((lamp + at) % n + n) % n];
  return sum;
}

/* Rows of several positions, around the lamp. */
static void
test_rows (void)
{
  enum { LAYERS = 20, N = 150 };
  double         light[(LAYERS + 1) * N], most = 0.0;
  long           lamp = 0, found = 0;
  Design         d;
  SlRng          seed;
  SlAlive        alive;
  Run            run;
  SlCapacityLab *s;

  begin (&run, "layers=20 positions=150 exponent=0 radius=8 rate=60 channels=2");
  s = sl_capacity_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 0);
  sl_capacity_design (s, &d);
  sl_rng_init (&seed, s->now->seed, "lamp");
  sl_capacity_field_light (s, &d, &seed, light);
  while (sl_alive_value (alive_cell (&alive, LIGHT, (size_t) lamp * alive.group[LIGHT].across))
         < 1.0)
    lamp++;
  for (long each = 1; each < 8; each += 2)
    {
      bool same = true;

      most = 0.0;
      for (long i = 0; i < alive.group[PROFILE].n; i++)
        most = fmax (most, row_of (light + LAYERS * N, N, d.x0, i - lamp, each));
      for (long i = 0; i < alive.group[PROFILE].n; i++)
        {
          double root = sl_alive_value (
            alive_cell (&alive, LIGHT, (size_t) (i + 1) * alive.group[LIGHT].across - 1));

          same &= fabs (root * root - row_of (light + LAYERS * N, N, d.x0, i - lamp, each) / most)
                  < 1e-9;
        }
      found = same ? each : found;
    }
  g_assert_cmpint (found, >, 1);
  g_assert_cmpint (found * alive.group[PROFILE].n, >=, N);
  run_clear (&run);
}

/* The drawn network feels its weights: stronger ones carry light farther. */
static void
test_weights (void)
{
  double narrow[NUMBERS], wide[NUMBERS];
  Run    run;

  begin (&run, "layers=16 positions=129 channels=4 radius=2");
  run_set (&run, "rate", 0.5);
  alive_of (&run, 0);
  g_assert_cmpuint (alive_numbers (&run, narrow, NUMBERS), ==, NUMBERS);
  run_set (&run, "rate", 8);
  alive_of (&run, 0);
  g_assert_cmpuint (alive_numbers (&run, wide, NUMBERS), ==, NUMBERS);
  g_assert_cmpfloat (wide[N_SPREAD], >, 1.5 * narrow[N_SPREAD]);
  run_set (&run, "rule", SL_CAPACITY_MARKOV); /* which then forbids this rate */
  run_set (&run, "rate", 64);
  run_probe (&run, "alive");
  g_assert_cmpuint (run.snapshot.rows, ==, 0);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capacity-alive/panels", test_panels);
  g_test_add_func ("/capacity-alive/theory", test_theory);
  g_test_add_func ("/capacity-alive/cells", test_cells);
  g_test_add_func ("/capacity-alive/rows", test_rows);
  g_test_add_func ("/capacity-alive/weights", test_weights);
  return g_test_run ();
}
