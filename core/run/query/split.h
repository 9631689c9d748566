/* SPDX-License-Identifier: MIT
 *
 * Which errors runs of one lab are compared by: those of the test data, unless more runs have one of the validation data.
 * Plain data, any thread.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

/* Whether it has a part in means: it did not diverge, and was not pruned. */
bool sl_run_counts (const SlStoreRun *run);

/* Whether its test scores are of its last update; while it goes on, they are of its last evaluation. */
bool sl_run_is_tested (const SlStoreRun *run);

/* Its validation error, or its test error, which is that of its last update; while it goes on, that of its last evaluation.
 * Not-a-number: it has none.  */
double sl_run_error (const SlStoreRun *run, bool validation);

/* Runs that count and have such an error; zeros at first. */
typedef struct
{
  guint test, valid, both;
} SlErrorCount;

void sl_error_count_add (SlErrorCount *count, const SlStoreRun *run);

/* Whether the runs that were added are compared by validation errors. */
bool sl_error_count_is_validation (const SlErrorCount *count);

G_END_DECLS
