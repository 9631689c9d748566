/* SPDX-License-Identifier: MIT
 *
 * Reading rows, bands and cells, and choosing a row.  */
#pragma once

#include "ui/plot-view/cursor.h"
#include "ui/plot-view/overlay.h"

/* Where along x the cell at the cursor was measured; the cursor itself where there is none. */
double sl_plot_rows_place (const SlPlotCursor *self);

/* Puts the cursor on the row under the pointer. */
void sl_plot_rows_hover (SlPlotCursor *cursor, double px, double py);
/* Puts the cursor on the next row, by key. */
void sl_plot_rows_move (SlPlotCursor *cursor, int by);

/* Emits "pick" for the row at the cursor; FALSE where rows cannot be picked. */
gboolean sl_plot_rows_pick (const SlPlotCursor *cursor);

/* What is at the cursor: rows at its x, or its cell. */
void sl_plot_rows_read (const SlPlotCursor *cursor, GString *markup, SlMarks *marks);
void sl_plot_rows_read_cell (const SlPlotCursor *cursor, GString *markup);
