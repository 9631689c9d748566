/* SPDX-License-Identifier: MIT */
#include "ui/kit/spoken.h"

#define PLACE "sl-spoken-place"

static GtkWidget *
new_child (GtkWidget *parent)
{
  GtkWidget *child = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  gtk_widget_set_can_target (child, FALSE);
  gtk_widget_set_can_focus (child, FALSE);
  gtk_widget_set_parent (child, parent);
  return child;
}

static void
allocate (GtkWidget *child)
{
  const GtkAllocation *at = g_object_get_data (G_OBJECT (child), PLACE);

  gtk_widget_size_allocate (child, at, -1);
}

void
sl_spoken_show (GtkWidget *parent, GPtrArray *children, const SlSpoken *parts, unsigned n)
{
  while (children->len > n)
    gtk_widget_unparent (g_ptr_array_steal_index (children, children->len - 1));
  while (children->len < n)
    g_ptr_array_add (children, new_child (parent));
  for (unsigned i = 0; i < n; i++)
    {
      GtkWidget *child = g_ptr_array_index (children, i);

      g_object_set_data_full (G_OBJECT (child), PLACE, g_memdup2 (&parts[i].at, sizeof parts[i].at),
                              g_free);
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      parts[i].name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      parts[i].sentence, -1);
    }
  if (n > 0)
    gtk_widget_queue_allocate (parent);
}

void
sl_spoken_allocate (GPtrArray *children)
{
  for (guint i = 0; i < children->len; i++)
    if (gtk_widget_should_layout (g_ptr_array_index (children, i)))
      allocate (g_ptr_array_index (children, i));
}
