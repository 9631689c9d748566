/* SPDX-License-Identifier: MIT
 *
 * A page of figures described in words, for assistive tools.  */
#pragma once

#include <glib.h>

#include "plot/figure/figure.h"

/* Kind and axes of each figure; of each curve where it begins and ends, its extremes and where they are;
 * the range of a matrix; changes made during the run.  Only what is in view: sl_figure_fit() must have run.
 * In English, as everything in a file; free with g_free().  */
char *sl_export_describe (SlFigure *const *figures, unsigned n);
