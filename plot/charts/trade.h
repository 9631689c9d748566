/* SPDX-License-Identifier: MIT
 *
 * Runs that are compared (core/run/compare/trade.h) as a figure.  One thread.  */
#pragma once

#include "core/run/compare/trade.h"
#include "plot/charts/front.h"

/* Fills the front, zeroed or of an earlier call, and title, axes and note of the figure; the tags of points are the numbers
 * of runs of the trade.  sl_front_update() then makes the curves.  */
void sl_trade_figure (const SlTrade *trade, SlFront *front, SlFigure *figure);

/* A number against one of the parameters that vary, from 0: a point for each setting.  `names` (ended by NULL, freed by the
 * caller with g_free()) are those of a choice's values, which the figure borrows; NULL for numbers.  */
void sl_trade_parameter (const SlTrade *trade, unsigned varied, SlFront *front, SlFigure *figure,
                         const char ***names);
