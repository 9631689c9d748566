/* SPDX-License-Identifier: MIT
 *
 * Parallel coordinates: one upright axis per parameter or result, one line per run, and ranges
 * ("brushes") on the axes that say which runs are meant.  Data in, selection out; it is drawn and
 * exported as a figure like any other.  Plain C without GTK; one thread.
 *
 *   SlParallel parallel = { 0 };
 *   sl_parallel_axis (&parallel, "Rank", "", true);     once per axis, before the lines
 *   sl_parallel_line (&parallel, values);               once per run
 *   sl_parallel_update (&parallel, &figure, "Runs");    then as render.h and export.h say
 *   sl_parallel_clear (&parallel);                      after the figure's last drawing  */
#pragma once

#include "plot/figure/figure.h"

enum { SL_PARALLEL_AXES = 16, SL_PARALLEL_TITLE = 64 };

typedef struct
{
  char            title[SL_PARALLEL_TITLE], unit[16];
  bool            logarithmic;
  const SlChoice *choices; /* names of 0, 1, …, ended by an id of NULL; NULL: numbers.  Borrowed */
  bool            brushed; /* only lines with from <= value <= to are meant */
  double          from, to;
  bool
          measured; /* values that differ by less than a hundredth, or hardly more than `spread`, lie together */
  double  spread; /* of a value when it is measured again; 0: not known */
  SlScale scale;  /* of sl_parallel_update() */
} SlParallelAxis;

typedef struct SlParallel
{
  SlParallelAxis axis[SL_PARALLEL_AXES];
  unsigned       n_axes;
  double        *value; /* (n, n_axes) owned; not-a-number: the run has none */
  size_t         n, capacity;
  unsigned       colour; /* the axis that colours the lines, and is drawn as their colour bar */
  size_t         marked; /* 1 + the line that is drawn on top of all, 0: none */
} SlParallel;

void sl_parallel_clear (SlParallel *parallel);

/* Adds an axis; there must be no line yet.  NULL when there are SL_PARALLEL_AXES. */
SlParallelAxis *sl_parallel_axis (SlParallel *parallel, const char *title, const char *unit,
                                  bool logarithmic);

/* Adds a line, values (n_axes).  False without axes. */
bool sl_parallel_line (SlParallel *parallel, const double *values);

/* A range on an axis, its ends in any order; not-a-number at either end takes it away. */
void sl_parallel_brush (SlParallel *parallel, unsigned axis, double from, double to);

/* True when a line lies in every brush.  A missing value lies in none. */
bool sl_parallel_selected (const SlParallel *parallel, size_t line);

/* Finds the scales and makes `figure` (zeroed, or of an earlier call) show the lines.  The figure
 * borrows `parallel`.  Call it after every change of lines, brushes or mark.  */
void sl_parallel_update (SlParallel *parallel, SlFigure *figure, const char *title);

/* A value of an axis to be read: "8", "noisy top-k", "97.1 %".  Returns `text`. */
const char *sl_parallel_text (const SlParallel *parallel, unsigned axis, double value, char *text,
                              size_t size);
