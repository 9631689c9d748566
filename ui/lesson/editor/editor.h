/* SPDX-License-Identifier: MIT
 *
 * The page on which an own lesson is put in order: what it is called, its steps, their words and questions.  What was
 * changed is in the file once it is saved, and only if the lesson is good.  */
#pragma once

#include <adwaita.h>

#define SL_TYPE_LESSON_EDITOR (sl_lesson_editor_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonEditor, sl_lesson_editor, SL, LESSON_EDITOR, AdwWindow)

/* For the lesson in a file of this computer, over `parent`, a window with the action "lesson"; NULL with a sentence where it cannot be
 * read.  */
SlLessonEditor *sl_lesson_editor_new (GtkWindow *parent, GFile *file, GError **error);

/* Puts what was typed into the file; FALSE with a sentence, which is shown as well. */
gboolean sl_lesson_editor_save (SlLessonEditor *self, GError **error);
