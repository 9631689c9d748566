/* SPDX-License-Identifier: MIT
 *
 * The rule by which a sweep is pruned, without its runs: the order of points, the rungs, and who goes on.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/sweep/command-line.h"
#include "core/run/sweep/halving.h"
#include "tests/core/run/sweep-help.h"

static void
check_order (const SlHalvingPoint *point, unsigned n, const unsigned *order)
{
  g_autofree bool *kept = g_new (bool, n);

  for (unsigned most = 0; most <= n; most++)
    {
      sl_halving_choose (point, n, most, kept);
      for (unsigned i = 0; i < n; i++)
        g_assert_cmpint (kept[order[i]], ==, i < most);
    }
}

static void
test_order (void)
{
  /* On the front the cheapest, then who gains 5 and 4; off it who misses it by 1, by 3 and by 19. */
  const SlHalvingPoint point[] = { { 5, 2 }, { 10, 1 }, { 6, 3 }, { 1, 9 }, { 4, 10 }, { 20, 20 } };
  const unsigned       order[] = { 1, 0, 3, 2, 4, 5 };

  check_order (point, 6, order);
}

/* Of those that cost the same, the best competes with the second, and all others with the best. */
static void
test_same_cost (void)
{
  const SlHalvingPoint point[]
    = { { 9, 1 }, { 8.5, 1 }, { 7, 1 }, { 6, 2 }, { 6, 2 }, { 5.75, 2 } };
  const unsigned order[] = { 2, 5, 3, 4, 1, 0 };

  check_order (point, 6, order);
}

/* One that cannot be compared goes on, and takes a place. */
static void
test_unknown (void)
{
  const SlHalvingPoint point[] = { { NAN, 1 }, { 5, 2 }, { 3, 3 }, { 4, 4 } };
  bool                 kept[4];

  sl_halving_choose (point, 4, 2, kept);
  g_assert_true (kept[0] && kept[1]);
  g_assert_false (kept[2] || kept[3]);
  sl_halving_choose (point, 4, 0, kept);
  g_assert_true (kept[0]);
  g_assert_false (kept[1]);
  sl_halving_choose (point, 0, 3, kept);
}

/* Without costs the error decides alone. */
static void
test_errors_alone (void)
{
  const SlHalvingPoint point[] = { { 3, NAN }, { 1, NAN }, { 2, 4 }, { 4, NAN } };
  bool                 kept[4];

  sl_halving_choose (point, 4, 2, kept);
  g_assert_false (kept[0] || kept[3]);
  g_assert_true (kept[1] && kept[2]);
}

static void
test_rungs (void)
{
  uint64_t rung[SL_HALVING_RUNGS_MAX];
  SlSweep  sweep;

  sweep_small (&sweep); /* evaluates every 20 */
  sweep.budget.steps = 800;
  sweep.prune = 2;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  g_assert_cmpuint (rung[0], ==, 100);
  g_assert_cmpuint (rung[1], ==, 200);
  g_assert_cmpuint (rung[2], ==, 800);
  sweep.prune = 3;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  sweep.budget.steps = 440; /* at 55 and 110 nothing is evaluated */
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 3);
  g_assert_cmpuint (rung[0], ==, 60);
  g_assert_cmpuint (rung[1], ==, 120);
  sweep.budget.steps = 40;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 2);
  g_assert_cmpuint (rung[0], ==, 20);
  sweep.budget.steps = 1;
  g_assert_cmpuint (sl_halving_rungs (&sweep, rung), ==, 1);
  g_assert_cmpuint (rung[0], ==, 1);
  sl_sweep_clear (&sweep);
}

/* What a sweep cannot be pruned by, and what is written of one that can. */
static void
test_bad (void)
{
  SlSweep          sweep, again;
  GError          *error = NULL;
  g_autofree char *json = NULL, *command = NULL, *bad = NULL;

  sweep_small (&sweep);
  for (unsigned prune = 1; prune < 5; prune += 3)
    {
      sweep.prune = prune;
      g_assert_false (sl_sweep_check (&sweep, &error));
      g_assert_error (error, SL_ERROR, SL_EINVAL);
      g_clear_error (&error);
    }
  sweep.prune = 3;
  sweep.budget.epochs = 2;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  sweep.budget.epochs = 0;
  g_assert_true (sl_sweep_check (&sweep, &error));
  json = sl_sweep_write (&sweep);
  command = sl_command_line_sweep (&sweep);
  g_assert_nonnull (strstr (command, "--prune 3"));
  g_assert_true (sl_sweep_read (json, &again, &error));
  g_assert_cmpuint (again.prune, ==, 3);
  sl_sweep_clear (&again);
  strstr (json, "\"prune\": 3")[strlen ("\"prune\": ")] = '7';
  g_assert_false (sl_sweep_read (json, &again, &error));
  g_clear_error (&error);
  sl_sweep_clear (&sweep);

  sl_sweep_init (&sweep, sweep_lab ("routing"));
  sweep.budget.steps = 10;
  sweep.prune = 2;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_assert_error (error, SL_ERROR, SL_EUNSUPPORTED);
  g_clear_error (&error);
  sl_sweep_clear (&sweep);
}

/* ---- from rung to rung ---- */

enum { JOBS = 8, POINTS = 4 };

/* Four points with two seeds each: job i is of point i % 4. */
static SlHalving *
new_halving (void)
{
  SlSweep sweep;
  g_autoptr (GArray) jobs = NULL;
  SlHalving *halving;

  sweep_small (&sweep);
  sweep.budget.steps = 800;
  sweep.prune = 2;
  jobs = sl_sweep_expand (&sweep);
  g_assert_cmpuint (jobs->len, ==, JOBS);
  halving = sl_halving_new (&sweep, jobs);
  sl_sweep_clear (&sweep);
  return halving;
}

static void
tell_errors (SlHalving *halving, const double *error)
{
  for (unsigned i = 0; i < JOBS; i++)
    if (sl_halving_next (halving, i) != SL_HALVING_OVER)
      sl_halving_tell (halving, i, &(SlHalvingPoint) { error[i], 50 }, false);
}

/* "GGGPGGGP": what each job has to do. */
static void
assert_next (const SlHalving *halving, const char *expected)
{
  static const char letters[] = { [SL_HALVING_GO_ON] = 'G',
                                  [SL_HALVING_FINISH] = 'F',
                                  [SL_HALVING_PRUNE] = 'P',
                                  [SL_HALVING_OVER] = 'O' };
  char              next[JOBS + 1] = "";

  for (unsigned i = 0; i < JOBS; i++)
    next[i] = letters[sl_halving_next (halving, i)];
  g_assert_cmpstr (next, ==, expected);
}

static void
test_advance (void)
{
  /* Means 11, 12, 10 and 13: the second seed turns the order of the first two round. */
  const double first[JOBS] = { 11, 10, 10, 13, 11, 14, 10, 13 };
  const double second[JOBS] = { 7, 6, 9, 0, 5, 8, 9, 0 };
  SlHalving   *halving = new_halving ();

  g_assert_cmpuint (sl_halving_rung (halving), ==, 100);
  g_assert_cmpuint (sl_halving_rung_before (halving), ==, 0);
  g_assert_cmpfloat_with_epsilon (sl_halving_runs (halving), 4, 1e-9);
  assert_next (halving, "GGGGGGGG");
  tell_errors (halving, first);
  g_assert_true (sl_halving_advance (halving));
  assert_next (halving, "GGGPGGGP");
  g_assert_cmpuint (sl_halving_rung (halving), ==, 200);
  g_assert_cmpuint (sl_halving_rung_before (halving), ==, 100);
  g_assert_cmpfloat_with_epsilon (sl_halving_runs (halving), 4, 1e-9);
  tell_errors (halving, second);
  g_assert_true (sl_halving_advance (halving));
  assert_next (halving, "FPPOFPPO");
  g_assert_cmpuint (sl_halving_rung (halving), ==, 800);
  /* 8 · 1/8 + 6 · 1/8 + 2 · 3/4 */
  g_assert_cmpfloat_with_epsilon (sl_halving_runs (halving), 3.25, 1e-9);
  g_assert_false (sl_halving_advance (halving));
  sl_halving_free (halving);
  sl_halving_free (NULL);
}

/* A run that failed is over, and its point is compared by the others. */
static void
test_failed (void)
{
  const double errors[JOBS] = { 1, 10, 11, 13, 1, 10, 11, 13 };
  SlHalving   *halving = new_halving ();

  tell_errors (halving, errors);
  sl_halving_tell (halving, 0, &(SlHalvingPoint) { 99, 50 }, true);
  sl_halving_tell (halving, 2, &(SlHalvingPoint) { 0, 50 }, true);
  sl_halving_tell (halving, 6, &(SlHalvingPoint) { 0, 50 }, true);
  assert_next (halving, "OGOGGGOG");
  g_assert_true (sl_halving_advance (halving));
  assert_next (halving, "OGOGGGOG"); /* three points are left, and there is time for more */
  sl_halving_free (halving);
}

/* What is compared: the newest finite value until a step. */
static void
test_value (void)
{
  const SlLab *lab = sweep_lab ("sign-estimator");
  SlSeries     series = { 0 };

  g_assert_true (isnan (sl_halving_value (&series, 10)));
  g_assert_true (sl_series_append (&series, 2, 5) && sl_series_append (&series, 4, NAN)
                 && sl_series_append (&series, 6, 7));
  g_assert_true (isnan (sl_halving_value (&series, 1)));
  g_assert_cmpfloat (sl_halving_value (&series, 2), ==, 5);
  g_assert_cmpfloat (sl_halving_value (&series, 5), ==, 5);
  g_assert_cmpfloat (sl_halving_value (&series, 6), ==, 7);
  g_assert_cmpfloat (sl_halving_value (&series, 99), ==, 7);
  sl_series_clear (&series);
  g_assert_cmpstr (sl_halving_error_channel (lab), ==, lab->valid);
  g_assert_cmpstr (sl_halving_cost_channel (lab), ==, sl_lab_costs (lab).executed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/halving/order", test_order);
  g_test_add_func ("/halving/same-cost", test_same_cost);
  g_test_add_func ("/halving/unknown", test_unknown);
  g_test_add_func ("/halving/errors-alone", test_errors_alone);
  g_test_add_func ("/halving/rungs", test_rungs);
  g_test_add_func ("/halving/bad", test_bad);
  g_test_add_func ("/halving/advance", test_advance);
  g_test_add_func ("/halving/failed", test_failed);
  g_test_add_func ("/halving/value", test_value);
  return g_test_run ();
}
