/* SPDX-License-Identifier: MIT
 *
 * A network that decides about one example: reading its units, and asking for another example.  */
#pragma once

#include "ui/plot-view/cursor.h"

/* Puts the cursor on the unit or the input at a place, px. */
void sl_plot_alive_hover (SlPlotCursor *cursor, double px, double py);

/* Another example, by so many: emits "example". */
void sl_plot_alive_step (const SlPlotCursor *cursor, int by);

/* The next unit, by key. */
void sl_plot_alive_move (SlPlotCursor *cursor, int by);

/* A click on the input asks for the next example. */
void sl_plot_alive_click (const SlPlotCursor *cursor);

/* What is at the cursor. */
void sl_plot_alive_read (const SlPlotCursor *cursor, GString *markup);
