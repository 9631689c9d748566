/* SPDX-License-Identifier: MIT */
#include "ui/kit/widget.h"

void
sl_widget_pass_scroll (GtkWidget *widget)
{
  GListModel *controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      GtkEventController *controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
      g_object_unref (controller);
    }
  g_object_unref (controllers);
}

void
sl_widget_drop_template (GtkWidget *widget, GType type)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (widget, type);
}

void
sl_widget_name_inner (GtkWidget *root)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if ((GTK_IS_DROP_DOWN (root) && GTK_IS_TOGGLE_BUTTON (child))
          || (GTK_IS_COLUMN_VIEW (root) && GTK_IS_LIST_VIEW (child)))
        gtk_accessible_update_relation (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                        root, NULL, -1);
      sl_widget_name_inner (child);
    }
}
