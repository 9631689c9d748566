/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"

enum { RECENT_MOST = 8 };

/* By which the list of the desktop tells our files; it takes texts that could be changed. */
static char application[] = "Sluice", command[] = "sluice %f";
static char of_runs[] = "application/x-sluice", of_others[] = "application/octet-stream";

void
sl_window_note_recent (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL);
  gboolean         run = g_str_has_suffix (path, ".sluice");
  GtkRecentData    about
    = { .mime_type = run ? of_runs : of_others, .app_name = application, .app_exec = command };

  if (uri != NULL && g_file_test (absolute, G_FILE_TEST_EXISTS))
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &about);
}

static int
compare_newest (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

static void
add_file (GMenu *menu, GtkRecentInfo *info)
{
  g_autofree char *path = gtk_recent_info_get_uri_display (info);
  g_autofree char *label = sl_widget_menu_label (gtk_recent_info_get_display_name (info));
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.open-file", "s", path);
  g_menu_append_item (menu, item);
}

static void
list_recent (SlWindow *self)
{
  GMenu *menu = G_MENU (sl_window_child (self, "recent"));
  GList *all = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()),
                            compare_newest);

  g_menu_remove_all (menu);
  for (GList *at = all; at != NULL && g_menu_model_get_n_items (G_MENU_MODEL (menu)) < RECENT_MOST;
       at = at->next)
    if (gtk_recent_info_has_application (at->data, application)
        && gtk_recent_info_is_local (at->data) && gtk_recent_info_exists (at->data))
      add_file (menu, at->data);
  g_list_free_full (all, (GDestroyNotify) gtk_recent_info_unref);
}

static void
on_open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_open_file (data, g_variant_get_string (parameter, NULL));
}

void
sl_window_add_recent (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "open-file", .activate = on_open_file, .parameter_type = "s" } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_list_recent (SlWindow *self)
{
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (list_recent),
                           self, G_CONNECT_SWAPPED);
  list_recent (self);
}

void
sl_window_drop_recent (SlWindow *self)
{
  g_signal_handlers_disconnect_by_func (gtk_recent_manager_get_default (), list_recent, self);
}
