/* SPDX-License-Identifier: MIT */
#include "ui/grid/layout.h"

#include <math.h>

#include "ui/grid/card.h"
#include "ui/grid/heading.h"
#include "ui/kit/type-size.h"

/* px where text has its usual size */
enum {
  WISHED_WIDTH = 400,
  MIN_HEIGHT = 256,
  PRESENTED_MIN_HEIGHT = 224, /* two rows beside the words of a lesson */
  MAX_HEIGHT = 440,
  SPACING = 8,
  PRESENTED_COLUMNS = 2,
  MOST_COLUMNS = 16, /* at most */
};

struct _SlPlotLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (SlPlotLayout, sl_plot_layout, GTK_TYPE_LAYOUT_MANAGER)

/* What is to be laid out: cards in rows, and headings between them, each on a line of its own. */
typedef struct
{
  int n;                     /* cards */
  int most;                  /* cards of the largest section */
  int min_width, min_height; /* of a card */
  int headings, lines;       /* their height together, and how many */
} Content;

static Content
count (GtkWidget *widget)
{
  Content content = { 0 };
  int     n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      {
        int width, height;

        gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
        gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
        content.min_width = MAX (content.min_width, width);
        if (SL_IS_GROUP_HEADING (child))
          {
            content.headings += height;
            content.lines++;
            n = 0;
            continue;
          }
        content.min_height = MAX (content.min_height, height);
        content.n++;
        n++;
        content.most = MAX (content.most, n);
      }
  return content;
}

/* Columns that a card takes: the picture of a network is read from left to right. */
static int
span_of (GtkWidget *child, int across)
{
  return MIN (across,
              SL_IS_PLOT_CARD (child) && sl_plot_card_is_wide (SL_PLOT_CARD (child)) ? 2 : 1);
}

/* How many rows the cards take, this many columns beside each other; a heading begins a new one. */
static int
count_rows (GtkWidget *widget, int across)
{
  int rows = 0, in_row = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child) && SL_IS_GROUP_HEADING (child))
      in_row = 0;
    else if (gtk_widget_should_layout (child))
      {
        int span = span_of (child, across);

        rows += in_row == 0 || in_row + span > across;
        in_row = (in_row + span > across ? span : in_row + span) % across;
      }
  return rows;
}

/* Columns, and the least and the largest height of a row, for a width.  Before an audience two
 * plots are beside each other.  */
static int
columns (GtkWidget *widget, const Content *content, int width, int *row, int *most)
{
  int      n = content->n, min_width = content->min_width, min_height = content->min_height;
  gboolean presented = sl_type_size_presented (widget);
  double   room = sl_type_size_room (widget);
  double   least = room * (presented ? PRESENTED_MIN_HEIGHT : MIN_HEIGHT);
  int      across = (int) lround (width / (room * WISHED_WIDTH)), column;

  if (presented)
    across = MIN (across, PRESENTED_COLUMNS);

  while (across > 1 && (width - (across - 1) * SPACING) / across < min_width)
    across--;
  across = CLAMP (across, 1, CLAMP (content->most, 1, MOST_COLUMNS));
  column = (width - (across - 1) * SPACING) / across;
  *row = MAX (min_height, (int) lround (CLAMP (0.64 * column, least, room * MAX_HEIGHT)));
  *most = 2 * *row;
  /* And without scrolling, if there are few of them: the words of a lesson leave little height.  Only the plots of a
   * lesson's step have no headings.  */
  if ((presented || content->lines == 0) && n <= 2 * across)
    *row = min_height;
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
  Content content = count (widget);
  int     row, most;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = content.min_width;
      *natural
        = MAX (content.min_width, (int) (2 * sl_type_size_room (widget) * WISHED_WIDTH) + SPACING);
    }
  else if (content.n <= 1 && content.lines == 0)
    *minimum = *natural = content.min_height;
  else
    {
      int across = columns (widget, &content, MAX (for_size, content.min_width), &row, &most);
      int down = count_rows (widget, across);

      *minimum = *natural
        = down * row + content.headings + MAX (down + content.lines - 1, 0) * SPACING;
    }
}

/* Few plots share the height that is there. */
static int
fit_rows (GtkWidget *widget, const Content *content, int height, int across, int row, int most)
{
  int down = count_rows (widget, across);
  int free = height - content->headings - (down + content->lines - 1) * SPACING;

  if (content->n == 1 && content->lines == 0)
    return height;
  return down > 0 ? CLAMP (free / down, row, most) : row;
}

/* Cards that stand beside each other, until the row is full or a heading comes. */
typedef struct
{
  GtkWidget *card[MOST_COLUMNS];
  int        span[MOST_COLUMNS];
  int        n, spans;
} Row;

/* They share the width, so that no row has a hole. */
static void
place_row (Row *row, int width, int y, int height)
{
  int column = (width - (MAX (row->spans, 1) - 1) * SPACING) / MAX (row->spans, 1), x = 0;

  for (int i = 0; i < row->n; i++)
    {
      int wide = i == row->n - 1 ? width - x : row->span[i] * (column + SPACING) - SPACING;

      gtk_widget_size_allocate (row->card[i], &(GtkAllocation) { x, y, wide, height }, -1);
      x += wide + SPACING;
    }
  *row = (Row) { 0 };
}

static void
sl_plot_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                         int baseline)
{
  Content content = count (widget);
  Row     cards = { 0 };
  int     row, most, y = 0;
  int     across = columns (widget, &content, width, &row, &most);

  row = fit_rows (widget, &content, height, across, row, most);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      gboolean heading = SL_IS_GROUP_HEADING (child);
      int      span = heading ? 0 : span_of (child, across), line;

      if (!gtk_widget_should_layout (child))
        continue;
      if (cards.n > 0 && (heading || cards.spans + span > across))
        {
          place_row (&cards, width, y, row);
          y += row + SPACING;
        }
      if (heading)
        {
          gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &line, NULL, NULL, NULL);
          gtk_widget_size_allocate (child, &(GtkAllocation) { 0, y, width, line }, -1);
          y += line + SPACING;
          continue;
        }
      cards.card[cards.n] = child;
      cards.span[cards.n++] = span;
      cards.spans += span;
    }
  place_row (&cards, width, y, row);
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
