/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates with brushes: dragging along an axis selects a range, a click on it takes
 * the range away, hovering reads a line, a click picks its run.  By key, Left and Right go from
 * axis to axis, Up and Down from run to run, and Return picks.  */
#pragma once

#include "plot/layout/parallel.h"
#include "ui/charts/chart.h"

#define SL_TYPE_PARALLEL_VIEW (sl_parallel_view_get_type ())
G_DECLARE_FINAL_TYPE (SlParallelView, sl_parallel_view, SL, PARALLEL_VIEW, SlChart)

/* Signals:
 *   "pick" (guint line)  a line was picked
 *   "brushed"            the selection changed
 * Action chart.unbrush takes all brushes away.  */

/* Axes and lines, to be changed in place and shown by sl_parallel_view_update(). */
SlParallel *sl_parallel_view_get_parallel (SlParallelView *self);
void        sl_parallel_view_update (SlParallelView *self);
