/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `style` against its panels, its gradient and its pixels.  */
#include "core/labs/style/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 12, SIDE = 32, PIXELS = SIDE * 24, NUMBERS = 2 };

enum { STYLE, FORMS };

/* What the sentence counts. */
enum { N_LOSS, N_HALF };

static SlStyleLab *
begin (Run *run, const char *words)
{
  g_autofree char *all
    = g_strconcat (words, " scales=2 levels=1-2 report-every=1 positions=32", NULL);

  assert_ok (lab_run_try (run, "style", "pictures:size=32", all));
  return sl_style_lab (sl_trainer_state (run->trainer));
}

/* What the next update reports of the picture before it. */
static void
check_panels (Run *run)
{
  SlAlive alive = alive_of (run, 0);
  double  number[NUMBERS];

  g_assert_cmpuint (alive_numbers (run, number, NUMBERS), ==, NUMBERS);
  g_assert_cmpuint (alive.n_classes, ==, 0);
  run_steps (run, 1);
  sl_assert_near (number[N_LOSS], now (run, "total.total"), 1e-3, 0);
}

static void
test_panels (void)
{
  static const char *const method[] = { "gram", "linear", "poly", "gaussian", "moments" };
  static const char *const start[] = { "noise", "content", "style" };

  for (int i = 0; i < STATES; i++)
    {
      g_autofree char *words = g_strdup_printf (
        "method=%s second=%s optimiser=%s start=%s gamma=%g smoothness=%g", method[i % 5],
        i % 4 == 0 ? "moments" : "none", i % 2 == 0 ? "lbfgs" : "adam", start[i % 3],
        g_test_rand_double_range (0.1, 10.0), i % 3 == 0 ? 0.2 : 0.0);
      Run run;

      begin (&run, words);
      run_steps (&run, g_test_rand_int_range (0, 5));
      check_panels (&run);
      run_clear (&run);
    }
}

static int
falling (const void *a, const void *b)
{
  return *(const double *) a < *(const double *) b   ? 1
         : *(const double *) a > *(const double *) b ? -1
                                                     : 0;
}

/* How many pixels, from the strongest, have half of the sum. */
static unsigned
count_half (double *pull, double sum)
{
  unsigned n = 0;

  qsort (pull, PIXELS, sizeof *pull, falling);
  for (double have = 0.0; have < 0.5 * sum; n++)
    have += pull[n];
  return n;
}

/* Pixels are those of the picture, and glow by the gradient of the objective. */
static void
test_glow (gconstpointer words)
{
  sl_real     gradient[3 * PIXELS];
  double      pull[PIXELS], sum = 0.0, number[NUMBERS];
  SlAlive     alive;
  Run         run;
  SlStyleLab *s = begin (&run, words);

  run_steps (&run, 3);
  alive = alive_of (&run, 0);
  g_assert_cmpuint (alive.n_groups, ==, 2);
  g_assert_cmpuint (s->n, ==, 3 * PIXELS);
  g_assert_cmpuint (alive.group[FORMS].units, ==, PIXELS);
  run.lab->objective (sl_trainer_state (run.trainer), gradient);
  for (unsigned i = 0; i < PIXELS; i++)
    {
      pull[i]
        = sqrt ((double) (gradient[i] * gradient[i] + gradient[PIXELS + i] * gradient[PIXELS + i]
                          + gradient[2 * PIXELS + i] * gradient[2 * PIXELS + i]));
      sum += pull[i];
    }
  for (unsigned i = 0; i < PIXELS; i++)
    {
      const double *pixel = alive.group[FORMS].pixel + (size_t) i * SL_ALIVE_COLUMNS;
      double        part = fmin (pull[i] / (3.0 * sum / PIXELS), 1.0);

      for (unsigned c = 0; c < 3; c++)
        sl_assert_near (pixel[1 + c], CLAMP ((double) s->x[c * PIXELS + i], 0.0, 1.0), 0, 1e-12);
      sl_assert_near (pixel[4], part * part, 0, 1e-9);
    }
  g_assert_cmpuint (alive_numbers (&run, number, NUMBERS), ==, NUMBERS);
  sl_assert_near (number[N_HALF], 100.0 * count_half (pull, sum) / PIXELS, 0, 0.7);
  run_clear (&run);
}

/* One pixel of the picture is another: so is that of its picture, and what pulls at it. */
static void
test_pixel (void)
{
  enum { AT = 17 * SIDE + 5 };
  double      before[2];
  SlAlive     alive;
  Run         run;
  SlStyleLab *s = begin (&run, "start=content");

  run_steps (&run, 2);
  alive = alive_of (&run, 0);
  for (unsigned i = 0; i < 2; i++)
    before[i] = alive.group[FORMS].pixel[AT * SL_ALIVE_COLUMNS + (i == 0 ? 1 : 4)];
  s->x[AT] = s->x[AT] < 0.5 ? 0.9 : 0.1;
  alive = alive_of (&run, 0);
  g_assert_cmpfloat (alive.group[FORMS].pixel[AT * SL_ALIVE_COLUMNS + 1], ==, s->x[AT]);
  g_assert_cmpfloat (fabs (before[0] - (double) s->x[AT]), >, 0.3);
  g_assert_cmpfloat (alive.group[FORMS].pixel[AT * SL_ALIVE_COLUMNS + 4], !=, before[1]);
  run_clear (&run);
}

/* A run that is looked at after every update is the run that is not. */
static void
test_apart (void)
{
  static const char *const words[]
    = { "method=gaussian optimiser=adam", "method=poly", "method=gaussian" };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      Run         looked, left;
      SlStyleLab *a = begin (&looked, words[i]), *b = begin (&left, words[i]);

      for (unsigned step = 0; step < 4; step++)
        {
          alive_of (&looked, 0);
          g_assert_cmpmem (a->base.kept.block, a->base.kept.used, b->base.kept.block,
                           b->base.kept.used);
          run_steps (&looked, 1);
          run_steps (&left, 1);
        }
      g_assert_cmpmem (a->base.kept.block, a->base.kept.used, b->base.kept.block,
                       b->base.kept.used);
      run_clear (&looked);
      run_clear (&left);
    }
}

/* Without a content there is one picture less, and without a style. */
static void
test_goals (void)
{
  static const char *const goal[] = { "goal=style", "goal=content" };

  for (unsigned i = 0; i < G_N_ELEMENTS (goal); i++)
    {
      Run run;

      begin (&run, goal[i]);
      run_steps (&run, 2);
      g_assert_cmpuint (alive_of (&run, 0).n_groups, ==, 1);
      run_clear (&run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/style-alive/panels", test_panels);
  g_test_add_data_func ("/style-alive/glow/adam", "optimiser=adam", test_glow);
  g_test_add_data_func ("/style-alive/glow/lbfgs", "optimiser=lbfgs", test_glow);
  g_test_add_func ("/style-alive/pixel", test_pixel);
  g_test_add_func ("/style-alive/apart", test_apart);
  g_test_add_func ("/style-alive/goals", test_goals);
  return g_test_run ();
}
