/* SPDX-License-Identifier: MIT
 *
 * Figures from a file: the JSON export of a run, a store of runs, or the curves of another program.  */
#pragma once

#include "app/cli/plot/store.h"

/* Draws each "PANEL=FILE" (ended by NULL) from `path`; the choice is for stores.  Complains. */
SlExit sl_plot_file (const char *path, char **plots, const SlPlotChoice *choice,
                     SlOutputs *outputs);
