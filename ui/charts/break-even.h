/* SPDX-License-Identifier: MIT
 *
 * A window with the map of where skipping pays under some settings: predicted speed-ups over two
 * parameters, to be read, copied and exported.
 *
 * Actions: even.export, even.copy.  */
#pragma once

#include <adwaita.h>

#include "core/run/cost/map.h"
#include "plot/figure/figure.h"

#define SL_TYPE_BREAK_EVEN_WINDOW (sl_break_even_window_get_type ())
G_DECLARE_FINAL_TYPE (SlBreakEvenWindow, sl_break_even_window, SL, BREAK_EVEN_WINDOW, AdwWindow)

/* Shows a map, which is copied, over `parent`.  `lab` names the files that are proposed. */
SlBreakEvenWindow *sl_break_even_window_open (GtkWindow *parent, const SlLab *lab,
                                              const SlCostMap *map);

SlFigure *sl_break_even_window_get_figure (SlBreakEvenWindow *self);

/* As a figure, or as a table where the name ends in .csv; a toast says how it went. */
void sl_break_even_window_export_to (SlBreakEvenWindow *self, const char *path);
