/* SPDX-License-Identifier: MIT
 *
 * Shares of the variation, against functions whose variance components are known, and the table that is made of
 * runs.  */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/importance/importance.h"
#include "tests/core/run/made-run.h"
#include "tests/support/close.h"

enum { SIDE = 10, ROWS = SIDE * SIDE };

typedef struct
{
  double         a[ROWS], b[ROWS], y[ROWS];
  SlForestColumn column[2];
} Grid;

/* Every pair of ten values of a and ten of b. */
static void
make_grid (Grid *grid, double (*function) (double a, double b))
{
  for (int i = 0; i < ROWS; i++)
    {
      grid->a[i] = i / SIDE;
      grid->b[i] = i % SIDE;
      grid->y[i] = function (grid->a[i], grid->b[i]);
    }
  grid->column[0] = (SlForestColumn) { .value = grid->a };
  grid->column[1] = (SlForestColumn) { .value = grid->b };
}

/* Variances 9 : 1. */
static double
sum (double a, double b)
{
  return 3 * a + b;
}

static double
only_b (double a, double b)
{
  return b > 4 ? 1 : 0;
}

static double
constant (double a, double b)
{
  return 7;
}

static void
test_shares (void)
{
  Grid   grid;
  double share[2], again[2], spread[2], spread_again[2];

  make_grid (&grid, sum);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, again, spread_again);
  g_assert_cmpmem (share, sizeof share, again, sizeof again);
  g_assert_cmpmem (spread, sizeof spread, spread_again, sizeof spread_again);
  g_assert_true (spread[0] > 0 && spread[0] < 0.1 && spread[1] > 0 && spread[1] < 0.1);
  g_assert_true (fabs (share[0] - 0.9) < 0.05);
  g_assert_true (fabs (share[0] + share[1] - 1) < 1e-12);
  make_grid (&grid, only_b);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  g_assert_true (share[1] > 0.98);
  make_grid (&grid, constant);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  g_assert_cmpfloat (share[0], ==, 0);
  g_assert_cmpfloat (share[1], ==, 0);
  g_assert_cmpfloat (spread[0], ==, 0);
}

/* Names in place of the numbers of a: the same but for the order. */
static void
test_categories (void)
{
  Grid   grid;
  double share[2], spread[2];

  make_grid (&grid, sum);
  for (int i = 0; i < ROWS; i++)
    grid.a[i] = (int) (grid.a[i] * 7) % SIDE;
  grid.column[0].categories = SIDE;
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  g_assert_true (fabs (share[0] - 0.9) < 0.05);
}

static double
product (double a, double b)
{
  return (a < 5 ? -1 : 1) * (b < 5 ? -1 : 1);
}

static double or (double a, double b)
{
  return a < 5 && b < 5 ? 0 : 1;
}

/* Of an outcome that only both together tell, each alone tells little; of "or" they tell the same. */
static void
test_interaction (void)
{
  Grid   grid;
  double share[2], spread[2];

  make_grid (&grid, or);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  g_assert_true (fabs (share[0] - 0.5) < 0.1);
  make_grid (&grid, product);
  sl_forest_shares (grid.column, 2, grid.y, ROWS, 1, share, spread);
  g_assert_true (fabs (share[0] + share[1] - 1) < 1e-12);
  g_assert_true (spread[0] > 0.1 && spread[1] > 0.1); /* chance decides, tree by tree */
}

/* ---- tables of runs ---- */

static GPtrArray *
new_runs (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
}

static SlField
find_field (const char *name)
{
  SlField field;

  g_assert_true (sl_field_find (name, NULL, &field));
  return field;
}

static void
assert_table (const GPtrArray *runs, const char *expected)
{
  SlField          error = find_field ("error");
  SlStoreRun      *first = runs->pdata[0];
  g_autofree char *csv = sl_importance_csv (runs, first->lab, &error);

  g_assert_cmpstr (csv, ==, expected);
}

/* A column for each setting that varies; choices as categories in the order in which they come, and runs of other labs or
 * without the outcome left out.  */
static void
test_table (void)
{
  g_autoptr (GPtrArray) runs = new_runs ();

  g_ptr_array_add (runs, made_run ("experts", "k=2 gate=noisy", 10, ""));
  g_ptr_array_add (runs, made_run ("experts", "k=3 gate=balanced", 0.5, ""));
  g_ptr_array_add (runs, made_run ("sign-estimator", "", 3, ""));
  g_ptr_array_add (runs, made_run ("experts", "k=5 gate=noisy", NAN, ""));
  g_ptr_array_add (runs, made_run ("experts", "k=5 gate=noisy", INFINITY, ""));
  g_ptr_array_add (runs, made_run ("experts", "k=4 gate=noisy", 12, ""));
  assert_table (runs, "gate,k,error\nc0,2,10\nc1,3,0.5\nc0,4,12\n");
  ((SlStoreRun *) runs->pdata[5])->seed = 7;
  g_free (((SlStoreRun *) runs->pdata[1])->data);
  ((SlStoreRun *) runs->pdata[1])->data = g_strdup ("spirals");
  assert_table (runs, "gate,k,data,seed,error\nc0,2,c0,1,10\nc1,3,c1,1,0.5\nc0,4,c0,7,12\n");
}

/* Logarithmic parameters count by ratios, where all of them are above 0. */
static void
test_logarithmic (void)
{
  g_autoptr (GPtrArray) runs = new_runs ();
  SlField          error = find_field ("error");
  g_autofree char *csv = NULL;
  double           a, b, ya, yb;
  SlStoreRun      *run;

  g_ptr_array_add (runs, made_run ("experts", "gate=bias bias-rate=0.5", 1, ""));
  g_ptr_array_add (runs, made_run ("experts", "gate=bias bias-rate=0.25", 2, ""));
  csv = sl_importance_csv (runs, ((SlStoreRun *) runs->pdata[0])->lab, &error);
  g_assert_true (g_str_has_prefix (csv, "bias-rate,error\n"));
  g_assert_cmpint (sscanf (strchr (csv, '\n'), "\n%lf,%lf\n%lf,%lf\n", &a, &ya, &b, &yb), ==, 4);
  g_assert_cmpfloat (a, ==, log (0.5));
  g_assert_cmpfloat (b, ==, log (0.25));
  /* One that is 0: all as they are. */
  run = runs->pdata[1];
  run->settings.value[sl_param_find (run->lab->params, run->lab->n_params, "bias-rate")].v[0] = 0;
  assert_table (runs, "bias-rate,error\n0.5,1\n0,2\n");
}

/* Eight runs at least; what matters most comes first. */
static void
test_measure (void)
{
  g_autoptr (GPtrArray) runs = new_runs ();
  SlField      error = find_field ("error");
  SlImportance importance;

  for (int i = 0; i < SL_IMPORTANCE_LEAST; i++)
    {
      g_autofree char *words = g_strdup_printf ("k=%d batch=%d", 1 + i % 2, 10 + i / 2);
      SlStoreRun      *run = made_run ("experts", words, 10 * (i / 2) + i % 2, "");
      const SlLab     *lab = run->lab;

      if (i == SL_IMPORTANCE_LEAST - 1)
        {
          sl_importance_of (runs, lab, &error, &importance);
          g_assert_cmpuint (importance.runs, ==, SL_IMPORTANCE_LEAST - 1);
          g_assert_cmpuint (importance.n, ==, 0);
        }
      g_ptr_array_add (runs, run);
    }
  sl_importance_of (runs, ((SlStoreRun *) runs->pdata[0])->lab, &error, &importance);
  g_assert_cmpuint (importance.runs, ==, SL_IMPORTANCE_LEAST);
  g_assert_cmpuint (importance.n, ==, 2);
  g_assert_cmpstr (importance.part[0].id, ==, "batch");
  g_assert_nonnull (importance.part[0].title);
  g_assert_true (importance.part[0].share > 0.9);
  g_assert_true (fabs (importance.part[0].share + importance.part[1].share - 1) < 1e-12);
  /* The same outcome in all of them. */
  for (guint i = 0; i < runs->len; i++)
    ((SlStoreRun *) runs->pdata[i])->figure[0].value = 5;
  sl_importance_of (runs, ((SlStoreRun *) runs->pdata[0])->lab, &error, &importance);
  g_assert_cmpuint (importance.n, ==, 0);
  g_assert_cmpuint (importance.runs, ==, SL_IMPORTANCE_LEAST);
}

/* More runs than a forest takes are thinned evenly, from the first on. */
static void
test_thinned (void)
{
  g_autoptr (GPtrArray) runs = new_runs ();
  SlField          error = find_field ("error");
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;

  for (int i = 0; i < 2 * SL_FOREST_ROWS; i++)
    g_ptr_array_add (runs, made_run ("experts", "", i, ""));
  csv = sl_importance_csv (runs, ((SlStoreRun *) runs->pdata[0])->lab, &error);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + SL_FOREST_ROWS + 1);
  g_assert_cmpstr (lines[0], ==, "error");
  for (int i = 0; i < SL_FOREST_ROWS; i++)
    g_assert_cmpuint (g_ascii_strtoull (lines[1 + i], NULL, 10), ==, 2 * i);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/importance/shares", test_shares);
  g_test_add_func ("/importance/categories", test_categories);
  g_test_add_func ("/importance/interaction", test_interaction);
  g_test_add_func ("/importance/table", test_table);
  g_test_add_func ("/importance/logarithmic", test_logarithmic);
  g_test_add_func ("/importance/measure", test_measure);
  g_test_add_func ("/importance/thinned", test_thinned);
  return g_test_run ();
}
