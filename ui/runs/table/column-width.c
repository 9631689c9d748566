/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/column-width.h"

#include <math.h>

#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

void
sl_column_width_set (GtkColumnView *view, GtkColumnViewColumn *column, int width)
{
  double room = sl_type_size_room (GTK_WIDGET (view));

  gtk_column_view_column_set_fixed_width (column, (int) lround (width * room));
}

/* What a title needs whose column has no fixed width; the arrow of the one that sorts may be cut. */
static int
title_width (GtkWidget *title)
{
  return sl_widget_natural_width (title)
         - sl_widget_natural_width (gtk_widget_get_last_child (gtk_widget_get_first_child (title)));
}

void
sl_column_width_fit_titles (GtkColumnView *view)
{
  GListModel *all = gtk_column_view_get_columns (view);
  GtkWidget  *title = gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (view)));

  for (guint i = 0; title != NULL; i++, title = gtk_widget_get_next_sibling (title))
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);
      int width = column != NULL ? gtk_column_view_column_get_fixed_width (column) : -1, needed;

      if (width < 0 || !gtk_column_view_column_get_visible (column))
        continue;
      gtk_column_view_column_set_fixed_width (column, -1);
      needed = title_width (title);
      gtk_column_view_column_set_fixed_width (column, MAX (width, needed));
    }
}

void
sl_column_width_follow (GtkColumnView *view, double before, double now)
{
  GListModel *all = gtk_column_view_get_columns (view);

  for (guint i = 0; now != before && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);
      int width = gtk_column_view_column_get_fixed_width (column);

      if (width > 0)
        gtk_column_view_column_set_fixed_width (column, (int) lround (width * now / before));
    }
}
