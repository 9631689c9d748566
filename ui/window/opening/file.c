/* SPDX-License-Identifier: MIT
 *
 * Files that are opened or dropped, by what they are.  */
#include <glib/gi18n.h>

#include "core/labs/registry.h"
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
  g_return_if_fail (SL_IS_WINDOW (self) && path != NULL);
  sl_window_report (self, NULL);
  sl_window_note_recent (path);
  if (g_str_has_suffix (path, ".lesson"))
    open_lesson (self, path);
  else if (g_str_has_suffix (path, ".sluice") || sl_store_is_store (path))
    sl_window_open_runs (self, path);
  else if (take_part (self, path) || sl_window_take_plan (self, path) || take_style (self, path))
    return;
  else if (sl_open_is_figure (path))
    sl_window_open_figure (self, path);
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
  return TRUE;
}
