/* SPDX-License-Identifier: MIT
 *
 * Figures from runs of other programs (core/run/foreign/foreign.h).  */
#pragma once

#include "app/cli/show/outputs.h"

/* Draws each "NAME[,NAME…]=FILE" (ended by NULL): the curves of these names, of every run in the files
 * `path` and `with` (ended by NULL, or NULL), over each other; "all" is a figure for each name.
 * Complains.  */
SlExit sl_plot_foreign (const char *path, char **with, char **plots, const SlOutputs *outputs);
