/* SPDX-License-Identifier: MIT
 *
 * Scores that are parts of a whole, of many runs: a stacked bar for each setting, with the mean over its
 * runs.  Which scores these are the lab's descriptor says.  Plain C without GTK.  */
#pragma once

#include "core/run/compare/trade.h"
#include "plot/figure/figure.h"

enum { SL_PART_BARS_MOST = 40, SL_PART_BARS_PARTS = 16 };

typedef struct
{
  unsigned n_bars, n_parts;
  struct
  {
    char   name[64];
    guint  setting;
    double order;
    double sum[SL_PART_BARS_PARTS];
    double n[SL_PART_BARS_PARTS];
  } bar[SL_PART_BARS_MOST];
  char   id[SL_PART_BARS_PARTS][32];
  double x[SL_PART_BARS_MOST],
    y[SL_PART_BARS_PARTS][SL_PART_BARS_MOST]; /* what the figure borrows */
  const char *names[SL_PART_BARS_MOST];
  char        axis[192];
} SlPartBars;

/* Makes bars, axes and legend anew from the test scores of runs; x is what varies.  False when there is nothing to
 * draw.  */
bool sl_part_bars_update (SlPartBars *parts, const SlTrade *trade, SlFigure *figure);
