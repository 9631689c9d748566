/* SPDX-License-Identifier: MIT
 *
 * The runs of a store as a list for people.  */
#pragma once

#include <glib.h>
#include <stdio.h>

/* `runs` of SlStoreRun. */
void sl_runs_print (const GPtrArray *runs, FILE *stream);
