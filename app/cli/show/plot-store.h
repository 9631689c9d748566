/* SPDX-License-Identifier: MIT
 *
 * Figures from a store: the trade-off of a lab's runs, their pictures, and a panel of several runs
 * in one plot.  */
#pragma once

#include "app/cli/show/outputs.h"
#include "app/cli/show/trade.h"

typedef struct
{
  const char *lab;    /* id; NULL: that of the first run */
  char      **runs;   /* beginnings of ids, ended by NULL; NULL: all of the lab */
  const char *cost;   /* of the trade-off; NULL: executed.  Of the table of a sweep a column */
  const char *error;  /* column of the table of a sweep; NULL: what its reader takes for it */
  const char *filter; /* core/run/query/query.h; NULL: all */
  bool        bands;  /* one curve for each setting, mean and deviation over its runs */
  char      **with;   /* files whose curves are drawn over each other, ended by NULL; NULL: none */
} SlPlotChoice;

/* Draws "trade=FILE", "pictures=FILE", "parts=FILE" and "PANEL=FILE" (svg, png, pdf, tikz).  Complains. */
SlExit sl_plot_store (const char *path, char **plots, const SlPlotChoice *choice,
                      const SlOutputs *outputs);
