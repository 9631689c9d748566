/* SPDX-License-Identifier: MIT
 *
 * Runs of a store as CSV, with a column for every parameter that some run has other than usual and
 * for every score, and as JSON.  `runs` of SlStoreRun; free with g_free().  Any thread.  */
#pragma once

#include "core/run/store/store.h"

char *sl_store_table_csv (const GPtrArray *runs);

/* `store` is the one that the runs are in; NULL with a sentence where their recipes cannot be read. */
char *sl_store_table_json (SlStore *store, const GPtrArray *runs, GError **error);
