/* SPDX-License-Identifier: MIT
 *
 * Many runs of one lab as a trade-off: grouped by setting, with mean and standard deviation over
 * the seeds and a mark on what nothing beats, as a table, as JSON and as a figure.  */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/cli/cli.h"
#include "core/run/cost/model.h"
#include "core/run/record/outcome.h"
#include "core/run/record/tradeoff.h"
#include "core/run/store/store.h"
#include "core/run/sweep/job.h"
#include "plot/charts/front.h"

/* What a setting costs, as in SlOutcome. */
typedef enum {
  SL_COST_EXECUTED,
  SL_COST_TIMED,
  SL_COST_EXPECTED,
  SL_COST_PARAMETERS,
  SL_COST_PREDICTED, /* time, from what was timed of this machine before */
  SL_N_COSTS,
} SlCost;

/* "executed", "timed", "expected", "parameters", "predicted"; static.  sl_cost_find() gives -1 for another word. */
const char *sl_cost_id (SlCost cost);
int         sl_cost_find (const char *id);

/* A run that is over. */
typedef struct
{
  char         id[SL_UUID];
  unsigned     number; /* gives the order */
  SlSettings   settings;
  char        *data; /* owned by the trade once it was added */
  uint64_t     seed, step;
  bool         diverged;
  SlOutcome    outcome;
  SlPrediction predicted; /* time in % of the dense pass; by sl_trade_predict() */
  unsigned     n_scores;
  SlScore      score[SL_SCORES_MAX]; /* of the test data; `title` may be the id */
  guint        point;                /* that it belongs to, by sl_trade_settle() */
} SlTradeRun;

/* The runs of one setting. */
typedef struct
{
  guint    first;       /* of its runs */
  unsigned n, diverged; /* runs that came to an end, and that did not */
  SlMean   error, cost[SL_N_COSTS], score[SL_SCORES_MAX];
  bool     best; /* no other setting costs less and errs less */
} SlTradePoint;

typedef struct
{
  const SlLab *lab;
  SlCost       cost;
  GArray      *runs;   /* of SlTradeRun; in the order of the sweep after sl_trade_settle() */
  GArray      *points; /* of SlTradePoint, in the order of their first runs; by sl_trade_settle() */
  unsigned     varies[SL_PARAMS_MAX], n_varies; /* parameters that tell the settings apart */
  bool         data_varies;
  SlFront      front;
} SlTrade;

void sl_trade_init (SlTrade *trade, const SlLab *lab, SlCost cost);
void sl_trade_clear (SlTrade *trade);

/* What came from a sweep, and what a store has; the second is false for a run of another lab, and
 * for one that is not over.  */
void sl_trade_add_result (SlTrade *trade, const SlSweepResult *result);
bool sl_trade_add_stored (SlTrade *trade, const SlStoreRun *run);

/* What a run costs, not-a-number where that is not known. */
double sl_trade_cost (const SlTradeRun *run, SlCost cost);

/* Predicts the time of all runs, which opens their data; before the points are made.  Complains where this machine
 * was not timed, or no time is predicted for any of them.  */
SlExit sl_trade_predict (SlTrade *trade);

/* Whether runs of a lab can have a cost, as far as its descriptor says (not for parameters); says so if they cannot,
 * and which they can.  */
bool sl_trade_lab_has_cost (const SlLab *lab, SlCost cost);

/* Whether a run has the cost that is shown; says so if none has, and which costs they have. */
bool sl_trade_has_cost (const SlTrade *trade);

/* Makes the points; after the last run was added. */
void sl_trade_settle (SlTrade *trade);

/* A row per setting. */
void sl_trade_print (const SlTrade *trade, FILE *stream);

/* A JSON document of the sweep (JSON text), its runs and points; free with g_free(). */
char *sl_trade_json (const SlTrade *trade, const char *sweep);

/* The setting of a point in words, "rank 5-5-5, s 0.1"; free with g_free(). */
char *sl_trade_words (const SlTrade *trade, const SlTradePoint *point);

/* The chart, which borrows from the trade.  False when no setting has both cost and error. */
bool sl_trade_figure (SlTrade *trade, SlFigure *figure);
