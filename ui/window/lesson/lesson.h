/* SPDX-License-Identifier: MIT
 *
 * Lessons in the window.  Actions: lessons, lesson, lesson-go-on, lesson-next, lesson-back, lesson-leave,
 * lesson-resume, lesson-answer, lesson-ask-again, lesson-earlier, lesson-save-step, lesson-save-step-to, lesson-edit, those
 * of answers and paper, class, class-files, and help, which shows the notes of a lesson that has some.  */
#pragma once

#include "core/run/base/json.h"
#include "ui/window/services/services.h"

void sl_window_add_lesson (SlWindow *self);
void sl_window_show_lessons (SlWindow *self); /* keys, with the template there */
void sl_window_drop_lesson (SlWindow *self);

/* Takes a lesson, by the id of one of the program's ("1-gate") or by its path.  FALSE with a
 * sentence; what was there then goes on.  */
gboolean sl_window_open_lesson (SlWindow *self, const char *name, GError **error);

/* ---- place.c ---- */

/* Writes members of an object of the workspace that say where in a lesson the user is. */
void sl_window_lesson_write_place (SlWindow *self, SlJsonWriter *w);
/* Goes back to that place, with a session that has no run yet. */
void sl_window_lesson_restore_place (SlWindow *self, const SlJson *place);
/* Begins the step anew, where its run is gone. */
void sl_window_lesson_begin_step (SlWindow *self);
