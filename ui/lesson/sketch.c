/* SPDX-License-Identifier: MIT */
#include "ui/lesson/sketch.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/number.h"
#include "ui/kit/widget.h"
#include "ui/lesson/ghosts.h"

struct _SlLessonSketch
{
  GObject parent_instance;

  SlGhosts            ghosts; /* the guess first */
  const SlQuestion   *question;
  double              value[SL_SKETCH_POINTS];
  gboolean            open, drawn;
  gboolean            log_x, log_y;   /* of the plot, before */
  unsigned            place;          /* where the keys bend it */
  double              last_x, last_y; /* of the stroke, in units of the data */
  GtkEventController *drag, *keys;
};

G_DEFINE_FINAL_TYPE (SlLessonSketch, sl_lesson_sketch, G_TYPE_OBJECT)

/* Places of the guess along x. */
static void
fill_places (SlLessonSketch *self, double place[SL_SKETCH_POINTS])
{
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    place[i] = sl_lesson_place (self->question, i);
}

static gboolean
add_guess (SlLessonSketch *self, const char *title, const double *values)
{
  double place[SL_SKETCH_POINTS];

  fill_places (self, place);
  return sl_ghosts_add (&self->ghosts, title, place, values, SL_SKETCH_POINTS);
}

/* The axes do not move while the pointer or keys draw. */
static void
hold_axes (SlLessonSketch *self)
{
  SlView view = sl_plot_view_get_figure (self->ghosts.view)->view;

  self->log_x = view.log_x;
  self->log_y = view.log_y;
  view.zoomed = view.y_locked = true;
  view.log_x = view.log_y = false;
  view.x_lo = self->question->from;
  view.x_hi = self->question->to;
  view.y_lo = self->question->lo;
  view.y_hi = self->question->hi;
  sl_figure_set_view (sl_plot_view_get_figure (self->ghosts.view), &view);
  sl_plot_view_touch (self->ghosts.view);
}

static void
take (SlLessonSketch *self)
{
  double place[SL_SKETCH_POINTS];

  self->drawn = TRUE;
  fill_places (self, place);
  sl_ghosts_move (&self->ghosts, 0, place, self->value, SL_SKETCH_POINTS);
  g_signal_emit_by_name (self, "changed");
}

/* ---- pointer ---- */

/* Everything between two points of the stroke follows the line between them. */
static void
draw_to (SlLessonSketch *self, double x, double y)
{
  double lo = MIN (x, self->last_x), hi = MAX (x, self->last_x);
  double pace = (self->question->to - self->question->from) / (SL_SKETCH_POINTS - 1);

  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      double at = sl_lesson_place (self->question, i);

      if (at < lo - pace / 2.0 || at > hi + pace / 2.0)
        continue;
      self->value[i]
        = hi - lo > pace / 2.0
            ? self->last_y
                + (y - self->last_y) * CLAMP ((at - self->last_x) / (x - self->last_x), 0.0, 1.0)
            : y;
    }
  self->last_x = x;
  self->last_y = y;
  take (self);
}

/* A place on the widget in units of the data, kept within the axes. */
static void
from_pixels (SlLessonSketch *self, double *x, double *y)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (sl_plot_view_get_canvas (self->ghosts.view));
  double t = frame->plot.h > 0.0 ? (frame->plot.y + frame->plot.h - *y) / frame->plot.h : 0.0;

  *x = CLAMP (sl_frame_value_x (frame, *x), self->question->from, self->question->to);
  *y = self->question->lo + CLAMP (t, 0.0, 1.0) * (self->question->hi - self->question->lo);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, SlLessonSketch *self)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (sl_plot_view_get_canvas (self->ghosts.view));

  if (!self->open || !sl_rect_contains (&frame->plot, x, y))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self->ghosts.view));
  from_pixels (self, &x, &y);
  self->last_x = x;
  self->last_y = y;
  draw_to (self, x, y);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, SlLessonSketch *self)
{
  double x, y;

  if (!gtk_gesture_drag_get_start_point (drag, &x, &y))
    return;
  x += dx;
  y += dy;
  from_pixels (self, &x, &y);
  draw_to (self, x, y);
}

/* ---- keys ---- */

/* Moves a point and drags its neighbours along, so that a few keys make a curve. */
static void
bend (SlLessonSketch *self, double by)
{
  enum { REACH = 8 };

  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      double away = fabs ((double) i - self->place) / REACH;

      if (away < 1.0)
        self->value[i] = CLAMP (self->value[i] + by * 0.5 * (1.0 + cos (G_PI * away)),
                                self->question->lo, self->question->hi);
    }
  take (self);
}

/* The place is said, because it cannot be heard otherwise. */
static void
tell_place (SlLessonSketch *self)
{
  char             x[SL_NUMBER_SIZE], y[SL_NUMBER_SIZE];
  g_autofree char *sentence = NULL;

  g_ascii_formatd (x, sizeof x, "%.4g", sl_lesson_place (self->question, self->place));
  g_ascii_formatd (y, sizeof y, "%.3g", self->value[self->place]);
  sentence = g_strdup_printf (_ ("Your guess at %s: %s"), x, y);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->ghosts.view),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, sentence, -1);
}

static gboolean
on_key (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
        SlLessonSketch *self)
{
  double full = (self->question->hi - self->question->lo) / (state & GDK_SHIFT_MASK ? 100.0 : 20.0);

  if (!self->open || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Left: self->place -= self->place > 0; break;
    case GDK_KEY_Right: self->place += self->place < SL_SKETCH_POINTS - 1; break;
    case GDK_KEY_Up: bend (self, full); break;
    case GDK_KEY_Down: bend (self, -full); break;
    default: return GDK_EVENT_PROPAGATE;
    }
  tell_place (self);
  return GDK_EVENT_STOP;
}

/* ---- the object ---- */

void
sl_lesson_sketch_set_open (SlLessonSketch *self, gboolean open)
{
  g_return_if_fail (SL_IS_LESSON_SKETCH (self));
  self->open = open;
  if (self->ghosts.view != NULL)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self->ghosts.view), open ? "crosshair" : NULL);
}

void
sl_lesson_sketch_set (SlLessonSketch *self, const double values[SL_SKETCH_POINTS])
{
  g_return_if_fail (SL_IS_LESSON_SKETCH (self));
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    self->value[i] = values[i];
  take (self);
}

void
sl_lesson_sketch_add_earlier (SlLessonSketch *self, const double values[SL_SKETCH_POINTS])
{
  g_return_if_fail (SL_IS_LESSON_SKETCH (self));
  add_guess (self, _ ("earlier guess"), values);
}

char *
sl_lesson_sketch_dup_answer (SlLessonSketch *self)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (SL_IS_LESSON_SKETCH (self), NULL);
  for (unsigned i = 0; i < SL_SKETCH_POINTS && self->drawn; i++)
    {
      char number[SL_NUMBER_SIZE];

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              sl_number_format (self->value[i], number));
    }
  return g_string_free (text, !self->drawn);
}

static void
sl_lesson_sketch_dispose (GObject *object)
{
  SlLessonSketch *self = SL_LESSON_SKETCH (object);

  if (self->ghosts.view != NULL)
    {
      gtk_widget_set_cursor (GTK_WIDGET (self->ghosts.view), NULL);
      gtk_widget_remove_controller (GTK_WIDGET (self->ghosts.view), self->drag);
      gtk_widget_remove_controller (GTK_WIDGET (self->ghosts.view), self->keys);
      g_object_set (self->ghosts.view, "log-x", self->log_x, "log-y", self->log_y, NULL);
      gtk_widget_activate_action (GTK_WIDGET (self->ghosts.view), "plot.follow", NULL);
    }
  sl_ghosts_clear (&self->ghosts);
  G_OBJECT_CLASS (sl_lesson_sketch_parent_class)->dispose (object);
}

static void
sl_lesson_sketch_class_init (SlLessonSketchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_lesson_sketch_dispose;
  sl_signal_new (SL_TYPE_LESSON_SKETCH, "changed", 0);
}

static void
sl_lesson_sketch_init (SlLessonSketch *self)
{
}

/* Before the plot's own, which would zoom and move the cursor. */
static void
attach (SlLessonSketch *self)
{
  self->drag = GTK_EVENT_CONTROLLER (gtk_gesture_drag_new ());
  self->keys = gtk_event_controller_key_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->drag), GDK_BUTTON_PRIMARY);
  gtk_event_controller_set_propagation_phase (self->drag, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (self->keys, GTK_PHASE_CAPTURE);
  g_signal_connect (self->drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (self->keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->ghosts.view), self->drag);
  gtk_widget_add_controller (GTK_WIDGET (self->ghosts.view), self->keys);
}

SlLessonSketch *
sl_lesson_sketch_new (SlPlotView *view, const SlLab *lab, const SlSettings *settings,
                      const SlQuestion *question)
{
  SlLessonSketch *self = g_object_new (SL_TYPE_LESSON_SKETCH, NULL);

  self->question = question;
  self->place = SL_SKETCH_POINTS / 2;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    self->value[i] = (question->lo + question->hi) / 2.0;
  if (!sl_ghosts_init (&self->ghosts, view, lab, settings, question->answer)
      || !add_guess (self, _ ("your guess"), self->value))
    {
      g_object_unref (self);
      return NULL;
    }
  attach (self);
  hold_axes (self);
  return self;
}
