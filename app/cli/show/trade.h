/* SPDX-License-Identifier: MIT
 *
 * A trade-off as a table, as JSON and as a picture.  */
#pragma once

#include <stdio.h>

#include "app/cli/cli.h"
#include "core/run/tradeoff/trade.h"
#include "plot/charts/front.h"

/* The cost of --cost, "executed" for NULL; -1, with a complaint, for another word. */
int sl_trade_cost_typed (const char *word);

/* The first says whether runs of a lab can have a cost, as far as its descriptor tells; the second,
 * whether a run of a trade-off has the cost that is shown.  Complains if not, and lists the costs
 * that there are.  */
bool sl_trade_offers_cost (const SlLab *lab, SlCost cost);
bool sl_trade_shows_cost (const SlTrade *trade);

/* A row per setting. */
void sl_trade_print (const SlTrade *trade, FILE *stream);

/* A JSON document of the sweep (JSON text), its runs and points; free with g_free(). */
char *sl_trade_json (const SlTrade *trade, const char *sweep);

/* The chart, which borrows from the trade and from `front` (zeroed; clear it after the last drawing).  False when no
 * setting has both cost and error.  */
bool sl_trade_figure (const SlTrade *trade, SlFront *front, SlFigure *figure);
