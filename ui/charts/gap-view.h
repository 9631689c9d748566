/* SPDX-License-Identifier: MIT
 *
 * The difference of two groups of runs: a chart of all that both have, and the numbers beside it.  */
#pragma once

#include "plot/charts/gap.h"
#include "ui/charts/chart.h"

#define SL_TYPE_GAP_VIEW (sl_gap_view_get_type ())
G_DECLARE_FINAL_TYPE (SlGapView, sl_gap_view, SL, GAP_VIEW, GtkWidget)

/* Signals "copy", "export" as those of the chart. */

/* The pair of a trade of two points, which is read before this returns; NULL: nothing. */
void sl_gap_view_show (SlGapView *self, const SlTrade *trade);

SlFigure *sl_gap_view_get_figure (SlGapView *self);
