/* SPDX-License-Identifier: MIT
 *
 * The cards of a grid, and what is done on their plots.  */
#include "ui/grid/private.h"
#include "ui/input/sending.h"

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

/* All pictures of one example show the same one. */
static void
on_example (SlPlotView *view, int by, SlPlotGrid *self)
{
  unsigned example = sl_own_example (self->own);

  if (self->session == NULL)
    return;
  if (by < 0 && example < (unsigned) -by)
    by = -(int) example;
  sl_own_show_example (self->own, example + (unsigned) by);
}

static void
on_draw (SlPlotView *view, guint hand, double x, double y, gboolean erases, SlPlotGrid *self)
{
  sl_own_hand (self->own, hand, x, y, erases ? SL_PEN_ERASES : SL_PEN_ONTO);
  sl_own_send_soon (self->own, GTK_WIDGET (view));
}

static void
on_switch_off (SlPlotView *view, guint field, guint unit, SlPlotGrid *self)
{
  if (self->session != NULL)
    sl_session_switch_off (self->session, field, unit);
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

/* The owner of the run makes what is dragged out of the window. */
static GdkContentProvider *
on_prepare (GtkDragSource *source, double x, double y, SlPlotGrid *self)
{
  GtkWidget          *title = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  SlPlotCard         *card = SL_PLOT_CARD (gtk_widget_get_ancestor (title, SL_TYPE_PLOT_CARD));
  GdkContentProvider *offer = NULL;

  g_signal_emit_by_name (self, "offer", panel_of (self, sl_plot_card_get_view (card)), &offer);
  return offer;
}

/* The plot itself, small, is under the pointer. */
static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag, SlPlotGrid *self)
{
  enum { ACROSS = 200 };
  GtkWidget   *title = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  SlPlotCard  *card = SL_PLOT_CARD (gtk_widget_get_ancestor (title, SL_TYPE_PLOT_CARD));
  GtkWidget   *view = GTK_WIDGET (sl_plot_card_get_view (card));
  int          w = MAX (gtk_widget_get_width (view), 1), h = MAX (gtk_widget_get_height (view), 1);
  float        scale = (float) ACROSS / (float) w;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GdkPaintable) whole = gtk_widget_paintable_new (view), small = NULL;

  gtk_snapshot_scale (snapshot, scale, scale);
  gdk_paintable_snapshot (whole, snapshot, w, h);
  small
    = gtk_snapshot_free_to_paintable (snapshot, &GRAPHENE_SIZE_INIT (ACROSS, scale * (float) h));
  gtk_drag_source_set_icon (source, small, 0, 0);
}

static void
add_drag_out (SlPlotGrid *self, SlPlotCard *card)
{
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "prepare", G_CALLBACK (on_prepare), self);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_drag_begin), self);
  gtk_widget_add_controller (sl_plot_card_get_title (card), GTK_EVENT_CONTROLLER (source));
}

void
sl_plot_grid_on_look (SlPlotCard *card, SlPlotGrid *self)
{
  SlMapView view = sl_plot_card_get_look (card);

  if (self->session != NULL)
    sl_session_set_view (self->session, &view);
}

static void
on_painted (SlPlotCanvas *canvas, SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    {
      SlPlotView *view = sl_plot_grid_view_at (self, i);

      if (view != NULL && sl_plot_view_get_canvas (view) == canvas
          && !sl_figure_empty (sl_plot_view_get_figure (view)))
        g_signal_emit_by_name (self, "drawn", i);
    }
}

static SlPlotCard *
new_card (SlPlotGrid *self)
{
  SlPlotCard *card = g_object_new (SL_TYPE_PLOT_CARD, NULL);
  SlPlotView *view = sl_plot_card_get_view (card);

  sl_plot_view_set_crosshair (view, self->crosshair);
  g_signal_connect (view, "copy", G_CALLBACK (on_copy), self);
  g_signal_connect (view, "export", G_CALLBACK (on_export), self);
  g_signal_connect (view, "maximise", G_CALLBACK (on_maximise), self);
  g_signal_connect (view, "pick", G_CALLBACK (on_pick), self);
  g_signal_connect (view, "example", G_CALLBACK (on_example), self);
  g_signal_connect (view, "switch-off", G_CALLBACK (on_switch_off), self);
  g_signal_connect (view, "draw", G_CALLBACK (on_draw), self);
  g_signal_connect (view, "drag", G_CALLBACK (on_drag), self);
  g_signal_connect (view, "dab", G_CALLBACK (on_dab), self);
  g_signal_connect (view, "stroke", G_CALLBACK (on_stroke), self);
  g_signal_connect (view, "noted", G_CALLBACK (on_noted), self);
  g_signal_connect (card, "arrange", G_CALLBACK (sl_plot_grid_on_arrange), self);
  g_signal_connect (card, "look", G_CALLBACK (sl_plot_grid_on_look), self);
  g_signal_connect (sl_plot_view_get_canvas (view), "painted", G_CALLBACK (on_painted), self);
  add_drag_out (self, card);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (card));
  return card;
}

SlPlotCard *
sl_plot_grid_make_card (SlPlotGrid *self, unsigned panel)
{
  SlPlotCard *card = self->spare->len > 0
                       ? g_ptr_array_remove_index_fast (self->spare, self->spare->len - 1)
                       : new_card (self);

  sl_plot_view_set_ghosts (sl_plot_card_get_view (card), self->ghosts, self->n_ghosts);
  sl_plot_card_set_panel (card, self->record, panel);
  g_ptr_array_index (self->cards, panel) = card;
  sl_plot_grid_tell_card (self, panel);
  return card;
}

void
sl_plot_grid_park_cards (SlPlotGrid *self, unsigned n)
{
  const gboolean unwatched = FALSE;

  for (unsigned i = 0; i < self->cards->len; i++)
    {
      SlPlotCard *card = sl_plot_grid_card_at (self, i);

      if (card == NULL)
        continue;
      /* An idle source or assistive technology that still holds the view must not read a run that is
       * freed.  */
      sl_plot_card_set_panel (card, NULL, 0);
      sl_plot_card_set_brief (card, TRUE);
      gtk_widget_set_visible (GTK_WIDGET (card), FALSE);
      g_ptr_array_add (self->spare, card);
    }
  g_ptr_array_set_size (self->cards, 0);
  g_ptr_array_set_size (self->cards, (int) n);
  g_array_set_size (self->watched, 0);
  for (unsigned i = 0; i < n; i++)
    g_array_append_val (self->watched, unwatched);
}
