/* SPDX-License-Identifier: MIT
 *
 * Runs of a store by what they have in common, and what tells them apart, as tables.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/store/store.h"

/* A row for every value of a setting, score or fact, with means over its runs (of SlStoreRun).
 * Complains. */
SlExit sl_print_groups (const GPtrArray *runs, const char *name);

/* A row for every run, with a column for everything that differs among them and one for the error. */
void sl_print_differences (const GPtrArray *runs);
