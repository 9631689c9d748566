/* SPDX-License-Identifier: MIT
 *
 * The brush that paints examples on a map of two features, and erases them.  */
#pragma once

#include "ui/plot-view/overlay.h"
#include "ui/plot-view/view.h"

typedef struct
{
  SlPlotView *view;   /* the plot */
  SlFigure   *figure; /* its figure */
  int         label;  /* class that the first button paints, from 0; -1: no painting */
  gboolean    painting;
  double      x, y; /* px of the last dab */
  GArray     *dabs; /* of a place each, painted since the run began */
} SlPlotBrush;

void sl_plot_brush_init (SlPlotBrush *brush, SlPlotView *view);
void sl_plot_brush_clear (SlPlotBrush *brush);

/* Adds the dabs to the marks. */
void sl_plot_brush_mark (const SlPlotBrush *brush, SlMarks *marks);
