/* SPDX-License-Identifier: MIT
 *
 * What lies along an axis when runs are compared: a cost, the error, or any other number that a run has by the names
 * of core/run/query/field.h (a score of either split, the last value of a channel, a setting).  Plain data, any thread.  */
#pragma once

#include "core/run/query/field.h"
#include "core/run/tradeoff/cost.h"

enum { SL_MEASURE_LABEL = 192 };

typedef enum {
  SL_MEASURE_COST,
  SL_MEASURE_ERROR, /* the lab's error, of the split that trade.h chooses */
  SL_MEASURE_FIELD,
} SlMeasureKind;

typedef struct
{
  const char   *id; /* interned: "executed", "error", "test.violation", "k" */
  SlMeasureKind kind;
  SlCost        cost;
  SlField       field;
  char          label[SL_MEASURE_LABEL]; /* packed (core/base/message.h) */
  const char   *unit;                    /* static or interned; "" where there is none */
} SlMeasure;

/* FALSE when no run of the lab has a number of this name.  `runs` of SlStoreRun, of that lab. */
gboolean sl_measure_find (SlMeasure *measure, const char *id, const SlLab *lab,
                          const GPtrArray *runs);

/* Its value, not-a-number where the run has none; of the error, the one that its table shows. */
double sl_measure_of (const SlMeasure *measure, const SlStoreRun *run);

/* The names of what can lie along an axis for some runs of a lab: costs and error first, then scores, channels, those of
 * its parameters that vary (n_varies), seconds and updates.  Interned; free with g_ptr_array_unref().  */
GPtrArray *sl_measures (const SlLab *lab, const GPtrArray *runs, const unsigned *varies,
                        unsigned n_varies);
