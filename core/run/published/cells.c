/* SPDX-License-Identifier: MIT */
#include "core/run/published/cells.h"

#include <math.h>

static void
free_claim (gpointer data)
{
  g_free (((SlTableClaim *) data)->text);
  g_free (data);
}

SlTableCells *
sl_cells_new (const SlPaperTable *table)
{
  SlTableCells *cells = g_new0 (SlTableCells, 1);

  cells->table = table;
  cells->seeds = table->seeds;
  cells->claims = g_ptr_array_new_with_free_func (free_claim);
  for (unsigned row = 0; row < SL_TABLE_ROWS; row++)
    for (unsigned c = 0; c < SL_TABLE_COLUMNS; c++)
      for (unsigned s = 0; s < SL_TABLE_SEEDS; s++)
        cells->ours[row][c][s] = (double) NAN;
  return cells;
}

void
sl_cells_free (SlTableCells *cells)
{
  g_ptr_array_unref (cells->claims);
  g_free (cells);
}

unsigned
sl_cells_count (const SlTableCells *cells, unsigned row, unsigned column)
{
  unsigned n = 0;

  for (unsigned s = 0; s < cells->seeds; s++)
    n += isfinite (cells->ours[row][column][s]) != 0;
  return n;
}

bool
sl_cells_have_row (const SlTableCells *cells, unsigned row)
{
  unsigned n = 0;

  for (unsigned c = 0; c < cells->table->n_columns; c++)
    n += sl_cells_count (cells, row, c);
  return n > 0;
}

double
sl_cells_mean (const SlTableCells *cells, unsigned row, unsigned column)
{
  const double *ours = cells->ours[row][column];
  unsigned      n = sl_cells_count (cells, row, column);
  double        sum = 0;

  for (unsigned s = 0; s < cells->seeds; s++)
    sum += isfinite (ours[s]) ? ours[s] : 0;
  return n > 0 ? sum / n : (double) NAN;
}

double
sl_cells_sd (const SlTableCells *cells, unsigned row, unsigned column)
{
  const double *ours = cells->ours[row][column];
  unsigned      n = sl_cells_count (cells, row, column);
  double        mean = sl_cells_mean (cells, row, column), sum = 0;

  for (unsigned s = 0; s < cells->seeds; s++)
    sum += isfinite (ours[s]) ? (ours[s] - mean) * (ours[s] - mean) : 0;
  return n > 1 ? sqrt (sum / (n - 1)) : (double) NAN;
}
