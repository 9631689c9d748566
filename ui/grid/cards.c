/* SPDX-License-Identifier: MIT
 *
 * The cards of a grid, and what is done on their plots.  */
#include "ui/grid/private.h"

static unsigned
panel_of (SlPlotGrid *self, SlPlotView *view)
{
  unsigned i = 0;

  while (i < self->cards->len && sl_plot_grid_view_at (self, i) != view)
    i++;
  return i;
}

static void
on_copy (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "copy", panel_of (self, view));
}

static void
on_export (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "export", panel_of (self, view));
}

static void
on_maximise (SlPlotView *view, SlPlotGrid *self)
{
  sl_plot_grid_maximise (self, self->maximised < 0 ? (int) panel_of (self, view) : -1);
}

static void
on_pick (SlPlotView *view, guint number, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "pick", panel_of (self, view), number);
}

static void
on_drag (SlPlotView *view, double value, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "drag", panel_of (self, view), value);
}

static void
on_dab (SlPlotView *view, double x, double y, int label, double radius_x, double radius_y,
        SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "dab", x, y, label, radius_x, radius_y);
}

static void
on_stroke (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "stroke");
}

static void
on_noted (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "noted");
}

void
sl_plot_grid_on_look (SlMapBar *bar, SlPlotGrid *self)
{
  SlMapView view = sl_map_bar_get_view (bar);

  if (self->session != NULL)
    sl_session_set_view (self->session, &view);
}

static void
on_painted (SlPlotCanvas *canvas, SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_view_get_canvas (sl_plot_grid_view_at (self, i)) == canvas
        && !sl_figure_empty (sl_plot_view_get_figure (sl_plot_grid_view_at (self, i))))
      g_signal_emit_by_name (self, "drawn", i);
}

void
sl_plot_grid_add_card (SlPlotGrid *self)
{
  static const gboolean unwatched = FALSE;
  SlPlotCard           *card = g_object_new (SL_TYPE_PLOT_CARD, NULL);
  SlPlotView           *view = sl_plot_card_get_view (card);

  sl_plot_view_set_ghosts (view, self->ghosts, self->n_ghosts);
  sl_plot_view_set_crosshair (view, self->crosshair);
  g_signal_connect (view, "copy", G_CALLBACK (on_copy), self);
  g_signal_connect (view, "export", G_CALLBACK (on_export), self);
  g_signal_connect (view, "maximise", G_CALLBACK (on_maximise), self);
  g_signal_connect (view, "pick", G_CALLBACK (on_pick), self);
  g_signal_connect (view, "drag", G_CALLBACK (on_drag), self);
  g_signal_connect (view, "dab", G_CALLBACK (on_dab), self);
  g_signal_connect (view, "stroke", G_CALLBACK (on_stroke), self);
  g_signal_connect (view, "noted", G_CALLBACK (on_noted), self);
  g_signal_connect (card, "arrange", G_CALLBACK (sl_plot_grid_on_arrange), self);
  g_signal_connect (sl_plot_card_get_bar (card), "look", G_CALLBACK (sl_plot_grid_on_look), self);
  g_signal_connect (sl_plot_view_get_canvas (view), "painted", G_CALLBACK (on_painted), self);
  g_ptr_array_add (self->cards, card);
  g_array_append_val (self->watched, unwatched);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (card));
}

void
sl_plot_grid_drop_card (SlPlotGrid *self)
{
  unsigned    last = self->cards->len - 1;
  SlPlotCard *card = g_ptr_array_index (self->cards, last);

  /* Whoever still holds it, an idle source or assistive technology, is not to read a run that goes. */
  sl_plot_view_set_panel (sl_plot_card_get_view (card), NULL, 0);
  gtk_box_remove (GTK_BOX (self->box), GTK_WIDGET (card));
  g_ptr_array_set_size (self->cards, (int) last);
  g_array_set_size (self->watched, last);
}
