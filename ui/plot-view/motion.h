/* SPDX-License-Identifier: MIT
 *
 * The slow motion of a network that decides about one example: the signal goes through the groups of its picture
 * (SlView.reached).  */
#pragma once

#include "ui/plot-view/view.h"

typedef struct
{
  SlPlotView *view;  /* the plot */
  guint       tick;  /* callback of the frames; 0: nothing moves */
  gint64      begun; /* time of the first frame, µs; 0: not yet */
} SlPlotMotion;

/* From the beginning, in two seconds, to the end, where all is lit; a step where the desktop is without animations. */
void sl_plot_motion_play (SlPlotMotion *motion);

/* The next group at once; behind the last one all is lit without a caption. */
void sl_plot_motion_step (SlPlotMotion *motion);

/* Nothing moves, and all is lit. */
void sl_plot_motion_stop (SlPlotMotion *motion);
