/* SPDX-License-Identifier: MIT
 *
 * The program's lessons in a window of their own: by level, with what each is for, how long it
 * takes and how far the user came; lessons are begun, resumed and printed from there.  */
#pragma once

#include <adwaita.h>

#include "ui/kit/prefs.h"

G_BEGIN_DECLS

#define SL_TYPE_LESSON_CHOOSER (sl_lesson_chooser_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonChooser, sl_lesson_chooser, SL, LESSON_CHOOSER, AdwWindow)

/* What is chosen is an action of `parent`, done when this window has closed: lesson, lesson-go-on,
 * lesson-print, lesson-worksheet, lesson-key, lesson-questions, lesson-page, lesson-notes (each s: the lesson's name),
 * class, lesson-save-step, lesson-cheat-sheet.  */
SlLessonChooser *sl_lesson_chooser_new (GtkWindow *parent, SlPrefs *prefs);

G_END_DECLS
