/* SPDX-License-Identifier: MIT
 *
 * Where the axes and lines of parallel coordinates are in a laid-out frame, in px.  */
#pragma once

#include "plot/figure/parallel.h"
#include "plot/layout/laying.h"

enum { SL_PARALLEL_WORDS = SL_PARALLEL_TITLE + 24 };

/* Gives each axis its place: as even as titles and labels allow. */
void sl_parallel_lay (const SlLaying *job, SlFrame *frame);

/* What is written along an axis; ticks whose labels have no room have none.  Returns how many there are. */
unsigned sl_parallel_ticks (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                            SlTick tick[SL_TICKS_MAX]);

/* "Rank", "executed (%)"; returns `title`. */
const char *sl_parallel_title (const SlParallel *parallel, const SlFrame *frame, unsigned axis,
                               char title[SL_PARALLEL_WORDS]);

/* A title in two lines of about one length: the first goes to `first`, the second is returned; NULL: it is one word. */
const char *sl_parallel_break (const char *title, char first[SL_PARALLEL_WORDS]);

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
