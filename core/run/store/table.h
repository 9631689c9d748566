/* SPDX-License-Identifier: MIT
 *
 * Runs of a store as CSV, with a column for every parameter that some run has other than usual and
 * for every score, and as JSON.  `runs` of SlStoreRun; free with g_free().  Any thread.  */
#pragma once

#include <glib.h>

char *sl_store_table_csv (const GPtrArray *runs);
char *sl_store_table_json (const GPtrArray *runs);
