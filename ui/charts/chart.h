/* SPDX-License-Identifier: MIT
 *
 * A figure made for one purpose (a trade-off, parallel coordinates), with what all such have in
 * common: the picture, marks and a readout over it, legend, pointer and keys.  What is at a place,
 * and what a click does, the classes derived from it know.
 *
 * Actions: chart.log-x, chart.log-y, chart.next, chart.previous, chart.pick, chart.clear,
 * chart.copy, chart.export.  */
#pragma once

#include <gtk/gtk.h>

#include "plot/figure/figure.h"
#include "ui/plot-view/layers.h"

#define SL_TYPE_CHART (sl_chart_get_type ())
G_DECLARE_DERIVABLE_TYPE (SlChart, sl_chart, SL, CHART, GtkWidget)

/* Properties: "log-x", "log-y".
 * Signals:
 *   "copy", "export"  chosen by key
 *   "seen"            the legend switched something
 * Places are px of the frame.  A chart without these functions is only looked at.  */
struct _SlChartClass
{
  GtkWidgetClass parent_class;

  void (*hover) (SlChart *chart, double x, double y);
  void (*leave) (SlChart *chart); /* also Escape */
  void (*click) (SlChart *chart, double x, double y, int presses);
  void (*move) (SlChart *chart, int columns, int rows); /* an arrow key */
  void (*pick) (SlChart *chart);                        /* Return */
  /* The button went down (and `drag` says whether this is one), moved, came up. */
  gboolean (*drag_begin) (SlChart *chart, double x, double y);
  void (*drag_to) (SlChart *chart, double x, double y);
  void (*drag_end) (SlChart *chart);
};

SlFigure      *sl_chart_get_figure (SlChart *self);
const SlFrame *sl_chart_get_frame (SlChart *self); /* all zero before the first drawing */

/* Draws the figure anew with the next frame. */
void sl_chart_refresh (SlChart *self);

/* What is read now, at a place: a few lines, and a mark around it.  NULL: nothing.  Assistive tools
 * hear the text.  */
void sl_chart_read (SlChart *self, const char *text, double x, double y);
