/* SPDX-License-Identifier: MIT
 *
 * A trade-off as a table and as JSON.  */
#pragma once

#include <stdio.h>

#include "app/cli/cli.h"
#include "core/run/compare/trade.h"

/* The cost of --cost, "executed" for NULL; -1, with a complaint, for another word. */
int sl_trade_cost_typed (const char *word);

/* Whether runs of a lab can have a cost, as far as its descriptor tells.  Complains if not, and lists the costs that there
 * are.  */
bool sl_trade_offers_cost (const SlLab *lab, SlCost cost);

/* Whether a run of a comparison has the number of an axis.  Complains if not, and lists the numbers that there are. */
bool sl_trade_shows (const SlTrade *trade, const SlMeasure *measure);

/* A row per setting. */
void sl_trade_print (const SlTrade *trade, FILE *stream);

/* A JSON document of the sweep (JSON text), its runs and points; free with g_free(). */
char *sl_trade_json (const SlTrade *trade, const char *sweep);
