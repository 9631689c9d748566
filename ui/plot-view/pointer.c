/* SPDX-License-Identifier: MIT
 *
 * Mouse and touch on a plot: drag to zoom into a box, wheel with Ctrl to zoom at the pointer,
 * middle button to pan, clicks on legend, plot and menu.  */
#include <math.h>

#include "ui/plot-view/alive.h"
#include "ui/plot-view/map.h"
#include "ui/plot-view/private.h"
#include "ui/plot-view/rows.h"

enum { DRAG_MIN = 6 };

static gboolean
zoomable (SlPlotView *self)
{
  return sl_figure_kind (&self->figure)->steps || sl_figure_kind (&self->figure)->lines;
}

static void
on_motion (SlPlotView *self, double x, double y)
{
  self->pointer.x = x;
  self->pointer.y = y;
  sl_plot_drag_hover (&self->drag, x, y);
  if (!self->drag.gripped && !self->hand.drawing)
    sl_plot_cursor_hover (&self->cursor, x, y);
}

/* Only the curves of this place in the legend; once more, and all of them are back. */
static void
solo (SlPlotView *self, unsigned first, unsigned last)
{
  gboolean alone = TRUE;

  for (unsigned i = 0; i < self->figure.n_curves; i++)
    alone &= (i >= first && i <= last) || self->figure.curve[i].hidden;
  for (unsigned i = 0; i < self->figure.n_curves; i++)
    self->figure.curve[i].hidden = !alone && (i < first || i > last);
}

static void
click_chip (SlPlotView *self, const SlChip *chip, int presses)
{
  unsigned first = chip->curve, last = chip->curve + chip->n - 1;

  if (last >= self->figure.n_curves)
    return;
  if (presses == 2)
    solo (self, first, last);
  else
    for (unsigned i = first, hidden = !self->figure.curve[first].hidden; i <= last; i++)
      self->figure.curve[i].hidden = hidden;
  sl_plot_view_touch (self);
}

static void
on_click (GtkGestureClick *gesture, int presses, double x, double y, SlPlotView *self)
{
  int chip = sl_frame_chip (sl_plot_view_get_frame (self), x, y);

  self->pointer.press_x = x;
  self->pointer.press_y = y;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (sl_plot_notes_click (&self->notes, x, y, presses))
    return;
  if (chip >= 0)
    click_chip (self, &sl_plot_view_get_frame (self)->chip[chip], presses);
  else if (presses == 2 && sl_rect_contains (&sl_plot_view_get_frame (self)->plot, x, y))
    gtk_widget_activate_action (GTK_WIDGET (self), "plot.follow", NULL);
}

static gboolean
has_control (GtkGestureClick *gesture)
{
  return (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture))
          & GDK_CONTROL_MASK)
         != 0;
}

/* A finger that rests on a unit, as a click with Ctrl. */
static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, SlPlotView *self)
{
  sl_plot_cursor_hover (&self->cursor, x, y);
  if (!sl_plot_cursor_switch_off (&self->cursor))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

/* A click, but not the end of a drag. */
static void
on_release (GtkGestureClick *gesture, int presses, double x, double y, SlPlotView *self)
{
  int by;

  if (presses != 1 || hypot (x - self->pointer.press_x, y - self->pointer.press_y) >= DRAG_MIN)
    return;
  if (!sl_rect_contains (&sl_plot_view_get_frame (self)->plot, x, y)
      || sl_frame_note (sl_plot_view_get_frame (self), x, y) > 0)
    return;
  /* A finger points with the tap itself. */
  sl_plot_cursor_hover (&self->cursor, x, y);
  if (self->figure.kind == SL_MAP)
    sl_plot_map_isolate (&self->cursor);
  else if (self->figure.kind == SL_ALIVE && self->cursor.celled
           && sl_plot_alive_leads (&self->figure, self->cursor.row, &by))
    g_signal_emit_by_name (self, "example", by);
  else if (self->figure.kind == SL_ALIVE && has_control (gesture))
    sl_plot_cursor_switch_off (&self->cursor);
  else
    sl_plot_rows_pick (&self->cursor);
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
  self->pointer.press_x = x;
  self->pointer.press_y = y;
  if (sl_plot_notes_grip (&self->notes, x, y) || sl_plot_hand_grip (&self->hand, x, y))
    return;
  if (sl_plot_drag_begin (&self->drag, x, y))
    sl_plot_cursor_clear (&self->cursor);
  else if (!zoomable (self) || !sl_rect_contains (&sl_plot_view_get_frame (self)->plot, x, y))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  const SlRect *plot = &sl_plot_view_get_frame (self)->plot;
  double        x = self->pointer.press_x, y = self->pointer.press_y;
  double        x0, x1, y0, y1;

  if (self->hand.gripped)
    {
      gboolean drawing = self->hand.drawing;

      sl_plot_hand_move (&self->hand, GTK_GESTURE (drag), dx, dy);
      if (self->hand.drawing != drawing)
        sl_plot_cursor_clear (&self->cursor);
      return;
    }
  if (self->drag.gripped)
    {
      sl_plot_drag_move (&self->drag, dx);
      return;
    }
  if (!self->pointer.selecting && !self->notes.moved && hypot (dx, dy) < DRAG_MIN)
    return;
  if (sl_plot_notes_drag (&self->notes, dx, dy))
    return;
  x0 = CLAMP (fmin (x, x + dx), plot->x, plot->x + plot->w);
  x1 = CLAMP (fmax (x, x + dx), plot->x, plot->x + plot->w);
  y0 = CLAMP (fmin (y, y + dy), plot->y, plot->y + plot->h);
  y1 = CLAMP (fmax (y, y + dy), plot->y, plot->y + plot->h);
  self->pointer.selecting = TRUE;
  self->pointer.selection = (SlRect) { x0, y0, x1 - x0, y1 - y0 };
  /* A flat or narrow box means one axis only. */
  if (self->pointer.selection.h < DRAG_MIN || sl_figure_kind (&self->figure)->rows)
    self->pointer.selection.y = plot->y, self->pointer.selection.h = plot->h;
  if (self->pointer.selection.w < DRAG_MIN)
    self->pointer.selection.x = plot->x, self->pointer.selection.w = plot->w;
  sl_plot_reading_show (self);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  sl_plot_notes_drop (&self->notes);
  sl_plot_hand_end (&self->hand);
  if (self->drag.gripped)
    sl_plot_drag_end (&self->drag);
  if (!self->pointer.selecting)
    return;
  self->pointer.selecting = FALSE;
  sl_plot_view_remember (self);
  sl_frame_zoom_to (sl_plot_view_get_frame (self), &self->figure, &self->pointer.selection);
  sl_plot_view_touch (self);
  sl_plot_reading_show (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, SlPlotView *self)
{
  sl_plot_notes_drop (&self->notes);
  sl_plot_hand_end (&self->hand);
  if (self->drag.gripped)
    sl_plot_drag_end (&self->drag);
  self->pointer.selecting = FALSE;
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
  self->pointer.pan_x = self->pointer.pan_y = 0.0;
  sl_plot_view_remember (self);
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  sl_frame_pan (sl_plot_view_get_frame (self), &self->figure, dx - self->pointer.pan_x,
                dy - self->pointer.pan_y);
  self->pointer.pan_x = dx;
  self->pointer.pan_y = dy;
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
    sl_frame_zoom (sl_plot_view_get_frame (self), &self->figure, self->pointer.x, self->pointer.y,
                   1.0, factor);
  else
    sl_frame_zoom (sl_plot_view_get_frame (self), &self->figure, self->pointer.x, self->pointer.y,
                   factor, 1.0);
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
  GtkEventController *rest = add_gesture (self, gtk_gesture_long_press_new (), GDK_BUTTON_PRIMARY);
  GtkEventController *menu = add_gesture (self, gtk_gesture_click_new (), GDK_BUTTON_SECONDARY);

  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (sl_plot_cursor_leave), &self->cursor);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  g_signal_connect (pan, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (pan, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
  g_signal_connect (click, "released", G_CALLBACK (on_release), self);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (rest), TRUE);
  g_signal_connect (rest, "pressed", G_CALLBACK (on_long_press), self);
  g_signal_connect (menu, "pressed", G_CALLBACK (on_menu), self);
}
