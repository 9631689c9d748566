/* SPDX-License-Identifier: MIT
 *
 * Smoothed curves: means over a share of what is shown, so that they look alike at every zoom.  */
#pragma once

#include "plot/figure/reduce.h"

/* Share of the shown width that a point is the mean of until the user changes it. */
#define SL_SMOOTH_USUAL 0.02
#define SL_SMOOTH_MOST 0.2

/* Finds the smoothed values of the measured curves for the range along x.  A curve with less than a few
 * samples to a mean has none.  */
void sl_smooth_curves (SlFigure *figure);

/* Finds which curves need them, by the range along y: a line through samples that are smooth themselves
 * is that of the samples.  */
void sl_smooth_judge (SlFigure *figure);

/* The smoothed line of a curve; n = 0 where there is none. */
SlPoints sl_smooth_points (const SlCurve *curve);

/* The smoothed value at x; not-a-number where there is none. */
double sl_smooth_at (const SlCurve *curve, double x);
