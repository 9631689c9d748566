/* SPDX-License-Identifier: MIT
 *
 * What a class answered to one question, as a figure: bars for options, a histogram for numbers whose
 * middle bin is what is right, all drawn curves over the measured one.  One thread.  */
#pragma once

#include "core/run/answers/class.h"
#include "plot/figure/figure.h"

enum {
  SL_CLASS_BINS = 10,  /* of numbers without a tolerance */
  SL_CLASS_MOST = 40,  /* of any */
  SL_CLASS_WHOLE = 20, /* whole numbers that have a bar each */
  SL_CLASS_PAGE = 5,   /* figures below each other on a page */
};

/* What the figure borrows; zeros at first, cleared by sl_class_chart_clear(). */
typedef struct
{
  char  **names; /* of the bars */
  double *x, *y; /* of the bars, or x of the curves */
  double *mean;  /* of the curves */
  char   *mark;  /* what was measured */
} SlClassChart;

/* Fills a figure, which keeps how it is viewed.  `class` and chart must outlive it; `step` is one of
 * sl_class_steps().  */
void sl_class_chart_update (SlClassChart *chart, const SlClass *class, unsigned step,
                            SlFigure *figure);
void sl_class_chart_clear (SlClassChart *chart);

/* The title of a question without formulas, which each run may have filled in differently. */
void sl_class_chart_title (const char *prompt, char *title, size_t size);

/* Columns for the figures of n questions on a page of two columns: 1 as long as that is about a page, because
 * half a line is too short for most questions.  */
unsigned sl_class_chart_across (unsigned n);
