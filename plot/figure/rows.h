/* SPDX-License-Identifier: MIT
 *
 * The rows of a HISTORY and the bands of SHARES: their order from the top and what they show in a
 * pixel column.  Screen, export and reading use the same means.  */
#pragma once

#include "plot/figure/figure.h"
#include "plot/figure/reduce.h"

/* Finds row[] and n_rows of a figure whose x range is known.  Rows that are sorted by their mean
 * change places at most every 2 s, or now if `at_once`.  */
void sl_rows_order (SlFigure *figure, bool at_once, double now);

/* How many rows or bands there are. */
unsigned sl_rows_count (const SlFigure *figure);

/* Means of all rows, (n_rows, columns); `edge` as of sl_edges(). */
void sl_rows_means (const SlFigure *figure, const double *edge, unsigned columns, SlCellMean *out);

/* Means of all rows in the one column of `width` around x; (n_rows). */
void sl_rows_at (const SlFigure *figure, double x, double width, SlCellMean *out);

/* Where the bands of one column begin, (n_rows + 1) from 0 to 1 downwards.  `means` has the rows of
 * the column `stride` apart; values below 0 and gaps have no part.  False, and nothing is
 * written, when no row has any.  */
bool sl_rows_stack (const SlCellMean *means, unsigned n_rows, size_t stride, double *begin);

/* Whether the line before band r goes on from one column to the next: not where it would jump by more
 * than half of the bands beside it, since noise would then hide them behind lines.  Both as of
 * sl_rows_stack().  */
bool sl_rows_joined (const double *before, const double *begin, unsigned r);

/* Colour of a row's band: of the palette where that has enough, else along a ramp. */
SlRgba sl_rows_colour (const SlFigure *figure, const SlTheme *theme, unsigned curve);
