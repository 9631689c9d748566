/* SPDX-License-Identifier: MIT
 *
 * The row of the styles (plot/export/style.h): none, the program's own, the user's.  */
#pragma once

#include <adwaita.h>

/* Fills the row with the names of the styles and chooses one, or "" for none. */
void sl_style_row_fill (AdwComboRow *row, const char *chosen);

/* Says under the title which font stands in for the chosen style's, or where styles are kept. */
void sl_style_row_show_font (AdwComboRow *row);

/* The name that sl_export_style_find() takes, or NULL for none; of the row, until it is filled again. */
const char *sl_style_row_get (AdwComboRow *row);
