/* SPDX-License-Identifier: MIT */
#include "ui/kit/banner-layout.h"

struct _SlBannerLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (SlBannerLayout, sl_banner_layout, GTK_TYPE_LAYOUT_MANAGER)

/* px between two of them; the least room for a long sentence beside its buttons. */
enum { GAP = 8, LEAST_TEXT = 280 };

static int
natural (GtkWidget *widget, GtkOrientation orientation, int for_size)
{
  int size;

  gtk_widget_measure (widget, orientation, for_size, NULL, &size, NULL, NULL);
  return size;
}

static int
width_of (GtkWidget *widget)
{
  return natural (widget, GTK_ORIENTATION_HORIZONTAL, -1);
}

static int
height_of (GtkWidget *widget)
{
  return natural (widget, GTK_ORIENTATION_VERTICAL, -1);
}

/* The next button that is shown, or NULL. */
static GtkWidget *
next_button (GtkWidget *before)
{
  GtkWidget *button = gtk_widget_get_next_sibling (before);

  while (button != NULL && !gtk_widget_get_visible (button))
    button = gtk_widget_get_next_sibling (button);
  return button != NULL && gtk_widget_get_next_sibling (button) != NULL ? button : NULL;
}

/* All of them with the gaps before each, beside each other. */
static int
buttons_width (GtkWidget *line)
{
  int width = 0;

  for (GtkWidget *button = next_button (gtk_widget_get_first_child (line)); button != NULL;
       button = next_button (button))
    width += GAP + width_of (button);
  return width;
}

/* The width of the sentence in a line of this width, and whether the buttons are below it. */
static int
text_width (GtkWidget *line, int width, gboolean *below)
{
  int wished = width_of (gtk_widget_get_first_child (line)), buttons = buttons_width (line);

  width -= GAP + width_of (gtk_widget_get_last_child (line));
  *below = buttons > 0 && width - buttons < MIN (wished, LEAST_TEXT);
  return MAX (*below ? width : width - buttons, 1);
}

static int
least_width (GtkWidget *line)
{
  GtkWidget *text = gtk_widget_get_first_child (line);
  int        least;

  gtk_widget_measure (text, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  least += GAP + width_of (gtk_widget_get_last_child (line));
  for (GtkWidget *button = next_button (text); button != NULL; button = next_button (button))
    least = MAX (least, width_of (button));
  return least;
}

static void
place (GtkWidget *widget, int x, int y, int width, int height)
{
  gtk_widget_size_allocate (widget, &(GtkAllocation) { x, y, width, height }, -1);
}

/* Buttons in rows below the sentence, from `y` on; the height of all.  With `put` they go there. */
static int
stack_buttons (GtkWidget *line, int width, int y, gboolean put)
{
  int x = 0, top = y, row = 0;

  for (GtkWidget *button = next_button (gtk_widget_get_first_child (line)); button != NULL;
       button = next_button (button))
    {
      int wide = width_of (button), high = height_of (button);

      if (x > 0 && x + wide > width)
        {
          y += row + GAP;
          x = row = 0;
        }
      if (put)
        place (button, x, y, MIN (wide, width), high);
      x += wide + GAP;
      row = MAX (row, high);
    }
  return y + row - top;
}

/* The height of the sentence with the buttons beside it. */
static int
row_height (GtkWidget *line, int text, gboolean below)
{
  GtkWidget *label = gtk_widget_get_first_child (line);
  int        height = natural (label, GTK_ORIENTATION_VERTICAL, text);

  height = MAX (height, height_of (gtk_widget_get_last_child (line)));
  for (GtkWidget *button = next_button (label); button != NULL && !below;
       button = next_button (button))
    height = MAX (height, height_of (button));
  return height;
}

static GtkSizeRequestMode
sl_banner_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *line)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
sl_banner_layout_measure (GtkLayoutManager *manager, GtkWidget *line, GtkOrientation orientation,
                          int for_size, int *minimum, int *wished, int *minimum_baseline,
                          int *natural_baseline)
{
  int wide = width_of (gtk_widget_get_first_child (line)) + buttons_width (line) + GAP
             + width_of (gtk_widget_get_last_child (line));
  gboolean below;
  int      text;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = least_width (line);
      *wished = MAX (wide, *minimum);
      return;
    }
  wide = for_size < 0 ? wide : for_size;
  text = text_width (line, wide, &below);
  *minimum = row_height (line, text, below);
  if (below)
    *minimum += GAP + stack_buttons (line, wide, 0, FALSE);
  *wished = *minimum;
}

static void
sl_banner_layout_allocate (GtkLayoutManager *manager, GtkWidget *line, int width, int height,
                           int baseline)
{
  GtkWidget *label = gtk_widget_get_first_child (line), *close = gtk_widget_get_last_child (line);
  gboolean   below;
  int        text = text_width (line, width, &below), high = row_height (line, text, below);
  int        x = text;

  place (label, 0, 0, text, high);
  for (GtkWidget *button = next_button (label); button != NULL && !below;
       button = next_button (button))
    {
      place (button, x + GAP, 0, width_of (button), high);
      x += GAP + width_of (button);
    }
  place (close, x + GAP, 0, width_of (close), below ? height_of (close) : high);
  if (below)
    stack_buttons (line, width, high + GAP, TRUE);
}

static void
sl_banner_layout_class_init (SlBannerLayoutClass *klass)
{
  GtkLayoutManagerClass *manager = GTK_LAYOUT_MANAGER_CLASS (klass);

  manager->get_request_mode = sl_banner_layout_get_request_mode;
  manager->measure = sl_banner_layout_measure;
  manager->allocate = sl_banner_layout_allocate;
}

static void
sl_banner_layout_init (SlBannerLayout *self)
{
}
