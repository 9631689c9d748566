/* SPDX-License-Identifier: MIT
 *
 * Figures from a store: the trade-off of a lab's runs, the difference of two groups, their pictures, and a panel of several
 * runs in one plot: the same as on the page of runs.  */
#pragma once

#include "app/cli/show/outputs.h"
#include "app/cli/show/trade.h"
#include "core/run/store/store.h"
#include "core/run/sweep/sweep.h"
#include "plot/charts/runs.h"

typedef struct
{
  const char *lab;  /* id; NULL: that of the first run */
  char      **runs; /* beginnings of ids, ended by NULL; NULL: all of the lab */
  const char *x,
    *y; /* of the trade-off (core/run/compare/measure.h); NULL: executed, and the error.  Of the table of a
                       * sweep columns; NULL: what its reader takes for them */
  const char *group;  /* a field (core/run/query/field.h); NULL: the setting */
  const char *filter; /* core/run/query/query.h; NULL: all */
  SlRunsKind  curves; /* of panels */
  char      **with;   /* files whose curves are drawn over each other, ended by NULL; NULL: none */
} SlPlotChoice;

/* Draws "trade=FILE", "difference=FILE" (also csv), "pictures=FILE", "parts=FILE" and "PANEL=FILE" (svg, png, pdf, tikz),
 * and writes the page outputs->html.  Complains.  */
SlExit sl_plot_store (const char *path, char **plots, const SlPlotChoice *choice,
                      SlOutputs *outputs);

/* Writes outputs->html: the page of several runs that are compared (settled), or of the only one.  `sweep` made them, or
 * NULL.  Complains.  */
SlExit sl_plot_page (SlStore *store, const SlTrade *trade, const SlSweep *sweep,
                     SlOutputs *outputs);

/* Whether a page can have this name.  Complains. */
bool sl_plot_page_check (const char *path);
