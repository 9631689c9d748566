/* SPDX-License-Identifier: MIT
 *
 * Groups of runs by the value of a field, whatever their labs.  Runs without a value are a group of
 * their own, the last.  Plain data, any thread.  */
#pragma once

#include "core/run/query/field.h"
#include "core/run/tradeoff/mean.h"

G_BEGIN_DECLS

typedef struct
{
  SlFieldValue value; /* kind SL_FIELD_NOTHING: they have none */
  unsigned     n;     /* runs */
  SlMean       error, executed, timed;
  bool         validation; /* `error` is of validation examples, else of test examples */
  unsigned     left_out;   /* of `error`: runs that have none of its kind, or do not count */
} SlRunGroup;

/* Which group each run (of SlStoreRun) belongs to, group[i] for runs[i], and the groups, of SlRunGroup,
 * in rising order of their values.  Texts of the values are borrowed from the runs.  Free with
 * g_array_unref().  Means are over the runs that count; split.h says which errors of a lab's runs they are of.  */
GArray *sl_run_groups (const GPtrArray *runs, const SlField *field,
                       unsigned *group /* (runs->len) */);

/* Sets the means of groups, each of which has another number `group` of some runs. */
void sl_run_groups_take_means (const GPtrArray *runs, const unsigned *group, GArray *groups);

/* Names of lab, data, settings and seed that differ among the runs.  A setting that only some labs have differs
 * where two runs that have it do.  Free with g_ptr_array_unref().  */
GPtrArray *sl_run_differences (const GPtrArray *runs);

G_END_DECLS
