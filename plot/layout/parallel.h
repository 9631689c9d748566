/* SPDX-License-Identifier: MIT
 *
 * Where the axes and lines of parallel coordinates are in a laid-out frame, in px.  */
#pragma once

#include "plot/figure/parallel.h"
#include "plot/layout/frame.h"

double sl_parallel_x (const SlParallel *parallel, const SlFrame *frame, unsigned axis);
double sl_parallel_y (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                      double value);

/* The value of an axis at a height, cut to its ends. */
double sl_parallel_value (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                          double y);

/* The axis within `reach` px of x, or -1. */
int sl_parallel_axis_at (const SlParallel *parallel, const SlFrame *frame, double x, double reach);
/* The selected line within `reach` px of a point, or -1. */
int sl_parallel_line_at (const SlParallel *parallel, const SlFrame *frame, double x, double y,
                         double reach);
