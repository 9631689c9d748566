/* SPDX-License-Identifier: MIT
 *
 * Many runs of one lab compared: any two of their numbers (measure.h), grouped by setting or by another field, with means
 * over the runs of a group and their intervals (core/run/tradeoff/mean.h), and a front of cost and error.
 *
 * What is fair:
 *   - Test and validation errors are never on one axis.  Which of them is chosen as core/run/query/split.h says; runs
 *     without it are left out and counted.
 *   - Other test scores count where they are of the last update, too.
 *   - Where it is the test error and every run has a validation error, that one chooses the front.
 *   - Runs on other data than the newest are on no front.
 * sl_trade_say() says all this in words.  The same runs and axes make the same trade, in a window and on a command line.
 * Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/run/compare/measure.h"
#include "core/run/query/data-sets.h"
#include "core/run/tradeoff/mean.h"
#include "core/run/tradeoff/tradeoff.h"

/* What an error is measured on. */
typedef enum {
  SL_TRADE_TEST,
  SL_TRADE_VALIDATION,
} SlTradeSplit;

/* Why a run has no part in the means of the two axes. */
typedef enum {
  SL_TRADE_IN,
  SL_TRADE_DIVERGED,
  SL_TRADE_PRUNED, /* by an earlier version */
  SL_TRADE_NO_X,
  SL_TRADE_NO_Y,
  SL_N_TRADE_PARTS,
} SlTradePart;

typedef struct
{
  const SlStoreRun *run; /* a reference */
  size_t            tag; /* what the caller knows it by */
  guint  point, setting; /* the number of its setting, in the order of their first runs */
  double x, y,
    choice;          /* not-a-number where it has no part; `choice` is what a front is chosen by */
  bool        apart; /* it is on other data */
  SlTradePart part;
} SlTradeRun;

/* The runs of one group. */
typedef struct
{
  guint    first;       /* of its runs */
  unsigned n, diverged; /* runs that came to an end, and that did not */
  SlMean   x, y, choice;
  bool     best, knee; /* as in tradeoff.h */
  bool     apart;      /* as all of its runs that have a part */
} SlTradePoint;

typedef struct
{
  const SlLab *lab;
  SlMeasure    x, y;
  GArray      *runs;   /* of SlTradeRun; by sl_trade_settle() in the order of their sweeps */
  GArray      *points; /* of SlTradePoint, in the order of their first runs */
  SlDataSets   data;
  unsigned     varies[SL_PARAMS_MAX], n_varies; /* parameters that tell the settings apart */
  int          tone, shape; /* of these, what gives colour and marker; -1: none */
  bool         grouped;
  SlField      field; /* that groups them, in place of the settings */
  bool         frontier;
  SlTradeSplit split;
  bool         validated;              /* validation errors choose the front of test errors */
  guint        part[SL_N_TRADE_PARTS]; /* how many runs */
  guint        pair[2]; /* of two points: a difference is the second of these minus the first */
} SlTrade;

void sl_trade_init (SlTrade *trade, const SlLab *lab);
void sl_trade_clear (SlTrade *trade);

/* Adds a run of the lab; a reference is taken. */
void sl_trade_add (SlTrade *trade, const SlStoreRun *run, size_t tag);

/* How the runs are looked at. */
typedef struct
{
  const char    *x, *y; /* names of measures; NULL: executed multiplications, and the error */
  const SlField *group; /* NULL, or the setting itself: by setting */
  const char *
    data; /* the specification that a front is about, if some run is on it; NULL, or else: that of the newest
                         * run */
} SlTradeView;

/* Makes the points; after the last run was added, and again for another view. */
void sl_trade_settle (SlTrade *trade, const SlTradeView *view);

/* Of two points, that of the run with this tag is the first of a difference; otherwise, point 0 is. */
void sl_trade_lead (SlTrade *trade, size_t tag);

/* Means over the points (n) of any other number. */
void sl_trade_means (const SlTrade *trade, const SlMeasure *measure, SlMean *mean);

/* The runs, of SlStoreRun, borrowed; free with g_ptr_array_unref(). */
GPtrArray *sl_trade_list (const SlTrade *trade);

SlTradeRun   *sl_trade_run (const SlTrade *trade, guint i);
SlTradePoint *sl_trade_point (const SlTrade *trade, guint p);

/* The group in words, "rank 5-5-5, s 0.1", "k = 4", with the data where there are several.  `named`: with the names of the
 * settings.  Free with g_free(), as the next.  */
char *sl_trade_title (const SlTrade *trade, guint point, bool named);

/* The setting of a run in the same way, whatever groups. */
char *sl_trade_setting (const SlTrade *trade, guint run, bool named);

/* A run among the others: its group and what tells it apart there, "rank 8, seed 2", else its name. */
char *sl_trade_run_title (const SlTrade *trade, guint run, bool named);

/* The error of a run on the split of the comparison, not-a-number where it has none of its last update. */
double sl_trade_error (const SlTrade *trade, const SlStoreRun *run);

/* A number of a run as the comparison counts it: that error, and test scores of the last update alone. */
double sl_trade_value (const SlTrade *trade, const SlMeasure *measure, const SlStoreRun *run);

/* Axes with what they are measured on and in; labels are packed (core/base/message.h) and interned. */
SlAxis sl_trade_axis (const SlTrade *trade, const SlMeasure *measure);
SlAxis sl_trade_x (const SlTrade *trade);
SlAxis sl_trade_y (const SlTrade *trade);

enum { SL_TRADE_SAID = 3 * SL_MESSAGE_SIZE };

/* What a reader has to know of the points, packed (core/base/message.h): what the bars are and of how many runs, what chose
 * the front, how long the runs are, and how many are left out for what.  Returns `packed`.  */
const char *sl_trade_say (const SlTrade *trade, char *packed, size_t size);

/* Of it, what bars of points are that are means of so many runs. */
SlMessage sl_trade_say_bars (unsigned least, unsigned most);

/* Of it, that a point is made of several settings, by the runs that have a part; else SL_NO_MESSAGE. */
SlMessage sl_trade_say_mix (const SlTrade *trade, bool (*has_part) (const SlTradeRun *run));

/* Whether what a run has is part of its group's means, whatever the axes: it did not diverge, and was not pruned. */
bool sl_trade_counts (const SlTradeRun *run);

/* The same of mean curves: how many runs diverged or were pruned, and how long the others are; "" where there is nothing to
 * say.  */
const char *sl_trade_say_curves (const SlTrade *trade, char *packed, size_t size);
