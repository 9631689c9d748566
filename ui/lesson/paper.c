/* SPDX-License-Identifier: MIT */
#include "ui/lesson/paper.h"

#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "plot/page/lesson.h"
#include "plot/worksheet/cheat-sheet.h"
#include "plot/worksheet/questions.h"
#include "plot/worksheet/worksheet.h"

typedef struct
{
  SlLesson     *lesson; /* of its own, or NULL */
  SlLessonPaper paper;
  char         *path;

  SlLessonWritten written;
} Writing;

static void
free_writing (Writing *writing)
{
  g_clear_pointer (&writing->lesson, sl_lesson_free);
  g_free (writing->path);
  g_free (writing);
}

static GBytes *
make_paper (const Writing *writing, GError **error)
{
  int      format = sl_questions_format_for (writing->path);
  unsigned open;

  switch (writing->paper)
    {
    case SL_LESSON_SHEET: return sl_worksheet_write (writing->lesson, error);
    case SL_LESSON_KEY: return sl_worksheet_key (writing->lesson, error);
    case SL_LESSON_PAGE: return sl_page_lesson (writing->lesson, error);
    case SL_LESSON_CHEAT_SHEET: return sl_worksheet_cheat_sheet (error);
    default:
      return sl_worksheet_questions (writing->lesson, (SlQuestionsFormat) MAX (format, 0), &open,
                                     error);
    }
}

static gboolean
write_paper (gpointer data, GError **error)
{
  const Writing *writing = data;
  g_autoptr (GBytes) bytes = make_paper (writing, error);

  return bytes != NULL
         && sl_save (writing->path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                     error);
}

static void
on_paper (gpointer owner, gpointer data, const GError *error)
{
  const Writing   *writing = data;
  g_autofree char *name = g_path_get_basename (writing->path);
  g_autofree char *sentence = g_strdup_printf (_ ("Saved %s"), name);

  writing->written (owner, error != NULL ? error->message : sentence);
}

void
sl_lesson_paper_write (SlLesson *lesson, SlLessonPaper paper, const char *path,
                       SlLessonWritten written, gpointer owner, GCancellable *closing)
{
  Writing *writing = g_new0 (Writing, 1);

  *writing = (Writing) { lesson, paper, g_strdup (path), written };
  sl_background_run (write_paper, on_paper, owner, closing, writing, (GDestroyNotify) free_writing);
}

char *
sl_lesson_notes (const SlLesson *lesson)
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
