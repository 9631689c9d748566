/* SPDX-License-Identifier: MIT
 *
 * A network that decides about one example: the units of its picture, by pointer and key, in words, and its input, which
 * can be drawn on.  */
#pragma once

#include "ui/plot-view/view.h"

/* A hand that draws on the input, or drags its point. */
typedef struct
{
  SlPlotView *view;    /* the plot */
  gboolean    enabled; /* the input can be drawn on */
  gboolean    gripped; /* the button went down on it, */
  gboolean    drawing; /* and was moved since */
  gboolean    drawn;   /* since another example was chosen here */
  double      x, y;    /* px where it went down */
} SlPlotHand;

/* grip() is FALSE outside of the input; a press that is not moved is a click.  go_back() emits "example" where something
 * was drawn, else it is FALSE.  */
gboolean sl_plot_hand_grip (SlPlotHand *hand, double x, double y);
void     sl_plot_hand_move (SlPlotHand *hand, GtkGesture *gesture, double dx, double dy);
void     sl_plot_hand_end (SlPlotHand *hand);
gboolean sl_plot_hand_go_back (SlPlotHand *hand);

/* Rows of the figure's matrix: the input, or a unit at a place, px, FALSE where there is none; and the next one
 * from a row on, or the first where that is none.  */
gboolean sl_plot_alive_at (const struct SlFrame *frame, const SlFigure *figure, double px,
                           double py, unsigned *row);
unsigned sl_plot_alive_next (const struct SlFrame *frame, const SlFigure *figure, unsigned row,
                             int by);

/* Whether a click on a row shows another example: the next one, or so many on from a letter or word. */
gboolean sl_plot_alive_leads (const SlFigure *figure, unsigned row, int *by);

/* The number of the part that a row of a way is of, from 1, where a click on the panel chooses one; else 0. */
unsigned sl_plot_alive_part (const SlFigure *figure, unsigned row);

/* The unit of a row as SlSubject.closed has it; FALSE where it is none that can be switched off. */
gboolean sl_plot_alive_unit (const SlFigure *figure, unsigned row, guint *field, guint *unit);

/* For assistive tools: the input, each group and the output as a child of the view with its name and a sentence. */
void sl_plot_alive_speak (GtkWidget *view, GPtrArray *children, const struct SlFrame *frame,
                          const SlFigure *figure);

/* What is to be read of a row, lines; the caller frees it. */
char *sl_plot_alive_text (const SlFigure *figure, unsigned row, gboolean drawable);
