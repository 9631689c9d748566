/* SPDX-License-Identifier: MIT
 *
 * What figures show as a table of numbers: CSV in the C locale with as many digits as bring back the same number.
 *
 * Points that have words are a row each: what they are called, of how many values they are the mean, both coordinates
 * with their intervals, and whether they are on the front; points beside them, as single runs, follow without words.  Curves and bars are columns over x, each with its interval
 * beside it ("±", or "low" and "high"); parallel coordinates are a row for each line, cells a row for each row.  What
 * is hidden in the legend is left out.  Lines that begin with # say what it is: title, note, caption.  */
#pragma once

#include <glib.h>

#include "plot/figure/figure.h"

/* The tables of `n` figures, one below the other with an empty line between; `caption` may be NULL.  With `in_view`
 * only the rows that a zoomed figure shows.  Free with g_free(); NULL with a sentence where a figure has no numbers
 * to read, as a picture.  */
char *sl_export_values (SlFigure *const *figures, unsigned n, const char *caption, bool in_view,
                        GError **error);

/* Whether a figure is such a table. */
bool sl_export_has_values (const SlFigure *figure);
