/* SPDX-License-Identifier: MIT
 *
 * The difference of two groups of runs in all that both have, as a figure: each in % of the first group's mean, with its
 * interval.  One thread.  */
#pragma once

#include "core/run/compare/gap.h"
#include "plot/figure/figure.h"

/* What the figure borrows; zeros at first, cleared by sl_gap_chart_clear(). */
typedef struct
{
  GPtrArray *names; /* packed and interned, ended by NULL */
  GArray    *value; /* of double: x, y, halves of those that are clear, then of the others */
} SlGapChart;

void sl_gap_chart_clear (SlGapChart *chart);

/* Fills a figure, which keeps how it is viewed, from sl_trade_gaps() of these two points.  FALSE when there is nothing to
 * show: no mean of the first group is other than 0.  */
gboolean sl_gap_chart_update (SlGapChart *chart, const SlTrade *trade, const GArray *gaps,
                              guint first, guint second, SlFigure *figure);
