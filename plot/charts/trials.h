/* SPDX-License-Identifier: MIT
 *
 * The sweep of another program as a trade-off.  */
#pragma once

#include "core/run/foreign/trials.h"
#include "plot/charts/front.h"

/* Points, axes and title; `front` and `figure` are zeroed or of an earlier call and borrow from the trials.  FALSE when
 * no run has both a cost and an error.  */
gboolean sl_trials_figure (const SlTrials *trials, SlFront *front, SlFigure *figure);
