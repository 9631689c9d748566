/* SPDX-License-Identifier: MIT
 *
 * A panel of curves of the runs that are compared (core/run/compare/trade.h): each run, the mean of each group with a band,
 * or the difference of two groups.  One thread.  */
#pragma once

#include "core/run/compare/trade.h"
#include "plot/charts/overlay.h"

typedef enum {
  SL_RUNS_EACH,
  SL_RUNS_INTERVAL,   /* of each group, bands of SL_BAND_INTERVAL */
  SL_RUNS_RANGE,      /* likewise of SL_BAND_RANGE */
  SL_RUNS_DIFFERENCE, /* of two groups, in the order of the trade's pair */
} SlRunsKind;

/* The samples of a run of the trade, by the id of a channel; NULL: not there, or not yet. */
typedef const SlSeries *(*SlRunsSeries) (void *data, guint run, const char *channel);

enum { SL_RUNS_MOST = 200 }; /* of each run: more cannot be told apart, and the latest are drawn */

/* A curve of the panel, as every run has it. */
typedef struct
{
  SlOverlayTrace trace; /* its id is that of the channel, interned */
  SlMessage      title; /* of the trace */
} SlRunsLine;

/* What is drawn, and what the figure borrows: zeros at first. */
typedef struct
{
  const SlTrade *trade;
  unsigned       panel; /* of the lab, with curves over steps */
  SlRunsKind     kind;
  SlRunsSeries   series;
  void          *data; /* of `series` */
  SlRunsLine    *line; /* (n_lines) owned, those of the latest drawing */
  unsigned       n_lines;
  SlBand        *band; /* (n_bands) owned */
  unsigned       n_bands;
} SlRunsChart;

void sl_runs_chart_clear (SlRunsChart *chart); /* what it owns */

/* Whether there are two groups to tell the difference of. */
bool sl_runs_has_difference (const SlTrade *trade);

/* Adds the curves to a figure between sl_overlay_begin() and sl_overlay_end().  Its lines and bands take the place of those
 * of before.  False when there is no room for all.  */
bool sl_runs_chart_draw (SlRunsChart *chart, SlFigure *figure);

/* What the curves are, packed: "Means of 3 runs with their 95 % intervals."; for the figure's note, after
 * sl_overlay_end().  */
void sl_runs_chart_say (const SlRunsChart *chart, SlFigure *figure);
