/* SPDX-License-Identifier: MIT
 *
 * The inside of a plot view, for the files that bring its parts together: view.c (what it shows),
 * reading.c (what it says), commands.c (actions, keys and menu) and pointer.c (mouse and touch).  */
#pragma once

#include "ui/plot-view/alive.h"
#include "ui/plot-view/brush.h"
#include "ui/plot-view/cursor.h"
#include "ui/plot-view/drag.h"
#include "ui/plot-view/inside.h"
#include "ui/plot-view/layers.h"
#include "ui/plot-view/motion.h"
#include "ui/plot-view/notes.h"

/* Mouse and touch, px. */
typedef struct
{
  double   x, y;             /* the pointer */
  double   press_x, press_y; /* where the button went down */
  double   pan_x, pan_y;     /* how far a pan has come */
  gboolean selecting;        /* a box to zoom into is drawn */
  SlRect   selection;
} SlPlotPointer;

struct _SlPlotView
{
  GtkWidget parent_instance;

  SlPlotLayers    layers;
  SlFigure        figure;
  const SlRecord *record; /* borrowed */
  unsigned        panel;
  const SlGhost  *ghosts; /* (n_ghosts) borrowed */
  unsigned        n_ghosts;
  unsigned        picked;    /* number of the chosen row, from 1; 0: none */
  gboolean        behind;    /* the canvas has not been told of the figure's last news */
  guint           later;     /* idle source that reads again after a drawing */
  gint64          described; /* when the description was last set, µs */

  SlPlotCursor  cursor;
  SlPlotPointer pointer;
  SlPlotDrag    drag;
  SlPlotBrush   brush;
  SlPlotHand    hand;
  SlPlotMotion  motion;
  SlPlotNotes   notes;

  GPtrArray *spoken;         /* children for assistive tools, of GtkWidget */
  GArray    *history;        /* of SlView, older ones first */
  gint64     remembered;     /* when the last one was pushed, µs */
  GtkWidget *menu;           /* made when first opened */
  double     menu_x, menu_y; /* px where it was opened */
};

/* Actions and keys of the class. */
void sl_plot_commands_install (GtkWidgetClass *widget);

/* Keeps the view for "plot.back", before a change. */
void sl_plot_view_remember (SlPlotView *self);

/* Opens the menu at a place, px. */
void sl_plot_view_open_menu (SlPlotView *self, double x, double y);

/* Adds the controllers of mouse and touch. */
void sl_plot_pointer_attach (SlPlotView *self);
