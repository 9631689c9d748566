/* SPDX-License-Identifier: MIT
 *
 * The difference of two groups of runs in all that both have.  */
#pragma once

#include "core/run/compare/trade.h"

typedef struct
{
  SlMeasure measure;
  SlMean    mean[2];
  SlGap     gap; /* second - first */
} SlTradeGap;

/* Costs, the error and the other scores of its split that both points have, in the order of sl_measures(); of SlTradeGap.
 * Free with g_array_unref().  */
GArray *sl_trade_gaps (const SlTrade *trade, guint first, guint second);

/* The same as a table, below what sl_trade_say_mix() says: name, title, both means with n and interval, difference with
 * interval and degrees of freedom.  Free with g_free().  */
char *sl_trade_gaps_csv (const SlTrade *trade, const GArray *gaps, guint first, guint second);
