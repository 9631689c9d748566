/* SPDX-License-Identifier: MIT
 *
 * The questions of a lesson for a learning platform: Moodle XML, or GIFT, which other platforms read too.  In the
 * user's language, with the numbers of the lesson's runs filled in:
 *
 *   choice     multichoice, one right option
 *   number     numerical, what was measured with the question's tolerance
 *   the rest   essay: a drawn curve, a time (another on each machine), and what has no right answer
 */
#pragma once

#include <glib.h>

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

typedef enum {
  SL_QUESTIONS_XML,
  SL_QUESTIONS_GIFT,
} SlQuestionsFormat;

/* The format of files whose names end in ".xml" or ".gift"; -1: another ending. */
int sl_questions_format_for (const char *path);

/* Trains the runs of the lesson on the calling thread, as for a key.  `open` is set to how many became essays.  NULL with a
 * sentence when a run fails.  */
GBytes *sl_worksheet_questions (const SlLesson *lesson, SlQuestionsFormat format, unsigned *open,
                                GError **error);

G_END_DECLS
