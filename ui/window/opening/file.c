/* SPDX-License-Identifier: MIT
 *
 * Files that are opened or dropped, by what they are.  */
#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/files/kind/kind.h"
#include "core/run/record/data.h"
#include "plot/export/style.h"
#include "ui/window/controllers.h"

/* A picture or the weights of a network, where the data in use have a place for them.  A figure that
 * was exported is a picture, too, but brings its run back.  */
static gboolean
take_part (SlWindow *self, const char *path)
{
  SlDataGroup *data = sl_sidebar_get_data (sl_window_get_sidebar (self));

  return !sl_window_shows_overview (self) && !sl_window_shows_runs (self)
         && sl_session_lab (sl_window_get_session (self)) != NULL
         && sl_data_group_takes (data, path) && !sl_file_has_recipe (path)
         && sl_data_group_take (data, path);
}

static void
open_lesson (SlWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!sl_window_open_lesson (self, path, &error))
    sl_window_report (self, error->message);
}

/* For the lab and the settings that are shown, or the first lab; data that these have no use for begin
 * the lab that has.  */
static void
open_data (SlWindow *self, const char *path)
{
  const SlLab *shown, *lab;
  SlSettings   settings;

  sl_window_show_own (self);
  shown = sl_session_lab (sl_window_get_session (self));
  lab = sl_lab_for_data (shown != NULL ? shown : sl_labs[0], path);
  if (lab == shown)
    settings = *sl_session_settings (sl_window_get_session (self));
  else
    sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (sl_window_get_session (self), lab, &settings, path, sl_window_seed (self),
                    TRUE);
  sl_window_leave_runs (self);
  sl_window_changed (self);
}

/* Curves of another program are compared with stored runs.  A table could be meant as data: the toast has that way. */
static void
open_curves (SlWindow *self, const char *path, SlFileKind kind)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *action = NULL, *sentence = NULL;
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (path));

  sl_window_show_list (self);
  sl_runs_page_open_curves (sl_window_child (self, "runs"), path);
  if (kind == SL_FILE_TABLE)
    {
      action = g_action_print_detailed_name ("win.train-on", target);
      /* Translators: %s is the name of a file. */
      sentence = g_strdup_printf (_ ("%s has a column of steps: opened as curves"), name);
      sl_window_toast_button (self, sentence, _ ("Train on It"), action);
    }
}

static void
on_train_on (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  open_data (data, g_variant_get_string (parameter, NULL));
}

void
sl_window_add_files (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "train-on", .activate = on_train_on, .parameter_type = "s" } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* The looks of figures, which the export dialog offers from then on. */
static void
take_style (SlWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = sl_export_style_keep (path, &error), *sentence = NULL;

  if (name == NULL)
    {
      sl_window_report (self, error->message);
      return;
    }
  /* Translators: %s is the name of a style of exported figures. */
  sentence = g_strdup_printf (_ ("The style “%s” can be chosen in the export dialog"), name);
  sl_window_toast (self, sentence);
}

static void
open_folder (SlWindow *self, const char *path)
{
  g_autoptr (GPtrArray) files = sl_file_events_in (path);

  for (guint i = 0; i < files->len; i++)
    open_curves (self, g_ptr_array_index (files, i), SL_FILE_EVENTS);
}

/* A picture may be a part of the data in use, which only the window knows. */
static void
open_kind (SlWindow *self, const char *path, SlFileKind kind)
{
  gboolean part = kind == SL_FILE_FIGURE || kind == SL_FILE_TABLE || sl_file_is_data (kind);

  if (part && take_part (self, path))
    return;
  switch (kind)
    {
    case SL_FILE_LESSON: open_lesson (self, path); return;
    case SL_FILE_EVENTS:
    case SL_FILE_TABLE: open_curves (self, path, kind); return;
    case SL_FILE_EVENTS_FOLDER: open_folder (self, path); return;
    case SL_FILE_STORE: sl_window_open_runs (self, path); return;
    case SL_FILE_NETWORK: sl_window_take_network (self, path); return;
    case SL_FILE_STYLE: take_style (self, path); return;
    default: break;
    }
  if (sl_file_is_data (kind))
    open_data (self, path);
  else
    sl_window_open_figure (self, path);
}

gboolean
sl_window_opens (const char *path)
{
  return !sl_file_is_data (sl_file_kind (path));
}

void
sl_window_open_file (SlWindow *self, const char *path)
{
  g_return_if_fail (SL_IS_WINDOW (self) && path != NULL);
  sl_window_go_on (self);
  sl_window_report (self, NULL);
  sl_window_note_recent (path);
  open_kind (self, path, sl_file_kind (path));
}

void
sl_window_open_beside (SlWindow *self, const char *const *paths)
{
  g_return_if_fail (SL_IS_WINDOW (self));
  for (; paths != NULL && *paths != NULL; paths++)
    if (sl_file_is_curves (sl_file_kind (*paths)))
      sl_window_open_file (self, *paths);
    else
      {
        g_autofree char *name = g_filename_display_basename (*paths);
        /* Translators: %s is the name of a file. */
        g_autofree char *sentence = g_strdup_printf (
          _ ("%s was not opened: only curves are opened several at a time"), name);

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
