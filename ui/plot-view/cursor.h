/* SPDX-License-Identifier: MIT
 *
 * The place where a plot is read: under the pointer, at the step of another plot's crosshair, or
 * where the keys put the cursor.  */
#pragma once

#include "ui/plot-view/view.h"

typedef struct
{
  SlPlotView  *view;      /* the plot */
  SlFigure    *figure;    /* its figure */
  SlCrosshair *crosshair; /* shared with other plots, or NULL */
  double       at;        /* where the cursor was put along x; not-a-number: none */
  double       read;      /* the place of the values that are shown for it */
  gboolean     leads;     /* this plot set the shared crosshair */
  gboolean     pinned;    /* set by key: stays when the pointer leaves */
  unsigned     curve;     /* index of the curve that the keys follow */
  gboolean
    celled; /* a cell is read, of a heat map, an image, a map or the picture of one example */
  unsigned tile, row, column;
  unsigned number; /* of the row that is read, from 1; 0: none */
  unsigned flag;   /* number of the flag under the pointer, from 1; 0: none */
} SlPlotCursor;

void sl_plot_cursor_init (SlPlotCursor *cursor, SlPlotView *view);

/* Takes a reference; NULL: none. */
void sl_plot_cursor_set_crosshair (SlPlotCursor *cursor, SlCrosshair *crosshair);

/* TRUE for figures that are read cell by cell instead of at an x. */
gboolean sl_plot_cursor_reads_cells (const SlPlotCursor *cursor);

/* TRUE where the crosshair is that of another plot, which says its own values. */
gboolean sl_plot_cursor_follows (const SlPlotCursor *cursor);

/* The pointer is at a place, px, or has left. */
void sl_plot_cursor_hover (SlPlotCursor *cursor, double px, double py);
void sl_plot_cursor_leave (SlPlotCursor *cursor);

/* Keys: by samples or cells, and to another curve or row. */
void sl_plot_cursor_move (SlPlotCursor *cursor, int columns, int rows);
/* ALIVE: switches the unit that is read off, or on again; FALSE where there is none. */
gboolean sl_plot_cursor_switch_off (SlPlotCursor *self);

void sl_plot_cursor_switch (SlPlotCursor *cursor, int curves);

/* Removes the cursor: forget() leaves the crosshair of other plots where it is, clear() does not. */
void sl_plot_cursor_forget (SlPlotCursor *cursor);
void sl_plot_cursor_clear (SlPlotCursor *cursor);
