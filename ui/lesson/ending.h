/* SPDX-License-Identifier: MIT
 *
 * The last page of a lesson: what the user answered, what was measured, and what the lesson was to teach.  */
#pragma once

#include <adwaita.h>

#include "ui/lesson/player.h"

#define SL_TYPE_LESSON_ENDING (sl_lesson_ending_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonEnding, sl_lesson_ending, SL, LESSON_ENDING, AdwWindow)

/* Opens it over `parent`, a window with the actions of lessons.  `answers` of the player, taken over; NULL: no question
 * was answered.  `again` and `next` are actions with their targets, as "win.lesson('1-gate')"; next NULL: there is
 * no lesson after this one.  */
void sl_lesson_ending_open (GtkWindow *parent, SlLessonPlayer *player, SlAnswers *answers,
                            const char *again, const char *next);

/* Whether a lesson asks anything, so that there is something to show. */
gboolean sl_lesson_asks (const SlLesson *lesson);
