/* SPDX-License-Identifier: MIT
 *
 * A lesson on paper: its worksheet and key; and the actions of help and notes.  */
#include <glib/gi18n.h>

#include "ui/export/print.h"
#include "ui/help/help.h"
#include "ui/kit/file-dialog.h"
#include "ui/lesson/paper.h"
#include "ui/window/lesson/private.h"

/* A copy of the lesson that an action is about: the one that is named or, with "", the one that is taken.
 * NULL with a toast.  */
static SlLesson *
dup_lesson (SlWindow *self, GVariant *named)
{
  const char *name = g_variant_get_string (named, NULL);
  g_autoptr (GFile) file = *name != '\0' ? sl_lesson_file (name) : NULL;
  g_autoptr (GError) error = NULL;
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  SlLesson       *lesson = file != NULL     ? sl_lesson_load (file, &error)
                           : player != NULL ? sl_lesson_copy (sl_lesson_player_get_lesson (player))
                                            : NULL;

  if (lesson == NULL)
    sl_window_toast (self, error != NULL ? error->message : _ ("No lesson is taken"));
  return lesson;
}

/* ---- files ---- */

/* The runs of a key are trained in a thread of their own.  Takes the lesson over. */
static void
begin_writing (SlWindow *self, SlLesson *lesson, const char *path, gboolean key)
{
  if (key)
    sl_window_toast (self, _ ("The key's runs are trained; it is saved when they end"));
  sl_lesson_paper_write (lesson, path, key, (SlLessonWritten) sl_window_toast, self,
                         sl_window_closing (self));
}

static void
on_sheet_chosen (gpointer window, const char *path)
{
  begin_writing (window, g_steal_pointer (&sl_window_lesson (window)->paper), path, FALSE);
}

static void
on_key_chosen (gpointer window, const char *path)
{
  begin_writing (window, g_steal_pointer (&sl_window_lesson (window)->paper), path, TRUE);
}

/* The lesson may be another one by the time a file is chosen. */
static void
ask_file (SlWindow *self, GVariant *named, const char *title, const char *file, SlFileChosen chosen)
{
  Lesson        *state = sl_window_lesson (self);
  SlLesson      *lesson = state->chooser == NULL ? dup_lesson (self, named) : NULL;
  SlFileQuestion question
    = { .title = title, .name = file, .kind = "PDF", .pattern = "*.pdf", .accept = _ ("_Save") };

  if (lesson == NULL)
    return;
  g_clear_pointer (&state->paper, sl_lesson_free);
  state->paper = lesson;
  sl_file_dialog_open (&state->chooser, GTK_WINDOW (self), &question, chosen,
                       (SlFileChosen) sl_window_toast, self);
}

static void
on_worksheet (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_file (data, parameter, _ ("Save the worksheet"), _ ("Worksheet.pdf"), on_sheet_chosen);
}

static void
on_key (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_file (data, parameter, _ ("Save the key"), _ ("Key.pdf"), on_key_chosen);
}

/* The worksheet of the lesson that is taken. */
static void
on_worksheet_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlLessonPlayer *player = sl_window_lesson (data)->player;

  begin_writing (data, sl_lesson_copy (sl_lesson_player_get_lesson (player)),
                 g_variant_get_string (parameter, NULL), FALSE);
}

static void
on_print (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (SlLesson) lesson = dup_lesson (data, parameter);

  if (lesson != NULL)
    sl_print_lesson (data, lesson, (SlPrintRefused) sl_window_report);
}

/* ---- notes ---- */

/* The notes of the lesson that is taken, or the help on the lab. */
static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab    *lab = sl_session_lab (sl_window_get_session (data));
  SlLessonPlayer *player = sl_window_lesson (data)->player;

  if (player == NULL
      || !sl_window_lesson_show_notes (data, sl_lesson_player_get_lesson (player), ""))
    sl_help_open (data, lab != NULL ? lab->id : "start");
}

static void
on_help_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_help_open (data, g_variant_get_string (parameter, NULL));
}

static void
on_notes (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (SlLesson) lesson = dup_lesson (data, parameter);

  if (lesson != NULL
      && !sl_window_lesson_show_notes (data, lesson, g_variant_get_string (parameter, NULL)))
    sl_window_toast (data, _ ("This lesson has no notes"));
}

/* ---- actions ---- */

void
sl_window_lesson_add_paper (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson-worksheet", .activate = on_worksheet, .parameter_type = "s" },
    { .name = "lesson-worksheet-to", .activate = on_worksheet_to, .parameter_type = "s" },
    { .name = "lesson-key", .activate = on_key, .parameter_type = "s" },
    { .name = "lesson-print", .activate = on_print, .parameter_type = "s" },
    { .name = "lesson-notes", .activate = on_notes, .parameter_type = "s" },
    { .name = "help", .activate = on_help },
    { .name = "help-page", .activate = on_help_page, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
