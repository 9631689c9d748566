/* SPDX-License-Identifier: MIT */
#include "ui/kit/toast.h"
#include "ui/window/services/inside.h"

SlWindowParts *
sl_window_parts (SlWindow *self)
{
  return &self->parts;
}

gpointer
sl_window_child (SlWindow *self, const char *id)
{
  return gtk_widget_get_template_child (GTK_WIDGET (self), G_OBJECT_TYPE (self), id);
}

SlStage *
sl_window_stage (SlWindow *self)
{
  return self->stage;
}

SlPrefs *
sl_window_get_prefs (SlWindow *self)
{
  return self->prefs;
}

SlOverview *
sl_window_get_overview (SlWindow *self)
{
  return self->overview;
}

SlPlotGrid *
sl_window_get_grid (SlWindow *self)
{
  return self->grid;
}

SlSidebar *
sl_window_get_sidebar (SlWindow *self)
{
  return self->sidebar;
}

SlSession *
sl_window_get_session (SlWindow *self)
{
  return sl_stage_session (self->stage);
}

SlStore *
sl_window_get_store (SlWindow *self)
{
  return sl_stage_store (self->stage);
}

GCancellable *
sl_window_closing (SlWindow *self)
{
  return self->closing;
}

gboolean
sl_window_shows_overview (SlWindow *self)
{
  return sl_stage_shows_overview (self->stage);
}

gboolean
sl_window_in_lesson (SlWindow *self)
{
  return gtk_widget_get_visible (sl_window_child (self, "lesson_bar"));
}

void
sl_window_watch (SlWindow *self, const char *signal, void (*handler) (SlWindow *self))
{
  g_signal_connect_swapped (self->stage, signal, G_CALLBACK (handler), self);
}

void
sl_window_set_value (SlWindow *self, const char *id, const SlValue *value)
{
  g_autoptr (GError) error = NULL;

  if (!sl_session_set (sl_window_get_session (self), id, value, &error))
    sl_window_toast (self, error->message);
}

/* ---- screens ---- */

static GdkMonitor *
own_monitor (SlWindow *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));

  return surface != NULL
           ? gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface)
           : NULL;
}

GdkMonitor *
sl_window_dup_other_monitor (SlWindow *self)
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

/* ---- actions ---- */

GAction *
sl_window_action (SlWindow *self, const char *name)
{
  return g_action_map_lookup_action (G_ACTION_MAP (self), name);
}

void
sl_window_enable (SlWindow *self, const char *name, gboolean enabled)
{
  GAction *action = sl_window_action (self, name);

  if (g_action_get_enabled (action) != enabled)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
sl_window_set_state (SlWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (sl_window_action (self, name)), state);
}

gboolean
sl_window_is_on (SlWindow *self, const char *name)
{
  g_autoptr (GVariant) state = g_action_get_state (sl_window_action (self, name));

  return g_variant_get_boolean (state);
}

/* ---- toasts ---- */

AdwToast *
sl_window_toast_button (SlWindow *self, const char *sentence, const char *label, const char *action)
{
  return sl_toast_add (self->toasts, sentence, label, action);
}

void
sl_window_toast (SlWindow *self, const char *sentence)
{
  sl_window_toast_button (self, sentence, NULL, NULL);
}
