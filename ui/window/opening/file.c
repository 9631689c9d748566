/* SPDX-License-Identifier: MIT
 *
 * Files that are opened or dropped, by what they are, and those of lately, in the menu, from the list of the
 * desktop.  */
#include <glib/gi18n.h>

#include "core/run/files/kind/kind.h"
#include "core/run/foreign/folder.h"
#include "plot/export/style.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"
#include "ui/window/opening/opening.h"

enum { RECENT_MOST = 6 };

/* ---- lately ---- */

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

/* ---- by what they are ---- */

/* A picture or the weights of a network, where the data in use have a place for them.  A figure that
 * was exported is a picture, too, but brings its run back.  A recording is no part of another one, though there is a
 * row to choose it in: it may have to be asked about.  */
static gboolean
take_part (SlWindow *self, const char *path)
{
  SlDataGroup *data = sl_sidebar_get_data (sl_window_get_sidebar (self));
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));

  return !sl_window_shows_overview (self) && !sl_stage_shows_list (sl_window_stage (self))
         && lab != NULL && lab->data != SL_NEEDS_ROUTING && sl_data_group_takes (data, path)
         && !sl_file_has_recipe (path) && sl_data_group_take (data, path);
}

/* Says how a file was opened, with a button for the other way: a run on `spec`. */
static void
offer_run (SlWindow *self, const char *spec, const char *sentence, const char *label)
{
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (spec));
  g_autofree char *action = g_action_print_detailed_name ("win.train-on", target);

  sl_window_toast_button (self, sentence, label, action);
}

/* Of curves among which some are loads of experts.  FALSE: none is. */
static gboolean
offer_recording (SlWindow *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *spec = g_strconcat (path, ":as=loads", NULL);
  /* Translators: %s is the name of a file or folder. */
  g_autofree char *sentence
    = g_strdup_printf (_ ("%s has loads of experts: opened as curves"), name);

  if (!sl_file_has_loads (path))
    return FALSE;
  offer_run (self, spec, sentence, _ ("Replay Them"));
  return TRUE;
}

/* Curves of another program are compared with stored runs.  A table could be meant as data: the toast has that way. */
static void
open_curves (SlWindow *self, const char *path, SlFileKind kind)
{
  g_autofree char *name = g_filename_display_basename (path);
  /* Translators: %s is the name of a file. */
  g_autofree char *sentence
    = g_strdup_printf (_ ("%s has a column of steps: opened as curves"), name);

  sl_stage_show_list (sl_window_stage (self));
  sl_runs_page_open_curves (sl_window_child (self, "runs"), path, NULL);
  if (!offer_recording (self, path) && kind == SL_FILE_TABLE)
    offer_run (self, path, sentence, _ ("Train on it"));
}

static void
on_train_on (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_read_data (data, g_variant_get_string (parameter, NULL));
}

/* The looks of figures, which the export dialog offers from then on. */
static void
take_style (SlWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *sentence = NULL;

  if (sl_prefs_get_private (sl_window_get_prefs (self)) != NULL)
    {
      sl_window_toast (self, _ ("A fresh start keeps no styles"));
      return;
    }
  name = sl_export_style_keep (path, &error);
  if (name == NULL)
    {
      sl_window_report (self, error->message);
      return;
    }
  /* Translators: %s is the name of a style of exported figures. */
  sentence = g_strdup_printf (_ ("The style “%s” can be chosen in the export dialog"), name);
  sl_window_toast (self, sentence);
}

/* Logs of TensorBoard, a run for each folder with event files. */
static void
open_folder (SlWindow *self, const char *path)
{
  gboolean more;
  g_autoptr (GPtrArray) runs = sl_foreign_runs_in (path, &more);
  g_autofree char *name = g_filename_display_basename (path), *sentence = NULL;

  sl_stage_show_list (sl_window_stage (self));
  for (guint i = 0; i < runs->len; i++)
    {
      const SlForeignRun *run = g_ptr_array_index (runs, i);

      sl_runs_page_open_curves (sl_window_child (self, "runs"), run->path, run->title);
    }
  if (runs->len == 1 && offer_recording (self, path))
    return;
  if (more)
    /* Translators: %s is the name of a folder. */
    sentence = g_strdup_printf (_ ("%s: only the first %u runs are read"), name, runs->len);
  else
    /* Translators: %s is the name of a folder. */
    sentence = g_strdup_printf (
      ngettext ("%s: curves of %u run", "%s: curves of %u runs", runs->len), name, runs->len);
  sl_window_toast (self, sentence);
}

/* The other way of a recording over training. */
static void
on_open_curves (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = g_variant_get_string (parameter, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    open_folder (data, path);
  else
    open_curves (data, path, SL_FILE_EVENTS);
}

/* A picture may be a part of the data in use, which only the window knows. */
static void
open_kind (SlWindow *self, const char *path, SlFileKind kind)
{
  gboolean part = kind == SL_FILE_FIGURE || kind == SL_FILE_TABLE || kind == SL_FILE_TRIALS
                  || sl_file_is_data (kind);

  if (part && take_part (self, path))
    return;
  switch (kind)
    {
    case SL_FILE_LESSON:
      g_action_group_activate_action (G_ACTION_GROUP (self), "lesson", g_variant_new_string (path));
      return;
    case SL_FILE_EVENTS:
    case SL_FILE_LOG:
    case SL_FILE_TABLE: open_curves (self, path, kind); return;
    case SL_FILE_EVENTS_FOLDER: open_folder (self, path); return;
    case SL_FILE_TRIALS:
      sl_stage_show_list (sl_window_stage (self));
      sl_runs_page_open_trials (sl_window_child (self, "runs"), path);
      return;
    case SL_FILE_STORE: sl_stage_open_file (sl_window_stage (self), path); return;
    case SL_FILE_NETWORK: sl_window_take_network (self, path); return;
    case SL_FILE_STYLE: take_style (self, path); return;
    default: break;
    }
  if (sl_file_is_data (kind))
    sl_window_read_data (self, path);
  else
    sl_stage_open_figure (sl_window_stage (self), path);
}

gboolean
sl_window_opens (const char *path)
{
  return !sl_file_is_data (sl_file_kind (path));
}

void
sl_window_open_file (SlWindow *self, const char *path)
{
  sl_window_go_on (self);
  sl_window_report (self, NULL);
  sl_window_note_recent (path);
  open_kind (self, path, sl_file_kind (path));
}

void
sl_window_open_beside (SlWindow *self, const char *const *paths)
{
  for (; paths != NULL && *paths != NULL; paths++)
    if (sl_file_is_curves (sl_file_kind (*paths)))
      sl_window_open_file (self, *paths);
    else
      {
        g_autofree char *name = g_filename_display_basename (*paths);
        /* Translators: %s is the name of a file. */
        g_autofree char *sentence
          = g_strdup_printf (_ ("%s was not opened: only curves open several at a time"), name);

        sl_window_toast (self, sentence);
      }
}

gboolean
sl_window_dropped (SlWindow *self, const GValue *value)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (GSList *files = g_value_get_boxed (value); files != NULL; files = files->next)
    {
      g_autofree char *path = g_file_get_path (files->data);

      if (path != NULL)
        g_strv_builder_add (paths, path);
    }
  all = g_strv_builder_end (paths);
  if (all[0] == NULL)
    return FALSE;
  sl_window_open_file (self, all[0]);
  sl_window_open_beside (self, (const char *const *) all + 1);
  return TRUE;
}

/* ---- actions ---- */

/* restore, open-file */
static void
on_open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_open_file (data, g_variant_get_string (parameter, NULL));
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (&sl_window_parts (data)->opener, data,
                       &(SlFileQuestion) { .title = _ ("Open data, runs, curves or a figure") },
                       (SlFileChosen) sl_window_open_file, (SlFileChosen) sl_window_toast, data);
}

static void
on_choose_folder (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (
    &sl_window_parts (data)->opener, data,
    &(SlFileQuestion) { .title = _ ("Open a folder of logs, data or a recording"), .folder = TRUE },
    (SlFileChosen) sl_window_open_file, (SlFileChosen) sl_window_toast, data);
}

void
sl_window_add_files (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = on_open },
    { .name = "choose-folder", .activate = on_choose_folder },
    { .name = "open-file", .activate = on_open_file, .parameter_type = "s" },
    { .name = "restore", .activate = on_open_file, .parameter_type = "s" },
    { .name = "train-on", .activate = on_train_on, .parameter_type = "s" },
    { .name = "open-curves", .activate = on_open_curves, .parameter_type = "s" },
  };

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
sl_window_drop_files (SlWindow *self)
{
  g_signal_handlers_disconnect_by_func (gtk_recent_manager_get_default (), list_recent, self);
  g_clear_object (&sl_window_parts (self)->opener);
}
