/* SPDX-License-Identifier: MIT
 *
 * What of a lesson is saved: what is on the screen as a step, and answers to collect.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/save.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"
#include "ui/lesson/save.h"
#include "ui/window/lesson/private.h"

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

void
sl_window_lesson_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window)
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

void
sl_window_lesson_save_step (GSimpleAction *action, GVariant *parameter, gpointer window)
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

void
sl_window_lesson_save_answers_to (GSimpleAction *action, GVariant *parameter, gpointer window)
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
  SlWindow        *self = SL_WINDOW (gtk_window_get_transient_for (GTK_WINDOW (dialog)));
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

void
sl_window_lesson_save_answers (GSimpleAction *action, GVariant *parameter, gpointer window)
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
