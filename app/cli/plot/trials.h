/* SPDX-License-Identifier: MIT
 *
 * The table of a sweep of another program, as a list and as a trade-off.  */
#pragma once

#include "app/cli/cli.h"
#include "app/cli/show/outputs.h"

/* Columns that are to be the error and the cost; NULL: what the reader takes for them. */
typedef struct
{
  const char *error, *cost;
} SlTrialsChoice;

/* A line for each run: settings, cost, error. */
SlExit sl_print_trials (const char *path);

/* Draws "trade=FILE" (ended by NULL). */
SlExit sl_plot_trials (const char *path, char **plots, const SlTrialsChoice *choice,
                       const SlOutputs *outputs);
