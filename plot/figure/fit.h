/* SPDX-License-Identifier: MIT
 *
 * What the files of fitting share: fit.c (the axes), fit-tint.c (the colours).  */
#pragma once

#include "plot/figure/figure.h"
#include "plot/figure/reduce.h"

enum { FIT_TICKS = 5 };

/* Adds one value if the axis can show it. */
void sl_fit_widen (double value, bool logarithmic, double *lo, double *hi);

/* Adds the smallest and the largest value inside of a scale. */
void sl_fit_widen_visible (const SlPoints *points, const SlScale *x, bool logarithmic, double *lo,
                           double *hi);

/* Brings a range that is shown to the one that is needed: grown at once, shrunk after a while. */
void sl_fit_settle (SlRange *shown, SlRange need, double *smaller_since, double now);

/* The colours: as the panel or the snapshot says, else from the smallest to the largest value. */
void sl_fit_tint (SlFigure *figure, bool at_once, double now);
