/* SPDX-License-Identifier: MIT */
#include "ui/form/strip.h"

#include "ui/kit/type-size.h"

struct _SlStripLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (SlStripLayout, sl_strip_layout, GTK_TYPE_LAYOUT_MANAGER)

enum { COLUMN = 250, GAP = 24, LINE_GAP = 4 }; /* px at the usual size of type */

static GtkWidget *
first_shown (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
first_in (GtkWidget *widget)
{
  return first_shown (gtk_widget_get_first_child (widget));
}

static GtkWidget *
after (GtkWidget *child)
{
  return first_shown (gtk_widget_get_next_sibling (child));
}

/* The width that the widest child needs. */
static int
least_column (GtkWidget *widget)
{
  int least = 0;

  for (GtkWidget *child = first_in (widget); child != NULL; child = after (child))
    {
      int needed;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &needed, NULL, NULL, NULL);
      least = MAX (least, needed);
    }
  return least;
}

static int
wanted_column (GtkWidget *widget)
{
  return MAX (least_column (widget), (int) (COLUMN * sl_type_size_room (widget)));
}

static int
n_shown (GtkWidget *widget)
{
  int n = 0;

  for (GtkWidget *child = first_in (widget); child != NULL; child = after (child))
    n++;
  return n;
}

/* Columns: as many as fit, but no more than lines of about equal length need. */
static int
columns_of (GtkWidget *widget, int width)
{
  int n = MAX (n_shown (widget), 1);
  int fit = width < 0 ? n : CLAMP ((width + GAP) / (wanted_column (widget) + GAP), 1, n);
  int lines = (n + fit - 1) / fit;

  return (n + lines - 1) / lines;
}

static int
column_width (int width, int columns)
{
  return (width - (columns - 1) * GAP) / columns;
}

/* The height of the line that begins with a child, which becomes the first of the next one. */
static int
line_height (GtkWidget **child, int columns, int width)
{
  int height = 0;

  for (int i = 0; i < columns && *child != NULL; i++, *child = after (*child))
    {
      int needed;

      gtk_widget_measure (*child, GTK_ORIENTATION_VERTICAL, width, NULL, &needed, NULL, NULL);
      height = MAX (height, needed);
    }
  return height;
}

static int
height_at (GtkWidget *widget, int width)
{
  int        columns = columns_of (widget, width), height = 0;
  int        wide = width < 0 ? wanted_column (widget) : column_width (width, columns);
  GtkWidget *child = first_in (widget);

  while (child != NULL)
    height += line_height (&child, columns, wide) + (child != NULL ? LINE_GAP : 0);
  return height;
}

static GtkSizeRequestMode
sl_strip_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
sl_strip_layout_measure (GtkLayoutManager *layout, GtkWidget *widget, GtkOrientation orientation,
                         int for_size, int *minimum, int *natural, int *minimum_baseline,
                         int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = height_at (widget, for_size);
      return;
    }
  *minimum = least_column (widget);
  *natural = n_shown (widget) * (wanted_column (widget) + GAP) - GAP;
  *natural = MAX (*natural, *minimum);
}

static void
sl_strip_layout_allocate (GtkLayoutManager *layout, GtkWidget *widget, int width, int height,
                          int baseline)
{
  int           columns = columns_of (widget, width), wide = column_width (width, columns);
  GtkWidget    *child = first_in (widget);
  GtkAllocation at = { 0, 0, wide, 0 };

  while (child != NULL)
    {
      GtkWidget *next = child;

      at.height = line_height (&next, columns, wide);
      for (at.x = 0; child != next; child = after (child), at.x += wide + GAP)
        gtk_widget_size_allocate (child, &at, -1);
      at.y += at.height + LINE_GAP;
    }
}

static void
sl_strip_layout_class_init (SlStripLayoutClass *klass)
{
  GtkLayoutManagerClass *layout = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout->get_request_mode = sl_strip_layout_get_request_mode;
  layout->measure = sl_strip_layout_measure;
  layout->allocate = sl_strip_layout_allocate;
}

static void
sl_strip_layout_init (SlStripLayout *self)
{
}

GtkLayoutManager *
sl_strip_layout_new (void)
{
  return g_object_new (SL_TYPE_STRIP_LAYOUT, NULL);
}
