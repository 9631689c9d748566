/* SPDX-License-Identifier: MIT
 *
 * The mark of a plot that sets a parameter, dragged by its knob or its line or moved by key.  It
 * stays where it was put until the run has the value.  */
#pragma once

#include "ui/plot-view/view.h"

typedef struct
{
  SlPlotView *view;   /* the plot */
  SlFigure   *figure; /* its figure */
  gboolean    gripped;
  gboolean    over;   /* the pointer is over the knob */
  double      grip_x; /* px of the pointer when the drag began */
  double      held;   /* value that the run does not have yet; not-a-number: none */
  guint       answer; /* timeout after which the mark goes back to what the run says */
} SlPlotDrag;

void sl_plot_drag_init (SlPlotDrag *drag, SlPlotView *view);

/* Ends all of it, for another figure. */
void sl_plot_drag_forget (SlPlotDrag *drag);

/* By pointer: begin() is FALSE where no mark is; move() takes px from where it began. */
gboolean sl_plot_drag_begin (SlPlotDrag *drag, double x, double y);
void     sl_plot_drag_move (SlPlotDrag *drag, double dx);
void     sl_plot_drag_end (SlPlotDrag *drag);
void     sl_plot_drag_hover (SlPlotDrag *drag, double x, double y);

/* By key: one step up (1) or down (-1). */
void sl_plot_drag_nudge (SlPlotDrag *drag, int by);

/* Keeps the mark in place after the figure was brought up to the record, with news or without. */
void sl_plot_drag_keep (SlPlotDrag *drag, gboolean news);
