/* SPDX-License-Identifier: MIT */
#include "ui/grid/layout.h"

#include <math.h>

#include "ui/kit/type-size.h"

/* px where text has its usual size */
enum {
  WISHED_WIDTH = 400,
  MIN_HEIGHT = 256,
  PRESENTED_MIN_HEIGHT = 224, /* two rows beside the words of a lesson */
  MAX_HEIGHT = 440,
  SPACING = 8,
  PRESENTED_COLUMNS = 2,
};

struct _SlPlotLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (SlPlotLayout, sl_plot_layout, GTK_TYPE_LAYOUT_MANAGER)

static int
count (GtkWidget *widget, int *min_width, int *min_height)
{
  int n = 0;

  *min_width = *min_height = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        int width, height;

        gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
        gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
        *min_width = MAX (*min_width, width);
        *min_height = MAX (*min_height, height);
        n++;
      }
  return n;
}

/* Columns, and the least and the largest height of a row, for a width.  A room reads two plots
 * beside each other.  */
static int
columns (GtkWidget *widget, int n, int width, int min_width, int min_height, int *row, int *most)
{
  gboolean presented = sl_type_size_presented (widget);
  double   room = sl_type_size_room (widget);
  double   least = room * (presented ? PRESENTED_MIN_HEIGHT : MIN_HEIGHT);
  int      across = (int) lround (width / (room * WISHED_WIDTH)), column;

  if (presented)
    across = MIN (across, PRESENTED_COLUMNS);

  while (across > 1 && (width - (across - 1) * SPACING) / across < min_width)
    across--;
  across = CLAMP (across, 1, MAX (n, 1));
  column = (width - (across - 1) * SPACING) / across;
  *row = MAX (min_height, (int) lround (CLAMP (0.64 * column, least, room * MAX_HEIGHT)));
  *most = 2 * *row;
  /* And without scrolling, if there are few of them: two rows are as low as they can be. */
  if (presented && n <= 2 * across)
    *row = n > across ? min_height : MAX (min_height, (int) lround (least));
  return across;
}

static GtkSizeRequestMode
sl_plot_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
sl_plot_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                        int for_size, int *minimum, int *natural, int *minimum_baseline,
                        int *natural_baseline)
{
  int min_width, min_height, row, most;
  int n = count (widget, &min_width, &min_height);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = min_width;
      *natural = MAX (min_width, (int) (2 * sl_type_size_room (widget) * WISHED_WIDTH) + SPACING);
    }
  else if (n <= 1)
    *minimum = *natural = min_height;
  else
    {
      int across
        = columns (widget, n, MAX (for_size, min_width), min_width, min_height, &row, &most);
      int down = (n + across - 1) / across;

      *minimum = *natural = down * row + (down - 1) * SPACING;
    }
}

static void
sl_plot_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                         int baseline)
{
  int min_width, min_height, row, most, i = 0;
  int n = count (widget, &min_width, &min_height);
  int across = columns (widget, n, width, min_width, min_height, &row, &most);
  int column = (width - (across - 1) * SPACING) / across;

  /* Few plots share the height that is there. */
  if (n == 1)
    row = height;
  else if (n > 1)
    {
      int down = (n + across - 1) / across;

      row = CLAMP ((height - (down - 1) * SPACING) / down, row, most);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        GtkAllocation place
          = { (i % across) * (column + SPACING), (i / across) * (row + SPACING), column, row };

        /* An odd one before an audience: low rows had better be wide. */
        if (i == n - 1 && i % across == 0 && sl_type_size_presented (widget))
          place.width = width;
        gtk_widget_size_allocate (child, &place, -1);
        i++;
      }
}

static void
sl_plot_layout_class_init (SlPlotLayoutClass *klass)
{
  GtkLayoutManagerClass *manager = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager->get_request_mode = sl_plot_layout_get_request_mode;
  manager->measure = sl_plot_layout_measure;
  manager->allocate = sl_plot_layout_allocate;
}

static void
sl_plot_layout_init (SlPlotLayout *self)
{
}
