/* SPDX-License-Identifier: MIT
 *
 * Many runs of one lab as a trade-off: grouped by setting, with mean and standard deviation over the seeds and a
 * mark on what nothing beats.  Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/run/store/store.h"
#include "core/run/tradeoff/cost.h"
#include "core/run/tradeoff/tradeoff.h"

/* A run that is over. */
typedef struct
{
  char      id[SL_UUID];
  unsigned  number;   /* gives the order */
  SlPacked *settings; /* owned by the trade once it was added, as the next two */
  char     *data;
  uint64_t  seed, step;
  unsigned  colour; /* of a stored run, from 1 */
  bool      diverged;
  SlOutcome outcome;
  SlScore  *score; /* (n_scores) of the test data; `title` may be the id */
  unsigned  n_scores;
  guint     point; /* that it belongs to, by sl_trade_settle() */
} SlTradeRun;

/* The runs of one setting. */
typedef struct
{
  guint    first;       /* of its runs */
  unsigned n, diverged; /* runs that came to an end, and that did not */
  SlMean   error, cost[SL_N_COSTS];
  SlMean  *score; /* (n_scores of the trade) */
  bool     best;  /* no other setting costs less and errs less */
} SlTradePoint;

typedef struct
{
  const SlLab *lab;
  SlCost       cost;
  GArray      *runs;   /* of SlTradeRun; in the order of the sweep after sl_trade_settle() */
  GArray      *points; /* of SlTradePoint, in the order of their first runs; by sl_trade_settle() */
  unsigned     varies[SL_PARAMS_MAX], n_varies; /* parameters that tell the settings apart */
  unsigned     n_scores;                        /* the most that a run has */
  bool         data_varies;
} SlTrade;

void sl_trade_init (SlTrade *trade, const SlLab *lab, SlCost cost);
void sl_trade_clear (SlTrade *trade);

/* Takes over the run's settings, data and scores. */
void sl_trade_add (SlTrade *trade, const SlTradeRun *run);

/* A run that a store has; false for one of another lab, and for one that is not over. */
bool sl_trade_add_stored (SlTrade *trade, const SlStoreRun *run);

/* Whether a run has a cost. */
bool sl_trade_has_cost (const SlTrade *trade, SlCost cost);

/* Makes the points; after the last run was added. */
void sl_trade_settle (SlTrade *trade);

/* The setting of a point in words, "rank 5-5-5, s 0.1"; free with g_free(). */
char *sl_trade_words (const SlTrade *trade, const SlTradePoint *point);
