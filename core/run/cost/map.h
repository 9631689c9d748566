/* SPDX-License-Identifier: MIT
 *
 * Where skipping pays: predicted speed-ups over the plane of two parameters, those that the lab's
 * descriptor names, and the line on which they are 1.  Plain data, no drawing.  Any thread.  */
#pragma once

#include "core/run/cost/model.h"

enum { SL_COST_MAP_SIDE = 17, SL_COST_MAP_LINE = 3 * 2 * SL_COST_MAP_SIDE * SL_COST_MAP_SIDE };

/* Lists have the same value in all of their elements. */
typedef struct
{
  const SlParam *x, *y;
  unsigned       columns, rows;
  double         x_value[SL_COST_MAP_SIDE], y_value[SL_COST_MAP_SIDE]; /* rising */
  unsigned       x_now, y_now; /* the column and row of the settings themselves */

  /* (rows, columns), the largest value of y on top; not-a-number where the settings do not fit together
   * or are not predicted.  */
  double speed_up[SL_COST_MAP_SIDE * SL_COST_MAP_SIDE];

  /* The line of 1: pieces of two points and a not-a-number, in cells; the centre of the one in the first
   * column on top is at (1, 1).  */
  unsigned n;
  double   line_x[SL_COST_MAP_LINE], line_y[SL_COST_MAP_LINE];
} SlCostMap;

/* Predicts around these settings.  FALSE: the lab names no parameters for it, or nothing is predicted. */
bool sl_cost_map (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
                  const SlDataset *dataset, SlCostMap *map);

/* "rank,hidden,speed-up" and a row per cell; free with g_free(). */
char *sl_cost_map_csv (const SlCostMap *map);
