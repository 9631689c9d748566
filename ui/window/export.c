/* SPDX-License-Identifier: MIT
 *
 * Plots of the window as files: by the dialog, to a path, and once more as the last time.  */
#include <glib/gi18n.h>

#include "ui/export/dialog.h"
#include "ui/window/private.h"

/* The last export of this window. */
struct SlExported
{
  const SlLab   *lab;
  SlExportChoice choice;
  SlExportPanels panels;
  char          *path;
  gboolean       named; /* by the person, not after its run */
};

static void
say_saved (SlWindow *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *sentence = g_strdup_printf (_ ("Saved %s"), name);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (folder));
  g_autofree char *action = g_action_print_detailed_name ("win.open-folder", target);

  sl_window_toast_button (self, sentence, _ ("Open Folder"), action);
}

void
sl_window_drop_exported (SlWindow *self)
{
  if (self->exported != NULL)
    g_free (self->exported->path);
  g_clear_pointer (&self->exported, g_free);
}

void
sl_window_exported (SlWindow *self, const SlExportChoice *choice, const SlExportPanels *panels,
                    const char *path)
{
  g_autofree char *proposed = sl_export_name (choice, self->session, panels);
  g_autofree char *name = g_path_get_basename (path), *copy = g_strdup (path);

  sl_window_drop_exported (self);
  self->exported = g_new (SlExported, 1);
  *self->exported = (SlExported) { sl_session_lab (self->session), *choice, *panels,
                                   g_steal_pointer (&copy), !g_str_equal (name, proposed) };
  say_saved (self, path);
}

static void
write_to (SlWindow *self, const SlExportChoice *choice, const SlExportPanels *panels,
          const char *path)
{
  g_autoptr (GError) error = NULL;

  if (sl_export_write (choice, self->session, self->grid, panels, path, &error))
    sl_window_exported (self, choice, panels, path);
  else
    sl_window_toast (self, error->message);
}

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (self->comparing)
    gtk_widget_activate_action (GTK_WIDGET (self->runs), "runs.export", NULL);
  else
    sl_export_dialog_open (self, self->prefs, sl_plot_grid_get_focused (self->grid));
}

static void
on_export_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow      *self = data;
  const char    *path = g_variant_get_string (parameter, NULL);
  SlExportPanels panels = sl_export_panels (sl_plot_grid_get_focused (self->grid));
  SlExportChoice choice;

  sl_export_choice_load (&choice, self->prefs, sl_export_count (&panels, self->session));
  choice.format = sl_export_kind_for (path);
  write_to (self, &choice, &panels, path);
}

/* A name of the person's own is written over, as it is when a document is saved; one that tells the
 * update tells the update of now.  Without a last time, or in another lab, one has to choose.  */
static void
on_export_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  SlExportChoice   choice;
  SlExportPanels   panels;
  g_autofree char *path = NULL;

  if (self->comparing || self->exported == NULL
      || self->exported->lab != sl_session_lab (self->session))
    {
      on_export (NULL, NULL, self);
      return;
    }
  choice = self->exported->choice;
  panels = self->exported->panels;
  if (self->exported->named)
    path = g_strdup (self->exported->path);
  else
    {
      g_autofree char *folder = g_path_get_dirname (self->exported->path);
      g_autofree char *name = sl_export_name (&choice, self->session, &panels);

      path = g_build_filename (folder, name, NULL);
    }
  write_to (self, &choice, &panels, path);
}

static void
on_open_folder (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  g_autofree char *uri = g_file_get_uri (folder);

  gtk_show_uri (data, uri, GDK_CURRENT_TIME);
}

void
sl_window_add_export (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "export", .activate = on_export },
    { .name = "export-to", .activate = on_export_to, .parameter_type = "s" },
    { .name = "export-again", .activate = on_export_again },
    { .name = "open-folder", .activate = on_open_folder, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
