/* SPDX-License-Identifier: MIT
 *
 * Mouse and touch on a plot: drag to zoom into a box, wheel with Ctrl to zoom at the pointer,
 * middle button to pan, clicks on legend, plot and menu.  */
#include <math.h>

#include "ui/plot-view/private.h"

enum { DRAG_MIN = 6 };

static const SlFrame *
frame_of (SlPlotView *self)
{
  return sl_plot_canvas_get_frame (self->canvas);
}

static gboolean
zoomable (SlPlotView *self)
{
  return sl_figure_kind (&self->figure)->steps || sl_figure_kind (&self->figure)->lines;
}

static void
on_motion (SlPlotView *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  sl_plot_drag_hover (self, x, y);
  if (!self->gripped)
    sl_plot_cursor_hover (self, x, y);
}

/* Only this curve; once more, and all of them are back. */
static void
solo (SlPlotView *self, unsigned curve)
{
  gboolean alone = TRUE;

  for (unsigned i = 0; i < self->figure.n_curves; i++)
    alone &= i == curve || self->figure.curve[i].hidden;
  for (unsigned i = 0; i < self->figure.n_curves; i++)
    self->figure.curve[i].hidden = !alone && i != curve;
}

static void
on_click (GtkGestureClick *gesture, int presses, double x, double y, SlPlotView *self)
{
  int chip = sl_frame_chip (frame_of (self), x, y);

  self->press_x = x;
  self->press_y = y;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (sl_plot_notes_click (self, x, y, presses))
    return;
  if (chip >= 0)
    {
      unsigned curve = frame_of (self)->chip[chip].curve;

      if (curve >= self->figure.n_curves)
        return;
      if (presses == 2)
        solo (self, curve);
      else
        self->figure.curve[curve].hidden = !self->figure.curve[curve].hidden;
      sl_plot_view_touch (self);
    }
  else if (presses == 2 && sl_rect_contains (&frame_of (self)->plot, x, y))
    gtk_widget_activate_action (GTK_WIDGET (self), "plot.follow", NULL);
}

/* Not at the end of a drag. */
static void
on_release (GtkGestureClick *gesture, int presses, double x, double y, SlPlotView *self)
{
  if (presses != 1 || hypot (x - self->press_x, y - self->press_y) >= DRAG_MIN)
    return;
  if (!sl_rect_contains (&frame_of (self)->plot, x, y) || sl_frame_note (frame_of (self), x, y) > 0)
    return;
  /* A finger points with the tap itself. */
  sl_plot_cursor_hover (self, x, y);
  if (self->figure.kind == SL_MAP)
    sl_plot_map_isolate (self);
  else
    sl_plot_rows_pick (self);
}

static void
on_menu (GtkGestureClick *gesture, int presses, double x, double y, SlPlotView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  sl_plot_view_open_menu (self, x, y);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, SlPlotView *self)
{
  self->press_x = x;
  self->press_y = y;
  if (sl_plot_notes_grip (self, x, y) || sl_plot_drag_begin (self, x, y))
    return;
  if (!zoomable (self) || !sl_rect_contains (&frame_of (self)->plot, x, y))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  const SlRect *plot = &frame_of (self)->plot;
  double        x = self->press_x, y = self->press_y;
  double        x0, x1, y0, y1;

  if (self->gripped)
    {
      sl_plot_drag_move (self, dx);
      return;
    }
  if (!self->selecting && !self->note_moved && hypot (dx, dy) < DRAG_MIN)
    return;
  if (sl_plot_notes_drag (self, dx, dy))
    return;
  x0 = CLAMP (fmin (x, x + dx), plot->x, plot->x + plot->w);
  x1 = CLAMP (fmax (x, x + dx), plot->x, plot->x + plot->w);
  y0 = CLAMP (fmin (y, y + dy), plot->y, plot->y + plot->h);
  y1 = CLAMP (fmax (y, y + dy), plot->y, plot->y + plot->h);
  self->selecting = TRUE;
  self->selection = (SlRect) { x0, y0, x1 - x0, y1 - y0 };
  /* A flat or narrow box means one axis only. */
  if (self->selection.h < DRAG_MIN || sl_figure_kind (&self->figure)->rows)
    self->selection.y = plot->y, self->selection.h = plot->h;
  if (self->selection.w < DRAG_MIN)
    self->selection.x = plot->x, self->selection.w = plot->w;
  sl_plot_reading_show (self);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  sl_plot_notes_drop (self);
  if (self->gripped)
    sl_plot_drag_end (self);
  if (!self->selecting)
    return;
  self->selecting = FALSE;
  sl_plot_view_remember (self);
  sl_frame_zoom_to (frame_of (self), &self->figure, &self->selection);
  sl_plot_view_touch (self);
  sl_plot_reading_show (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, SlPlotView *self)
{
  sl_plot_notes_drop (self);
  if (self->gripped)
    sl_plot_drag_end (self);
  self->selecting = FALSE;
  sl_plot_reading_show (self);
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, SlPlotView *self)
{
  if (!zoomable (self))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->drag_x = self->drag_y = 0.0;
  sl_plot_view_remember (self);
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  sl_frame_pan (frame_of (self), &self->figure, dx - self->drag_x, dy - self->drag_y);
  self->drag_x = dx;
  self->drag_y = dy;
  sl_plot_view_touch (self);
}

/* The plain wheel is the page's. */
static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, SlPlotView *self)
{
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  double factor;

  if (!(state & GDK_CONTROL_MASK) || !zoomable (self))
    return GDK_EVENT_PROPAGATE;
  factor = pow (1.2, dy != 0.0 ? dy : dx);
  sl_plot_view_remember (self);
  if (state & GDK_SHIFT_MASK)
    sl_frame_zoom (frame_of (self), &self->figure, self->pointer_x, self->pointer_y, 1.0, factor);
  else
    sl_frame_zoom (frame_of (self), &self->figure, self->pointer_x, self->pointer_y, factor, 1.0);
  sl_plot_view_touch (self);
  return GDK_EVENT_STOP;
}

static GtkEventController *
add (SlPlotView *self, GtkEventController *controller)
{
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  return controller;
}

static GtkEventController *
add_gesture (SlPlotView *self, GtkGesture *gesture, guint button)
{
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), button);
  return add (self, GTK_EVENT_CONTROLLER (gesture));
}

void
sl_plot_pointer_attach (SlPlotView *self)
{
  GtkEventController *motion = add (self, gtk_event_controller_motion_new ());
  GtkEventController *scroll
    = add (self, gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES));
  GtkEventController *drag = add_gesture (self, gtk_gesture_drag_new (), GDK_BUTTON_PRIMARY);
  GtkEventController *pan = add_gesture (self, gtk_gesture_drag_new (), GDK_BUTTON_MIDDLE);
  GtkEventController *click = add_gesture (self, gtk_gesture_click_new (), GDK_BUTTON_PRIMARY);
  GtkEventController *menu = add_gesture (self, gtk_gesture_click_new (), GDK_BUTTON_SECONDARY);

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (sl_plot_cursor_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  g_signal_connect (pan, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (pan, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  g_signal_connect (click, "released", G_CALLBACK (on_release), self);
  g_signal_connect (menu, "pressed", G_CALLBACK (on_menu), self);
}
