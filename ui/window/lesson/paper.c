/* SPDX-License-Identifier: MIT
 *
 * A lesson on paper: its worksheet, key, questions and web page, and the cheat sheet; and the actions of help and notes.  */
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

/* Takes the lesson over. */
static void
begin_writing (SlWindow *self, SlLesson *lesson, SlLessonPaper paper, const char *path)
{
  if (paper == SL_LESSON_KEY || paper == SL_LESSON_QUESTIONS || paper == SL_LESSON_PAGE)
    sl_window_toast (self, _ ("The lesson's runs are trained; then the file is saved"));
  sl_lesson_paper_write (lesson, paper, path, (SlLessonWritten) sl_window_toast, self,
                         sl_window_closing (self));
}

static void
on_chosen (gpointer window, const char *path)
{
  Lesson *state = sl_window_lesson (window);

  begin_writing (window, g_steal_pointer (&state->paper), state->kind, path);
}

/* The lesson, which is taken over, may be another one by the time a file is chosen. */
static void
ask_file (SlWindow *self, SlLesson *lesson, SlLessonPaper paper, const char *title,
          const char *file)
{
  static const char *const kinds[]
    = { [SL_LESSON_QUESTIONS] = "Moodle XML, GIFT", [SL_LESSON_PAGE] = "HTML" };
  static const char *const patterns[]
    = { [SL_LESSON_QUESTIONS] = "*.xml *.gift", [SL_LESSON_PAGE] = "*.html" };
  Lesson        *state = sl_window_lesson (self);
  bool           pdf = paper >= G_N_ELEMENTS (kinds) || kinds[paper] == NULL;
  SlFileQuestion question = { .title = title,
                              .name = file,
                              .kind = pdf ? "PDF" : kinds[paper],
                              .pattern = pdf ? "*.pdf" : patterns[paper],
                              .accept = _ ("_Save") };

  g_clear_pointer (&state->paper, sl_lesson_free);
  state->paper = lesson;
  state->kind = paper;
  sl_file_dialog_open (&state->chooser, GTK_WINDOW (self), &question, on_chosen,
                       (SlFileChosen) sl_window_toast, self);
}

static void
ask_lesson (SlWindow *self, GVariant *named, SlLessonPaper paper, const char *title,
            const char *file)
{
  SlLesson *lesson = sl_window_lesson (self)->chooser == NULL ? dup_lesson (self, named) : NULL;

  if (lesson != NULL)
    ask_file (self, lesson, paper, title, file);
}

static void
on_worksheet (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_lesson (data, parameter, SL_LESSON_SHEET, _ ("Save the worksheet"), _ ("Worksheet.pdf"));
}

static void
on_key (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_lesson (data, parameter, SL_LESSON_KEY, _ ("Save the key"), _ ("Key.pdf"));
}

static void
on_questions (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_lesson (data, parameter, SL_LESSON_QUESTIONS, _ ("Save the questions"), _ ("Questions.xml"));
}

static void
on_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_lesson (data, parameter, SL_LESSON_PAGE, _ ("Save the web page"), _ ("Lesson.html"));
}

static void
on_cheat_sheet (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (sl_window_lesson (data)->chooser == NULL)
    ask_file (data, NULL, SL_LESSON_CHEAT_SHEET, _ ("Save the cheat sheet"), _ ("Cheat sheet.pdf"));
}

/* The worksheet of the lesson that is taken. */
static void
on_worksheet_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlLessonPlayer *player = sl_window_lesson (data)->player;

  begin_writing (data, sl_lesson_copy (sl_lesson_player_get_lesson (player)), SL_LESSON_SHEET,
                 g_variant_get_string (parameter, NULL));
}

static void
on_print (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (SlLesson) lesson = dup_lesson (data, parameter);

  if (lesson != NULL)
    sl_print_lesson (data, lesson, (SlPrintRefused) sl_window_report);
}

/* ---- notes ---- */

/* The notes of the lesson that is taken, or the help on the lab that is shown. */
static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab
    = sl_window_shows_overview (data) ? NULL : sl_session_lab (sl_window_get_session (data));
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
    { .name = "lesson-questions", .activate = on_questions, .parameter_type = "s" },
    { .name = "lesson-page", .activate = on_page, .parameter_type = "s" },
    { .name = "lesson-cheat-sheet", .activate = on_cheat_sheet },
    { .name = "lesson-print", .activate = on_print, .parameter_type = "s" },
    { .name = "lesson-notes", .activate = on_notes, .parameter_type = "s" },
    { .name = "help", .activate = on_help },
    { .name = "help-page", .activate = on_help_page, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
