/* SPDX-License-Identifier: MIT
 *
 * What a lesson becomes on disk and on paper: what is on the screen as a step, worksheet and key, answers
 * to collect; and its teacher's notes.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/background.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "plot/worksheet/worksheet.h"
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

/* ---- paper ---- */

static const SlLesson *
lesson_of (gpointer window)
{
  return sl_lesson_player_get_lesson (sl_window_lesson (window)->player);
}

/* ---- files ---- */

typedef struct
{
  SlLesson *lesson; /* of its own */
  char     *path;
  gboolean  key;
} Writing;

static void
free_writing (Writing *writing)
{
  sl_lesson_free (writing->lesson);
  g_free (writing->path);
  g_free (writing);
}

static gboolean
write_paper (gpointer data, GError **error)
{
  const Writing *writing = data;
  g_autoptr (GBytes) bytes = writing->key ? sl_worksheet_key (writing->lesson, error)
                                          : sl_worksheet_write (writing->lesson, error);

  return bytes != NULL
         && sl_save (writing->path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                     error);
}

static void
on_paper (gpointer window, gpointer data, const GError *error)
{
  const Writing   *writing = data;
  g_autofree char *name = g_path_get_basename (writing->path);
  g_autofree char *sentence = g_strdup_printf (_ ("Saved %s"), name);

  sl_window_toast (window, error != NULL ? error->message : sentence);
}

/* The runs of a key are trained in a thread of their own. */
static void
begin_writing (SlWindow *self, const char *path, gboolean key)
{
  Lesson          *state = sl_window_lesson (self);
  g_autofree char *text = sl_lesson_write (lesson_of (self));
  Writing         *writing = g_new0 (Writing, 1);

  writing->lesson = sl_lesson_parse (text, strlen (text), "lesson", lesson_of (self)->folder, NULL);
  writing->path = g_strdup (path);
  writing->key = key;
  if (state->papers == NULL)
    state->papers = g_cancellable_new ();
  if (key)
    sl_window_toast (self, _ ("The key's runs are trained; it is saved when they end"));
  sl_background_run (write_paper, on_paper, self, state->papers, writing,
                     (GDestroyNotify) free_writing);
}

static void
on_sheet_chosen (gpointer window, const char *path)
{
  begin_writing (window, path, FALSE);
}

static void
on_key_chosen (gpointer window, const char *path)
{
  begin_writing (window, path, TRUE);
}

static void
ask_file (SlWindow *self, const char *title, const char *name, const char *kind,
          const char *pattern, SlFileChosen chosen)
{
  SlFileQuestion question
    = { .title = title, .name = name, .kind = kind, .pattern = pattern, .accept = _ ("_Save") };

  sl_file_dialog_open (&sl_window_lesson (self)->chooser, GTK_WINDOW (self), &question, chosen,
                       (SlFileChosen) sl_window_toast, self);
}

static void
on_worksheet (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_file (data, _ ("Save the worksheet"), _ ("Worksheet.pdf"), "PDF", "*.pdf", on_sheet_chosen);
}

static void
on_key (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_file (data, _ ("Save the key"), _ ("Key.pdf"), "PDF", "*.pdf", on_key_chosen);
}

static void
on_worksheet_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  begin_writing (data, g_variant_get_string (parameter, NULL), FALSE);
}

static void
on_print (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_print_lesson (data, lesson_of (data), NULL);
}

/* ---- notes ---- */

static char *
notes_text (const SlLesson *lesson)
{
  GString *text = g_string_new (NULL);

  if (*lesson->goal != '\0')
    g_string_append_printf (text, _ ("Goal: %s"), sl_words (lesson->goal));
  if (lesson->minutes > 0)
    {
      g_string_append (text, text->len > 0 ? "\n\n" : "");
      g_string_append_printf (text, _ ("Time: %u minutes"), lesson->minutes);
    }
  if (*lesson->misconception != '\0')
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n\n" : "", _ ("Misconception"),
                            sl_words (lesson->misconception));
  if (*lesson->notes != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", sl_words (lesson->notes));
  return g_string_free (text, FALSE);
}

gboolean
sl_window_lesson_show_notes (SlWindow *self)
{
  g_autofree char *text
    = sl_window_lesson (self)->player != NULL ? notes_text (lesson_of (self)) : NULL;
  GtkWidget *dialog;

  if (text == NULL || *text == '\0')
    return FALSE;
  dialog = adw_message_dialog_new (GTK_WINDOW (self), sl_words (lesson_of (self)->title), text);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

static void
on_notes (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!sl_window_lesson_show_notes (data))
    sl_window_toast (data, _ ("This lesson has no notes"));
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
on_answers_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name, *path;

  g_variant_get (parameter, "(&s&s)", &name, &path);
  save_answers (data, name, path);
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

  if (!g_str_equal (response, "save") || state->player == NULL)
    return;
  g_free (state->title);
  state->title = g_strdup (gtk_editable_get_text (name));
  g_strdelimit (file, "/\\", '-');
  ask_file (self, _ ("Save the answers"), file, _ ("Answers"), "*.json", on_answers_chosen);
}

static void
on_answers (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (
    adw_message_dialog_new (data, _ ("Save the answers"),
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

/* ---- actions ---- */

static const GActionEntry entries[] = {
  { .name = "lesson-worksheet", .activate = on_worksheet },
  { .name = "lesson-worksheet-to", .activate = on_worksheet_to, .parameter_type = "s" },
  { .name = "lesson-key", .activate = on_key },
  { .name = "lesson-print", .activate = on_print },
  { .name = "lesson-notes", .activate = on_notes },
  { .name = "lesson-save-answers", .activate = on_answers },
  { .name = "lesson-save-answers-to", .activate = on_answers_to, .parameter_type = "(ss)" },
};

void
sl_window_lesson_add_paper (SlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_lesson_drop_paper (SlWindow *self)
{
  if (sl_window_lesson (self)->papers != NULL)
    g_cancellable_cancel (sl_window_lesson (self)->papers);
  g_clear_object (&sl_window_lesson (self)->papers);
}

void
sl_window_lesson_enable_paper (SlWindow *self)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (entries); i++)
    sl_window_enable (self, entries[i].name, sl_window_lesson (self)->player != NULL);
}
