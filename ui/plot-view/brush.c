/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/brush.h"

#include <math.h>

#include "ui/plot-view/inside.h"

enum { DAB_APART = 7, ERASER = 14 };

/* A painted or erased place, in units of the data. */
typedef struct
{
  double x, y;
  int    label; /* -1: erased */
} SlDab;

void
sl_plot_brush_mark (const SlPlotBrush *self, SlMarks *marks)
{
  const SlTheme *theme = sl_plot_canvas_get_theme (sl_plot_view_get_canvas (self->view));
  guint          first = self->dabs->len > SL_MARKS_MAX ? self->dabs->len - SL_MARKS_MAX : 0;

  for (guint i = first; i < self->dabs->len && self->figure->kind == SL_MAP; i++)
    {
      const SlDab *dab = &g_array_index (self->dabs, SlDab, i);

      marks->dot_x[marks->n_dots] = sl_frame_x (sl_plot_view_get_frame (self->view), dab->x);
      marks->dot_y[marks->n_dots] = sl_frame_y (sl_plot_view_get_frame (self->view), dab->y);
      marks->dot[marks->n_dots++]
        = dab->label >= 0 ? sl_plane_class ((unsigned) dab->label) : theme->plot;
    }
}

static double
value_y (const SlFrame *frame, double py)
{
  double t = (frame->plot.y + frame->plot.h - py) / frame->plot.h;

  return frame->y.lo + t * (frame->y.hi - frame->y.lo);
}

static void
dab (SlPlotBrush *self, GtkGesture *gesture, double px, double py)
{
  const SlFrame  *frame = sl_plot_view_get_frame (self->view);
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  SlDab dab = { .x = sl_frame_value_x (frame, px), .y = value_y (frame, py) };

  if (!sl_rect_contains (&frame->plot, px, py))
    return;
  dab.label = state & GDK_SHIFT_MASK ? -1 : self->label + (button == GDK_BUTTON_SECONDARY);
  self->x = px;
  self->y = py;
  g_array_append_val (self->dabs, dab);
  g_signal_emit_by_name (self->view, "dab", dab.x, dab.y, dab.label,
                         ERASER * (frame->x.hi - frame->x.lo) / frame->plot.w,
                         ERASER * (frame->y.hi - frame->y.lo) / frame->plot.h);
  sl_plot_reading_show (self->view);
}

static void
on_begin (GtkGestureDrag *drag, double x, double y, SlPlotBrush *self)
{
  if (self->label < 0 || self->figure->kind != SL_MAP
      || !sl_rect_contains (&sl_plot_view_get_frame (self->view)->plot, x, y))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  /* Keys are the plot's from here on, as after any click on it. */
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  self->painting = TRUE;
  dab (self, GTK_GESTURE (drag), x, y);
}

static void
on_update (GtkGestureDrag *drag, double dx, double dy, SlPlotBrush *self)
{
  double x, y;

  if (!self->painting || !gtk_gesture_drag_get_start_point (drag, &x, &y))
    return;
  x += dx;
  y += dy;
  if (hypot (x - self->x, y - self->y) >= DAB_APART)
    dab (self, GTK_GESTURE (drag), x, y);
}

/* Ends a stroke; gestures that did not paint end here, too. */
static void
on_end (SlPlotBrush *self)
{
  if (!self->painting)
    return;
  self->painting = FALSE;
  g_signal_emit_by_name (self->view, "stroke");
}

void
sl_plot_brush_init (SlPlotBrush *self, SlPlotView *view)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->view = view;
  self->figure = sl_plot_view_get_figure (view);
  self->label = -1;
  self->dabs = g_array_new (FALSE, FALSE, sizeof (SlDab));
  /* Any button; before the gestures that zoom and open the menu. */
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_end), self);
}

void
sl_plot_brush_clear (SlPlotBrush *self)
{
  g_array_unref (self->dabs);
}
