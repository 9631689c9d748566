/* SPDX-License-Identifier: MIT
 *
 * A gating map under the pointer: reading it, one region alone, other meanings of its colours, and
 * painting examples.  */
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/plot-view/private.h"

enum { DAB_APART = 7, ERASER = 14, CURSOR = 9 };

static const SlFrame *
frame_of (SlPlotView *self)
{
  return sl_plot_canvas_get_frame (self->canvas);
}

static size_t
cell_of (const SlPlotView *self)
{
  return (size_t) self->row * self->figure.plane.side + self->column;
}

static gboolean
on_a_cell (const SlPlotView *self)
{
  return self->figure.kind == SL_MAP && self->celled && self->row < self->figure.plane.side
         && self->column < self->figure.plane.side;
}

/* Where the pointer is, the eye is; the cursor of the keys needs a mark, larger than a cell. */
static void
mark_cell (SlPlotView *self, SlMarks *marks)
{
  const SlRect *plot = &frame_of (self)->plot;
  double        side = self->figure.plane.side;
  double        x = plot->x + (self->column + 0.5) / side * plot->w;
  double        y = plot->y + (self->row + 0.5) / side * plot->h;

  marks->x = x;
  marks->y = y;
  marks->boxed = self->pinned;
  marks->box = (SlRect) { floor (x) - CURSOR / 2, floor (y) - CURSOR / 2, CURSOR, CURSOR };
}

/* Two lines, since one would be cut in a plot of usual width. */
static void
add_parts (GString *markup, char *words)
{
  static const char between[] = " · ";
  size_t            half = strlen (words) / 2;
  char             *middle = NULL;

  for (char *at = strstr (words, between); at != NULL; at = strstr (at + 1, between))
    if (middle == NULL || ABS (at - words - (gssize) half) < ABS (middle - words - (gssize) half))
      middle = at;
  if (middle != NULL)
    *middle = '\0';
  sl_plot_reading_add_line (markup, words);
  if (middle != NULL)
    sl_plot_reading_add_line (markup, middle + strlen (between));
}

void
sl_plot_map_read (SlPlotView *self, GString *markup, SlMarks *marks)
{
  const SlPlane   *plane = &self->figure.plane;
  double           cell = 1.0 / plane->side;
  char             text[256], x[32], y[32], place[96];
  g_autofree char *words = NULL;

  if (!on_a_cell (self))
    return;
  mark_cell (self, marks);
  g_snprintf (
    place, sizeof place, "%s %s, %s %s", self->figure.x.label,
    sl_number_text (plane->left + (self->column + 0.5) * cell * (plane->right - plane->left), 3, x,
                    sizeof x),
    self->figure.y.label,
    sl_number_text (plane->top - (self->row + 0.5) * cell * (plane->top - plane->bottom), 3, y,
                    sizeof y));
  sl_plot_reading_add_line (markup, place);
  words = sl_phrase (sl_plane_text (plane, cell_of (self), text, sizeof text));
  add_parts (markup, words);
}

void
sl_plot_map_resize (SlPlotView *self, unsigned side)
{
  unsigned now = self->figure.plane.side;

  if (now == 0 || now == side)
    return;
  self->row = (2 * self->row + 1) * now / (2 * side);
  self->column = (2 * self->column + 1) * now / (2 * side);
}

/* What was painted and is not yet in the data. */
void
sl_plot_map_mark (SlPlotView *self, SlMarks *marks)
{
  const SlTheme *theme = sl_plot_canvas_get_theme (self->canvas);
  guint          first = self->dabs->len > SL_MARKS_MAX ? self->dabs->len - SL_MARKS_MAX : 0;

  for (guint i = first; i < self->dabs->len && self->figure.kind == SL_MAP; i++)
    {
      const SlDab *dab = &g_array_index (self->dabs, SlDab, i);

      marks->dot_x[marks->n_dots] = sl_frame_x (frame_of (self), dab->x);
      marks->dot_y[marks->n_dots] = sl_frame_y (frame_of (self), dab->y);
      marks->dot[marks->n_dots++]
        = dab->label >= 0 ? sl_plane_class (theme, (unsigned) dab->label) : theme->plot;
    }
}

void
sl_plot_map_isolate (SlPlotView *self)
{
  unsigned colour;

  if (!on_a_cell (self))
    return;
  colour = (unsigned) self->figure.plane.plane[SL_MAP_PATTERN][cell_of (self)];
  self->figure.view.alone = self->figure.view.alone == colour + 1 ? 0 : colour + 1;
  sl_plot_view_touch (self);
}

/* ---- painting ---- */

static double
value_y (const SlFrame *frame, double py)
{
  double t = (frame->plot.y + frame->plot.h - py) / frame->plot.h;

  return frame->y.lo + t * (frame->y.hi - frame->y.lo);
}

static void
dab (SlPlotView *self, GtkGesture *gesture, double px, double py)
{
  const SlFrame  *frame = frame_of (self);
  GdkModifierType state
    = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));
  SlDab dab = { .x = sl_frame_value_x (frame, px), .y = value_y (frame, py) };

  if (!sl_rect_contains (&frame->plot, px, py))
    return;
  dab.label = state & GDK_SHIFT_MASK ? -1 : self->brush + (button == GDK_BUTTON_SECONDARY);
  self->dab_x = px;
  self->dab_y = py;
  g_array_append_val (self->dabs, dab);
  g_signal_emit_by_name (self, "dab", dab.x, dab.y, dab.label,
                         ERASER * (frame->x.hi - frame->x.lo) / frame->plot.w,
                         ERASER * (frame->y.hi - frame->y.lo) / frame->plot.h);
  sl_plot_reading_show (self);
}

static void
on_begin (GtkGestureDrag *drag, double x, double y, SlPlotView *self)
{
  self->press_x = x;
  self->press_y = y;
  if (self->brush < 0 || self->figure.kind != SL_MAP
      || !sl_rect_contains (&frame_of (self)->plot, x, y))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  /* Keys are the plot's from here on, as after any click on it. */
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->painting = TRUE;
  dab (self, GTK_GESTURE (drag), x, y);
}

static void
on_update (GtkGestureDrag *drag, double dx, double dy, SlPlotView *self)
{
  double x = self->press_x + dx, y = self->press_y + dy;

  if (!self->painting)
    return;
  if (hypot (x - self->dab_x, y - self->dab_y) >= DAB_APART)
    dab (self, GTK_GESTURE (drag), x, y);
}

/* Also the end of a gesture that was none of ours. */
static void
on_end (SlPlotView *self)
{
  if (!self->painting)
    return;
  self->painting = FALSE;
  g_signal_emit_by_name (self, "stroke");
}

void
sl_plot_map_attach (SlPlotView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  /* Any button; before the gestures that zoom and open the menu. */
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_end), self);
}
