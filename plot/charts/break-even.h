/* SPDX-License-Identifier: MIT
 *
 * Where skipping pays as a figure: predicted speed-ups over two parameters as colours, from those of
 * a loss through a neutral one to those of a gain, the line of 1 and the cell of the settings as they are.
 * Plain C without GTK, one thread.
 *
 *   sl_break_even_update (&chart, &map, &figure);     then as render.h and export.h say
 *   sl_break_even_clear (&chart);                     after the figure's last drawing  */
#pragma once

#include "core/run/cost/map.h"
#include "plot/figure/figure.h"

enum { SL_BREAK_EVEN_CELL = 5 }; /* points around a cell, the first one twice */

/* What the figure borrows. */
typedef struct
{
  SlCostMap map;
  GString  *columns, *rows; /* names */
  double    cell_x[SL_BREAK_EVEN_CELL], cell_y[SL_BREAK_EVEN_CELL];
} SlBreakEven;

/* The figure (zeroed, or of an earlier call) of a map, which is copied. */
void sl_break_even_update (SlBreakEven *chart, const SlCostMap *map, SlFigure *figure);

/* An empty one, { 0 }, is fine. */
void sl_break_even_clear (SlBreakEven *chart);
