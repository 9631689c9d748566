/* SPDX-License-Identifier: MIT */
#include "ui/grid/front-layout.h"

#include "ui/kit/type-size.h"

/* px where text has its usual size */
enum {
  SPACING = 8,
  ASIDE = 300,   /* width of the settings */
  BESIDE = 820,  /* from this width on they are beside the picture */
  PICTURE = 270, /* least heights */
  PLOT = 196,
  PRESENTED_PICTURE = 220, /* the same before an audience, whose type is large */
  PRESENTED_PLOT = 150,
  PRESENTED_ACROSS = 2,
  FOUR_PLOT = 214, /* least width of a plot where four are in a row, and of two */
  TWO_PLOT = 290,
};

struct _SlFrontLayout
{
  GtkLayoutManager parent_instance;

  GtkWidget *card[SL_FRONT_CARDS];
  unsigned   n;
  GtkWidget *aside;
};

G_DEFINE_FINAL_TYPE (SlFrontLayout, sl_front_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Where things come to be for a width. */
typedef struct
{
  gboolean beside;       /* the settings are beside the picture */
  int      aside;        /* their width, or 0 */
  int      settings;     /* their height where they are below the picture */
  int      picture, row; /* heights */
  int      across, rows; /* of plots */
} Plan;

static int
scaled (GtkWidget *widget, int size)
{
  return (int) (sl_type_size_room (widget) * size);
}

static int
least_height (GtkWidget *child, int width)
{
  int least;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  return least;
}

static int
least_width (GtkWidget *child)
{
  int least;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

static int
count_across (SlFrontLayout *self, GtkWidget *widget, int width)
{
  int n = (int) self->n - 1;

  if (sl_type_size_presented (widget))
    return MIN (n, PRESENTED_ACROSS);
  if (n >= 4 && (width - 3 * SPACING) / 4 >= scaled (widget, FOUR_PLOT))
    return n;
  if (n == 3 && (width - 2 * SPACING) / 3 >= scaled (widget, TWO_PLOT))
    return n;
  return n >= 2 && (width - SPACING) / 2 >= scaled (widget, TWO_PLOT) ? 2 : 1;
}

/* The least heights at a width. */
static Plan
plan_for (SlFrontLayout *self, GtkWidget *widget, int width)
{
  gboolean presented = sl_type_size_presented (widget);
  Plan     plan = { .picture = scaled (widget, presented ? PRESENTED_PICTURE : PICTURE),
                    .row = scaled (widget, presented ? PRESENTED_PLOT : PLOT) };
  gboolean settings = self->aside != NULL && gtk_widget_should_layout (self->aside);

  if (self->n == 0)
    return (Plan) { 0 };
  plan.across = count_across (self, widget, width);
  plan.rows = ((int) self->n - 1 + plan.across - 1) / plan.across;
  plan.beside = settings && width >= scaled (widget, BESIDE);
  if (settings)
    plan.aside = plan.beside ? MAX (scaled (widget, ASIDE), least_width (self->aside)) : width;
  plan.picture
    = MAX (plan.picture, least_height (self->card[0], width - (plan.beside ? plan.aside : 0)));
  if (plan.beside)
    plan.picture = MAX (plan.picture, least_height (self->aside, plan.aside));
  else if (settings)
    plan.settings = least_height (self->aside, plan.aside) + SPACING;
  for (unsigned i = 1; i < self->n; i++)
    plan.row = MAX (plan.row, least_height (self->card[i], -1));
  return plan;
}

static int
height_of (const Plan *plan)
{
  return plan->picture + plan->settings + plan->rows * (plan->row + SPACING);
}

static GtkSizeRequestMode
sl_front_layout_get_request_mode (GtkLayoutManager *layout, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
sl_front_layout_measure (GtkLayoutManager *layout, GtkWidget *widget, GtkOrientation orientation,
                         int for_size, int *minimum, int *natural, int *minimum_baseline,
                         int *natural_baseline)
{
  SlFrontLayout *self = SL_FRONT_LAYOUT (layout);
  Plan           plan;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      plan = plan_for (self, widget, for_size < 0 ? scaled (widget, BESIDE) : for_size);
      *minimum = *natural = height_of (&plan);
      return;
    }
  *minimum
    = self->aside != NULL && gtk_widget_should_layout (self->aside) ? least_width (self->aside) : 0;
  for (unsigned i = 0; i < self->n; i++)
    *minimum = MAX (*minimum, least_width (self->card[i]));
  *natural = MAX (*minimum, scaled (widget, BESIDE));
}

/* What is free goes to the picture and to the rows of plots alike. */
static void
grow (Plan *plan, int height)
{
  int spare = height - height_of (plan), rows = plan->rows + 1;

  if (spare <= 0)
    return;
  plan->picture += spare - plan->rows * (spare / rows);
  plan->row += spare / rows;
}

static void
place_plots (SlFrontLayout *self, const Plan *plan, int width, int y)
{
  int n = (int) self->n - 1;

  for (int i = 0; i < n; i++)
    {
      int           row = i / plan->across, in_row = MIN (plan->across, n - row * plan->across);
      int           wide = (width - (in_row - 1) * SPACING) / in_row;
      GtkAllocation at = { (i % plan->across) * (wide + SPACING), y + row * (plan->row + SPACING),
                           wide, plan->row };

      gtk_widget_size_allocate (self->card[i + 1], &at, -1);
    }
}

static void
sl_front_layout_allocate (GtkLayoutManager *layout, GtkWidget *widget, int width, int height,
                          int baseline)
{
  SlFrontLayout *self = SL_FRONT_LAYOUT (layout);
  Plan           plan = plan_for (self, widget, width);
  int            y, aside = plan.beside ? plan.aside + SPACING : 0;

  if (self->n == 0)
    return;
  grow (&plan, height);
  gtk_widget_size_allocate (self->card[0], &(GtkAllocation) { 0, 0, width - aside, plan.picture },
                            -1);
  y = plan.picture + SPACING;
  if (plan.beside)
    gtk_widget_size_allocate (
      self->aside, &(GtkAllocation) { width - plan.aside, 0, plan.aside, plan.picture }, -1);
  else if (plan.settings > 0)
    {
      gtk_widget_size_allocate (self->aside,
                                &(GtkAllocation) { 0, y, width, plan.settings - SPACING }, -1);
      y += plan.settings;
    }
  place_plots (self, &plan, width, y);
}

static void
sl_front_layout_class_init (SlFrontLayoutClass *klass)
{
  GtkLayoutManagerClass *layout = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout->get_request_mode = sl_front_layout_get_request_mode;
  layout->measure = sl_front_layout_measure;
  layout->allocate = sl_front_layout_allocate;
}

static void
sl_front_layout_init (SlFrontLayout *self)
{
}

void
sl_front_layout_set_cards (SlFrontLayout *self, GtkWidget *const cards[], unsigned n,
                           GtkWidget *aside)
{
  gboolean same;

  g_return_if_fail (SL_IS_FRONT_LAYOUT (self) && n <= SL_FRONT_CARDS);
  same = n == self->n && aside == self->aside;
  for (unsigned i = 0; i < n; i++)
    {
      same = same && cards[i] == self->card[i];
      self->card[i] = cards[i];
    }
  self->n = n;
  self->aside = aside;
  if (!same && gtk_layout_manager_get_widget (GTK_LAYOUT_MANAGER (self)) != NULL)
    gtk_layout_manager_layout_changed (GTK_LAYOUT_MANAGER (self));
}
