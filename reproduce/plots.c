/* SPDX-License-Identifier: MIT
 *
 * Curves over rows of a table, and bars of their columns, as its file asks for; see reproduce.h.  */
#include <stdlib.h>
#include <string.h>

#include "reproduce/reproduce.h"

static int
compare_x (const void *a, const void *b)
{
  const double *p = a, *q = b;

  return (p[0] > q[0]) - (p[0] < q[0]);
}

static void
add (SlReproduction *r, const char *plot, const char *name, unsigned n, double (*point)[2])
{
  double x[SL_TABLE_ROWS], y[SL_TABLE_ROWS];

  for (unsigned i = 0; i < n; i++)
    {
      x[i] = point[i][0];
      y[i] = point[i][1];
    }
  if (n > 0)
    sl_reproduction_curve (r, SL_TABLE_ROWS, plot, name, n, x, y);
}

/* One column over another, from the least on. */
static void
add_line (SlReproduction *r, const char *plot, const char *name, const char *rows, int x, int y)
{
  double   point[SL_TABLE_ROWS][2];
  unsigned n = 0;

  for (unsigned row = 0; row < r->table->n_rows; row++)
    if (sl_table_row_is (r->table, row, rows) && sl_cells_have_row (r->cells, row))
      {
        point[n][0] = sl_cells_mean (r->cells, row, (unsigned) x);
        point[n++][1] = sl_cells_mean (r->cells, row, (unsigned) y);
      }
  qsort (point, n, sizeof *point, compare_x);
  add (r, plot, name, n, point);
}

/* A part of the bar of every row; nothing where the row is not made. */
static void
add_part (SlReproduction *r, const char *plot, const char *rows, int column)
{
  double   point[SL_TABLE_ROWS][2];
  unsigned n = 0;

  for (unsigned row = 0; row < r->table->n_rows; row++)
    if (sl_table_row_is (r->table, row, rows))
      {
        point[n][0] = n;
        point[n++][1] = sl_cells_have_row (r->cells, row)
                          ? sl_cells_mean (r->cells, row, (unsigned) column)
                          : 0;
      }
  add (r, plot, r->table->column[column].name, n, point);
}

static void
add_plot (SlReproduction *r, const char *group)
{
  const SlPaperTable *table = r->table;
  const char *plot = group + strlen ("plot "), *across = sl_table_word (table, group, "across");
  const char *rows = sl_table_word (table, group, "rows");
  const char *names = sl_table_word (table, group, across != NULL ? "names" : "columns");
  const char *up = sl_table_word (table, group, "up");
  g_auto (GStrv) row = g_strsplit (rows != NULL ? rows : "", ";", -1);
  g_auto (GStrv) name = g_strsplit (names != NULL ? names : "", ";", -1);

  for (unsigned i = 0; row[0] != NULL && name[i] != NULL; i++)
    if (across == NULL)
      add_part (r, plot, row[0], sl_table_find_column (table, name[i]));
    else
      add_line (r, plot, name[i], row[i], sl_table_find_column (table, across),
                sl_table_find_column (table, up));
}

void
sl_reproduction_plots (SlReproduction *r)
{
  g_auto (GStrv) groups = g_key_file_get_groups (r->table->file, NULL);

  for (char **group = groups; *group != NULL; group++)
    if (g_str_has_prefix (*group, "plot "))
      add_plot (r, *group);
}
