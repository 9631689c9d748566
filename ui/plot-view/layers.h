/* SPDX-License-Identifier: MIT
 *
 * The layers of a widget that shows a figure: the figure, the marks that move with the pointer, and
 * a label with the values that are read.  */
#pragma once

#include "ui/plot-view/canvas.h"
#include "ui/plot-view/overlay.h"

typedef struct
{
  SlPlotCanvas  *canvas;
  SlPlotOverlay *overlay;
  GtkLabel      *readout;
} SlPlotLayers;

/* Makes the layers, as children of `parent`.  The figure is borrowed for the parent's life. */
void sl_plot_layers_init (SlPlotLayers *layers, GtkWidget *parent, SlFigure *figure);
void sl_plot_layers_dispose (SlPlotLayers *layers);

/* Gives canvas and overlay the size of the parent. */
void sl_plot_layers_allocate (const SlPlotLayers *layers, int width, int height);

/* The size of the readout, at most that wide; FALSE while it is hidden.  Then it is put at a place. */
gboolean sl_plot_layers_measure_readout (const SlPlotLayers *layers, double widest,
                                         GtkRequisition *size);
void sl_plot_layers_put_readout (const SlPlotLayers *layers, const GtkRequisition *size, double x,
                                 double y);
