/* SPDX-License-Identifier: MIT
 *
 * The window before an audience: large type, thick lines, the sliders that matter, all of a screen;
 * and the size of type at any time.  */
#include <glib/gi18n.h>

#include "ui/kit/type-size.h"
#include "ui/window/private.h"

enum { SIDEBAR_WIDTH = 316 };

static GdkMonitor *
own_monitor (SlWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));

  return surface != NULL
           ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface)
           : NULL;
}

/* A screen that the window is not on; a reference, or NULL. */
static GdkMonitor *
other_monitor (SlWindow *self)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
  GdkMonitor *own = own_monitor (self);

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      GdkMonitor *monitor = g_list_model_get_item (monitors, i);

      if (monitor != own)
        return monitor;
      g_object_unref (monitor);
    }
  return NULL;
}

/* A screen that goes dark in the middle of a lesson helps nobody. */
static void
keep_awake (SlWindow *self, gboolean awake)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application == NULL)
    return;
  if (self->awake != 0)
    gtk_application_uninhibit (application, self->awake);
  self->awake = awake ? gtk_application_inhibit (application, GTK_WINDOW (self),
                                                 GTK_APPLICATION_INHIBIT_IDLE, _ ("Presenting"))
                      : 0;
}

void
sl_window_fit_header (SlWindow *self)
{
  gtk_widget_set_visible (self->rewind, !self->tight || self->presenting);
  gtk_widget_set_visible (self->step, !self->tight && !self->presenting);
  gtk_widget_set_visible (self->export, !self->tight && !self->presenting);
}

static void
show_presented (SlWindow *self)
{
  if (self->presenting)
    gtk_widget_add_css_class (GTK_WIDGET (self), "present");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "present");
  gtk_widget_set_visible (GTK_WIDGET (self->status), !self->presenting);
  sl_window_fit_header (self);
  gtk_widget_set_visible (self->leave, self->presenting);
  sl_sidebar_set_brief (self->sidebar, self->presenting);
  sl_window_fold (self);
}

static void
on_page (SlWindow *self)
{
  if (self->presenting)
    sl_window_fold (self);
}

void
sl_window_set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "present");

  if (presenting && !self->presenting)
    self->filled = gtk_window_is_fullscreen (GTK_WINDOW (self));
  if (presenting != self->presenting)
    {
      self->presenting = presenting;
      show_presented (self);
      keep_awake (self, presenting);
      g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (presenting));
    }
  if (presenting && monitor != NULL)
    gtk_window_fullscreen_on_monitor (GTK_WINDOW (self), monitor);
  else if (presenting)
    gtk_window_fullscreen (GTK_WINDOW (self));
  else if (!self->filled)
    gtk_window_unfullscreen (GTK_WINDOW (self));
}

static void
on_present (GSimpleAction *action, GVariant *state, gpointer data)
{
  sl_window_set_presenting (data, g_variant_get_boolean (state), NULL);
}

static void
on_present_second (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GdkMonitor) monitor = other_monitor (data);

  sl_window_set_presenting (data, TRUE, monitor);
}

static void
on_larger (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_type_size_change (SL_WINDOW (data)->prefs, 1);
}

static void
on_smaller (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_type_size_change (SL_WINDOW (data)->prefs, -1);
}

static void
on_usual (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_type_size_change (SL_WINDOW (data)->prefs, 0);
}

static void
on_monitors (SlWindow *self)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
  GAction    *action = g_action_map_lookup_action (G_ACTION_MAP (self), "present-second");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), g_list_model_get_n_items (monitors) > 1);
}

int
sl_window_fold_width (SlWindow *self)
{
  enum { USUAL = 900 };

  return (int) (sl_type_size_room (GTK_WIDGET (self)) * USUAL);
}

void
sl_window_fit_type (SlWindow *self)
{
  gtk_widget_set_size_request (GTK_WIDGET (self->sidebar),
                               (int) (sl_type_size_room (GTK_WIDGET (self)) * SIDEBAR_WIDTH), -1);
}

void
sl_window_add_present (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "present", .state = "false", .change_state = on_present },
    { .name = "present-second", .activate = on_present_second },
    { .name = "type-larger", .activate = on_larger },
    { .name = "type-smaller", .activate = on_smaller },
    { .name = "type-usual", .activate = on_usual },
  };
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (monitors, "items-changed", G_CALLBACK (on_monitors), self,
                           G_CONNECT_SWAPPED);
  on_monitors (self);
}

void
sl_window_watch_pages (SlWindow *self)
{
  g_signal_connect_object (self->pages, "notify::visible-child", G_CALLBACK (on_page), self,
                           G_CONNECT_SWAPPED);
}
