/* SPDX-License-Identifier: MIT
 *
 * The inside of a plot view, shared by its files: sl-plot-view.c (what it shows),
 * sl-plot-commands.c (what it can be told, and its keys), sl-plot-cursor.c (where the cursor
 * stands), sl-plot-reading.c (what it says), sl-plot-rows.c (rows and cells), sl-plot-map.c (the
 * gating map), sl-plot-drag.c (marks that are moved), sl-plot-remarks.c (notes) and
 * sl-plot-pointer.c (mouse and touch).  */
#pragma once

#include "plot/figure/panel.h"
#include "ui/plot-view/overlay.h"
#include "ui/plot-view/view.h"

/* A painted or erased place, in units of the data. */
typedef struct
{
  double x, y;
  int    label; /* -1: erased */
} SlDab;

struct _SlPlotView
{
  GtkWidget parent_instance;

  SlPlotCanvas  *canvas;
  SlPlotOverlay *overlay;
  GtkLabel      *readout;
  GtkWidget     *menu;                                    /* made when first opened */
  double         menu_x, menu_y;                          /* where it was opened */
  GtkWidget     *note_popover, *note_entry, *note_button; /* made when first opened */

  const SlRecord *record;
  unsigned        panel;
  SlFigure        figure;
  gboolean        behind; /* the canvas has not been told of the figure's last news */
  const SlGhost  *ghosts; /* (n_ghosts) borrowed */
  unsigned        n_ghosts;
  unsigned        picked;     /* number of the chosen row, from 1; 0: none */
  GArray         *history;    /* of SlView, older ones first */
  gint64          remembered; /* when the last one was pushed, µs */

  SlCrosshair *crosshair;
  double       at;     /* x the crosshair stands at, not-a-number: none */
  gboolean     leads;  /* it was this plot that put the shared crosshair there */
  gboolean     pinned; /* put there by the keyboard: stays when the pointer leaves */
  unsigned     curve;  /* the one the cursor moves along */
  gboolean     celled; /* HEATMAP, IMAGE: a cell is read */
  unsigned     tile, row, column;
  unsigned     number; /* HISTORY, SHARES: of the row that is read, from 1; 0: none */
  unsigned     flag;   /* number of the flag under the pointer, 0: none */
  gboolean     selecting;
  SlRect       selection;
  double       pointer_x, pointer_y;
  double       drag_x, drag_y;   /* last point of a pan; where the mark was gripped */
  double       press_x, press_y; /* where the button went down */
  int          brush;       /* MAP: class that the first button paints, from 0; -1: it does not */
  gboolean     painting;    /* a stroke is under way */
  gboolean     gripped;     /* the mark is being dragged */
  gboolean     over_handle; /* the pointer is over it */
  double       held;   /* where the mark was put, until the run has it; not-a-number: nowhere */
  guint        answer; /* timeout of the waiting for that */
  unsigned     note;   /* number of the chosen note, from 1; 0: none */
  unsigned     note_gripped; /* of the one that is being dragged */
  gboolean     note_moved;
  double       note_from_x, note_from_y;   /* px of its place before */
  double       note_x, note_y;             /* place of the one that is being written */
  GArray      *notes_before, *notes_after; /* of SlNotes: to be taken back, to be made again */
  GArray      *dabs;                       /* of SlDab, painted since the run began */
  double       dab_x, dab_y;               /* px of the last one */
  guint        later;     /* idle source that brings marks and description up to a new picture */
  gint64       described; /* when the description was last set, µs */
};

/* sl-plot-view.c: the figure as the record is now; TRUE when there was news. */
gboolean sl_plot_view_catch_up (SlPlotView *self);

/* sl-plot-commands.c: actions and keys of the class; before a change of the view; the menu. */
void sl_plot_commands_install (GtkWidgetClass *widget);
void sl_plot_view_remember (SlPlotView *self);
void sl_plot_view_open_menu (SlPlotView *self, double x, double y);

/* sl-plot-cursor.c */
void sl_plot_cursor_hover (SlPlotView *self, double px, double py);
void sl_plot_cursor_leave (SlPlotView *self);
void sl_plot_cursor_move (SlPlotView *self, int columns, int rows);
void sl_plot_cursor_switch (SlPlotView *self, int curves);
void sl_plot_cursor_forget (SlPlotView *self); /* here; the crosshair of another plot stays */
void sl_plot_cursor_clear (SlPlotView *self);  /* everywhere */
void sl_plot_cursor_follow (SlPlotView *self); /* the crosshair of another plot moved */

/* sl-plot-reading.c: marks, readout and description as they are now; another line of the readout;
 * whether the cursor is in a cell of the plot's kind, not at an x.  */
void     sl_plot_reading_show (SlPlotView *self);
void     sl_plot_reading_add_line (GString *markup, const char *text);
gboolean sl_plot_reading_celled (const SlPlotView *self);

/* sl-plot-rows.c: the row under the pointer, the next one by key, FALSE without any. */
void     sl_plot_rows_hover (SlPlotView *self, double px, double py);
gboolean sl_plot_rows_move (SlPlotView *self, int by);

/* Number of the row that is read, from 1; 0: none. */
unsigned sl_plot_rows_number (const SlPlotView *self);

/* Asks for that row to be looked at; FALSE when there is none or nothing to choose. */
gboolean sl_plot_rows_pick (SlPlotView *self);

/* What is at the crosshair, in the cell, and how to choose the row. */
void sl_plot_rows_read (SlPlotView *self, GString *markup, SlMarks *marks);
void sl_plot_rows_read_cell (SlPlotView *self, GString *markup);
void sl_plot_rows_add_hint (SlPlotView *self, GString *markup);

/* sl-plot-map.c: MAP: what is under the cursor, the marks of it and of what was painted, the region
 * under the cursor alone (or all again), and painting with the pointer.  */
void sl_plot_map_read (SlPlotView *self, GString *markup, SlMarks *marks);
void sl_plot_map_mark (SlPlotView *self, SlMarks *marks);
void sl_plot_map_isolate (SlPlotView *self);
void sl_plot_map_resize (SlPlotView *self, unsigned side); /* the cursor stays at its place */
void sl_plot_map_attach (SlPlotView *self);

/* sl-plot-drag.c: dragging the mark.  begin() is FALSE elsewhere, and move() so many px from there;
 * nudge() is a key, FALSE without a mark; keep() holds the mark in place after the figure was
 * brought up to the record, with news or without; forget() is for another figure.  */
gboolean sl_plot_drag_begin (SlPlotView *self, double x, double y);
void     sl_plot_drag_move (SlPlotView *self, double dx);
void     sl_plot_drag_end (SlPlotView *self);
gboolean sl_plot_drag_nudge (SlPlotView *self, int by);
void     sl_plot_drag_hover (SlPlotView *self, double x, double y);
void     sl_plot_drag_keep (SlPlotView *self, gboolean news);
void     sl_plot_drag_forget (SlPlotView *self);

/* sl-plot-remarks.c: writing at the cursor or where the menu was opened, choosing the next one,
 * removing the chosen one; a click, TRUE on a note; nobody is chosen any more, TRUE when one was;
 * dragging with the pointer, FALSE elsewhere, and moving the chosen one by key; a box around the
 * chosen one, and its text or NULL; all of them as words.  */
void        sl_plot_notes_write (SlPlotView *self);
void        sl_plot_notes_write_here (SlPlotView *self);
void        sl_plot_notes_next (SlPlotView *self);
void        sl_plot_notes_remove (SlPlotView *self);
gboolean    sl_plot_notes_click (SlPlotView *self, double x, double y, int presses);
gboolean    sl_plot_notes_let_go (SlPlotView *self);
gboolean    sl_plot_notes_grip (SlPlotView *self, double x, double y);
gboolean    sl_plot_notes_drag (SlPlotView *self, double dx, double dy);
void        sl_plot_notes_drop (SlPlotView *self);
gboolean    sl_plot_notes_nudge (SlPlotView *self, int columns, int rows);
const char *sl_plot_notes_mark (SlPlotView *self, SlMarks *marks);
void        sl_plot_notes_describe (SlPlotView *self, GString *out);

/* sl-plot-pointer.c */
void sl_plot_pointer_attach (SlPlotView *self);
