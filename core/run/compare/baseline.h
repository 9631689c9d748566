/* SPDX-License-Identifier: MIT
 *
 * The networks that runs have beside their own (SlBaseline), as points of a comparison of cost and error.  */
#pragma once

#include "core/run/compare/trade.h"

typedef struct
{
  const char *title; /* of the descriptor */
  guint       point; /* whose runs it is beside */
  SlMean      x, y;  /* over these runs */
} SlTradeBaseline;

/* All that there are, in the order of the descriptor, then of the points; of SlTradeBaseline.  None of a comparison of other
 * numbers; beside the clock and the parameters only what is dense, at 100 % of the time.  Free with g_array_unref().  */
GArray *sl_trade_baselines (const SlTrade *trade);
