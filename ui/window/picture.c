/* SPDX-License-Identifier: MIT
 *
 * The picture that a run makes, as a file: asked for, made between two updates, and encoded and
 * written in a thread of its own, with the recipe of the run in it.  */
#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/data/image/png-write.h"
#include "core/run/base/save.h"
#include "ui/window/private.h"

typedef struct
{
  SlBitmap picture;
  char    *path, *title, *recipe;
} Errand;

static void
free_errand (gpointer data)
{
  Errand *errand = data;

  sl_bitmap_clear (&errand->picture);
  g_free (errand->path);
  g_free (errand->title);
  g_free (errand->recipe);
  g_free (errand);
}

static void
write_picture (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Errand  *errand = data;
  GError  *error = NULL;
  uint8_t *bytes = NULL;
  size_t   size = 0;
  SlStatus status
    = sl_bitmap_encode (&errand->picture, errand->title, errand->recipe, &bytes, &size);

  if (!sl_ok (&status))
    g_task_return_error (task, sl_status_to_error (&status));
  else if (!sl_save (errand->path, bytes, size, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  free (bytes);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  SlWindow        *self = SL_WINDOW (source);
  Errand          *errand = g_task_get_task_data (G_TASK (result));
  g_autofree char *name = g_filename_display_basename (errand->path);
  /* Translators: %s is the name of a file. */
  g_autofree char *sentence = g_strdup_printf (_ ("The picture is saved: %s"), name);
  g_autoptr (GError) error = NULL;

  /* The window may be gone by now. */
  if (self->own == NULL)
    return;
  sl_window_toast (self,
                   g_task_propagate_boolean (G_TASK (result), &error) ? sentence : error->message);
}

void
sl_window_pictured (SlWindow *self)
{
  g_autoptr (GTask) task = NULL;
  Errand *errand;

  if (self->picture_path == NULL)
    return;
  errand = g_new0 (Errand, 1);
  if (!sl_session_take_picture (self->session, &errand->picture, &errand->recipe))
    {
      free_errand (errand);
      return;
    }
  errand->path = g_steal_pointer (&self->picture_path);
  errand->title = g_strdup (sl_session_lab (self->session)->title);
  task = g_task_new (self, NULL, on_written, NULL);
  g_task_set_task_data (task, errand, free_errand);
  g_task_run_in_thread (task, write_picture);
}

static void
ask (SlWindow *self, const char *path)
{
  g_free (self->picture_path);
  self->picture_path = g_strdup (path);
  sl_session_ask_picture (self->session);
}

static void
on_place (GtkNativeDialog *dialog, int response, SlWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *path = g_file_get_path (file);

      if (path != NULL)
        ask (self, path);
      else
        sl_window_toast (self, _ ("Only files on this computer can be written"));
    }
  g_clear_object (&self->saver);
}

static void
on_save_picture (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  g_autofree char *name = NULL;
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  if (self->saver != NULL)
    return;
  name = g_strdup_printf ("%s-seed%" G_GUINT64_FORMAT "-step%" G_GUINT64_FORMAT ".png",
                          sl_session_lab (self->session)->id,
                          (guint64) sl_session_seed (self->session),
                          (guint64) sl_session_info (self->session)->step);
  self->saver
    = gtk_file_chooser_native_new (_ ("Save the picture"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_filter_set_name (filter, _ ("Pictures"));
  gtk_file_filter_add_pattern (filter, "*.png");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->saver), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->saver), name);
  g_signal_connect (self->saver, "response", G_CALLBACK (on_place), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->saver));
}

static void
on_save_picture_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, g_variant_get_string (parameter, NULL));
}

void
sl_window_update_picture (SlWindow *self)
{
  static const char *const names[] = { "save-picture", "save-picture-to" };
  const SlLab             *lab = sl_session_lab (self->session);
  gboolean                 makes = lab != NULL && lab->picture != NULL && !self->in_overview;

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), names[i])), makes);
}

void
sl_window_add_picture (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save-picture", .activate = on_save_picture },
    { .name = "save-picture-to", .activate = on_save_picture_to, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
