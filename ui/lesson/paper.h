/* SPDX-License-Identifier: MIT
 *
 * A lesson on paper: its worksheet, key, questions and web page as files, and its teacher's notes; and the cheat sheet of all
 * lessons.  */
#pragma once

#include <gio/gio.h>

#include "core/run/lesson/lesson.h"

typedef enum {
  SL_LESSON_SHEET,
  SL_LESSON_KEY,
  SL_LESSON_QUESTIONS,   /* for a learning platform, .xml or .gift */
  SL_LESSON_PAGE,        /* for a browser */
  SL_LESSON_CHEAT_SHEET, /* of no lesson: NULL */
} SlLessonPaper;

/* Called with a sentence: the file is saved, or why not. */
typedef void (*SlLessonWritten) (gpointer owner, const char *sentence);

/* Writes a paper of a lesson, which is taken over, in a thread of its own; for key, questions and page its runs are trained.
 * `written` is left out when `closing` is cancelled.  */
void sl_lesson_paper_write (SlLesson *lesson, SlLessonPaper paper, const char *path,
                            SlLessonWritten written, gpointer owner, GCancellable *closing);

/* Goal, time, misconception and notes; "": it has none.  Free with g_free(). */
char *sl_lesson_notes (const SlLesson *lesson);
