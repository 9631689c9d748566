/* SPDX-License-Identifier: MIT
 *
 * What is kept of lessons: how far each of the program's own was taken; what is on the screen as a step; and
 * answers, which are collected from a class and shown together.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/save.h"
#include "ui/charts/class-window.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"
#include "ui/lesson/progress.h"
#include "ui/lesson/save.h"
#include "ui/window/lesson/private.h"

/* ---- progress ---- */

const char *
sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player)
{
  GHashTableIter iter;
  gpointer       name, value;

  g_hash_table_iter_init (&iter, sl_window_lesson (self)->players);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (value == player)
      return name;
  return NULL;
}

char *
sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player)
{
  g_auto (GStrv) names = sl_lesson_names ();
  const char *name = sl_window_lesson_name (self, player);

  for (char **id = names; *id != NULL; id++)
    if (g_strcmp0 (*id, name) == 0 && id[1] != NULL)
      return g_strdup_printf ("win.lesson('%s')", id[1]);
  return NULL;
}

/* Lessons in files are not in the list. */
static gboolean
is_own (const char *name)
{
  g_auto (GStrv) names = sl_lesson_names ();

  return name != NULL && g_strv_contains ((const char *const *) names, name);
}

void
sl_window_lesson_keep_progress (SlWindow *self, gboolean over)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  const char     *name = sl_window_lesson_name (self, player);

  if (is_own (name))
    sl_lesson_progress_keep (sl_window_get_prefs (self), name, player, over);
}

/* ---- a step ---- */

static void
save_step (SlWindow *self, const char *path, gboolean anew, const char *title, const char *text)
{
  SlLessonPlayer     *player = sl_window_lesson (self)->player;
  const SlLessonStep *step = player != NULL ? sl_lesson_player_get_step (player) : NULL;
  g_autofree char    *name = g_path_get_basename (path);
  g_autofree char    *saved = g_strdup_printf (_ ("The step is in %s"), name);
  g_autoptr (GError) error = NULL;

  if (sl_lesson_save_step (sl_window_get_session (self),
                           step != NULL ? (const char *const *) step->locks : NULL, path, anew,
                           title, text, &error))
    sl_window_toast (self, saved);
  else
    sl_window_report (self, error->message);
}

static void
on_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path, *title, *text;

  g_variant_get (parameter, "(&s&s&s)", &path, &title, &text);
  save_step (window, path, FALSE, title, text);
}

static void
on_chosen (gpointer window, const char *chosen)
{
  const Lesson    *lesson = sl_window_lesson (window);
  g_autofree char *path = g_str_has_suffix (chosen, ".lesson")
                            ? g_strdup (chosen)
                            : g_strconcat (chosen, ".lesson", NULL);

  save_step (window, path, !lesson->existing, lesson->title, lesson->text);
}

static void
on_asked (const char *title, const char *text, gboolean existing, gpointer window)
{
  Lesson        *lesson = sl_window_lesson (window);
  SlFileQuestion question = { .title = existing ? _ ("Add to a lesson") : _ ("New lesson"),
                              .name = existing ? NULL : _ ("Own.lesson"),
                              .kind = _ ("Lessons"),
                              .pattern = "*.lesson",
                              .accept = _ ("_Save") };

  if (lesson->chooser != NULL)
    return;
  g_free (lesson->title);
  g_free (lesson->text);
  lesson->title = g_strdup (title);
  lesson->text = g_strdup (text);
  lesson->existing = existing;
  sl_file_dialog_open (&lesson->chooser, window, &question, on_chosen,
                       (SlFileChosen) sl_window_toast, window);
}

static void
on_save_step (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  sl_lesson_ask_step (GTK_WINDOW (window), on_asked, window);
}

/* ---- answers ---- */

static void
save_answers (SlWindow *self, const char *name, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlAnswers) answers
    = sl_lesson_player_dup_answers (sl_window_lesson (self)->player, name);
  g_autofree char *text = NULL, *base = g_path_get_basename (path);
  g_autofree char *saved = g_strdup_printf (_ ("Saved %s"), base);

  if (answers == NULL)
    {
      sl_window_toast (self, _ ("There are no answers yet"));
      return;
    }
  text = sl_answers_write (answers);
  sl_window_toast (self, sl_answers_check_name (name, &error)
                             && sl_save (path, text, strlen (text), &error)
                           ? saved
                           : error->message);
}

static void
on_save_answers_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *name, *path;

  g_variant_get (parameter, "(&s&s)", &name, &path);
  save_answers (window, name, path);
}

static void
on_answers_chosen (gpointer window, const char *path)
{
  save_answers (window, sl_window_lesson (window)->title, path);
}

static void
on_name (GtkEditable *name, AdwMessageDialog *dialog)
{
  adw_message_dialog_set_response_enabled (
    dialog, "save", sl_answers_check_name (gtk_editable_get_text (name), NULL));
}

static void
on_named (AdwMessageDialog *dialog, const char *response, GtkEditable *name)
{
  SlWindow        *self = (SlWindow *) gtk_window_get_transient_for (GTK_WINDOW (dialog));
  Lesson          *state = sl_window_lesson (self);
  g_autofree char *file = g_strconcat (gtk_editable_get_text (name), ".json", NULL);
  SlFileQuestion   question = { .title = _ ("Save the answers"),
                                .name = file,
                                .kind = _ ("Answers"),
                                .pattern = "*.json",
                                .accept = _ ("_Save") };

  if (!g_str_equal (response, "save") || state->player == NULL)
    return;
  g_free (state->title);
  state->title = g_strdup (gtk_editable_get_text (name));
  g_strdelimit (file, "/\\", '-');
  sl_file_dialog_open (&state->chooser, GTK_WINDOW (self), &question, on_answers_chosen,
                       (SlFileChosen) sl_window_toast, self);
}

static void
on_save_answers (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (
    adw_message_dialog_new (window, _ ("Save the answers"),
                            _ ("The file has the guesses, what was measured and this name or code, "
                               "and nothing else about you.")));
  GtkWidget *name = gtk_entry_new ();

  sl_widget_label (name, _ ("Name or code"));
  gtk_entry_set_placeholder_text (GTK_ENTRY (name), _ ("Name or code"));
  gtk_entry_set_activates_default (GTK_ENTRY (name), TRUE);
  adw_message_dialog_set_extra_child (dialog, name);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "save", _ ("_Save…"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (name, "changed", G_CALLBACK (on_name), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (on_named), name);
  on_name (GTK_EDITABLE (name), dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- answers of a class ---- */

static void
show_class (SlWindow *self, const char *const *paths)
{
  g_autofree char *refused = sl_class_window_open (GTK_WINDOW (self), paths);

  sl_window_report (self, refused);
}

static void
on_files (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv (parameter, NULL);

  show_class (data, paths);
}

static void
on_response (GtkFileChooserNative *chooser, int response, SlWindow *self)
{
  g_autoptr (GListModel) files = response == GTK_RESPONSE_ACCEPT
                                   ? gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser))
                                   : NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      char *path = g_file_get_path (file);

      if (path != NULL)
        g_ptr_array_add (paths, path);
    }
  g_ptr_array_add (paths, NULL);
  if (paths->len > 1)
    show_class (self, (const char *const *) paths->pdata);
  g_object_unref (chooser);
}

static void
on_class (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (
    _ ("Answers of a class"), data, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_response), data, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
sl_window_lesson_add_save (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson-save-step", .activate = on_save_step },
    { .name = "lesson-save-step-to", .activate = on_save_step_to, .parameter_type = "(sss)" },
    { .name = "lesson-save-answers", .activate = on_save_answers },
    { .name = "lesson-save-answers-to", .activate = on_save_answers_to, .parameter_type = "(ss)" },
    { .name = "class", .activate = on_class },
    { .name = "class-files", .activate = on_files, .parameter_type = "as" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_lesson_drop_save (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  g_clear_object (&lesson->chooser);
  g_free (lesson->title);
  g_free (lesson->text);
}
