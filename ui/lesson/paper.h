/* SPDX-License-Identifier: MIT
 *
 * A lesson on paper: its worksheet and key as files, and its teacher's notes.  */
#pragma once

#include <gio/gio.h>

#include "core/run/lesson/lesson.h"

/* Called with a sentence: the file is saved, or why not. */
typedef void (*SlLessonWritten) (gpointer owner, const char *sentence);

/* Writes the worksheet of a lesson, which is taken over, or its key, whose runs are trained, in a thread of its
 * own; `written` is left out when `closing` is cancelled.  */
void sl_lesson_paper_write (SlLesson *lesson, const char *path, gboolean key,
                            SlLessonWritten written, gpointer owner, GCancellable *closing);

/* Goal, time, misconception and notes; "": it has none.  Free with g_free(). */
char *sl_lesson_notes (const SlLesson *lesson);
