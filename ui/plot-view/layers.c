/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/layers.h"

#include <math.h>

void
sl_plot_layers_init (SlPlotLayers *layers, GtkWidget *parent, SlFigure *figure)
{
  layers->canvas = g_object_new (SL_TYPE_PLOT_CANVAS, NULL);
  layers->overlay = g_object_new (SL_TYPE_PLOT_OVERLAY, NULL);
  layers->readout = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (layers->readout), "readout");
  gtk_widget_set_can_target (GTK_WIDGET (layers->readout), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (layers->readout), FALSE);
  gtk_label_set_xalign (layers->readout, 0.0f);
  gtk_label_set_wrap (layers->readout, TRUE);
  gtk_label_set_wrap_mode (layers->readout, PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_parent (GTK_WIDGET (layers->canvas), parent);
  gtk_widget_set_parent (GTK_WIDGET (layers->overlay), parent);
  gtk_widget_set_parent (GTK_WIDGET (layers->readout), parent);
  gtk_widget_set_focusable (parent, TRUE);
  gtk_widget_set_overflow (parent, GTK_OVERFLOW_HIDDEN);
  sl_plot_canvas_set_figure (layers->canvas, figure);
}

void
sl_plot_layers_dispose (SlPlotLayers *layers)
{
  if (layers->canvas == NULL)
    return;
  gtk_widget_unparent (GTK_WIDGET (layers->readout));
  gtk_widget_unparent (GTK_WIDGET (layers->overlay));
  gtk_widget_unparent (GTK_WIDGET (layers->canvas));
  layers->canvas = NULL;
}

void
sl_plot_layers_allocate (const SlPlotLayers *layers, int width, int height)
{
  GtkAllocation all = { 0, 0, width, height };

  gtk_widget_size_allocate (GTK_WIDGET (layers->canvas), &all, -1);
  gtk_widget_size_allocate (GTK_WIDGET (layers->overlay), &all, -1);
}

gboolean
sl_plot_layers_measure_readout (const SlPlotLayers *layers, double widest, GtkRequisition *size)
{
  GtkWidget *label = GTK_WIDGET (layers->readout);

  if (!gtk_widget_should_layout (label))
    return FALSE;
  gtk_widget_get_preferred_size (label, NULL, size);
  if (size->width > widest)
    {
      size->width = MAX (1, (int) widest);
      gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, size->width, NULL, &size->height, NULL,
                          NULL);
    }
  return TRUE;
}

void
sl_plot_layers_put_readout (const SlPlotLayers *layers, const GtkRequisition *size, double x,
                            double y)
{
  gtk_widget_allocate (
    GTK_WIDGET (layers->readout), size->width, size->height, -1,
    gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) floor (x), (float) floor (y))));
}
