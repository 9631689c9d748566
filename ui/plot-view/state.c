/* SPDX-License-Identifier: MIT
 *
 * What the parts of a plot view read of the whole.  */
#include "plot/figure/smooth.h"
#include "ui/plot-view/private.h"

/* Keeps the cursor at its place after the map had `side` cells across. */
static void
resize (SlPlotCursor *self, unsigned side)
{
  unsigned now = self->figure->plane.side;

  if (now == 0 || now == side)
    return;
  self->row = (2 * self->row + 1) * now / (2 * side);
  self->column = (2 * self->column + 1) * now / (2 * side);
}

/* The record may have moved its memory since the last time. */
gboolean
sl_plot_view_catch_up (SlPlotView *self)
{
  unsigned side = self->figure.plane.side;
  gboolean news
    = self->record != NULL
      && sl_panel_update (&self->figure, self->record, self->panel, self->ghosts, self->n_ghosts);

  if (self->figure.kind == SL_MAP && side > 0)
    resize (&self->cursor, side);
  self->figure.picks.picked = self->picked;
  self->behind |= news;
  sl_plot_drag_keep (&self->drag, news);
  return news;
}

gboolean
sl_plot_view_is_drawable (SlPlotView *self)
{
  return self->hand.enabled;
}

SlFigure *
sl_plot_view_get_figure (SlPlotView *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->figure;
}

SlPlotCanvas *
sl_plot_view_get_canvas (SlPlotView *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->layers.canvas;
}

const SlFrame *
sl_plot_view_get_frame (SlPlotView *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return sl_plot_canvas_get_frame (self->layers.canvas);
}

void
sl_plot_view_notify_all (SlPlotView *self)
{
  static const char *const names[]
    = { "log-x", "log-y", "y-locked", "sorted", "plane", "following" };

  gboolean smoothed = self->figure.kind == SL_SERIES;

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_notify (G_OBJECT (self), names[i]);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plot.smoother",
                                 smoothed && self->figure.view.smooth < SL_SMOOTH_MOST);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plot.rougher",
                                 smoothed && self->figure.view.smooth > 0.0);
}

void
sl_plot_view_touch (SlPlotView *self)
{
  g_return_if_fail (self != NULL);
  self->figure.version++;
  sl_plot_canvas_refresh (self->layers.canvas);
  sl_plot_view_notify_all (self);
}
