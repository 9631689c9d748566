/* SPDX-License-Identifier: MIT
 *
 * What moves over a plot with the pointer: crosshair, the values on it, selection box and focus
 * ring.  A layer of its own, so that moving the pointer never redraws curves.  */
#pragma once

#include <gtk/gtk.h>

#include "plot/layout/frame.h"

enum { SL_MARKS_MAX = 64 };

/* px of the plot's frame. */
typedef struct
{
  SlRect   plot; /* nothing is drawn outside */
  gboolean crosshair;
  double   x;     /* of the crosshair */
  gboolean level; /* also a horizontal line, at y */
  double   y;
  unsigned n_dots;
  double   dot_x[SL_MARKS_MAX], dot_y[SL_MARKS_MAX];
  SlRgba   dot[SL_MARKS_MAX];
  gboolean boxed;
  SlRect   box; /* of a selection, or around a cell */
  SlRgba   ink;
} SlMarks;

#define SL_TYPE_PLOT_OVERLAY (sl_plot_overlay_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotOverlay, sl_plot_overlay, SL, PLOT_OVERLAY, GtkWidget)

/* Copies the marks and redraws. */
void sl_plot_overlay_set_marks (SlPlotOverlay *self, const SlMarks *marks);

const SlMarks *sl_plot_overlay_get_marks (SlPlotOverlay *self);
