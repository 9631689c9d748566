/* SPDX-License-Identifier: MIT
 *
 * Runs of a store by what they have in common, and what tells them apart, as tables.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/store/store.h"

/* Prints the error of a run behind a word, and whatever it is not of: the test examples, the run's update. */
void sl_print_error (const char *before, const SlStoreRun *run, const SlOutcome *outcome);

/* A row for every value of a setting, score or fact, with means over its runs (of SlStoreRun).
 * Complains. */
SlExit sl_print_groups (const GPtrArray *runs, const char *name);

/* A row for every run, with a column for everything that differs among them and one for the error. */
void sl_print_differences (const GPtrArray *runs);
