/* SPDX-License-Identifier: MIT
 *
 * What is on the screen as a step of a lesson: asked for, and written.  */
#include <glib/gi18n.h>

#include "ui/lesson/save.h"
#include "ui/window/lesson/private.h"

static void
save_step (SlWindow *self, const char *path, gboolean anew, const char *title, const char *text)
{
  SlLessonPlayer     *player = self->lesson->player;
  const SlLessonStep *step = player != NULL ? sl_lesson_player_get_step (player) : NULL;
  g_autofree char    *name = g_path_get_basename (path);
  g_autofree char    *saved = g_strdup_printf (_ ("The step is in %s"), name);
  g_autoptr (GError) error = NULL;

  if (sl_lesson_save_step (self->session, step != NULL ? (const char *const *) step->locks : NULL,
                           path, anew, title, text, &error))
    sl_window_toast (self, saved);
  else
    sl_window_report (self, error->message);
}

void
sl_window_lesson_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path, *title, *text;

  g_variant_get (parameter, "(&s&s&s)", &path, &title, &text);
  save_step (window, path, FALSE, title, text);
}

static void
on_chosen (GtkNativeDialog *dialog, int response, SlWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *chosen = g_file_get_path (file);
      g_autofree char *path = NULL;

      if (chosen == NULL)
        sl_window_toast (self, _ ("Only files on this computer can be opened"));
      else
        {
          path = g_str_has_suffix (chosen, ".lesson") ? g_strdup (chosen)
                                                      : g_strconcat (chosen, ".lesson", NULL);
          save_step (self, path,
                     gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog))
                       == GTK_FILE_CHOOSER_ACTION_SAVE,
                     g_object_get_data (G_OBJECT (dialog), "title"),
                     g_object_get_data (G_OBJECT (dialog), "text"));
        }
    }
  g_clear_object (&self->chooser);
}

static void
on_asked (const char *title, const char *text, gboolean existing, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (
    existing ? _ ("Add to a lesson") : _ ("New lesson"), GTK_WINDOW (self),
    existing ? GTK_FILE_CHOOSER_ACTION_OPEN : GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"),
    _ ("_Cancel"));
  gtk_file_filter_set_name (filter, _ ("Lessons"));
  gtk_file_filter_add_pattern (filter, "*.lesson");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
  if (!existing)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), _ ("Own.lesson"));
  g_object_set_data_full (G_OBJECT (self->chooser), "title", g_strdup (title), g_free);
  g_object_set_data_full (G_OBJECT (self->chooser), "text", g_strdup (text), g_free);
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

void
sl_window_lesson_save_step (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  sl_lesson_ask_step (GTK_WINDOW (window), on_asked, window);
}
