/* SPDX-License-Identifier: MIT */
#include "ui/window/plots/plots.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "ui/export/dialog.h"
#include "ui/export/job.h"
#include "ui/export/page.h"
#include "ui/export/print.h"
#include "ui/kit/file-dialog.h"

/* The last export of this window. */
typedef struct SlWindowExport
{
  const SlLab          *lab;
  SlExportChoice        choice;
  SlExportPanels        panels;
  char                 *path;    /* NULL: there was none */
  gboolean              named;   /* by the user, not after its run */
  char                 *dragged; /* folder of the file that was dragged out last, or NULL */
  GtkFileChooserNative *chooser; /* of the start page, while it is open */
} Export;

void
sl_window_tell_saved (SlWindow *self, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *sentence = g_strdup_printf (_ ("Saved %s"), name);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (folder));
  g_autofree char *action = g_action_print_detailed_name ("win.open-folder", target);

  sl_window_toast_button (self, sentence, _ ("Open folder"), action);
}

/* Remembers how it was done. */
static void
on_written (gpointer window, const SlExportChoice *choice, const SlExportPanels *panels,
            const char *path, gboolean named)
{
  Export *export = sl_window_parts (window)->export;
  SlSession *session = sl_window_get_session (window);
  char      *before = export->path; /* which `path` may be */

  *export = (Export) { sl_session_lab (session), *choice,        *panels, g_strdup (path), named,
                       export->dragged,          export->chooser };
  sl_window_tell_saved (window, path);
  g_free (before);
}

static void
write_to (SlWindow *self, const SlExportMoment *moment, const SlExportChoice *choice,
          const SlExportPanels *panels, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *proposed = sl_export_name (choice, moment, panels);
  g_autoptr (GError) error = NULL;

  if (sl_export_write (choice, moment, panels, path, &error))
    on_written (self, choice, panels, path, !g_str_equal (name, proposed));
  else
    sl_window_toast (self, error->message);
}

static SlExportMoment *
moment_of (SlWindow *self)
{
  return sl_export_moment_new (sl_window_get_session (self), sl_window_get_grid (self));
}

static void
open_dialog (SlWindow *self, int panel)
{
  sl_export_dialog_open (
    GTK_WINDOW (self), sl_export_of_grid (sl_window_get_session (self), sl_window_get_grid (self)),
    sl_window_get_prefs (self), panel, on_written, self);
}

void
sl_window_export_plot (SlWindow *self, guint panel)
{
  open_dialog (self, (int) panel);
}

void
sl_window_copy_plot (SlWindow *self, guint panel)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkContentProvider) offer = sl_export_offer (
    sl_window_get_session (self), sl_window_get_grid (self), (int) panel, NULL, &error);

  if (offer != NULL)
    gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (self)), offer);
  sl_window_toast (self, offer != NULL ? _ ("Copied as PNG, SVG and CSV") : error->message);
}

/* Removes the files of earlier drags: the drop has copied them, or did not happen. */
static void
remove_dragged (Export *export)
{
  g_autoptr (GDir) dir = export->dragged != NULL ? g_dir_open (export->dragged, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (export->dragged, name, NULL);

      g_unlink (path);
    }
  if (export->dragged != NULL)
    g_rmdir (export->dragged);
  g_clear_pointer (&export->dragged, g_free);
}

GdkContentProvider *
sl_window_offer_plot (SlWindow *self, guint panel)
{
  Export *export = sl_window_parts (self)->export;
  g_autoptr (GError) error = NULL;
  GdkContentProvider *offer = NULL;

  remove_dragged (export);
  export->dragged = g_dir_make_tmp ("sluice-XXXXXX", &error);
  if (export->dragged != NULL)
    offer = sl_export_offer (sl_window_get_session (self), sl_window_get_grid (self), (int) panel,
                             export->dragged, &error);
  if (offer == NULL)
    sl_window_toast (self, error->message);
  return offer;
}

static void
on_copy (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_copy_plot (data, (guint) MAX (sl_plot_grid_get_focused (sl_window_get_grid (data)), 0));
}

/* ---- the start page ---- */

static void
save_overview (gpointer window, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!sl_window_shows_overview (window))
    return;
  if (sl_overview_save (sl_window_get_overview (window), path, &error))
    sl_window_tell_saved (window, path);
  else
    sl_window_toast (window, error->message);
}

static void
export_overview (SlWindow *self)
{
  const SlFileQuestion question
    = { .title = _ ("Export the page as svg, png, pdf, tikz or py, by the name's ending"),
        .name = "sluice.svg",
        .kind = _ ("Figures"),
        .pattern = "*.svg *.png *.pdf *.tikz *.tex *.py" };

  sl_file_dialog_open (&sl_window_parts (self)->export->chooser, GTK_WINDOW (self), &question,
                       save_overview, (SlFileChosen) sl_window_toast, self);
}

/* ---- actions ---- */

/* The plot that was clicked, else -1 for those that are shown; the first has the focus without a click. */
static int
chosen_plot (SlWindow *self)
{
  SlPlotGrid *grid = sl_window_get_grid (self);
  unsigned    panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid, panels);
  int         focused = sl_plot_grid_get_focused (grid);

  return n > 1 && focused == (int) panels[0] ? -1 : focused;
}

static SlExportPanels
chosen_plots (SlWindow *self)
{
  int panel = chosen_plot (self);

  return panel >= 0 ? sl_export_panels (panel) : sl_export_shown (sl_window_get_grid (self));
}

static void
on_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (sl_stage_shows_list (sl_window_stage (data)))
    gtk_widget_activate_action (sl_window_child (data, "runs"), "runs.export", NULL);
  else if (sl_window_shows_overview (data))
    export_overview (data);
  else
    open_dialog (data, chosen_plot (data));
}

static void
on_export_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char    *path = g_variant_get_string (parameter, NULL);
  SlExportPanels panels = chosen_plots (data);
  SlExportChoice choice;
  g_autoptr (SlExportMoment) moment = NULL;

  if (sl_window_shows_overview (data))
    {
      save_overview (data, path);
      return;
    }
  sl_export_choice_load (&choice, sl_window_get_prefs (data),
                         sl_export_count (&panels, sl_window_get_session (data)));
  choice.format = sl_export_kind_for (path);
  moment = moment_of (data);
  write_to (data, moment, &choice, &panels, path);
}

/* A name of the user's own is written over, as it is when a document is saved; one that tells the
 * update tells the update of now.  Without a last time, or in another lab, one has to choose.  */
static void
on_export_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Export          *last = sl_window_parts (data)->export;
  SlSession       *session = sl_window_get_session (data);
  SlExportChoice   choice = last->choice;
  SlExportPanels   panels = last->panels;
  g_autofree char *path = NULL;
  g_autoptr (SlExportMoment) moment = NULL;

  if (sl_stage_shows_list (sl_window_stage (data)) || sl_window_shows_overview (data)
      || last->path == NULL || last->lab != sl_session_lab (session))
    {
      on_export (NULL, NULL, data);
      return;
    }
  moment = moment_of (data);
  if (last->named)
    path = g_strdup (last->path);
  else
    {
      g_autofree char *folder = g_path_get_dirname (last->path);
      g_autofree char *name = sl_export_name (&choice, moment, &panels);

      path = g_build_filename (folder, name, NULL);
    }
  write_to (data, moment, &choice, &panels, path);
}

static void
on_open_folder (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (g_variant_get_string (parameter, NULL));
  g_autofree char *uri = g_file_get_uri (folder);

  gtk_show_uri (data, uri, GDK_CURRENT_TIME);
}

static void
on_print (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL;
  g_autoptr (GError) error = NULL;

  if (sl_window_shows_overview (data))
    sl_print_page (data, sl_overview_print (sl_window_get_overview (data)), path,
                   (SlPrintRefused) sl_window_report);
  else if (!sl_print_plots (data, sl_window_get_session (data), sl_window_get_grid (data), path,
                            (SlPrintRefused) sl_window_report, &error))
    sl_window_toast (data, error->message);
}

void
sl_window_add_export (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "export", .activate = on_export },
    { .name = "export-to", .activate = on_export_to, .parameter_type = "s" },
    { .name = "export-again", .activate = on_export_again },
    { .name = "copy", .activate = on_copy },
    { .name = "print", .activate = on_print },
    { .name = "print-to", .activate = on_print, .parameter_type = "s" },
    { .name = "open-folder", .activate = on_open_folder, .parameter_type = "s" },
  };

  sl_window_parts (self)->export = g_new0 (Export, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_export (SlWindow *self)
{
  remove_dragged (sl_window_parts (self)->export);
  g_clear_object (&sl_window_parts (self)->export->chooser);
  g_free (sl_window_parts (self)->export->path);
  g_clear_pointer (&sl_window_parts (self)->export, g_free);
}
