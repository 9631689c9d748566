/* SPDX-License-Identifier: MIT
 *
 * The views of the plots of a run, as a text that is stored with it: what is zoomed, logarithmic,
 * smoothed, sorted, switched off in the legend, the notes that were written on them, and which plot
 * is maximised.
 *
 * JSON: {"maximised": "PANEL", "panels": {"PANEL": {"x": [LO, HI], "y": [LO, HI], "window": STEPS,
 * "log-x": true, …, "smooth": SHARE, "hidden": ["CURVE", …], "notes": [{"x": X, "y": Y, "text":
 * "…"}, …]}}}; what is missing has the panel's default.  */
#pragma once

#include "ui/grid/grid.h"

/* The views of all plots; free with g_free().  NULL when every plot is as it was at first. */
char *sl_plot_views_write (SlPlotGrid *grid);

/* Brings the plots to those views.  Panels and curves that are not there are passed over, as are
 * values that make no sense; a text that is no JSON changes nothing.  */
void sl_plot_views_read (SlPlotGrid *grid, const char *json);

/* The notes are about a run: another one begins without any. */
void sl_plot_views_forget_notes (SlPlotGrid *grid);
