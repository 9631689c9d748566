/* SPDX-License-Identifier: MIT */
#include "ui/input/sending.h"

static const char sending[] = "sl-sending";

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer own)
{
  return sl_own_send (own) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Also when the widget is gone. */
static void
on_end (gpointer own)
{
  g_object_set_data (own, sending, NULL);
  g_object_unref (own);
}

void
sl_own_send_soon (SlOwn *own, GtkWidget *widget)
{
  if (g_object_get_data (G_OBJECT (own), sending) != NULL)
    return;
  g_object_set_data (G_OBJECT (own), sending, widget);
  gtk_widget_add_tick_callback (widget, on_tick, g_object_ref (own), on_end);
}
