/* SPDX-License-Identifier: MIT
 *
 * Scores that are parts of a whole, of many runs: a stacked bar for each setting, with the mean over its
 * runs.  Which scores these are the lab's descriptor says.  Plain C without GTK.  */
#pragma once

#include <glib.h>

#include "plot/figure/figure.h"

enum { SL_PART_BARS_MOST = 40, SL_PART_BARS_PARTS = 16 };

typedef struct
{
  unsigned n_bars, n_parts;
  struct
  {
    char   name[64];
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

/* Whether a score of the lab is a part. */
bool sl_part_bars_has (const SlLab *lab, const char *id);

/* Adds a part of a run of the setting called `name`; bars come by `order`, then as they were added.  What
 * there is no room for is left out.  */
void sl_part_bars_add (SlPartBars *parts, const char *name, double order, const char *id,
                       double value);

/* Axes, bars and legend; x is what the names are values of.  False when there is nothing to draw. */
bool sl_part_bars_update (SlPartBars *parts, const SlLab *lab, const char *x, SlFigure *figure);
