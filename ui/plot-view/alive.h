/* SPDX-License-Identifier: MIT
 *
 * A network that decides about one example: the units of its picture, by pointer and key, in words.  */
#pragma once

#include <glib.h>

#include "plot/figure/figure.h"

/* Rows of the figure's matrix: the input, or a unit at a place, px, FALSE where there is none; and the next one
 * from a row on, or the first where that is none.  */
gboolean sl_plot_alive_at (const struct SlFrame *frame, const SlFigure *figure, double px,
                           double py, unsigned *row);
unsigned sl_plot_alive_next (const struct SlFrame *frame, const SlFigure *figure, unsigned row,
                             int by);

/* Whether a click on a row shows another example: the next one, or so many on from a letter or word. */
gboolean sl_plot_alive_leads (const SlFigure *figure, unsigned row, int *by);

/* The unit of a row as SlSubject.closed has it; FALSE where it is none that can be switched off. */
gboolean sl_plot_alive_unit (const SlFigure *figure, unsigned row, guint *field, guint *unit);

/* What is to be read of a row, lines; the caller frees it. */
char *sl_plot_alive_text (const SlFigure *figure, unsigned row);
