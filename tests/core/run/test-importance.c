/* SPDX-License-Identifier: MIT
 *
 * Shares of the variation, against functions whose variance components are known.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/importance/forest.h"
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/importance/shares", test_shares);
  g_test_add_func ("/importance/categories", test_categories);
  return g_test_run ();
}
