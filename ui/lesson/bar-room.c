/* SPDX-License-Identifier: MIT
 *
 * How much room the lesson bar takes: what the longest step of the lesson needs, in all of them, so that the
 * plots above it stay as large as they are, and before an audience, where plots need the room, what the present step
 * needs before and after its answer; and where in it its parts are.  */
#include "ui/lesson/bar-private.h"

#include "ui/kit/type-size.h"

enum { GAP = 4, LEAST = 60, NARROW = 860 };

GtkSizeRequestMode
sl_lesson_bar_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* What can be read without scrolling is worth its height, up to a third of the window. */
static int
most_of_window (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  int      height = root != NULL ? gtk_widget_get_height (GTK_WIDGET (root)) : 0;

  return height > 0 ? MAX (height / 3, LEAST) : G_MAXINT;
}

static int
width_least (GtkWidget *widget)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static int
height_of (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* Next is at the end of the lowest line in every step, and what is answered with never lies there. */
static gboolean
fits_one_line (SlLessonBar *self, int width)
{
  return width < 0 || width_least (self->actions) + GAP + width_least (self->way) <= width;
}

static int
foot_height (SlLessonBar *self, int width)
{
  int actions = height_of (self->actions), way = height_of (self->way);

  return fits_one_line (self, width) ? MAX (actions, way) : actions + GAP + way;
}

static void
place (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget, &(GtkAllocation) { x, y, width, height }, -1);
}

static void
place_foot (SlLessonBar *self, int width, int height)
{
  int      actions = width_least (self->actions), way = width_least (self->way);
  int      lines = height_of (self->way), above = height_of (self->actions);
  gboolean one = fits_one_line (self, width);
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  int      top = one ? height - MAX (lines, above) : height - lines - GAP - above;

  place (self->actions, mirrored ? width - actions : 0, top, actions,
         one ? MAX (lines, above) : above);
  place (self->way, mirrored ? 0 : width - way, height - lines, way, lines);
}

void
sl_lesson_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlLessonBar *self = SL_LESSON_BAR (widget);
  int          head, head_minimum, body, body_minimum, foot_minimum;

  gtk_widget_measure (self->head, orientation, for_size, &head_minimum, &head, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (self->body), orientation, for_size, &body_minimum, &body, NULL,
                      NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      foot_minimum = MAX (width_least (self->actions), width_least (self->way));
      *minimum = MAX (MAX (head_minimum, body_minimum), foot_minimum);
      *natural = MAX (MAX (head, body), foot_minimum);
    }
  else
    {
      gboolean gauged = self->player != NULL && for_size == self->room.width;
      int      foot = gauged ? self->room.foot : foot_height (self, for_size);

      body = gauged ? self->room.body : body;
      *minimum = *natural = head + GAP + MIN (body, most_of_window (widget)) + GAP + foot;
    }
}

/* ---- the same in all steps ---- */

/* The width that the bar has, or will have when it is shown. */
static int
width_to_come (SlLessonBar *self)
{
  GtkWidget       *widget = GTK_WIDGET (self), *parent = gtk_widget_get_parent (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GtkBorder        padding;

  if (gtk_widget_get_width (widget) > 0 && gtk_widget_get_visible (widget))
    return gtk_widget_get_width (widget);
  gtk_style_context_get_padding (style, &padding);
  return parent != NULL ? gtk_widget_get_width (parent) - padding.left - padding.right : 0;
}

static void
measure_posed (SlLessonBar *self, int width)
{
  int body;

  gtk_widget_measure (GTK_WIDGET (self->body), GTK_ORIENTATION_VERTICAL, width, NULL, &body, NULL,
                      NULL);
  self->room.body = MAX (self->room.body, body);
  self->room.foot = MAX (self->room.foot, foot_height (self, width));
}

void
sl_lesson_bar_gauge (SlLessonBar *self, int width)
{
  const SlLesson *lesson = self->player != NULL ? sl_lesson_player_get_lesson (self->player) : NULL;

  width = width < 0 ? width_to_come (self) : width;
  self->room.width = self->room.body = self->room.foot = 0;
  if (lesson == NULL || width <= 0)
    return;
  self->narrow = width < NARROW;
  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      const SlLessonStep *step = sl_lesson_step (lesson, i);

      if (sl_type_size_presented (GTK_WIDGET (self))
          && step != sl_lesson_player_get_step (self->player))
        continue;
      for (unsigned answered = 0; answered <= (step->question.kind != SL_ASK_NOTHING); answered++)
        {
          sl_lesson_bar_pose (self, step, answered > 0);
          measure_posed (self, width);
        }
    }
  sl_lesson_bar_unpose (self);
  self->room.width = width;
  self->room.type = sl_type_size_of (GTK_WIDGET (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Neither orientation nor texts must change in the middle of a layout. */
static void
on_folding (SlLessonBar *self)
{
  self->folding = 0;
  sl_lesson_bar_gauge (self, -1);
}

void
sl_lesson_bar_gauge_soon (SlLessonBar *self)
{
  if (self->folding == 0)
    self->folding = g_idle_add_once ((GSourceOnceFunc) on_folding, self);
}

void
sl_lesson_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlLessonBar  *self = SL_LESSON_BAR (widget);
  GtkAllocation rest = { 0, 0, width, height };

  gtk_widget_measure (self->head, GTK_ORIENTATION_VERTICAL, width, NULL, &rest.y, NULL, NULL);
  gtk_widget_allocate (self->head, width, rest.y, -1, NULL);
  rest.y += GAP;
  rest.height = MAX (height - rest.y - GAP - foot_height (self, width), 0);
  gtk_widget_size_allocate (self->scroller, &rest, -1);
  place_foot (self, width, height);
  if (self->player != NULL && width != self->room.width)
    sl_lesson_bar_gauge_soon (self);
}
