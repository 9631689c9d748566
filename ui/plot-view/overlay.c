/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/overlay.h"

#include <math.h>

struct _SlPlotOverlay
{
  GtkWidget parent_instance;

  SlMarks marks;
};

G_DEFINE_FINAL_TYPE (SlPlotOverlay, sl_plot_overlay, GTK_TYPE_WIDGET)

enum { DOT = 6 };

void
sl_plot_overlay_set_marks (SlPlotOverlay *self, const SlMarks *marks)
{
  g_return_if_fail (SL_IS_PLOT_OVERLAY (self));
  self->marks = *marks;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const SlMarks *
sl_plot_overlay_get_marks (SlPlotOverlay *self)
{
  g_return_val_if_fail (SL_IS_PLOT_OVERLAY (self), NULL);
  return &self->marks;
}

static void
fill (GtkSnapshot *snapshot, SlRgba colour, float alpha, double x, double y, double w, double h)
{
  GdkRGBA rgba = { colour.r, colour.g, colour.b, colour.a * alpha };

  gtk_snapshot_append_color (snapshot, &rgba,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) w, (float) h));
}

static void
outline (GtkSnapshot *snapshot, SlRgba colour, const SlRect *box)
{
  fill (snapshot, colour, 1, box->x, box->y, box->w, 1);
  fill (snapshot, colour, 1, box->x, box->y + box->h - 1, box->w, 1);
  fill (snapshot, colour, 1, box->x, box->y, 1, box->h);
  fill (snapshot, colour, 1, box->x + box->w - 1, box->y, 1, box->h);
}

static void
sl_plot_overlay_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const SlMarks *marks = &SL_PLOT_OVERLAY (widget)->marks;
  const SlRect  *plot = &marks->plot;

  if (plot->w <= 0 || plot->h <= 0)
    return;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT ((float) plot->x, (float) plot->y,
                                                         (float) plot->w, (float) plot->h));
  if (marks->crosshair)
    fill (snapshot, marks->ink, 0.6f, floor (marks->x), plot->y, 1, plot->h);
  if (marks->level)
    fill (snapshot, marks->ink, 0.3f, plot->x, floor (marks->y), plot->w, 1);
  for (unsigned i = 0; i < marks->n_dots; i++)
    fill (snapshot, marks->dot[i], 1, floor (marks->dot_x[i] - DOT / 2.0),
          floor (marks->dot_y[i] - DOT / 2.0), DOT, DOT);
  if (marks->boxed)
    {
      fill (snapshot, marks->ink, 0.12f, marks->box.x, marks->box.y, marks->box.w, marks->box.h);
      outline (snapshot, marks->ink, &marks->box);
    }
  gtk_snapshot_pop (snapshot);
}

static void
sl_plot_overlay_class_init (SlPlotOverlayClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  widget->snapshot = sl_plot_overlay_snapshot;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
sl_plot_overlay_init (SlPlotOverlay *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}
