/* SPDX-License-Identifier: MIT
 *
 * Files that are opened or dropped, by what they are.  */
#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/foreign/foreign.h"
#include "core/run/record/data.h"
#include "plot/export/style.h"
#include "ui/kit/open.h"
#include "ui/window/controllers.h"

/* A picture or the weights of a network, where the data in use have a place for them.  A figure that
 * was exported is a picture, too, but brings its run back.  */
static gboolean
take_part (SlWindow *self, const char *path)
{
  SlDataGroup *data = sl_sidebar_get_data (sl_window_get_sidebar (self));

  return !sl_window_shows_overview (self) && !sl_window_shows_runs (self)
         && sl_session_lab (sl_window_get_session (self)) != NULL
         && sl_data_group_takes (data, path) && !sl_open_has_recipe (path)
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
open_curves (SlWindow *self, const char *path, SlForeignLook look)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *action = NULL, *sentence = NULL;
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (path));

  sl_window_show_list (self);
  sl_runs_page_open_curves (sl_window_child (self, "runs"), path);
  if (look == SL_FOREIGN_TABLE)
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
static gboolean
take_style (SlWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *sentence = NULL;

  if (!sl_export_style_is (path))
    return FALSE;
  name = sl_export_style_keep (path, &error);
  if (name == NULL)
    {
      sl_window_report (self, error->message);
      return TRUE;
    }
  /* Translators: %s is the name of a style of exported figures. */
  sentence = g_strdup_printf (_ ("The style “%s” can be chosen in the export dialog"), name);
  sl_window_toast (self, sentence);
  return TRUE;
}

void
sl_window_open_file (SlWindow *self, const char *path)
{
  SlForeignLook look;

  g_return_if_fail (SL_IS_WINDOW (self) && path != NULL);
  look = sl_foreign_look (path);
  sl_window_report (self, NULL);
  sl_window_note_recent (path);
  if (g_str_has_suffix (path, ".lesson"))
    open_lesson (self, path);
  /* An event file of ours ends so, too. */
  else if (look == SL_FOREIGN_EVENTS)
    open_curves (self, path, look);
  else if (g_str_has_suffix (path, ".sluice") || sl_store_is_store (path))
    sl_window_open_runs (self, path);
  else if (take_part (self, path) || sl_window_take_plan (self, path) || take_style (self, path))
    return;
  else if (sl_open_is_figure (path))
    sl_window_open_figure (self, path);
  else if (look == SL_FOREIGN_TABLE)
    open_curves (self, path, look);
  else
    open_data (self, path);
}

gboolean
sl_window_dropped (SlWindow *self, const GValue *value)
{
  GSList          *files = g_value_get_boxed (value);
  g_autofree char *path = files != NULL ? g_file_get_path (files->data) : NULL;

  if (path == NULL)
    return FALSE;
  sl_window_open_file (self, path);
  for (files = files->next; files != NULL; files = files->next)
    {
      g_autofree char *other = g_file_get_path (files->data);

      if (other != NULL && sl_foreign_look (other) != SL_FOREIGN_NOT)
        sl_window_open_file (self, other);
    }
  return TRUE;
}
