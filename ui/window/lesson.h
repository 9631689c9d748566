/* SPDX-License-Identifier: MIT
 *
 * Lessons in the window, which are in ui/window/lesson.  Actions: lesson, lesson-next, lesson-back,
 * lesson-leave, lesson-resume, lesson-answer, lesson-ask-again, lesson-earlier, lesson-save-step,
 * lesson-save-step-to.  */
#pragma once

#include "ui/window/window.h"

void sl_window_add_lesson (SlWindow *self);
void sl_window_show_lessons (SlWindow *self); /* menu and keys, with the template there */
void sl_window_drop_lesson (SlWindow *self);

/* What the step shows, hides and locks, as far as its lab is in sight; also for a new run, whose rows
 * and plots may be others.  */
void sl_window_lesson_set_stage (SlWindow *self);

/* TRUE, with a toast, when the lesson locks this parameter. */
gboolean sl_window_lesson_locks (SlWindow *self, const char *param);
