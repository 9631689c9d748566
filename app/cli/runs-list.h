/* SPDX-License-Identifier: MIT
 *
 * The runs of a store as a list for people, as CSV with a column for every parameter that somebody
 * changed and every score, and as JSON.  */
#pragma once

#include <glib.h>
#include <stdio.h>

/* `runs` of SlStoreRun. */
void  sl_runs_print (const GPtrArray *runs, FILE *stream);
char *sl_runs_csv (const GPtrArray *runs);  /* free with g_free() */
char *sl_runs_json (const GPtrArray *runs); /* the same */
