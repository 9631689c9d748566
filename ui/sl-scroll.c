/* SPDX-License-Identifier: MIT */
#include "ui/sl-scroll.h"

void
sl_scroll_pass (GtkWidget *widget)
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
